#include "world.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#include <ordo/clock.h>

#include "preload/kernel.h"
#include "preload/look.h"
#include "preload/pace.h"
#include "preload/record.h"

__thread uint64_t skewed_clock_ticks, skewed_clock_range, skewed_clock_reads;
uint64_t skewed_clock_latest;
int skewed_clock_agree;
__thread void (*skewed_clock_meanwhile)(void);

int world_standing, world_reopens;
uint64_t world_boundary_ticks, world_tick_hz, world_slow_ticks;

/* The states, and twice the index of the newest one, plus 1 while the next one is made. Readers then wait, as they do in the
 * kernel: a reader that used the old state after the new one's base would see the clock run back. */
enum { STATES = 64 };
static struct world_state states[STATES];
static uint64_t current;

uint64_t world_ticks(void)
{
    return skewed_clock_native_read();
}

/* Copies a state word by word, because a reader may be slow and see the state of a later index: then it begins anew. */
static void copy_state(struct world_state *to, const struct world_state *from)
{
    typedef uint64_t __attribute__((may_alias)) word;
    for (size_t i = 0; i < sizeof *to / sizeof(word); i++)
        __atomic_store_n((word *)to + i, __atomic_load_n((const word *)from + i, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
}

/* Copies the newest state, and returns `current`. */
static uint64_t take_newest(struct world_state *state)
{
    uint64_t index;
    while ((index = __atomic_load_n(&current, __ATOMIC_SEQ_CST)) & 1)
        (void)sched_yield();
    copy_state(state, &states[index / 2 % STATES]);
    return index;
}

static int64_t time_in(const struct world_state *state, enum preload_which which, uint64_t t)
{
    const preload_ns32 ticks = t > state->base ? t - state->base : 0;
    if (which == PRELOAD_RAW)
        return preload_ns_of(state->raw_ns + ticks * state->raw_rate);
    return preload_ns_of(state->ns + ticks * state->rate) + state->offset_ns[which];
}

/* Begins anew if the state has changed: the counter may have been read after the new state's base. */
int64_t world_ns(enum preload_which which)
{
    for (;;) {
        struct world_state state;
        const uint64_t index = take_newest(&state);
        const int64_t ns = time_in(&state, which, world_ticks());
        if (index == __atomic_load_n(&current, __ATOMIC_SEQ_CST))
            return ns;
    }
}

/* Stops the readers, and returns the newest state, moved to the present. */
static struct world_state prepare_state(void)
{
    struct world_state old;
    (void)take_newest(&old);
    (void)__atomic_fetch_add(&current, 1, __ATOMIC_SEQ_CST);
    struct world_state next = old;
    next.base = skewed_clock_native_read_full(); /* after the store */
    const preload_ns32 ticks = next.base - old.base;
    next.ns = old.ns + ticks * old.rate;
    next.raw_ns = old.raw_ns + ticks * old.raw_rate;
    return next;
}

static void publish_state(const struct world_state *state)
{
    copy_state(&states[(current / 2 + 1) % STATES], state);
    (void)__atomic_fetch_add(&current, 1, __ATOMIC_SEQ_CST);
}

void world_begin(uint64_t tick_hz)
{
    struct world_state next = {0};
    world_tick_hz = tick_hz;
    next.base = world_ticks();
    next.ns = preload_ns32_of(INT64_C(5000000000000));
    next.raw_ns = preload_ns32_of(INT64_C(4000000000000));
    next.rate = next.raw_rate = preload_rate_of_hz(tick_hz);
    next.offset_ns[PRELOAD_REALTIME] = INT64_C(1700000000123456789);
    next.offset_ns[PRELOAD_BOOTTIME] = INT64_C(77000000001);
    next.offset_ns[PRELOAD_TAI] = INT64_C(1700000037123456789);
    world_standing = PRELOAD_STANDS;
    current++;
    publish_state(&next);
}

void world_steer(int64_t ppm)
{
    struct world_state next = prepare_state();
    const int64_t nominal = (int64_t)preload_rate_of_hz(world_tick_hz);
    next.rate = (uint64_t)(nominal + nominal / 1000000 * ppm);
    publish_state(&next);
}

void world_set(int64_t ns)
{
    struct world_state next = prepare_state();
    next.offset_ns[PRELOAD_REALTIME] += ns;
    next.offset_ns[PRELOAD_TAI] += ns;
    publish_state(&next);
}

static void wait_ticks(uint64_t ticks)
{
    const uint64_t begun = world_ticks();
    while (world_ticks() - begun < ticks) {
    }
}

/* The kernel as the preload sees it. A slow kernel reads its clock at any moment of a call. Sometimes other threads run in
 * the middle of a call. */
static __thread unsigned calls;

int64_t preload_kernel_ns(clockid_t clock)
{
    for (int i = 0; i < PRELOAD_CLOCKS; i++)
        if (preload_clock_id((enum preload_which)i) == clock) {
            const uint64_t before = world_slow_ticks ? calls * UINT64_C(0x9e3779b97f4a7c15) % world_slow_ticks : 0;
            wait_ticks(before);
            const int64_t ns = world_ns((enum preload_which)i);
            wait_ticks(world_slow_ticks - before);
            if (++calls % 61 == 0)
                (void)sched_yield();
            return ns;
        }
    return -1;
}

int preload_kernel_gettime(clockid_t clock, struct timespec *time)
{
    const int64_t ns = preload_kernel_ns(clock);
    if (ns < 0)
        return -EINVAL;
    time->tv_sec = ns / 1000000000;
    time->tv_nsec = ns % 1000000000;
    return 0;
}

int preload_kernel_wipe_on_fork(void *page, unsigned long bytes)
{
    (void)page;
    (void)bytes;
    return 0;
}

int preload_warrant_open(struct preload_warrant *warrant, const struct preload_settings *settings,
                         struct ordo_error *error)
{
    (void)settings;
    (void)error;
    if (!__atomic_load_n(&world_reopens, __ATOMIC_RELAXED))
        return ORDO_E_SUPERSEDED;
    __atomic_store_n(&world_standing, PRELOAD_STANDS, __ATOMIC_RELAXED);
    *warrant = (struct preload_warrant){.boundary_ticks = world_boundary_ticks,
                                        .tick_hz = world_tick_hz,
                                        .void_monotonic_ns = INT64_MAX,
                                        .ordered = true};
    return 0;
}

enum preload_standing preload_warrant_judge(const struct preload_warrant *warrant, int64_t monotonic_ns)
{
    (void)warrant;
    (void)monotonic_ns;
    return (enum preload_standing)__atomic_load_n(&world_standing, __ATOMIC_RELAXED);
}

void preload_warrant_close(struct preload_warrant *warrant)
{
    (void)warrant;
}
