/* A report of a machine: its measurements, without its identity. Plain data.
 *
 * Every text of it is one of a list of words, or digits of a form: a report has no free text. */
#ifndef ORDO_CALIBRATE_COLLECTION_REPORT_H
#define ORDO_CALIBRATE_COLLECTION_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ordo/record.h>

#include "machine/topology/topology.h"

enum {
    ORDO_COLLECTION_MOST_BYTES = 100000,           /* a report has fewer */
    ORDO_COLLECTION_MOST_CPUS = 8192,              /* as many as a record's matrix can have, and more */
    ORDO_COLLECTION_WORST = 64,                    /* directed pairs that every report lists */
    ORDO_COLLECTION_KINDS = ORDO_DISTANCE_MACHINE, /* of groups: those of enum ordo_distance but the machine */
    ORDO_COLLECTION_STEPS = 56,                    /* of a rounded delta: the characters from # to Z */
    ORDO_COLLECTION_CLOCKS = 16                    /* of the kernel, at most */
};

/** No value: not measured, or not told. */
#define ORDO_COLLECTION_SCHEMA "ordo-report/1"
#define ORDO_COLLECTION_NONE ORDO_DELTA_UNMEASURED

/** No number of a report is larger, so that every reader of JSON can hold it. */
#define ORDO_COLLECTION_MOST (INT64_C(1) << 53)

/** The machine's description of itself. The words are those of words.h. */
struct ordo_collection_machine {
    const char *architecture, *vendor, *hypervisor;
    int64_t family, model, stepping; /* ORDO_COLLECTION_NONE: not told */
    int64_t nominal_hz;              /* of the counter, as the processor states it; the same */
    int64_t online;                  /* CPUs */
    char kernel[12];                 /* "6.1"; empty: not told */
    const char *clock;               /* that the kernel uses; NULL: not told */
    const char *clocks[ORDO_COLLECTION_CLOCKS];
    int clock_count;                    /* that it offers */
    double counter_ns, kernel_clock_ns; /* the cost of a reading; negative: unknown */
};

/** Order statistics of many numbers, by nearest rank. */
struct ordo_collection_spread {
    int64_t min, median, p99, max;
};

/** Pairs of CPUs of one distance, measured in both directions. */
struct ordo_collection_class {
    int64_t pairs;                        /* 0: there are none, and no spreads */
    struct ordo_collection_spread delta;  /* of both directions */
    struct ordo_collection_spread trip;   /* there and back: the width of the interval of the offset */
    struct ordo_collection_spread offset; /* the least distance from 0 that the interval allows */
};

/** A directed pair. */
struct ordo_collection_pair {
    unsigned writer, reader; /* CPUs, by the operating system's number */
    int64_t delta_ticks;
};

/** A number for each CPU. */
enum ordo_collection_column {
    ORDO_COLUMN_CORRECTION,  /* of corrected clocks */
    ORDO_COLUMN_OFFSET,      /* estimate: mean half difference of the two directions, over all other CPUs */
    ORDO_COLUMN_FROM_FIRST,  /* delta of the first CPU as writer and this one as reader */
    ORDO_COLUMN_TO_FIRST,    /* the other direction: the offset to the first is in [-to, from] */
    ORDO_COLUMN_WRITER,      /* largest delta as a writer */
    ORDO_COLUMN_WRITER_WITH, /* and the reader, a CPU */
    ORDO_COLUMN_READER,      /* largest delta as a reader */
    ORDO_COLUMN_READER_WITH, /* and the writer */
    ORDO_COLUMNS
};

/** How much of the matrix a report keeps; the first that fits is taken. */
enum ordo_collection_detail {
    ORDO_DETAIL_PAIRS,   /* all of it */
    ORDO_DETAIL_ROUNDED, /* all of it, each delta rounded up to one of 56 steps of its distance */
    ORDO_DETAIL_L3,      /* medians and maxima of the blocks of L3 caches, and the columns */
    ORDO_DETAIL_NUMA,    /* the same of NUMA nodes */
    ORDO_DETAIL_PACKAGE, /* the same of packages */
    ORDO_DETAIL_CPUS,    /* the columns alone */
    ORDO_DETAIL_OFFSETS, /* of the columns the offsets, and of the groups no cores and L2 caches */
    ORDO_DETAIL_GROUPS,  /* no columns */
    ORDO_DETAIL_SUMMARY, /* classes and the worst pairs */
    ORDO_DETAILS
};

