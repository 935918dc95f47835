#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine/comparison/comparison.h"

/* The facts that the judges of all purposes use. */
struct facts {
    const struct ordo_comparison *comparison;
    const struct ordo_clock_compared *clock;
    struct ordo_across all;
    bool hardware, coarse, per_process, device;
    double apart_ns; /* bound on the difference of the clock between two CPUs */
};

const char *ordo_purpose_name(enum ordo_purpose purpose)
{
    static const char *const names[] = {"order", "duration", "machines", "node"};
    return names[purpose];
}

const char *ordo_fit_name(enum ordo_fit fit)
{
    static const char *const names[] = {"no", "limited", "yes"};
    return names[fit];
}

static struct ordo_fitness say(enum ordo_fit fit, const char *format, ...) __attribute__((format(printf, 2, 3)));

static struct ordo_fitness say(enum ordo_fit fit, const char *format, ...)
{
    struct ordo_fitness fitness = {.fit = fit};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fitness.reason, sizeof fitness.reason, format, arguments);
    va_end(arguments);
    return fitness;
}

static void include(struct ordo_range *hull, struct ordo_range range)
{
    hull->low = fmin(hull->low, range.low);
    hull->high = fmax(hull->high, range.high);
}

static double distance(struct ordo_range range)
{
    return fmax(range.low, -range.high);
}

struct ordo_across ordo_across_hull(const struct ordo_clock_compared *clock, int cpu_count)
{
    struct ordo_across hull = {0};
    for (int i = 0; i + 1 < cpu_count; i++) {
        const struct ordo_across *one = &clock->across[i];
        if (i == 0)
            hull = *one;
        include(&hull.offset_ns, one->offset_ns);
        hull.backward_ns = fmax(hull.backward_ns, one->backward_ns);
        hull.messages += i ? one->messages : 0;
        /* Takes the drift that is proved to be furthest from 0; if no drift is proved, the hull of all drifts. */
        if (distance(one->drift_ppm) > fmax(0, distance(hull.drift_ppm))) {
            hull.drift_ppm = one->drift_ppm;
            hull.cpu = one->cpu;
        } else if (distance(hull.drift_ppm) <= 0)
            include(&hull.drift_ppm, one->drift_ppm);
    }
    return hull;
}

/* Judges a clock by the proofs against it that count for every purpose. Returns fit YES if there are none. */
static struct ordo_fitness refuted(const struct facts *facts)
{
    const struct ordo_clock_compared *clock = facts->clock;
    struct ordo_error error;
    if (facts->hardware && ordo_trust_check(&facts->comparison->trust, &error))
        return say(ORDO_FIT_NO, "%s: %.150s", ordo_trust_word(facts->comparison->trust.trust),
                   facts->comparison->trust.reason);
    if (distance(facts->all.drift_ppm) > 0)
        return say(ORDO_FIT_NO, "proved: on cpu %u it runs %+.2f to %+.2f ppm faster than on cpu %u", facts->all.cpu,
                   facts->all.drift_ppm.low, facts->all.drift_ppm.high, facts->comparison->cpus[0]);
    if (facts->all.backward_ns > 0)
        return say(ORDO_FIT_NO, "proved: a later reading on another CPU was %.0f ns smaller", facts->all.backward_ns);
    if (clock->jumps.seen) {
        const struct ordo_series_event *first = &clock->jumps.events[0];
        return say(ORDO_FIT_NO, "it jumped by %+.0f to %+.0f ns, %.3f s after the beginning", first->change.low,
                   first->change.high, first->to_s);
    }
    return (struct ordo_fitness){.fit = ORDO_FIT_YES};
}

/* If a message takes longer than this, the two CPUs were busy with other work. */
enum { BUSY_NS = 10000 };

static struct ordo_fitness judge_order(const struct facts *facts)
{
    if (facts->clock->source->settable)
        return say(ORDO_FIT_NO, "it can be set while events happen, even backwards");
    if (facts->coarse)
        return say(ORDO_FIT_LIMITED, "all events within one tick of the kernel have the same time");
    if (facts->per_process)
        return say(ORDO_FIT_LIMITED, "only within one process: each process may count from its own origin");
    if (facts->comparison->cpu_count < 2)
        return say(ORDO_FIT_LIMITED, "only cpu %u was measured", facts->comparison->cpus[0]);
    if (facts->apart_ns > BUSY_NS)
        return say(ORDO_FIT_LIMITED, "readings may be %.0f ns apart: the CPUs were too busy to show less",
                   facts->apart_ns);
    if (facts->hardware)
        return say(ORDO_FIT_YES, "with a boundary: readings may be %.0f ns apart; `ordo calibrate` publishes the bound",
                   facts->apart_ns);
    return say(ORDO_FIT_YES, "readings that differ by more than %.0f ns are in order", facts->apart_ns);
}

