/* Publishing: a written record can be opened, replaced and disrupted, and never appears in part. */
#include <criterion/criterion.h>
#include <errno.h>
#include <ordo/ordo.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

#include "base/file.h"
#include "calibrate/record/publish.h"
#include "calibrate/record/refute.h"
#include "clock_rate.h"
#include "machine/counter/counter.h"
#include "machine/topology/topology.h"

static char directory[] = "/tmp/ordo-record-XXXXXX", path[64];
static struct ordo_calibration *calibration;
static struct ordo_error error;

static void begin_now(void)
{
    struct ordo_record_moment now;
    cr_assert_eq(ordo_moment_take(&now), 0);
    calibration->as_of_ns = (uint64_t)now.uptime_ns;
    calibration->void_after_ns = calibration->as_of_ns + 3600000000000u;
    calibration->as_of_ticks = now.before_ticks;
    calibration->as_of_raw_ns = (uint64_t)now.raw_ns;
    calibration->suspended_ns = (uint64_t)now.suspended_low_ns;
}

static void make(void)
{
    struct ordo_topology *topology;
    unsigned *cpus;
    int count;
    cr_assert_not_null(mkdtemp(directory));
    (void)snprintf(path, sizeof path, "%s/run/boundary", directory);
    cr_assert_eq(ordo_topology_open(&topology, NULL, &error), ORDO_OK);
    cr_assert_eq(ordo_topology_select(topology, NULL, &cpus, &count, &error), ORDO_OK);
    calibration = ordo_calibration_new(count);
    memcpy(calibration->cpus, cpus, (size_t)count * sizeof *cpus);
    free(cpus);
    ordo_topology_close(topology);
    calibration->boundary_ticks = 321;
    calibration->tick_hz = clock_rate_hz();
    calibration->hypervisor = true;
    begin_now();
    strcpy(calibration->machine, "a machine");
}

static void drop(void)
{
    char command[128];
    ordo_calibration_free(calibration);
    (void)snprintf(command, sizeof command, "rm -rf %s", directory);
    cr_assert_eq(system(command), 0);
}

static bool rename_fails;
static const char *unrenamed;         /* another file whose rename fails; NULL: none */
static const uint64_t *status_to_see; /* the status word of the replaced record */
static uint64_t seen_status;          /* the value of `status_to_see` at the last rename */
static void (*before_rename)(void);

int __real_renameat(int from_folder, const char *from, int to_folder, const char *to);

static bool is_unrenamed(const char *name)
{
    const char *slash = unrenamed ? strrchr(unrenamed, '/') : NULL;
    return slash && strcmp(name, slash + 1) == 0;
}

/* Replaces the library's call (CMakeLists.txt). */
int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    seen_status = status_to_see ? __atomic_load_n(status_to_see, __ATOMIC_RELAXED) : 0;
    if (before_rename)
        before_rename();
    errno = EIO;
    return rename_fails || is_unrenamed(to) ? -1 : __real_renameat(from_folder, from, to_folder, to);
}

static const char *lost_lock; /* a lock file that is removed just before its first lock */
static void (*before_flock)(void);
static int flocks;

int __real_flock(int fd, int operation);

int __wrap_flock(int fd, int operation)
{
    if (lost_lock)
        (void)unlink(lost_lock);
    lost_lock = NULL;
    if (before_flock)
        before_flock();
    flocks++;
    return __real_flock(fd, operation);
}

static unsigned long another_cpu; /* sched_getaffinity() reports this CPU as well */

int __real_sched_getaffinity(pid_t thread, size_t bytes, void *set);

/* Replaces the call in the record's header. Like the kernel, it requires a set that is large enough for all possible
 * CPUs. */
int __wrap_sched_getaffinity(pid_t thread, size_t bytes, void *set)
{
    if (!another_cpu)
        return __real_sched_getaffinity(thread, bytes, set);
    if (another_cpu / 8 >= bytes)
        return errno = EINVAL, -1;
    memset(set, 0, bytes);
    ((unsigned long *)set)[another_cpu / (8 * sizeof(long))] = 1ul << another_cpu % (8 * sizeof(long));
    return 0;
}

static void publish(void)
{
    begin_now();
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_OK, "%s", error.text);
}

/* Returns the head of the published record. */
static struct ordo_record head(void)
{
    struct ordo_record record;
    const void *bytes = NULL;
    size_t count = 0;
    cr_assert_eq(ordo_record_map(path, &bytes, &count, &error), ORDO_OK, "%s", error.text);
    memcpy(&record, bytes, sizeof record);
    (void)munmap((void *)(uintptr_t)bytes, count);
    return record;
}

/* Returns the number of files in the record's directory, without the lock. */
static int files(void)
{
    char command[128];
    (void)snprintf(command, sizeof command, "find %s -type f ! -name '*.lock' | wc -l", directory);
    FILE *pipe = popen(command, "r");
    int count = -1;
    cr_assert(pipe && fscanf(pipe, "%d", &count) == 1);
    (void)pclose(pipe);
    return count;
}

Test(record, a_published_record_can_be_opened, .init = make, .fini = drop)
{
    struct ordo o;
    publish();
    cr_assert_eq(ordo_open_error(&o, path, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_boundary(&o), 321);
    cr_assert_eq(ordo_flags(&o), ORDO_FLAG_HYPERVISOR);
    cr_assert_eq(ordo_tick_hz(&o), (uint64_t)(calibration->tick_hz + 0.5));
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_VALID);
    ordo_close(&o);
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_CLOSED);
}

Test(record, a_new_record_supersedes_the_old, .init = make, .fini = drop)
{
    struct ordo old, new;
    publish();
    cr_assert_eq(ordo_open(&old, path), ORDO_OK);
    calibration->boundary_ticks = 400;
    publish();
    cr_assert_eq(ordo_status(&old), ORDO_STATUS_SUPERSEDED);
    cr_assert_eq(ordo_boundary(&old), 321, "a handle keeps its boundary");
    cr_assert_eq(ordo_open(&new, path), ORDO_OK);
    cr_assert_eq(ordo_boundary(&new), 400);
    cr_assert_eq(new.generation, old.generation + 1);
    ordo_close(&old);
    ordo_close(&new);
}

Test(record, a_disrupted_record_is_refused, .init = make, .fini = drop)
{
    struct ordo o;
    struct ordo_record checked;
    ordo_time now, out;
    publish();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    now = ordo_get_time(&o);
    checked = head();
    checked.generation++;
    cr_assert_eq(ordo_record_disrupt(path, &checked, &error), ORDO_E_SUPERSEDED,
                 "a record of another generation is not marked");
    checked = head();
    checked.checksum++;
    cr_assert_eq(ordo_record_disrupt(path, &checked, &error), ORDO_E_SUPERSEDED,
                 "a record with another checksum is not marked");
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_VALID);
    checked = head();
    cr_assert_eq(ordo_record_disrupt(path, &checked, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_DISRUPTED);
    cr_assert_eq(ordo_try_new_time(&o, now, &out), ORDO_E_DISRUPTED);
    ordo_close(&o);
    cr_assert_eq(ordo_open(&o, path), ORDO_E_DISRUPTED);
    cr_assert_eq(ordo_cmp_time(&o, ordo_time_add(now, 1u << 30), now), 0, "a refused handle orders nothing");
    publish();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    ordo_close(&o);
}

