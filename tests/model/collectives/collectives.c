/* model-collectives SEEDS [FIRST]: random traces of collectives, of which calls were dropped. Every pair of readings that
 * lib/trace/correct/collectives.c passes on must be in the order that it claims.
 *
 * The clocks have offsets and rates that the model knows, so it finds the true time of a reading. Exit 1 with a line
 * "seed N: ..." for a pair in the wrong order. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "trace/correct/collectives.h"
#include "trace/event/collective.h"

extern const struct ordo_method ordo_method_interval;
const struct ordo_method *const ordo_methods[] = {&ordo_method_interval, NULL};

enum { RANKS_MOST = 20, COMMUNICATORS = 2 };

/* Ways of numbering: counted in the order of the file, numbers in the trace, or numbers with two kernels a call. */
enum mode { COUNTED, NUMBERED, KERNELS, MODES };

struct clock {
    double offset_ns, rate;
};

struct model {
    uint64_t random;
    int ranks, calls;
    enum mode mode;
    double apart_ns, late_ns;
    int lossy, lost_from, lost_end; /* counted: the rank that lost a run of calls */
    struct clock clocks[RANKS_MOST];
    struct ordo_collectives all;
    double free_ns[RANKS_MOST];
    uint64_t pairs, wrong;
};

static double between(struct model *model, double least, double most)
{
    return least + (most - least) * ordo_random_unit(&model->random);
}

static int below(struct model *model, int count)
{
    return (int)(ordo_random_next(&model->random) % (uint64_t)count);
}

static int64_t read_clock(const struct model *model, int rank, double true_ns)
{
    const struct clock *clock = &model->clocks[rank];
    return (int64_t)floor(true_ns + clock->offset_ns + clock->rate * true_ns);
}

static double true_time(const struct model *model, int rank, int64_t reading)
{
    const struct clock *clock = &model->clocks[rank];
    return ((double)reading - clock->offset_ns) / (1 + clock->rate);
}

static int check_pair(void *context, int32_t from, int32_t to, int64_t begin_ns, int64_t end_ns)
{
    struct model *model = context;
    model->pairs++;
    model->wrong += true_time(model, from, begin_ns) > true_time(model, to, end_ns) + 4;
    return 0;
}

struct call {
    const char *name;
    int communicator, root, number;
};

static enum ordo_event_collective waits_of(const char *name)
{
    return ordo_event_collective_of((struct ordo_text){name, strlen(name)});
}

static void take(struct model *model, const struct call *call, int rank, bool begins, double true_ns)
{
    struct ordo_event event = {.time_ns = read_clock(model, rank, true_ns),
                               .name = {call->name, strlen(call->name)},
                               .rank = rank,
                               .root = call->root,
                               .place = rank,
                               .communicator = (uint64_t)call->communicator,
                               .number = model->mode == COUNTED ? ORDO_EVENT_UNCOUNTED : (uint32_t)call->number,
                               .kind = begins ? ORDO_EVENT_BEGIN : ORDO_EVENT_END,
                               .collective = (uint8_t)waits_of(call->name)};
    if (ordo_collectives_take(&model->all, &event))
        abort();
}

static bool waits_for(const struct call *call, int rank, int other)
{
    switch (waits_of(call->name)) {
    case ORDO_COLLECTIVE_ONE_TO_ALL:
        return other == call->root;
    case ORDO_COLLECTIVE_ALL_TO_ONE:
        return rank == call->root;
    case ORDO_COLLECTIVE_PREFIX:
        return other < rank;
    default:
        return true;
    }
}

static bool loses(struct model *model, const struct call *call, int rank)
{
    if (model->mode != COUNTED)
        return below(model, 8) == 0;
    return rank == model->lossy && call->communicator == 0 && call->number >= model->lost_from &&
           call->number < model->lost_end;
}

/* The part of one rank: a call, or two kernels one after the other. */
static void make_part(struct model *model, const struct call *call, int rank, double enter_ns, double leave_ns)
{
    int kernels = model->mode == KERNELS ? 2 : 1;
    for (int i = 0; i < kernels; i++) {
        if (i > 0) { /* only the first kernel waits for others */
            enter_ns = leave_ns + between(model, 1000, 200000);
            leave_ns = enter_ns + 1000;
        }
        bool lost = loses(model, call, rank);
        if (!lost)
            take(model, call, rank, true, enter_ns);
        if (model->mode == COUNTED ? !lost : below(model, 8) > 0)
            take(model, call, rank, false, leave_ns);
        model->free_ns[rank] = leave_ns;
    }
}

