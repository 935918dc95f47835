/* The protocol of Ordo (EuroSys 2018, Figure 3): in each run the reader clears the line and says READY, the writer
 * writes its clock into it, and the reader takes its own clock minus what it read. The smallest of many runs is
 * the one that was delayed least.
 *
 * Why a delta is at least the offset, clock(reader) - clock(writer), in every run:
 *   - the writer's clock is read before the line is written: the value stored depends on it;
 *   - the line is written before it is read: the reader saw that very value;
 *   - the line is read before the reader's clock: ordo_clock_read performs earlier loads first.
 * So the reader's clock was read later, in true time, than the writer's; the delay only adds.
 *
 * READY is the number of the run, so that no barrier is needed between runs: a line that comes back is the answer
 * to this run and no other. */
#include "calibrate/measure/pair.h"

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>

#include <ordo/clock.h>

#include "machine/clock/source.h"

enum { SPINS_BEFORE_YIELD = 1 << 14, PATIENCE_SECONDS = 10 };

#define PHASE_OVER UINT64_MAX

static uint64_t patience_of(const struct ordo_pair *pair)
{
    return pair->patience_ns ? pair->patience_ns : (uint64_t)PATIENCE_SECONDS * 1000000000u;
}

/* Called while waiting for the other side: spins at first, then lets others run (the other thread may need this very
 * CPU), and in the end gives up for both. */
static bool patient(struct ordo_pair *pair, unsigned *spins, uint64_t *since_ns)
{
    if (++*spins < SPINS_BEFORE_YIELD)
        return true;
    if (*spins % 64 == 0) {
        uint64_t now_ns = ordo_clock_system_ns(CLOCK_MONOTONIC);
        if (*since_ns == 0)
            *since_ns = now_ns;
        if (now_ns - *since_ns > patience_of(pair))
            atomic_store_explicit(&pair->gave_up, 1, memory_order_relaxed);
    }
    (void)sched_yield();
    return !atomic_load_explicit(&pair->gave_up, memory_order_relaxed);
}

/* Until the line holds a time, which is returned; 0 when out of patience. */
static uint64_t await_clock(struct ordo_pair *pair, struct ordo_pair_line *line)
{
    unsigned spins = 0;
    uint64_t since_ns = 0, sent;
    /* Acquire, pairs with write_side's release: orders this run's answer before the next run's clearing. */
    while ((sent = atomic_load_explicit(&line->clock, memory_order_acquire)) == 0)
        if (!patient(pair, &spins, &since_ns))
            return 0;
    return sent;
}

/* Until the reader is ready for `run` or has finished; false when it has, or when out of patience. */
static bool await_phase(struct ordo_pair *pair, struct ordo_pair_line *line, uint64_t run)
{
    unsigned spins = 0;
    uint64_t since_ns = 0, phase;
    /* Acquire, pairs with read_side's release: the cleared line is visible before it is written again. */
    while ((phase = atomic_load_explicit(&line->phase, memory_order_acquire)) < run)
        if (!patient(pair, &spins, &since_ns))
            return false;
    return phase != PHASE_OVER;
}

/* The claim is not part of the protocol. It makes this core fetch the line for writing while it reads its clock, rather
 * than between its clock and the reader's: the smallest delta is then a transfer shorter, and steadier. */
static void write_side(struct ordo_pair *pair, struct ordo_pair_line *line)
{
    for (uint64_t run = 1; await_phase(pair, line, run); run++) {
        atomic_store_explicit(&line->claim, run, memory_order_relaxed);
        /* Release, pairs with await_clock: see there. */
        atomic_store_explicit(&line->clock, ordo_clock_read(), memory_order_release);
    }
}

struct best {
    int64_t delta;
    uint64_t sent, received, runs;
};

static struct best read_side(struct ordo_pair *pair, struct ordo_pair_line *line, struct ordo_pair_runs runs)
{
    struct best best = {.delta = INT64_MAX};
    uint64_t moved = 0; /* the run in which the minimum last moved */
    for (uint64_t run = 1; run <= runs.runs; run++) {
        atomic_store_explicit(&line->clock, 0, memory_order_relaxed);
        /* Release, pairs with await_phase: the cleared line becomes visible with the phase. */
        atomic_store_explicit(&line->phase, run, memory_order_release);
        uint64_t sent = await_clock(pair, line);
        uint64_t received = ordo_clock_read();
        if (sent == 0)
            break;
        int64_t delta = (int64_t)(received - sent);
        if (delta < best.delta) {
            best = (struct best){delta, sent, received, 0};
            moved = run;
        }
        best.runs = run;
        if (runs.settle && run - moved >= runs.settle)
            break;
    }
    /* Release, pairs with await_phase: nothing but the end itself. */
    atomic_store_explicit(&line->phase, PHASE_OVER, memory_order_release);
    return best;
}

static int outcome(struct ordo_pair *pair, struct ordo_error *error)
{
    if (atomic_load_explicit(&pair->gave_up, memory_order_relaxed))
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "the other CPU did not answer for %g s",
                              (double)patience_of(pair) / 1e9);
    return ORDO_OK;
}

int ordo_pair_measure_a(struct ordo_pair *pair, struct ordo_pair_runs runs, struct ordo_error *error)
{
    write_side(pair, &pair->ab);
    struct best best = read_side(pair, &pair->ba, runs);
    pair->visit.delta_ba = best.delta;
    pair->visit.at_ba = best.received;
    pair->runs_ba = best.runs;
    return outcome(pair, error);
}

int ordo_pair_measure_b(struct ordo_pair *pair, struct ordo_pair_runs runs, struct ordo_error *error)
{
    struct best best = read_side(pair, &pair->ab, runs);
    write_side(pair, &pair->ba);
    pair->visit.delta_ab = best.delta;
    pair->visit.at_ab = best.sent;
    pair->runs_ab = best.runs;
    return outcome(pair, error);
}
