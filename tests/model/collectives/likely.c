/* model-likely TRACES [FIRST [KIND]]: random traces of known truth without sessions, in which trees of messages make the
 * collectives, and ranks are late by exponential times. KIND is a row of the table from 0 up; -1: all.
 *
 * Exit 1 if a time is not within its proved bounds (with a line "trace N: ..."), or if the likely times of a kind are
 * too far off. The table tells the share of the times that are off by at most
 * - call: the shortest call of a rank, which may be much shorter than a message,
 * - all: the shortest collective, from its first entry to its last exit;
 * and the share of the traces in which 95% of the times are. A trace is refused if its evidence leaves one side open. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/random.h"
#include "trace/correct/correct.h"

enum { ENOUGH = 100, RANKS_MOST = 64, CALLS_MOST = 120, EVENTS_MOST = RANKS_MOST * CALLS_MOST * 4 };

/* The calls of a trace. With a constant root, broadcasts alone bound one side only. */
enum kind { BCASTS, REDUCES, BOTH, BCASTS_TURN, REDUCES_TURN, BOTH_TURN, MIXED, KINDS };

/* The least shares of the times in percent that are nearer than the shortest call and the shortest collective. Half of the
 * interval and the root's time plus a message, without [K15] of correct/rooted.c, reach 38 and 12 for `BOTH`. */
static const double least_call[] = {0, 0, 45, 38, 44, 28, 25}, least_all[] = {0, 0, 97, 97, 97, 97, 97};

static const char *const kind_names[] = {"bcast, one root",        "reduce, one root",     "both, one root",
                                         "bcast, roots change",    "reduce, roots change", "both, roots change",
                                         "with barriers and scans"};

/* The trees of messages: all children of the root; binomial; binary; a chain. */
enum tree { FLAT, BINOMIAL, BINARY, CHAIN, TREES };

static const char *const tree_names[] = {"flat", "binomial", "binary", "chain"};

enum operation { BCAST, REDUCE, BARRIER, SCAN };

struct clock {
    double offset_ns, rate;
};

struct event {
    int rank;
    int64_t reading;
    double true_ns;
};

struct trace {
    uint64_t random;
    enum kind kind;
    enum tree tree;
    int ranks, calls, count;
    bool is_nccl, has_numbers, waits_for_receivers, loses;
    int kernels;
    double late_ns, work_ns, message_ns, send_ns, jitter;
    double slow[RANKS_MOST];
    struct clock clocks[RANKS_MOST];
    double free_ns[RANKS_MOST], enter[RANKS_MOST], leave[RANKS_MOST], got[RANKS_MOST];
    double shortest_call, shortest_all;
    FILE *stream;
    struct event events[EVENTS_MOST];
};

struct row {
    uint64_t traces, refused, checked, outside;
    double share_call, share_all, whole_call, whole_all;
};

static double between(struct trace *trace, double least, double most)
{
    return least + (most - least) * ordo_random_unit(&trace->random);
}

static int below(struct trace *trace, int count)
{
    return (int)(ordo_random_next(&trace->random) % (uint64_t)count);
}

static double exponential(struct trace *trace, double mean)
{
    return -mean * log(1 - ordo_random_unit(&trace->random));
}

static int64_t read_clock(const struct trace *trace, int rank, double true_ns)
{
    const struct clock *clock = &trace->clocks[rank];
    return (int64_t)floor(true_ns + clock->offset_ns + clock->rate * true_ns);
}

/* Draws how long a message is on its way; one in 64 is delayed. */
static double message(struct trace *trace)
{
    double delayed = below(trace, 64) == 0 ? 20 : 1;
    return trace->message_ns + exponential(trace, trace->message_ns * trace->jitter * delayed);
}

/* Returns the parent of a place of the tree; the root has the place 0. */
static int parent_of(const struct trace *trace, int place)
{
    int bit = 1;
    while (!(place & bit))
        bit <<= 1;
    switch (trace->tree) {
    case FLAT:
        return 0;
    case BINOMIAL:
        return place & ~bit;
    case BINARY:
        return (place - 1) / 2;
    default:
        return place - 1;
    }
}

static int rank_at(const struct trace *trace, int root, int place)
{
    return (root + place) % trace->ranks;
}

/* In a broadcast a rank sends to its children one after the other, the farthest first, as soon as it has the data. In the order of places
 * every parent comes before its children. */