Test(record, a_link_is_followed_and_not_replaced, .init = make, .fini = drop)
{
    struct ordo o;
    struct stat info;
    char link[80];
    (void)snprintf(link, sizeof link, "%s/link", directory);
    publish();
    cr_assert_eq(symlink(path, link), 0);
    cr_assert_eq(ordo_open(&o, link), ORDO_OK);
    cr_assert_eq(ordo_record_publish(link, calibration, NULL, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(calibration->generation, 2);
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_SUPERSEDED);
    cr_assert(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    struct ordo_record checked = head();
    cr_assert_eq(ordo_record_disrupt(link, &checked, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_open(&o, path), ORDO_E_DISRUPTED);
}

Test(record, the_directory_is_readable_at_any_umask, .init = make, .fini = drop)
{
    struct stat info;
    char run[80];
    umask(077);
    publish();
    (void)snprintf(run, sizeof run, "%s/run", directory);
    cr_assert(stat(run, &info) == 0 && (info.st_mode & 0777) == 0755);
    cr_assert(stat(path, &info) == 0 && (info.st_mode & 0777) == 0644);
}

Test(record, a_failure_leaves_the_old_record_unchanged, .init = make, .fini = drop)
{
    struct ordo o;
    char command[160];
    publish();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    /* A file cannot replace a directory. */
    (void)snprintf(command, sizeof command, "mkdir %s/taken", directory);
    cr_assert_eq(system(command), 0);
    char taken[80];
    (void)snprintf(taken, sizeof taken, "%s/taken", directory);
    cr_assert_neq(ordo_record_publish(taken, calibration, NULL, &error), ORDO_OK);
    cr_assert(strstr(error.text, "not a regular file"), "%s", error.text);
    (void)snprintf(taken, sizeof taken, "%s/none/such/boundary", directory);
    cr_assert_neq(ordo_record_publish(taken, calibration, NULL, &error), ORDO_OK);
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_VALID);
    ordo_close(&o);
    cr_assert_eq(files(), 1, "no other file remains in the directory");
}

/* A record that no program on this machine could open now does not replace the old record. */
Test(record, a_record_that_no_program_could_open_is_not_published, .init = make, .fini = drop)
{
    struct ordo o;
    publish();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    double tick_hz = calibration->tick_hz;
    calibration->tick_hz = 0;
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_MEASURE);
    cr_assert(strstr(error.text, "is not well-formed"), "%s", error.text);
    calibration->tick_hz = tick_hz;
    calibration->as_of_ticks -= (uint64_t)(2 * tick_hz); /* 2 s */
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_MEASURE);
    cr_assert(strstr(error.text, "has not run at the record's rate"), "%s", error.text);
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_VALID);
    ordo_close(&o);
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    ordo_close(&o);
    cr_assert_eq(files(), 1);
}

Test(record, a_record_of_another_layout_is_replaced, .init = make, .fini = drop)
{
    struct ordo o;
    uint32_t layout = 1;
    publish();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    int fd = open(path, O_RDWR);
    cr_assert_eq(pwrite(fd, &layout, sizeof layout, offsetof(struct ordo_record, layout)), sizeof layout);
    (void)close(fd);
    publish();
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_SUPERSEDED);
    cr_assert_eq(calibration->generation, 1);
    ordo_close(&o);
}

Test(record, a_superseded_record_is_marked_if_it_is_refuted, .init = make, .fini = drop)
{
    struct ordo o;
    char other[80];
    publish();
    struct ordo_record checked = head();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    (void)snprintf(other, sizeof other, "%s/old", directory);
    cr_assert_eq(link(path, other), 0);
    publish();
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_SUPERSEDED);
    cr_assert_eq(ordo_record_disrupt(other, &checked, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_DISRUPTED);
    cr_assert_eq(ordo_record_disrupt(path, &checked, &error), ORDO_E_SUPERSEDED);
    ordo_close(&o);
}

/* A publisher replaces a record while it is checked. The checker marks the file that it has checked, which no longer
 * has a name. */
Test(record, a_record_is_marked_even_if_replaced_during_its_check, .init = make, .fini = drop)
{
    struct ordo old, new;
    publish();
    struct ordo_record checked = head();
    int fd = ordo_record_reach(path);
    cr_assert_eq(ordo_open(&old, path), ORDO_OK);
    publish();
    cr_assert_eq(ordo_open(&new, path), ORDO_OK);
    cr_assert_eq(ordo_record_disrupt(path, &checked, &error), ORDO_E_SUPERSEDED,
                 "the name no longer leads to the checked record");
    cr_assert_eq(ordo_status(&old), ORDO_STATUS_SUPERSEDED);
    cr_assert_eq(ordo_record_disrupt_at(fd, path, &checked, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_status(&old), ORDO_STATUS_DISRUPTED);
    cr_assert_eq(ordo_status(&new), ORDO_STATUS_VALID);
    checked = head();
    cr_assert_eq(ordo_record_disrupt_at(fd, path, &checked, &error), ORDO_OK,
                 "the descriptor leads to another record: %s", error.text);
    cr_assert_eq(ordo_status(&new), ORDO_STATUS_DISRUPTED);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(ordo_record_disrupt(path, &checked, &error), ORDO_E_SUPERSEDED, "a removed record is no failure");
    (void)close(fd);
    ordo_close(&old);
    ordo_close(&new);
}

/* Makes a calibration of CPUs 0 to 2 with unknown offsets. */
static struct ordo_calibration *of_three(void)
{
    struct ordo_calibration *made = ordo_calibration_new(3);
    for (int i = 0; i < 9; i++) {
        made->cpus[i / 3] = (unsigned)i / 3;
        made->offset_ticks[i] = (struct ordo_interval){-INT64_MAX, INT64_MAX};
    }
    made->boundary_ticks = 321;
    made->tick_hz = calibration->tick_hz;
    return made;
}

/* Replaces the calibration of this machine by that of three CPUs. */
static void take_three(void)
{
    make();
    struct ordo_calibration *made = of_three();
    ordo_calibration_free(calibration);
    calibration = made;
}

static void prove(int a, int b, int64_t low, int64_t high)
{
    calibration->offset_ticks[a * calibration->count + b] = (struct ordo_interval){low, high};
    calibration->offset_ticks[b * calibration->count + a] = (struct ordo_interval){-high, -low};
}

/* Publishes a calibration with this interval for the offset of CPUs a and b. Returns the status that programs with the
 * old record open see. */
static int status_after(int a, int b, int64_t low, int64_t high)
{
    struct ordo o = {0};
    const void *bytes;
    size_t count;
    begin_now();
    calibration->boundary_ticks = 321;
    prove(a, b, -INT64_MAX, INT64_MAX);
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_record_map(path, &bytes, &count, &error), ORDO_OK, "%s", error.text);
    prove(a, b, low, high);
    calibration->boundary_ticks = 5000;
    calibration->warning_count = 0;
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_OK, "%s", error.text);
    o.record = bytes;
    int status = ordo_status(&o);
    (void)munmap((void *)(uintptr_t)bytes, count);
    prove(a, b, -INT64_MAX, INT64_MAX);
    return status;
}

