/* A report of a machine: its measurements, without its identity. Plain data.
 *
 * Each text in a report is a word of a fixed list, or digits of a fixed form: a report has no free text. */
#ifndef ORDO_CALIBRATE_COLLECTION_REPORT_H
#define ORDO_CALIBRATE_COLLECTION_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ordo/record.h>

#include "machine/topology/topology.h"

enum {
    ORDO_COLLECTION_MOST_BYTES = 100000,           /* a report is shorter */
    ORDO_COLLECTION_MOST_CPUS = 8192,              /* at least the most that a record's matrix can have */
    ORDO_COLLECTION_WORST = 64,                    /* directed pairs that every report lists */
    ORDO_COLLECTION_KINDS = ORDO_DISTANCE_MACHINE, /* of groups: enum ordo_distance without the machine */
    ORDO_COLLECTION_STEPS = 56,                    /* values of a rounded delta: the characters from # to Z */
    ORDO_COLLECTION_CLOCKS = 16                    /* at most, of the kernel */
};

/** ORDO_COLLECTION_NONE: no value, because it was not measured or is unknown. */
#define ORDO_COLLECTION_SCHEMA "ordo-report/1"
#define ORDO_COLLECTION_NONE ORDO_DELTA_UNMEASURED

/** The largest number in a report: every reader of JSON can hold it. */
#define ORDO_COLLECTION_MOST (INT64_C(1) << 53)

/** The machine's description of itself. The words are those of words.h. */
struct ordo_collection_machine {
    const char *architecture, *vendor, *hypervisor;
    int64_t family, model, stepping; /* ORDO_COLLECTION_NONE: unknown */
    int64_t nominal_hz;              /* of the counter, as the processor states it; ORDO_COLLECTION_NONE: unknown */
    int64_t online;                  /* number of CPUs */
    char kernel[12];                 /* "6.1"; empty: unknown */
    const char *clock;               /* the kernel's clock; NULL: unknown */
    const char *clocks[ORDO_COLLECTION_CLOCKS];
    int clock_count;                    /* clocks that the kernel offers */
    double counter_ns, kernel_clock_ns; /* cost of a reading; negative: unknown */
};

/** Order statistics of many numbers, by nearest rank. */
struct ordo_collection_spread {
    int64_t min, median, p99, max;
};

/** Pairs of CPUs of one distance, measured in both directions. */
struct ordo_collection_class {
    int64_t pairs;                        /* 0: no pairs, and no spreads */
    struct ordo_collection_spread delta;  /* of both directions */
    struct ordo_collection_spread trip;   /* round trip: the width of the interval of the offset */
    struct ordo_collection_spread offset; /* the least distance from 0 that the interval allows */
};

/** A directed pair. */
struct ordo_collection_pair {
    unsigned writer, reader; /* CPUs, by the operating system's number */
    int64_t delta_ticks;
};

/** A number for each CPU. */
enum ordo_collection_column {
    ORDO_COLUMN_CORRECTION, /* added to the clock by corrected reads */
    ORDO_COLUMN_OFFSET,     /* estimate: mean half difference of the two directions, over all other CPUs */
    ORDO_COLUMN_FROM_FIRST, /* delta of the first CPU as writer and this one as reader */
    ORDO_COLUMN_TO_FIRST, /* delta of the other direction: the offset of this CPU's clock from the first CPU's is in [-to, from] */
    ORDO_COLUMN_WRITER,      /* largest delta as a writer */
    ORDO_COLUMN_WRITER_WITH, /* and its reader, a CPU */
    ORDO_COLUMN_READER,      /* largest delta as a reader */
    ORDO_COLUMN_READER_WITH, /* and its writer */
    ORDO_COLUMNS
};

/** The detail that a report keeps of the matrix; ordo_collection_fit takes the first that fits. */
enum ordo_collection_detail {
    ORDO_DETAIL_PAIRS,   /* the whole matrix */
    ORDO_DETAIL_ROUNDED, /* the whole matrix, each delta rounded up to one of 56 steps of its distance */
    ORDO_DETAIL_L3,      /* medians and maxima of the blocks of L3 caches, and the columns */
    ORDO_DETAIL_NUMA,    /* the same for NUMA nodes */
    ORDO_DETAIL_PACKAGE, /* the same for packages */
    ORDO_DETAIL_CPUS,    /* the columns alone */
    ORDO_DETAIL_OFFSETS, /* of the columns only the offsets; groups without cores and L2 caches */
    ORDO_DETAIL_GROUPS,  /* no columns */
    ORDO_DETAIL_SUMMARY, /* classes and the worst pairs */
    ORDO_DETAILS
};

