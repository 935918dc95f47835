/* The layout of the segment, and the schedule of the measurement. A rank that waits spins for a short time and then
 * sleeps, because ranks may share CPUs, and a waiting rank must not disturb the ranks that measure. */
#include "cluster/verify/node.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <ordo/clock.h>

#include "base/cpus.h"
#include "base/schedule.h"
#include "base/time.h"
#include "cluster/verify/node_line.h"

enum {
    PATIENCE_S = 20,
    AGAIN_NS = 1000000000,
    SWEEP_ALL_PAIRS = 16,
    WARP_READS = 3000,
    WARP_NS = 10000000,
    SWEEP_EXCHANGES = 100
};

/* The part of the segment that belongs to one rank. */
struct seat {
    struct ordo_node_line to, back; /* lines for its visits to higher ranks */
    struct ordo_cpus cpus;          /* the CPUs that it may run on; empty if unknown */
};

struct gate {
    _Alignas(128) _Atomic int arrived;
    _Atomic unsigned generation;
};

struct warp_line {
    _Alignas(128) _Atomic int taken;
    uint64_t last;
    int last_rank;
};

struct head {
    struct ordo_node_life life;
    struct gate gate;
    _Atomic int sweep_again; /* rank 0's decision: the last visit of the sweep is repeated */
    _Atomic int unswept;     /* a rank could not be bound to a CPU of the sweep, or does not know its CPUs */
    struct warp_line warp;
};

/* Offsets of the arrays in the segment, in bytes, and its size. */
struct layout {
    size_t seats, beats, granules, warps, steps, visits, again, sweeps, bytes;
};

static int pairs_of(int size)
{
    return size * (size - 1) / 2;
}

static int pair_index(int size, int a, int b)
{
    return a * size - a * (a + 1) / 2 + b - a - 1;
}

/* Returns the index of the first step of a rank and clock. There is one step for each rank that read before. */
static size_t step_index(const struct ordo_node_plan *plan, int rank, int clock)
{
    return (size_t)(rank * plan->clock_count + clock) * (size_t)plan->size;
}

int ordo_node_sweeps(const struct ordo_node_plan *plan)
{
    if (plan->sweep_count < 2)
        return 0;
    return plan->sweep_count <= SWEEP_ALL_PAIRS ? pairs_of(plan->sweep_count) : plan->sweep_count - 1;
}

static size_t reserve(size_t *end, size_t count, size_t bytes)
{
    size_t begin = (*end + 127) / 128 * 128;
    *end = begin + count * bytes;
    return begin;
}

static struct layout lay_out_pages(const struct ordo_node_plan *plan)
{
    struct layout layout = {.bytes = sizeof(struct head)};
    size_t size = (size_t)plan->size, clocks = (size_t)plan->clock_count;
    layout.seats = reserve(&layout.bytes, size, sizeof(struct seat));
    layout.beats =
        reserve(&layout.bytes, size + 1, sizeof(unsigned)); /* one more than ranks, for the helper of a single rank */
    layout.granules = reserve(&layout.bytes, size * clocks, sizeof(int64_t));
    layout.warps = reserve(&layout.bytes, (size + 1) * clocks, sizeof(struct ordo_node_warp));
    layout.steps = reserve(&layout.bytes, size * clocks * size, sizeof(int64_t));
    layout.visits =
        reserve(&layout.bytes, (size_t)pairs_of(plan->size) * clocks * (size_t)plan->rounds, sizeof(struct ordo_visit));
    layout.again = reserve(&layout.bytes, (size_t)pairs_of(plan->size) * clocks, sizeof(bool));
    layout.sweeps = reserve(&layout.bytes, (size_t)ordo_node_sweeps(plan) * clocks, sizeof(struct ordo_visit));
    return layout;
}

size_t ordo_node_bytes(const struct ordo_node_plan *plan)
{
    return lay_out_pages(plan).bytes;
}

/* The state of one rank. */
struct worker {
    const struct ordo_node_plan *plan;
    char *segment;
    struct layout layout;
    struct head *head;
    struct seat *seats;
    struct ordo_node_warp *warps;
    struct ordo_visit *visits, *sweeps;
    bool *again;            /* per clock and pair: marked by rank 0 to be visited again */
    int crew;               /* number of threads in a barrier: the ranks, or a single rank and its helper */
    int64_t again_until_ns; /* rank 0: no visit is repeated after this time */
    struct ordo_schedule_match *matches; /* the matches of one step */
    struct ordo_node_waiter waiter;
    struct ordo_cpus own;  /* the affinity to restore */
    uint64_t conversation; /* number of the visit, so that readings of an earlier visit in the same line are ignored */
};

