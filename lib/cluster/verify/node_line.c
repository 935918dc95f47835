/* Why the bounds hold: rank a reads its clock before it stores the reading in the line, because the stored value is the
 * reading. Rank b sees the reading before it reads its own clock, because ordo_node_read performs earlier loads first.
 * So b's reading minus a's reading is the offset b - a plus a delay >= 0. The way back is symmetric. */
#include "cluster/verify/node_line.h"

#include <ordo/clock.h>

#include "base/time.h"

enum { SPINS = 1 << 16, NAP_NS = 20000, EXCHANGE_BITS = 24 };

#define OVER ((UINT64_C(1) << EXCHANGE_BITS) - 1)

/* Waits until the line has a number >= `number`. Returns the number that the line has, or 0 if a rank has given up. The
 * rank spins, and then sleeps, but does not yield: a thread that yields a busy CPU loses its share of the CPU, and may
 * then wait for seconds; a thread that sleeps keeps its share. */
static uint64_t await_number(const struct ordo_node_visit *visit, struct ordo_node_line *line, uint64_t number)
{
    uint64_t seen;
    ordo_node_wait_begin(visit->waiter);
    /* Acquire, pairs with send_reading's release: the reading with this number is visible. */
    for (unsigned waits = 0; (seen = atomic_load_explicit(&line->sequence, memory_order_acquire)) < number; waits++)
        if (waits >= SPINS && !ordo_node_nap(visit->waiter, NAP_NS))
            return 0;
    return seen;
}

/* Reads the clock. `*last` is the previous reading, 0 for none, and becomes this one. If the clock ran backwards
 * between the two, records the largest such step. */
static uint64_t read_on(const struct ordo_node_visit *visit, const struct ordo_node_clock *clock, uint64_t *last)
{
    uint64_t now = ordo_node_read(clock);
    int64_t back = (int64_t)(*last - now);
    if (*last && back > *visit->back_units)
        *visit->back_units = back;
    return *last = now;
}

/* Reads the clock, sends the reading with `number`, and returns the reading. The store to `claim` only fetches the line
 * for writing before the clock is read, so that the delay after the reading is shorter; no rank reads `claim`. */
static uint64_t send_reading(const struct ordo_node_visit *visit, struct ordo_node_line *line,
                             const struct ordo_node_clock *clock, uint64_t number, uint64_t *last)
{
    atomic_store_explicit(&line->claim, number, memory_order_relaxed);
    uint64_t reading = read_on(visit, clock, last);
    atomic_store_explicit(&line->reading, reading, memory_order_relaxed);
    /* Release, pairs with await_number's acquire: the reading is visible. */
    atomic_store_explicit(&line->sequence, number, memory_order_release);
    return reading;
}

/* Plays the part of the lower rank. Makes at least LEAST exchanges, even after visit_ns: if a rank has to wait for its
 * CPU, one exchange is spoiled, but not the next ones. */
bool ordo_node_visit_a(const struct ordo_node_visit *visit, const struct ordo_node_clock *clock)
{
    enum { LEAST = 10 };
    uint64_t first = visit->number << EXCHANGE_BITS, last = 0;
    int64_t end_ns = ordo_raw_ns() + visit->visit_ns;
    if (!visit->again)
        visit->result->delta_ba = INT64_MAX;
    for (uint64_t i = 1; i <= (uint64_t)visit->exchanges && (i <= LEAST || ordo_raw_ns() < end_ns); i++) {
        (void)send_reading(visit, visit->to, clock, first + i, &last);
        if (await_number(visit, visit->back, first + i) == 0)
            return false;
        uint64_t now = read_on(visit, clock, &last);
        int64_t delta = (int64_t)(now - atomic_load_explicit(&visit->back->reading, memory_order_relaxed));
        if (delta < visit->result->delta_ba) {
            visit->result->delta_ba = visit->result->ceiling_ba = delta;
            visit->result->at_ba = now;
        }
    }
    /* Release, pairs with await_number's acquire. It tells b that the visit is over; no reading is sent. */
    atomic_store_explicit(&visit->to->sequence, first + OVER, memory_order_release);
    return true;
}

bool ordo_node_visit_b(const struct ordo_node_visit *visit, const struct ordo_node_clock *clock)
{
    uint64_t first = visit->number << EXCHANGE_BITS, last = 0, seen;
    if (!visit->again)
        visit->result->delta_ab = INT64_MAX;
    for (uint64_t i = 1; (seen = await_number(visit, visit->to, first + i)) == first + i; i++) {
        uint64_t sent = atomic_load_explicit(&visit->to->reading, memory_order_relaxed);
        uint64_t now = send_reading(visit, visit->back, clock, first + i, &last);
        int64_t delta = (int64_t)(now - sent);
        if (delta < visit->result->delta_ab) {
            visit->result->delta_ab = visit->result->ceiling_ab = delta;
            visit->result->at_ab = sent;
        }
    }
    return seen != 0;
}
