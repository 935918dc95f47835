#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/session/coverage.h"
#include "calibrate/session/gate.h"
#include "calibrate/session/measure.h"
#include "calibrate/session/refuted.h"
#include "machine/counter/trust.h"

/* The number of runs is divided by this for the kernel's clock, because a reading costs more and the clock is only a
 * fallback. */
enum { KERNEL_SHARE = 5 };

struct limit {
    const char *option;
    uint64_t value, least, most;
};

/* Completes the options: replaces 0 by the default, and refuses values out of range. */
static int settle_options(const struct ordo_calibrate_options *asked, struct ordo_calibrate_options *options,
                          struct ordo_error *error)
{
    *options = asked ? *asked : (struct ordo_calibrate_options){0};
    options->runs = options->runs ? options->runs : 100000;
    const struct limit limits[] = {
        {"sweeps", (uint64_t)(options->sweeps ? options->sweeps : 2), 2,
         1000}, /* as uint64_t a negative number is too large */
        {"runs", options->runs, (uint64_t)(options->sweeps ? options->sweeps : 2), 1000000000},
        {"settle", options->settle, 0, 1000000000},
        {"valid_days", (uint64_t)options->valid_days, 0, 36500},
        {"margin_ticks", options->margin_ticks, 0, UINT64_C(1) << 60},
        {"margin_ns", options->margin_ns, 0, UINT64_C(1) << 40},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].value < limits[i].least || limits[i].value > limits[i].most)
            return ordo_error_set(error, ORDO_E_INVALID, 0, "ordo_calibrate: %s: %lld is not from %llu to %llu",
                                  limits[i].option, (long long)limits[i].value, (unsigned long long)limits[i].least,
                                  (unsigned long long)limits[i].most);
    return ORDO_OK;
}

/* The clock and the CPUs to measure, and the trust in the clock. */
struct subject {
    const struct ordo_topology *topology;
    const unsigned *cpus;
    int count;
    uint32_t clock; /* enum ordo_clock_id */
    struct ordo_evidence evidence;
    struct ordo_trust_verdict verdict;
};

/* Asks the witnesses and judges the trust in the clock. The flags of the replaced record contain the kernel's earlier
 * statement about the counter, and count too, even if the record was withdrawn: if the kernel has removed the counter
 * from its list since then, the counter must not be treated like a counter that was never listed. The kernel vouches
 * for its own clock. */
static int ask_trust(const struct ordo_calibrate_options *options, struct subject *subject, struct ordo_error *error)
{
    ordo_trust_gather(&subject->evidence);
    subject->verdict.trust = ORDO_TRUST_VOUCHED;
    if (ordo_record_clock_is_kernels(subject->clock))
        return ORDO_OK;
    ordo_trust_judge(&subject->evidence, &subject->verdict);
    ordo_trust_recheck(&subject->evidence, ordo_coverage_flags(options->replaces), &subject->verdict);
    int code = ordo_trust_check(&subject->verdict, error);
    return options->force ? ORDO_OK : code;
}

/* Sets the options that depend on the class of trust. */
static int settle_trust(struct ordo_calibrate_options *options, struct subject *subject, struct ordo_error *error)
{
    int code = ask_trust(options, subject, error);
    if (ordo_record_clock_is_kernels(subject->clock))
        options->runs = (options->runs + KERNEL_SHARE - 1) / KERNEL_SHARE;
    bool measured = subject->verdict.trust == ORDO_TRUST_MEASURED;
    int least = measured ? ORDO_GATE_SWEEPS : 3;
    if (options->sweeps == 0 || (measured && !options->force && options->sweeps < least))
        options->sweeps = least;
    if ((uint64_t)options->sweeps > options->runs)
        options->runs = (uint64_t)options->sweeps;
    if (options->valid_days == 0)
        options->valid_days = measured ? ORDO_GATE_VALID_DAYS : 365;
    return code;
}

static void note_trust(struct ordo_calibration *result, const struct subject *subject)
{
    const struct ordo_evidence *evidence = &subject->evidence;
    result->trust = subject->verdict.trust;
    result->why = subject->verdict.why;
    (void)snprintf(result->trust_reason, sizeof result->trust_reason, "%s", subject->verdict.reason);
    result->forced = !ordo_trust_allows(subject->verdict.trust);
    result->hypervisor = evidence->hypervisor;
    memcpy(result->hypervisor_name, evidence->hypervisor_name, sizeof result->hypervisor_name);
    result->nominal_hz = evidence->nominal_hz;
}