Test(record, a_calibration_disrupts_a_refuted_record, .init = take_three, .fini = drop)
{
    cr_assert_eq(status_after(0, 2, 322, 4000), ORDO_STATUS_DISRUPTED);
    cr_assert(calibration->refuted.proved && calibration->refuted.ahead == 2 && calibration->refuted.behind == 0 &&
              calibration->refuted.ticks == 322);
    cr_assert(calibration->warning_count == 1 && strstr(calibration->warnings[0], "marked DISRUPTED") &&
                  strstr(calibration->warnings[0], "cpu 2 is ahead of that of cpu 0 by at least 322 ticks"),
              "%s", calibration->warnings[0]);
    cr_assert_eq(head().status, ORDO_RECORD_VALID, "the new record holds");
    cr_assert_eq(status_after(1, 2, -4000, -322), ORDO_STATUS_DISRUPTED);
    cr_assert(calibration->refuted.ahead == 1 && calibration->refuted.behind == 2);
    cr_assert_eq(status_after(0, 1, 321, 4000), ORDO_STATUS_SUPERSEDED,
                 "an offset that equals the boundary proves nothing");
    cr_assert_eq(status_after(0, 1, -4000, 4000), ORDO_STATUS_SUPERSEDED, "a wide interval proves nothing");
    cr_assert(!calibration->refuted.proved && calibration->warning_count == 0);
}

/* The record of the kernel's clock is compared with readings of the kernel's clock, in its unit. */
Test(record, a_record_of_the_kernels_clock_can_be_refuted, .init = take_three, .fini = drop)
{
    struct ordo_record_moment now;
    for (int round = 0; round < 2; round++) {
        cr_assert_eq(ordo_moment_take_by(ORDO_CLOCK_MONOTONIC, &now), 0);
        begin_now();
        calibration->clock = ORDO_CLOCK_MONOTONIC;
        calibration->tick_hz = 1e9;
        calibration->as_of_ticks = now.before_ticks;
        if (round == 1)
            prove(0, 1, 400, 500);
        cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_OK, "%s", error.text);
        cr_assert_eq(calibration->refuted.proved, round == 1);
    }
    cr_assert(strstr(calibration->warnings[0], "at least 400 ticks"), "%s", calibration->warnings[0]);
}

/* The old record stays marked, whether or not the new record is published. */
Test(record, a_disrupted_mark_stays_if_a_publication_fails, .init = take_three, .fini = drop)
{
    begin_now();
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_OK, "%s", error.text);
    prove(0, 1, 400, 500);
    unrenamed = path;
    begin_now();
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_SYSTEM);
    unrenamed = NULL;
    cr_assert_eq(head().status, ORDO_RECORD_DISRUPTED);
}

/* True if the record is DISRUPTED, and the error contains `reason` and reports the mark. */
static bool marked_although(const char *reason)
{
    return head().status == ORDO_RECORD_DISRUPTED && strstr(error.text, reason) &&
           strstr(error.text, "the present record is proved wrong, and marked");
}

/* The mark is written even if the new record cannot be published, because of the lock, a full disk, or a record that no
 * program could open. */
Test(record, a_disrupted_mark_is_written_even_if_publication_fails, .init = take_three, .fini = drop)
{
    char lock[80];
    (void)snprintf(lock, sizeof lock, "%s.lock", path);
    publish();
    prove(0, 1, 400, 500);
    cr_assert_eq(chmod(lock, 0644), 0);
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_SYSTEM);
    cr_assert(marked_although(".lock: is no file that only this user can open"), "%s", error.text);
    cr_assert(calibration->refuted.marked && calibration->refuted.generation == 1 && calibration->warning_count == 1);
    cr_assert_eq(unlink(lock), 0);
    publish();
    calibration->warning_count = 0;
    double tick_hz = calibration->tick_hz;
    calibration->tick_hz = 0;
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_MEASURE);
    cr_assert(marked_although("nothing is published"), "%s", error.text);
    calibration->tick_hz = tick_hz;
    publish();
    struct rlimit none = {0, RLIM_INFINITY};
    (void)signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_SYSTEM);
    cr_assert(marked_although("File too large"), "%s", error.text);
}

/* A record that this user may not write is checked as well, because programs have it open. Its generation continues in
 * the new record. */
Test(record, a_record_that_the_user_cannot_write_is_checked, .init = take_three, .fini = drop)
{
    char run[80];
    (void)snprintf(run, sizeof run, "%s/run", directory);
    publish();
    bool root = geteuid() == 0;
    cr_assert_eq(chmod(path, 0444) | chmod(directory, 0755), 0);
    if (root) {
        char lock[80];
        (void)snprintf(lock, sizeof lock, "%s.lock", path);
        cr_assert_eq(unlink(lock) | chown(path, 65534, (gid_t)-1) | chown(run, 65534, (gid_t)-1) | seteuid(65534), 0);
    }
    prove(0, 1, 400, 500);
    begin_now();
    int code = ordo_record_publish(path, calibration, NULL, &error);
    cr_assert_eq(root ? seteuid(0) : 0, 0);
    cr_assert_eq(code, ORDO_OK, "%s", error.text);
    cr_assert(calibration->refuted.proved && !calibration->refuted.marked && calibration->generation == 2);
    cr_assert(strstr(calibration->warnings[1], "generation 1 is proved wrong, and cannot be marked DISRUPTED"), "%s",
              calibration->warnings[1]);
    cr_assert_eq(calibration->warning_count, 2, "each warning is given once");
}

Test(record, a_disrupted_record_is_not_refuted_again, .init = take_three, .fini = drop)
{
    publish();
    struct ordo_record checked = head();
    cr_assert_eq(ordo_record_disrupt(path, &checked, &error), ORDO_OK);
    prove(0, 1, 400, 500);
    publish();
    cr_assert(!calibration->refuted.proved && calibration->warning_count == 0);
}

/* If a descriptor cannot be mapped, it may still be that of the record, so the caller must try again. */
Test(record, a_failure_to_mark_is_not_reported_as_superseded, .init = make, .fini = drop)
{
    const int closed = 1000;
    publish();
    struct ordo_record checked = head();
    publish();
    cr_assert_eq(ordo_record_disrupt_at(closed, path, &checked, &error), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "cannot be marked"), "%s", error.text);
    cr_assert_eq(ordo_record_disrupt_at(-1, path, &checked, &error), ORDO_E_SUPERSEDED);
    checked = head();
    cr_assert_eq(ordo_record_disrupt_at(closed, path, &checked, &error), ORDO_OK, "the name leads to the record");
}

