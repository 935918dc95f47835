/* The shifts of a repair: the least shifts are compared with those of a simple search; and loops prove that no shifts
 * exist. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/random.h"
#include "trace/clocks/unit.h"
#include "trace/correct/shifts.h"

enum { MOST = 8192 };
static const uint64_t many = 1 << 24;

struct system {
    struct ordo_mark all[MOST];
    uint32_t order[MOST], last[8];
    double stretch[8];
    struct ordo_marks marks;
};

static void begin(struct system *of, double stretch)
{
    memset(of, 0, sizeof *of);
    for (int i = 0; i < 8; i++)
        of->stretch[i] = stretch;
    of->marks = (struct ordo_marks){of->all, 1, of->stretch};
}

/* Adds a mark: the next event of a rank. Returns its index. */
static uint32_t add(struct system *of, enum ordo_mark_sort sort, uint32_t rank, int64_t time_ns)
{
    uint32_t mark = (uint32_t)of->marks.count++;
    of->all[mark] = (struct ordo_mark){.time_ns = time_ns, .sort = sort, .rank = rank};
    if (sort == ORDO_MARK_BETWEEN)
        return mark;
    of->all[mark].before = of->last[rank];
    of->all[of->last[rank]].after = of->last[rank] ? mark : 0;
    of->last[rank] = mark;
    return mark;
}

static uint32_t sent(struct system *of, uint32_t rank, int64_t time_ns)
{
    return add(of, ORDO_MARK_CAUSE, rank, time_ns);
}

static uint32_t received(struct system *of, uint32_t rank, int64_t time_ns, uint32_t from)
{
    uint32_t mark = add(of, ORDO_MARK_EFFECT, rank, time_ns);
    of->all[from].effect = mark;
    return mark;
}

static enum ordo_shifts_found find(struct system *of, struct ordo_shifts *shifts)
{
    return ordo_shifts_find(&of->marks, of->order, many, shifts);
}

/* Searches the least shifts: raises a shift for each violated constraint, until no constraint is violated. Returns
 * false if no shifts exist. */
static bool search(struct system *of, double *shifts)
{
    size_t count = of->marks.count;
    for (size_t i = 1; i < count; i++)
        shifts[i] = of->all[i].sort == ORDO_MARK_BETWEEN ? -INFINITY : 0;
    for (size_t round = 0; round <= count; round++) {
        bool changed = false;
        for (size_t i = 1; i < count; i++) {
            const struct ordo_mark *at = &of->all[i];
            uint32_t near[2] = {at->sort == ORDO_MARK_BETWEEN ? 0 : at->before,
                                at->sort == ORDO_MARK_BETWEEN ? 0 : at->after};
            for (uint32_t to = ordo_mark_effect(of->all, (uint32_t)i); to;
                 to = ordo_mark_next_effect(of->all, (uint32_t)i, to)) {
                double asked = shifts[i] + (double)(at->time_ns - of->all[to].time_ns);
                changed |= asked > shifts[to];
                shifts[to] = fmax(shifts[to], asked);
            }
            for (int k = 0; k < 2; k++) {
                double asked = shifts[i] - ordo_mark_fall(of->stretch[at->rank], at->time_ns, of->all[near[k]].time_ns);
                changed |= near[k] && asked > shifts[near[k]];
                shifts[near[k]] = near[k] ? fmax(shifts[near[k]], asked) : 0;
            }
        }
        if (!changed)
            return true;
    }
    return false;
}

/* Makes messages, and collectives of all ranks. Their estimated times are off by up to `off_ns`. Every fifth file is
 * not in order of time. */
static void make(struct system *of, uint64_t *random, int64_t off_ns)
{
    int ranks = 2 + (int)(ordo_random_next(random) % 4);
    begin(of, (double[]){1e-4, 0.01, 0.3}[ordo_random_next(random) % 3]);
    uint32_t sends[64] = {0}, to[64] = {0};
    int64_t now_ns[8] = {0};
    for (int i = 0; i < 120; i++) {
        uint32_t rank = (uint32_t)(ordo_random_next(random) % (uint64_t)ranks);
        int slot = (int)(ordo_random_next(random) % 64);
        int64_t off = (int64_t)(ordo_random_next(random) % (uint64_t)(2 * off_ns + 1)) - off_ns;
        now_ns[rank] = i * 1000 + off > now_ns[rank] ? i * 1000 + off : now_ns[rank];
        if (i % 40 == 39) {
            uint32_t between = 0, begins[8];
            for (uint32_t r = 0; r < (uint32_t)ranks; r++)
                begins[r] = sent(of, r, now_ns[r]);
            between = add(of, ORDO_MARK_BETWEEN, 0, now_ns[0] + 400);
            for (uint32_t r = 0; r < (uint32_t)ranks; r++) {
                of->all[begins[r]].effect = between;
                uint32_t end = add(of, ORDO_MARK_EFFECT, r, now_ns[r] + 500);
                of->all[end].effect = of->all[between].effect;
                of->all[between].effect = end;
            }
        } else if (sends[slot] && to[slot] == rank) {
            (void)received(of, rank, now_ns[rank] - (i % 5 == 0 ? 300 : 0), sends[slot]);
            sends[slot] = 0;
        } else if (!sends[slot]) {
            sends[slot] = sent(of, rank, now_ns[rank]);
            to[slot] = (rank + 1) % (uint32_t)ranks;
        }
    }
}

