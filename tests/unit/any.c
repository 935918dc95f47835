/* <ordo/any.h>: which of the two records a handle opens, which clock it reads, and which times it refuses. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ORDO_STAMP_ANY
#include <ordo/cc/stamp.h>
#include <ordo/merge.h>
#include <ordo/merge/file.h>

#include "calibrate/record/publish.h"
#include "clock_rate.h"
#include "machine/counter/counter.h"
#include "machine/topology/topology.h"

enum { COUNTER_BOUNDARY = 1000, KERNEL_BOUNDARY = 2000 };

static char directory[] = "/tmp/ordo-any-XXXXXX", path[64], beside[80];
static struct ordo_error error;
static struct ordo_any a;
static const struct ordo_any nothing; /* a refused handle is all zero */

/* ---- records ---- */

static struct ordo_calibration *calibration(uint32_t clock)
{
    struct ordo_topology *topology;
    struct ordo_record_moment now;
    unsigned *cpus;
    int count;
    cr_assert_eq(ordo_topology_open(&topology, NULL, NULL), 0);
    cr_assert_eq(ordo_topology_select(topology, NULL, &cpus, &count, NULL), 0);
    struct ordo_calibration *made = ordo_calibration_new(count);
    cr_assert_not_null(made);
    memcpy(made->cpus, cpus, (size_t)count * sizeof *cpus);
    made->clock = clock;
    made->tick_hz = clock == ORDO_CLOCK_MONOTONIC ? 1e9 : clock_rate_hz();
    cr_assert_eq(ordo_moment_take_by(clock, &now), 0);
    made->boundary_ticks = clock == ORDO_CLOCK_MONOTONIC ? KERNEL_BOUNDARY : COUNTER_BOUNDARY;
    made->as_of_ns = (uint64_t)now.uptime_ns;
    made->as_of_ticks = now.before_ticks;
    made->as_of_raw_ns = (uint64_t)now.raw_ns;
    made->suspended_ns = (uint64_t)now.suspended_low_ns;
    made->void_after_ns = made->as_of_ns + UINT64_C(3600000000000);
    free(cpus);
    ordo_topology_close(topology);
    return made;
}

static void write_file(const char *to, const void *bytes, size_t count)
{
    FILE *file = fopen(to, "w");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, count, file), count);
    cr_assert_eq(fclose(file), 0);
    cr_assert_eq(chmod(to, 0644), 0);
}

static void put(struct ordo_calibration *made, const char *to)
{
    void *bytes;
    size_t count;
    made->generation = 1;
    cr_assert_eq(ordo_record_build(made, &bytes, &count, &error), ORDO_OK, "%s", error.text);
    write_file(to, bytes, count);
    free(bytes);
    ordo_calibration_free(made);
}

static void put_counter(void)
{
    put(calibration(ORDO_CLOCK_ID), path);
}

static void put_kernel(void)
{
    put(calibration(ORDO_CLOCK_MONOTONIC), beside);
}

static void set_status(const char *at, uint64_t status)
{
    FILE *file = fopen(at, "r+");
    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, (long)offsetof(struct ordo_record, status), SEEK_SET), 0);
    cr_assert_eq(fwrite(&status, sizeof status, 1, file), 1);
    cr_assert_eq(fclose(file), 0);
}

static void begin(void)
{
    if (ORDO_CLOCK_ID == ORDO_CLOCK_MONOTONIC)
        cr_skip_test("this program's clock is the kernel's");
    cr_assert_not_null(mkdtemp(directory));
    (void)snprintf(path, sizeof path, "%s/boundary", directory);
    (void)snprintf(beside, sizeof beside, "%s.monotonic", path);
    memset(&a, 0xff, sizeof a);
    memset(&error, 0, sizeof error);
}

static void end(void)
{
    (void)unlink(path);
    (void)unlink(beside);
    (void)rmdir(directory);
}