static void step_game(struct worker *worker)
{
    (void)atomic_fetch_add_explicit(&worker->head->life.steps, 1, memory_order_relaxed);
}

static bool gave_up(const struct worker *worker)
{
    return atomic_load_explicit(&worker->head->life.gave_up, memory_order_relaxed);
}

/* Waits for all ranks. False if a rank has given up. */
static bool barrier(struct worker *worker)
{
    enum { SPINS = 2000, NAP_NS = 100000, LONG_NAP_NS = 1600000 };
    struct gate *gate = &worker->head->gate;
    unsigned generation = atomic_load_explicit(&gate->generation, memory_order_relaxed);
    step_game(worker);
    /* acq_rel, pairs with itself: the rank that arrives last sees the writes of all other ranks. */
    if (atomic_fetch_add_explicit(&gate->arrived, 1, memory_order_acq_rel) == worker->crew - 1) {
        atomic_store_explicit(&gate->arrived, 0, memory_order_relaxed);
        /* Release, pairs with the acquire below: a rank that leaves sees everything that all ranks wrote before the
         * barrier. */
        atomic_store_explicit(&gate->generation, generation + 1, memory_order_release);
        return !gave_up(worker); /* if a rank gave up, the others may have left without this barrier */
    }
    /* If ranks share CPUs with the two that measure, naps get longer during the wait, so that they disturb less. */
    int64_t nap_ns = NAP_NS, most_ns = worker->plan->one_by_one ? LONG_NAP_NS : NAP_NS;
    ordo_node_wait_begin(&worker->waiter);
    for (unsigned waits = 0; atomic_load_explicit(&gate->generation, memory_order_acquire) == generation; waits++)
        if (waits < SPINS)
            ordo_clock_pause();
        else if (!ordo_node_nap(&worker->waiter, nap_ns))
            return false;
        else
            nap_ns = 2 * nap_ns < most_ns ? 2 * nap_ns : most_ns;
    return !gave_up(worker);
}

static unsigned nth_cpu(const struct ordo_cpus *cpus, int n)
{
    unsigned cpu = 0;
    n %= ordo_cpus_count(cpus);
    while (!ordo_cpus_have(cpus, cpu) || n-- > 0)
        cpu++;
    return cpu;
}

/* Binds each of the two ranks of a match to one of its own CPUs, to two different CPUs if possible. `turn` selects the
 * CPUs; it changes from round to round and from match to match. */
static void bind_match(struct worker *worker, struct ordo_schedule_match match, int turn)
{
    const struct ordo_cpus *a = &worker->seats[match.a].cpus, *b = &worker->seats[match.b].cpus;
    int count_a = ordo_cpus_count(a), count_b = ordo_cpus_count(b);
    if (count_a == 0 || count_b == 0)
        return;
    unsigned cpu_a = nth_cpu(a, turn), cpu_b = nth_cpu(b, turn + 1);
    if (cpu_a == cpu_b && count_b > 1)
        cpu_b = nth_cpu(b, turn + 2);
    else if (cpu_a == cpu_b)
        cpu_a = nth_cpu(a, turn + 1);
    /* An unbound visit is valid, but slower. */
    if (worker->plan->rank == match.a && count_a > 1)
        (void)ordo_cpus_bind_to(cpu_a);
    if (worker->plan->rank == match.b && count_b > 1)
        (void)ordo_cpus_bind_to(cpu_b);
}

static void unbind(struct worker *worker)
{
    if (ordo_cpus_count(&worker->own) > 0)
        (void)ordo_cpus_bind(&worker->own);
}

/* The measurement of a match: the number of exchanges, the visits that take the results, and the clocks. */
struct game {
    int exchanges;
    struct ordo_visit *visits; /* one visit for each clock; visits[clock * stride] */
    size_t stride;
    const bool *again; /* repeats the clocks that are marked here, one mark for each; NULL: first visit, all clocks */
};

