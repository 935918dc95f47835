/* The segment, and the order in which ranks meet. Waiting spins, then sleeps: ranks may have to share
 * CPUs, and those whose turn it is not must not disturb the others. */
#include "measure/node.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ordo/clock.h>

#include "measure/node_line.h"
#include "measure/schedule.h"

enum { PATIENCE_S = 120, SWEEP_ALL_PAIRS = 16, WARP_READS = 3000, WARP_NS = 10000000, SWEEP_EXCHANGES = 100 };

/* What a rank says about itself. */
struct seat {
    struct ordo_node_line to, back; /* of the visits in which it is the lower rank */
    cpu_set_t cpus;                 /* empty where it cannot be bound */
};

struct gate {
    _Alignas(128) _Atomic int arrived;
    _Atomic unsigned generation;
    _Atomic unsigned steps; /* that anybody has taken: who takes long is not silent */
    _Atomic int gave_up;
};

struct warp_line {
    _Alignas(128) _Atomic int taken;
    uint64_t last;
    int last_rank;
};

struct head {
    struct gate gate;
    _Atomic int unswept; /* a rank could not run where the sweep wanted it, or does not know where it may */
    struct warp_line warp;
};

/* Where things are in the segment. */
struct layout {
    size_t seats, granules, warps, steps, visits, sweeps, bytes;
};

static int pairs_of(int size)
{
    return size * (size - 1) / 2;
}

static int pair_index(int size, int a, int b)
{
    return a * size - a * (a + 1) / 2 + b - a - 1;
}

/* Where the steps of a rank and clock begin, one for each rank. */
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

static size_t take(size_t *end, size_t count, size_t bytes)
{
    size_t begin = (*end + 127) / 128 * 128;
    *end = begin + count * bytes;
    return begin;
}

static struct layout lay_out(const struct ordo_node_plan *plan)
{
    struct layout layout = {.bytes = sizeof(struct head)};
    size_t size = (size_t)plan->size, clocks = (size_t)plan->clock_count;
    layout.seats = take(&layout.bytes, size, sizeof(struct seat));
    layout.granules = take(&layout.bytes, size * clocks, sizeof(int64_t));
    layout.warps = take(&layout.bytes, (size + 1) * clocks, sizeof(struct ordo_node_warp));
    layout.steps = take(&layout.bytes, size * clocks * size, sizeof(int64_t));
    layout.visits =
        take(&layout.bytes, (size_t)pairs_of(plan->size) * clocks * (size_t)plan->rounds, sizeof(struct ordo_visit));
    layout.sweeps = take(&layout.bytes, (size_t)ordo_node_sweeps(plan) * clocks, sizeof(struct ordo_visit));
    return layout;
}

size_t ordo_node_bytes(const struct ordo_node_plan *plan)
{
    return lay_out(plan).bytes;
}

/* One rank at work. */
struct worker {
    const struct ordo_node_plan *plan;
    char *segment;
    struct layout layout;
    struct head *head;
    struct seat *seats;
    struct ordo_node_warp *warps;
    struct ordo_visit *visits, *sweeps;
    struct ordo_match *matches; /* room for one step's */
    cpu_set_t own;              /* the affinity to return to */
    uint64_t conversation;      /* numbers the visits, so that no line is ever taken for that of another one */
};

static int64_t clock_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_ns(int64_t ns)
{
    struct timespec time = {ns / 1000000000, ns % 1000000000};
    (void)nanosleep(&time, NULL);
}

/* Waits for all ranks; false once anybody has given up. */
static bool meet(struct worker *worker)
{
    enum { SPINS = 2000, NAP_NS = 100000 };
    struct gate *gate = &worker->head->gate;
    unsigned generation = atomic_load_explicit(&gate->generation, memory_order_relaxed), seen = 0, steps;
    int64_t begin_ns = 0;
    /* acq_rel, pairs with itself: the last to arrive has seen what all others wrote. */
    if (atomic_fetch_add_explicit(&gate->arrived, 1, memory_order_acq_rel) == worker->plan->size - 1) {
        atomic_store_explicit(&gate->arrived, 0, memory_order_relaxed);
        /* Release, pairs with the acquire below: who leaves sees what all wrote before they came. */
        atomic_store_explicit(&gate->generation, generation + 1, memory_order_release);
        return true;
    }
    for (unsigned waits = 0; atomic_load_explicit(&gate->generation, memory_order_acquire) == generation; waits++) {
        if (waits < SPINS) {
            ordo_clock_pause();
        } else {
            steps = atomic_load_explicit(&gate->steps, memory_order_relaxed);
            begin_ns = begin_ns && steps == seen ? begin_ns : clock_ns();
            seen = steps;
            if (clock_ns() - begin_ns > PATIENCE_S * INT64_C(1000000000))
                atomic_store_explicit(&gate->gave_up, 1, memory_order_relaxed);
            if (atomic_load_explicit(&gate->gave_up, memory_order_relaxed))
                return false;
            sleep_ns(NAP_NS);
        }
    }
    return !atomic_load_explicit(&gate->gave_up, memory_order_relaxed);
}

