/* The preload's service with a simulated kernel, counter and record: what happens while a line is made. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/answer.h"
#include "preload/kernel.h"
#include "preload/line.h"
#include "preload/look.h"
#include "preload/maker.h"
#include "preload/pace.h"
#include "preload/record.h"

enum { ANSWER = 60, STEP = 20, HZ = 1000000000 }; /* ticks of 1 ns */

static struct {
    uint64_t true_time, since, rate; /* CLOCK_MONOTONIC is `start`, plus `rate` a tick since then */
    preload_ns32 start;
    int64_t offset_ns[PRELOAD_CLOCKS];
} kernel;

static struct {
    uint64_t boundary_ticks;
    unsigned opened;
    void (*when_closed)(void);
} records;

static struct preload_state state;

uint64_t model_clock(void)
{
    kernel.true_time += STEP;
    return kernel.true_time - STEP;
}

uint64_t model_clock_after(void)
{
    return model_clock();
}

uint64_t model_time(void)
{
    return kernel.true_time;
}

int64_t preload_kernel_ns(clockid_t clock)
{
    int which = 0;
    while (preload_clock_id((enum preload_which)which) != clock)
        which++;
    kernel.true_time += ANSWER;
    return preload_ns_of(kernel.start + (preload_ns32)(kernel.true_time - kernel.since) * kernel.rate) +
           kernel.offset_ns[which];
}

int preload_kernel_gettime(clockid_t clock, struct timespec *time)
{
    const int64_t ns = preload_kernel_ns(clock);
    *time = (struct timespec){ns / 1000000000, ns % 1000000000};
    return 0;
}

int preload_kernel_wipe_on_fork(void *page, unsigned long bytes)
{
    return madvise(page, bytes, MADV_WIPEONFORK);
}

/* A record is a page with its standing. Opening it is a cancellation point, as open(2). */
int preload_warrant_open(struct preload_warrant *warrant, const struct preload_settings *settings,
                         struct ordo_error *error)
{
    (void)settings;
    (void)error;
    pthread_testcancel();
    int *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *page = PRELOAD_STANDS;
    records.opened++;
    *warrant = (struct preload_warrant){.record = page,
                                        .record_bytes = 4096,
                                        .boundary_ticks = records.boundary_ticks,
                                        .tick_hz = HZ,
                                        .void_monotonic_ns = INT64_MAX,
                                        .ordered = true};
    return 0;
}

enum preload_standing preload_warrant_judge(const struct preload_warrant *warrant, int64_t monotonic_ns)
{
    (void)monotonic_ns;
    return (enum preload_standing) * (const volatile int *)warrant->record;
}

void preload_warrant_close(struct preload_warrant *warrant)
{
    (void)munmap((void *)(uintptr_t)warrant->record, warrant->record_bytes);
    if (records.when_closed)
        records.when_closed();
}

static void supersede_record(void)
{
    *(int *)(uintptr_t)state.warrant.record = PRELOAD_REPLACED;
}

static void steer_kernel(uint64_t rate)
{
    kernel.start += (preload_ns32)(kernel.true_time - kernel.since) * kernel.rate;
    kernel.since = kernel.true_time;
    kernel.rate = rate;
}

static int64_t read_after(uint64_t ticks, enum preload_which which)
{
    struct timespec time;
    kernel.true_time += ticks;
    if (!preload_serve(&state, which, &time))
        cr_assert(preload_answer(&state, which, &time) == 0);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static enum preload_phase current_phase(void)
{
    struct preload_slot slot;
    (void)preload_ring_copy(&state.ring, &slot);
    return (enum preload_phase)slot.phase;
}

/* Begins to serve CLOCK_MONOTONIC in the order `ordered`. */
static void begin_service(uint64_t boundary_ticks)
{
    kernel.true_time = UINT64_C(1000000000000);
    kernel.rate = preload_rate_of_hz(HZ);
    kernel.offset_ns[PRELOAD_REALTIME] = INT64_C(1700000000000000000);
    kernel.offset_ns[PRELOAD_BOOTTIME] = 5;
    records.boundary_ticks = boundary_ticks;
    state.settings = (struct preload_settings){.order = PRELOAD_ORDERED, .reopen = true};
    cr_assert(preload_warrant_open(&state.warrant, &state.settings, NULL) == 0);
    cr_assert(preload_begin(&state));
    for (int i = 0; i < 10; i++)
        (void)read_after(100, PRELOAD_MONOTONIC);
    cr_assert(current_phase() == PRELOAD_SERVING && preload_ring_current(&state.ring) > 0);
}

/* Reads until a line is made. */
static void pass_line(void)
{
    const uint64_t index = preload_ring_current(&state.ring);
    for (int i = 0; i < 100 && preload_ring_current(&state.ring) == index; i++)
        (void)read_after(state.length / 16, PRELOAD_MONOTONIC);
}

static int child_status = -1;

/* The child reads for some lines, each of which judges the record. */
static void fork_here(void)
{
    const pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < 5; i++)
            pass_line();
        _exit(0);
    }
    cr_assert(pid > 0 && waitpid(pid, &child_status, 0) == pid);
}

Test(preload_maker, a_child_that_is_forked_while_the_record_changes_has_a_mapped_one)
{
    begin_service(100);
    supersede_record();
    records.when_closed = fork_here;
    pass_line();
    cr_assert(records.opened == 2, "no new record was opened");
    cr_assert(child_status == 0, "the child ended with %d", child_status);
}