/* Plays the part of this rank in a match, if the rank is one of the two. */
static bool play_part(struct worker *worker, struct ordo_schedule_match match, const struct game *game,
                      size_t again_stride)
{
    const struct ordo_node_plan *plan = worker->plan;
    struct seat *seat = &worker->seats[match.a];
    struct ordo_node_visit visit = {.to = &seat->to,
                                    .back = &seat->back,
                                    .waiter = &worker->waiter,
                                    .exchanges = game->exchanges,
                                    .visit_ns = plan->visit_ns,
                                    .again = game->again != NULL};
    if (plan->rank != match.a && plan->rank != match.b)
        return true;
    for (int clock = 0; clock < plan->clock_count; clock++) {
        if (game->again && !game->again[(size_t)clock * again_stride])
            continue;
        visit.number = worker->conversation * (uint64_t)plan->clock_count + (uint64_t)clock + 1;
        visit.back_units = &worker->warps[plan->rank * plan->clock_count + clock].back_units;
        visit.result = &game->visits[(size_t)clock * game->stride];
        if (!(plan->rank == match.a ? ordo_node_visit_a : ordo_node_visit_b)(&visit, &plan->clocks[clock]))
            return false;
        step_game(worker);
    }
    return true;
}

static struct ordo_visit *visits_of(const struct worker *worker, int pair, int round)
{
    return &worker->visits[(size_t)pair * (size_t)worker->plan->rounds + (size_t)round];
}

static bool play_match(struct worker *worker, struct ordo_schedule_match match, int round, int turn, bool again)
{
    const struct ordo_node_plan *plan = worker->plan;
    int pair = pair_index(plan->size, match.a, match.b);
    size_t pairs = (size_t)pairs_of(plan->size);
    const struct game game = {plan->exchanges, visits_of(worker, pair, round), pairs * (size_t)plan->rounds,
                              again ? &worker->again[pair] : NULL};
    bind_match(worker, match, turn);
    return play_part(worker, match, &game, pairs);
}

/* True if a visit is wide: a delta is above wide_units / `share`. */
static bool is_wide(const struct worker *worker, int clock, const struct ordo_visit *visit, int share)
{
    if (!worker->plan->wide_units)
        return false;
    int64_t most = worker->plan->wide_units[clock] / share;
    return visit->delta_ab > most || visit->delta_ba > most;
}

/* Marks up to MOST wide visits, beginning with the first clock; none after again_until_ns. Call on rank 0. */
static void mark_wide(struct worker *worker, int round)
{
    enum { MOST = 2 }; /* small, because a visit may take long on a busy machine, and the time is only checked here */
    int pairs = pairs_of(worker->plan->size), left = ordo_raw_ns() < worker->again_until_ns ? MOST : 0;
    for (int i = 0; i < worker->plan->clock_count * pairs; i++) {
        worker->again[i] = left > 0 && is_wide(worker, i / pairs, visits_of(worker, i, round), 1);
        left -= worker->again[i];
    }
}

static bool is_marked(const struct worker *worker, int pair)
{
    int pairs = pairs_of(worker->plan->size);
    bool any = false;
    for (int clock = 0; clock < worker->plan->clock_count; clock++)
        any |= worker->again[clock * pairs + pair];
    return any;
}

/* Repeats the marked visits, one pair after another, while all other ranks wait. The marks do not change meanwhile.
 * Sets `*any`: true if a visit was marked. False if a rank has given up. */
static bool play_marked(struct worker *worker, int round, int turn, bool *any)
{
    int size = worker->plan->size;
    *any = false;
    for (int a = 0; a < size; a++)
        for (int b = a + 1; b < size; b++) {
            if (!is_marked(worker, pair_index(size, a, b)))
                continue;
            *any = true;
            if (!play_match(worker, (struct ordo_schedule_match){a, b}, round, turn, true) || !barrier(worker))
                return false;
            worker->conversation++;
        }
    return true;
}

/* Repeats wide visits, which are wide because the machine was busy. The two bounds of a visit may then be of different
 * instants. This is no error: each bound holds at its own instant, and if the ranks read one clock, the offset is the
 * same at all instants. */
static bool play_again(struct worker *worker, int round)
{
    bool any = worker->plan->wide_units != NULL;
    worker->again_until_ns = ordo_raw_ns() + AGAIN_NS;
    for (int turn = round + 1; any; turn++) {
        if (worker->plan->rank == 0)
            mark_wide(worker, round);
        /* The second barrier makes rank 0 wait with new marks until all ranks have seen the old marks. */
        if (!barrier(worker) || !play_marked(worker, round, turn, &any) || !barrier(worker))
            return false;
    }
    return true;
}

