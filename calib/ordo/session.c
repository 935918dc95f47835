#include "session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ordo/record.h>

#include "base/gang.h"
#include "calibrate/bound/boundary.h"
#include "common/progress.h"
#include "common/report.h"
#include "coverage.h"
#include "machine/counter/counter.h"

/* Sources that disagree by more than this get a warning: only the display in nanoseconds depends on it. */
#define RATE_TOLERANCE 100e-6

/* What is read on one pinned CPU, before the first sweep and after the last. */
struct moment {
    const struct ordo_topology *topology;
    unsigned cpu;
    const struct ordo_clock_source *sources[ORDO_RATES]; /* monotonic_raw first */
    int source_count;
    struct ordo_granule granule;
    struct ordo_bracket brackets[ORDO_RATES];
    struct ordo_record_moment clocks;
};

static int pin_moment(void *context, int index, struct ordo_error *error)
{
    struct moment *moment = context;
    (void)index;
    return ordo_topology_pin(moment->topology, moment->cpu, error);
}

static int read_moment(void *context, int index, struct ordo_error *error)
{
    struct moment *moment = context;
    (void)index;
    moment->granule = ordo_granule_measure();
    for (int i = 0; i < moment->source_count; i++)
        moment->brackets[i] = ordo_bracket_take(moment->sources[i]);
    if (ordo_moment_take(&moment->clocks) != 0)
        return ordo_error_errno(error, "/proc/uptime");
    return ordo_topology_check_pinned(moment->topology, moment->cpu, error);
}

static int take_moment(struct moment *moment, struct ordo_error *error)
{
    return ordo_gang_run(1, pin_moment, read_moment, moment, error);
}

static void add_rate(struct ordo_calibration *result, const char *source, double low_hz, double high_hz)
{
    if (result->rate_count == ORDO_RATES)
        return;
    struct ordo_rate *rate = &result->rates[result->rate_count++];
    (void)snprintf(rate->source, sizeof rate->source, "%s", source);
    rate->low_hz = low_hz;
    rate->high_hz = high_hz;
    double apart = low_hz > result->tick_hz    ? low_hz - result->tick_hz
                   : high_hz < result->tick_hz ? high_hz - result->tick_hz
                                               : 0;
    if (fabs(apart) > RATE_TOLERANCE * result->tick_hz)
        ordo_calibration_warn(
            result,
            "tick rate: %s disagrees with monotonic_raw by %.0f ppm (nanoseconds are by monotonic_raw; ordering needs "
            "neither)",
            source, apart / result->tick_hz * 1e6);
}

/* The rate by CLOCK_MONOTONIC_RAW, then by every other source. Without the first nothing can be told: readers see by
 * the rate whether the clock still runs as it did. */
static int measure_rates(struct ordo_calibration *result, const struct moment *first, const struct moment *last,
                         double nominal_hz, struct ordo_error *error)
{
    for (int i = 0; i < last->source_count; i++) {
        const struct ordo_clock_source *source = last->sources[i];
        double low_hz, high_hz;
        if (!last->brackets[i].units)
            continue;
        ordo_bracket_rate(&first->brackets[i], &last->brackets[i], source->unit_hz, &low_hz, &high_hz);
        if (strcmp(source->name, "monotonic_raw") == 0)
            result->tick_hz = (low_hz + high_hz) / 2;
        if (result->tick_hz > 0)
            add_rate(result, source->name, low_hz, high_hz);
    }
    if (!(result->tick_hz >= 1 && last->clocks.raw_ns >= 0))
        return ordo_error_set(
            error, ORDO_E_MEASURE, 0,
            "monotonic_raw: this process cannot read it (a sandbox?), so the clock's rate is not known");
    if (ORDO_CLOCK_ID == ORDO_CLOCK_MONOTONIC)
        result->tick_hz = 1e9; /* by definition: it is steered, and monotonic_raw is not */
    if (nominal_hz > 0)
        add_rate(result, "processor", nominal_hz, nominal_hz);
    return ORDO_OK;
}

