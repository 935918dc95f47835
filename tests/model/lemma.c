/* The lemma, and the promises of calls that follow from it, on every machine of a few CPUs with small skews, and on
 * random larger machines. Every check is repeated with a skew of the boundary plus one tick, and must then fail;
 * otherwise it would check nothing. */
#include <criterion/criterion.h>

#include "model.h"

enum {
    T = 1000, /* a true time */
    LARGEST = 6
};

static bool before_by_more(ordo_time a, ordo_time b, uint64_t boundary)
{
    return a.ticks + boundary < b.ticks; /* does not wrap, because all numbers here are small */
}

struct pair_faults {
    long lemma;    /* the later read was lower by more than B */
    long order;    /* the truly later read was called earlier, or two reads at one moment were ordered */
    long symmetry; /* cmp(a, b) was not -cmp(b, a) */
};

/* Reads on CPU 0 and, after `gap` ticks of true time, on CPU 1. Counts the faults. */
static void check_pair(const struct ordo *o, uint64_t boundary, uint64_t gap, struct pair_faults *faults)
{
    ordo_time x = model_read(o, 0, T), y = model_read(o, 1, T + gap);
    int order = ordo_cmp_time(o, y, x);
    faults->lemma += before_by_more(y, x, boundary);
    faults->order += order == -1 || (order == 1 && gap == 0);
    faults->symmetry += order != -ordo_cmp_time(o, x, y);
}

/* Checks all pairs of skews up to `skew`, of both signs. */
static struct pair_faults check_pairs(uint64_t boundary, uint64_t skew)
{
    struct ordo o = model_handle(boundary);
    struct pair_faults faults = {0};
    model = (struct model_machine){.step = 1};
    for (model.skew[0] = 0; model.skew[0] <= skew; model.skew[0]++)
        for (model.skew[1] = 0; model.skew[1] <= skew; model.skew[1]++)
            for (uint64_t gap = 0; gap <= 3 * skew; gap++)
                check_pair(&o, boundary, gap, &faults);
    return faults;
}

Test(lemma, the_lemma_holds_if_the_skew_is_within_the_boundary)
{
    for (uint64_t boundary = 1; boundary <= 2 * LARGEST; boundary++) {
        struct pair_faults faults = check_pairs(boundary, boundary);
        cr_expect_eq(faults.lemma, 0);
        cr_expect_eq(faults.order, 0);
        cr_expect_eq(faults.symmetry, 0);
    }
}

Test(lemma, the_lemma_fails_if_the_skew_is_one_tick_larger)
{
    for (uint64_t boundary = 1; boundary <= 2 * LARGEST; boundary++) {
        struct pair_faults faults = check_pairs(boundary, boundary + 1);
        cr_expect_gt(faults.lemma, 0);
        cr_expect_gt(faults.order, 0);
        cr_expect_eq(faults.symmetry, 0);
    }
}

typedef ordo_time side_read(const struct ordo *o);

struct side_faults {
    long earlier; /* a read completed before an access was certainly later than the read after it */
    long later;   /* a read begun after an access was certainly earlier than the read before it */
};

/* Makes an access at T. Reads the clock on CPU 0 next to the access, ordered on one side, and on CPU 1 on the other
 * side of the access. Counts the faults. */
static void check_sides(const struct ordo *o, side_read *read, uint64_t gap, struct side_faults *faults)
{
    ordo_time far = model_read(o, 1, T - gap), near;
    model.cpu = 0;
    model.true_time = T;
    near = read(o);
    faults->earlier += ordo_cmp_time(o, far, near) == 1;
    far = model_read(o, 1, T + gap);
    faults->later += ordo_cmp_time(o, far, near) == -1;
}

static struct side_faults check_side(side_read *read, uint64_t skew)
{
    struct ordo o = model_handle(LARGEST);
    struct side_faults faults = {0};
    model = (struct model_machine){.step = 1};
    for (model.skew[0] = 0; model.skew[0] <= skew; model.skew[0]++)
        for (model.skew[1] = 0; model.skew[1] <= skew; model.skew[1]++)
            for (model.late = 0; model.late <= LARGEST; model.late++)
                for (uint64_t gap = 0; gap <= 2 * LARGEST; gap++) {
                    model.early = model.late;
                    check_sides(&o, read, gap, &faults);
                }
    return faults;
}