/* Visits every pair of ranks once, and then repeats wide visits. */
static bool play_round(struct worker *worker, int round)
{
    const struct ordo_node_plan *plan = worker->plan;
    struct ordo_schedule_match *matches = worker->matches;
    for (int step = 0; step < ordo_schedule_rounds(plan->size); step++) {
        int count = ordo_schedule_round(plan->size, step, matches);
        for (int i = 0; i < count; i++)
            if (!play_match(worker, matches[i], round, round + 2 * i, false) || (plan->one_by_one && !barrier(worker)))
                return false;
        worker->conversation++;
        if (!barrier(worker))
            return false;
    }
    bool good = play_again(worker, round);
    unbind(worker);
    return good;
}

static bool play_rounds(struct worker *worker)
{
    const struct ordo_node_plan *plan = worker->plan;
    int64_t begin_ns = ordo_raw_ns();
    for (int round = 0; round < plan->rounds; round++) {
        if (!ordo_node_sleep(&worker->waiter, begin_ns + (round ? plan->span_ns * round / (plan->rounds - 1) : 0)) ||
            !barrier(worker) || !play_round(worker, round))
            return false;
        if (plan->progress)
            plan->progress(plan->context, (round + 1.0) / (plan->rounds + 1));
    }
    return true;
}

/* Returns the pair of CPUs number `index`. The pairs of the first CPU come first; on a machine with many CPUs, only
 * these are visited. */
static struct ordo_schedule_match sweep_pair(const struct ordo_node_plan *plan, int index)
{
    int first = 0, others = plan->sweep_count - 1;
    while (index >= others) {
        index -= others--;
        first++;
    }
    return (struct ordo_schedule_match){first, first + 1 + index};
}

/* Sets `*again` on all ranks: true if rank 0 decides to repeat the last visit. False if a rank has given up. */
static bool sweep_again(struct worker *worker, int index, bool *again)
{
    const struct ordo_node_plan *plan = worker->plan;
    int count = ordo_node_sweeps(plan),
        star = count == plan->sweep_count - 1 && count > 1 ? 2 : 1; /* see count_sweeps */
    bool wide = false;
    for (int clock = 0; clock < plan->clock_count && plan->rank == 0; clock++)
        wide |= is_wide(worker, clock, &worker->sweeps[clock * count + index], star);
    if (plan->rank == 0)
        atomic_store_explicit(&worker->head->sweep_again, wide && ordo_raw_ns() < worker->again_until_ns,
                              memory_order_relaxed);
    bool good = barrier(worker);
    *again = atomic_load_explicit(&worker->head->sweep_again, memory_order_relaxed);
    return good;
}

/* Visits one pair of CPUs: ranks 0 and 1 play the visit. Repeats the visit while it is wide, as play_again does. */
static bool sweep_one(struct worker *worker, int index)
{
    const struct ordo_node_plan *plan = worker->plan;
    static const bool all[1] = {true};
    struct game game = {SWEEP_EXCHANGES, &worker->sweeps[index], (size_t)ordo_node_sweeps(plan), NULL};
    bool again = true;
    while (again) {
        if (!play_part(worker, (struct ordo_schedule_match){0, 1}, &game, 0) || !barrier(worker) ||
            !sweep_again(worker, index, &again))
            return false;
        worker->conversation++;
        game.again = all;
    }
    return true;
}

static bool sweep_all(struct worker *worker)
{
    const struct ordo_node_plan *plan = worker->plan;
    int count = ordo_node_sweeps(plan);
    worker->again_until_ns = ordo_raw_ns() + AGAIN_NS;
    for (int i = 0; i < count; i++) {
        struct ordo_schedule_match cpus = sweep_pair(plan, i);
        if (plan->rank < 2 && !ordo_cpus_bind_to(plan->sweep_cpus[plan->rank == 0 ? cpus.a : cpus.b]))
            atomic_store_explicit(&worker->head->unswept, 1, memory_order_relaxed);
        if (!sweep_one(worker, i))
            return false;
    }
    if (plan->rank < 2)
        unbind(worker);
    return barrier(worker);
}

/* Thread that plays rank 1 in the sweep of a rank that is alone on its node. */
static void *play_helper(void *helper)
{
    (void)sweep_all(helper);
    return NULL;
}

