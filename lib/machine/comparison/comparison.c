#include "machine/comparison/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ordo/clock.h>

#include "base/gang.h"
#include "base/time.h"
#include "machine/comparison/across.h"
#include "machine/comparison/cost.h"

enum { LOOKS = 2, EXCHANGES = 400, LOOK_NS = 60000000, MOST_CLOCKS = 32 };
enum { APART_NS = 1000000, MOST_SAMPLES = 100000 };

/* A comparison in progress. */
struct run {
    const struct ordo_comparison_options *options;
    struct ordo_comparison *comparison;
    struct ordo_topology *topology;
    const struct ordo_clock_source *sources[MOST_CLOCKS];
    int count;
    struct ordo_bracket *brackets[MOST_CLOCKS]; /* NULL for the counter itself */
    size_t room, samples;
    uint64_t origin_ticks;
    double rough_hz;
    struct ordo_across_look *looks; /* [CPU but the first][look][clock] */
};

static bool is_counter(const struct ordo_clock_source *source)
{
    return source->unit_hz == 0;
}

static void show(const struct run *run, double share, const char *words)
{
    if (run->options->progress)
        run->options->progress(run->options->context, share, words);
}

/* Finds the clocks that exist, and allocates room for all measurements of them. */
static int prepare_clocks(struct run *run, struct ordo_error *error)
{
    struct ordo_comparison *comparison = run->comparison;
    size_t pairs = (size_t)comparison->cpu_count - 1;
    double samples = fmin(comparison->seconds * 1e9 / APART_NS, MOST_SAMPLES);
    run->room = (size_t)samples + 2;
    comparison->apart_ns = (int64_t)(comparison->seconds * 1e9 / fmax(samples, 1));
    for (const struct ordo_clock_source *const *at = ordo_clock_sources; *at && run->count < MOST_CLOCKS; at++)
        if (ordo_clock_source_call(*at) != 0)
            run->sources[run->count++] = *at;
    comparison->clocks = calloc((size_t)run->count, sizeof *comparison->clocks);
    run->looks = calloc((pairs + 1) * LOOKS * (size_t)run->count, sizeof *run->looks);
    bool failed = !comparison->clocks || !run->looks;
    for (int i = 0; i < run->count && !failed; i++) {
        comparison->clocks[i].source = run->sources[i];
        comparison->clocks[i].across = calloc(pairs + 1, sizeof *comparison->clocks[i].across);
        comparison->clock_count++;
        run->brackets[i] = is_counter(run->sources[i]) ? NULL : calloc(run->room, sizeof *run->brackets[i]);
        failed = !comparison->clocks[i].across || (!run->brackets[i] && !is_counter(run->sources[i]));
    }
    return failed ? ordo_error_errno(error, "comparison of %d clocks", run->count) : ORDO_OK;
}

static int look_across(struct run *run, int look, struct ordo_error *error)
{
    const struct ordo_comparison *comparison = run->comparison;
    int code = ORDO_OK;
    for (int i = 0; i + 1 < comparison->cpu_count && !code; i++) {
        show(run, look == 0 ? 0 : 1, "across CPUs");
        code = ordo_across_look(run->topology, comparison->cpus[0], comparison->cpus[i + 1], run->sources, run->count,
                                EXCHANGES, LOOK_NS, &run->looks[(i * LOOKS + look) * run->count], error);
    }
    return code;
}

/* Takes a bracket. If it is wide because of an interruption, takes another one. */
static struct ordo_bracket take_bracket(const struct ordo_clock_source *source, uint64_t *narrowest)
{
    enum { TRIES = 3, WIDE = 3 };
    struct ordo_bracket best = {0};
    for (int i = 0; i < TRIES; i++) {
        struct ordo_bracket one;
        one.before_ticks = ordo_clock_read();
        one.units = ordo_clock_source_call(source);
        one.after_ticks = ordo_clock_read();
        uint64_t width = one.after_ticks - one.before_ticks;
        if (i == 0 || width < best.after_ticks - best.before_ticks)
            best = one;
        *narrowest = width < *narrowest ? width : *narrowest;
        if (width <= WIDE * *narrowest)
            break;
    }
    return best;
}