static void make_call(struct model *model, const struct call *call, double at_ns)
{
    int step = call->communicator + 1;
    double enter[RANKS_MOST], leave[RANKS_MOST];
    for (int rank = 0; rank < model->ranks; rank++)
        enter[rank] = fmax(at_ns + between(model, 0, model->late_ns), model->free_ns[rank] + 1000);
    for (int rank = 0; rank < model->ranks; rank++) {
        leave[rank] = enter[rank];
        for (int other = 0; other < model->ranks; other += step)
            if (waits_for(call, rank, other))
                leave[rank] = fmax(leave[rank], enter[other]);
        leave[rank] += between(model, 100, 1000);
    }
    for (int rank = 0; rank < model->ranks; rank += step)
        make_part(model, call, rank, enter[rank], leave[rank]);
}

/* Makes the calls. Sometimes two calls get one number, as if a library counted only one of them. */
static void make_calls(struct model *model)
{
    static const char *const names[] = {"MPI_Barrier", "MPI_Allreduce", "MPI_Bcast", "MPI_Reduce", "MPI_Scan"};
    int numbers[COMMUNICATORS] = {0};
    double at_ns = 1e6;
    for (int i = 0; i < model->calls; i++, at_ns += model->apart_ns * between(model, 0.5, 1.5)) {
        struct call call = {.name = names[below(model, 5)], .communicator = below(model, COMMUNICATORS), .root = -1};
        enum ordo_event_collective waits = waits_of(call.name);
        if (waits == ORDO_COLLECTIVE_PREFIX)
            call.communicator = 0;
        if (waits == ORDO_COLLECTIVE_ONE_TO_ALL || waits == ORDO_COLLECTIVE_ALL_TO_ONE)
            call.root =
                (call.communicator + 1) * below(model, (model->ranks + call.communicator) / (call.communicator + 1));
        call.number = numbers[call.communicator];
        numbers[call.communicator] += model->mode == COUNTED || below(model, 16) > 0;
        make_call(model, &call, at_ns);
    }
}

static void draw(struct model *model, uint64_t seed)
{
    *model = (struct model){.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
    model->ranks = 2 + below(model, RANKS_MOST - 1);
    model->calls = 5 + below(model, 60);
    model->mode = (enum mode)(seed % MODES);
    model->apart_ns = pow(10, between(model, 5, 8));
    model->late_ns = pow(10, between(model, 2, 6));
    model->lossy = below(model, model->ranks + 1); /* one above the last rank: nothing is lost */
    model->lost_from = below(model, 30);
    model->lost_end = model->lost_from + 1 + below(model, 3);
    for (int rank = 0; rank < model->ranks; rank++)
        model->clocks[rank] = (struct clock){between(model, -1e10, 1e10), between(model, -4e-4, 4e-4)};
}

static bool run(uint64_t seed, uint64_t *pairs)
{
    struct model model;
    struct ordo_clocks clocks = {.granule_ns = 1};
    struct ordo_evidence evidence = {0};
    struct ordo_declared declared = ordo_declared_defaults();
    draw(&model, seed);
    for (int rank = 0; rank < model.ranks; rank++)
        if (ordo_clocks_grow(&clocks, rank, NULL))
            abort();
    make_calls(&model);
    if (ordo_collectives_settle(&model.all, &clocks, ordo_band_limit(&declared), &evidence, NULL) ||
        ordo_collectives_pair(&model.all, check_pair, &model, &evidence))
        abort();
    ordo_collectives_free(&model.all);
    ordo_clocks_free(&clocks);
    *pairs += model.pairs;
    if (model.wrong > 0)
        printf("seed %" PRIu64 ": %" PRIu64 " of %" PRIu64 " pairs are in the wrong order (%d ranks, mode %d)\n", seed,
               model.wrong, model.pairs, model.ranks, (int)model.mode);
    return model.wrong == 0;
}

int main(int argc, char **argv)
{
    uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 10) : 3000, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t pairs = 0;
    for (uint64_t seed = first; seed < first + seeds; seed++)
        if (!run(seed, &pairs))
            return 1;
    printf("%" PRIu64 " traces, %" PRIu64 " pairs\n", seeds, pairs);
    if (pairs < seeds * 1000) { /* a program that passes nothing on is always right */
        printf("seed %" PRIu64 ": too few pairs\n", first);
        return 1;
    }
    return 0;
}
