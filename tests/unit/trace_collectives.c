/* Traces without sessions whose ranks take part in collectives. The test knows all clocks, and checks that every event
 * is within its bounds, also if calls were dropped from the trace. */
#include "trace_files.h"

#include "trace/sync/gap.h"
#include "trace_truth.h"

enum { RANKS = 64, EVENTS_MOST = 60000, CALLS_MOST = 120 };

/* Ways of numbering the calls. */
enum mode { COUNTED, NUMBERED, KERNELS, MODES };

/* Which calls are dropped: none; of one rank a run of calls, as a buffer that was full does; or any call, begin or
 * end. */
enum drop { NONE, RUN, ANY, DROPS };

static struct truth clocks[RANKS];

static struct {
    struct ordo_event events[EVENTS_MOST];
    struct ordo_event_stamp stamps[EVENTS_MOST];
    long double true_ns[EVENTS_MOST];
    int count;
    char *text;
    size_t size;
    FILE *stream;
} trace;

/* The plan of a trial. */
struct plan {
    int ranks, calls;
    enum mode mode;
    enum drop drop;
    bool only_rooted;   /* broadcasts and reductions of all ranks */
    bool only_barriers; /* otherwise calls of all kinds, on communicators of all ranks and of some */
    double seconds, late_ns;
    int always_late, never_late; /* ranks */
    int drop_rank, drop_from, drop_end;
    int64_t granule_ns, base_ns; /* base_ns: offset of the clocks at first; 0: drawn */
    struct ordo_declared declared;
};

static void draw_clocks(uint64_t *random, const struct plan *plan)
{
    for (int rank = 0; rank < plan->ranks; rank++) {
        struct truth_rate rate = truth_rate_draw(random, &plan->declared);
        int64_t base_ns = (int64_t)(ordo_random_next(random) >> 5) / 1000000 * 1000000;
        base_ns = plan->base_ns ? plan->base_ns : base_ns;
        truth_begin(&clocks[rank], rank ? base_ns / plan->granule_ns * plan->granule_ns : 0, 0);
        for (double at_s = 0; at_s < plan->seconds + 1;) {
            double for_s = truth_between(random, 0.5, TRUTH_STEP_S);
            truth_run(&clocks[rank], (long double)(for_s * truth_second_ns),
                      rank ? truth_rate_next(&rate, random, for_s) : 0, 0);
            at_s += for_s;
        }
    }
}

static void begin(void)
{
    trace.count = 0;
    trace.stream = open_memstream(&trace.text, &trace.size);
    cr_assert(trace.stream);
    fputs("rank,time_ns,kind,name,communicator,root,number\n", trace.stream);
}

struct call {
    const char *name;
    enum ordo_event_collective waits;
    int communicator, root, number;
};

/* The communicators: 0 of all ranks, 1 of the even ranks and 2 of those that 3 divides, both with rank 0. */
static bool is_member(int communicator, int rank)
{
    return communicator == 0 || rank % (communicator + 1) == 0;
}