/* Takes samples until the time is over, whatever a reading costs. */
static void sample(struct run *run)
{
    enum { SHOWN = 50 };
    struct ordo_comparison *comparison = run->comparison;
    uint64_t narrowest[MOST_CLOCKS];
    int64_t begin_ns = ordo_raw_ns(), end_ns = begin_ns + (int64_t)(comparison->seconds * 1e9), now_ns = begin_ns;
    memset(narrowest, 0xff, sizeof narrowest);
    comparison->begin_utc_ns = (int64_t)ordo_clock_library_ns(CLOCK_REALTIME);
    comparison->begin_raw_ns = begin_ns;
    run->origin_ticks = ordo_clock_read();
    while (run->samples < run->room && (now_ns < end_ns || run->samples < 2)) {
        for (int i = 0; i < run->count; i++)
            if (run->brackets[i])
                run->brackets[i][run->samples] = take_bracket(run->sources[i], &narrowest[i]);
        run->samples++;
        if (run->samples % SHOWN == 1)
            show(run, (double)(now_ns - begin_ns) / (double)(end_ns - begin_ns), "readings");
        int64_t wait_ns = begin_ns + (int64_t)run->samples * comparison->apart_ns - ordo_raw_ns();
        ordo_sleep_ns(wait_ns > comparison->apart_ns ? comparison->apart_ns : wait_ns);
        now_ns = ordo_raw_ns();
    }
}

/* Returns the clock against which the rate of the counter is measured. */
static int reference_of(const struct run *run)
{
    static const char *const names[] = {"monotonic_raw", "monotonic"};
    for (int name = 0; name < 2; name++)
        for (int i = 0; i < run->count; i++)
            if (strcmp(run->sources[i]->name, names[name]) == 0)
                return i;
    return -1;
}

/* Estimates the counter's rate against `source`, well enough to convert ticks to nanoseconds during the run. */
static double rough_rate(const struct ordo_clock_source *source)
{
    enum { WAIT_NS = 50000000 };
    double low_hz, high_hz;
    struct ordo_bracket first = ordo_bracket_take(source);
    ordo_sleep_ns(WAIT_NS);
    struct ordo_bracket last = ordo_bracket_take(source);
    ordo_bracket_rate(&first, &last, source->unit_hz, &low_hz, &high_hz);
    return (low_hz + high_hz) / 2;
}

static int find_step(const struct ordo_clock_source *source, double tick_hz, double *step_ns, struct ordo_error *error)
{
    struct ordo_granule granule = {0};
    int code = is_counter(source) ? ordo_granule_measure_by(ORDO_CLOCK_ID, &granule, error) : ORDO_OK;
    *step_ns = is_counter(source) ? (double)granule.step_ticks * 1e9 / tick_hz
                                  : (double)ordo_clock_granule(source) * 1e9 / (double)source->unit_hz;
    return code;
}

static int pin_first(void *context, int index, struct ordo_error *error)
{
    const struct run *run = context;
    (void)index;
    return ordo_topology_pin(run->topology, run->comparison->cpus[0], error);
}

static int measure_clocks(void *context, int index, struct ordo_error *error)
{
    struct run *run = context;
    struct ordo_clock_compared *clocks = run->comparison->clocks;
    int reference = reference_of(run);
    (void)index;
    if (reference < 0)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "monotonic_raw and monotonic: this process cannot read them: allow clock_gettime");
    run->rough_hz = rough_rate(run->sources[reference]);
    if (!isfinite(run->rough_hz) || run->rough_hz <= 0)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%s: stands still against %s", ORDO_CLOCK_NAME,
                              run->sources[reference]->name);
    for (int i = 0; i < run->count; i++) {
        show(run, 0, "prices");
        if (find_step(run->sources[i], run->rough_hz, &clocks[i].step_ns, error))
            return error->code;
        clocks[i].cost = ordo_clock_cost_measure(run->sources[i], run->rough_hz);
    }
    sample(run);
    return ordo_topology_check_pinned(run->topology, run->comparison->cpus[0], error);
}

