/* calibrations COUNT [seed=N] [jobs=N] [kind=NAME]: calibrates COUNT times on machines whose clocks disagree, step or
 * drift, and compares each published boundary with the true skew at the end of the measurement. Exit 0: every boundary
 * is at least the skew; 1: a boundary is below the skew; 77: cannot be tested here.
 *
 *   constant  a constant skew, of a tick to a million
 *   step      a constant skew, and a step at any moment of the calibration
 *   visit     a step that is aimed at the last sweep
 *   end       a step that is aimed at the time after the last sweep
 *   drift     0.2 to 50 ppm, from the start or from any moment on
 *
 * Half of the steps have a size of one to two latencies, which is the most dangerous size if the two directions are
 * measured at different times. A refused calibration is always right. No measurement can see a step after the last
 * messages of a CPU: a calibration is therefore drawn again if its step came in the last 100 us of the CPU's last visit
 * or later (pair.h, P3), or if the CPUs paused in that visit. `force` is set if the skew itself makes the boundary
 * implausible (above 10 us). It is also set if the kernel does not vouch for the counter, because the gates for such a
 * counter take ten seconds. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <ordo/calibrate.h>
#include <ordo/clock.h>
#include <ordo/start/evidence.h>

#include "base/random.h"
#include "calibrate/measure/pair.h"

enum kind { CONSTANT, STEP, VISIT, END, DRIFT, KINDS };
static const char *const names[KINDS] = {"constant", "step", "visit", "end", "drift"};

enum { MOST_CPUS = 3, RUNS = 3000, SWEEPS = 2, WINDOW_US = 100, PAUSE_US = 2000, LIKELY = 20000, TRIES = 10 };

/* The outcomes of the calibrations of one kind. */
struct tally {
    long tried, published, refused, untold, above, drawn_again;
    double largest_share; /* the largest quotient of a true skew and its boundary */
};

static struct skewed_machine *machine;
static unsigned cpus[MOST_CPUS];
static int cpu_count;
static char cpu_list[64];
static double tick_hz;
static bool vouched;
static uint64_t lasts_ticks =
    1; /* from the last pair of the last sweep to the result, as measured in the previous calibration */
static double typical_ticks = 300; /* the boundary of this machine if its clocks agree */

/* The begin and the end of each CPU's last visit, in ticks of the real counter. */
static _Atomic uint64_t visit_began[SKEWED_CPUS], visit_ended[SKEWED_CPUS];

/* --- the times of visits: wraps both sides of a visit */

int __real_ordo_pair_measure_a(struct ordo_pair *pair, struct ordo_pair_runs runs, struct ordo_error *error);
int __real_ordo_pair_measure_b(struct ordo_pair *pair, struct ordo_pair_runs runs, struct ordo_error *error);

static int timed(int (*measure)(struct ordo_pair *, struct ordo_pair_runs, struct ordo_error *), struct ordo_pair *pair,
                 struct ordo_pair_runs runs, struct ordo_error *error)
{
    unsigned cpu = skewed_cpu_now() % SKEWED_CPUS;
    uint64_t began = skewed_native_ordered();
    int code = measure(pair, runs, error);
    atomic_store(&visit_began[cpu], began);
    atomic_store(&visit_ended[cpu], skewed_native_ordered());
    return code;
}

int __wrap_ordo_pair_measure_a(struct ordo_pair *pair, struct ordo_pair_runs runs, struct ordo_error *error)
{
    return timed(__real_ordo_pair_measure_a, pair, runs, error);
}

int __wrap_ordo_pair_measure_b(struct ordo_pair *pair, struct ordo_pair_runs runs, struct ordo_error *error)
{
    return timed(__real_ordo_pair_measure_b, pair, runs, error);
}

/* --- one calibration */

struct trial {
    enum kind kind;
    uint64_t random;
    unsigned cpu; /* the CPU whose clock is skewed */
    struct skewed_change changes[SKEWED_CHANGES];
    uint64_t step_at; /* 0: none */
    int calls;
    uint64_t last_pair_at;
};

static double between(struct trial *trial, double low, double high)
{
    return low + (high - low) * ordo_random_unit(&trial->random);
}

static int64_t signed_size(struct trial *trial, double size)
{
    return (int64_t)(between(trial, 0, 1) < 0.5 ? -size : size);
}

static int64_t any_skew(struct trial *trial)
{
    return signed_size(trial, pow(10, between(trial, 0, 6)));
}

static int64_t any_step(struct trial *trial)
{
    return between(trial, 0, 1) < 0.5 ? signed_size(trial, typical_ticks * between(trial, 0.8, 2.2)) : any_skew(trial);
}

static void step(struct trial *trial, double in_s)
{
    trial->step_at = skewed_native_ordered() + (uint64_t)(in_s * tick_hz) + 1;
    trial->changes[1] = (struct skewed_change){trial->step_at, any_step(trial), 0};
    skewed_set(machine, trial->cpu, trial->changes);
}

