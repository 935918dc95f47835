/* A calibration in this process, for the CPUs on which the calling thread may run.
 *
 * A calibration makes two sweeps of all pairs, ORDO_START_APART_NS apart. The boundary is the largest ceiling of any
 * pair and direction, plus the granule, as for a published record. The two sweeps prove that no pair's offset moved by
 * more than the pair's two latencies between them. The time between the sweeps also gives the rate of the counter.
 *
 * Duration. A visit of a pair makes 1500 runs in each direction and about 300 more in all at its end. The sum is about
 * 3,300 exchanges of 0.3 us (CPUs that share a cache) to 0.8 us (CPUs of two sockets), or 1 to 2.7 ms. Starting and
 * ending a turn adds 0.1 ms to each round. Two sweeps of n CPUs are 2 (n - 1) rounds:
 *
 *     n = 2     2 rounds    2 to 6 ms       in all about 55 ms, with the 50 ms between the sweeps
 *     n = 4     6 rounds    7 to 17 ms      in all about 60 ms
 *     n = 64  126 rounds    140 to 350 ms   in all at most 400 ms, because the first sweep alone takes over 50 ms
 *
 * If a CPU is busy, its rounds are repeated, for about 20 ms each, and a last round in which it takes part is repeated
 * as well.
 *
 * Before each sweep, member 0 of the crew measures the granule and the rate, on its CPU. Nothing is measured after the
 * second sweep. */
#ifndef ORDO_START_MEASURE_H
#define ORDO_START_MEASURE_H

#include <ordo/start/evidence.h>
#include <ordo/start/private.h>
#include <ordo/start/sweep.h>

enum {
    ORDO_START_APART_NS = 50000000,
    ORDO_START_APART_DOUBTED_NS = 1000000000, /* time between the sweeps if a record was withdrawn */
    ORDO_START_PATIENCE_NS = 2000000000,      /* limit of all measurements, without the time between the sweeps */
    ORDO_START_PATIENCE_CPU_NS = 20000000,    /* addition to that limit for each CPU */
    ORDO_START_ATTEMPTS = 3                   /* number of measurements if the set of CPUs changes during each */
};

static inline unsigned ordo_start_count(const struct ordo_record_set *set)
{
    unsigned long cpu;
    unsigned count = 0;
    for (cpu = 0; cpu < ORDO_RECORD_MOST_CPUS; cpu++)
        count += (unsigned)ordo_record_set_has(set, cpu);
    return count;
}

static inline void ordo_start_sleep_until(uint64_t until_ns)
{
    uint64_t now_ns = ordo_pair_now_ns();
    for (; now_ns < until_ns; now_ns = ordo_pair_now_ns())
        (void)poll(NULL, 0, (int)((until_ns - now_ns) / 1000000u) + 1);
}

/* Refuses if the calling thread may now run on a CPU that was not measured. */
static inline int ordo_start_check_set(const struct ordo_record_set *measured, struct ordo_error *error)
{
    struct ordo_record_set now;
    unsigned long cpu;
    int code = ordo_record_allowed(&now, error);
    for (cpu = 0; cpu < ORDO_RECORD_MOST_CPUS && !code; cpu++)
        if (ordo_record_set_has(&now, cpu) && !ordo_record_set_has(measured, cpu))
            code = ordo_start_refuse(error, ORDO_E_CPUS, 0,
                                     "cpu %lu: came online, or was given, during the measurement", cpu);
    return code;
}

static inline int ordo_start_refuse_clocks(struct ordo_error *error)
{
    return ordo_start_refuse(error, ORDO_E_SYSTEM, errno, "/proc/uptime: %s", strerror(errno));
}

/* Measurements of the counter on one CPU. With two CPUs, their offset would be mistaken for an error of the rate. */
struct ordo_start_gauge {
    struct ordo_start_granule granule;
    struct ordo_start_moment first, last;
    uint64_t rough_hz; /* approximate rate; 0: not known */
};

