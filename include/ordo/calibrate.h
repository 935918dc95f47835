/* Calibration as a call: measures by how much the clocks of this machine's CPUs can disagree, and publishes this bound
 * as the record that ordo_open opens. The calls do the work of `ordo calibrate` for installers, containers and services
 * that do not ship the tool.
 *
 *     struct ordo_calibration *found;
 *     struct ordo_error error;
 *     if (ordo_calibrate(NULL, &found, &error) == 0 && ordo_calibration_publish(found, NULL, &error) == 0)
 *         ...                                                  // ordo_open finds it from now on
 *     ordo_calibration_free(found);
 *
 * The calls print nothing, never exit, and leave the program's signals, affinities and environment unchanged. Any
 * thread may call them. Concurrent calibrations disturb each other, which can only make their boundaries larger.
 * Several threads may read a result at the same time, but not while a thread publishes or frees it. Link with
 * libordo-calibrate. */
#ifndef ORDO_CALIBRATE_H
#define ORDO_CALIBRATE_H

#include <stdint.h>

#include <ordo/error.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* the functions of the library */

/** The result of a calibration. */
struct ordo_calibration;

/** The progress of a calibration. */
struct ordo_calibrate_progress {
    double share;          /* measured share of all pairs in all sweeps, at most 1; never decreases within an attempt */
    int sweep, sweeps;     /* number of the current sweep, from 1, and of all sweeps */
    int attempt, attempts; /* number of the current attempt, from 1, and the maximum; see ordo_calibrate */
};

/** Options of a calibration. A field that is 0 or NULL has its default. */
struct ordo_calibrate_options {
    /* The CPUs to measure, as a list such as "0-3,8". Default: every CPU that is online and allowed by the cgroup,
     * independent of the caller's affinity. */
    const char *cpus;
    /* Runs per direction of a pair, divided among the sweeps. Default 100,000; at most 10^9, and no fewer than the
     * sweeps. */
    uint64_t runs;
    /* The measurement of a direction ends once its minimum has not changed for this number of runs. Default: it never
     * ends early; at most 10^9. */
    uint64_t settle;
    /* Number of sweeps over all pairs, 2 to 1000, default 3. Sweeps are a second apart, so that drift shows between
     * them. If the kernel does not vouch for the clock, a calibration makes at least 5 sweeps over 10 s, unless `force`
     * is set. */
    int sweeps;
    int parallel; /* not 0: measure disjoint pairs concurrently, which is faster, but can enlarge the boundary */
    /* Not 0: continue if the processor or the kernel rejects the clock, or if the boundary is implausible; the record
     * then states that it was forced. (Error texts call this option --force, as ordo(1) does.) */
    int force;
    /* No program may open the record after this number of days. Default 365, or 7 if the kernel does not vouch for the
     * clock; at most 36,500. */
    int valid_days;
    uint64_t margin_ticks, margin_ns; /* their sum enlarges the boundary; default 0; at most 2^60 and 2^40 */
    /* Path of the record that the result will replace. Without `cpus`, the calibration fails if it would lose a CPU
     * that this record covers. If the calibration is refused and its measurements prove that record wrong, the record
     * is marked disrupted. NULL: there is no such record. */
    const char *replaces;
    /* A descriptor of the record `replaces`, open for reading and writing; the caller keeps it. With a descriptor, the
     * record can be marked even after its name or its mode has changed. 0: the record is opened by its name. */
    int replaces_fd;
    /* Called on the calling thread after each pair (with `parallel`, after each round of pairs). A result other than 0
     * cancels the calibration, which then ends after at most a second and the time of one pair. NULL: no call. */
    int (*progress)(void *context, const struct ordo_calibrate_progress *progress);
    void *progress_context;
};

/** Measures every pair of CPUs with two threads that are pinned to them, and computes the boundary. Takes about 25 ms
 * for each pair of CPUs, and a second between sweeps. An implausibly large boundary is safe but orders almost nothing,
 * and nearly always results from other load on the machine. Unless `force` is set, everything is then measured again,
 * in up to three attempts in all, before the call returns ORDO_E_MEASURE. `options` may be NULL. On success the caller
 * owns `*result`, and frees it with ordo_calibration_free; on failure `*result` is NULL. Returns 0, or
 *
 * - ORDO_E_REFUTED: the clocks cannot order events: they drift, step or contradict causality, or the processor or the
 *   kernel rejects them;
 * - ORDO_E_MEASURE: the measurement has no result: no thread could be pinned to a CPU or a CPU did not answer, the
 *   clock's rate cannot be read, or the boundary is implausible in three attempts; `sys_errno` is that of the refused
 *   system call, if any;
 * - ORDO_E_CPUS: the result would not cover a CPU that the record `replaces` covers;
 * - ORDO_E_INVALID: an option is out of range, or a CPU of the list is not allowed;
 * - ORDO_E_CANCELLED: `progress` cancelled;
 * - ORDO_E_SYSTEM: the topology could not be read, or out of memory. */
int ordo_calibrate(const struct ordo_calibrate_options *options, struct ordo_calibration **result,
                   struct ordo_error *error);