static struct call draw_call(uint64_t *random, const struct plan *plan, int numbers[3])
{
    static const struct call mpi[] = {
        {"MPI_Barrier", ORDO_COLLECTIVE_ALL_TO_ALL, 0, -1, 0},  {"MPI_Allreduce", ORDO_COLLECTIVE_ALL_TO_ALL, 0, -1, 0},
        {"MPI_Alltoall", ORDO_COLLECTIVE_ALL_TO_ALL, 0, -1, 0}, {"MPI_Bcast", ORDO_COLLECTIVE_ONE_TO_ALL, 0, 0, 0},
        {"MPI_Reduce", ORDO_COLLECTIVE_ALL_TO_ONE, 0, 0, 0},    {"MPI_Scan", ORDO_COLLECTIVE_PREFIX, 0, -1, 0}};
    static const struct call nccl[] = {
        {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", ORDO_COLLECTIVE_ALL_TO_ALL, 0, -1, 0},
        {"ncclDevKernel_AllGather_RING_SIMPLE", ORDO_COLLECTIVE_ALL_TO_ALL, 0, -1, 0},
        {"ncclKernel_Broadcast_RING_LL_Sum_int8_t", ORDO_COLLECTIVE_ONE_TO_ALL, 0, 0, 0}};
    int kinds = plan->only_barriers ? 1 : plan->mode == KERNELS ? 3 : 6;
    struct call call = (plan->mode == KERNELS ? nccl : mpi)[ordo_random_next(random) % (uint64_t)kinds];
    if (plan->only_rooted)
        call = mpi[3 + ordo_random_next(random) % 2];
    if (!plan->only_barriers && !plan->only_rooted && call.waits != ORDO_COLLECTIVE_PREFIX)
        call.communicator = (int)(ordo_random_next(random) % 3);
    int step = call.communicator + 1, members = (plan->ranks + step - 1) / step;
    if (call.root >= 0)
        call.root = step * (int)(ordo_random_next(random) % (uint64_t)members);
    call.number = numbers[call.communicator]++;
    return call;
}

static void put(const struct plan *plan, const struct call *call, bool begins, int rank, long double true_ns)
{
    fprintf(trace.stream, "%d,%lld,%s,%s,%d,", rank,
            (long long)truth_read_clock(&clocks[rank], true_ns, plan->granule_ns), begins ? "begin" : "end", call->name,
            call->communicator + 7 * (plan->mode == KERNELS));
    if (call->root >= 0)
        fprintf(trace.stream, "%d", call->root);
    if (plan->mode != COUNTED)
        fprintf(trace.stream, ",%d\n", call->number);
    else
        fputs(",\n", trace.stream);
    cr_assert(trace.count < EVENTS_MOST - 2);
    trace.true_ns[trace.count++] = true_ns;
}

/* True if the end of `rank` waits for the begin of `other`. */
static bool waits_for(const struct call *call, int rank, int other)
{
    switch (call->waits) {
    case ORDO_COLLECTIVE_ONE_TO_ALL:
        return other == call->root;
    case ORDO_COLLECTIVE_ALL_TO_ONE:
        return rank == call->root || rank == other;
    case ORDO_COLLECTIVE_PREFIX:
        return other <= rank;
    default:
        return true;
    }
}

/* True if an event of a rank is dropped. A rank has one run of dropped calls in one communicator. */
static bool drops(uint64_t *random, const struct plan *plan, const struct call *call, int rank)
{
    if (plan->drop == RUN)
        return rank == plan->drop_rank && call->communicator == 0 && call->number >= plan->drop_from &&
               call->number < plan->drop_end;
    return plan->drop == ANY && ordo_random_next(random) % 8 == 0;
}

/* Makes one call. `free_ns`: when each rank has left its last call. Returns the shortest duration. */
static double make_call(uint64_t *random, const struct plan *plan, const struct call *call, long double at_ns,
                        long double *free_ns)
{
    long double enter[RANKS], leave[RANKS];
    double shortest = INFINITY;
    for (int rank = 0; rank < plan->ranks; rank++) {
        double late = rank == plan->always_late  ? plan->late_ns
                      : rank == plan->never_late ? 0
                                                 : truth_between(random, 0, plan->late_ns);
        enter[rank] = fmaxl(at_ns + (long double)late, free_ns[rank] + 1000);
    }
    for (int rank = 0; rank < plan->ranks; rank++) {
        leave[rank] = enter[rank];
        for (int other = 0; other < plan->ranks; other++)
            if (is_member(call->communicator, other) && waits_for(call, rank, other))
                leave[rank] = fmaxl(leave[rank], enter[other]);
        leave[rank] += 2000 + (long double)truth_between(random, 0, 1000);
        if (is_member(call->communicator, rank))
            shortest = fmin(shortest, (double)(leave[rank] - enter[rank]));
    }
    for (int rank = 0; rank < plan->ranks; rank++) {
        if (!is_member(call->communicator, rank))
            continue;
        free_ns[rank] = leave[rank];
        bool whole = plan->mode == COUNTED || ordo_random_next(random) % 2;
        bool no_begin = drops(random, plan, call, rank), no_end = whole ? no_begin : drops(random, plan, call, rank);
        if (!no_begin)
            put(plan, call, true, rank, enter[rank]);
        if (!no_end)
            put(plan, call, false, rank, leave[rank]);
    }
    return shortest;
}

/* Makes a trace. Returns the duration of the shortest call. */
static double make_trace(uint64_t *random, const struct plan *plan)
{
    long double free_ns[RANKS] = {0};
    int numbers[3] = {0};
    double shortest = INFINITY, at_s = 0.01;
    draw_clocks(random, plan);
    begin();
    for (int i = 0; i < plan->calls; i++) {
        struct call call = draw_call(random, plan, numbers);
        at_s += plan->seconds / plan->calls * truth_between(random, 0.5, 1.5);
        shortest = fmin(shortest, make_call(random, plan, &call, (long double)(at_s * truth_second_ns), free_ns));
    }
    return shortest;
}

static int correct(const struct plan *plan, struct ordo_correct_report *report, struct ordo_error *error)
{
    int code;
    cr_assert_eq(fclose(trace.stream), 0);
    struct file file = file_of(trace.text);
    const char *paths[] = {file.path};
    struct ordo_correct_options options = file_options(paths, 1);
    options.declared = plan->declared;
    char *text = file_correct(&options, report, &code, error);
    if (!code)
        cr_assert_eq(file_read(text, trace.events, trace.stamps, EVENTS_MOST), trace.count);
    free(text);
    free(trace.text);
    file_close(&file);
    return code;
}

/* Expects that all bounds contain the truth. Returns the share of the events of ranks above 0 whose likely time is
 * within `near_ns` of the truth. */
static double expect_truth(const struct plan *plan, double near_ns, int trial)
{
    int near = 0, all = 0;
    for (int i = 0; i < trace.count; i++) {
        double global = (double)trace.true_ns[i];
        const struct ordo_event_stamp *stamp = &trace.stamps[i];
        cr_assert((double)stamp->earliest_ns <= global + 0.02 && global <= (double)stamp->latest_ns + 0.02,
                  "trial %d (%d ranks, mode %d, drop %d), event %d of rank %d: %.0f is not in %lld to %lld", trial,
                  plan->ranks, (int)plan->mode, (int)plan->drop, i, trace.events[i].rank, global,
                  (long long)stamp->earliest_ns, (long long)stamp->latest_ns);
        cr_assert(stamp->earliest_ns <= stamp->global_ns && stamp->global_ns <= stamp->latest_ns);
        all += trace.events[i].rank > 0;
        near += trace.events[i].rank > 0 && fabs((double)stamp->global_ns - global) <= near_ns;
    }
    return all > 0 ? (double)near / all : 1;
}

static struct plan draw_plan(uint64_t *random, int trial)
{
    const int ranks[] = {2, 2, 3, 4, 7, 12, 20, 64};
    struct plan plan = {.ranks = trial % 40 == 39 ? 64 : ranks[ordo_random_next(random) % 7],
                        .calls = 20 + (int)(ordo_random_next(random) % 40),
                        .mode = (enum mode)(trial % MODES),
                        .drop = (enum drop)(trial / MODES % DROPS),
                        .seconds = pow(10, truth_between(random, -0.5, 2)),
                        .late_ns = pow(10, truth_between(random, 3, 5.5)),
                        .always_late = (int)(ordo_random_next(random) % 8) - 1,
                        .never_late = (int)(ordo_random_next(random) % 8) - 1,
                        .granule_ns = ordo_random_next(random) % 4 ? 1 : 100,
                        .declared = ordo_declared_defaults()};
    plan.declared.max_wander_ppb = pow(10, truth_between(random, 0, 3));
    plan.declared.max_skew_ppb = pow(10, truth_between(random, 4, 5.6));
    plan.drop = plan.mode == COUNTED && plan.drop == ANY ? RUN : plan.drop;
    plan.drop_rank = (int)(ordo_random_next(random) % (uint64_t)plan.ranks);
    plan.drop_from = (int)(ordo_random_next(random) % 20);
    plan.drop_end = plan.drop_from + 1 + (int)(ordo_random_next(random) % 4);
    return plan;
}

/* Calls of all kinds: late ranks, sub-communicators, rooted and prefix calls, holes, drift, coarse clocks. */
Test(trace_collectives, collectives_bound_every_event)
{
    uint64_t random = 51;
    long events = 0;
    int refused = 0, trials = ORDO_TESTS_BRIEF ? 120 : 600;
    for (int trial = 0; trial < trials; trial++) {
        struct plan plan = draw_plan(&random, trial);
        struct ordo_correct_report report;
        struct ordo_error error = {0};
        (void)make_trace(&random, &plan);
        int code = correct(&plan, &report, &error);
        cr_assert(code == ORDO_OK || code == ORDO_E_MEASURE, "trial %d: %s", trial, error.text);
        cr_assert(code == ORDO_OK || strstr(error.text, "nothing is known of the clock of rank"), "trial %d: %s", trial,
                  error.text);
        refused += code != ORDO_OK;
        if (code)
            continue;
        (void)expect_truth(&plan, INFINITY, trial);
        events += trace.count;
        cr_assert_eq(report.source, ORDO_SOURCE_MESSAGES);
        cr_assert(report.evidence.collectives > 0);
        ordo_correct_report_free(&report);
    }
    cr_log_info("%ld events, %d of %d traces refused", events, refused, trials);
    cr_assert(events > (ORDO_TESTS_BRIEF ? 20000 : 100000), "%ld events", events);
    cr_assert(refused < trials / 5, "%d of %d traces refused", refused, trials);
}

Test(trace_collectives, the_likely_time_is_within_the_shortest_barrier)
{
    uint64_t random = 52;
    double share = 0;
    int trials = ORDO_TESTS_BRIEF ? 20 : 80;
    for (int trial = 0; trial < trials; trial++) {
        struct plan plan = draw_plan(&random, trial);
        struct ordo_correct_report report;
        struct ordo_error error = {0};
        plan.only_barriers = true;
        plan.granule_ns = 1;
        plan.drop = NONE;
        double shortest_ns = make_trace(&random, &plan);
        cr_assert_eq(correct(&plan, &report, &error), ORDO_OK, "trial %d: %s", trial, error.text);
        double near = expect_truth(&plan, shortest_ns, trial);
        if (near < 0.95)
            cr_log_info("trial %d, %d ranks, late %.0f: %.3f", trial, plan.ranks, plan.late_ns, near);
        share += near / trials;
        ordo_correct_report_free(&report);
    }
    cr_log_info("share %.4f", share);
    cr_assert(share >= 0.95, "%.3f of the events", share);
}

/* Rooted calls alone: bounds from both sides are rarely tight at once, but waiting receivers leave together. */
Test(trace_collectives, broadcasts_give_a_likely_time)
{
    uint64_t random = 54;
    double share = 0;
    int trials = ORDO_TESTS_BRIEF ? 20 : 60;
    for (int trial = 0; trial < trials; trial++) {
        struct plan plan = draw_plan(&random, trial);
        struct ordo_correct_report report;
        struct ordo_error error = {0};
        plan.only_rooted = true;
        plan.ranks = 2 + trial % 7;
        plan.calls = 60;
        plan.late_ns = 50000;
        plan.mode = NUMBERED;
        plan.granule_ns = 1;
        plan.drop = NONE;
        double shortest_ns = make_trace(&random, &plan);
        cr_assert_eq(correct(&plan, &report, &error), ORDO_OK, "trial %d: %s", trial, error.text);
        share += expect_truth(&plan, shortest_ns, trial) / trials;
        ordo_correct_report_free(&report);
    }
    cr_log_info("share %.4f", share);
    cr_assert(share >= 0.9, "%.3f of the events", share);
}

Test(trace_collectives, two_clocks_three_seconds_apart_are_aligned_by_20_barriers)
{
    uint64_t random = 53;
    struct ordo_error error = {0};
    for (int trial = 0; trial < 20; trial++) {
        struct ordo_correct_report report;
        struct plan plan = {.ranks = 2,
                            .calls = 20,
                            .only_barriers = true,
                            .seconds = 0.2,
                            .late_ns = 50000,
                            .always_late = -1,
                            .never_late = -1,
                            .granule_ns = 1,
                            .base_ns = 3000000000,
                            .declared = ordo_declared_defaults()};
        double shortest_ns = make_trace(&random, &plan);
        cr_assert_eq(correct(&plan, &report, &error), ORDO_OK, "%s", error.text);
        cr_assert_eq(expect_truth(&plan, shortest_ns, trial), 1, "trial %d", trial);
        ordo_correct_report_free(&report);
    }
}

/* A clock that gains 50 ppm: one bound of each side is off by 2 us, the others by up to 1 ms more. */
Test(trace_collectives, the_widest_gap_is_in_the_middle_between_messages)
{
    enum { BOUNDS = 100 };
    struct ordo_likely high[BOUNDS], low[BOUNDS];
    uint64_t random = 55;
    const int64_t base_ns = 3000000000;
    for (int i = 0; i < BOUNDS; i++) {
        int64_t at_ns = i * INT64_C(10000000), offset_ns = base_ns + at_ns / 20000;
        int64_t late_ns = (int64_t)(ordo_random_next(&random) % 1000000);
        high[i] = (struct ordo_likely){at_ns, offset_ns + 2000 + (i % 10 ? late_ns : 0)};
        low[i] = (struct ordo_likely){at_ns + 5000000, offset_ns + 250 - 2000 - (i % 10 == 5 ? 0 : late_ns)};
    }
    struct ordo_gap gap = ordo_gap_find(high, BOUNDS, low, BOUNDS, 1e-3);
    double at_ns = 500000000, found_ns = gap.height_ns + gap.slope * (at_ns - (double)gap.at_ns);
    cr_assert_float_eq(gap.slope, 50e-6, 1e-9, "%g", gap.slope);
    cr_assert_float_eq(gap.width_ns, 4000, 1, "%g", gap.width_ns);
    cr_assert_float_eq((double)(gap.base_ns - base_ns) + found_ns, at_ns / 20000, 1, "%g", found_ns);
}
