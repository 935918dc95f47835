/* Publishing: what is written can be opened, replaced, disrupted, and never comes out half. */
#include <criterion/criterion.h>
#include <errno.h>
#include <ordo/ordo.h>

#include "base/file.h"
#include "record/publish.h"
#include "topology/topology.h"

static char directory[] = "/tmp/ordo-record-XXXXXX", path[64];
static struct ordo_calibration *calibration;
static struct ordo_error error;

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
    calibration->tick_hz = 2.5e9;
    calibration->hypervisor = true;
    calibration->as_of_ns = (uint64_t)ordo_record_uptime_ns();
    calibration->void_after_ns = calibration->as_of_ns + 3600000000000u;
    calibration->as_of_ticks = ordo_clock_read();
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

int __real_rename(const char *from, const char *to);

/* CMakeLists.txt puts it in the place of the library's. */
int __wrap_rename(const char *from, const char *to)
{
    errno = EIO;
    return rename_fails ? -1 : __real_rename(from, to);
}

static void publish(void)
{
    cr_assert_eq(ordo_record_publish(path, calibration, &error), ORDO_OK, "%s", error.text);
}

Test(record, what_is_published_can_be_opened, .init = make, .fini = drop)
{
    struct ordo o;
    publish();
    cr_assert_eq(ordo_open_error(&o, path, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_boundary(&o), 321);
    cr_assert_eq(ordo_flags(&o), ORDO_FLAG_HYPERVISOR);
    cr_assert_eq(ordo_tick_hz(&o), 2500000000u);
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_VALID);
    ordo_close(&o);
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_CLOSED);
}

Test(record, a_new_one_supersedes_the_old_and_counts_on, .init = make, .fini = drop)
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

Test(record, a_disrupted_one_is_seen_at_once_and_refused, .init = make, .fini = drop)
{
    struct ordo o;
    ordo_time now, out;
    publish();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    now = ordo_get_time(&o);
    cr_assert_eq(ordo_record_disrupt(path, calibration->generation + 1, &error), ORDO_E_SUPERSEDED, "not that one");
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_VALID);
    cr_assert_eq(ordo_record_disrupt(path, calibration->generation, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_DISRUPTED);
    cr_assert_eq(ordo_try_new_time(&o, now, &out), ORDO_E_DISRUPTED);
    ordo_close(&o);
    cr_assert_eq(ordo_open(&o, path), ORDO_E_DISRUPTED);
    cr_assert_eq(ordo_cmp_time(&o, ordo_time_add(now, 1u << 30), now), 0, "a refused handle orders nothing");
    publish();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    ordo_close(&o);
}

