/* A report of a machine: its measurements, without its identity.
 *
 * Each text in a report is a word of a fixed list, or has a fixed form of digits. A report contains no free text. */
#ifndef ORDO_CALIBRATE_COLLECTION_REPORT_H
#define ORDO_CALIBRATE_COLLECTION_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ordo/record.h>

#include "machine/topology/topology.h"

enum {
    ORDO_COLLECTION_MOST_BYTES = 100000, /* a report has fewer bytes */
    ORDO_COLLECTION_MOST_CPUS = 8192,    /* at least the maximum of a record's matrix */
    ORDO_COLLECTION_WORST = 64,          /* number of directed pairs with the largest deltas in every report */
    ORDO_COLLECTION_KINDS = ORDO_DISTANCE_MACHINE, /* kinds of groups of CPUs: enum ordo_distance without the machine */
    ORDO_COLLECTION_STEPS = 56,                    /* number of values of a rounded delta: the characters from # to Z */
    ORDO_COLLECTION_CLOCKS = 16                    /* maximum number of the kernel's clocks */
};

/** ORDO_COLLECTION_NONE: no value, because it was not measured or is unknown. */
#define ORDO_COLLECTION_SCHEMA "ordo-report/1"
#define ORDO_COLLECTION_NONE ORDO_DELTA_UNMEASURED

/** The largest number in a report: every JSON reader can represent it exactly. */
#define ORDO_COLLECTION_MOST (INT64_C(1) << 53)

/** A description of the machine, in words of words.h. */
struct ordo_collection_machine {
    const char *architecture, *vendor, *hypervisor;
    int64_t family, model, stepping; /* ORDO_COLLECTION_NONE: unknown */
    int64_t nominal_hz;              /* the counter's rate, as the processor states it; ORDO_COLLECTION_NONE: unknown */
    int64_t online;                  /* number of online CPUs */
    char kernel[12];                 /* "6.1"; empty: unknown */
    const char *clock;               /* the kernel's clock; NULL: unknown */
    const char *clocks[ORDO_COLLECTION_CLOCKS];
    int clock_count;                    /* number of clocks that the kernel offers */
    double counter_ns, kernel_clock_ns; /* cost of a reading; negative: unknown */
};

/** Order statistics of many numbers, by nearest rank. */
struct ordo_collection_spread {
    int64_t min, median, p99, max;
};

/** Pairs of CPUs of one distance, measured in both directions. */
struct ordo_collection_class {
    int64_t pairs;                        /* number of pairs; if 0, the spreads are unset */
    struct ordo_collection_spread delta;  /* deltas of both directions */
    struct ordo_collection_spread trip;   /* round trip: the width of the interval of the offset */
    struct ordo_collection_spread offset; /* smallest absolute offset in the interval */
};

/** A directed pair. */
struct ordo_collection_pair {
    unsigned writer, reader; /* the operating system's numbers of the CPUs */
    int64_t delta_ticks;
};

/** The columns: each has a number for each CPU. */
enum ordo_collection_column {
    ORDO_COLUMN_CORRECTION, /* added to the clock by corrected reads */
    ORDO_COLUMN_OFFSET, /* estimated offset: half the difference of the two directions, averaged over all other CPUs */
    ORDO_COLUMN_FROM_FIRST,  /* delta of the first CPU as the writer and this CPU as the reader */
    ORDO_COLUMN_TO_FIRST,    /* opposite delta: this clock's offset from the first CPU's clock is in [-to, from] */
    ORDO_COLUMN_WRITER,      /* largest delta of this CPU as a writer */
    ORDO_COLUMN_WRITER_WITH, /* the reader of that delta, a CPU */
    ORDO_COLUMN_READER,      /* largest delta of this CPU as a reader */
    ORDO_COLUMN_READER_WITH, /* the writer of that delta */
    ORDO_COLUMNS
};

/** The detail in which a report keeps the matrix; ordo_collection_fit chooses the first detail that fits. */
enum ordo_collection_detail {
    ORDO_DETAIL_PAIRS,   /* the whole matrix */
    ORDO_DETAIL_ROUNDED, /* the whole matrix, each delta rounded up to one of 56 steps of its distance */
    ORDO_DETAIL_L3,      /* medians and maxima of the blocks of L3 caches, and the columns */
    ORDO_DETAIL_NUMA,    /* medians and maxima of the blocks of NUMA nodes, and the columns */
    ORDO_DETAIL_PACKAGE, /* medians and maxima of the blocks of packages, and the columns */
    ORDO_DETAIL_CPUS,    /* only the columns */
    ORDO_DETAIL_OFFSETS, /* only the column of offsets; no groups of cores and L2 caches */
    ORDO_DETAIL_GROUPS,  /* no columns */
    ORDO_DETAIL_SUMMARY, /* only the classes and the worst pairs */
    ORDO_DETAILS
};

