/* The internal form of a result of <ordo/calibrate.h>: the published and the reported numbers. */
#ifndef ORDO_CALIBRATE_RECORD_CALIBRATION_H
#define ORDO_CALIBRATE_RECORD_CALIBRATION_H

#include <stdbool.h>
#include <stdint.h>

#include <ordo/calibrate.h>
#include <ordo/record.h>

#include "base/visit.h"

/** The delta of an unmeasured pair, and of the diagonal of the delta matrix. */
#define ORDO_DELTA_NONE ORDO_DELTA_UNMEASURED

/** The tick rate according to one clock source. */
struct ordo_rate {
    char source[32];
    double low_hz, high_hz;
};

#define ORDO_RATES 8

/** A contradiction between a measurement and a record (refute.h). */
struct ordo_refutation {
    bool proved;
    bool marked;            /* the record was marked DISRUPTED (ordo_record_judge) */
    uint64_t generation;    /* generation of the record, if it was judged at its path */
    unsigned ahead, behind; /* two CPUs; valid if `ticks` is not 0 */
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
    int64_t *correction_ticks;          /* [count] added to a clock, >= 0 (bound/conclude.h) */

    uint64_t boundary_ticks; /* largest delta + granule + margin */
    int64_t largest_delta_ticks;
    uint64_t corrected_boundary_ticks; /* boundary of corrected clocks; 0: there are no corrections */
    int unmeasured_pairs;
    bool concluded; /* boundary and corrections are computed from the matrix: the result may be published */
    uint64_t granule_ticks, margin_ticks;
    uint64_t step_ticks;                  /* largest error of one reading, at most the granule */
    int64_t drift_min_ppb, drift_max_ppb; /* proved bounds of the drift of every pair */

    double tick_hz; /* measured against CLOCK_MONOTONIC_RAW */
    struct ordo_rate rates[ORDO_RATES];
    int rate_count;
    int agreeing_rates; /* number of kernel clocks that agree to within the slew of a time server */
    /* The largest lower bound and the smallest upper bound of the rate between two sweeps, by CLOCK_MONOTONIC_RAW. If
     * the lower bound exceeds the upper bound, the rate has changed. 0: not measured. */
    double steady_low_hz, steady_high_hz;

    uint64_t runs;        /* requested number per direction of a pair, over all repeats */
    uint64_t settle;      /* a direction ends once its minimum has not changed for this number of runs; 0: never */
    uint64_t fewest_runs; /* smallest number of runs of any direction; below `runs` only if it settled */
    int repeats;
    bool parallel, coarse, hypervisor, forced;
    int trust, why;         /* enum ordo_trust_class, enum ordo_evidence_why */
    char trust_reason[240]; /* one line */
    double nominal_hz;      /* the rate that the processor states; 0: it states none */
    char hypervisor_name[16];
    char machine[128];
    char warnings[6][240]; /* one line each; unused warnings are empty */
    int warning_count;

    uint64_t as_of_ns, void_after_ns;                 /* CLOCK_BOOTTIME */
    uint64_t as_of_ticks, as_of_raw_ns, suspended_ns; /* readings at as_of_ns, as in struct ordo_record */
    uint64_t generation;                              /* set at publication */
    struct ordo_refutation refuted;                   /* proof by this measurement that the published record is wrong */
    double seconds;                                   /* duration of the calibration */
};

/** Allocates a calibration of `count` CPUs, filled with zeros. NULL if out of memory. */
struct ordo_calibration *ordo_calibration_new(int count);

/** Adds a warning, unless the list is full or already contains it. */
void ordo_calibration_warn(struct ordo_calibration *calibration, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Finds the pair with the largest proved offset. Returns this offset: clock b minus clock a is at least the returned
 * number of ticks, which is positive. Returns 0 if every interval contains 0. */
int64_t ordo_calibration_worst_offset(const struct ordo_calibration *calibration, int *a, int *b);

#endif