/** Calibrates the kernel's clock, CLOCK_MONOTONIC as read through the C library, which <ordo/any.h> uses if the counter
 * is refused. The kernel vouches for this clock, so it is measured even if ordo_calibrate returns ORDO_E_REFUTED. The
 * calibration makes a fifth of the runs, and its sweeps are 0.2 s apart. Ticks are nanoseconds. `replaces` names the
 * counter's record, as in ordo_calibrate. */
int ordo_calibrate_kernel_clock(const struct ordo_calibrate_options *options, struct ordo_calibration **result,
                                struct ordo_error *error);

/** Publishes the result as the record at `path`; a result for the kernel's clock is published at `path` + ".monotonic".
 * If `path` is NULL, the record is $ORDO_RECORD, else /run/ordo/boundary for root, else the user's own record below
 * $XDG_RUNTIME_DIR, which ordo_open prefers to root's.
 *
 * The call replaces the old record atomically, and marks the old record superseded. If a measured offset exceeds the
 * old record's boundary, or if the old record's clock has not run at its stated rate, the old record is marked
 * disrupted, and the result gets a warning. Handles of the old record see the mark at their next ordo_status.
 * Concurrent publishers of one record are serialised.
 *
 * The call sets the result's generation, and adds a warning if other users may replace files in that directory. (Only
 * ordo(1) also writes FILE.json, which contains the generation of the record that it describes.) Returns 0, or
 *
 * - ORDO_E_MEASURE: this process could not open the new record, so nothing was replaced;
 * - ORDO_E_INVALID: `result` is NULL or does not fit into a record, or `path` is NULL and this user has no default
 *   path;
 * - ORDO_E_SYSTEM: a file could not be written; the previous record is unchanged. */
int ordo_calibration_publish(struct ordo_calibration *result, const char *path, struct ordo_error *error);

/** Frees a result; NULL is ignored. */
void ordo_calibration_free(struct ordo_calibration *result);

/** Returns ORDO_BOUNDARY in ticks: two times that differ by more are ordered. The boundary is the sum of the largest
 * delta, the granule and the margin. */
uint64_t ordo_calibration_boundary_ticks(const struct ordo_calibration *result);

/** Returns the nanoseconds in `ticks`, at the measured rate. */
double ordo_calibration_ns(const struct ordo_calibration *result, int64_t ticks);

/** Returns ORDO_BOUNDARY in nanoseconds, for display; comparisons of times use ticks. */
double ordo_calibration_boundary_ns(const struct ordo_calibration *result);

/** Returns the clock's rate in ticks per second, measured against CLOCK_MONOTONIC_RAW. */
double ordo_calibration_tick_hz(const struct ordo_calibration *result);

/** Return the two terms that the boundary adds to the largest delta, in ticks: the clock's granule, and the requested
 * margin. */
uint64_t ordo_calibration_granule_ticks(const struct ordo_calibration *result);
uint64_t ordo_calibration_margin_ticks(const struct ordo_calibration *result);

/** Returns the class of trust in the clock: enum ordo_trust_class of <ordo/record.h>. */
int ordo_calibration_trust(const struct ordo_calibration *result);

/** Returns the reason for the class, in one line. */
const char *ordo_calibration_trust_reason(const struct ordo_calibration *result);

/** True if the result exists only because `force` was set. */
int ordo_calibration_forced(const struct ordo_calibration *result);

/** Returns the number of records published so far at the path of this result, the result included; 0 before
 * ordo_calibration_publish. */
uint64_t ordo_calibration_generation(const struct ordo_calibration *result);

/** Returns the number of measured CPUs. */
int ordo_calibration_cpus(const struct ordo_calibration *result);

/** Returns the operating system's number of the CPU at `index`, from 0, in ascending order; -1 if there is no such
 * CPU. */
long ordo_calibration_cpu(const struct ordo_calibration *result, int index);

/** The measurement of a pair of CPUs a < b, in ticks. */
struct ordo_calibrated_pair {
    unsigned a, b;     /* the operating system's numbers */
    const char *share; /* the smallest unit that contains both: "core", "l2", "l3", "package", "numa", "machine" */
    /* delta_ab is the reader's time on b minus the writer's time on a: the latency plus the offset of the clocks.
     * delta_ba is the same from b to a. Each is the largest of the minima of all blocks and sweeps. */
    int64_t delta_ab_ticks, delta_ba_ticks;
    int64_t offset_low_ticks, offset_high_ticks; /* proved bounds of clock b minus clock a */
};

/** Returns the number of pairs: n (n - 1) / 2 for n CPUs. */
int ordo_calibration_pairs(const struct ordo_calibration *result);

/** Copies pair `index`, from 0, to `*pair`. The pairs are sorted by a, then by b. Returns 0, or ORDO_E_INVALID if there
 * is no such pair. */
int ordo_calibration_pair(const struct ordo_calibration *result, int index, struct ordo_calibrated_pair *pair);

/** Returns warning `index`, from 0, as one line of text; NULL if there are no more. */
const char *ordo_calibration_warning(const struct ordo_calibration *result, int index);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
