/* The options of `ordo-bench rlu`. */
#ifndef BENCH_RLU_ARGUMENTS_H
#define BENCH_RLU_ARGUMENTS_H

#include "choice.h"
#include "options.h"
#include "rlu/engine.h"

#define RLU_UPDATES 16 /* most update percentages in one run */
#define RLU_DEFERS 4   /* most values of --defer in one run */
#define RLU_SIZES 8    /* most sizes of multi-gets in one run */

struct rlu_options {
    struct bench_options common;
    struct bench_choice algorithms; /* indices into rlu_algorithm_words */
    struct bench_choice structures; /* indices: enum rlu_structure */
    struct bench_choice stamps;     /* indices into rlu_stamp_words */
    struct bench_choice baselines;  /* indices into rlu_baseline_words */
    uint64_t buckets;               /* number of buckets of a hash */
    uint64_t length;                /* elements of a list, or of each bucket's list; 0: the default of the structure */
    uint64_t range;                 /* number of keys; 0: twice the number of elements */
    int updates[RLU_UPDATES];       /* percentages, ascending */
    int update_count;
    int sizes[RLU_SIZES];        /* keys of the multi-gets */
    int size_count;              /* 0: the operations are those on one key */
    unsigned defers[RLU_DEFERS]; /* values for rlu_bench.defer; the others are compared with the first value */
    int defer_count;
    bool own_clock;
    bool sweep;
};

/** The stamps of our RLU, in the order of rlu_stamp_words. */
enum rlu_stamp {
    RLU_STAMP_ORDO,
    RLU_STAMP_LOGICAL,
    RLU_STAMP_TSC,
    RLU_STAMP_CLOCK,
    RLU_STAMP_CORRECTED,
    RLU_STAMP_ANY
};

/** The words that --algorithm, --stamp and --baseline choose among; each list ends with NULL. */
extern const char *const rlu_algorithm_words[], *const rlu_stamp_words[], *const rlu_baseline_words[];

/** Sets the options that apply if the command line is empty. */
void rlu_options_default(struct rlu_options *options);

/** Sets the defaults and parses the command line. A wrong command line ends the program with a message and
 * EXIT_USAGE. */
void rlu_options_parse(struct rlu_options *options, int argc, char **argv);

/** Returns the number of elements at the beginning of a trial. */
uint64_t rlu_elements(const struct rlu_options *options, enum rlu_structure structure);
uint64_t rlu_range(const struct rlu_options *options, enum rlu_structure structure);

/** True if the options choose this engine. */
bool rlu_chosen(const struct rlu_options *options, const struct rlu_engine *engine);

#endif
