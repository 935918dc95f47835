/* The options of `ordo-bench rlu`. */
#ifndef BENCH_RLU_ARGUMENTS_H
#define BENCH_RLU_ARGUMENTS_H

#include "choice.h"
#include "options.h"
#include "rlu/engine.h"

#define RLU_UPDATES 16 /* update percentages in one run */
#define RLU_DEFERS 4   /* values of --defer in one run */

struct rlu_options {
    struct bench_options common;
    struct bench_choice algorithms; /* by rlu_algorithm_words */
    struct bench_choice structures; /* by enum rlu_structure */
    struct bench_choice stamps;     /* by rlu_stamp_words */
    struct bench_choice baselines;  /* by rlu_baseline_words */
    uint64_t buckets;               /* of a hash */
    uint64_t length;                /* of a list, of each of a hash's; 0: the structure's own default */
    uint64_t range;                 /* keys; 0: twice the elements */
    int updates[RLU_UPDATES];       /* percent, ascending */
    int update_count;
    unsigned defers[RLU_DEFERS]; /* as struct rlu_bench has them; the first is what others are compared with */
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

/** What --algorithm, --stamp and --baseline choose among, ending with NULL. */
extern const char *const rlu_algorithm_words[], *const rlu_stamp_words[], *const rlu_baseline_words[];

/** What is measured when nothing is said. */
void rlu_options_default(struct rlu_options *options);

/** Takes the defaults and then the command line; a wrong one ends the program with one line and EXIT_USAGE. */
void rlu_options_parse(struct rlu_options *options, int argc, char **argv);

/** Elements that a structure begins with, and its range of keys. */
uint64_t rlu_elements(const struct rlu_options *options, enum rlu_structure structure);
uint64_t rlu_range(const struct rlu_options *options, enum rlu_structure structure);

/** Whether the options choose this engine. */
bool rlu_chosen(const struct rlu_options *options, const struct rlu_engine *engine);

#endif