/* Returns the approximate rate since `first`, which suffices to distinguish a disturbance from a latency; 0 if the rate
 * is not known. */
static inline uint64_t ordo_start_rough_hz(const struct ordo_start_moment *first)
{
    struct ordo_start_moment now;
    struct ordo_start_rate rate;
    ordo_start_sleep_until(ordo_pair_now_ns() + 1000000u);
    return ordo_start_moment_read(&now) == 0 && ordo_start_rate_between(first, &now, 0, &rate) ? rate.tick_hz : 0;
}

/* An ordo_start_part: the measurements before the first sweep. */
static inline int ordo_start_gauge_begin(void *context, unsigned member, struct ordo_error *error)
{
    struct ordo_start_gauge *gauge = (struct ordo_start_gauge *)context;
    (void)member;
    ordo_start_granule_measure(&gauge->granule);
    if (ordo_start_moment_take(&gauge->first) != 0)
        return ordo_start_refuse_clocks(error);
    gauge->rough_hz = ordo_start_rough_hz(&gauge->first);
    return ORDO_OK;
}

/* An ordo_start_part: the measurements before the second sweep. */
static inline int ordo_start_gauge_end(void *context, unsigned member, struct ordo_error *error)
{
    struct ordo_start_gauge *gauge = (struct ordo_start_gauge *)context;
    (void)member;
    return ordo_start_moment_take(&gauge->last) == 0 ? ORDO_OK : ordo_start_refuse_clocks(error);
}

/* Computes the boundary, as a calibration of `ordo calibrate` does. */
static inline int ordo_start_conclude(struct ordo_start_result *result, int64_t largest, uint64_t granule_ticks,
                                      struct ordo_error *error)
{
    int64_t boundary = largest + (int64_t)granule_ticks;
    if (boundary <= 0)
        return ordo_start_refuse(error, ORDO_E_REFUTED, 0,
                                 "%s: the boundary would be %lld ticks: the clock is read out of order",
                                 ORDO_CLOCK_NAME, (long long)boundary);
    result->boundary_ticks = (uint64_t)boundary;
    return ORDO_OK;
}

/* Makes the two sweeps of at least two CPUs. */
static inline int ordo_start_sweep_twice(struct ordo_start_result *result, struct ordo_start_gauge *gauge,
                                         unsigned count, uint64_t apart_ns, uint64_t began_ns, struct ordo_error *error)
{
    struct ordo_start_field field;
    uint64_t until_ns = began_ns + apart_ns + ORDO_START_PATIENCE_NS + (uint64_t)count * ORDO_START_PATIENCE_CPU_NS;
    int code = ordo_start_field_open(&field, result->set, count, 1, until_ns, error);
    if (code)
        return code;
    code = ordo_start_alone(&field, ordo_start_gauge_begin, gauge, until_ns, error);
    field.granule_ticks = gauge->granule.ticks;
    field.tick_hz = gauge->rough_hz;
    if (!code)
        code = ordo_start_sweep(&field, 1, until_ns, error);
    if (!code) {
        ordo_start_sleep_until(began_ns + apart_ns);
        code = ordo_start_alone(&field, ordo_start_gauge_end, gauge, until_ns, error);
    }
    if (!code)
        code = ordo_start_check_set(result->set, error);
    if (!code) /* the last measurement: no later step would be detected */
        code = ordo_start_sweep(&field, 0, until_ns, error);
    ordo_start_field_free(&field);
    if (code)
        return code;
    result->drift_min_ppb = field.found.drift_min;
    result->drift_max_ppb = field.found.drift_max;
    result->runs = 2 * field.found.runs;
    return ordo_start_conclude(result, field.found.largest, gauge->granule.ticks, error);
}

