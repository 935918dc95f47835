/* Calibration as a call: measures by how much the clocks of this machine's CPUs can disagree, and publishes it as the record
 * that ordo_open takes. What `ordo calibrate` does, for installers, containers and services that bring no tool along.
 *
 *     struct ordo_calibration *found;
 *     struct ordo_error error;
 *     if (ordo_calibrate(NULL, &found, &error) == 0 && ordo_calibration_publish(found, NULL, &error) == 0)
 *         ...                                                  // ordo_open finds it from now on
 *     ordo_calibration_free(found);
 *
 * Nothing is printed, nothing exits, and no signal, affinity or environment of the program is changed. Any thread may call;
 * calibrations at the same time disturb each other, which can only make their boundaries larger. A result is plain memory:
 * threads may read it at the same time, not while one publishes or frees it. Link with libordo-calibrate. */
#ifndef ORDO_CALIBRATE_H
#define ORDO_CALIBRATE_H

#include <stdint.h>

#include <ordo/error.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library offers */

/** The result of a calibration. */
struct ordo_calibration;

/** How far a calibration has come. */
struct ordo_calibrate_progress {
    double share;          /* of all pairs in all sweeps, at most 1; never descends from call to call of one attempt */
    int sweep, sweeps;     /* the sweep that goes on, from 1, of how many */
    int attempt, attempts; /* from 1: the machine is measured again if the boundary is implausible; at most how often */
};

/** How to calibrate. What is 0 or NULL has its default. */
struct ordo_calibrate_options {
    const char
        *cpus; /* a list such as "0-3,8"; default: every CPU that is online and allowed by the cgroup, whatever the
                         affinity of the caller */
    uint64_t
        runs; /* per direction of a pair, divided among the sweeps; default 100,000; at most 10^9, and no fewer than
                         the sweeps */
    uint64_t
        settle; /* stop a direction once its minimum has not moved for so many runs; default: never; at most 10^9 */
    int sweeps; /* over all pairs, a second apart, because drift shows between them; default 3; 2 to 1000. If the kernel
                     does not vouch for the clock, 5 or more over 10 s; fewer only with `force` */
    int parallel; /* not 0: measure disjoint pairs at the same time: faster, and the boundary can only be larger */
    int force; /* not 0: go on where the processor or the kernel rejects the clock, or the boundary is implausible; the
                         record says so. (The texts of errors call it --force, as ordo(1) does.) */
    int valid_days; /* nobody may open the record after that; default 365, or 7 if the kernel does not vouch for the clock; at most 36,500 */
    uint64_t margin_ticks, margin_ns; /* the boundary is made larger by the sum; default 0; at most 2^60 and 2^40 */
    /* The record that the result is for: without `cpus`, no CPU that it covers may be lost. If the calibration is refused
     * and what was measured proves that record wrong, the record is marked disrupted. NULL: none. */
    const char *replaces;
    /* That record, opened for reading and writing, so that it can be marked whatever becomes of its name and its mode; it
     * stays the caller's. 0: opened by its name. */
    int replaces_fd;
    /* Called on the calling thread after each pair (with `parallel`, after each round of pairs). Not 0 cancels; no call
     * takes longer to be heeded than a second and one pair. NULL: nobody asks. */
    int (*progress)(void *context, const struct ordo_calibrate_progress *progress);
    void *progress_context;
};

/** Measures every pair of CPUs, from two threads that are pinned there, and computes the boundary. It takes some 25 ms for
 * each pair of CPUs, and a second between sweeps. A boundary that is implausible is safe, but orders next to nothing, and
 * nearly always another load was in the way: unless `force` accepts it, everything is measured again, in up to three
 * attempts in all, before that is the answer. `options` may be NULL. On success `*result` is the caller's, for
 * ordo_calibration_free; on failure it is NULL. Returns 0 or
 *
 * - ORDO_E_REFUTED: measured, and the clocks cannot order events: they drift, step or contradict causality, or the
 *   processor or the kernel rejects them;
 * - ORDO_E_MEASURE: could not tell: a CPU could not be pinned to or did not answer, the clock's rate cannot be read, or what
 *   was measured is implausible in three attempts; `sys_errno` is that of a system call that was refused, if any;
 * - ORDO_E_CPUS: a CPU that `replaces` covers would be lost;
 * - ORDO_E_INVALID: an option is out of range, or a CPU of the list is not allowed;
 * - ORDO_E_CANCELLED: `progress` said so;
 * - ORDO_E_SYSTEM: the topology could not be read, or memory ran out. */
int ordo_calibrate(const struct ordo_calibrate_options *options, struct ordo_calibration **result,
                   struct ordo_error *error);