struct ordo_collection_report {
    char tool_version[16];     /* of the program that wrote the report */
    char measured_version[16]; /* of the program that measured; empty: unknown */
    char month[8];             /* "2026-11" */
    struct ordo_collection_machine machine;

    const char *clock, *trust; /* words */
    bool forced, coarse, parallel;
    int64_t tick_hz; /* four digits: more would identify the oscillator */
    int64_t boundary_ticks, granule_ticks, margin_ticks;
    int64_t corrected_boundary_ticks; /* 0: no corrections */
    int64_t drift_min_ppb, drift_max_ppb;
    int64_t runs, repeats;

    enum ordo_collection_detail detail;
    int count;                         /* number of CPUs */
    unsigned *cpus;                    /* [count], ascending */
    int *group[ORDO_COLLECTION_KINDS]; /* [count], numbered from 0 by their first CPU, -1: in none; NULL: unknown */
    int groups[ORDO_COLLECTION_KINDS]; /* number of groups of each kind */
    int threads;                       /* the largest number of CPUs that share a core */
    int64_t unmeasured;                /* number of pairs */
    struct ordo_collection_class classes[ORDO_DISTANCES];
    struct ordo_collection_pair worst[ORDO_COLLECTION_WORST]; /* the largest first */
    int worst_count;
    int64_t *column[ORDO_COLUMNS];     /* [count]; NULL: unknown */
    int64_t *delta_ticks;              /* [writer * count + reader]; NULL: unknown */
    char *rounded;                     /* the same as codes, by ordo_collection_round; NULL: unknown */
    int64_t *block_median, *block_max; /* [writers * blocks + readers] in ticks; NULL: unknown */
    int blocks;                        /* groups of the kind that the detail keeps */
};

/** Returns a report of `count` CPUs with all but the matrix and the blocks allocated: every group -1, every column
 * ORDO_COLLECTION_NONE. NULL if out of memory. */
struct ordo_collection_report *ordo_collection_new(int count);

void ordo_collection_free(struct ordo_collection_report *report);

/** Returns the distance of two CPUs of a report, by its groups. */
enum ordo_distance ordo_collection_distance(const struct ordo_collection_report *report, int a, int b);

/** Numbers the groups of a kind from 0, by their first CPU, and counts them; sets `threads` as well. */
void ordo_collection_number(struct ordo_collection_report *report, int kind);

/** Computes from the matrix everything that a report derives from it: classes, worst pairs, columns (except the
 * corrections), unmeasured pairs. Returns 0, or -1 if out of memory. */
int ordo_collection_summarise(struct ordo_collection_report *report);

/** Rounds the matrix: replaces `rounded` by one character for each delta. Returns 0, or -1 if out of memory.
 *
 * A delta of distance d is rounded up to classes[d].delta.min + k * unit, where unit is the smallest whole number with
 * which the class needs at most ORDO_COLLECTION_STEPS values of k. Because it is rounded up, it is still an upper bound
 * of the offset. */
int ordo_collection_round(struct ordo_collection_report *report);

/** Returns the unit of a distance, in ticks. */
int64_t ordo_collection_unit(const struct ordo_collection_report *report, enum ordo_distance distance);

/** Returns the rounded delta of a writer and a reader, in ticks; ORDO_COLLECTION_NONE if it was not measured in both
 * directions. */
int64_t ordo_collection_rounded(const struct ordo_collection_report *report, int writer, int reader);

/** Computes the blocks of a kind of groups, and replaces the ones before. Returns 0, or -1 if out of memory. */
int ordo_collection_block(struct ordo_collection_report *report, int kind);

/** Returns the kind of groups whose blocks a detail keeps; -1 if none. */
int ordo_collection_blocks_of(enum ordo_collection_detail detail);

/** True if a detail keeps a column, or the groups of a kind. */
bool ordo_collection_keeps_column(enum ordo_collection_detail detail, int column);
bool ordo_collection_keeps_groups(enum ordo_collection_detail detail, int kind);

/** Rounds a rate to four digits: enough for a tick in nanoseconds, and too few to identify an oscillator. */
int64_t ordo_collection_round_hz(uint64_t hz);

/** Rounds a cost to a tenth of a nanosecond and three digits: the rest is noise. */
double ordo_collection_round_ns(double ns);

/** Converts ticks to nanoseconds. */
double ordo_collection_ns(const struct ordo_collection_report *report, int64_t ticks);

#endif