struct ordo_collection_report {
    char tool_version[16];     /* version of the program that wrote the report */
    char measured_version[16]; /* version of the program that measured; empty: unknown */
    char month[8];             /* month of the measurement, such as "2026-11" */
    struct ordo_collection_machine machine;

    const char *clock, *trust; /* words of words.h */
    bool forced, coarse, parallel;
    int64_t tick_hz; /* rounded to four digits, because more would identify the oscillator */
    int64_t boundary_ticks, granule_ticks, margin_ticks;
    int64_t corrected_boundary_ticks; /* 0: there are no corrections */
    int64_t drift_min_ppb, drift_max_ppb;
    int64_t runs, repeats;

    enum ordo_collection_detail detail;
    int count;                         /* number of CPUs */
    unsigned *cpus;                    /* [count], ascending */
    int *group[ORDO_COLLECTION_KINDS]; /* [count] group, numbered from 0 by first CPU; -1: none; NULL: unknown */
    int groups[ORDO_COLLECTION_KINDS]; /* number of groups of each kind */
    int threads;                       /* the largest number of CPUs that share a core */
    int64_t unmeasured;                /* number of unmeasured pairs */
    struct ordo_collection_class classes[ORDO_DISTANCES];
    struct ordo_collection_pair worst[ORDO_COLLECTION_WORST]; /* in descending order */
    int worst_count;
    int64_t *column[ORDO_COLUMNS];     /* [count]; NULL: unknown */
    int64_t *delta_ticks;              /* [writer * count + reader]; NULL: unknown */
    char *rounded;                     /* delta_ticks as codes of ordo_collection_round; NULL: unknown */
    int64_t *block_median, *block_max; /* [writers * blocks + readers] in ticks; NULL: unknown */
    int blocks;                        /* number of groups of the kind whose blocks the detail keeps */
};

/** Returns a report of `count` CPUs in which everything except the matrix and the blocks is allocated. All groups are
 * -1, and all columns ORDO_COLLECTION_NONE. NULL if out of memory. */
struct ordo_collection_report *ordo_collection_new(int count);

void ordo_collection_free(struct ordo_collection_report *report);

/** Returns the distance of two CPUs of a report, determined by its groups. */
enum ordo_distance ordo_collection_distance(const struct ordo_collection_report *report, int a, int b);

/** Numbers the groups of a kind from 0, by their first CPU, and counts them; sets `threads` as well. */
void ordo_collection_number(struct ordo_collection_report *report, int kind);

/** Computes from the matrix everything that a report derives from it: classes, worst pairs, columns (except the
 * corrections), unmeasured pairs. Returns 0, or -1 if out of memory. */
int ordo_collection_summarise(struct ordo_collection_report *report);

/** Rounds the matrix: replaces `rounded` by one character for each delta. Returns 0, or -1 if out of memory.
 *
 * A delta of distance d is rounded up to classes[d].delta.min + k * unit. `unit` is the smallest integer for which the
 * class needs at most ORDO_COLLECTION_STEPS values of k. A delta that is rounded up is still an upper bound of the
 * offset. */
int ordo_collection_round(struct ordo_collection_report *report);

/** Returns the rounding unit of the deltas between CPUs at this distance, in ticks. */
int64_t ordo_collection_unit(const struct ordo_collection_report *report, enum ordo_distance distance);

/** Returns the rounded delta of a writer and a reader, in ticks; ORDO_COLLECTION_NONE if the pair was not measured in
 * both directions. */
int64_t ordo_collection_rounded(const struct ordo_collection_report *report, int writer, int reader);

/** Computes the blocks of this kind of groups, which replace the previous blocks. Returns 0, or -1 if out of memory. */
int ordo_collection_block(struct ordo_collection_report *report, int kind);

/** Returns the kind of groups whose blocks a detail keeps; -1 if it keeps no blocks. */
int ordo_collection_blocks_of(enum ordo_collection_detail detail);

/** True if a detail keeps a column, or the groups of a kind. */
bool ordo_collection_keeps_column(enum ordo_collection_detail detail, int column);
bool ordo_collection_keeps_groups(enum ordo_collection_detail detail, int kind);

/** Rounds a rate to four digits. These suffice to convert ticks to nanoseconds, but not to identify an oscillator. */
int64_t ordo_collection_round_hz(uint64_t hz);

/** Rounds a cost to a tenth of a nanosecond and three digits: the rest is noise. */
double ordo_collection_round_ns(double ns);

/** Converts ticks to nanoseconds. */
double ordo_collection_ns(const struct ordo_collection_report *report, int64_t ticks);

#endif