static void begin(struct trial *trial)
{
    double begins_in_s = between(trial, 0, 1) < 0.5 ? 0 : between(trial, 0, 1);
    trial->changes[0] = (struct skewed_change){1, 0, 0};
    if (trial->kind == DRIFT)
        trial->changes[0] = (struct skewed_change){skewed_native_ordered() + (uint64_t)(begins_in_s * tick_hz), 0,
                                                   signed_size(trial, 200 * pow(250, between(trial, 0, 1)))};
    else if (trial->kind == CONSTANT || between(trial, 0, 1) < 0.5)
        trial->changes[0].ticks = trial->kind == CONSTANT ? any_skew(trial) : any_skew(trial) / 100;
    skewed_set(machine, trial->cpu, trial->changes);
    if (trial->kind == STEP)
        step(trial, between(trial, 0, 1.05));
}

/* Aims a step at the measurement of the last pair of the last sweep, or at the time after it. A pause of a second
 * precedes the last sweep. */
static int on_pair(void *context, const struct ordo_calibrate_progress *progress)
{
    struct trial *trial = context;
    int pairs = cpu_count * (cpu_count - 1) / 2, all = pairs * SWEEPS;
    if (progress->attempt > 1)
        return 0;
    trial->calls++;
    if (trial->kind == VISIT && trial->calls == all - 1)
        step(trial, (pairs == 1 ? 1 : 0) + between(trial, 0, 0.004));
    if (trial->calls == all) {
        trial->last_pair_at = skewed_native_ordered();
        if (trial->kind == END)
            step(trial, between(trial, 0, 1) * (double)lasts_ticks / tick_hz);
    }
    return 0;
}

/* True if the step came with or after the CPU's last messages. */
static bool came_too_late(const struct trial *trial)
{
    uint64_t began = atomic_load(&visit_began[trial->cpu]), ended = atomic_load(&visit_ended[trial->cpu]);
    if (trial->step_at == 0 || trial->step_at < began)
        return false;
    return trial->step_at + (uint64_t)(WINDOW_US * 1e-6 * tick_hz) > ended ||
           ended - began > (uint64_t)(PAUSE_US * 1e-6 * tick_hz);
}

/* Compares the boundary with the true skew. `code` is the result of the calibration. */
static void judge(const struct trial *trial, int code, const struct ordo_calibration *found, const char *text,
                  struct tally *tally)
{
    uint64_t end = atomic_load(&visit_ended[trial->cpu]);
    int64_t truth = skewed_ahead(machine, trial->cpu, end);
    tally->tried++;
    if (code == ORDO_E_REFUTED) {
        tally->refused++;
    } else if (code) {
        tally->untold++;
        printf("%s: could not tell: %s\n", names[trial->kind], text);
    } else {
        double share = fabs((double)truth) / (double)ordo_calibration_boundary_ticks(found);
        tally->published++;
        tally->largest_share = fmax(tally->largest_share, share);
        if (share <= 1)
            return;
        tally->above++;
        printf("ABOVE: %s: cpu %u is ahead by %" PRId64 " ticks, the boundary is %" PRIu64 "; step of %" PRId64
               " at %.1f us after the begin and %.1f us before the end of its last visit; drift %" PRId64 " ppb\n",
               names[trial->kind], trial->cpu, truth, ordo_calibration_boundary_ticks(found), trial->changes[1].ticks,
               (double)(int64_t)(trial->step_at - atomic_load(&visit_began[trial->cpu])) / tick_hz * 1e6,
               (double)(int64_t)(end - trial->step_at) / tick_hz * 1e6, trial->changes[0].ppb);
    }
}

/* False if the calibration must be drawn again. */
static bool try_once(struct trial *trial, struct tally *tally)
{
    struct ordo_calibration *found;
    struct ordo_error error;
    struct ordo_calibrate_options options = {
        .cpus = cpu_list, .runs = RUNS, .sweeps = SWEEPS, .progress = on_pair, .progress_context = trial};
    begin(trial);
    options.force = !vouched || trial->kind == DRIFT || llabs(trial->changes[0].ticks) > LIKELY ||
                    llabs(trial->changes[1].ticks) > LIKELY;
    int code = ordo_calibrate(&options, &found, &error);
    if (trial->last_pair_at && !code)
        lasts_ticks = skewed_native_ordered() - trial->last_pair_at;
    bool late = came_too_late(trial);
    if (!late)
        judge(trial, code, found, error.text, tally);
    ordo_calibration_free(found);
    skewed_set(machine, trial->cpu, (struct skewed_change[SKEWED_CHANGES]){{0, 0, 0}});
    return !late;
}

static void calibrate(long number, uint64_t seed, int only, struct tally *tallies)
{
    for (uint64_t again = 0; again < TRIES; again++) {
        struct trial trial = {.random = seed * 1000003 + (uint64_t)number * 1009 + again};
        (void)ordo_random_unit(&trial.random);
        trial.kind = only < KINDS ? (enum kind)only : (enum kind)(number % KINDS);
        trial.cpu = cpus[(int)between(&trial, 0, cpu_count) % cpu_count];
        if (try_once(&trial, &tallies[trial.kind]))
            return;
        tallies[trial.kind].drawn_again++;
    }
}