static struct ordo_series series_of(const struct run *run, int clock, double tick_hz)
{
    return (struct ordo_series){.brackets = run->brackets[clock],
                                .count = run->samples,
                                .tick_hz = tick_hz,
                                .unit_hz = (double)run->sources[clock]->unit_hz,
                                .step_ns = run->comparison->clocks[clock].step_ns,
                                .origin_ticks = run->origin_ticks};
}

/* Finds the counter's rate, in ticks per second of the reference, from the two ends of the longest part without a
 * jump. */
static int find_rate(struct run *run, int reference, size_t *chosen, struct ordo_error *error)
{
    struct ordo_series series = series_of(run, reference, run->rough_hz);
    double span_s;
    size_t first, length, count = ordo_series_narrow(&series, chosen);
    ordo_series_longest(&series, chosen, count, &first, &length);
    struct ordo_range ppm = ordo_series_rate_ppm(&series, chosen + first, length, &span_s);
    if (!(isfinite(ppm.low) && isfinite(ppm.high)) || ppm.low <= -1e6)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%s: its rate could not be measured: give it more --seconds",
                              ORDO_CLOCK_NAME);
    /* `ppm` is the rate of the reference against a counter of the rough rate; positive if the reference is fast. */
    run->comparison->tick_hz =
        (struct ordo_range){run->rough_hz / (1 + ppm.high * 1e-6), run->rough_hz / (1 + ppm.low * 1e-6)};
    return ORDO_OK;
}

static void prove(const struct ordo_series *series, const size_t *chosen, size_t count, size_t first, size_t length,
                  struct ordo_clock_compared *result)
{
    ordo_series_jumps(series, chosen, count, &result->jumps);
    ordo_series_slews(series, chosen + first, length, &result->slews);
    result->rate_ppm = ordo_series_rate_ppm(series, chosen + first, length, &result->rate_span_s);
}

static int analyse(struct run *run, int clock, size_t *chosen, struct ordo_error *error)
{
    struct ordo_comparison *comparison = run->comparison;
    struct ordo_clock_compared *result = &comparison->clocks[clock];
    double tick_hz = (comparison->tick_hz.low + comparison->tick_hz.high) / 2;
    /* The rate of a clock is stated against the reference, but measured against the counter. The counter's rate against
     * the reference is known to within `doubt_ppm`. */
    double doubt_ppm = (comparison->tick_hz.high - comparison->tick_hz.low) / 2 / tick_hz * 1e6;
    struct ordo_series series = series_of(run, clock, tick_hz);
    size_t first = 0, count = ordo_series_narrow(&series, chosen), length = count;
    if (count == 0)
        return ordo_error_errno(error, "comparison of %zu samples", run->samples);
    result->samples = count;
    result->rate_ppm = (struct ordo_range){-INFINITY, INFINITY};
    if (!ordo_clock_is_coarse(result->source)) {
        ordo_series_longest(&series, chosen, count, &first, &length);
        prove(&series, chosen, count, first, length, result);
    }
    result->rate_ppm.low -= doubt_ppm;
    result->rate_ppm.high += doubt_ppm;
    if (ordo_series_spread(&series, chosen, count, &result->spread) ||
        ordo_series_stability(&series, chosen + first, length, comparison->apart_ns, &result->stability))
        return ordo_error_errno(error, "comparison of %zu samples", run->samples);
    return ORDO_OK;
}

