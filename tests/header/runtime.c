/* Tests the runtime on the clock for which it was compiled: every call, and every reason to refuse a record. Exit 0 or
 * 1.
 *
 * The file is strict C11 and strict C++11, like the headers. It needs no calibration, because it makes the records
 * itself, with a boundary that clocks of no machine exceed by accident, and with the measured rate of the clock.
 * Compiled with a copy of the headers that has another ORDO_RECORD_PATH, it also tests the system's path of the
 * record. */
#include <ordo/ordo.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __cplusplus
#define LIBC extern "C"
#else
#define LIBC extern
#endif
/* Functions of libc that the headers hide under a strict standard. */
LIBC int libc_setenv(const char *name, const char *value, int replace) __asm__("setenv");
LIBC int libc_unsetenv(const char *name) __asm__("unsetenv");
LIBC int libc_seteuid(uid_t user) __asm__("seteuid");
LIBC char *libc_mkdtemp(char *path) __asm__("mkdtemp");
LIBC int libc_sched_getaffinity(pid_t thread, size_t bytes, void *cpus) __asm__("sched_getaffinity");
LIBC int libc_execl(const char *path, const char *argument, ...) __asm__("execl");
LIBC int libc_setxattr(const char *path, const char *name, const void *value, size_t bytes,
                       int flags) __asm__("setxattr");
LIBC int libc_sched_setaffinity(pid_t thread, size_t bytes, const void *cpus) __asm__("sched_setaffinity");

enum {
    CPU_BYTES = 128, /* bytes of a CPU set, for the kernel and in a record */
    STRANGER = 12345 /* a user other than root and the caller */
};

static int failures;
static char folder[4096];             /* directory for the files of this run */
static char here[sizeof folder + 16]; /* path of the record in `folder` */

/* The content of a record that is made here and now. */
static struct {
    unsigned char cpus[CPU_BYTES]; /* the CPUs that this thread may run on, little-endian as in a record */
    unsigned char boot_id[16];
    struct ordo_record_moment as_of;
    uint64_t tick_hz, boundary;
} now_and_here;

#define CHECK(condition) check((condition) != 0, #condition, __LINE__)
static void check(int holds, const char *condition, int line)
{
    if (holds)
        return;
    failures++;
    printf("runtime.c:%d: does not hold: %s\n", line, condition);
}

static void must(int holds, const char *what)
{
    if (holds)
        return;
    perror(what);
    exit(1);
}

/* ---- records ---- */

struct image {
    size_t count;
    union {
        struct ordo_record head;
        unsigned char bytes[ORDO_RECORD_MAX_BYTES + 64];
    };
};

static void seal(struct image *image)
{
    image->head.checksum = ordo_record_checksum(image->bytes + ORDO_RECORD_SEALED, image->count - ORDO_RECORD_SEALED);
}

static void add_section(struct image *image, uint32_t type, const void *payload, uint32_t bytes)
{
    struct ordo_section section;
    section.type = type;
    section.bytes = bytes;
    memcpy(image->bytes + image->count, &section, sizeof section);
    memcpy(image->bytes + image->count + sizeof section, payload, bytes);
    image->count += sizeof section + (bytes + 7) / 8 * 8;
    image->head.total_bytes = image->count;
}

static struct image make_head(void)
{
    struct image image;
    memset(&image, 0, sizeof image);
    memcpy(image.head.magic, ORDO_RECORD_MAGIC, sizeof image.head.magic);
    image.head.status = ORDO_RECORD_VALID;
    image.head.layout = ORDO_RECORD_LAYOUT;
    image.head.clock = ORDO_CLOCK_ID;
    image.head.generation = 1;
    image.head.boundary_ticks = now_and_here.boundary;
    image.head.tick_hz = now_and_here.tick_hz;
    image.head.flags = ORDO_FLAG_COARSE;
    memcpy(image.head.boot_id, now_and_here.boot_id, sizeof image.head.boot_id);
    image.head.as_of_ns = (uint64_t)now_and_here.as_of.uptime_ns;
    image.head.void_after_ns = image.head.as_of_ns + UINT64_C(3600000000000);
    image.head.as_of_ticks = now_and_here.as_of.before_ticks;
    image.head.as_of_raw_ns = (uint64_t)now_and_here.as_of.raw_ns;
    image.head.suspended_ns = (uint64_t)now_and_here.as_of.suspended_low_ns;
    image.count = sizeof image.head;
    image.head.total_bytes = image.count;
    return image;
}

static struct image make_valid(void)
{
    struct image image = make_head();
    add_section(&image, ORDO_SECTION_CPUS, now_and_here.cpus, CPU_BYTES);
    seal(&image);
    return image;
}

static void write_bytes(const char *path, const void *bytes, size_t count, off_t at)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0644);
    must(fd >= 0 && lseek(fd, at, SEEK_SET) == at, path);
    must(write(fd, bytes, count) == (ssize_t)count, path);
    must(close(fd) == 0, path);
}

/* Writes a record to a new file, because records are never overwritten. */
static void write_record(const char *path, const struct image *image)
{
    must(unlink(path) == 0 || errno == ENOENT, path);
    write_bytes(path, image->bytes, image->count, 0);
    must(chmod(path, 0644) == 0, path);
}

static void set_status(const char *path, uint64_t word)
{
    write_bytes(path, &word, sizeof word, (off_t)offsetof(struct ordo_record, status));
}

/* ---- the clock ---- */

