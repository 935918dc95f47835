/* The exchange between the ranks of a node. Here ranks are threads, and there are more of them than CPUs.
 * - A clock that all ranks share is never refuted.
 * - An offset or a drift injected on one rank is proved, and the interval contains the true value.
 * - If a rank stops during the measurement, every rank returns, with an error that names the stopped rank.
 * - A visit with too wide an interval is repeated. */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/gang.h"
#include "cluster/verify/verdict.h"

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

/* On SKEWED_RANK clock 1 is far ahead, clock 2 far behind, and clock 3 runs fast. Clock 0 is unchanged. */
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

/* A clock whose reading stops SKEWED_RANK: in one of its visits, or after the last round, while it holds the lock of
 * the warp test. */
static _Atomic int reads_left = -1, stuck, others_back;
static _Thread_local int own_rank;

static uint64_t read_or_stop(void)
{
    struct timespec now;
    if (own_rank == SKEWED_RANK && atomic_load(&reads_left) > 0 && atomic_fetch_sub(&reads_left, 1) == 1) {
        atomic_store(&stuck, 1);
        while (atomic_load(&others_back) < RANKS - 1)
            (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static const struct ordo_clock_source stopping = {
    .name = "stopping", .title = "", .unit_hz = 1000000000, .granule_units = 1, .read = read_or_stop};

static void arm_at_the_end(void *context, double share)
{
    (void)context;
    if (own_rank == SKEWED_RANK && share > 0.7) /* the last of 3 rounds is over */
        atomic_store(&reads_left, 1);
}

/* Stops SKEWED_RANK before the last barrier: it arrives last, after the other ranks have left. */
static void stop_at_the_end(void *context, double share)
{
    arm_at_the_end(context, share);
    (void)read_or_stop();
}

/* The step of the measurement in which a rank gets stuck. */
enum place { IN_VISITS, IN_WARP_TEST, BEFORE_LAST_BARRIER };

struct loss {
    struct stage stage;
    char texts[RANKS][240];
    int codes[RANKS];
};

static int lose(void *context, int index, struct ordo_error *error)
{
    struct loss *loss = context;
    struct ordo_error own = {0};
    own_rank = index;
    (void)error;
    loss->codes[index] = ordo_node_measure(&loss->stage.plans[index], loss->stage.segment, &own);
    memcpy(loss->texts[index], own.text, sizeof own.text);
    if (index != SKEWED_RANK)
        (void)atomic_fetch_add(&others_back, 1);
    return ORDO_OK;
}

static void set_up_loss(struct loss *loss, enum place place)
{
    static const struct ordo_node_clock clock = {.source = &stopping};
    static void (*const progress[])(void *, double) = {NULL, arm_at_the_end, stop_at_the_end};
    for (int rank = 0; rank < RANKS; rank++)
        loss->stage.plans[rank] = (struct ordo_node_plan){.rank = rank,
                                                          .size = RANKS,
                                                          .clocks = &clock,
                                                          .clock_count = place != BEFORE_LAST_BARRIER,
                                                          .rounds = 3,
                                                          .exchanges = 20,
                                                          .visit_ns = 20000000,
                                                          .one_by_one = true,
                                                          .patience_ns = 1000000000,
                                                          .progress = progress[place]};
    atomic_store(&reads_left, place == IN_VISITS ? 5 : -1);
    atomic_store(&stuck, 0);
    atomic_store(&others_back, 0);
}

static void *segment_for(const struct ordo_node_plan *plan)
{
    size_t bytes = (ordo_node_bytes(plan) + 4095) / 4096 * 4096;
    void *segment = aligned_alloc(4096, bytes);
    return segment ? memset(segment, 0, bytes) : NULL;
}

/* Returns the exit code after a failed set-up: 1 if both CPUs of the test are available, 77 if not. */
static int unable(const struct ordo_error *error)
{
    cpu_set_t allowed;
    fprintf(stderr, "%s\n", error ? error->text : "no memory");
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_ISSET(0, &allowed) && CPU_ISSET(1, &allowed) ? 1
                                                                                                                   : 77;
}

static void lose_a_rank(enum place place)
{
    static struct loss loss;
    struct ordo_error error;
    char name[32];
    (void)snprintf(name, sizeof name, "rank %d of the node", SKEWED_RANK);
    set_up_loss(&loss, place);
    loss.stage.segment = segment_for(&loss.stage.plans[0]);
    if (!loss.stage.segment || ordo_gang_run(RANKS, enter, lose, &loss, &error))
        exit(unable(loss.stage.segment ? &error : NULL));
    for (int rank = 0; rank < RANKS; rank++)
        if (loss.codes[rank] != ORDO_E_MEASURE || !strstr(loss.texts[rank], name)) {
            failures++;
            printf("rank %d: %d, '%s' does not name rank %d\n", rank, loss.codes[rank], loss.texts[rank], SKEWED_RANK);
        }
    if (!atomic_load(&stuck)) {
        failures++;
        printf("nobody got stuck\n");
    }
    free(loss.stage.segment);
}

/* A clock that slows the first `late_left` readings by SKEWED_RANK by 1 ms each. These readings belong to the first
 * visits, so repeated visits become fast again. */
static _Atomic int late_left;

static uint64_t read_late(void)
{
    if (atomic_load(&late_left) > 0 && own_rank == SKEWED_RANK && atomic_fetch_sub(&late_left, 1) > 0)
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return ordo_clock_source_find("monotonic")->read();
}

static const struct ordo_clock_source late = {
    .name = "late", .title = "", .unit_hz = 1000000000, .granule_units = 1, .read = read_late};

static int measure_late(void *context, int index, struct ordo_error *error)
{
    struct stage *stage = context;
    own_rank = index;
    return ordo_node_measure(&stage->plans[index], stage->segment, error);
}

/* Slows the first visits of one rank by 1 ms. With `again`, visits wider than 0.5 ms are repeated. */
static void repeat_wide_visits(bool again)
{
    static struct stage stage;
    static const struct ordo_node_clock clock = {.source = &late};
    static const int64_t wide[1] = {500000};
    struct ordo_verdict_pair pairs[RANKS * (RANKS - 1) / 2];
    struct ordo_error error;
    for (int rank = 0; rank < RANKS; rank++)
        stage.plans[rank] = (struct ordo_node_plan){.rank = rank,
                                                    .size = RANKS,
                                                    .clocks = &clock,
                                                    .clock_count = 1,
                                                    .rounds = 2,
                                                    .exchanges = 10,
                                                    .visit_ns = 20000000,
                                                    .wide_units = again ? wide : NULL,
                                                    .one_by_one = true};
    atomic_store(&late_left, 70); /* four visits of 10 exchanges take at most 80 readings */
    stage.segment = segment_for(&stage.plans[0]);
    if (!stage.segment || ordo_gang_run(RANKS, enter, measure_late, &stage, &error))
        exit(unable(stage.segment ? &error : NULL));
    struct ordo_verdict verdict = ordo_verdict_reach(&stage.plans[0], stage.segment, 0, wide[0], pairs, NULL);
    if (!again) /* otherwise the test shows nothing */
        expect(verdict.kind == ORDO_INCONCLUSIVE, "a wide visit is not told", &verdict.worst);
    else if (verdict.kind == ORDO_INVALID || (verdict.kind == ORDO_INCONCLUSIVE && verdict.residual_units > 900000))
        expect(false, "a wide visit is not made again", &verdict.worst);
    free(stage.segment);
}

int main(void)
{
    struct stage stage = {.cpus = {0, 1}};
    struct ordo_error error;
    for (int rank = 0; rank < RANKS; rank++)
        set_up(&stage, rank);
    stage.segment = segment_for(&stage.plans[0]);
    if (!stage.segment || ordo_gang_run(RANKS, enter, work, &stage, &error))
        return unable(stage.segment ? &error : NULL);
    for (int clock = 0; clock < CLOCKS; clock++)
        judge(&stage, clock);
    free(stage.segment);
    for (enum place place = IN_VISITS; place <= BEFORE_LAST_BARRIER; place++)
        lose_a_rank(place);
    repeat_wide_visits(false);
    repeat_wide_visits(true);
    return failures > 0;
}
