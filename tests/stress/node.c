/* Exchanges between the ranks of a node, here threads that outnumber the CPUs: a clock that is common is never refuted,
 * and an offset or a drift that is put on one of them is proved, with the truth inside the interval. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/gang.h"
#include "measure/verdict.h"

enum { RANKS = 5, CLOCKS = 4, SKEWED_RANK = 3 };

static const int64_t ahead_units = 2000000000; /* above any interval that preemption could make this wide */
static const double fast = 0.5;

struct stage {
    struct ordo_node_clock clocks[RANKS][CLOCKS];
    struct ordo_node_plan plans[RANKS];
    void *segment;
    unsigned cpus[2];
};

static int enter(void *context, int index, struct ordo_error *error)
{
    (void)context;
    (void)index;
    (void)error;
    return ORDO_OK;
}

static int work(void *context, int index, struct ordo_error *error)
{
    struct stage *stage = context;
    return ordo_node_measure(&stage->plans[index], stage->segment, error);
}

/* Clock 0 as it is, 1 and 2 far ahead and far behind on one rank, 3 running fast there. */
static void set_up(struct stage *stage, int rank)
{
    const struct ordo_clock_source *source = ordo_clock_source_find("monotonic_raw");
    struct ordo_node_clock *clocks = stage->clocks[rank];
    for (int i = 0; i < CLOCKS; i++)
        clocks[i] = (struct ordo_node_clock){.source = source};
    if (rank == SKEWED_RANK) {
        clocks[1].ahead_units = ahead_units;
        clocks[2].ahead_units = -ahead_units;
        clocks[3].fast = fast;
        clocks[3].origin = source->read();
    }
    stage->plans[rank] = (struct ordo_node_plan){.rank = rank,
                                                 .size = RANKS,
                                                 .clocks = clocks,
                                                 .clock_count = CLOCKS,
                                                 .rounds = 3,
                                                 .span_ns = 200000000,
                                                 .exchanges = 20,
                                                 .visit_ns = 20000000,
                                                 .sweep_cpus = stage->cpus,
                                                 .sweep_count = 2,
                                                 .one_by_one = rank >= 0};
}

static int failures;

static void expect(bool good, const char *what, const struct ordo_verdict_pair *pair)
{
    if (good)
        return;
    failures++;
    printf("%s: ranks %u and %u: offset [%lld, %lld], drift [%g, %g] ppb\n", what, pair->a, pair->b,
           (long long)pair->offset.low, (long long)pair->offset.high, pair->drift.min_ppb, pair->drift.max_ppb);
}

static void judge(const struct stage *stage, int clock)
{
    static const double truths[CLOCKS] = {0, 2e9, -2e9, 0};
    struct ordo_verdict_pair pairs[RANKS * (RANKS - 1) / 2], swept[1];
    struct ordo_verdict verdict =
        ordo_verdict_reach(&stage->plans[0], stage->segment, clock, INT64_C(1000000000), pairs, swept);
    expect((clock == 0) == (verdict.kind != ORDO_INVALID), "the wrong verdict", &verdict.worst);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        double sign = pairs[i].b == SKEWED_RANK ? 1 : pairs[i].a == SKEWED_RANK ? -1 : 0;
        double truth = sign * truths[clock], drift_ppb = sign == 0  ? 0
                                                         : sign > 0 ? fast * 1e9
                                                                    : (1 / (1 + fast) - 1) * 1e9;
        if (clock < 3)
            expect((double)pairs[i].offset.low <= truth && (double)pairs[i].offset.high >= truth,
                   "the truth is outside", &pairs[i]);
        expect(pairs[i].drift.min_ppb <= (clock == 3 ? drift_ppb : 0) + 1 &&
                   pairs[i].drift.max_ppb >= (clock == 3 ? drift_ppb : 0) - 1,
               "the true drift is outside", &pairs[i]);
    }
}

int main(void)
{
    struct stage stage = {.cpus = {0, 1}};
    struct ordo_error error;
    for (int rank = 0; rank < RANKS; rank++)
        set_up(&stage, rank);
    size_t bytes = (ordo_node_bytes(&stage.plans[0]) + 4095) / 4096 * 4096;
    stage.segment = aligned_alloc(4096, bytes);
    if (!stage.segment)
        return 77;
    memset(stage.segment, 0, bytes);
    if (ordo_gang_run(RANKS, enter, work, &stage, &error)) {
        printf("%s\n", error.text);
        return 77;
    }
    for (int clock = 0; clock < CLOCKS; clock++)
        judge(&stage, clock);
    free(stage.segment);
    return failures > 0;
}