Test(lemma, the_lemma_holds_only_on_the_ordered_side_of_a_read)
{
    struct side_faults after = check_side(ordo_get_time_after, LARGEST);
    struct side_faults after_full = check_side(ordo_get_time_after_full, LARGEST);
    struct side_faults before = check_side(ordo_get_time_before, LARGEST);
    struct side_faults both = check_side(ordo_get_time, LARGEST);
    cr_expect_eq(after.earlier, 0);
    cr_expect_gt(after.later, 0);
    cr_expect_eq(after_full.earlier, 0);
    cr_expect_gt(after_full.later, 0);
    cr_expect_eq(before.later, 0);
    cr_expect_gt(before.earlier, 0);
    cr_expect_eq(both.earlier, 0);
    cr_expect_eq(both.later, 0);
}

Test(lemma, the_lemma_fails_on_each_side_with_one_tick_more_skew)
{
    cr_expect_gt(check_side(ordo_get_time_after, LARGEST + 1).earlier, 0);
    cr_expect_gt(check_side(ordo_get_time_before, LARGEST + 1).later, 0);
}

struct wait_faults {
    long short_wait; /* returned now <= t + B */
    long long_wait;  /* waited for more than 2B and a step */
    long not_passed; /* when the call returned, some CPU's clock had not passed t */
    long uncertain;  /* a read on some CPU when the call returned was not certainly later than t */
};

/* Takes t on CPU 0; CPU 1 waits until now > t + B + `extra`; CPU 2 reads its clock at that moment. */
static void check_wait(const struct ordo *o, uint64_t boundary, uint64_t extra, struct wait_faults *faults)
{
    ordo_time t = model_read(o, 0, T);
    model.cpu = 1;
    model.true_time = T;
    ordo_time now = ordo_new_time(o, ordo_time_add(t, extra));
    faults->short_wait += !before_by_more(t, now, boundary + extra);
    faults->long_wait += model.read_at - T > 2 * boundary + extra + model.step;
    for (int cpu = 0; cpu < 3; cpu++) {
        faults->not_passed += model_shows(cpu).ticks <= t.ticks;
        faults->uncertain += ordo_cmp_time(o, model_shows(cpu), t) != 1;
    }
}

static struct wait_faults check_waits(uint64_t boundary, uint64_t skew, uint64_t extra)
{
    struct ordo o = model_handle(boundary);
    struct wait_faults faults = {0};
    model = (struct model_machine){0};
    for (model.step = 1; model.step <= 3; model.step++)
        for (model.skew[0] = 0; model.skew[0] <= skew; model.skew[0]++)
            for (model.skew[1] = 0; model.skew[1] <= skew; model.skew[1]++)
                for (model.skew[2] = 0; model.skew[2] <= skew; model.skew[2]++)
                    check_wait(&o, boundary, extra, &faults);
    return faults;
}

Test(lemma, every_clock_has_passed_t_when_new_time_of_t_returns)
{
    for (uint64_t boundary = 1; boundary <= LARGEST; boundary++) {
        struct wait_faults faults = check_waits(boundary, boundary, 0);
        cr_expect_eq(faults.short_wait, 0);
        cr_expect_eq(faults.long_wait, 0);
        cr_expect_eq(faults.not_passed, 0);
        cr_expect_gt(faults.uncertain, 0, "a wait of B makes later reads certain: no caller would have to wait 2B");
    }
}

Test(lemma, reads_after_new_time_of_t_plus_b_are_certainly_later)
{
    for (uint64_t boundary = 1; boundary <= LARGEST; boundary++) {
        struct wait_faults faults = check_waits(boundary, boundary, boundary);
        cr_expect_eq(faults.short_wait, 0);
        cr_expect_eq(faults.long_wait, 0);
        cr_expect_eq(faults.not_passed, 0);
        cr_expect_eq(faults.uncertain, 0);
    }
}

Test(lemma, new_time_returns_too_early_if_the_skew_is_too_large)
{
    for (uint64_t boundary = 1; boundary <= LARGEST; boundary++) {
        cr_expect_gt(check_waits(boundary, boundary + 1, 0).not_passed, 0);
        cr_expect_gt(check_waits(boundary, boundary + 1, 0).long_wait, 0);
        cr_expect_gt(check_waits(boundary, boundary + 1, boundary).uncertain, 0);
    }
}