static struct ordo_calibration *new_result(const struct ordo_calibrate_options *options, const struct subject *subject)
{
    const struct ordo_topology *topology = subject->topology;
    const unsigned *cpus = subject->cpus;
    int count = subject->count;
    struct ordo_calibration *result = ordo_calibration_new(count);
    if (!result)
        return NULL;
    result->clock = subject->clock;
    memcpy(result->cpus, cpus, (size_t)count * sizeof *cpus);
    for (int i = 0; i < count; i++) {
        struct ordo_topology_place place = ordo_topology_locate(topology, cpus[i]);
        /* Converts -1 to ORDO_PLACE_NONE. */
        result->places[i] = (struct ordo_place){(uint32_t)place.l3, (uint32_t)place.package, (uint32_t)place.numa, 0};
    }
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            result->share[a * count + b] = (unsigned char)ordo_topology_distance(topology, cpus[a], cpus[b]);
    ordo_topology_describe(topology, result->machine, sizeof result->machine);
    result->runs = options->runs;
    result->settle = options->settle;
    result->repeats = options->sweeps;
    result->parallel = options->parallel != 0;
    result->margin_ticks = options->margin_ticks;
    note_trust(result, subject);
    return result;
}

static int refuse_attempts(int code, struct ordo_error *error)
{
    struct ordo_error last = *error;
    return ordo_error_set(error, code, last.sys_errno, "%d attempts, the last: %.215s", ORDO_SESSION_ATTEMPTS,
                          last.text);
}

/* Measures again if the result is implausible, because the disturbance may have ended. Repeating is safe, because a
 * disturbance can only make a boundary too large, never too small. Each attempt begins with a new result, and uses
 * nothing of the previous attempt. */
static int measure_plausibly(const struct ordo_calibrate_options *options, const struct subject *subject,
                             struct ordo_calibration **result, struct ordo_error *error)
{
    for (int attempt = 1;; attempt++) {
        struct ordo_calibration *made = new_result(options, subject);
        if (!made)
            return ordo_error_errno(error, "calibration");
        bool implausible;
        int code = ordo_session_measure(options, subject->topology, attempt, made, &implausible, error);
        if (!code)
            *result = made;
        else
            ordo_calibration_free(made);
        if (!implausible)
            return code;
        if (attempt == ORDO_SESSION_ATTEMPTS)
            return refuse_attempts(code, error);
    }
}

/* Asks the witnesses again after the measurement, which takes seconds, because the kernel may have seen a fault
 * meanwhile. */
static int confirm_trust(const struct ordo_calibrate_options *options, struct subject *subject,
                         struct ordo_calibration **result, struct ordo_error *error)
{
    bool was_listed = subject->verdict.trust == ORDO_TRUST_VOUCHED;
    int code = ask_trust(options, subject, error);
    ordo_trust_recheck(&subject->evidence, was_listed ? 0 : ORDO_FLAG_MEASURED, &subject->verdict);
    if (!code && !options->force)
        code = ordo_trust_check(&subject->verdict, error);
    if (!code) {
        bool forced = (*result)->forced;
        note_trust(*result, subject);
        (*result)->forced |= forced;
        return ORDO_OK;
    }
    ordo_session_mark_refuted(options, *result, error); /* the measurement still counts against the old record */
    ordo_calibration_free(*result);
    *result = NULL;
    return code;
}

/* Calibrates on the selected CPUs. */
static int calibrate_on(struct ordo_calibrate_options *options, struct subject *subject,
                        struct ordo_calibration **result, struct ordo_error *error)
{
    int code = ORDO_OK;
    if (options->replaces && !options->cpus)
        code = ordo_coverage_check(subject->topology, options->replaces, subject->cpus, subject->count, error);
    if (!code)
        code = settle_trust(options, subject, error);
    if (!code)
        code = measure_plausibly(options, subject, result, error);
    return code ? code : confirm_trust(options, subject, result, error);
}

static int calibrate_clock(const struct ordo_calibrate_options *asked, uint32_t clock, struct ordo_calibration **result,
                           struct ordo_error *error)
{
    struct ordo_calibrate_options options;
    struct subject subject = {.clock = clock};
    struct ordo_topology *topology;
    struct ordo_error own; /* `error` may be NULL */
    unsigned *cpus = NULL;
    int count = 0;
    error = error ? error : &own;
    *result = NULL;
    int code = settle_options(asked, &options, error);
    if (!code)
        code = ordo_topology_open(&topology, NULL, error);
    if (code)
        return code;
    code = ordo_topology_select(topology, options.cpus, &cpus, &count, error);
    subject.topology = topology;
    subject.cpus = cpus;
    subject.count = count;
    if (!code)
        code = calibrate_on(&options, &subject, result, error);
    free(cpus);
    ordo_topology_close(topology);
    return code;
}

int ordo_calibrate(const struct ordo_calibrate_options *options, struct ordo_calibration **result,
                   struct ordo_error *error)
{
    return calibrate_clock(options, ORDO_CLOCK_ID, result, error);
}

int ordo_calibrate_kernel_clock(const struct ordo_calibrate_options *options, struct ordo_calibration **result,
                                struct ordo_error *error)
{
    return calibrate_clock(options, ORDO_CLOCK_MONOTONIC, result, error);
}