static bool sweep(struct worker *worker)
{
    struct ordo_node_plan plan = *worker->plan;
    pthread_t thread;
    if (plan.size > 1 || ordo_node_sweeps(&plan) == 0)
        return sweep_all(worker);
    worker->crew = 2;
    struct worker helper = *worker;
    helper.plan = &plan;
    plan.rank = helper.waiter.rank = 1;
    helper.waiter.idle = NULL; /* only the rank's own thread may call idle */
    if (pthread_create(&thread, NULL, play_helper, &helper) != 0)
        return false;
    bool good = sweep_all(worker);
    worker->crew = 1;
    (void)pthread_join(thread, NULL);
    for (int clock = 0; clock < worker->plan->clock_count; clock++) {
        struct ordo_node_warp *own = &worker->warps[clock], *its = own + worker->plan->clock_count;
        own->back_units = its->back_units > own->back_units ? its->back_units : own->back_units;
    }
    return good;
}

/* Takes the reading `now` into the warp test. `steps` has the least difference to the previous reading for each rank
 * that may have made it. */
static void warp_once(struct warp_line *line, int rank, uint64_t now, uint64_t *own_last, struct ordo_node_warp *warp,
                      int64_t *steps)
{
    int64_t step = (int64_t)(now - line->last), back = (int64_t)(*own_last - now);
    if (line->last && line->last_rank != rank && step < steps[line->last_rank])
        steps[line->last_rank] = step;
    if (*own_last && back > warp->back_units)
        warp->back_units = back;
    line->last = *own_last = now;
    line->last_rank = rank;
}

/* Warp test of one clock: the ranks take a lock in turn, and read the clock under the lock. A reading must not be lower
 * than the previous reading, which another rank may have made. */
static bool warp_test(struct worker *worker, int clock)
{
    enum { SPINS = 500, NAP_NS = 20000 };
    const struct ordo_node_plan *plan = worker->plan;
    struct warp_line *line = &worker->head->warp;
    struct ordo_node_warp *warp =
        &worker->warps[plan->rank * plan->clock_count + clock]; /* visits have already updated back_units */
    int64_t *steps = (int64_t *)(worker->segment + worker->layout.steps) + step_index(plan, plan->rank, clock);
    uint64_t own_last = 0;
    for (int before = 0; before < plan->size; before++)
        steps[before] = INT64_MAX;
    if (plan->rank == 0)
        line->last = 0;
    if (!barrier(worker))
        return false;
    int64_t end_ns = ordo_raw_ns() + WARP_NS;
    for (int i = 0; i < WARP_READS && ordo_raw_ns() < end_ns; i++) {
        ordo_node_wait_begin(&worker->waiter);
        /* Acquire, pairs with the release below: the previous reading is visible in the line. */
        for (int waits = 0; atomic_exchange_explicit(&line->taken, 1, memory_order_acquire); waits++)
            if (waits < SPINS)
                ordo_clock_pause();
            else if (!ordo_node_nap(&worker->waiter, NAP_NS))
                return false; /* the holder of the lock does not release it */
        warp_once(line, plan->rank, ordo_node_read(&plan->clocks[clock]), &own_last, warp, steps);
        atomic_store_explicit(&line->taken, 0, memory_order_release);
    }
    return barrier(worker);
}

static void introduce(struct worker *worker)
{
    const struct ordo_node_plan *plan = worker->plan;
    int64_t *granules = (int64_t *)(worker->segment + worker->layout.granules) + plan->rank * plan->clock_count;
    if (!ordo_cpus_own(&worker->own))
        atomic_store_explicit(&worker->head->unswept, 1, memory_order_relaxed);
    worker->seats[plan->rank].cpus = worker->own;
    for (int clock = 0; clock < plan->clock_count; clock++)
        granules[clock] = (int64_t)ordo_clock_granule(plan->clocks[clock].source);
}

static void prepare_to_wait(struct worker *worker)
{
    const struct ordo_node_plan *plan = worker->plan;
    worker->waiter = (struct ordo_node_waiter){.life = &worker->head->life,
                                               .beats = (_Atomic unsigned *)(worker->segment + worker->layout.beats),
                                               .rank = plan->rank,
                                               .size = plan->size,
                                               .patience_ns = plan->patience_ns ? plan->patience_ns
                                                                                : PATIENCE_S * INT64_C(1000000000),
                                               .idle = plan->idle,
                                               .context = plan->context};
}

/* Returns the error of a measurement that was given up. Names the silent rank if it is known. */
static int complain(const struct worker *worker, struct ordo_error *error)
{
    int silent = atomic_load_explicit(&worker->head->life.silent, memory_order_relaxed);
    double patience_s = (double)worker->waiter.patience_ns / 1e9;
    if (silent)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "rank %d of the node did not answer for %g s", silent - 1,
                              patience_s);
    return ordo_error_set(error, ORDO_E_MEASURE, 0, "the ranks of the node did not get on for %g s", patience_s);
}

