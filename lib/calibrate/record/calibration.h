/* The internal form of the result of <ordo/calibrate.h>: the published and the reported numbers. Plain data. */
#ifndef ORDO_CALIBRATE_RECORD_CALIBRATION_H
#define ORDO_CALIBRATE_RECORD_CALIBRATION_H

#include <stdbool.h>
#include <stdint.h>

#include <ordo/calibrate.h>
#include <ordo/record.h>

#include "base/visit.h"

/** No measurement: the diagonal of the delta matrix, and unmeasured pairs. */
#define ORDO_DELTA_NONE ORDO_DELTA_UNMEASURED

/** The tick rate according to one clock source. */
struct ordo_rate {
    char source[32];
    double low_hz, high_hz;
};

#define ORDO_RATES 8

/** A contradiction between a measurement and a record: refute.h. */
struct ordo_refutation {
    bool proved;
    bool marked;            /* the record is marked DISRUPTED: ordo_record_judge */
    uint64_t generation;    /* of the record, if it was judged in its place */
    unsigned ahead, behind; /* CPUs, if `ticks` is not 0 */
    int64_t ticks;          /* clock of `ahead` minus clock of `behind` is at least this */
    char reason[160];
};

struct ordo_calibration {
    uint32_t clock;                     /* enum ordo_clock_id: this program's clock, or the kernel's */
    int count;                          /* number of CPUs */
    unsigned *cpus;                     /* [count], operating-system numbers, ascending */
    unsigned char *share;               /* [count * count] enum ordo_distance */
    int64_t *delta_ticks;               /* [writer * count + reader], the largest of the repeats' minima */
    struct ordo_interval *offset_ticks; /* [a * count + b], clock b minus clock a, intersected over the repeats */
    struct ordo_place *places;          /* [count] the core, caches, package and node of each CPU */
    struct ordo_visit *visits;          /* [(sweep * count + a) * count + b], a < b, of all repeats; NULL: not kept */
    int64_t *correction_ticks;          /* [count] added to a clock, none negative (bound/conclude.h) */

    uint64_t boundary_ticks; /* largest delta + granule + margin */
    int64_t largest_delta_ticks;
    uint64_t corrected_boundary_ticks; /* of corrected clocks; 0: there are no corrections */
    int unmeasured_pairs;
    bool concluded; /* boundary and corrections are computed from the matrix: the result may be published */
    uint64_t granule_ticks, margin_ticks;
    uint64_t step_ticks;                  /* what one reading may hide, at most the granule */
    int64_t drift_min_ppb, drift_max_ppb; /* hull over all pairs, proved */

    double tick_hz; /* by CLOCK_MONOTONIC_RAW */
    struct ordo_rate rates[ORDO_RATES];
    int rate_count;
    int agreeing_rates; /* of the kernel's clocks, to within the slew that a time server may apply to one of them */
    /* The largest lower and the least upper bound of the rate between two sweeps, by CLOCK_MONOTONIC_RAW. The lower
     * bound exceeds the upper one only if the rate has changed. 0: not measured. */
    double steady_low_hz, steady_high_hz;

    uint64_t runs;        /* per direction of a pair, over all repeats, as requested */
    uint64_t settle;      /* a direction stops once its minimum has not moved for this many runs; 0: never */
    uint64_t fewest_runs; /* the fewest made in any direction; less than `runs` only if the direction settled */
    int repeats;
    bool parallel, coarse, hypervisor, forced;
    int trust, why;         /* enum ordo_trust_class, enum ordo_evidence_why */
    char trust_reason[240]; /* one line */
    double nominal_hz;      /* the rate that the processor states; 0: none */
    char hypervisor_name[16];
    char machine[128];
    char warnings[6][240]; /* lines; the rest is empty */
    int warning_count;

    uint64_t as_of_ns, void_after_ns;                 /* CLOCK_BOOTTIME */
    uint64_t as_of_ticks, as_of_raw_ns, suspended_ns; /* of the same moment, as in struct ordo_record */
    uint64_t generation;                              /* set at publication */
    struct ordo_refutation refuted; /* by this measurement, of the record in the place of publication */
    double seconds;                 /* duration of the calibration */
};

/** Allocates a calibration of `count` CPUs, everything zero. NULL if out of memory. */
struct ordo_calibration *ordo_calibration_new(int count);

/** Adds a line to the warnings, if there is room and it is not among them. */
void ordo_calibration_warn(struct ordo_calibration *calibration, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Finds the pair whose clocks provably differ most: clock b minus clock a is at least the returned positive number of
 * ticks. Returns 0 if every interval contains 0. */
int64_t ordo_calibration_worst_offset(const struct ordo_calibration *calibration, int *a, int *b);

#endif