static int nth_cpu(const cpu_set_t *set, int n)
{
    n %= CPU_COUNT(set);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, set) && n-- == 0)
            return cpu;
    return -1;
}

static bool bind_to(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((unsigned)cpu, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

/* Binds the two of a match to different CPUs of theirs, others in every round; `turn` counts rounds and matches. */
static void bind_match(struct worker *worker, struct ordo_match match, int turn)
{
    const cpu_set_t *a = &worker->seats[match.a].cpus, *b = &worker->seats[match.b].cpus;
    int count_a = CPU_COUNT(a), count_b = CPU_COUNT(b);
    if (count_a == 0 || count_b == 0)
        return;
    int cpu_a = nth_cpu(a, turn), cpu_b = nth_cpu(b, turn + 1);
    if (cpu_a == cpu_b && count_b > 1)
        cpu_b = nth_cpu(b, turn + 2);
    else if (cpu_a == cpu_b)
        cpu_a = nth_cpu(a, turn + 1);
    /* A visit that is not bound is valid, and slower. */
    if (worker->plan->rank == match.a && count_a > 1)
        (void)bind_to(cpu_a);
    if (worker->plan->rank == match.b && count_b > 1)
        (void)bind_to(cpu_b);
}

static void unbind(struct worker *worker)
{
    if (CPU_COUNT(&worker->own) > 0)
        (void)sched_setaffinity(0, sizeof worker->own, &worker->own);
}

/* The part of this rank, if it has one, in a match: visits clock by clock, from `visits`, `stride` apart. */
static bool play(struct worker *worker, struct ordo_match match, int exchanges, struct ordo_visit *visits,
                 size_t stride)
{
    const struct ordo_node_plan *plan = worker->plan;
    struct seat *seat = &worker->seats[match.a];
    struct ordo_node_visit visit = {.to = &seat->to,
                                    .back = &seat->back,
                                    .gave_up = &worker->head->gate.gave_up,
                                    .exchanges = exchanges,
                                    .visit_ns = plan->visit_ns,
                                    .patience_ns = PATIENCE_S * INT64_C(1000000000)};
    if (plan->rank != match.a && plan->rank != match.b)
        return true;
    for (int clock = 0; clock < plan->clock_count; clock++) {
        visit.number = worker->conversation * (uint64_t)plan->clock_count + (uint64_t)clock + 1;
        visit.back_units = &worker->warps[plan->rank * plan->clock_count + clock].back_units;
        visit.result = &visits[(size_t)clock * stride];
        if (!(plan->rank == match.a ? ordo_node_visit_a : ordo_node_visit_b)(&visit, &plan->clocks[clock]))
            return false;
        (void)atomic_fetch_add_explicit(&worker->head->gate.steps, 1, memory_order_relaxed);
    }
    return true;
}

static bool play_match(struct worker *worker, struct ordo_match match, int round, int turn)
{
    const struct ordo_node_plan *plan = worker->plan;
    size_t pair = (size_t)pair_index(plan->size, match.a, match.b), pairs = (size_t)pairs_of(plan->size);
    bind_match(worker, match, turn);
    return play(worker, match, plan->exchanges, &worker->visits[pair * (size_t)plan->rounds + (size_t)round],
                pairs * (size_t)plan->rounds);
}

/* Every pair once. */
static bool play_round(struct worker *worker, int round)
{
    const struct ordo_node_plan *plan = worker->plan;
    struct ordo_match *matches = worker->matches;
    for (int step = 0; step < ordo_schedule_rounds(plan->size); step++) {
        int count = ordo_schedule_round(plan->size, step, matches);
        for (int i = 0; i < count; i++)
            if (!play_match(worker, matches[i], round, round + 2 * i) || (plan->one_by_one && !meet(worker)))
                return false;
        worker->conversation++;
        if (!meet(worker))
            return false;
    }
    unbind(worker);
    return true;
}

static bool play_rounds(struct worker *worker)
{
    const struct ordo_node_plan *plan = worker->plan;
    int64_t begin_ns = clock_ns();
    for (int round = 0; round < plan->rounds; round++) {
        int64_t left_ns = begin_ns + (round ? plan->span_ns * round / (plan->rounds - 1) : 0) - clock_ns();
        if (left_ns > 0)
            sleep_ns(left_ns);
        if (!meet(worker) || !play_round(worker, round))
            return false;
        if (plan->progress)
            plan->progress(plan->context, (round + 1.0) / (plan->rounds + 1));
    }
    return true;
}

/* The pair of CPUs that `index` means: all pairs, or the first CPU with each other one. */
static struct ordo_match sweep_pair(const struct ordo_node_plan *plan, int index)
{
    int first = 0, others = plan->sweep_count - 1;
    while (index >= others) {
        index -= others--;
        first++;
    }
    return (struct ordo_match){first, first + 1 + index};
}

static bool sweep_all(struct worker *worker)
{
    const struct ordo_node_plan *plan = worker->plan;
    int count = ordo_node_sweeps(plan);
    for (int i = 0; i < count; i++) {
        struct ordo_match cpus = sweep_pair(plan, i);
        if (plan->rank < 2 && !bind_to((int)plan->sweep_cpus[plan->rank == 0 ? cpus.a : cpus.b]))
            atomic_store_explicit(&worker->head->unswept, 1, memory_order_relaxed);
        if (!play(worker, (struct ordo_match){0, 1}, SWEEP_EXCHANGES, &worker->sweeps[i], (size_t)count) ||
            (plan->size > 1 && !meet(worker)))
            return false;
        worker->conversation++;
    }
    if (plan->rank < 2)
        unbind(worker);
    return plan->size == 1 || meet(worker);
}

/* The second rank that one alone on its node lacks for the sweep. */
static void *help(void *context)
{
    struct worker worker = *(struct worker *)context;
    struct ordo_node_plan plan = *worker.plan;
    plan.rank = 1;
    worker.plan = &plan;
    (void)sweep_all(&worker);
    return NULL;
}

static bool sweep(struct worker *worker)
{
    pthread_t helper;
    if (worker->plan->size > 1 || ordo_node_sweeps(worker->plan) == 0)
        return sweep_all(worker);
    if (pthread_create(&helper, NULL, help, worker) != 0)
        return false;
    /* It reads its worker before it answers the first visit, and this one's changes only after that. */
    bool good = sweep_all(worker);
    (void)pthread_join(helper, NULL);
    for (int clock = 0; clock < worker->plan->clock_count; clock++) {
        struct ordo_node_warp *own = &worker->warps[clock], *its = own + worker->plan->clock_count;
        own->back_units = its->back_units > own->back_units ? its->back_units : own->back_units;
    }
    return good;
}

/* `steps` has a place for each rank whose reading may have been the one before. */
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

/* All ranks read one clock, one at a time, each after the reading of another: it must not be lower. */
static bool warp_test(struct worker *worker, int clock)
{
    enum { SPINS = 500, NAP_NS = 20000 };
    const struct ordo_node_plan *plan = worker->plan;
    struct warp_line *line = &worker->head->warp;
    struct ordo_node_warp *warp = &worker->warps[plan->rank * plan->clock_count + clock]; /* as seen in the visits */
    int64_t *steps = (int64_t *)(worker->segment + worker->layout.steps) + step_index(plan, plan->rank, clock);
    uint64_t own_last = 0;
    for (int before = 0; before < plan->size; before++)
        steps[before] = INT64_MAX;
    if (plan->rank == 0)
        line->last = 0;
    if (!meet(worker))
        return false;
    int64_t end_ns = clock_ns() + WARP_NS;
    for (int i = 0; i < WARP_READS && clock_ns() < end_ns; i++) {
        /* Acquire, pairs with the release below: the reading before is in the line. */
        for (int waits = 0; atomic_exchange_explicit(&line->taken, 1, memory_order_acquire); waits++)
            if (waits < SPINS)
                ordo_clock_pause();
            else
                sleep_ns(NAP_NS);
        warp_once(line, plan->rank, ordo_node_read(&plan->clocks[clock]), &own_last, warp, steps);
        atomic_store_explicit(&line->taken, 0, memory_order_release);
    }
    return meet(worker);
}

static void introduce(struct worker *worker)
{
    const struct ordo_node_plan *plan = worker->plan;
    int64_t *granules = (int64_t *)(worker->segment + worker->layout.granules) + plan->rank * plan->clock_count;
    CPU_ZERO(&worker->own);
    if (sched_getaffinity(0, sizeof worker->own, &worker->own) != 0) { /* the kernel may know more CPUs than fit */
        CPU_ZERO(&worker->own);
        atomic_store_explicit(&worker->head->unswept, 1, memory_order_relaxed);
    }
    worker->seats[plan->rank].cpus = worker->own;
    for (int clock = 0; clock < plan->clock_count; clock++)
        granules[clock] = (int64_t)ordo_clock_granule(plan->clocks[clock].source);
}

int ordo_node_measure(const struct ordo_node_plan *plan, void *segment, struct ordo_error *error)
{
    struct worker worker = {.plan = plan, .segment = segment, .layout = lay_out(plan)};
    worker.head = segment;
    worker.seats = (struct seat *)(worker.segment + worker.layout.seats);
    worker.warps = (struct ordo_node_warp *)(worker.segment + worker.layout.warps);
    worker.visits = (struct ordo_visit *)(worker.segment + worker.layout.visits);
    worker.sweeps = (struct ordo_visit *)(worker.segment + worker.layout.sweeps);
    worker.matches = calloc((size_t)plan->size / 2 + 1, sizeof *worker.matches);
    if (!worker.matches)
        atomic_store_explicit(&worker.head->gate.gave_up, 1, memory_order_relaxed);
    introduce(&worker);
    bool good = meet(&worker) && play_rounds(&worker) && sweep(&worker);
    for (int clock = 0; good && clock < plan->clock_count; clock++)
        good = warp_test(&worker, clock);
    unbind(&worker);
    free(worker.matches);
    if (good)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MEASURE, 0, "no rank of the node got on for %d s", PATIENCE_S);
}

int64_t ordo_node_granule(const struct ordo_node_plan *plan, const void *segment, int clock)
{
    const int64_t *granules = (const int64_t *)((const char *)segment + lay_out(plan).granules);
    int64_t most = 1;
    for (int rank = 0; rank < plan->size; rank++)
        most = granules[rank * plan->clock_count + clock] > most ? granules[rank * plan->clock_count + clock] : most;
    return most;
}

const struct ordo_visit *ordo_node_visits(const struct ordo_node_plan *plan, const void *segment, int clock, int a,
                                          int b)
{
    const struct ordo_visit *visits = (const struct ordo_visit *)((const char *)segment + lay_out(plan).visits);
    size_t pair = (size_t)clock * (size_t)pairs_of(plan->size) + (size_t)pair_index(plan->size, a, b);
    return &visits[pair * (size_t)plan->rounds];
}

struct ordo_node_sweep ordo_node_sweep(const struct ordo_node_plan *plan, const void *segment, int clock, int index)
{
    const struct ordo_visit *visits = (const struct ordo_visit *)((const char *)segment + lay_out(plan).sweeps);
    struct ordo_match cpus = sweep_pair(plan, index);
    return (struct ordo_node_sweep){plan->sweep_cpus[cpus.a], plan->sweep_cpus[cpus.b],
                                    visits[(size_t)clock * (size_t)ordo_node_sweeps(plan) + (size_t)index]};
}

bool ordo_node_unswept(const void *segment)
{
    return atomic_load_explicit(&((const struct head *)segment)->unswept, memory_order_relaxed);
}

bool ordo_node_runs_on(const struct ordo_node_plan *plan, const void *segment, int rank, unsigned cpu)
{
    const struct seat *seats = (const struct seat *)((const char *)segment + lay_out(plan).seats);
    return CPU_ISSET(cpu, &seats[rank].cpus);
}

int64_t ordo_node_step(const struct ordo_node_plan *plan, const void *segment, int clock, int rank, int before)
{
    const int64_t *steps = (const int64_t *)((const char *)segment + lay_out(plan).steps);
    return steps[step_index(plan, rank, clock) + (size_t)before];
}

struct ordo_node_warp ordo_node_warp(const struct ordo_node_plan *plan, const void *segment, int clock, int rank)
{
    const struct ordo_node_warp *warps = (const struct ordo_node_warp *)((const char *)segment + lay_out(plan).warps);
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