/* Measures a single CPU, on the calling thread, which cannot run on another CPU. */
static inline int ordo_start_gauge_only(struct ordo_start_result *result, struct ordo_start_gauge *gauge,
                                        uint64_t until_ns, struct ordo_error *error)
{
    int code = ordo_start_gauge_begin(gauge, 0, error);
    if (code)
        return code;
    ordo_start_sleep_until(until_ns);
    code = ordo_start_gauge_end(gauge, 0, error);
    if (!code)
        code = ordo_start_conclude(result, 0, gauge->granule.ticks, error);
    return code ? code : ordo_start_check_set(result->set, error);
}

/* Measures the CPUs of a set. Fails if the set changes meanwhile. */
static inline int ordo_start_measure(struct ordo_start_result *result, uint64_t apart_ns, struct ordo_error *error)
{
    struct ordo_start_gauge gauge;
    uint64_t began_ns = ordo_pair_now_ns();
    unsigned count = ordo_start_count(result->set);
    int code;
    memset(&gauge, 0, sizeof gauge);
    result->boundary_ticks = result->runs = 0;
    result->drift_min_ppb = result->drift_max_ppb = 0;
    code = count > 1 ? ordo_start_sweep_twice(result, &gauge, count, apart_ns, began_ns, error)
                     : ordo_start_gauge_only(result, &gauge, began_ns + apart_ns, error);
    if (code)
        return code;
    if (!ordo_start_rate_between(&gauge.first, &gauge.last, 0, &result->rate))
        return ordo_start_refuse(error, ORDO_E_REFUTED, 0, "%s: it stood still, or ran backwards", ORDO_CLOCK_NAME);
    result->moment = gauge.first;
    result->granule_ticks = gauge.granule.ticks;
    result->flags |= gauge.granule.coarse ? ORDO_FLAG_COARSE : 0;
    return ORDO_OK;
}

/* Judges the evidence about the program's clock: sets the flags of the handle, or refuses. */
static inline int ordo_start_judge(uint64_t *flags, struct ordo_error *error)
{
    struct ordo_evidence evidence;
    struct ordo_trust_verdict verdict;
    *flags = 0;
    if (ORDO_CLOCK_ID == ORDO_CLOCK_MONOTONIC) /* the kernel's own clock: the kernel vouches for it */
        return ORDO_OK;
    if (ORDO_CLOCK_ID == ORDO_CLOCK_CUSTOM) { /* the embedder's clock: no witness states anything about it */
        *flags = ORDO_FLAG_MEASURED;
        return ORDO_OK;
    }
    ordo_evidence_gather(&evidence, NULL);
    ordo_evidence_judge(&evidence, &verdict);
    if (evidence.hypervisor)
        *flags |= ORDO_FLAG_HYPERVISOR;
    if (verdict.trust == ORDO_TRUST_MEASURED)
        *flags |= ORDO_FLAG_MEASURED;
    if (verdict.trust == ORDO_TRUST_MEASURED || verdict.trust == ORDO_TRUST_VOUCHED)
        return ORDO_OK;
    return ordo_start_refuse(error, ORDO_E_REFUTED, 0, "%s: %.200s", ORDO_CLOCK_NAME, verdict.reason);
}

/* Judges the evidence, measures, and opens a private handle. */
static inline int ordo_start_privately(struct ordo *o, uint64_t apart_ns, struct ordo_error *error)
{
    struct ordo_record_set set;
    struct ordo_start_result result;
    uint64_t flags;
    int code = ordo_start_judge(&flags, error), attempt;
    if (code)
        return code;
    memset(&result, 0, sizeof result);
    result.set = &set;
    code = ORDO_E_CPUS;
    for (attempt = 0; attempt < ORDO_START_ATTEMPTS && code == ORDO_E_CPUS; attempt++) {
        result.flags = flags;
        code = ordo_record_allowed(&set, error);
        if (!code)
            code = ordo_start_measure(&result, apart_ns, error);
    }
    return code ? code : ordo_start_private_open(o, &result, error);
}

#endif
