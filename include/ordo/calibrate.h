/* Calibration as a call: measures by how much the clocks of this machine's CPUs can disagree, and publishes it as the
 * record that ordo_open takes: the work of `ordo calibrate`, for installers, containers and services that bring no tool
 * along.
 *
 *     struct ordo_calibration *found;
 *     struct ordo_error error;
 *     if (ordo_calibrate(NULL, &found, &error) == 0 && ordo_calibration_publish(found, NULL, &error) == 0)
 *         ...                                                  // ordo_open finds it from now on
 *     ordo_calibration_free(found);
 *
 * Nothing is printed, nothing exits, and no signal, affinity or environment of the program is changed. Any thread may
 * call. Calibrations at the same time disturb each other, which can only make their boundaries larger. A result is
 * plain memory: threads may read it at the same time, but not while one publishes or frees it. Link with
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
    double share;          /* of all pairs in all sweeps, at most 1; never decreases from call to call of one attempt */
    int sweep, sweeps;     /* number of the current sweep, from 1, and of all sweeps */
    int attempt, attempts; /* from 1; the machine is measured again if the boundary is implausible */
};

/** Options of a calibration. A field that is 0 or NULL has its default. */
struct ordo_calibrate_options {
    /* A list such as "0-3,8". Default: every CPU that is online and allowed by the cgroup, independent of the caller's
     * affinity. */
    const char *cpus;
    /* Runs per direction of a pair, divided among the sweeps. Default 100,000; at most 10^9, and no fewer than the
     * sweeps. */
    uint64_t runs;
    /* A direction stops if its minimum has not moved for this number of runs. Default: never; at most 10^9. */
    uint64_t settle;
    /* Sweeps over all pairs, a second apart, because drift shows between them. Default 3; 2 to 1000. If the kernel does
     * not vouch for the clock, 5 or more over 10 s; fewer only with `force`. */
    int sweeps;
    int parallel; /* not 0: measure disjoint pairs at the same time: faster, and the boundary can only be larger */
    /* Not 0: go on if the processor or the kernel rejects the clock, or if the boundary is implausible; the record says
     * so. (The texts of errors call it --force, as ordo(1) does.) */
    int force;
    /* No program may open the record after this number of days. Default 365, or 7 if the kernel does not vouch for the
     * clock; at most 36,500. */
    int valid_days;
    uint64_t margin_ticks, margin_ns; /* the boundary is enlarged by the sum; default 0; at most 2^60 and 2^40 */
    /* The record that the result will replace: without `cpus`, no CPU that it covers may be lost. If the calibration is
     * refused and its measurements prove that record wrong, the record is marked disrupted. NULL: none. */
    const char *replaces;
    /* A descriptor of that record, open for reading and writing, which the caller keeps: the record can then be marked
     * even after its name or its mode has changed. 0: the record is opened by its name. */
    int replaces_fd;
    /* Called on the calling thread after each pair (with `parallel`, after each round of pairs). A result that is not 0
     * cancels. A calibration ends at most a second and one pair after that. NULL: no call. */
    int (*progress)(void *context, const struct ordo_calibrate_progress *progress);
    void *progress_context;
};

/** Measures every pair of CPUs, from two threads that are pinned there, and computes the boundary. Takes about 25 ms
 * for each pair of CPUs, and a second between sweeps. An implausibly large boundary is safe, but orders next to
 * nothing, and its cause is nearly always another load. Unless `force` accepts it, everything is measured again, in up
 * to three attempts in all, before the call returns ORDO_E_MEASURE. `options` may be NULL. On success the caller owns
 * `*result`, and frees it with ordo_calibration_free; on failure `*result` is NULL. Returns 0, or
 *
 * - ORDO_E_REFUTED: measured, and the clocks cannot order events: they drift, step or contradict causality, or the
 *   processor or the kernel rejects them;
 * - ORDO_E_MEASURE: not known: no thread could be pinned to a CPU or a CPU did not answer, the clock's rate cannot be
 *   read, or the boundary is implausible in three attempts; `sys_errno` is that of a system call that was refused, if
 *   any;
 * - ORDO_E_CPUS: a CPU that `replaces` covers would be lost;
 * - ORDO_E_INVALID: an option is out of range, or a CPU of the list is not allowed;
 * - ORDO_E_CANCELLED: `progress` cancelled;
 * - ORDO_E_SYSTEM: the topology could not be read, or out of memory. */