/* Returns the narrowest of many readings of all clocks, because this thread may be preempted between two clocks. */
static struct ordo_record_moment look(void)
{
    struct ordo_record_moment best, one;
    int i;
    must(ordo_record_now(&best) == 0, "/proc/uptime");
    for (i = 0; i < 200; i++) {
        must(ordo_record_now(&one) == 0, "/proc/uptime");
        if (one.after_ticks - one.before_ticks < best.after_ticks - best.before_ticks)
            best = one;
    }
    return best;
}

/* Returns the kernel's clock with which the hardware's clock is compared. */
static int64_t reference_ns(const struct ordo_record_moment *moment)
{
    return moment->raw_ns < 0 ? moment->uptime_ns : moment->raw_ns;
}

static void look_around(void)
{
    struct ordo_record_moment now;
    int64_t long_enough_ns = 120000000;
    must(libc_sched_getaffinity(0, CPU_BYTES, now_and_here.cpus) >= 0, "sched_getaffinity");
    must(ordo_record_boot_id(now_and_here.boot_id) == 0, "boot id");
    now_and_here.as_of = look();
    if (now_and_here.as_of.raw_ns < 0)
        long_enough_ns *= 25; /* /proc/uptime has steps of 10 ms, and its tolerance is large */
    do
        now = look();
    while (reference_ns(&now) - reference_ns(&now_and_here.as_of) < long_enough_ns);
    now_and_here.tick_hz = (uint64_t)((double)(now.before_ticks - now_and_here.as_of.before_ticks) /
                                      ((double)(reference_ns(&now) - reference_ns(&now_and_here.as_of)) * 1e-9));
    now_and_here.boundary = now_and_here.tick_hz / 20000 + 1; /* 50 us */
}

static void test_times_in_order(const struct ordo *o)
{
    int i;
    uint64_t last = ordo_get_time(o).ticks;
    for (i = 0; i < 20000; i++) {
        uint64_t relaxed = ordo_get_time_relaxed(o).ticks;
        uint64_t full = ordo_get_time_full(o).ticks;
        uint64_t ordered = ordo_get_time(o).ticks;
        uint64_t before = ordo_get_time_before(o).ticks;
        uint64_t after = ordo_get_time_after(o).ticks;
        uint64_t after_full = ordo_get_time_after_full(o).ticks;
        CHECK(last <= relaxed && relaxed <= full && full <= ordered);
        CHECK(ordered <= before && before <= after && after <= after_full);
        last = ordo_get_time(o).ticks;
        CHECK(after_full <= last);
    }
}

static void test_new_time(const struct ordo *o)
{
    uint64_t boundary = now_and_here.boundary;
    ordo_time t = ordo_get_time(o), now = ordo_new_time(o, t), out = {0};
    int code;
    CHECK(now.ticks > t.ticks && now.ticks - t.ticks > boundary);
    CHECK(ordo_cmp_time(o, now, t) == 1 && ordo_cmp_time(o, t, now) == -1 && ordo_cmp_time(o, t, t) == 0);
    CHECK(ordo_cmp_time(o, ordo_time_add(t, boundary), t) == 0);
    CHECK(ordo_cmp_time(o, ordo_time_add(t, boundary + 1), t) == 1);
    t = ordo_get_time(o);
    while ((code = ordo_try_new_time(o, t, &out)) == ORDO_LATER)
        CHECK(out.ticks == 0);
    CHECK(code == ORDO_OK && ordo_cmp_time(o, out, t) == 1);
    CHECK(ordo_try_new_time(o, ordo_time_add(ordo_get_time(o), UINT64_C(1) << 40), &out) == ORDO_E_INVALID);
}

/* Restricts this thread to the lowest of its CPUs. */
static void pin(void)
{
    unsigned char one[CPU_BYTES] = {0};
    int cpu = 0;
    while (!(now_and_here.cpus[cpu / 8] >> cpu % 8 & 1))
        cpu++;
    one[cpu / 8] = (unsigned char)(1 << cpu % 8);
    must(libc_sched_setaffinity(0, sizeof one, one) == 0, "sched_setaffinity");
}

static void test_calls(void)
{
    struct image image = make_valid();
    struct ordo o;
    write_record(here, &image);
    CHECK(ordo_open(&o, here) == ORDO_OK);
    CHECK(ordo_status(&o) == ORDO_STATUS_VALID);
    CHECK(ordo_boundary(&o) == now_and_here.boundary);
    CHECK(ordo_tick_hz(&o) == now_and_here.tick_hz);
    CHECK(ordo_flags(&o) == ORDO_FLAG_COARSE);
    CHECK(o.generation == 1);
    pin();
    test_times_in_order(&o);
    test_new_time(&o);
    must(libc_sched_setaffinity(0, CPU_BYTES, now_and_here.cpus) == 0, "sched_setaffinity");
    must(unlink(here) == 0, here);
    CHECK(ordo_status(&o) == ORDO_STATUS_VALID); /* the status of the opened file, which is now removed */
    ordo_close(&o);
    CHECK(ordo_status(&o) == ORDO_STATUS_CLOSED);
    ordo_close(&o);
}

/* ---- refused records ---- */

static int orders_nothing(const struct ordo *o)
{
    ordo_time least = {0}, most = {UINT64_MAX}, out = {77};
    return ordo_status(o) == ORDO_STATUS_CLOSED && ordo_boundary(o) == UINT64_MAX &&
           ordo_cmp_time(o, most, least) == 0 && ordo_cmp_time(o, least, most) == 0 &&
           ordo_try_new_time(o, least, &out) == ORDO_E_INVALID && out.ticks == 77;
}