/** ordo_calibrate for the kernel's clock, CLOCK_MONOTONIC as it is read through the C library, which <ordo/any.h> takes if the
 * counter is refused. The kernel vouches for it, so that it is measured even if ordo_calibrate returns ORDO_E_REFUTED;
 * with a fifth of the runs and sweeps 0.2 s apart. Ticks are nanoseconds. `replaces` names the counter's record here too. */
int ordo_calibrate_kernel_clock(const struct ordo_calibrate_options *options, struct ordo_calibration **result,
                                struct ordo_error *error);

/** Publishes the result as the record at `path`, or that of the kernel's clock at `path` + ".monotonic"; NULL: $ORDO_RECORD,
 * else /run/ordo/boundary for root, else the user's own below $XDG_RUNTIME_DIR, which ordo_open takes before that of root.
 * Replaces the record there at once and whole, and marks it superseded; or disrupted, with a warning, if an offset that was
 * measured is outside of its boundary, or its clock has not run at its rate. Handles on it see that with
 * their next ordo_status. Publishers of one record take turns. Sets the result's generation, and adds a warning where others
 * may replace files in that directory. (Only ordo(1) writes FILE.json too; one that lies there has the generation of the
 * record that it is about.) Returns 0 or
 *
 * - ORDO_E_MEASURE: the record could not be opened here and now, and nothing was replaced;
 * - ORDO_E_INVALID: `result` is NULL or does not fit into a record, or `path` is NULL and this user has no default place;
 * - ORDO_E_SYSTEM: a file could not be written; the record of before is as it was. */
int ordo_calibration_publish(struct ordo_calibration *result, const char *path, struct ordo_error *error);

/** Frees a result; NULL is ignored. */
void ordo_calibration_free(struct ordo_calibration *result);

/** ORDO_BOUNDARY in ticks: times that are further apart are ordered. The largest delta, the granule and the margin. */
uint64_t ordo_calibration_boundary_ticks(const struct ordo_calibration *result);

/** How many nanoseconds `ticks` are, at the measured rate. */
double ordo_calibration_ns(const struct ordo_calibration *result, int64_t ticks);

/** ORDO_BOUNDARY in nanoseconds, for people: ordering needs ticks only. */
double ordo_calibration_boundary_ns(const struct ordo_calibration *result);

/** The clock's rate in ticks per second, by CLOCK_MONOTONIC_RAW. */
double ordo_calibration_tick_hz(const struct ordo_calibration *result);

/** What the boundary adds to the largest delta: the clock's granule, and the margin that was asked for, in ticks. */
uint64_t ordo_calibration_granule_ticks(const struct ordo_calibration *result);
uint64_t ordo_calibration_margin_ticks(const struct ordo_calibration *result);

/** Returns what the trust in the clock rests on: enum ordo_trust_class of <ordo/record.h>. */
int ordo_calibration_trust(const struct ordo_calibration *result);

/** Returns the reason for the class, one line. */
const char *ordo_calibration_trust_reason(const struct ordo_calibration *result);

/** Not 0: the result counts only because `force` was asked for. */
int ordo_calibration_forced(const struct ordo_calibration *result);

/** How often a record was published at its place, this one included; 0 before ordo_calibration_publish. */
uint64_t ordo_calibration_generation(const struct ordo_calibration *result);

/** How many CPUs were measured. */
int ordo_calibration_cpus(const struct ordo_calibration *result);

/** The operating system's number of CPU `index`, ascending from index 0; -1 where there is none. */
long ordo_calibration_cpu(const struct ordo_calibration *result, int index);

/** What was measured between two CPUs, a < b, in ticks. */
struct ordo_calibrated_pair {
    unsigned a, b;     /* the operating system's numbers */
    const char *share; /* the nearest that they share: "core", "l2", "l3", "package", "numa", "machine" */
    int64_t delta_ab_ticks,
        delta_ba_ticks; /* the least seen from a writer's time on a (on b) to a reader's on b (on a): the
                                                  latency, and the offset of the clocks; the largest of all blocks and sweeps */
    int64_t offset_low_ticks, offset_high_ticks; /* clock b minus clock a lies in this interval, proved */
};

/** How many pairs there are: n (n - 1) / 2 of n CPUs. */
int ordo_calibration_pairs(const struct ordo_calibration *result);

/** Pair `index`, from 0, by a and then b. Returns 0, or ORDO_E_INVALID where there is none. */
int ordo_calibration_pair(const struct ordo_calibration *result, int index, struct ordo_calibrated_pair *pair);

/** Line `index`, from 0, of what a person should know about the result; NULL where there is no more. */
const char *ordo_calibration_warning(const struct ordo_calibration *result, int index);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