static void broadcast(struct trace *trace, int root)
{
    double ready[RANKS_MOST], busy[RANKS_MOST];
    ready[0] = busy[0] = trace->enter[root];
    for (int place = 1; place < trace->ranks; place++)
        busy[place] = -1;
    for (int place = 1; place < trace->ranks; place++) {
        int rank = rank_at(trace, root, place), parent = parent_of(trace, place);
        double from = busy[parent];
        busy[parent] = from + trace->send_ns;
        if (trace->waits_for_receivers)
            busy[parent] = fmax(busy[parent], trace->enter[rank] + message(trace));
        ready[place] = fmax(trace->enter[rank], busy[parent] + message(trace)) + trace->send_ns / 4;
        busy[place] = ready[place];
    }
    for (int place = 0; place < trace->ranks; place++)
        trace->leave[rank_at(trace, root, place)] = busy[place] + trace->send_ns / 4;
}

/* In a reduction a rank waits for its children, and then sends to its parent. */
static void reduce(struct trace *trace, int root)
{
    double ready[RANKS_MOST];
    for (int place = 0; place < trace->ranks; place++)
        ready[place] = trace->enter[rank_at(trace, root, place)] + trace->send_ns / 4;
    for (int place = trace->ranks - 1; place > 0; place--) {
        int rank = rank_at(trace, root, place), parent = parent_of(trace, place);
        double sent = ready[place] + trace->send_ns;
        double came = fmax(sent, trace->waits_for_receivers ? trace->enter[rank_at(trace, root, parent)] : 0);
        trace->leave[rank] = came + (trace->waits_for_receivers ? message(trace) : 0);
        ready[parent] = fmax(ready[parent], came + message(trace)) + trace->send_ns / 4;
    }
    trace->leave[root] = ready[0] + trace->send_ns / 4;
}

/* A barrier in rounds (Hensgen, Finkel and Manber). */
static void dissemination(struct trace *trace)
{
    double now[RANKS_MOST], next[RANKS_MOST];
    memcpy(now, trace->enter, sizeof now);
    for (int step = 1; step < trace->ranks; step *= 2) {
        for (int rank = 0; rank < trace->ranks; rank++) {
            int from = (rank - step + trace->ranks) % trace->ranks;
            next[rank] = fmax(now[rank] + trace->send_ns, now[from] + trace->send_ns + message(trace));
        }
        memcpy(now, next, sizeof now);
    }
    memcpy(trace->leave, now, sizeof now);
}

static void scan(struct trace *trace)
{
    double came = 0;
    for (int rank = 0; rank < trace->ranks; rank++) {
        trace->leave[rank] = fmax(trace->enter[rank], came) + trace->send_ns;
        came = trace->leave[rank] + message(trace);
    }
}