/* Opens `path`, and expects this code and, after a refusal, a handle that orders nothing. */
static void expect_open(const char *path, int expected, const char *what)
{
    struct ordo o;
    struct ordo_error error;
    int code;
    memset(&o, 0x5a, sizeof o); /* the handle need not be initialised */
    memset(&error, 0, sizeof error);
    code = ordo_open_error(&o, path, &error);
    if (code != expected) {
        failures++;
        printf("%s: %d (%s) instead of %d (%s)\n", what, code, ordo_strerror(code), expected, ordo_strerror(expected));
    } else if (code != ORDO_OK && (!orders_nothing(&o) || error.code != code || !strchr(error.text, ':') ||
                                   strchr(error.text, '\n') || ordo_open(&o, path) != code)) {
        failures++;
        printf("%s: refused, but not as it should be: \"%s\"\n", what, error.text);
    }
    if (code == ORDO_OK)
        ordo_close(&o);
}

static void expect_image(const struct image *image, int expected, const char *what)
{
    write_record(here, image);
    expect_open(here, expected, what);
}

/* Each of these functions makes a valid record invalid. The checksum is corrected afterwards. */
static void edit_magic(struct image *r)
{
    r->head.magic[0] ^= 0x20;
}
static void edit_layout_0(struct image *r)
{
    r->head.layout = 0;
}
static void edit_layout_next(struct image *r)
{
    r->head.layout++;
}
static void edit_says_shorter(struct image *r)
{
    r->head.total_bytes -= 8;
}
static void edit_says_longer(struct image *r)
{
    r->head.total_bytes += 8;
}
static void edit_says_huge(struct image *r)
{
    r->head.total_bytes = UINT64_MAX;
}
static void edit_critical(struct image *r)
{
    add_section(r, ORDO_SECTION_CRITICAL | 0x1234, "?", 1);
}
static void edit_not_critical(struct image *r)
{
    add_section(r, 0x1234, "?", 1);
}
static void edit_machine(struct image *r)
{
    add_section(r, ORDO_SECTION_MACHINE, "a machine", 9);
}
static void edit_empty_section(struct image *r)
{
    add_section(r, 0x1234, "", 0);
}
static void edit_no_cpus(struct image *r)
{
    *r = make_head();
}
static void edit_empty_cpus(struct image *r)
{
    *r = make_head();
    add_section(r, ORDO_SECTION_CPUS, "", 0);
}
static void edit_cpus_twice(struct image *r)
{
    add_section(r, ORDO_SECTION_CPUS, now_and_here.cpus, CPU_BYTES);
}
static void edit_section_too_long(struct image *r)
{
    uint32_t bytes = CPU_BYTES + 1;
    memcpy(r->bytes + sizeof r->head + 4, &bytes, sizeof bytes);
}
static void edit_section_huge(struct image *r)
{
    uint32_t bytes = UINT32_MAX;
    memcpy(r->bytes + sizeof r->head + 4, &bytes, sizeof bytes);
}
static void edit_half_a_section(struct image *r)
{
    r->count += 4;
    r->head.total_bytes += 4;
}
static void edit_missing_padding(struct image *r)
{
    add_section(r, 0x1234, "?", 1);
    r->count -= 7;
    r->head.total_bytes -= 7;
}
/* Adds a section that extends the record to `whole` bytes. */
static void edit_fill(struct image *r, size_t whole)
{
    static const unsigned char nothing[ORDO_RECORD_MAX_BYTES] = {0};
    add_section(r, 0x1234, nothing, (uint32_t)(whole - r->count - sizeof(struct ordo_section)));
}
static void edit_largest(struct image *r)
{
    edit_fill(r, ORDO_RECORD_MAX_BYTES);
}
static void edit_too_large(struct image *r)
{
    edit_fill(r, ORDO_RECORD_MAX_BYTES + 8);
}
static void edit_boot(struct image *r)
{
    r->head.boot_id[15] ^= 1;
}
static void edit_clock(struct image *r)
{
    r->head.clock = ORDO_CLOCK_ID + 1;
}
static void edit_clock_0(struct image *r)
{
    r->head.clock = 0;
}
static void edit_rate_double(struct image *r)
{
    r->head.tick_hz *= 2;
}
static void edit_rate_half(struct image *r)
{
    r->head.tick_hz /= 2;
}
static void edit_rate_0(struct image *r)
{
    r->head.tick_hz = 0;
}
static void edit_rate_absurd(struct image *r)
{
    r->head.tick_hz = UINT64_C(18000000001);
}
static void edit_zero(struct image *r)
{
    r->head.zero = 1;
}
/* The counter is 40 ms behind or ahead of its rate: it stood still, or it jumped. */
static void edit_stood_still(struct image *r)
{
    r->head.as_of_ticks += r->head.tick_hz / 25;
}
static void edit_jumped(struct image *r)
{
    r->head.as_of_ticks -= r->head.tick_hz / 25;
}
static void edit_suspended(struct image *r)
{
    r->head.suspended_ns -= 10000000;
}
/* The counter gained or lost 40 ms, and the word `seen` says that a check has just found the change. */
static void edit_gained_before_a_check(struct image *r)
{
    r->head.as_of_ticks -= r->head.tick_hz / 25;
    r->head.seen = 40000000 / ORDO_RECORD_SEEN_NS;
}
static void edit_lost_before_a_check(struct image *r)
{
    r->head.as_of_ticks += r->head.tick_hz / 25;
    r->head.seen = (uint32_t)(int32_t)(-40000000 / ORDO_RECORD_SEEN_NS);
}
static void edit_checked_in_the_future(struct image *r)
{
    r->head.seen = UINT64_C(3600) << 32;
}
static void edit_counter_was_reset(struct image *r)
{
    r->head.as_of_ticks += 3600 * r->head.tick_hz;
}
static void edit_made_in_the_future(struct image *r)
{
    r->head.as_of_ns += UINT64_C(1800000000000);
}
static void edit_expired(struct image *r)
{
    r->head.void_after_ns = r->head.as_of_ns + 100000000;
}
static void edit_void_before_it_was_made(struct image *r)
{
    r->head.void_after_ns = r->head.as_of_ns - 1;
}
static void edit_void_0(struct image *r)
{
    r->head.void_after_ns = 0;
}
static void edit_reserved(struct image *r)
{
    r->head.reserved[3] = 7;
}
static void edit_unknown_flag(struct image *r)
{
    r->head.flags |= UINT64_C(1) << 40;
}
static void edit_corrected(struct image *r)
{
    r->head.flags |= ORDO_FLAG_CORRECTED;
}
static void edit_forced(struct image *r)
{
    r->head.flags = ORDO_FLAG_FORCED | ORDO_FLAG_COARSE | ORDO_FLAG_HYPERVISOR;
}
static void edit_margin_above_boundary(struct image *r)
{
    r->head.granule_ticks = 1;
    r->head.margin_ticks = r->head.boundary_ticks;
}
static void edit_drift_up(struct image *r)
{
    r->head.drift_min_ppb = 1;
    r->head.drift_max_ppb = 50000;
}
static void edit_drift_down(struct image *r)
{
    r->head.drift_min_ppb = -50000;
    r->head.drift_max_ppb = -1;
}
static void edit_superseded(struct image *r)
{
    r->head.status = ORDO_RECORD_SUPERSEDED;
}
static void edit_disrupted(struct image *r)
{
    r->head.status = ORDO_RECORD_DISRUPTED;
}
static void edit_status_bit(struct image *r)
{
    r->head.status ^= UINT64_C(1) << 63;
}
static void edit_boundary_0(struct image *r)
{
    r->head.boundary_ticks = 0;
}
static void edit_boundary_large(struct image *r)
{
    r->head.boundary_ticks = (UINT64_C(1) << 62) - 1;
}
static void edit_boundary_absurd(struct image *r)
{
    r->head.boundary_ticks = UINT64_C(1) << 62;
}
static void edit_no_cpu_of_ours(struct image *r)
{
    unsigned char *cpus = r->bytes + sizeof r->head + sizeof(struct ordo_section);
    int i;
    for (i = 0; i < CPU_BYTES; i++)
        cpus[i] = (unsigned char)~cpus[i];
}
static void edit_not_our_last_cpu(struct image *r)
{
    unsigned char *cpus = r->bytes + sizeof r->head + sizeof(struct ordo_section);
    int i = CPU_BYTES - 1, bit = 7;
    while (!cpus[i])
        i--;
    while (!(cpus[i] >> bit & 1))
        bit--;
    cpus[i] = (unsigned char)(cpus[i] & ~(1 << bit));
}
static void edit_more_cpus(struct image *r)
{
    memset(r->bytes + sizeof r->head + sizeof(struct ordo_section), 0xff, CPU_BYTES);
}