struct sweep_progress {
    struct progress bar;
    int done_before, total;
    char words[40];
};

static void on_progress(void *context, int pairs_done)
{
    struct sweep_progress *progress = context;
    progress_show(&progress->bar, (double)(progress->done_before + pairs_done) / progress->total, progress->words);
}

static void sleep_ns(uint64_t ns)
{
    struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    while (nanosleep(&time, &time) != 0)
        ;
}

/* All sweeps, each a second after the one before. The runs are divided among them, the remainder to the first. */
static int sweep_repeatedly(const struct session *session, struct ordo_sweep *sweep, struct ordo_calibration *result,
                            struct ordo_visit *visits, struct ordo_error *error)
{
    uint64_t sweeps = (uint64_t)result->repeats, fewest = UINT64_MAX;
    size_t stride = (size_t)result->count * (size_t)result->count;
    int pairs = result->count * (result->count - 1) / 2;
    struct sweep_progress progress = {.total = pairs * result->repeats};
    int code = ORDO_OK;
    progress_begin(&progress.bar, session->quiet);
    sweep->progress = on_progress;
    sweep->progress_context = &progress;
    for (uint64_t k = 0; k < sweeps && !code; k++) {
        uint64_t fewest_here = UINT64_MAX;
        (void)snprintf(progress.words, sizeof progress.words, "sweep %d of %d", (int)k + 1, result->repeats);
        if (k > 0)
            sleep_ns(SESSION_GAP_NS);
        sweep->runs.runs = session->runs.runs / sweeps + (k == 0 ? session->runs.runs % sweeps : 0);
        code = ordo_sweep_all(sweep, visits + k * stride, &fewest_here, error);
        progress.done_before += pairs;
        fewest = k == 0 ? fewest_here : fewest + fewest_here;
    }
    progress_end(&progress.bar);
    result->fewest_runs = pairs > 0 ? fewest : 0;
    return code;
}

static int check_trust(const struct session *session, struct ordo_calibration *result, struct ordo_trust *trust,
                       struct ordo_error *error)
{
    ordo_trust_read(trust);
    int code = ordo_trust_check(trust, error);
    result->forced = code && session->force;
    result->hypervisor = trust->hypervisor;
    memcpy(result->hypervisor_name, trust->hypervisor_name, sizeof result->hypervisor_name);
    if (!trust->kernel_available[0])
        ordo_calibration_warn(
            result, "%s: the kernel's list of clock sources cannot be read: whether it rejects the clock is not known",
            ORDO_CLOCK_NAME);
    return session->force ? ORDO_OK : code;
}

/* A boundary that is more likely a disturbance than the machine is published only where that is asked for. */
static int check_doubt(const struct session *session, struct ordo_calibration *result, const struct ordo_visit *visits,
                       struct ordo_error *error)
{
    if (ordo_boundary_doubt(result, visits, result->repeats, error) == ORDO_OK)
        return EXIT_OK;
    if (!session->force)
        return EXIT_UNKNOWN;
    ordo_calibration_warn(result, "%s", error->text);
    result->forced = true;
    return EXIT_OK;
}

static void take_granule(struct ordo_calibration *result, const struct ordo_granule *first,
                         const struct ordo_granule *last)
{
    result->granule_ticks = (uint64_t)(first->ticks > last->ticks ? first->ticks : last->ticks);
    result->step_ticks = (uint64_t)(first->step_ticks > last->step_ticks ? first->step_ticks : last->step_ticks);
    result->coarse = first->coarse || last->coarse;
}

static void take_age(struct ordo_calibration *result, const struct session *session,
                     const struct ordo_record_moment *clocks)
{
    result->as_of_ns = (uint64_t)clocks->uptime_ns;
    result->as_of_ticks = clocks->before_ticks;
    result->as_of_raw_ns = (uint64_t)clocks->raw_ns;
    result->suspended_ns = (uint64_t)clocks->suspended_low_ns;
    result->void_after_ns = result->as_of_ns + session->valid_days * 86400u * 1000000000u;
}