int ordo_node_measure(const struct ordo_node_plan *plan, void *segment, struct ordo_error *error)
{
    struct worker worker = {.plan = plan, .segment = segment, .layout = lay_out_pages(plan)};
    worker.head = segment;
    worker.seats = (struct seat *)(worker.segment + worker.layout.seats);
    worker.warps = (struct ordo_node_warp *)(worker.segment + worker.layout.warps);
    worker.visits = (struct ordo_visit *)(worker.segment + worker.layout.visits);
    worker.sweeps = (struct ordo_visit *)(worker.segment + worker.layout.sweeps);
    worker.again = (bool *)(worker.segment + worker.layout.again);
    worker.crew = plan->size;
    worker.matches = calloc((size_t)plan->size / 2 + 1, sizeof *worker.matches);
    if (!worker.matches)
        atomic_store_explicit(&worker.head->life.gave_up, 1, memory_order_relaxed);
    prepare_to_wait(&worker);
    introduce(&worker);
    bool good = barrier(&worker) && play_rounds(&worker) && sweep(&worker);
    for (int clock = 0; good && clock < plan->clock_count; clock++)
        good = warp_test(&worker, clock);
    unbind(&worker);
    free(worker.matches);
    return good ? ORDO_OK : complain(&worker, error);
}

int64_t ordo_node_granule(const struct ordo_node_plan *plan, const void *segment, int clock)
{
    const int64_t *granules = (const int64_t *)((const char *)segment + lay_out_pages(plan).granules);
    int64_t most = 1;
    for (int rank = 0; rank < plan->size; rank++)
        most = granules[rank * plan->clock_count + clock] > most ? granules[rank * plan->clock_count + clock] : most;
    return most;
}

const struct ordo_visit *ordo_node_visits(const struct ordo_node_plan *plan, const void *segment, int clock, int a,
                                          int b)
{
    const struct ordo_visit *visits = (const struct ordo_visit *)((const char *)segment + lay_out_pages(plan).visits);
    size_t pair = (size_t)clock * (size_t)pairs_of(plan->size) + (size_t)pair_index(plan->size, a, b);
    return &visits[pair * (size_t)plan->rounds];
}

struct ordo_node_sweep ordo_node_sweep(const struct ordo_node_plan *plan, const void *segment, int clock, int index)
{
    const struct ordo_visit *visits = (const struct ordo_visit *)((const char *)segment + lay_out_pages(plan).sweeps);
    struct ordo_schedule_match cpus = sweep_pair(plan, index);
    return (struct ordo_node_sweep){plan->sweep_cpus[cpus.a], plan->sweep_cpus[cpus.b],
                                    visits[(size_t)clock * (size_t)ordo_node_sweeps(plan) + (size_t)index]};
}

bool ordo_node_unswept(const void *segment)
{
    return atomic_load_explicit(&((const struct head *)segment)->unswept, memory_order_relaxed);
}

bool ordo_node_runs_on(const struct ordo_node_plan *plan, const void *segment, int rank, unsigned cpu)
{
    const struct seat *seats = (const struct seat *)((const char *)segment + lay_out_pages(plan).seats);
    return ordo_cpus_have(&seats[rank].cpus, cpu);
}

int64_t ordo_node_step(const struct ordo_node_plan *plan, const void *segment, int clock, int rank, int before)
{
    const int64_t *steps = (const int64_t *)((const char *)segment + lay_out_pages(plan).steps);
    return steps[step_index(plan, rank, clock) + (size_t)before];
}

struct ordo_node_warp ordo_node_warp(const struct ordo_node_plan *plan, const void *segment, int clock, int rank)
{
    const struct ordo_node_warp *warps =
        (const struct ordo_node_warp *)((const char *)segment + lay_out_pages(plan).warps);
    struct ordo_node_warp warp = warps[rank * plan->clock_count + clock];
    warp.least_step_units = INT64_MAX;
    warp.before = rank;
    for (int before = 0; before < plan->size; before++) {
        int64_t step = ordo_node_step(plan, segment, clock, rank, before);
        if (step < warp.least_step_units) {
            warp.least_step_units = step;
            warp.before = before;
        }
    }
    return warp;
}