/* Returns the view of a record of this calibration; the caller frees the bytes. */
static void *view_of(const struct ordo_calibration *of, struct ordo_record_view *view)
{
    void *bytes;
    size_t count;
    cr_assert_eq(ordo_record_build(of, &bytes, &count, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_record_parse(bytes, count, view), ORDO_OK);
    return bytes;
}

Test(record, a_calibration_refutes_only_comparable_records, .init = take_three, .fini = drop)
{
    struct ordo_record_view view;
    struct ordo_refutation refuted;
    calibration->generation = 1;
    begin_now();
    void *bytes = view_of(calibration, &view);
    const struct ordo_record head = view.head;
    prove(0, 2, 1000, 1100);
    cr_assert(ordo_calibration_refutes(calibration, &view, &refuted));
    view.head.clock++;
    cr_assert(!ordo_calibration_refutes(calibration, &view, &refuted), "a record of another clock is not refuted");
    view.head = head;
    view.head.boot_id[3]++;
    cr_assert(!ordo_calibration_refutes(calibration, &view, &refuted), "a record of another boot is not refuted");
    view.head = head;
    view.head.as_of_ns++;
    cr_assert(!ordo_calibration_refutes(calibration, &view, &refuted),
              "measurements from before the record do not refute it");
    calibration->seconds = 1;
    cr_assert(!ordo_calibration_refutes(calibration, &view, &refuted),
              "measurements partly from before the record do not refute it");
    calibration->seconds = 0;
    view.head = head;
    ((unsigned char *)(uintptr_t)view.cpus)[0] = 3;
    cr_assert(!ordo_calibration_refutes(calibration, &view, &refuted), "the record does not cover cpu 2");
    prove(0, 1, 322, 322);
    cr_assert(ordo_calibration_refutes(calibration, &view, &refuted) && refuted.ahead == 1);
    prove(0, 1, 0, 0);
    view.head.as_of_ticks -= (uint64_t)(2 * calibration->tick_hz);
    cr_assert(ordo_calibration_refutes(calibration, &view, &refuted) && refuted.ticks == 0, "the clock jumped");
    cr_assert(strstr(refuted.reason, "has not run at the record's rate"), "%s", refuted.reason);
    free(bytes);
}

/* Each message bounds the offset at its own moment. This holds even if a clock stepped later, so that no offset fits
 * all messages. */
Test(record, measurements_of_a_refused_calibration_can_refute_a_record, .init = take_three, .fini = drop)
{
    struct ordo_record_view view;
    struct ordo_refutation refuted;
    begin_now();
    calibration->generation = 1;
    void *bytes = view_of(calibration, &view);
    calibration->repeats = 2;
    calibration->visits = calloc(2 * 9, sizeof *calibration->visits);
    for (int i = 0; i < 2 * 9; i++)
        calibration->visits[i] = ordo_visit_plain(100, 100, 0, 0);
    cr_assert(!ordo_visits_refute(calibration, &view, &refuted));
    calibration->visits[9 + 1] = ordo_visit_plain(5000, -4800, 0, 0); /* cpu 1 is ahead of cpu 0 in the second sweep */
    cr_assert(ordo_visits_refute(calibration, &view, &refuted));
    cr_assert(refuted.ahead == 1 && refuted.behind == 0 && refuted.ticks == 4800);
    calibration->seconds = 5;
    calibration->as_of_ns -= 2000000000; /* as if another process had made the record between the two sweeps */
    cr_assert(!ordo_visits_refute(calibration, &view, &refuted), "a message from before the record does not refute it");
    view.head.as_of_ticks -= (uint64_t)(2 * calibration->tick_hz);
    cr_assert(ordo_visits_refute(calibration, &view, &refuted) && refuted.ticks == 0,
              "the record is refuted by its rate in this case");
    free(bytes);
}

static char moved[80], elsewhere[80];

/* Replaces the record's directory by a link to another directory, as another user might. */
static void divert(void)
{
    char run[80];
    before_flock = NULL;
    (void)snprintf(run, sizeof run, "%s/run", directory);
    cr_assert_eq(rename(run, moved), 0);
    cr_assert_eq(symlink(elsewhere, run), 0);
}

/* The path is resolved once, and the lock, the companion and the record are all written to this directory. */
Test(record, a_path_is_resolved_only_once, .init = make, .fini = drop)
{
    char name[100];
    struct stat info;
    publish();
    (void)snprintf(moved, sizeof moved, "%s/moved", directory);
    (void)snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", directory);
    cr_assert_eq(mkdir(elsewhere, 0755), 0);
    before_flock = divert;
    publish();
    cr_assert_eq(files(), 1);
    (void)snprintf(name, sizeof name, "%s/boundary", elsewhere);
    cr_assert_neq(stat(name, &info), 0, "a record was published in the other directory");
    (void)snprintf(path, sizeof path, "%.50s/boundary", moved);
    cr_assert_eq(head().generation, 2);
}

Test(record, a_directory_link_of_another_user_is_refused, .init = make, .fini = drop)
{
    char link[80], through[100];
    if (geteuid() != 0)
        cr_skip_test("only root can give a link away");
    publish();
    (void)snprintf(link, sizeof link, "%s/link", directory);
    (void)snprintf(through, sizeof through, "%s/boundary", link);
    cr_assert_eq(symlink("run", link), 0);
    cr_assert_eq(ordo_record_publish(through, calibration, NULL, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(lchown(link, 65534, 65534), 0);
    cr_assert_eq(ordo_record_publish(through, calibration, NULL, &error), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "is a link of another user (65534)"), "%s", error.text);
    cr_assert_eq(head().generation, 2);
}

/* A lock must be a file that only its owner can open. Otherwise, another user could hold the lock for ever. */
Test(record, a_lock_that_others_can_open_is_refused, .init = make, .fini = drop)
{
    char lock[80];
    struct stat info;
    publish();
    (void)snprintf(lock, sizeof lock, "%s.lock", path);
    cr_assert(stat(lock, &info) == 0 && (info.st_mode & 07777) == 0600);
    cr_assert_eq(chmod(lock, 0644), 0);
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, lock) && strstr(error.text, "mode 644") && strstr(error.text, "remove it"), "%s",
              error.text);
    cr_assert_eq(unlink(lock), 0);
    char other[80];
    (void)snprintf(other, sizeof other, "%s/other", directory);
    cr_assert_eq(ordo_file_replace(other, "", 0, 0600, &error), ORDO_OK);
    cr_assert_eq(symlink(other, lock), 0);
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_SYSTEM);
    cr_assert_eq(error.sys_errno, ELOOP, "%s", error.text);
    cr_assert_eq(unlink(lock), 0);
    cr_assert_eq(mkfifo(lock, 0600), 0);
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_SYSTEM);
    cr_assert_eq(unlink(lock), 0);
    publish();
}

/* A lock on a removed file does not exclude other processes, because they lock a new file. */
Test(record, a_lock_on_a_removed_file_does_not_count, .init = make, .fini = drop)
{
    char lock[80];
    struct stat info;
    publish();
    (void)snprintf(lock, sizeof lock, "%s.lock", path);
    lost_lock = lock;
    flocks = 0;
    publish();
    cr_assert_eq(flocks, 2);
    cr_assert_eq(stat(lock, &info), 0);
}

Test(record, a_lock_of_another_user_is_refused, .init = make, .fini = drop)
{
    char lock[80];
    if (geteuid() != 0)
        cr_skip_test("only root can give a file away");
    publish();
    (void)snprintf(lock, sizeof lock, "%s.lock", path);
    cr_assert_eq(chown(lock, 65534, 65534), 0);
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, lock) && strstr(error.text, "owner 65534"), "%s", error.text);
}