Test(shifts, the_shifts_are_minimal_unless_a_loop_exists)
{
    uint64_t random = 14;
    int solved = 0, loops = 0;
    for (int i = 0; i < 600; i++) {
        static struct system of;
        static double expected[MOST];
        struct ordo_shifts shifts;
        make(&of, &random, (int64_t[]){0, 30, 3000, 30000}[i % 4]);
        enum ordo_shifts_found found = find(&of, &shifts);
        bool some = search(&of, expected);
        cr_assert_eq(found, some ? ORDO_SHIFTS_LEAST : ORDO_SHIFTS_LOOP, "%d: %d", i, (int)found);
        solved += some;
        loops += !some;
        for (size_t k = 1; some && k < of.marks.count; k++)
            cr_assert(of.all[k].shift_ns == expected[k], "%d: %zu has %g and not %g", i, k, of.all[k].shift_ns,
                      expected[k]);
    }
    cr_assert(solved > 100 && loops > 100, "%d and %d", solved, loops);
}

/* Rank 1, whose clock is 200 ppm too slow, receives 1900 messages. The last receive needs the largest shift, and the
 * shifts of the earlier receives are slightly smaller, one after the other. Rank 1 answers every fifth message, so that
 * rank 0 must be shifted too. The file has rank 1 before rank
 * 0. */
Test(shifts, chains_of_any_length_take_few_sweeps)
{
    static struct system of;
    struct ordo_shifts shifts;
    uint32_t receives[1901], answers[1901];
    begin(&of, 1e-4);
    for (int i = 1; i <= 1900; i++) {
        receives[i] = add(&of, ORDO_MARK_EFFECT, 1, i * 1000000 - i * 200);
        answers[i] = i % 5 == 0 ? sent(&of, 1, i * 1000000 - i * 200 + 300) : 0;
    }
    for (int i = 1; i <= 1900; i++) {
        of.all[sent(&of, 0, i * 1000000)].effect = receives[i];
        if (answers[i])
            (void)received(&of, 0, i * 1000000 + 400000, answers[i]);
    }
    cr_assert_eq(find(&of, &shifts), ORDO_SHIFTS_LEAST);
    cr_assert_leq(shifts.sweeps, 5, "%llu", (unsigned long long)shifts.sweeps);
}

/* A token goes round eight ranks, and arrives 150 ns too early at each hop. The file has one rank after the other. */
Test(shifts, a_chain_over_many_ranks_takes_few_sweeps)
{
    static struct system of;
    struct ordo_shifts shifts;
    enum { ROUNDS = 200, HOPS = 8 * ROUNDS, HOP_NS = 850 };
    static const uint32_t file[8] = {3, 7, 1, 5, 0, 6, 2, 4};
    static uint32_t sends[HOPS + 1], receives[HOPS + 1];
    begin(&of, 0.1);
    for (int i = 0; i < 8; i++)
        for (int hop = (int)file[i]; hop < HOPS; hop += 8) {
            receives[hop] = add(&of, ORDO_MARK_EFFECT, file[i], hop * HOP_NS);
            sends[hop] = sent(&of, file[i], hop * HOP_NS + HOP_NS + 150);
        }
    for (int hop = 0; hop + 1 < HOPS; hop++)
        of.all[sends[hop]].effect = receives[hop + 1];
    cr_assert_eq(find(&of, &shifts), ORDO_SHIFTS_LEAST);
    cr_assert_gt(of.all[receives[HOPS - 1]].shift_ns, 49 * (HOPS - 1));
    cr_assert_leq(shifts.sweeps, 5, "%llu", (unsigned long long)shifts.sweeps);
}