/* The answer that needs the kernel's clocks: a reader without them accepts the record. */
#if defined ORDO_RECORD_UPTIME
#define BY_CLOCKS(code) ORDO_OK
#else
#define BY_CLOCKS(code) code
#endif

static const struct {
    const char *what;
    void (*edit)(struct image *record);
    int code;
} edits[] = {
    {"magic", edit_magic, ORDO_E_MALFORMED},
    {"layout 0", edit_layout_0, ORDO_E_LAYOUT},
    {"the next layout", edit_layout_next, ORDO_E_LAYOUT},
    {"says it is shorter", edit_says_shorter, ORDO_E_TRUNCATED},
    {"says it is longer", edit_says_longer, ORDO_E_TRUNCATED},
    {"says it is huge", edit_says_huge, ORDO_E_TRUNCATED},
    {"unknown critical section", edit_critical, ORDO_E_SECTION},
    {"unknown section", edit_not_critical, ORDO_OK},
    {"machine text", edit_machine, ORDO_OK},
    {"empty section", edit_empty_section, ORDO_OK},
    {"no CPU set", edit_no_cpus, ORDO_E_MALFORMED},
    {"empty CPU set", edit_empty_cpus, ORDO_E_MALFORMED},
    {"two CPU sets", edit_cpus_twice, ORDO_E_MALFORMED},
    {"section too long", edit_section_too_long, ORDO_E_MALFORMED},
    {"section huge", edit_section_huge, ORDO_E_MALFORMED},
    {"half a section", edit_half_a_section, ORDO_E_MALFORMED},
    {"missing padding", edit_missing_padding, ORDO_E_MALFORMED},
    {"the largest record", edit_largest, ORDO_OK},
    {"larger than the largest", edit_too_large, ORDO_E_TRUNCATED},
    {"another boot", edit_boot, ORDO_E_BOOT},
    {"another clock", edit_clock, ORDO_E_CLOCK},
    {"no clock", edit_clock_0, ORDO_E_CLOCK},
    {"twice the rate", edit_rate_double, ORDO_E_RATE},
    {"half the rate", edit_rate_half, ORDO_E_RATE},
    {"rate 0", edit_rate_0, ORDO_E_MALFORMED},
    {"absurd rate", edit_rate_absurd, ORDO_E_MALFORMED},
    {"stood still for 40 ms", edit_stood_still, BY_CLOCKS(ORDO_E_RATE)},
    {"jumped by 40 ms", edit_jumped, BY_CLOCKS(ORDO_E_RATE)},
    {"suspended", edit_suspended, BY_CLOCKS(ORDO_E_RATE)},
    {"gained 40 ms before a check", edit_gained_before_a_check, ORDO_OK},
    {"lost 40 ms before a check", edit_lost_before_a_check, ORDO_OK},
    {"checked in the future", edit_checked_in_the_future, BY_CLOCKS(ORDO_E_RATE)},
    {"a word that must be 0", edit_zero, ORDO_E_MALFORMED},
    {"counter was reset", edit_counter_was_reset, ORDO_E_RATE},
    {"made in the future", edit_made_in_the_future, ORDO_E_RATE},
    {"expired", edit_expired, ORDO_E_EXPIRED},
    {"void before it was made", edit_void_before_it_was_made, ORDO_E_EXPIRED},
    {"void after 0", edit_void_0, ORDO_E_EXPIRED},
    {"reserved is not 0", edit_reserved, ORDO_E_MALFORMED},
    {"unknown flag", edit_unknown_flag, ORDO_E_SECTION},
    {"corrected times", edit_corrected, ORDO_E_SECTION},
    {"all other flags", edit_forced, ORDO_OK},
    {"margin above the boundary", edit_margin_above_boundary, ORDO_E_MALFORMED},
    {"clocks that drift", edit_drift_up, ORDO_E_MALFORMED},
    {"clocks that drift apart", edit_drift_down, ORDO_E_MALFORMED},
    {"superseded", edit_superseded, ORDO_E_SUPERSEDED},
    {"disrupted", edit_disrupted, ORDO_E_DISRUPTED},
    {"unknown status", edit_status_bit, ORDO_E_MALFORMED},
    {"boundary 0", edit_boundary_0, ORDO_E_BOUNDARY},
    {"large boundary", edit_boundary_large, ORDO_OK},
    {"absurd boundary", edit_boundary_absurd, ORDO_E_MALFORMED},
    {"covers no CPU of ours", edit_no_cpu_of_ours, ORDO_E_CPUS},
    {"does not cover our last CPU", edit_not_our_last_cpu, ORDO_E_CPUS},
    {"covers more CPUs", edit_more_cpus, ORDO_OK},
};