/* Marks the record while a publisher holds the lock. */
Test(record, marking_needs_no_lock, .init = make, .fini = drop, .timeout = 5)
{
    struct ordo o;
    char lock[80];
    publish();
    struct ordo_record checked = head();
    (void)snprintf(lock, sizeof lock, "%s.lock", path);
    int fd = open(lock, O_RDWR);
    cr_assert(fd >= 0 && flock(fd, LOCK_EX) == 0);
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    cr_assert_eq(ordo_record_disrupt(path, &checked, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_DISRUPTED);
    ordo_close(&o);
}

/* A publisher that waits for the lock soon reports it, and names the holder, so that it does not seem to hang. */
Test(record, publishing_waits_for_the_lock_and_gives_up, .init = make, .fini = drop, .timeout = 30)
{
    char lock[80];
    publish();
    (void)snprintf(lock, sizeof lock, "%s.lock", path);
    int fd = open(lock, O_RDWR);
    cr_assert(fd >= 0 && flock(fd, LOCK_EX) == 0);
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, lock) && strstr(error.text, "has held it for 5 s"), "%s", error.text);
    cr_assert_eq(head().status, ORDO_RECORD_VALID);
    (void)close(fd);
    publish();
}

static int render(const struct ordo_calibration *of, const char *name, char **text, size_t *bytes,
                  struct ordo_error *why)
{
    if (of->margin_ticks == 1)
        return ordo_error_set(why, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", name);
    *bytes = (size_t)asprintf(text, "generation %llu", (unsigned long long)of->generation);
    return ORDO_OK;
}

Test(record, the_record_and_its_companion_appear_together, .init = make, .fini = drop)
{
    char beside[80], text[40] = "";
    struct ordo_record_companion companion = {beside, render};
    (void)snprintf(beside, sizeof beside, "%s.json", path);
    publish();
    begin_now();
    calibration->granule_ticks = calibration->margin_ticks = 1;
    cr_assert_eq(ordo_record_publish(path, calibration, &companion, &error), ORDO_E_SYSTEM);
    cr_assert(head().generation == 1 && head().status == ORDO_RECORD_VALID && files() == 1);
    calibration->margin_ticks = 2;
    cr_assert_eq(ordo_record_publish(path, calibration, &companion, &error), ORDO_OK, "%s", error.text);
    cr_assert_gt(ordo_record_read_text(beside, text, sizeof text), 0);
    cr_assert_str_eq(text, "generation 2");
    cr_assert_eq(files(), 2);
    /* A companion that cannot be renamed is an error after the record has been published; the error says that it was
     * published. */
    unrenamed = beside;
    begin_now();
    cr_assert_eq(ordo_record_publish(path, calibration, &companion, &error), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "the record was published (generation 3)"), "%s", error.text);
    cr_assert(head().generation == 3 && files() == 2);
    unrenamed = NULL;
    /* A directory with the companion's name is an error before the record is published. */
    cr_assert(unlink(beside) == 0 && mkdir(beside, 0755) == 0);
    begin_now();
    cr_assert_eq(ordo_record_publish(path, calibration, &companion, &error), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "not a regular file"), "%s", error.text);
    cr_assert(head().generation == 3 && files() == 1);
}

/* No companion is written for a record that no program can open. */
Test(record, a_companion_does_not_appear_alone, .init = make, .fini = drop)
{
    char beside[80], text[40] = "";
    struct ordo_record_companion companion = {beside, render};
    (void)snprintf(beside, sizeof beside, "%s.json", path);
    begin_now();
    cr_assert_eq(ordo_record_publish(path, calibration, &companion, &error), ORDO_OK, "%s", error.text);
    unrenamed = path;
    begin_now();
    cr_assert_eq(ordo_record_publish(path, calibration, &companion, &error), ORDO_E_SYSTEM);
    unrenamed = NULL;
    cr_assert_gt(ordo_record_read_text(beside, text, sizeof text), 0);
    cr_assert_str_eq(text, "generation 1");
    cr_assert_eq(files(), 2);
}

/* A killed publisher leaves its staged file behind. The next publisher removes this file, and no other. */
Test(record, the_files_of_a_killed_publisher_are_removed, .init = make, .fini = drop)
{
    struct ordo_staged_file staged;
    char others[100];
    publish();
    cr_assert_eq(ordo_file_stage(&staged, path, "half", 4, 0644, &error), ORDO_OK);
    (void)snprintf(others, sizeof others, "%s.backup", path);
    cr_assert_eq(ordo_file_replace(others, "mine", 4, 0644, &error), ORDO_OK);
    cr_assert_eq(files(), 3);
    publish();
    cr_assert_eq(files(), 2);
    cr_assert_eq(access(others, F_OK), 0);
    cr_assert_eq(ordo_file_finish(&staged, false, &error),
                 ORDO_OK); /* the publisher of this file was not killed, so its file had to stay */
}

static void touch(const char *format)
{
    char name[100];
    (void)snprintf(name, sizeof name, format, directory);
    cr_assert_eq(ordo_file_replace(name, "mine", 4, 0644, &error), ORDO_OK, "%s", error.text);
}

Test(record, a_file_with_a_similar_name_stays, .init = make, .fini = drop)
{
    char name[100];
    publish();
    touch("%s/run/boundary.staged-abcdef");
    publish();
    cr_assert_eq(files(), 1);
    touch("%s/run/boundarx.staged-abcdef");
    touch("%s/run/boundary.staged-abcdefg");
    touch("%s/run/boundary.staged-abcde");
    touch("%s/run/boundary.stages-abcdef");
    (void)snprintf(name, sizeof name, "%s.staged-fedcba", path);
    cr_assert_eq(mkfifo(name, 0600), 0);
    publish();
    cr_assert_eq(files(), 5);
    cr_assert_eq(access(name, F_OK), 0, "a file of another kind stays");
    if (geteuid() != 0)
        return;
    touch("%s/run/boundary.staged-123456");
    (void)snprintf(name, sizeof name, "%s.staged-123456", path);
    cr_assert_eq(chown(name, 65534, 65534), 0);
    publish();
    cr_assert_eq(access(name, F_OK), 0, "a file of another user stays");
}

/* Simulates a disk that becomes full while the library publishes. */
Test(record, a_full_disk_leaves_the_file_unchanged, .init = make, .fini = drop)
{
    char text[200], much[4096];
    char name[80];
    struct rlimit limit = {100, RLIM_INFINITY};
    publish();
    memset(much, 'x', sizeof much);
    (void)snprintf(name, sizeof name, "%s/run/text", directory);
    cr_assert_eq(ordo_file_replace(name, "before", 6, 0640, &error), ORDO_OK);
    (void)signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert_eq(ordo_file_replace(name, much, sizeof much, 0644, &error), ORDO_E_SYSTEM);
    cr_assert(error.sys_errno == EFBIG && strstr(error.text, name), "%s", error.text);
    limit.rlim_cur = RLIM_INFINITY;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert_eq(ordo_record_read_text(name, text, sizeof text), 6);
    cr_assert_eq(files(), 2, "no other file remains in the directory");
    struct stat info;
    (void)umask(077);
    cr_assert_eq(ordo_file_replace(name, "after", 5, 0644, &error), ORDO_OK);
    cr_assert(stat(name, &info) == 0 && (info.st_mode & 07777) == 0640, "as it was");
    cr_assert_eq(unlink(name), 0);
    cr_assert_eq(ordo_file_replace(name, "anew", 4, 0644, &error), ORDO_OK);
    cr_assert(stat(name, &info) == 0 && (info.st_mode & 07777) == 0644, "the mode does not depend on the umask");
}