/* Expects that the open succeeds and gives a handle of this kind. */
static void opens(int kind)
{
    cr_assert_eq(ordo_any_open(&a, path, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_any_kind(&a), kind);
    cr_assert_eq(ordo_any_boundary(&a), kind == ORDO_ANY_KERNEL ? KERNEL_BOUNDARY : COUNTER_BOUNDARY);
    cr_assert_eq(ordo_any_status(&a), ORDO_STATUS_VALID);
    ordo_any_close(&a);
    cr_assert_eq(memcmp(&a, &nothing, sizeof a), 0);
}

/* Expects a refusal with this code. Its text must contain the words `counter` about the counter and, unless NULL, the
 * words `kernel` about the kernel's clock. */
static void refuses(int code, const char *counter, const char *kernel)
{
    int found = ordo_any_open(&a, path, &error);
    cr_expect_eq(found, code, "%d: %s", found, error.text);
    cr_expect_eq(error.code, code);
    cr_expect(strstr(error.text, counter), "%s: not in: %s", counter, error.text);
    cr_expect_eq(strstr(error.text, "; kernel's clock: ") != NULL, kernel != NULL, "%s", error.text);
    cr_expect(!kernel || strstr(error.text, kernel), "%s: not in: %s", kernel, error.text);
    cr_expect_eq(memcmp(&a, &nothing, sizeof a), 0, "a refused handle orders times");
    cr_expect_eq(ordo_any_open(&a, path, NULL), code, "the open works without room for a reason");
}

TestSuite(any, .init = begin, .fini = end);

Test(any, the_counter_is_preferred_to_the_kernels_clock)
{
    put_counter();
    put_kernel();
    opens(ORDO_ANY_COUNTER);
}

Test(any, a_record_of_the_counter_is_enough)
{
    put_counter();
    opens(ORDO_ANY_COUNTER);
    cr_assert_eq(ordo_any_open_kind(&a, path, ORDO_ANY_KERNEL, &error), ORDO_E_MISSING);
}

Test(any, a_record_of_the_kernels_clock_is_enough)
{
    struct ordo o;
    put_kernel();
    opens(ORDO_ANY_KERNEL);
    cr_assert_eq(ordo_open(&o, path), ORDO_E_MISSING, "a plain handle takes only the counter");
    cr_assert_eq(ordo_any_open_kind(&a, path, ORDO_ANY_COUNTER, &error), ORDO_E_MISSING);
}

Test(any, a_refusal_names_the_reasons_of_both_clocks)
{
    refuses(ORDO_E_MISSING, "counter: ", "boundary.monotonic: there is no");
}

Test(any, the_environment_variable_names_both_records)
{
    put_kernel();
    cr_assert_eq(setenv("ORDO_RECORD", path, 1), 0);
    cr_assert_eq(ordo_any_open(&a, NULL, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_any_kind(&a), ORDO_ANY_KERNEL);
    ordo_any_close(&a);
}

Test(any, the_kernels_clock_replaces_an_unreliable_counter)
{
    static const uint64_t statuses[] = {ORDO_RECORD_DISRUPTED, ORDO_RECORD_SUPERSEDED};
    put_kernel();
    for (size_t i = 0; i < 2; i++) {
        put_counter();
        set_status(path, statuses[i]);
        opens(ORDO_ANY_KERNEL);
    }
    struct ordo_calibration *made = calibration(ORDO_CLOCK_ID);
    made->void_after_ns = made->as_of_ns;
    put(made, path);
    opens(ORDO_ANY_KERNEL);
    made = calibration(ORDO_CLOCK_ID);
    made->tick_hz *= 1.5; /* an error of 5 s in 10 s */
    made->as_of_ns -= UINT64_C(10000000000);
    made->as_of_raw_ns -= UINT64_C(10000000000);
    made->as_of_ticks -= (uint64_t)(10 * made->tick_hz / 1.5);
    put(made, path);
    opens(ORDO_ANY_KERNEL);
    put(calibration(ORDO_CLOCK_MONOTONIC), path); /* a record of another clock than the counter's */
    opens(ORDO_ANY_KERNEL);
}

Test(any, the_kernels_clock_does_not_replace_a_damaged_record)
{
    char damage = 1;
    put_kernel();
    put_counter();
    cr_assert_eq(chmod(path, 0666), 0);
    refuses(ORDO_E_WRITABLE, "others than its owner", NULL);
    write_file(path, "no record at all, but long enough for one: forty bytes", 54);
    refuses(ORDO_E_MALFORMED, "is not well-formed", NULL);
    write_file(path, "short", 5);
    refuses(ORDO_E_TRUNCATED, "shorter or longer", NULL);
    put_counter();
    FILE *file = fopen(path, "r+");
    cr_assert(file && fseek(file, (long)offsetof(struct ordo_record, boundary_ticks), SEEK_SET) == 0);
    cr_assert_eq(fwrite(&damage, 1, 1, file), 1);
    cr_assert_eq(fclose(file), 0);
    refuses(ORDO_E_CHECKSUM, "checksum", NULL);
}

Test(any, a_record_of_the_wrong_clock_is_refused)
{
    struct ordo o;
    put(calibration(ORDO_CLOCK_ID), beside);
    refuses(ORDO_E_CLOCK, "there is no", "about another clock");
    put(calibration(ORDO_CLOCK_MONOTONIC), path);
    cr_assert_eq(ordo_open_error(&o, path, &error), ORDO_E_CLOCK, "a plain handle would compare ticks with ns");
}

/* Each of these functions makes the record of the kernel's clock invalid. */
static void expire(struct ordo_calibration *made)
{
    made->void_after_ns = made->as_of_ns;
}

static void shift(struct ordo_calibration *made)
{
    made->as_of_ticks -= UINT64_C(500000000); /* another time namespace */
}

static void suspend(struct ordo_calibration *made)
{
    made->suspended_ns -= UINT64_C(2000000000);
}

Test(any, the_record_of_the_kernels_clock_is_checked_too)
{
    static const struct {
        void (*spoil)(struct ordo_calibration *made);
        int code;
        const char *words;
    } cases[] = {{expire, ORDO_E_EXPIRED, "has expired"},
                 {shift, ORDO_E_RATE, "has not run at the record's rate"},
                 {suspend, ORDO_E_RATE, "the machine was suspended"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ordo_calibration *made = calibration(ORDO_CLOCK_MONOTONIC);
        cases[i].spoil(made);
        put(made, beside);
        refuses(cases[i].code, "there is no", cases[i].words);
    }
    put_kernel();
    cr_assert_eq(chmod(beside, 0666), 0);
    refuses(ORDO_E_WRITABLE, "there is no", "others than its owner");
}

Test(any, a_refusal_returns_the_code_of_the_counters_record)
{
    put_counter();
    set_status(path, ORDO_RECORD_DISRUPTED);
    refuses(ORDO_E_DISRUPTED, "marked disrupted", "there is no");
    put_kernel();
    set_status(beside, ORDO_RECORD_DISRUPTED);
    refuses(ORDO_E_DISRUPTED, "marked disrupted", "marked disrupted");
}

Test(any, a_handle_of_a_withdrawn_record_keeps_its_kind)
{
    ordo_any_time t = {0};
    put_kernel();
    cr_assert_eq(ordo_any_open(&a, path, &error), ORDO_OK, "%s", error.text);
    put_counter();
    cr_assert_eq(ordo_any_kind(&a), ORDO_ANY_KERNEL);
    cr_assert_eq(ordo_any_status(&a), ORDO_STATUS_VALID);
    set_status(beside, ORDO_RECORD_DISRUPTED);
    cr_assert_eq(ordo_any_status(&a), ORDO_STATUS_DISRUPTED);
    cr_assert_eq(ordo_any_try_new_time(&a, t, &t), ORDO_E_DISRUPTED);
    cr_assert_eq(ordo_any_kind(&a), ORDO_ANY_KERNEL);
    ordo_any_close(&a);
    opens(ORDO_ANY_COUNTER);
}

Test(any, only_open_vouched_refuses_a_measured_counter)
{
    struct ordo_calibration *made = calibration(ORDO_CLOCK_ID);
    made->trust = ORDO_TRUST_MEASURED;
    put(made, path);
    opens(ORDO_ANY_COUNTER);
    cr_assert_eq(ordo_any_open_vouched(&a, path, &error), ORDO_E_TRUST);
    put_kernel();
    cr_assert_eq(ordo_any_open_vouched(&a, path, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_any_kind(&a), ORDO_ANY_KERNEL);
    ordo_any_close(&a);
    made = calibration(ORDO_CLOCK_ID);
    made->trust = ORDO_TRUST_VOUCHED;
    put(made, path);
    cr_assert_eq(ordo_any_open_vouched(&a, path, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_any_kind(&a), ORDO_ANY_COUNTER);
    ordo_any_close(&a);
}

Test(any, elapsed_time_is_measured_by_an_equally_steered_clock)
{
    const struct ordo_record_moment now = {.uptime_ns = 110, .raw_ns = 320};
    struct ordo_record head = {.clock = ORDO_CLOCK_MONOTONIC, .as_of_ns = 10, .as_of_raw_ns = 20};
    cr_assert_eq(ordo_record_elapsed_ns(&head, &now), 100, "CLOCK_BOOTTIME");
    head.clock = ORDO_CLOCK_ID;
    cr_assert_eq(ordo_record_elapsed_ns(&head, &now), 300, "CLOCK_MONOTONIC_RAW");
}

/* The test recognises the clock by the times of the visits. */
Test(any, calibration_publishes_a_record_of_the_kernels_clock)
{
    struct ordo_calibrate_options options = {.runs = 2000, .sweeps = 2, .force = 1};
    struct ordo_calibration *made;
    char lock[96];
    uint64_t before = ordo_monotonic_read();
    cr_assert_eq(ordo_calibrate_kernel_clock(&options, &made, &error), ORDO_OK, "%s", error.text);
    uint64_t after = ordo_monotonic_read();
    cr_assert_eq(ordo_calibration_tick_hz(made), 1e9);
    cr_assert(before <= made->as_of_ticks && made->as_of_ticks <= after);
    for (int k = 0; k < made->repeats && made->count > 1; k++) {
        const struct ordo_visit *visit = &made->visits[(size_t)k * (size_t)made->count * (size_t)made->count + 1];
        cr_assert(before <= visit->at_ab && visit->at_ab <= after, "sweep %d", k);
        cr_assert(before <= visit->at_ba && visit->at_ba <= after, "sweep %d", k);
    }
    cr_assert_eq(ordo_calibration_publish(made, path, &error), ORDO_OK, "%s", error.text);
    cr_assert_neq(access(path, F_OK), 0, "the record took the place of the counter's record");
    cr_assert_eq(ordo_any_open(&a, path, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_any_kind(&a), ORDO_ANY_KERNEL);
    cr_assert_eq(ordo_any_boundary(&a), ordo_calibration_boundary_ticks(made));
    ordo_any_close(&a);
    ordo_calibration_free(made);
    (void)snprintf(lock, sizeof lock, "%s.lock", beside);
    (void)unlink(lock);
}

/* ---- times ---- */

static const struct ordo_any counter = ORDO_ANY_INIT(COUNTER_BOUNDARY, 2000000000, ORDO_ANY_COUNTER);
static const struct ordo_any kernel = ORDO_ANY_INIT(KERNEL_BOUNDARY, 1000000000, ORDO_ANY_KERNEL);

static uint64_t library_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

Test(times, each_kind_reads_its_own_clock)
{
    for (int full = 0; full < 2; full++) {
        uint64_t before = library_ns();
        uint64_t ns = full ? ordo_any_get_time_full(&kernel).ticks : ordo_any_get_time(&kernel).ticks;
        uint64_t after = library_ns();
        cr_assert(before <= ns && ns <= after, "%llu is not from %llu to %llu", (unsigned long long)ns,
                  (unsigned long long)before, (unsigned long long)after);
        before = ordo_clock_read();
        uint64_t ticks = full ? ordo_any_get_time_full(&counter).ticks : ordo_any_get_time(&counter).ticks;
        after = ordo_clock_read();
        cr_assert(before <= ticks + 1000000 && ticks <= after + 1000000,
                  "the counter of another CPU may be a little behind");
    }
}

Test(times, a_zeroed_handle_orders_nothing)
{
    ordo_any_time now = ordo_any_get_time(&nothing), out;
    cr_assert_eq(ordo_any_kind(&nothing), ORDO_ANY_NONE);
    cr_assert_eq(ordo_any_status(&nothing), ORDO_STATUS_CLOSED);
    cr_assert_eq(ordo_any_boundary(&nothing), UINT64_MAX);
    cr_assert_eq(ordo_any_cmp_time(&nothing, (ordo_any_time){UINT64_MAX}, (ordo_any_time){0}), 0);
    cr_assert_eq(ordo_any_try_new_time(&nothing, now, &out), ORDO_E_INVALID);
    cr_assert_eq(ordo_any_same_kind(&nothing, &nothing), 0);
}

Test(times, times_further_apart_than_the_boundary_are_ordered)
{
    const struct ordo_any *handles[] = {&counter, &kernel};
    for (int i = 0; i < 2; i++) {
        uint64_t b = ordo_any_boundary(handles[i]);
        const struct {
            uint64_t x, y;
            int order;
        } cases[] = {
            {5000 + b + 1, 5000, 1}, {5000 + b, 5000, 0}, {5000, 5000 + b, 0}, {5000, 5000 + b + 1, -1},
            {5000, 5000, 0},         {UINT64_MAX, 0, 1},  {0, UINT64_MAX, -1}, {UINT64_MAX, UINT64_MAX - b, 0}};
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            cr_expect_eq(ordo_any_cmp_time(handles[i], (ordo_any_time){cases[k].x}, (ordo_any_time){cases[k].y}),
                         cases[k].order, "kind %d, case %zu", i, k);
    }
}

Test(times, a_new_time_is_certainly_later)
{
    const struct ordo_any *handles[] = {&counter, &kernel};
    for (int i = 0; i < 2; i++) {
        ordo_any_time t = ordo_any_get_time(handles[i]), next = ordo_any_new_time(handles[i], t), out;
        cr_assert_eq(ordo_any_cmp_time(handles[i], next, t), 1);
        cr_assert_eq(ordo_any_try_new_time(handles[i], (ordo_any_time){t.ticks - 100000}, &out), ORDO_OK);
        cr_assert_eq(ordo_any_try_new_time(handles[i], (ordo_any_time){next.ticks + 1000000000}, &out), ORDO_LATER);
        cr_assert_eq(ordo_any_try_new_time(handles[i], (ordo_any_time){next.ticks + (UINT64_C(1) << 33)}, &out),
                     ORDO_E_INVALID);
    }
    cr_assert_eq(ordo_any_ticks_to_ns(&counter, 3000), 1500);
    cr_assert_eq(ordo_any_ticks_to_ns(&kernel, 3000), 3000);
}

Test(times, handles_say_if_their_times_are_comparable)
{
    cr_assert_eq(ordo_any_same_kind(&counter, &counter), 1);
    cr_assert_eq(ordo_any_same_kind(&kernel, &kernel), 1);
    cr_assert_eq(ordo_any_same_kind(&counter, &kernel), 0);
    cr_assert_eq(ordo_any_same_kind(&kernel, &nothing), 0);
}

Test(times, users_of_the_counter_refuse_a_kernel_handle)
{
    static char memory[4096];
    struct ordo_merge *m;
    struct ordo_merge_file f;
    struct ordo_merge_options options = {.clock = &kernel.handle, .producers = 1, .ring_events = 4};
    cr_assert_eq(ordo_merge_create(&m, memory, sizeof memory, &options), ORDO_E_INVALID);
    cr_assert_eq(ordo_merge_file_begin(&f, -1, "nowhere", &kernel.handle), ORDO_E_INVALID);
    cr_assert_eq(ordo_any_open_kind(&a, "nowhere", 7, &error), ORDO_E_INVALID);
    cr_assert_eq(ordo_any_open_kind(&a, "nowhere", ORDO_ANY_NONE, NULL), ORDO_E_INVALID);
}

/* ---- the stamp any ---- */

static struct ordo_stamp stamp;

static uint64_t shown(const struct ordo_any *handle)
{
    return ordo_any_get_time(handle).ticks;
}

Test(times, the_timestamp_source_any_reads_the_clock_of_its_handle)
{
    const struct ordo_any *handles[] = {&counter, &kernel};
    for (int i = 0; i < 2; i++) {
        struct ordo_stamp_local local = {0};
        ordo_time t[7];
        cr_assert_eq(ordo_stamp_init(&stamp, ordo_any_boundary(handles[i]), &handles[i]->handle), ORDO_OK);
        uint64_t before = shown(handles[i]);
        t[0] = ordo_stamp_now(&stamp);
        t[1] = ordo_stamp_take(&stamp);
        t[2] = ordo_stamp_take_after_exchange(&stamp);
        t[3] = ordo_stamp_relaxed(&stamp);
        cr_assert_eq(ordo_stamp_issue(&stamp, &local, t[0], &t[4]), ORDO_OK);
        t[5] = ordo_stamp_now_before(&stamp);
        t[6] = ordo_stamp_take_after(&stamp);
        uint64_t after = shown(handles[i]);
        for (int k = 0; k < 7; k++)
            cr_expect(before <= t[k].ticks + 1000000 && t[k].ticks <= after + 1000000, "kind %d, time %d", i, k);
        cr_assert_eq(ordo_stamp_cmp(&stamp, t[4], t[0]), 1);
    }
}

Test(times, the_timestamp_source_any_requires_uncorrected_times_of_one_clock)
{
    static const struct ordo plain = ORDO_INIT(COUNTER_BOUNDARY, 1000000000);
    static const int64_t table[ORDO_CORRECTED_CPUS];
    static const struct ordo_corrected corrected = ORDO_CORRECTED_INIT(COUNTER_BOUNDARY, 1000000000, table);
    struct ordo_any reopened = kernel;
    cr_assert_eq(ordo_stamp_init(&stamp, 1000, NULL), ORDO_E_INVALID);
    cr_assert_eq(ordo_stamp_init(&stamp, 1000, &nothing.handle), ORDO_E_INVALID);
    cr_assert_eq(ordo_stamp_init(&stamp, 1000, &corrected.handle), ORDO_E_INVALID);
    cr_assert_eq(ordo_stamp_init(&stamp, 1000, &plain), ORDO_OK);
    cr_assert_eq(ordo_stamp_init(&stamp, 1000, &reopened.handle), ORDO_OK);
    reopened = counter;
    cr_assert_eq(ordo_stamp_raise(&stamp, 2000), ORDO_E_INVALID, "the boundary of the other clock");
    reopened = kernel;
    cr_assert_eq(ordo_stamp_raise(&stamp, 2000), ORDO_OK);
}