/* The witness: t = 100 is read on the slow CPU. The fast CPU is ahead by exactly B = 10, and waits for 111, which it
 * shows one tick later. The clock of the slow CPU has then passed t by one tick. */
Test(lemma, a_waiter_that_is_ahead_by_b_waits_just_long_enough)
{
    struct ordo o = model_handle(10);
    model = (struct model_machine){.step = 1, .skew = {0, 10}};
    ordo_time t = model_read(&o, 0, 100);
    model.cpu = 1;
    model.true_time = 100;
    cr_expect_eq(ordo_new_time(&o, t).ticks, 111);
    cr_expect_eq(model_shows(0).ticks, 101);
    cr_expect_eq(ordo_cmp_time(&o, model_shows(0), t), 0);
    model.true_time = 100;
    cr_expect_eq(ordo_new_time(&o, ordo_time_add(t, 10)).ticks, 121);
    cr_expect_eq(model_shows(0).ticks, 111);
    cr_expect_eq(ordo_cmp_time(&o, model_shows(0), t), 1);
}

/* The other sign: t = 110 is read on the fast CPU. The slow CPU has the longest possible wait, 2B and a step. */
Test(lemma, a_waiter_that_is_behind_by_b_waits_longest)
{
    struct ordo o = model_handle(10);
    model = (struct model_machine){.step = 1, .skew = {10, 0}};
    ordo_time t = model_read(&o, 0, 100);
    model.cpu = 1;
    model.true_time = 100;
    cr_expect_eq(ordo_new_time(&o, t).ticks, 121);
    cr_expect_eq(model.read_at, 121);
    cr_expect_eq(ordo_cmp_time(&o, model_shows(0), t), 1);
}

enum { EVENTS = 120 };

struct event {
    uint64_t from, to; /* true times of its begin and end */
    ordo_time time;
};

/* Makes an event of a thread that migrates at random, and that takes its time by a random call. */
static struct event random_event(const struct ordo *o, uint64_t *seed, const struct event *earlier)
{
    struct event event;
    model.cpu = (int)(model_random(seed) % MODEL_CPUS);
    model.step = 1 + model_random(seed) % (1 + ordo_boundary(o) / 16);
    model.true_time += model_random(seed) % 3 * (model_random(seed) % (2 * ordo_boundary(o)));
    event.from = model.true_time;
    switch (model_random(seed) % 4) {
    case 0:
        event.time = ordo_get_time(o);
        break;
    case 1:
        event.time = ordo_get_time_full(o);
        break;
    case 2:
        event.time = ordo_get_time_relaxed(o);
        break;
    default:
        event.time = ordo_new_time(o, earlier->time);
        cr_assert_eq(ordo_cmp_time(o, event.time, earlier->time), 1);
    }
    event.to = model.read_at;
    return event;
}

static void check_events(const struct ordo *o, const struct event *a, const struct event *b)
{
    int order = ordo_cmp_time(o, b->time, a->time);
    cr_assert_eq(order, -ordo_cmp_time(o, a->time, b->time));
    if (order == 1)
        cr_assert_gt(b->to, a->to);
    if (b->from >= a->to) {
        cr_assert_neq(order, -1);
        cr_assert(b->time.ticks >= a->time.ticks || a->time.ticks - b->time.ticks <= ordo_boundary(o));
    }
}

static void run_random_schedule(uint64_t seed)
{
    static struct event events[EVENTS];
    uint64_t boundary = 1 + (model_random(&seed) >> (24 + model_random(&seed) % 40));
    struct ordo o = model_handle(boundary);
    model = (struct model_machine){.true_time = model_random(&seed) >> (1 + model_random(&seed) % 32)};
    for (int cpu = 0; cpu < MODEL_CPUS; cpu++)
        model.skew[cpu] = model_random(&seed) % 4 ? model_random(&seed) % (boundary + 1) : boundary;
    events[0] = (struct event){model.true_time, model.true_time, ordo_get_time(&o)};
    for (int i = 1; i < EVENTS; i++) {
        events[i] = random_event(&o, &seed, &events[(int)(model_random(&seed) % (uint64_t)i)]);
        for (int j = 0; j < i; j++)
            check_events(&o, &events[j], &events[i]);
    }
}

Test(lemma, the_lemma_holds_in_random_schedules)
{
    for (uint64_t seed = 1; seed <= 500; seed++)
        run_random_schedule(seed);
}