Test(record, an_impossible_path_is_refused_in_advance, .init = make, .fini = drop)
{
    char name[5000];
    (void)snprintf(name, sizeof name, "%s/absent/file", directory);
    cr_assert_eq(ordo_file_prepare(name, false, &error), ORDO_E_SYSTEM);
    cr_assert(error.sys_errno == ENOENT && strstr(error.text, "absent"), "%s", error.text);
    cr_assert_eq(ordo_file_prepare(name, true, &error), ORDO_OK);
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cr_assert_eq(ordo_file_prepare(name, false, &error), ORDO_E_SYSTEM);
    cr_assert(error.sys_errno == ENAMETOOLONG && strstr(error.text, "the path is too long"), "%s", error.text);
}

static volatile sig_atomic_t delivered;

static void deliver(int signal_number)
{
    delivered = signal_number;
}

Test(record, signals_wait_for_the_removal_of_the_staged_file, .init = make, .fini = drop)
{
    struct ordo_staged_file staged;
    publish();
    (void)signal(SIGTERM, deliver);
    cr_assert_eq(ordo_file_stage(&staged, path, "half", 4, 0644, &error), ORDO_OK);
    cr_assert_eq(kill(getpid(), SIGTERM), 0);
    cr_assert(!delivered && files() == 2);
    cr_assert_eq(ordo_file_finish(&staged, false, &error), ORDO_OK);
    cr_assert(delivered && files() == 1);
}

Test(record, a_directory_writable_by_others_causes_a_warning, .init = make, .fini = drop)
{
    char run[80];
    publish();
    cr_assert_eq(calibration->warning_count, 0);
    (void)snprintf(run, sizeof run, "%s/run", directory);
    cr_assert_eq(chmod(run, 0777), 0);
    publish();
    cr_assert_eq(calibration->warning_count, 1);
    cr_assert(strstr(calibration->warnings[0], run) && strstr(calibration->warnings[0], "chmod go-w"));
    cr_assert_eq(chmod(run, 01777), 0);
    publish();
    cr_assert_eq(calibration->warning_count, 1, "with the sticky bit no other user can replace the record");
    if (geteuid() != 0 || chown(run, 65534, (gid_t)-1) != 0)
        return;
    publish();
    cr_assert(strstr(calibration->warnings[1], "its owner (65534) may replace the record"), "%s",
              calibration->warnings[1]);
}

/* ---- the rate ---- */

enum { DAY_S = 86400 };

/* Returns the readings of correct clocks a day after the record was made. */
static struct ordo_record_moment a_day_later(const struct ordo_record *record)
{
    struct ordo_record_moment now = {
        .before_ticks = record->as_of_ticks + DAY_S * record->tick_hz,
        .uptime_ns = (int64_t)record->as_of_ns + DAY_S * INT64_C(1000000000),
        .raw_ns = (int64_t)record->as_of_raw_ns + DAY_S * INT64_C(1000000000),
        .suspended_low_ns = (int64_t)record->suspended_ns,
        .suspended_high_ns = (int64_t)record->suspended_ns + 100,
    };
    now.after_ticks = now.before_ticks;
    return now;
}

static struct ordo_record a_record(void)
{
    return (struct ordo_record){.as_of_ns = UINT64_C(100000000000),
                                .as_of_raw_ns = UINT64_C(90000000000),
                                .as_of_ticks = UINT64_C(200000000000),
                                .suspended_ns = UINT64_C(7000000000),
                                .tick_hz = UINT64_C(2500000000),
                                .boundary_ticks = 250};
}

/* The tolerance is 20 ms plus 1 ppm of the time since the rate was last found right; 1 ppm of a day is 86.4 ms. */
Test(rate, a_jump_is_noticed_within_a_day)
{
    struct ordo_record record = a_record();
    const int64_t per_ms = 2500000;
    struct ordo_record_moment right = a_day_later(&record);
    cr_assert(ordo_record_check_rate(&record, &right));
    for (int sign = -1; sign <= 1; sign += 2) {
        struct ordo_record_moment now = right;
        now.before_ticks = now.after_ticks = right.before_ticks + (uint64_t)(sign * 105 * per_ms);
        cr_assert(ordo_record_check_rate(&record, &now));
        now.before_ticks = now.after_ticks = right.before_ticks + (uint64_t)(sign * 108 * per_ms);
        cr_assert(!ordo_record_check_rate(&record, &now));
        record.seen = (uint64_t)(DAY_S - 3600) << 32; /* a check an hour ago found no gain */
        now.before_ticks = now.after_ticks = right.before_ticks + (uint64_t)(sign * 23 * per_ms);
        cr_assert(ordo_record_check_rate(&record, &now));
        now.before_ticks = now.after_ticks = right.before_ticks + (uint64_t)(sign * 25 * per_ms);
        cr_assert(!ordo_record_check_rate(&record, &now));
        record.seen = 0;
    }
}

/* Time servers slew CLOCK_BOOTTIME. The clock is therefore compared with CLOCK_MONOTONIC_RAW, which no server slews. */
Test(rate, a_slew_of_the_kernels_time_is_tolerated)
{
    struct ordo_record record = a_record();
    struct ordo_record_moment now = a_day_later(&record);
    now.uptime_ns += 300000000;
    now.suspended_low_ns += 100;
    cr_assert(ordo_record_check_rate(&record, &now));
    now.raw_ns = -1; /* with /proc/uptime alone, the tolerance includes the largest slew of chronyd */
    now.uptime_ns += 700000000;
    cr_assert(ordo_record_check_rate(&record, &now));
    now.before_ticks -= UINT64_C(90) * record.tick_hz;
    now.after_ticks = now.before_ticks;
    cr_assert(!ordo_record_check_rate(&record, &now));
}

Test(rate, every_suspend_is_noticed)
{
    struct ordo_record record = a_record();
    struct ordo_record_moment now = a_day_later(&record);
    cr_assert(!ordo_record_was_suspended(&record, &now));
    now.suspended_low_ns =
        (int64_t)record.suspended_ns - 5000000; /* as if the thread had lost its CPU between the readings */
    now.suspended_high_ns = (int64_t)record.suspended_ns + 5000000;
    cr_assert(!ordo_record_was_suspended(&record, &now));
    now.suspended_low_ns = (int64_t)record.suspended_ns + 1000000;
    cr_assert(!ordo_record_was_suspended(&record, &now));
    now.suspended_low_ns++;
    cr_assert(ordo_record_was_suspended(&record, &now));
}

/* The tolerance includes the boundary of 100 ns, the width of the reading of 1 us, and the rounding of the rate, which
 * is 34,560 ns in a day. */