/* Fills the result from a prepared sweep. The exit code belongs to the part that failed. */
static int measure(const struct session *session, struct ordo_sweep *sweep, struct ordo_calibration *result,
                   struct ordo_error *error)
{
    struct ordo_trust trust;
    struct moment first = {.topology = sweep->topology, .cpu = sweep->cpus[0]}, last = first;
    if (check_trust(session, result, &trust, error))
        return EXIT_FAILS;
    size_t visits_count = (size_t)result->repeats * (size_t)result->count * (size_t)result->count;
    struct ordo_visit *visits = calloc(visits_count, sizeof *visits);
    if (!visits) {
        (void)ordo_error_errno(error, "calibration");
        return EXIT_INTERNAL;
    }
    int exit_code = EXIT_UNKNOWN;
    first.source_count = last.source_count = ordo_rate_sources(ordo_clock_sources, first.sources, ORDO_RATES);
    memcpy(last.sources, first.sources, sizeof last.sources);
    if (take_moment(&first, error) == ORDO_OK && sweep_repeatedly(session, sweep, result, visits, error) == ORDO_OK &&
        take_moment(&last, error) == ORDO_OK &&
        measure_rates(result, &first, &last, trust.nominal_hz, error) == ORDO_OK) {
        take_granule(result, &first.granule, &last.granule);
        take_age(result, session, &first.clocks);
        result->margin_ticks += (uint64_t)ceil((double)session->margin_ns * result->tick_hz / 1e9);
        result->seconds = (double)(last.clocks.before_ticks - first.clocks.before_ticks) / result->tick_hz;
        exit_code = ordo_boundary_compute(result, visits, result->repeats, error) == ORDO_OK ? EXIT_OK : EXIT_FAILS;
        if (!exit_code)
            exit_code = check_doubt(session, result, visits, error);
    }
    free(visits);
    return exit_code;
}

static struct ordo_calibration *new_result(const struct session *session, const struct ordo_topology *topology,
                                           const unsigned *cpus, int count)
{
    struct ordo_calibration *result = ordo_calibration_new(count);
    if (!result)
        return NULL;
    memcpy(result->cpus, cpus, (size_t)count * sizeof *cpus);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            result->share[a * count + b] = (unsigned char)ordo_topology_distance(topology, cpus[a], cpus[b]);
    ordo_topology_describe(topology, result->machine, sizeof result->machine);
    result->runs = session->runs.runs;
    result->settle = session->runs.settle;
    result->repeats = session->repeats;
    result->parallel = session->parallel;
    result->margin_ticks = session->margin_ticks;
    return result;
}

int session_run(const struct session *session, struct ordo_calibration **result, struct ordo_error *error)
{
    struct ordo_topology *topology;
    unsigned *cpus = NULL;
    int count;
    *result = NULL;
    if (ordo_topology_open(&topology, NULL, error))
        return EXIT_INTERNAL;
    int exit_code = ordo_topology_select(topology, session->cpu_list, &cpus, &count, error) ? EXIT_USAGE : EXIT_OK;
    if (!exit_code && session->replaces && !session->cpu_list &&
        coverage_check(topology, session->replaces, cpus, count, error))
        exit_code = EXIT_UNKNOWN;
    if (!exit_code) {
        *result = new_result(session, topology, cpus, count);
        struct ordo_sweep sweep = {
            .topology = topology, .cpus = cpus, .count = count, .runs = session->runs, .parallel = session->parallel};
        if (*result)
            exit_code = measure(session, &sweep, *result, error);
        else
            exit_code = EXIT_INTERNAL, (void)ordo_error_errno(error, "calibration");
    }
    free(cpus);
    ordo_topology_close(topology);
    return exit_code;
}