static void test_fields(void)
{
    size_t i;
    for (i = 0; i < sizeof edits / sizeof *edits; i++) {
        struct image image = make_valid();
        edits[i].edit(&image);
        seal(&image);
        expect_image(&image, edits[i].code, edits[i].what);
    }
}

static void test_bytes(void)
{
    struct image image = make_valid();
    size_t whole = image.count;
    expect_image(&image, ORDO_OK, "whole record");
    for (image.count = 0; image.count < whole; image.count += image.count < 16 ? 1 : 13)
        expect_image(&image, ORDO_E_TRUNCATED, "truncated record");
    image.count = whole + 1;
    expect_image(&image, ORDO_E_TRUNCATED, "a byte more than it says");
    image.count = sizeof image.bytes;
    expect_image(&image, ORDO_E_TRUNCATED, "much more than it says");
    image = make_valid();
    image.head.checksum ^= 1;
    expect_image(&image, ORDO_E_CHECKSUM, "bit of the checksum");
    image = make_valid();
    image.bytes[image.count - 1] ^= 0x80;
    expect_image(&image, ORDO_E_CHECKSUM, "last bit of the record");
}

/* A record of one CPU is enough for a thread that may run only on this CPU. */
static void test_restricted_thread(void)
{
    struct image image = make_head();
    unsigned char one[CPU_BYTES];
    pin();
    must(libc_sched_getaffinity(0, CPU_BYTES, one) >= 0, "sched_getaffinity");
    add_section(&image, ORDO_SECTION_CPUS, one, CPU_BYTES);
    seal(&image);
    expect_image(&image, ORDO_OK, "restricted thread");
    must(libc_sched_setaffinity(0, CPU_BYTES, now_and_here.cpus) == 0, "sched_setaffinity");
    expect_open(here, memcmp(one, now_and_here.cpus, CPU_BYTES) == 0 ? ORDO_OK : ORDO_E_CPUS, "thread set free");
}

static void test_files(void)
{
    static const mode_t refused[] = {0664, 0646, 0666, 0622, 0777}, accepted[] = {0644, 0600, 0444, 0755};
    struct image image = make_valid();
    char path[sizeof here + 16];
    size_t i;
    write_record(here, &image);
    for (i = 0; i < sizeof refused / sizeof *refused; i++) {
        must(chmod(here, refused[i]) == 0, here);
        expect_open(here, ORDO_E_WRITABLE, "writable by others");
    }
    for (i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        must(chmod(here, accepted[i]) == 0, here);
        expect_open(here, ORDO_OK, "writable by the owner only");
    }
    (void)snprintf(path, sizeof path, "%s/below", here);
    expect_open(path, ORDO_E_MISSING, "below a file");
    (void)snprintf(path, sizeof path, "%s.none", here);
    expect_open(path, ORDO_E_MISSING, "no file");
    expect_open("", ORDO_E_MISSING, "no name");
    expect_open(folder, ORDO_E_MALFORMED, "directory");
    expect_open("/dev/null", ORDO_E_MALFORMED, "device");
    (void)snprintf(path, sizeof path, "%s.fifo", here);
    must(mkfifo(path, 0600) == 0, path);
    expect_open(path, ORDO_E_MALFORMED, "FIFO");
    must(unlink(path) == 0, path);
}