int ordo_calibrate(const struct ordo_calibrate_options *options, struct ordo_calibration **result,
                   struct ordo_error *error);

/** Makes the same calibration of the kernel's clock, CLOCK_MONOTONIC as it is read through the C library, which
 * <ordo/any.h> takes if the counter is refused. The kernel vouches for it; therefore it is measured even if
 * ordo_calibrate returns ORDO_E_REFUTED, with a fifth of the runs and sweeps 0.2 s apart. Ticks are nanoseconds.
 * `replaces` names the counter's record here too. */
int ordo_calibrate_kernel_clock(const struct ordo_calibrate_options *options, struct ordo_calibration **result,
                                struct ordo_error *error);

/** Publishes the result as the record at `path`, or that of the kernel's clock at `path` + ".monotonic". If `path` is
 * NULL: $ORDO_RECORD, else /run/ordo/boundary for root, else the user's own below $XDG_RUNTIME_DIR, which ordo_open
 * takes before that of root. Replaces the record there at once and as a whole, and marks it superseded; or disrupted,
 * with a warning, if a measured offset is outside of its boundary, or its clock has not run at its rate. Handles on it
 * see this at their next ordo_status. Publishers of one record take turns. Sets the result's generation, and adds a
 * warning if other users may replace files in that directory. (Only ordo(1) writes FILE.json too; a file of that name
 * has the generation of the record that it is about.) Returns 0, or
 *
 * - ORDO_E_MEASURE: the record could not be opened here and now, and nothing was replaced;
 * - ORDO_E_INVALID: `result` is NULL or does not fit into a record, or `path` is NULL and this user has no default
 *   place;
 * - ORDO_E_SYSTEM: a file could not be written; the previous record is unchanged. */
int ordo_calibration_publish(struct ordo_calibration *result, const char *path, struct ordo_error *error);

/** Frees a result; NULL is ignored. */
void ordo_calibration_free(struct ordo_calibration *result);

/** Returns ORDO_BOUNDARY in ticks: times that are further apart are ordered. The boundary is the sum of the largest
 * delta, the granule and the margin. */
uint64_t ordo_calibration_boundary_ticks(const struct ordo_calibration *result);

/** Returns the nanoseconds in `ticks`, at the measured rate. */
double ordo_calibration_ns(const struct ordo_calibration *result, int64_t ticks);

/** Returns ORDO_BOUNDARY in nanoseconds, for people: ordering needs ticks only. */
double ordo_calibration_boundary_ns(const struct ordo_calibration *result);

/** Returns the clock's rate in ticks per second, by CLOCK_MONOTONIC_RAW. */
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

/** Returns the number of records published at its place so far, this one included; 0 before
 * ordo_calibration_publish. */
uint64_t ordo_calibration_generation(const struct ordo_calibration *result);

/** Returns the number of measured CPUs. */
int ordo_calibration_cpus(const struct ordo_calibration *result);

/** Returns the operating system's number of CPU `index`, ascending from index 0; -1 if there is no such CPU. */
long ordo_calibration_cpu(const struct ordo_calibration *result, int index);

/** The measurement between two CPUs, a < b, in ticks. */
struct ordo_calibrated_pair {
    unsigned a, b;     /* the operating system's numbers */
    const char *share; /* the nearest unit that both belong to: "core", "l2", "l3", "package", "numa", "machine" */
    /* The reader's time on b minus the writer's time on a, and the same in the other direction: the latency plus the
     * offset of the clocks. The largest of the minima of all blocks and sweeps. */
    int64_t delta_ab_ticks, delta_ba_ticks;
    int64_t offset_low_ticks, offset_high_ticks; /* the interval of clock b minus clock a, proved */
};

/** Returns the number of pairs: n (n - 1) / 2 for n CPUs. */
int ordo_calibration_pairs(const struct ordo_calibration *result);

/** Copies pair `index`, from 0, in the order of a and then b. Returns 0, or ORDO_E_INVALID if there is no such pair. */
int ordo_calibration_pair(const struct ordo_calibration *result, int index, struct ordo_calibrated_pair *pair);

/** Returns warning `index`, from 0, for people: one line; NULL if there are no more. */
const char *ordo_calibration_warning(const struct ordo_calibration *result, int index);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