static struct ordo_across across_of(const struct run *run, int pair, int clock)
{
    struct ordo_visit visits[LOOKS];
    const struct ordo_clock_compared *result = &run->comparison->clocks[clock];
    double hz = is_counter(result->source) ? (run->comparison->tick_hz.low + run->comparison->tick_hz.high) / 2
                                           : (double)result->source->unit_hz;
    int64_t step_units = (int64_t)ceil(result->step_ns * hz / 1e9);
    struct ordo_across across = {.cpu = run->comparison->cpus[pair + 1]};
    int64_t least = 0;
    for (int i = 0; i < LOOKS; i++) {
        const struct ordo_across_look *look = &run->looks[(pair * LOOKS + i) * run->count + clock];
        visits[i] = look->visit;
        across.messages += look->messages;
        least = ordo_min(least, ordo_min(look->visit.delta_ab, look->visit.delta_ba));
    }
    struct ordo_interval offset = ordo_offset_intersect(visits, LOOKS);
    if (offset.low > offset.high) {
        struct ordo_interval a = ordo_offset_of_visit(&visits[0]), b = ordo_offset_of_visit(&visits[1]);
        offset = (struct ordo_interval){ordo_min(a.low, b.low), ordo_max(a.high, b.high)};
    }
    struct ordo_drift drift = ordo_offset_drift(visits, LOOKS, step_units);
    across.offset_ns = (struct ordo_range){(double)(offset.low - step_units) * 1e9 / hz,
                                           (double)(offset.high + step_units) * 1e9 / hz};
    across.drift_ppm = (struct ordo_range){drift.min_ppb / 1e3, drift.max_ppb / 1e3};
    across.backward_ns = (double)-least * 1e9 / hz;
    return across;
}

static int conclude_comparison(struct run *run, struct ordo_error *error)
{
    struct ordo_comparison *comparison = run->comparison;
    struct ordo_clock_compared *counter = NULL;
    int reference = reference_of(run);
    size_t *chosen = calloc(run->samples, sizeof *chosen);
    int code = chosen ? find_rate(run, reference, chosen, error) : ordo_error_errno(error, "comparison");
    for (int i = 0; i < run->count && !code; i++) {
        if (is_counter(run->sources[i]))
            counter = &comparison->clocks[i];
        else
            code = analyse(run, i, chosen, error);
    }
    free(chosen);
    if (code)
        return code;
    if (counter)
        ordo_clock_blame_counter(comparison, counter, &comparison->clocks[reference]);
    for (int i = 0; i < run->count; i++) {
        struct ordo_clock_compared *clock = &comparison->clocks[i];
        clock->against = clock == counter ? run->sources[reference] : counter ? counter->source : NULL;
        for (int pair = 0; pair + 1 < comparison->cpu_count; pair++)
            clock->across[pair] = across_of(run, pair, i);
        ordo_fitness_judge(comparison, clock);
    }
    return ORDO_OK;
}

static int run_all(struct run *run, struct ordo_error *error)
{
    struct ordo_comparison *comparison = run->comparison;
    enum ordo_entry entries[MOST_CLOCKS];
    int code = ordo_topology_open(&run->topology, NULL, error);
    if (!code)
        code =
            ordo_topology_select(run->topology, run->options->cpus, &comparison->cpus, &comparison->cpu_count, error);
    if (!code)
        code = prepare_clocks(run, error);
    if (code)
        return code;
    (void)ordo_trust_ask(&comparison->trust, NULL);
    ordo_discipline_ask(&comparison->discipline);
    ordo_clock_entries(run->sources, run->count, entries);
    for (int i = 0; i < run->count; i++)
        comparison->clocks[i].entry = entries[i];
    code = look_across(run, 0, error);
    if (!code)
        code = ordo_gang_run(1, pin_first, measure_clocks, run, error);
    if (!code)
        code = look_across(run, 1, error);
    return code ? code : conclude_comparison(run, error);
}

int ordo_comparison_run(const struct ordo_comparison_options *options, struct ordo_comparison **comparison,
                        struct ordo_error *error)
{
    struct run run = {.options = options, .comparison = calloc(1, sizeof *run.comparison)};
    *comparison = run.comparison;
    if (!run.comparison)
        return ordo_error_errno(error, "comparison");
    run.comparison->seconds = options->seconds;
    int code = run_all(&run, error);
    for (int i = 0; i < run.count; i++)
        free(run.brackets[i]);
    free(run.looks);
    if (run.topology)
        ordo_topology_close(run.topology);
    if (code) {
        ordo_comparison_free(run.comparison);
        *comparison = NULL;
    }
    return code;
}

void ordo_comparison_free(struct ordo_comparison *comparison)
{
    if (!comparison)
        return;
    for (int i = 0; i < comparison->clock_count; i++)
        free(comparison->clocks[i].across);
    free(comparison->clocks);
    free(comparison->cpus);
    free(comparison);
}
