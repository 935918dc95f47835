#include "harness.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ordo/clock.h>

#include "base/gang.h"
#include "base/time.h"
#include "common/progress.h"

/* The results of one thread in a trial. */
struct outcome {
    uint64_t ops;
    double wall_s, cpu_s, waited_s;
};

/* One trial: `threads` workers, and one more thread of the gang that keeps the time. */
struct trial {
    const struct bench_variant *variant;
    const struct bench_machine *machine;
    int threads;
    double seconds;
    struct bench_worker *workers; /* [threads] */
    struct outcome *outcomes;     /* [threads] */
    _Alignas(BENCH_LINE) atomic_int arrived;
    _Alignas(BENCH_LINE) atomic_bool stop; /* read by all workers, written once; therefore alone on its line */
};

static double clock_s(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Returns the time that the calling thread was ready to run while another thread had its CPU, in seconds; negative if
 * the kernel does not count it. Time asleep does not count: waiting for another thread belongs to the measurement. */
static double waited_s(void)
{
    long long ran_ns, waited_ns = -1, turns = 0;
    FILE *file = fopen("/proc/thread-self/schedstat", "re");
    bool read = file && fscanf(file, "%lld %lld %lld", &ran_ns, &waited_ns, &turns) == 3;
    if (!read || turns == 0) /* impossible for a running thread: this kernel does not count */
        waited_ns = -1;
    if (file)
        (void)fclose(file);
    return (double)waited_ns * 1e-9;
}

static int enter_worker(void *context, int index, struct ordo_error *error)
{
    struct trial *trial = context;
    if (index == trial->threads)
        return ORDO_OK;
    int code = ordo_topology_pin(trial->machine->topology, bench_machine_cpu(trial->machine, index), error);
    if (!code && trial->variant->enter)
        code = trial->variant->enter(&trial->workers[index], error);
    return code;
}

/* Waits until all workers run. The gang's gate wakes its threads one after the other, over tens of microseconds; this
 * second barrier makes them begin together. Relaxed: the gate has made all data visible, and the barrier only counts
 * threads. */
static void wait_for_all(struct trial *trial)
{
    atomic_fetch_add_explicit(&trial->arrived, 1, memory_order_relaxed);
    for (int spins = 0; atomic_load_explicit(&trial->arrived, memory_order_relaxed) < trial->threads; spins++) {
        if (spins < 10000)
            ordo_clock_pause();
        else
            sched_yield();
    }
}

static void keep_time(struct trial *trial)
{
    while (atomic_load_explicit(&trial->arrived, memory_order_relaxed) < trial->threads)
        ordo_sleep_ns(50000);
    ordo_sleep_ns((int64_t)(trial->seconds * 1e9));
    atomic_store_explicit(&trial->stop, true, memory_order_relaxed);
}

static int work_worker(void *context, int index, struct ordo_error *error)
{
    struct trial *trial = context;
    if (index == trial->threads) {
        keep_time(trial);
        return ORDO_OK;
    }
    struct bench_worker *worker = &trial->workers[index];
    wait_for_all(trial);
    double before_s = waited_s(), wall_s = clock_s(CLOCK_MONOTONIC), cpu_s = clock_s(CLOCK_THREAD_CPUTIME_ID);
    uint64_t ops = trial->variant->work(worker);
    struct outcome *outcome = &trial->outcomes[index];
    *outcome = (struct outcome){
        .ops = ops, .wall_s = clock_s(CLOCK_MONOTONIC) - wall_s, .cpu_s = clock_s(CLOCK_THREAD_CPUTIME_ID) - cpu_s};
    outcome->waited_s = before_s < 0
                            ? outcome->wall_s - outcome->cpu_s
                            : fmin(waited_s() - before_s, outcome->wall_s); /* reading schedstat may wait, too */
    if (trial->variant->leave)
        trial->variant->leave(worker);
    return ordo_topology_check_pinned(trial->machine->topology, bench_machine_cpu(trial->machine, index), error);
}

static int run_gang(struct trial *trial, struct ordo_error *error)
{
    for (int i = 0; i < trial->threads; i++)
        trial->workers[i] = (struct bench_worker){
            .stop = &trial->stop, .index = i, .threads = trial->threads, .context = trial->variant->context};
    if (trial->variant->prepare) {
        int code = trial->variant->prepare(trial->variant->context, trial->threads, error);
        if (code)
            return code;
    }
    return ordo_gang_run(trial->threads + 1, enter_worker, work_worker, trial, error);
}

static void audit_worker(struct bench_cell *cell)
{
    struct ordo_error error = {0};
    char name[BENCH_NAME];
    if (!cell->variant->audit || cell->variant->audit(cell->variant->context, &error) == ORDO_OK)
        return;
    cell->audit_failed = true;
    bench_name(cell->variant, name, sizeof name);
    fprintf(stderr, "%s, %s, %d threads: audit FAILED: %s\n", name, cell->variant->workload, cell->threads, error.text);
}

/* Adds the results of a trial to its cell. */
static void record_trial(struct bench_cell *cell, int run, const struct trial *trial)
{
    for (int i = 0; i < trial->threads; i++) {
        const struct outcome *outcome = &trial->outcomes[i];
        cell->ops_per_s[run] += (double)outcome->ops / outcome->wall_s;
        cell->ops += outcome->ops;
        cell->wall_s += outcome->wall_s;
        cell->cpu_s += outcome->cpu_s;
        cell->waited_s += outcome->waited_s;
        for (int c = 0; c < BENCH_COUNTERS; c++)
            cell->counters[c] += trial->workers[i].counters[c];
    }
}

/* Runs a trial of the cell. `run` is the index of the round, negative in the warm-up round, whose results are
 * dropped. */
static int run_trial(struct bench_cell *cell, int run, const struct bench_machine *machine, double seconds,
                     struct ordo_error *error)
{
    struct trial trial = {.variant = cell->variant, .machine = machine, .threads = cell->threads, .seconds = seconds};
    size_t threads = (size_t)cell->threads;
    trial.workers = aligned_alloc(BENCH_LINE, threads * sizeof *trial.workers);
    trial.outcomes = calloc(threads, sizeof *trial.outcomes);
    int code =
        trial.workers && trial.outcomes ? run_gang(&trial, error) : ordo_error_errno(error, "%zu workers", threads);
    if (!code) {
        audit_worker(cell);
        if (run >= 0)
            record_trial(cell, run, &trial);
    }
    free(trial.workers);
    free(trial.outcomes);
    return code;
}

static int run_rounds(struct bench_set *set, const struct bench_machine *machine, double seconds,
                      struct ordo_error *error)
{
    int code = ORDO_OK;
    struct progress progress;
    progress_begin(&progress, false);
    for (int round = 0; round <= set->runs && !code; round++) {
        progress_show(&progress, (double)round / (set->runs + 1), set->cells[0].variant->workload);
        for (int i = 0; i < set->cell_count && !code; i++) {
            int at = round % 2 ? set->cell_count - 1 - i : i;
            code = run_trial(&set->cells[at], round - 1, machine, seconds, error);
        }
    }
    progress_end(&progress);
    return code;
}

int bench_measure(struct bench_set *set, const struct bench_variant *variants, int count,
                  const struct bench_machine *machine, const struct bench_options *options, struct ordo_error *error)
{
    *set = (struct bench_set){.runs = options->runs, .cell_count = count * options->thread_counts};
    set->cells = calloc((size_t)set->cell_count, sizeof *set->cells);
    set->values = calloc((size_t)set->runs, sizeof *set->values);
    if (!set->cells || !set->values)
        return ordo_error_errno(error, "%d cells", set->cell_count);
    for (int i = 0; i < set->cell_count; i++) {
        struct bench_cell *cell = &set->cells[i];
        cell->variant = &variants[i % count];
        cell->threads = options->threads[i / count];
        cell->ops_per_s = calloc((size_t)set->runs, sizeof *cell->ops_per_s);
        if (!cell->ops_per_s)
            return ordo_error_errno(error, "%d rounds", set->runs);
    }
    return run_rounds(set, machine, options->seconds, error);
}

void bench_free(struct bench_set *set)
{
    for (int i = 0; set->cells && i < set->cell_count; i++)
        free(set->cells[i].ops_per_s);
    free(set->cells);
    free(set->values);
    *set = (struct bench_set){0};
}