static bool has_returned;

static void *read_cancelled(void *unused)
{
    (void)pthread_cancel(pthread_self());
    pass_line();
    has_returned = true;
    pthread_testcancel();
    return unused;
}

Test(preload_maker, a_reading_that_opens_a_record_is_no_cancellation_point)
{
    pthread_t thread;
    void *result;
    begin_service(100);
    supersede_record();
    cr_assert(pthread_create(&thread, NULL, read_cancelled, NULL) == 0);
    cr_assert(pthread_join(thread, &result) == 0);
    cr_assert(has_returned, "the thread ended in a reading");
    cr_assert(result == PTHREAD_CANCELED, "the thread was not cancelled after the reading");
    const uint64_t index = preload_ring_current(&state.ring);
    pass_line();
    cr_assert(preload_ring_current(&state.ring) > index, "no line is made any more");
}

Test(preload_maker, a_suspend_of_some_milliseconds_ends_the_service)
{
    begin_service(100);
    kernel.offset_ns[PRELOAD_BOOTTIME] += 500000; /* less than a suspend can take */
    pass_line();
    cr_assert(current_phase() == PRELOAD_SERVING);
    kernel.offset_ns[PRELOAD_BOOTTIME] += 3000000;
    pass_line();
    cr_assert(current_phase() != PRELOAD_SERVING);
}

/* CLOCK_REALTIME is set again and again, each time by less than a sight is wide. Its answers stay within the bound of
 * doc/run.md. */
Test(preload_maker, many_small_settings_do_not_add_up)
{
    enum { SETTINGS = 1000, SMALL = 40, BOUND = 4000 + 6 * 100 };
    begin_service(100);
    (void)read_after(0, PRELOAD_REALTIME);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < SETTINGS; i++) {
            kernel.offset_ns[PRELOAD_REALTIME] += sign * SMALL;
            pass_line();
            const int64_t answer = read_after(0, PRELOAD_REALTIME);
            const int64_t ahead = answer - preload_kernel_ns(CLOCK_REALTIME);
            cr_assert(ahead <= BOUND && ahead >= -BOUND, "setting %d by %d: %lld ns ahead", i, sign * SMALL,
                      (long long)ahead);
        }
    }
}

Test(preload_maker, the_offset_of_a_slot_is_never_below_the_true_one)
{
    struct preload_slot slot;
    begin_service(100);
    (void)read_after(0, PRELOAD_REALTIME);
    for (int i = 0; i < 100; i++) {
        kernel.offset_ns[PRELOAD_REALTIME] += i % 3 ? 7 : -11;
        pass_line();
        (void)preload_ring_copy(&state.ring, &slot);
        cr_assert_geq(slot.offset_ns[PRELOAD_REALTIME], kernel.offset_ns[PRELOAD_REALTIME]);
        cr_assert_geq(slot.excess_ns[PRELOAD_REALTIME],
                      slot.offset_ns[PRELOAD_REALTIME] - kernel.offset_ns[PRELOAD_REALTIME]);
    }
}

/* The clock is set back once, by less and by more than is seen. */
Test(preload_maker, the_excess_of_an_offset_covers_a_setting_that_was_not_seen)
{
    struct preload_slot slot;
    int unseen = 0;
    begin_service(100);
    (void)read_after(0, PRELOAD_REALTIME);
    for (int back = 1; back < 600; back++) {
        for (int i = 0; i < 2; i++) {
            kernel.offset_ns[PRELOAD_REALTIME] += i ? -back : 1000000;
            pass_line();
        }
        (void)preload_ring_copy(&state.ring, &slot);
        const int64_t ahead = slot.offset_ns[PRELOAD_REALTIME] - kernel.offset_ns[PRELOAD_REALTIME];
        cr_assert(ahead >= 0 && ahead <= slot.excess_ns[PRELOAD_REALTIME], "back by %d: %lld of %lld", back,
                  (long long)ahead, (long long)slot.excess_ns[PRELOAD_REALTIME]);
        unseen += ahead > slot.offset_ns[PRELOAD_REALTIME] - slot.low_ns[PRELOAD_REALTIME];
    }
    cr_assert_gt(unseen, 0, "no setting is below all sights");
}

/* The line lags behind the kernel by the boundary, because the kernel is fast. CLOCK_REALTIME is answered by the kernel
 * until a line knows its offset: [A3] of answer.h. */
Test(preload_maker, an_ordered_answer_by_a_line_is_not_less_than_an_earlier_one_by_the_kernel)
{
    begin_service(30000);
    steer_kernel(kernel.rate + kernel.rate / 10);
    for (int i = 0; i < 2; i++)
        pass_line();
    const uint64_t index = preload_ring_current(&state.ring);
    kernel.true_time = preload_ring_slot(&state.ring, index)->base + preload_line_span(state.length) - 1000;
    const int64_t kernels = read_after(0, PRELOAD_REALTIME);
    cr_assert(preload_ring_current(&state.ring) == index, "the first reading is by the kernel");
    const int64_t lines = read_after(1000, PRELOAD_REALTIME);
    cr_assert(preload_ring_current(&state.ring) == index + 1, "the second one is by a new line");
    cr_assert(lines >= kernels, "%lld ns less", (long long)(kernels - lines));
}