Test(rate, the_tolerance_of_the_rate_is_exact_to_the_nanosecond)
{
    enum { LOOK_TICKS = 2500 };
    const int64_t allowed_ns = 20000000 + DAY_S * INT64_C(1000) + 34560 + 100 + 1000;
    struct ordo_record record = a_record();
    for (int64_t sign = -1; sign <= 1; sign += 2)
        for (int64_t beyond = 0; beyond < 2; beyond++) {
            struct ordo_record_moment now = a_day_later(&record);
            int64_t ticks = sign * (allowed_ns + 2 * beyond) * 5 / 2;
            now.before_ticks += (uint64_t)ticks;
            now.after_ticks = now.before_ticks + LOOK_TICKS;
            cr_expect_eq(ordo_record_check_rate(&record, &now), !beyond, "%lld ticks", (long long)ticks);
        }
}

/* If there is only /proc/uptime, it is rounded down to 10 ms, and time servers slew it. */
Test(rate, a_rate_measured_by_uptime_has_a_larger_tolerance)
{
    const int64_t allowed_ns = 1000000000 + DAY_S * INT64_C(1000000) + 100;
    struct ordo_record record = a_record();
    if (ORDO_CLOCK_ID == ORDO_CLOCK_MONOTONIC)
        cr_skip_test("the clock itself is steered");
    for (int64_t beyond = 0; beyond < 2; beyond++) {
        struct ordo_record_moment now = a_day_later(&record);
        now.raw_ns = -1;
        now.before_ticks += (uint64_t)((allowed_ns + 2 * beyond) * 5 / 2);
        now.after_ticks = now.before_ticks;
        cr_expect_eq(ordo_record_check_rate(&record, &now), !beyond);
    }
    for (int64_t late_ns = 9999999; late_ns <= 10000000; late_ns++) {
        struct ordo_record_moment now = {.before_ticks = record.as_of_ticks,
                                         .after_ticks = record.as_of_ticks,
                                         .uptime_ns = (int64_t)record.as_of_ns - late_ns,
                                         .raw_ns = -1};
        cr_expect_eq(ordo_record_check_rate(&record, &now), late_ns < 10000000);
        now.suspended_low_ns = now.suspended_high_ns = INT64_MAX / 2;
        cr_expect(!ordo_record_was_suspended(&record, &now), "the suspension cannot be known on that clock");
    }
}

/* A check records the gain up to now. Later, only a gain since the last check counts. */
Test(record, only_rate_errors_since_the_last_check_count, .init = make, .fini = drop)
{
    publish();
    struct ordo_record record = head();
    cr_assert_eq(record.seen, 0);
    struct ordo_record_moment now = a_day_later(&record);
    now.before_ticks -= record.tick_hz / 20; /* the clock is 50 ms behind after a day */
    now.after_ticks = now.before_ticks;
    cr_assert(ordo_record_check_rate(&record, &now));
    cr_assert_eq(ordo_record_refresh(path, &record, &now, &error), ORDO_OK, "%s", error.text);
    struct ordo_record seen = head();
    cr_assert_eq(seen.seen >> 32, DAY_S);
    cr_assert_eq((int32_t)(uint32_t)seen.seen, -50000000 / ORDO_RECORD_SEEN_NS);
    cr_assert(ordo_record_check_rate(&seen, &now));
    now.before_ticks = now.after_ticks += record.tick_hz / 20; /* the clock is right again, after a jump of 50 ms */
    cr_assert(!ordo_record_check_rate(&seen, &now));
    cr_assert(ordo_record_check_rate(&record, &now));
    record.generation++;
    cr_assert_eq(ordo_record_refresh(path, &record, &now, &error), ORDO_E_SUPERSEDED);
}

/* If a moment does not fit into the word `seen`, the word does not change. */
Test(record, a_check_outside_the_storable_range_is_not_recorded, .init = make, .fini = drop)
{
    publish();
    struct ordo_record record = head();
    struct ordo_record_moment now = a_day_later(&record);
    cr_assert_eq(ordo_record_refresh(path, &record, &now, &error), ORDO_OK);
    uint64_t seen = head().seen;
    static const int64_t shifts_s[][2] = {{INT64_C(1) << 33, 0}, {-2 * DAY_S, 0}, {0, -DAY_S}, {0, 100 * DAY_S}};
    for (size_t i = 0; i < sizeof shifts_s / sizeof *shifts_s; i++) {
        now = a_day_later(&record);
        now.raw_ns += shifts_s[i][0] * 1000000000;
        now.uptime_ns = now.raw_ns;
        now.before_ticks += (uint64_t)(shifts_s[i][0] + shifts_s[i][1]) * record.tick_hz; /* modulo 2^64 */
        cr_expect_eq(ordo_record_refresh(path, &record, &now, &error), ORDO_OK);
        cr_expect_eq(head().seen, seen, "%zu: %llx", i, (unsigned long long)head().seen);
    }
}

/* Of a record of another layout only the layout is known. The word at the position of the generation may mean
 * anything. */
Test(record, a_record_of_another_layout_is_not_marked, .init = make, .fini = drop)
{
    publish();
    struct ordo_record checked = head();
    const uint32_t layout = ORDO_RECORD_LAYOUT + 1;
    int fd = open(path, O_RDWR);
    cr_assert(fd >= 0 && pwrite(fd, &layout, sizeof layout, offsetof(struct ordo_record, layout)) == sizeof layout);
    (void)close(fd);
    cr_expect_eq(ordo_record_disrupt(path, &checked, &error), ORDO_E_SUPERSEDED);
    cr_expect_eq(head().status, ORDO_RECORD_VALID);
}

Test(record, a_failed_rename_leaves_the_old_record_valid, .init = make, .fini = drop)
{
    struct ordo o;
    publish();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    rename_fails = true;
    begin_now();
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_SYSTEM);
    rename_fails = false;
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_VALID);
    ordo_close(&o);
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    ordo_close(&o);
    cr_assert_eq(files(), 1, "no other file remains in the directory");
}

/* Two records of one path are never valid at the same time. */
Test(record, the_old_record_is_marked_before_the_new_one_appears, .init = make, .fini = drop)
{
    struct ordo o;
    publish();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    status_to_see = &o.record->status;
    publish();
    cr_assert_eq(seen_status, ORDO_RECORD_SUPERSEDED);
    status_to_see = NULL;
    ordo_close(&o);
}

static void disrupt_it(void)
{
    struct ordo_record checked = head();
    cr_assert_eq(ordo_record_disrupt(path, &checked, &error), ORDO_OK, "%s", error.text);
}

/* S2: a disrupted record stays disrupted after a publication, whether it succeeds or fails. */
Test(record, no_publication_clears_a_disruption, .init = make, .fini = drop)
{
    struct ordo o;
    publish();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    before_rename = disrupt_it;
    rename_fails = true;
    begin_now();
    cr_assert_eq(ordo_record_publish(path, calibration, NULL, &error), ORDO_E_SYSTEM);
    before_rename = NULL;
    rename_fails = false;
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_DISRUPTED);
    publish();
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_DISRUPTED);
    ordo_close(&o);
}

/* Publishes a record with this class of trust, forced or not. */
static void publish_trusted(int trust, bool forced)
{
    calibration->trust = trust;
    calibration->forced = forced;
    publish();
}