struct ordo_collection_report {
    char tool_version[16];     /* of the program that wrote the report */
    char measured_version[16]; /* and of the one that measured; empty: not told */
    char month[8];             /* "2026-11" */
    struct ordo_collection_machine machine;

    const char *clock, *trust; /* words */
    bool forced, coarse, parallel;
    int64_t tick_hz; /* four digits of it: more would be the fingerprint of an oscillator */
    int64_t boundary_ticks, granule_ticks, margin_ticks;
    int64_t corrected_boundary_ticks; /* 0: there are no corrections */
    int64_t drift_min_ppb, drift_max_ppb;
    int64_t runs, repeats;

    enum ordo_collection_detail detail;
    int count;                         /* CPUs */
    unsigned *cpus;                    /* [count], ascending */
    int *group[ORDO_COLLECTION_KINDS]; /* [count], numbered from 0 by their first CPU, -1: in none; NULL: not told */
    int groups[ORDO_COLLECTION_KINDS]; /* how many */
    int threads;                       /* the most CPUs that share a core */
    int64_t unmeasured;                /* pairs */
    struct ordo_collection_class classes[ORDO_DISTANCES];
    struct ordo_collection_pair worst[ORDO_COLLECTION_WORST]; /* the largest first */
    int worst_count;
    int64_t *column[ORDO_COLUMNS];     /* [count]; NULL: not told */
    int64_t *delta_ticks;              /* [writer * count + reader]; NULL: not told */
    char *rounded;                     /* the same as codes, of ordo_collection_round; NULL: not told */
    int64_t *block_median, *block_max; /* [writers * blocks + readers] in ticks; NULL: not told */
    int blocks;                        /* groups of the kind of the detail */
};

/** A report of `count` CPUs with all but the matrix and the blocks allocated: every group -1, every column
 * ORDO_COLLECTION_NONE. NULL if out of memory. */
struct ordo_collection_report *ordo_collection_new(int count);

void ordo_collection_free(struct ordo_collection_report *report);

/** What two CPUs of a report share, by its groups. */
enum ordo_distance ordo_collection_distance(const struct ordo_collection_report *report, int a, int b);

/** Numbers the groups of a kind from 0, by their first CPU, and counts them; `threads` as well. */
void ordo_collection_number(struct ordo_collection_report *report, int kind);

/** Computes from the matrix all that a report says of it: classes, worst pairs, columns (but the corrections), unmeasured
 * pairs. 0, or -1 if out of memory. */
int ordo_collection_summarise(struct ordo_collection_report *report);

/** Rounds the matrix: `rounded` gets a character for each delta, in place of others. 0, or -1 if out of memory.
 *
 * A delta of distance d is rounded up to classes[d].delta.min + k * unit, where unit is the smallest whole number for which
 * the class needs no more than ORDO_COLLECTION_STEPS values of k. Rounded up, it is an upper bound of the offset still. */
int ordo_collection_round(struct ordo_collection_report *report);

/** The unit of a distance, in ticks. */
int64_t ordo_collection_unit(const struct ordo_collection_report *report, enum ordo_distance distance);

/** The rounded delta of a writer and a reader, in ticks; ORDO_COLLECTION_NONE: none was measured in both directions. */
int64_t ordo_collection_rounded(const struct ordo_collection_report *report, int writer, int reader);

/** Computes the blocks of a kind of groups, in place of others. 0, or -1 if out of memory. */
int ordo_collection_block(struct ordo_collection_report *report, int kind);

/** The kind of groups whose blocks a detail keeps; -1: none. */
int ordo_collection_blocks_of(enum ordo_collection_detail detail);

/** True if a detail keeps a column, or the groups of a kind. */
bool ordo_collection_keeps_column(enum ordo_collection_detail detail, int column);
bool ordo_collection_keeps_groups(enum ordo_collection_detail detail, int kind);

/** Rounds a rate to four digits: enough for a tick in nanoseconds, and too few to know one oscillator from another. */
int64_t ordo_collection_round_hz(uint64_t hz);

/** Rounds a cost to a tenth of a nanosecond and three digits: finer ones are noise. */
double ordo_collection_round_ns(double ns);

/** Nanoseconds in a number of ticks. */
double ordo_collection_ns(const struct ordo_collection_report *report, int64_t ticks);

#endif