/* Runs `test` in a child process as another effective user, if this user can reach the file. */
static void as_stranger(void (*test)(void))
{
    int status;
    pid_t child;
    (void)fflush(stdout);
    child = fork();
    must(child >= 0, "fork");
    if (child == 0) {
        failures = 0;
        must(libc_seteuid(STRANGER) == 0, "seteuid");
        if (chdir(folder) == 0)
            test();
        (void)fflush(stdout);
        _exit(failures != 0);
    }
    must(waitpid(child, &status, 0) == child, "waitpid");
    CHECK(status == 0);
}

static void stranger_opens_root(void)
{
    expect_open(here, ORDO_OK, "root's record, opened by another");
}
static void stranger_opens_own(void)
{
    expect_open(here, ORDO_OK, "one's own record");
}
static void stranger_opens_third(void)
{
    expect_open(here, ORDO_E_OWNER, "a third one's record");
}
/* A program that runs with another user's rights ignores the environment, which belongs to its caller. */
static void stranger_searches(void)
{
    char buffer[64];
    CHECK(strcmp(ordo_record_find(NULL, buffer, sizeof buffer), ORDO_RECORD_PATH) == 0);
}

/* Makes a copy of this program with a file capability. The copy runs as its caller, but with a right that the caller
 * lacks. */
static void make_privileged(const char *path)
{
    static const unsigned char net_raw[20] = {1, 0, 0,
                                              2, 0, 0x20}; /* struct vfs_cap_data: version 2, effective, CAP_NET_RAW */
    static unsigned char bytes[1 << 20];
    ssize_t count;
    int from = open("/proc/self/exe", O_RDONLY), to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);
    must(from >= 0 && to >= 0, path);
    while ((count = read(from, bytes, sizeof bytes)) > 0)
        must(write(to, bytes, (size_t)count) == count, path);
    must(count == 0 && close(from) == 0 && close(to) == 0 && chmod(path, 0755) == 0, path);
    if (libc_setxattr(path, "security.capability", net_raw, sizeof net_raw, 0) != 0) {
        perror("file capabilities are not tested: setxattr");
        must(unlink(path) == 0, path);
    }
}

/* True if the search for a record uses the environment; a program with capabilities must ignore it. Exit 3 if true. */
static int listens(void)
{
    char buffer[64];
    return strcmp(ordo_record_find(NULL, buffer, sizeof buffer), ORDO_RECORD_PATH) != 0;
}

static void test_capabilities(void)
{
    char path[sizeof here + 16];
    int status, privileged;
    (void)snprintf(path, sizeof path, "%s.privileged", here);
    must(chmod(folder, 0755) == 0, folder);
    for (privileged = 0; privileged < 2; privileged++) {
        pid_t child;
        make_privileged(path);
        if (access(path, F_OK) != 0)
            return;
        if (!privileged)
            must(unlink(path) == 0, path);
        (void)fflush(stdout);
        child = fork();
        must(child >= 0, "fork");
        if (child == 0) {
            must(libc_setenv("ORDO_RECORD", here, 1) == 0 && setgid(STRANGER) == 0 && setuid(STRANGER) == 0, "setuid");
            (void)libc_execl(privileged ? path : "/proc/self/exe", "runtime", "--listens", (char *)NULL);
            _exit(2);
        }
        must(waitpid(child, &status, 0) == child, "waitpid");
        if (!privileged && WIFEXITED(status) && WEXITSTATUS(status) == 2) {
            printf("file capabilities are not tested: this program cannot start itself\n");
            return;
        }
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == (privileged ? 0 : 3));
    }
    must(unlink(path) == 0, path);
}

static void test_owners(void)
{
    struct image image = make_valid();
    if (geteuid() != 0) {
        printf("not root: owners are not tested\n");
        return;
    }
    write_record(here, &image);
    if (chown(here, STRANGER + 1, (gid_t)-1) != 0) {
        perror("owners are not tested: chown");
        return;
    }
    must(chmod(folder, 0755) == 0, folder);
    as_stranger(stranger_opens_third);
    write_record(here, &image);
    as_stranger(stranger_opens_root);
    must(chown(here, STRANGER, (gid_t)-1) == 0, here);
    expect_open(here, ORDO_E_OWNER, "owned by another");
    as_stranger(stranger_opens_own);
    must(libc_setenv("ORDO_RECORD", here, 1) == 0, "setenv");
    must(libc_setenv("XDG_RUNTIME_DIR", folder, 1) == 0, "setenv");
    as_stranger(stranger_searches);
    test_capabilities();
}

/* The name of a file has escape sequences, also of C1, two lines, an incomplete letter, and valid letters of UTF-8. */
static void test_names(void)
{
    static const char name[] = "no\033[31m\n\x7f\xc2\x9b"
                               "31m\x9b\xe2\x82 \xc3\xa9\xe2\x82\xac\xf0\x9f\x95\x90";
    static const char shown[] = "no?[31m????31m??? \xc3\xa9\xe2\x82\xac\xf0\x9f\x95\x90: ";
    struct ordo_error error;
    struct ordo o;
    CHECK(ordo_open_error(&o, name, &error) == ORDO_E_MISSING);
    CHECK(strncmp(error.text, shown, sizeof shown - 1) == 0);
    CHECK(ordo_open_cpus(&o, here, "1\033[31m", &error) == ORDO_E_INVALID && strstr(error.text, "'1?[31m'"));
}

/* Invalid UTF-8: bytes that begin no letter, overlong letters, surrogates, too large letters, an incomplete letter, and
 * the last control characters. The neighbouring valid letters are kept. */