static const char *name_of(const struct trace *trace, enum operation operation)
{
    static const char *const mpi[] = {"MPI_Bcast", "MPI_Reduce", "MPI_Barrier", "MPI_Scan"};
    static const char *const other[] = {"MPI_Scatter", "MPI_Gather", "MPI_Allreduce", "MPI_Scan"};
    static const char *const nccl[] = {"ncclDevKernel_Broadcast_RING_LL", "ncclDevKernel_Reduce_Sum_f32_RING_LL",
                                       "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "MPI_Scan"};
    return trace->is_nccl ? nccl[operation] : trace->tree == FLAT ? other[operation] : mpi[operation];
}

struct call {
    enum operation operation;
    int root, number;
};

static void put_event(struct trace *trace, const struct call *call, int rank, bool begins, double true_ns)
{
    if (trace->loses && below(trace, 8) == 0)
        return;
    struct event *event = &trace->events[trace->count++];
    *event = (struct event){rank, read_clock(trace, rank, true_ns), true_ns};
    fprintf(trace->stream, "%d,%" PRId64 ",%s,%s,%d,", rank, event->reading, begins ? "begin" : "end",
            name_of(trace, call->operation), trace->is_nccl ? 7 : 0);
    if (call->operation <= REDUCE)
        fprintf(trace->stream, "%d", call->root);
    if (trace->has_numbers)
        fprintf(trace->stream, ",%d\n", call->number);
    else
        fputs(",\n", trace->stream);
}

/* Writes the call of a rank; several kernels one after the other, if the trace has them. */
static void put_call(struct trace *trace, const struct call *call, int rank)
{
    double enter = trace->enter[rank], leave = trace->leave[rank];
    trace->shortest_call = fmin(trace->shortest_call, leave - enter);
    for (int i = 0; i < trace->kernels; i++) {
        put_event(trace, call, rank, true, enter);
        put_event(trace, call, rank, false, leave);
        trace->free_ns[rank] = leave;
        enter = leave + between(trace, 100, 1000);
        leave = enter + between(trace, 100, 1000);
    }
}

static void make_call(struct trace *trace, const struct call *call)
{
    double first = INFINITY, last = 0;
    for (int rank = 0; rank < trace->ranks; rank++)
        trace->enter[rank] =
            trace->free_ns[rank] + trace->work_ns + exponential(trace, trace->late_ns * trace->slow[rank]);
    switch (call->operation) {
    case BCAST:
        broadcast(trace, call->root);
        break;
    case REDUCE:
        reduce(trace, call->root);
        break;
    case BARRIER:
        dissemination(trace);
        break;
    default:
        scan(trace);
    }
    for (int rank = 0; rank < trace->ranks; rank++) {
        first = fmin(first, trace->enter[rank]);
        last = fmax(last, trace->leave[rank]);
        put_call(trace, call, rank);
    }
    trace->shortest_all = fmin(trace->shortest_all, last - first);
}

static struct call draw_call(struct trace *trace, int number)
{
    struct call call = {.operation = BCAST, .number = number};
    if (trace->kind == REDUCES || trace->kind == REDUCES_TURN)
        call.operation = REDUCE;
    if (trace->kind == BOTH || trace->kind == BOTH_TURN)
        call.operation = (enum operation)below(trace, 2);
    if (trace->kind == MIXED)
        call.operation = (enum operation)below(trace, trace->is_nccl ? 3 : 4);
    call.root = trace->kind <= BOTH ? 0 : below(trace, trace->ranks);
    return call;
}

static void draw_trace(struct trace *trace, uint64_t seed, int kind)
{
    static const int kernels[] = {1, 1, 2};
    trace->random = seed * UINT64_C(0x9e3779b97f4a7c15) + 7;
    trace->kind = (enum kind)(kind < 0 ? (int)(seed % KINDS) : kind);
    trace->tree = (enum tree)below(trace, TREES);
    trace->ranks = (int)floor(exp2(between(trace, 1, 6.02)));
    trace->ranks = trace->ranks > RANKS_MOST ? RANKS_MOST : trace->ranks;
    trace->calls = 20 + below(trace, CALLS_MOST - 20);
    trace->count = 0;
    trace->is_nccl = below(trace, 2);
    trace->has_numbers = trace->is_nccl || below(trace, 2);
    trace->kernels = trace->is_nccl ? kernels[below(trace, 3)] : 1;
    trace->loses = trace->has_numbers && below(trace, 8) == 0;
    trace->waits_for_receivers = below(trace, 2);
    trace->message_ns = pow(10, between(trace, 2.7, 4));
    trace->send_ns = trace->message_ns * between(trace, 0.1, 0.6);
    trace->jitter = pow(10, between(trace, -2, -0.5));
    trace->late_ns = pow(10, between(trace, 3, 6));
    trace->work_ns = pow(10, between(trace, 3, 7));
    trace->shortest_call = trace->shortest_all = INFINITY;
    for (int rank = 0; rank < trace->ranks; rank++) {
        trace->slow[rank] = below(trace, 4) ? 1 : between(trace, 0, 3);
        trace->free_ns[rank] = 1e6 + exponential(trace, trace->late_ns);
        trace->clocks[rank] =
            (struct clock){rank ? floor(between(trace, -1e10, 1e10)) : 0, rank ? between(trace, -1e-4, 1e-4) : 0};
    }
}

static int make_trace(struct trace *trace, uint64_t seed, int kind)
{
    char *text = NULL;
    size_t size = 0;
    int fd = memfd_create("trace", MFD_CLOEXEC);
    draw_trace(trace, seed, kind);
    trace->stream = open_memstream(&text, &size);
    if (fd < 0 || !trace->stream)
        abort();
    fputs("rank,time_ns,kind,name,communicator,root,number\n", trace->stream);
    for (int i = 0; i < trace->calls; i++) {
        struct call call = draw_call(trace, i);
        make_call(trace, &call);
    }
    if (fclose(trace->stream) || write(fd, text, size) != (ssize_t)size)
        abort();
    free(text);
    return fd;
}

/* Learns the clocks. Returns 1 if they are known, and 0 if the evidence is open on one side. */
static int learn(int fd, struct ordo_correct_report *report, uint64_t seed)
{
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const char *paths[] = {path};
    struct ordo_correct_options options = {.traces = {paths, 1, .columns = ordo_columns_defaults()},
                                           .method = ordo_method_find("interval"),
                                           .declared = ordo_declared_defaults(),
                                           .stretch = 1e-4};
    struct ordo_error error = {0};
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    int code = nowhere ? ordo_correct(&options, nowhere, report, &error) : ORDO_E_SYSTEM;
    if (code && (code != ORDO_E_MEASURE || !strstr(error.text, "nothing is known"))) {
        printf("trace %" PRIu64 ": %s\n", seed, error.text);
        exit(1);
    }
    return code == ORDO_OK;
}

/* Compares the times of all ranks above the reference with the truth. */
static void judge(const struct trace *trace, struct ordo_correct_report *report, struct row *row, uint64_t seed)
{
    uint64_t times = 0, call = 0, all = 0;
    for (int i = 0; i < trace->count; i++) {
        const struct event *event = &trace->events[i];
        struct ordo_event_stamp stamp;
        if (!ordo_clocks_stamp(&report->clocks, event->rank, event->reading, &stamp))
            continue;
        double off = fabs((double)stamp.global_ns - event->true_ns);
        if ((double)stamp.earliest_ns > event->true_ns + 0.02 || (double)stamp.latest_ns < event->true_ns - 0.02) {
            printf("trace %" PRIu64 ": rank %d at %.0f ns: not in %" PRId64 " to %" PRId64 "\n", seed, event->rank,
                   event->true_ns, stamp.earliest_ns, stamp.latest_ns);
            row->outside++;
        }
        row->checked++;
        if (event->rank == 0)
            continue;
        times++;
        call += off <= trace->shortest_call;
        all += off <= trace->shortest_all;
    }
    if (times == 0)
        return;
    row->share_call += (double)call / (double)times;
    row->share_all += (double)all / (double)times;
    row->whole_call += (double)call >= 0.95 * (double)times;
    row->whole_all += (double)all >= 0.95 * (double)times;
}

static void print_row(const char *name, const struct row *row)
{
    double known = (double)(row->traces - row->refused);
    printf("%-26s %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %7.2f%% %7.2f%% %7.2f%% %7.2f%%\n", name, row->traces,
           row->refused, row->outside, 100 * row->share_call / known, 100 * row->share_all / known,
           100 * row->whole_call / known, 100 * row->whole_all / known);
}

static void add_row(struct row *to, const struct row *row)
{
    to->traces += row->traces;
    to->refused += row->refused;
    to->checked += row->checked;
    to->outside += row->outside;
    to->share_call += row->share_call;
    to->share_all += row->share_all;
    to->whole_call += row->whole_call;
    to->whole_all += row->whole_all;
}

static void run(uint64_t seed, int kind, struct row *rows, struct row *trees)
{
    static struct trace trace;
    struct ordo_correct_report report;
    struct row row = {.traces = 1};
    int fd = make_trace(&trace, seed, kind);
    if (learn(fd, &report, seed)) {
        judge(&trace, &report, &row, seed);
        ordo_correct_report_free(&report);
    } else {
        row.refused = 1;
    }
    add_row(&rows[trace.kind], &row);
    add_row(&trees[trace.tree], &row);
    (void)close(fd);
}

/* True if the likely times are near enough, or are too few to tell. */
static bool is_near(const struct row *row, int kind)
{
    double known = (double)(row->traces - row->refused);
    bool near = 100 * row->share_call >= least_call[kind] * known && 100 * row->share_all >= least_all[kind] * known;
    if (known >= ENOUGH && !near)
        printf("%s: the likely times are too far off\n", kind_names[kind]);
    return known < ENOUGH || near;
}

int main(int argc, char **argv)
{
    uint64_t traces = argc > 1 ? strtoull(argv[1], NULL, 10) : 1400, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int kind = argc > 3 ? atoi(argv[3]) : -1;
    static struct row rows[KINDS], trees[TREES];
    uint64_t outside = 0, checked = 0;
    for (uint64_t seed = first; seed < first + traces; seed++)
        run(seed, kind, rows, trees);
    for (int i = 0; i < KINDS; i++) {
        outside += rows[i].outside;
        checked += rows[i].checked;
    }
    printf("%-26s %8s %8s %8s %8s %8s %8s %8s\n", "", "traces", "refused", "outside", "call", "all", "95 call",
           "95 all");
    for (int i = 0; i < KINDS; i++)
        print_row(kind_names[i], &rows[i]);
    for (int i = 0; i < TREES; i++)
        print_row(tree_names[i], &trees[i]);
    printf("%" PRIu64 " of %" PRIu64 " truths outside, %" PRIu64 " traces\n", outside, checked, traces);
    bool near = true;
    for (int i = 0; i < KINDS; i++)
        near = is_near(&rows[i], i) && near;
    return outside > 0 || !near;
}