static struct ordo_fitness judge_duration(const struct facts *facts)
{
    const struct ordo_clock_compared *clock = facts->clock;
    if (clock->source->settable)
        return say(ORDO_FIT_NO, "it can be set in the meantime");
    if (facts->coarse)
        return say(ORDO_FIT_LIMITED, "only for many ticks of the kernel: a tick takes up to %.0f ms",
                   (double)clock->source->granule_units / 1e6);
    if (facts->hardware)
        return say(ORDO_FIT_YES, "constant and never steered; its rate has to be measured: here to %.3f ppm",
                   (clock->rate_ppm.high - clock->rate_ppm.low) / 2);
    if (!clock->source->steered)
        return say(ORDO_FIT_YES, "never set and never steered");
    return say(ORDO_FIT_YES, "never set; steered, here by %+.3f to %+.3f ppm", clock->rate_ppm.low,
               clock->rate_ppm.high);
}

/* The step threshold of NTP (STEPT, RFC 5905): a clock that is further off is set at once instead of being
 * steered. */
#define MACHINES_NS 128e6

/* Judges a clock whose error is at most `error_ns` by the claim of a daemon, named by `by`. */
static struct ordo_fitness judge_error(const struct facts *facts, double error_ns, const char *by)
{
    double late_ns = facts->coarse ? (double)facts->clock->source->granule_units : 0;
    double most_ms = (error_ns + late_ns) / 1e6;
    return say(
        facts->coarse || error_ns > MACHINES_NS ? ORDO_FIT_LIMITED : ORDO_FIT_YES,
        "off by at most %.6g ms, so two such machines differ by at most %.6g ms; this is not proved, it is what %s",
        most_ms, 2 * most_ms, by);
}

static struct ordo_fitness judge_machines(const struct facts *facts)
{
    const struct ordo_discipline *discipline = &facts->comparison->discipline;
    if (!facts->clock->source->settable)
        return say(ORDO_FIT_NO, "it counts from an origin that only %s has",
                   facts->per_process ? "its process" : "this machine");
    if (facts->device)
        return discipline->ptp.found ? judge_error(facts, fabs(discipline->ptp.master_offset_ns), "ptp4l says now")
                                     : say(ORDO_FIT_LIMITED, "no program here reports that it follows another clock");
    if (!discipline->kernel.known)
        return say(ORDO_FIT_LIMITED, "the kernel does not say whether something synchronises it");
    if (!discipline->kernel.synchronised)
        return say(ORDO_FIT_NO, "the kernel says that nothing synchronises it");
    if (strcmp(facts->clock->source->name, "tai") == 0 && discipline->kernel.tai_offset_s == 0)
        return say(ORDO_FIT_NO, "the kernel does not know the number of leap seconds");
    return judge_error(facts, (double)discipline->kernel.maxerror_ns, "the kernel assumes (maxerror)");
}

static struct ordo_fitness judge_node(const struct facts *facts)
{
    const struct ordo_time_namespace *space = &facts->comparison->discipline.time_namespace;
    if (facts->per_process)
        return say(ORDO_FIT_LIMITED, "only if `ordo-mpi verify` finds it common: a process may have its own origin");
    if (facts->clock->source->settable)
        return say(ORDO_FIT_LIMITED, "only until it is set, which makes every copy wrong");
    if (facts->coarse)
        return say(ORDO_FIT_LIMITED, "only to within a tick of the kernel");
    if (!facts->hardware && space->shifted)
        return say(ORDO_FIT_LIMITED, "only to ranks in this time namespace, which shifts it");
    if (facts->comparison->cpu_count < 2)
        return say(ORDO_FIT_LIMITED, "only cpu %u was measured", facts->comparison->cpus[0]);
    return say(facts->apart_ns > BUSY_NS ? ORDO_FIT_LIMITED : ORDO_FIT_YES,
               "the same on all CPUs to within %.0f ns; `ordo-mpi verify` measures between the ranks themselves",
               facts->apart_ns);
}

void ordo_fitness_judge(const struct ordo_comparison *comparison, struct ordo_clock_compared *clock)
{
    static struct ordo_fitness (*const judges[])(const struct facts *) = {
        [ORDO_PURPOSE_ORDER] = judge_order,
        [ORDO_PURPOSE_DURATION] = judge_duration,
        [ORDO_PURPOSE_MACHINES] = judge_machines,
        [ORDO_PURPOSE_NODE] = judge_node,
    };
    struct facts facts = {.comparison = comparison,
                          .clock = clock,
                          .all = ordo_across_hull(clock, comparison->cpu_count),
                          .hardware = clock->source->unit_hz == 0,
                          .coarse = ordo_clock_is_coarse(clock->source),
                          .per_process = strcmp(clock->source->name, "mpi_wtime") == 0,
                          .device = strcmp(clock->source->name, "phc") == 0};
    facts.apart_ns = fmax(fabs(facts.all.offset_ns.low), fabs(facts.all.offset_ns.high));
    struct ordo_fitness against = refuted(&facts);
    for (int purpose = 0; purpose < ORDO_PURPOSES; purpose++)
        clock->fitness[purpose] = against.fit == ORDO_FIT_NO ? against : judges[purpose](&facts);
    /* A clock that cannot be set is unfit for comparing machines because of its origin, whatever else is proved. */
    if (!clock->source->settable)
        clock->fitness[ORDO_PURPOSE_MACHINES] = judge_machines(&facts);
}