Test(record, a_link_is_followed_not_replaced, .init = make, .fini = drop)
{
    struct ordo o;
    struct stat info;
    char link[80];
    (void)snprintf(link, sizeof link, "%s/link", directory);
    publish();
    cr_assert_eq(symlink(path, link), 0);
    cr_assert_eq(ordo_open(&o, link), ORDO_OK);
    cr_assert_eq(ordo_record_publish(link, calibration, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(calibration->generation, 2);
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_SUPERSEDED);
    cr_assert(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    cr_assert_eq(ordo_record_disrupt(link, 2, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_open(&o, path), ORDO_E_DISRUPTED);
}

Test(record, the_directory_is_open_to_readers_whatever_the_umask, .init = make, .fini = drop)
{
    struct stat info;
    char run[80];
    umask(077);
    publish();
    (void)snprintf(run, sizeof run, "%s/run", directory);
    cr_assert(stat(run, &info) == 0 && (info.st_mode & 0777) == 0755);
    cr_assert(stat(path, &info) == 0 && (info.st_mode & 0777) == 0644);
}

Test(record, failure_leaves_the_old_one_as_it_was, .init = make, .fini = drop)
{
    struct ordo o;
    char command[160];
    publish();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    /* A directory of that name cannot be replaced by a file. */
    (void)snprintf(command, sizeof command, "mkdir %s/taken", directory);
    cr_assert_eq(system(command), 0);
    char taken[80];
    (void)snprintf(taken, sizeof taken, "%s/taken", directory);
    cr_assert_neq(ordo_record_publish(taken, calibration, &error), ORDO_OK);
    cr_assert(strstr(error.text, "not a regular file"), "%s", error.text);
    (void)snprintf(taken, sizeof taken, "%s/none/such/boundary", directory);
    cr_assert_neq(ordo_record_publish(taken, calibration, &error), ORDO_OK);
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_VALID);
    ordo_close(&o);
    (void)snprintf(command, sizeof command, "test $(find %s -type f | wc -l) = 1", directory);
    cr_assert_eq(system(command), 0, "nothing is left beside it");
}

Test(record, a_rename_that_fails_leaves_the_old_one_valid, .init = make, .fini = drop)
{
    struct ordo o;
    char command[160];
    publish();
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    rename_fails = true;
    cr_assert_eq(ordo_record_publish(path, calibration, &error), ORDO_E_SYSTEM);
    rename_fails = false;
    cr_assert_eq(ordo_status(&o), ORDO_STATUS_VALID);
    ordo_close(&o);
    cr_assert_eq(ordo_open(&o, path), ORDO_OK);
    ordo_close(&o);
    (void)snprintf(command, sizeof command, "test $(find %s -name 'boundary?*' | wc -l) = 0", directory);
    cr_assert_eq(system(command), 0, "nothing is left beside it");
}

/* Each of these is read by somebody: the reader, `ordo show` or `ordo check`. */
Test(record, the_head_says_what_was_measured, .init = make, .fini = drop)
{
    struct ordo_record_view view;
    void *bytes;
    size_t count;
    calibration->coarse = calibration->forced = calibration->parallel = true;
    calibration->granule_ticks = 11;
    calibration->margin_ticks = 12;
    calibration->runs = 13;
    calibration->repeats = 14;
    calibration->drift_min_ppb = -15;
    calibration->drift_max_ppb = 16;
    cr_assert_eq(ordo_record_build(calibration, &bytes, &count, &error), ORDO_OK);
    cr_assert_eq(ordo_record_parse(bytes, count, &view), ORDO_OK);
    cr_assert_eq(view.head.flags, ORDO_FLAG_HYPERVISOR | ORDO_FLAG_COARSE | ORDO_FLAG_FORCED);
    cr_assert_eq(view.head.method, ORDO_METHOD_TOURNAMENT);
    cr_assert(view.head.granule_ticks == 11 && view.head.margin_ticks == 12 && view.head.runs == 13);
    cr_assert(view.head.repeats == 14 && view.head.drift_min_ppb == -15 && view.head.drift_max_ppb == 16);
    cr_assert(view.head.as_of_ns == calibration->as_of_ns && view.head.as_of_ticks == calibration->as_of_ticks);
    cr_assert_eq(view.head.void_after_ns, calibration->void_after_ns);
    free(bytes);
    calibration->coarse = calibration->forced = calibration->parallel = calibration->hypervisor = false;
    cr_assert_eq(ordo_record_build(calibration, &bytes, &count, &error), ORDO_OK);
    cr_assert_eq(ordo_record_parse(bytes, count, &view), ORDO_OK);
    cr_assert(view.head.flags == 0 && view.head.method == ORDO_METHOD_SERIAL);
    free(bytes);
}

Test(record, covers_high_cpu_numbers, .init = make, .fini = drop)
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

Test(record, every_refusal_fits_with_its_remedy)
{
    char name[200];
    memset(name, 'p', sizeof name - 1);
    name[sizeof name - 1] = 0;
    for (int code = ORDO_E_MISSING; code >= ORDO_E_MEASURE; code--) {
        if (code == ORDO_E_SYSTEM)
            continue;
        cr_assert_eq(ordo_record_refuse(&error, code, 0, name), code);
        cr_assert(strstr(error.text, ordo_strerror(code)), "%s", error.text);
        cr_assert_neq(strcmp(ordo_strerror(code), "unknown code"), 0);
    }
}

Test(record, checksum_is_the_published_one)
{
    /* CRC-64/XZ of "123456789", from the catalogue of CRC algorithms. */
    cr_assert_eq(ordo_record_checksum((const unsigned char *)"123456789", 9), 0x995dc9bbdf1939faull);
}