Test(shifts, a_loop_is_distinguished_from_a_too_small_stretch)
{
    static struct system of;
    struct ordo_shifts shifts;
    begin(&of, 0.4); /* each rank sends only after it has received from the other: a loop for any estimates */
    uint32_t of_one = add(&of, ORDO_MARK_EFFECT, 0, 1000), from_one = sent(&of, 0, 5000);
    (void)received(&of, 1, 90000, from_one);
    of.all[sent(&of, 1, 90001)].effect = of_one;
    cr_assert_eq(find(&of, &shifts), ORDO_SHIFTS_LOOP);
    cr_assert(shifts.happens_before);
    cr_assert_neq(of.all[shifts.at].rank, of.all[shifts.other].rank);

    for (int enough = 0; enough < 2; enough++) { /* two messages are received 1 us too early, with 18 us between them */
        begin(&of, enough ? 0.112 : 0.110);
        uint32_t first = sent(&of, 0, 1000000);
        (void)received(&of, 1, 999000, first);
        uint32_t second = sent(&of, 1, 1009000);
        (void)received(&of, 0, 1008000, second);
        cr_assert_eq(find(&of, &shifts), enough ? ORDO_SHIFTS_LEAST : ORDO_SHIFTS_LOOP);
        cr_assert(enough || !shifts.happens_before);
        cr_assert(enough || fabs(shifts.stretch - 2. / 18) < 1e-9, "%g", shifts.stretch);
        cr_assert(enough || fabs(shifts.allowed - 0.110) < 1e-6, "%g", shifts.allowed);
    }
}

/* A send and a receive with equal readings may have happened in the right order within this reading, for any order of
 * the rows. */
Test(shifts, equal_times_imply_no_order)
{
    static struct system of;
    struct ordo_shifts shifts;
    begin(&of, 1e-4);
    uint32_t second = add(&of, ORDO_MARK_EFFECT, 0, 5000), first = sent(&of, 0, 5000);
    (void)received(&of, 1, 5000, first);
    of.all[sent(&of, 1, 5000)].effect = second;
    cr_assert_eq(find(&of, &shifts), ORDO_SHIFTS_LEAST);
}

/* Constraints that go round 400 times. Rank 1 receives a message 6 us before rank 0 sends it, so that its receipt must
 * move 6 us later, and the message that rank 1 sent 10 us before must move 5 us later. Rank 0 receives that message 4
 * us after rank 1 sent it, so that the receipt must move 1 us later: 50 ns remain to ask of the message before. */
Test(shifts, a_search_that_gives_up_reports_no_loop)
{
    static struct system of;
    struct ordo_shifts shifts;
    begin(&of, 0.1);
    for (int64_t now_ns = 20000; now_ns < 20000 + 200 * 21500; now_ns += 21500) {
        uint32_t answer = sent(&of, 1, now_ns - 16000);
        (void)received(&of, 0, now_ns - 12000, answer);
        uint32_t question = sent(&of, 0, now_ns);
        (void)received(&of, 1, now_ns - 6000, question);
    }
    cr_assert_eq(find(&of, &shifts), ORDO_SHIFTS_LEAST);
    cr_assert_gt(shifts.sweeps, 64, "%llu", (unsigned long long)shifts.sweeps);
    cr_assert_eq(ordo_shifts_find(&of.marks, of.order, 0, &shifts), ORDO_SHIFTS_GAVE_UP);
    cr_assert(shifts.sweeps > 64 && shifts.changed > 0);
}

/* The digits of the times show the step of a clock. The unit found is never smaller than the step, and soon equals
 * it. */
Test(shifts, the_estimated_unit_soon_equals_the_clocks_step)
{
    uint64_t random = 16;
    const int64_t steps_ns[] = {1, 3, 40, 100, 1000, 15625000, 1000000000};
    for (size_t i = 0; i < sizeof steps_ns / sizeof *steps_ns; i++) {
        struct ordo_unit unit = {0};
        for (int count = 1; count <= 100; count++) {
            int64_t time_ns = (int64_t)(ordo_random_next(&random) >> 30) - (1 << 30);
            time_ns = time_ns / steps_ns[i] * steps_ns[i];
            ordo_unit_take(&unit, time_ns);
            int64_t step_ns = ordo_unit_step(&unit);
            cr_assert(count == 1 || (step_ns >= steps_ns[i] && step_ns % steps_ns[i] == 0), "%d: %lld", count,
                      (long long)step_ns);
        }
        cr_assert_eq(ordo_unit_step(&unit), steps_ns[i], "%lld", (long long)ordo_unit_step(&unit));
    }
}
