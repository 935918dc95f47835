/* Two threads, A and B, write readings of their clocks into one cache line in turns. Each reading answers the previous
 * one: a thread reads its own clock after it has read the line, so later in true time than the other thread read its
 * clock. If the later reading is smaller, the difference is a step back that only the clocks explain. The readings in
 * both directions bound the offset from both sides.
 *
 *  [C1] The reading is made before it is written, because the stored value depends on it.
 *  [C2] The reading is made after the line was read. The reading of a source may be unordered, so a reading of the
 *       counter comes first: earlier loads are performed before the counter is read, and no later instruction starts
 *       before that (<ordo/clock.h>).
 *  [C3] The number of the turn is stored last, and belongs to the reading in the same line. */
#include "machine/comparison/across.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ordo/clock.h>

#include "base/gang.h"
#include "base/minmax.h"
#include "base/time.h"

/* The other thread runs on another CPU, so it does not wait for this CPU. A delay of about 100 us is common. */
enum { SPINS_BEFORE_NAP = 1 << 18, NAP_NS = 50000, PATIENCE_S = 30 };

struct line {
    _Alignas(128) _Atomic uint64_t turn; /* number of the last message, beginning with 1 */
    uint64_t reading;                    /* the reading in the message */
    bool last;                           /* this is the last message about this clock; only its answer follows */
    _Alignas(128) _Atomic int gave_up;
};

struct work {
    const struct ordo_topology *topology;
    unsigned cpus[2];
    const struct ordo_clock_source *const *sources;
    int count, exchanges;
    int64_t most_ns;
    struct line *lines; /* one for each clock */
    struct ordo_across_look *looks;
};

/* Makes one step of a wait for the other thread: spins at first, then naps, and finally gives up. False: this thread or
 * the other one has given up. (Not sched_yield: on Linux 6.18 a thread that yields over and over next to busy programs
 * is not scheduled again for seconds.) */
static bool patient(struct line *line, unsigned *spins, uint64_t *since_ns)
{
    if (++*spins < SPINS_BEFORE_NAP)
        return true;
    if (*spins % 64 == 0) {
        uint64_t now_ns = ordo_clock_system_ns(CLOCK_MONOTONIC_RAW);
        *since_ns = *since_ns ? *since_ns : now_ns;
        if (now_ns - *since_ns > PATIENCE_S * UINT64_C(1000000000))
            atomic_store_explicit(&line->gave_up, 1, memory_order_relaxed);
    }
    ordo_sleep_ns(NAP_NS);
    return !atomic_load_explicit(&line->gave_up, memory_order_relaxed);
}

static bool await_turn_of(struct line *line, uint64_t turn)
{
    unsigned spins = 0;
    uint64_t since_ns = 0;
    /* Acquire, pairs with answer_turn: the reading of that turn is visible. */
    while (atomic_load_explicit(&line->turn, memory_order_acquire) < turn)
        if (!patient(line, &spins, &since_ns))
            return false;
    return true;
}

static uint64_t read_after(const struct ordo_clock_source *source)
{
    if (source->unit_hz)
        (void)ordo_clock_read(); /* [C2]; not needed before a reading of the counter itself */
    return ordo_clock_source_call(source);
}

static void answer_turn(struct line *line, uint64_t turn, uint64_t reading, bool last)
{
    line->reading = reading; /* [C1] */
    line->last = last;
    /* Release, pairs with await_turn_of: the reading becomes visible with its turn. [C3] */
    atomic_store_explicit(&line->turn, turn, memory_order_release);
}

/* True if the time of one look is used up. The look at the counter gets more time if no message came back quickly:
 * other programs are then running on these CPUs, and the result depends mostly on the counter. */
static bool is_over(const struct work *work, const struct ordo_clock_source *source, int64_t quickest, int64_t begin_ns)
{
    enum { QUICK_TICKS = 100000, TIMES_LONGER = 20 };
    bool again = source->unit_hz == 0 && quickest > QUICK_TICKS;
    int64_t spent_ns = (int64_t)ordo_clock_system_ns(CLOCK_MONOTONIC_RAW) - begin_ns;
    return spent_ns > work->most_ns * (again ? TIMES_LONGER : 1);
}

/* Runs thread A, which takes the odd turns. Ends after the given number of exchanges, or when the time is up. */
static bool lead(const struct work *work, int clock)
{
    struct line *line = &work->lines[clock];
    struct ordo_across_look *look = &work->looks[clock];
    const struct ordo_clock_source *source = work->sources[clock];
    int64_t best = INT64_MAX, quickest = INT64_MAX, begin_ns = (int64_t)ordo_clock_system_ns(CLOCK_MONOTONIC_RAW);
    bool last = false;
    for (uint64_t turn = 1; !last; turn += 2) {
        last = turn + 2 > 2 * (uint64_t)work->exchanges || is_over(work, source, quickest, begin_ns);
        uint64_t asked = read_after(source);
        answer_turn(line, turn, asked, last);
        if (!await_turn_of(line, turn + 1))
            return false;
        uint64_t sent = line->reading, received = read_after(source);
        quickest = ordo_min(quickest, (int64_t)(received - asked));
        if ((int64_t)(received - sent) < best) {
            best = (int64_t)(received - sent);
            look->visit.delta_ba = look->visit.ceiling_ba = best;
            look->visit.at_ba = received;
        }
        look->messages = turn + 1;
    }
    return true;
}

/* Runs thread B, which takes the even turns. */
static bool follow_turns(const struct work *work, int clock)
{
    struct line *line = &work->lines[clock];
    struct ordo_visit *visit = &work->looks[clock].visit;
    int64_t best = INT64_MAX;
    bool last = false;
    for (uint64_t turn = 2; !last; turn += 2) {
        if (!await_turn_of(line, turn - 1))
            return false;
        uint64_t sent = line->reading, received = read_after(work->sources[clock]);
        last = line->last;
        answer_turn(line, turn, received, last);
        if ((int64_t)(received - sent) < best) {
            best = (int64_t)(received - sent);
            visit->delta_ab = visit->ceiling_ab = best;
            visit->at_ab = sent;
        }
    }
    return true;
}

static int pin_one(void *context, int index, struct ordo_error *error)
{
    const struct work *work = context;
    return ordo_topology_pin(work->topology, work->cpus[index], error);
}

static int look_at_clocks(void *context, int index, struct ordo_error *error)
{
    const struct work *work = context;
    for (int clock = 0; clock < work->count; clock++)
        if (!(index == 0 ? lead(work, clock) : follow_turns(work, clock)))
            return ordo_error_set(error, ORDO_E_MEASURE, 0, "cpu %u: did not answer cpu %u for %d s",
                                  work->cpus[!index], work->cpus[index], PATIENCE_S);
    return ordo_topology_check_pinned(work->topology, work->cpus[index], error);
}

int ordo_across_look(const struct ordo_topology *topology, unsigned a, unsigned b,
                     const struct ordo_clock_source *const *sources, int count, int exchanges, int64_t most_ns,
                     struct ordo_across_look *looks, struct ordo_error *error)
{
    size_t bytes = (size_t)count * sizeof(struct line);
    struct work work = {topology, {a, b}, sources, count, exchanges, most_ns, NULL, looks};
    memset(looks, 0, (size_t)count * sizeof *looks);
    work.lines = ordo_topology_alloc(topology, a, bytes, error);
    if (!work.lines)
        return ORDO_E_SYSTEM;
    int code = ordo_gang_run(2, pin_one, look_at_clocks, &work, error);
    ordo_topology_free(topology, work.lines, bytes);
    return code;
}