static void test_letters(void)
{
    char text[] = "a\xff\xf5\x80\x80\x80 \xe0\x9b\x80 \xed\xa0\x80 \xf0\x8f\x80\x80 \xf4\x90\x80\x80 \xc2\x80\xc2\x9f"
                  "\xc2\xa0 \xe0\xa0\x80\xed\x9f\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\xc3";
    ordo_error_tidy(text);
    CHECK(strcmp(text,
                 "a????? ??? ??? ???? ???? ????\xc2\xa0 \xe0\xa0\x80\xed\x9f\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf?") ==
          0);
}

/* A handle states the trust in its record. A forced record can be opened, but not by a caller that requires the kernel
 * to vouch for it. */
static void test_trust(void)
{
    static const struct {
        uint64_t flags;
        int trust, vouched;
    } records[] = {
        {0, ORDO_TRUST_VOUCHED, ORDO_OK},
        {ORDO_FLAG_MEASURED, ORDO_TRUST_MEASURED, ORDO_E_TRUST},
        {ORDO_FLAG_FORCED, ORDO_TRUST_NONE, ORDO_E_TRUST},
        {ORDO_FLAG_FORCED | ORDO_FLAG_VOUCHED, ORDO_TRUST_VOUCHED, ORDO_OK},
        {ORDO_FLAG_FORCED | ORDO_FLAG_FAULTED, ORDO_TRUST_FAULTED, ORDO_E_TRUST},
        {ORDO_FLAG_FORCED | ORDO_FLAG_INCAPABLE, ORDO_TRUST_INCAPABLE, ORDO_E_TRUST},
    };
    struct ordo o;
    size_t i;
    for (i = 0; i < sizeof records / sizeof *records; i++) {
        struct image image = make_valid();
        image.head.flags = records[i].flags;
        seal(&image);
        write_record(here, &image);
        CHECK(ordo_open(&o, here) == ORDO_OK);
        CHECK(ordo_flags(&o) == records[i].flags && ordo_trust(&o) == records[i].trust);
        ordo_close(&o);
        CHECK(ordo_trust(&o) == ORDO_TRUST_NONE);
        CHECK(ordo_open_vouched(&o, here, NULL) == records[i].vouched);
        ordo_close(&o);
    }
}

/* An open handle sees that its record is marked. A later open of the record is refused. */
static void test_status(void)
{
    struct image image = make_valid();
    struct ordo o;
    ordo_time t, out;
    write_record(here, &image);
    CHECK(ordo_open(&o, here) == ORDO_OK);
    t = ordo_new_time(&o, ordo_get_time(&o));
    CHECK(ordo_status(&o) == ORDO_STATUS_VALID);
    set_status(here, ORDO_RECORD_SUPERSEDED);
    CHECK(ordo_status(&o) == ORDO_STATUS_SUPERSEDED);
    (void)ordo_new_time(&o, t);
    CHECK(ordo_try_new_time(&o, t, &out) == ORDO_OK);
    expect_open(here, ORDO_E_SUPERSEDED, "superseded while open");
    set_status(here, ORDO_RECORD_DISRUPTED);
    CHECK(ordo_status(&o) == ORDO_STATUS_DISRUPTED);
    CHECK(ordo_try_new_time(&o, t, &out) == ORDO_E_DISRUPTED);
    CHECK(ordo_boundary(&o) == now_and_here.boundary);
    expect_open(here, ORDO_E_DISRUPTED, "disrupted while open");
    set_status(here, 0);
    CHECK(ordo_status(&o) == ORDO_STATUS_DISRUPTED);
    ordo_close(&o);
}

/* ---- places of a record ---- */

enum place_state {
    ABSENT, /* not named, no file */
    EMPTY,  /* the argument names a missing file, or the variable is empty */
    REFUSED,
    VALID,
    STATES
};

/* Puts into `path` a valid record of this generation, or a refused one, or none. */
static void furnish(const char *path, int state, uint64_t generation)
{
    struct image image = make_valid();
    if (state == REFUSED)
        image.head.boot_id[0] ^= 1;
    image.head.generation = generation;
    seal(&image);
    if (state == REFUSED || state == VALID)
        write_record(path, &image);
    else
        must(unlink(path) == 0 || errno == ENOENT, path);
}

static void set_variable(const char *name, int state, const char *value)
{
    if (state == ABSENT)
        must(libc_unsetenv(name) == 0, name);
    else
        must(libc_setenv(name, state == EMPTY ? "" : value, 1) == 0, name);
}

struct places {
    char argument[sizeof here + 16], variable[sizeof here + 16], user_folder[sizeof here + 16], user[sizeof here + 32];
};

/* Checks one combination: the first place that is named or has a file decides, even if this file is refused. */
static void check_search(const struct places *places, int argument, int variable, int system, int user)
{
    /* Root has no place of its own. */
    const int states[] = {argument == EMPTY ? (int)STATES : argument, variable, geteuid() == 0 ? (int)ABSENT : user,
                          system};
    static const uint64_t generations[] = {1, 2, 4, 3};
    char buffer[4096];
    struct ordo o;
    int first = 0, code;
    furnish(places->argument, argument, 1);
    furnish(places->variable, variable, 2);
    furnish(places->user, user, 4);
    set_variable("ORDO_RECORD", variable, places->variable);
    set_variable("XDG_RUNTIME_DIR", user, places->user_folder);
    while (first < 4 && states[first] <= EMPTY)
        first++;
    code = ordo_open(&o, argument == ABSENT ? NULL : places->argument);
    if (first == 4)
        CHECK(code == ORDO_E_MISSING && strcmp(ordo_record_find(NULL, buffer, sizeof buffer), ORDO_RECORD_PATH) == 0);
    else if (states[first] == STATES)
        CHECK(code == ORDO_E_MISSING);
    else if (states[first] == REFUSED)
        CHECK(code == ORDO_E_BOOT);
    else
        CHECK(code == ORDO_OK && o.generation == generations[first]);
    if (code != ORDO_OK)
        CHECK(orders_nothing(&o));
    else
        ordo_close(&o);
}