Test(record, a_handle_states_the_trust_in_its_clock, .init = make, .fini = drop)
{
    struct ordo o, vouched;
    const int classes[] = {ORDO_TRUST_VOUCHED, ORDO_TRUST_MEASURED, ORDO_TRUST_FAULTED, ORDO_TRUST_INCAPABLE};
    for (int i = 0; i < 4; i++) {
        publish_trusted(classes[i], classes[i] > ORDO_TRUST_MEASURED);
        cr_assert_eq(ordo_open(&o, path), ORDO_OK);
        cr_assert_eq(ordo_trust(&o), classes[i]);
        int code = ordo_open_vouched(&vouched, path, &error);
        cr_assert_eq(code, classes[i] == ORDO_TRUST_VOUCHED ? ORDO_OK : ORDO_E_TRUST);
        cr_assert(!code || strstr(error.text, ordo_trust_word(classes[i])), "%s", error.text);
        cr_assert(!code || ordo_boundary(&vouched) == UINT64_MAX, "a refused handle orders nothing");
        ordo_close(&vouched);
        ordo_close(&o);
    }
    cr_assert_eq(ordo_trust(&o), ORDO_TRUST_NONE);
}

Test(record, an_untrusted_clock_is_recorded_only_by_force, .init = make, .fini = drop)
{
    struct ordo_record_view view;
    void *bytes;
    size_t count;
    for (int trust = ORDO_TRUST_FAULTED; trust <= ORDO_TRUST_INCAPABLE; trust++) {
        calibration->trust = trust;
        calibration->forced = false;
        cr_assert_eq(ordo_record_build(calibration, &bytes, &count, &error), ORDO_OK);
        cr_assert_eq(ordo_record_parse(bytes, count, &view), ORDO_E_MALFORMED);
        free(bytes);
    }
}

/* Checks the fields of the head that a reader, `ordo show` or `ordo check` uses. */
Test(record, the_head_of_a_record_describes_the_measurement, .init = make, .fini = drop)
{
    struct ordo_record_view view;
    void *bytes;
    size_t count;
    calibration->coarse = calibration->forced = calibration->parallel = true;
    calibration->trust = ORDO_TRUST_FAULTED;
    calibration->granule_ticks = 11;
    calibration->margin_ticks = 12;
    calibration->runs = 13;
    calibration->repeats = 14;
    calibration->drift_min_ppb = -15;
    calibration->drift_max_ppb = 16;
    calibration->tick_hz = 2500000000.6;
    cr_assert_eq(ordo_record_build(calibration, &bytes, &count, &error), ORDO_OK);
    cr_assert_eq(ordo_record_parse(bytes, count, &view), ORDO_OK);
    cr_assert_eq(view.head.flags, ORDO_FLAG_HYPERVISOR | ORDO_FLAG_COARSE | ORDO_FLAG_FORCED | ORDO_FLAG_FAULTED);
    cr_assert_eq(view.head.method, ORDO_METHOD_TOURNAMENT);
    cr_assert_eq(view.head.tick_hz, 2500000001u, "rounded");
    cr_assert(view.head.granule_ticks == 11 && view.head.margin_ticks == 12 && view.head.runs == 13);
    cr_assert(view.head.repeats == 14 && view.head.drift_min_ppb == -15 && view.head.drift_max_ppb == 16);
    cr_assert(view.head.as_of_ns == calibration->as_of_ns && view.head.as_of_ticks == calibration->as_of_ticks);
    cr_assert_eq(view.head.void_after_ns, calibration->void_after_ns);
    free(bytes);
    calibration->coarse = calibration->forced = calibration->parallel = calibration->hypervisor = false;
    calibration->trust = ORDO_TRUST_VOUCHED;
    cr_assert_eq(ordo_record_build(calibration, &bytes, &count, &error), ORDO_OK);
    cr_assert_eq(ordo_record_parse(bytes, count, &view), ORDO_OK);
    cr_assert(view.head.flags == 0 && view.head.method == ORDO_METHOD_SERIAL);
    free(bytes);
}

Test(record, a_missing_cpu_with_a_high_number_is_found)
{
    static unsigned char bytes[8193];
    struct ordo_record_view view = {.cpus = bytes, .cpus_bytes = sizeof bytes};
    for (another_cpu = 1; another_cpu < 65536; another_cpu = another_cpu * 3 + 1) {
        char name[24];
        (void)snprintf(name, sizeof name, "cpu %lu: ", another_cpu);
        cr_expect_eq(ordo_record_check_cpus(&view, &error), ORDO_E_CPUS);
        cr_expect_eq(strncmp(error.text, name, strlen(name)), 0, "%s", error.text);
        bytes[another_cpu / 8] |= (unsigned char)(1u << another_cpu % 8);
        cr_expect_eq(ordo_record_check_cpus(&view, &error), ORDO_OK);
    }
}

Test(record, a_time_namespace_adds_seconds_and_nanoseconds)
{
    static const char offsets[] = "monotonic         86400       500\nboottime           -2 250000000\n";
    cr_expect_eq(ordo_record_namespace_ns(offsets, "monotonic"), INT64_C(86400000000500));
    cr_expect_eq(ordo_record_namespace_ns(offsets, "boottime"), INT64_C(-1750000000));
    cr_expect_eq(ordo_record_namespace_ns("", "boottime"), 0);
}

Test(record, a_text_that_does_not_fit_is_refused, .init = make, .fini = drop)
{
    char name[80], text[10];
    (void)snprintf(name, sizeof name, "%s/text", directory);
    cr_assert_eq(ordo_file_replace(name, "12345678", 8, 0644, &error), ORDO_OK);
    cr_expect_eq(ordo_record_read_text(name, text, 10), 8);
    cr_expect_str_eq(text, "12345678");
    cr_expect(ordo_record_read_text(name, text, 9) == -1 && errno == EOVERFLOW);
    cr_expect(ordo_record_read_text(name, text, 5) == -1 && errno == EOVERFLOW);
}

Test(record, a_record_can_cover_high_cpu_numbers, .init = make, .fini = drop)
{
    struct ordo_record_view view;
    void *bytes;
    size_t count;
    calibration->cpus[calibration->count - 1] = 1023;
    cr_assert_eq(ordo_record_build(calibration, &bytes, &count, &error), ORDO_OK);
    cr_assert_eq(ordo_record_parse(bytes, count, &view), ORDO_OK);
    cr_assert(ordo_record_covers(&view, 1023) && !ordo_record_covers(&view, 1022) && !ordo_record_covers(&view, 1024));
    cr_assert_eq(view.machine_bytes, strlen("a machine"));
    free(bytes);
}

Test(record, every_refusal_and_its_remedy_fit_in_the_message)
{
    char name[200];
    memset(name, 'p', sizeof name - 1);
    name[sizeof name - 1] = 0;
    for (int code = ORDO_E_MISSING; code >= ORDO_E_CANCELLED; code--) {
        if (code == ORDO_E_SYSTEM)
            continue;
        cr_assert_eq(ordo_record_refuse(&error, code, 0, name), code);
        cr_assert(strstr(error.text, ordo_strerror(code)), "%s", error.text);
        cr_assert_neq(strcmp(ordo_strerror(code), "unknown code"), 0);
    }
}

Test(record, the_checksum_is_crc_64_xz)
{
    /* CRC-64/XZ of "123456789", from the catalogue of CRC algorithms. */
    cr_assert_eq(ordo_record_checksum((const unsigned char *)"123456789", 9), 0x995dc9bbdf1939faull);
}