/* Calibrates without a skew, to find the boundary of this machine. */
static void calibrate_true(void)
{
    struct trial trial = {.kind = CONSTANT};
    struct ordo_calibration *found;
    struct ordo_calibrate_options options = {
        .cpus = cpu_list, .runs = RUNS, .sweeps = SWEEPS, .force = 1, .progress = on_pair, .progress_context = &trial};
    if (ordo_calibrate(&options, &found, NULL))
        return;
    lasts_ticks = skewed_native_ordered() - trial.last_pair_at;
    typical_ticks = (double)ordo_calibration_boundary_ticks(found);
    ordo_calibration_free(found);
}

/* --- all calibrations */

static bool look_around(void)
{
    cpu_set_t set;
    struct ordo_evidence evidence;
    struct ordo_trust_verdict verdict;
    if (sched_getaffinity(0, sizeof set, &set))
        return false;
    for (unsigned cpu = 0; cpu < CPU_SETSIZE && cpu_count < MOST_CPUS; cpu++)
        if (CPU_ISSET(cpu, &set))
            cpus[cpu_count++] = cpu;
    for (int i = 0; i < cpu_count; i++)
        (void)snprintf(cpu_list + strlen(cpu_list), sizeof cpu_list - strlen(cpu_list), "%s%u", i ? "," : "", cpus[i]);
    (void)ordo_evidence_gather(&evidence, NULL);
    ordo_evidence_judge(&evidence, &verdict);
    vouched = verdict.trust == ORDO_TRUST_VOUCHED;
    uint64_t ticks = skewed_native_ordered(), ns = ordo_pair_now_ns();
    while (ordo_pair_now_ns() - ns < 20000000)
        ;
    tick_hz = (double)(skewed_native_ordered() - ticks) * 1e9 / (double)(ordo_pair_now_ns() - ns);
    return cpu_count >= 2;
}

static void *shared(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        exit(70);
    return memory;
}

static int report(const struct tally *all, int jobs)
{
    struct tally sum = {0};
    printf("%-10s %6s %10s %8s %7s %6s %6s %14s\n", "kind", "tried", "published", "refused", "untold", "above", "again",
           "skew/boundary");
    for (int kind = 0; kind <= KINDS; kind++) {
        struct tally one = {0};
        for (int job = 0; job < jobs && kind < KINDS; job++) {
            const struct tally *from = &all[job * KINDS + kind];
            one = (struct tally){one.tried + from->tried,
                                 one.published + from->published,
                                 one.refused + from->refused,
                                 one.untold + from->untold,
                                 one.above + from->above,
                                 one.drawn_again + from->drawn_again,
                                 fmax(one.largest_share, from->largest_share)};
        }
        if (kind == KINDS)
            one = sum;
        else
            sum = (struct tally){sum.tried + one.tried,
                                 sum.published + one.published,
                                 sum.refused + one.refused,
                                 sum.untold + one.untold,
                                 sum.above + one.above,
                                 sum.drawn_again + one.drawn_again,
                                 fmax(sum.largest_share, one.largest_share)};
        printf("%-10s %6ld %10ld %8ld %7ld %6ld %6ld %14.3f\n", kind < KINDS ? names[kind] : "all", one.tried,
               one.published, one.refused, one.untold, one.above, one.drawn_again, one.largest_share);
        if (kind < KINDS && one.drawn_again > 3 * one.tried + TRIES) {
            printf("most steps came when the measurement was over: it ends too early\n");
            sum.above++;
        }
    }
    return sum.above > 0 || sum.published == 0;
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 0;
    unsigned long long seed = 1;
    int jobs = 1, only = KINDS;
    for (int i = 2; i < argc; i++)
        if (sscanf(argv[i], "seed=%llu", &seed) != 1 && sscanf(argv[i], "jobs=%d", &jobs) != 1)
            for (only = 0; only < KINDS && strcmp(argv[i] + 5 * !strncmp(argv[i], "kind=", 5), names[only]);)
                only++;
    if (count < 1 || jobs < 1 || jobs > 64)
        return 64;
    if (!look_around())
        return 77;
    printf("seed %llu, CPUs %s%s\n", seed, cpu_list, vouched ? "" : ", all with force: the kernel does not vouch");
    (void)fflush(stdout);
    struct tally *all = shared((size_t)jobs * KINDS * sizeof *all);
    for (int job = 0; job < jobs; job++)
        if (fork() == 0) {
            skewed_machine = machine = shared(sizeof *machine);
            calibrate_true();
            for (long number = job; number < count; number += jobs)
                calibrate(number, seed, only, &all[job * KINDS]);
            (void)fflush(stdout);
            _exit(0);
        }
    int status, failed = 0;
    for (int job = 0; job < jobs; job++)
        failed |= wait(&status) < 0 || status != 0;
    return report(all, jobs) || failed;
}
