/* Two rules for algorithms that use these times: how long a commit waits before it writes back in place, and which
 * versions are garbage. Each is tested together with a weaker rule that only looks right. */
#include <criterion/criterion.h>

#include "model.h"

enum {
    T = 1000, /* a true time */
    LARGEST = 5
};

typedef long count_torn(const struct ordo *o, uint64_t boundary);

static long over_all_skews_of_two(uint64_t boundary, uint64_t skew, count_torn *count)
{
    struct ordo o = model_handle(boundary);
    long torn = 0;
    model = (struct model_machine){.step = 1};
    for (model.skew[0] = 0; model.skew[0] <= skew; model.skew[0]++)
        for (model.skew[1] = 0; model.skew[1] <= skew; model.skew[1]++)
            torn += count(&o, boundary);
    return torn;
}

/* A writer on CPU 0 commits at W, waits, and then writes back. A reader on CPU 1 that began after the wait, but is not
 * certainly after W, still reads the master copy at the same time. */
static long torn_after(const struct ordo *o, ordo_time commit, ordo_time wait_for)
{
    model.cpu = 0;
    model.true_time = T;
    (void)ordo_new_time(o, wait_for);
    return ordo_cmp_time(o, model_shows(1), commit) != 1;
}

static long commit_waits_for_b(const struct ordo *o, uint64_t boundary)
{
    ordo_time commit = model_read(o, 0, T);
    (void)boundary;
    return torn_after(o, commit, commit);
}

static long commit_waits_for_2b(const struct ordo *o, uint64_t boundary)
{
    ordo_time commit = model_read(o, 0, T);
    return torn_after(o, commit, ordo_time_add(commit, boundary));
}

/* The exact alternative: W = now + B, compared as a plain number, and a wait until now > W + B. A reader that begins
 * before the wait ends may be on either side of W; a reader after W must really have begun after the commit. */
static long commit_stamps_now_plus_b(const struct ordo *o, uint64_t boundary)
{
    long torn = 0;
    ordo_time commit = ordo_time_add(model_read(o, 0, T), boundary);
    for (uint64_t back = 0; back <= 3 * boundary; back++)
        torn += model_read(o, 1, T - back).ticks > commit.ticks;
    model.cpu = 0;
    model.true_time = T;
    (void)ordo_new_time(o, commit);
    return torn + (model_shows(1).ticks <= commit.ticks);
}

Test(commit, a_commit_waits_for_twice_the_boundary)
{
    for (uint64_t boundary = 1; boundary <= LARGEST; boundary++) {
        cr_expect_gt(over_all_skews_of_two(boundary, boundary, commit_waits_for_b), 0);
        cr_expect_eq(over_all_skews_of_two(boundary, boundary, commit_waits_for_2b), 0);
        cr_expect_eq(over_all_skews_of_two(boundary, boundary, commit_stamps_now_plus_b), 0);
        cr_expect_gt(over_all_skews_of_two(boundary, boundary + 1, commit_waits_for_2b), 0);
        cr_expect_gt(over_all_skews_of_two(boundary, boundary + 1, commit_stamps_now_plus_b), 0);
    }
}

/* True if a version that was overwritten at `end` is unlinked, by the rule end < min(oldest reader, now) - slack. */
static bool is_garbage(ordo_time end, ordo_time oldest, ordo_time now, uint64_t slack)
{
    uint64_t least = oldest.ticks < now.ticks ? oldest.ticks : now.ticks;
    return least > slack && end.ticks < least - slack;
}

/* True if a reader needs the old version: unless its own time is certainly after the version's end. */
static bool needs_old(const struct ordo *o, ordo_time reader, ordo_time end)
{
    return ordo_cmp_time(o, reader, end) != 1;
}

/* B = 10. A version ended at 0, an active reader on the fast CPU has time 11, a new reader on the slow CPU has time
 * 2. */
static bool example_is_torn(uint64_t slack)
{
    struct ordo o = model_handle(10);
    model = (struct model_machine){.step = 1, .skew = {10, 0}};
    ordo_time end = {0}, active = model_read(&o, 0, 1), now = model_read(&o, 0, 1), later = model_read(&o, 1, 2);
    cr_assert_eq(active.ticks, 11);
    cr_assert_eq(later.ticks, 2);
    return is_garbage(end, active, now, slack) && needs_old(&o, later, end);
}

Test(garbage, a_slack_of_one_boundary_reclaims_a_version_in_use)
{
    cr_expect(example_is_torn(10));
    cr_expect(!example_is_torn(20));
}

/* Three CPUs: an active reader at T, the collector at T + gap, and a new reader at T + 2 gap. */
static long collect(const struct ordo *o, uint64_t slack, uint64_t gap)
{
    long torn = 0;
    ordo_time active = model_read(o, 0, T), now = model_read(o, 1, T + gap), later = model_read(o, 2, T + 2 * gap);
    for (ordo_time end = {T - 50}; end.ticks <= T + 50; end.ticks++)
        torn += is_garbage(end, active, now, slack) && (needs_old(o, active, end) || needs_old(o, later, end));
    return torn;
}

static long collect_all(uint64_t boundary, uint64_t skew, uint64_t slack)
{
    struct ordo o = model_handle(boundary);
    long torn = 0;
    model = (struct model_machine){.step = 1};
    for (model.skew[0] = 0; model.skew[0] <= skew; model.skew[0]++)
        for (model.skew[1] = 0; model.skew[1] <= skew; model.skew[1]++)
            for (model.skew[2] = 0; model.skew[2] <= skew; model.skew[2]++)
                for (uint64_t gap = 0; gap <= 2 * boundary; gap++)
                    torn += collect(&o, slack, gap);
    return torn;
}

Test(garbage, reclamation_needs_a_slack_of_twice_the_boundary)
{
    for (uint64_t boundary = 1; boundary <= LARGEST; boundary++) {
        cr_expect_gt(collect_all(boundary, boundary, boundary), 0);
        cr_expect_gt(collect_all(boundary, boundary, 2 * boundary - 1), 0, "2B is not the least slack");
        cr_expect_eq(collect_all(boundary, boundary, 2 * boundary), 0);
        cr_expect_gt(collect_all(boundary, boundary + 1, 2 * boundary), 0);
    }
}

/* A reader has announced itself and has read the clock, but has not published its time yet. A collector that does not
 * count this reader as minus infinity would use the collector's own time as the smallest time. */
Test(garbage, an_announced_reader_without_a_time_prevents_reclamation)
{
    struct ordo o = model_handle(10);
    model = (struct model_machine){.step = 1};
    ordo_time announced = model_read(&o, 0, 100), now = model_read(&o, 1, 500), end = {200};
    ordo_time none = {UINT64_MAX}, minus_infinity = {0};
    cr_expect(is_garbage(end, none, now, 20) && needs_old(&o, announced, end));
    cr_expect(!is_garbage(end, minus_infinity, now, 20));
}