static void test_search(void)
{
    /* Of the system's own place, checks only whether a file exists. */
    int ours = strncmp(ORDO_RECORD_PATH, "/run/", 5) != 0, taken = !ours && access(ORDO_RECORD_PATH, F_OK) == 0;
    struct places places;
    int argument, variable, system, user;
    (void)snprintf(places.argument, sizeof places.argument, "%s.argument", here);
    (void)snprintf(places.variable, sizeof places.variable, "%s.variable", here);
    (void)snprintf(places.user_folder, sizeof places.user_folder, "%s/user", folder);
    must(mkdir(places.user_folder, 0700) == 0, places.user_folder);
    (void)snprintf(places.user, sizeof places.user, "%s/ordo", places.user_folder);
    must(mkdir(places.user, 0700) == 0, places.user);
    (void)snprintf(places.user, sizeof places.user, "%s/ordo/boundary", places.user_folder);
    for (system = ABSENT; system < (ours ? (int)STATES : (int)EMPTY); system++) {
        if (ours)
            furnish(ORDO_RECORD_PATH, system, 3);
        for (argument = ABSENT; argument < STATES; argument++)
            for (variable = ABSENT; variable < STATES; variable++)
                for (user = ABSENT; user < STATES; user++)
                    if (!taken || argument != ABSENT || variable > EMPTY || (user > EMPTY && geteuid() != 0))
                        check_search(&places, argument, variable, system, user);
    }
    if (ours)
        furnish(ORDO_RECORD_PATH, ABSENT, 3);
    printf("searched %s\n", ours    ? "with a system's place of our own"
                            : taken ? "beside one in /run"
                                    : "without one in /run");
    furnish(places.argument, ABSENT, 1);
    furnish(places.variable, ABSENT, 2);
    furnish(places.user, ABSENT, 4);
    (void)snprintf(places.user, sizeof places.user, "%s/ordo", places.user_folder);
    must(rmdir(places.user) == 0, places.user);
    must(rmdir(places.user_folder) == 0, places.user_folder);
}

/* Tests the search as a user other than root, because root has no place of its own. */
static void test_search_of_stranger(void)
{
    char place[sizeof ORDO_RECORD_PATH];
    int ours = strncmp(ORDO_RECORD_PATH, "/run/", 5) != 0, status;
    pid_t child;
    if (geteuid() != 0)
        return;
    (void)snprintf(place, sizeof place, "%s", ORDO_RECORD_PATH);
    *strrchr(place, '/') = '\0';
    if (chown(folder, STRANGER, (gid_t)-1) != 0 || (ours && chown(place, STRANGER, (gid_t)-1) != 0)) {
        perror("another user's search is not tested: chown");
        return;
    }
    (void)fflush(stdout);
    child = fork();
    must(child >= 0, "fork");
    if (child == 0) {
        failures = 0;
        must(setgid(STRANGER) == 0 && setuid(STRANGER) == 0, "setuid");
        if (access(folder, X_OK) == 0 && (!ours || access(place, W_OK) == 0))
            test_search();
        else
            printf("another user's search is not tested: its folder is out of reach\n");
        (void)fflush(stdout);
        _exit(failures != 0);
    }
    must(waitpid(child, &status, 0) == child, "waitpid");
    CHECK(status == 0);
    must(chown(folder, 0, (gid_t)-1) == 0, folder);
}

/* If CPUID lacks RDTSCP, no source of the CPU's number is reliable: corrected times are refused without executing the
 * instruction. */
static void test_corrected(void)
{
#if defined ORDO_CLOCK_GETCPU
    struct ordo_error error = {0, 0, ""};
    int code = ordo_corrected_check_cpu(&error);
    CHECK(code == ORDO_OK || code == ORDO_E_CLOCK);
    if (!ordo_clock_names_cpu())
        CHECK(code == ORDO_E_CLOCK && strstr(error.text, "CPUID offers no RDTSCP"));
#endif
}

int main(int argc, char **argv)
{
    const char *parent = getenv("TMPDIR");
    if (argc == 2 && strcmp(argv[1], "--listens") == 0)
        return listens() ? 3 : 0;
    (void)snprintf(folder, sizeof folder, "%s/ordo-runtime-XXXXXX", parent && *parent ? parent : "/tmp");
    must(libc_mkdtemp(folder) != NULL, folder);
    (void)snprintf(here, sizeof here, "%s/boundary", folder);
    (void)alarm(300); /* a call that hangs is a failure, too */
    look_around();
    test_calls();
    test_bytes();
    test_fields();
    test_restricted_thread();
    test_files();
    test_status();
    test_trust();
    test_names();
    test_letters();
    test_search();
    test_search_of_stranger();
    test_owners();
    test_corrected();
    must(unlink(here) == 0, here);
    must(rmdir(folder) == 0, folder);
    printf("clock %s, %lu Hz: %d failures\n", ORDO_CLOCK_NAME, (unsigned long)now_and_here.tick_hz, failures);
    return failures != 0;
}
