/* The options of `ordo-bench stm`. */
#ifndef BENCH_STM_ARGUMENTS_H
#define BENCH_STM_ARGUMENTS_H

#include "choice.h"
#include "options.h"
#include "stm/engine.h"

#define STM_PERCENTAGES 16 /* update percentages in one run */

struct stm_options {
    struct bench_options common;
    struct bench_choice structures; /* by enum stm_structure */
    struct bench_choice stamps;     /* by stm_stamp_words */
    struct bench_choice baselines;  /* by stm_baseline_words */
    uint64_t buckets;               /* of a hash */
    uint64_t length;                /* of a list, of each of a hash's; 0: the structure's own default */
    uint64_t range;                 /* keys; 0: twice the elements */
    int updates[STM_PERCENTAGES];   /* percent, ascending */
    int update_count;
    uint64_t stripes; /* of our transactional memory; 0: its default */
    bool sweep;
};

/** The stamps of our transactional memory, in the order of stm_stamp_words. */
enum stm_stamp {
    STM_STAMP_ORDO,
    STM_STAMP_LOGICAL,
    STM_STAMP_GV4,
    STM_STAMP_GV5,
    STM_STAMP_TSC,
    STM_STAMP_CLOCK,
    STM_STAMP_ANY
};

/** What --stamp and --baseline choose among: the engines' stamps and algorithms, ending with NULL. */
extern const char *const stm_stamp_words[], *const stm_baseline_words[];

/** Takes the defaults and then the command line; a wrong one ends the program with one line and EXIT_USAGE. */
void stm_options_parse(struct stm_options *options, int argc, char **argv);

/** Elements that a structure begins with, and its range of keys. */
uint64_t stm_elements(const struct stm_options *options, enum stm_structure structure);
uint64_t stm_range(const struct stm_options *options, enum stm_structure structure);

/** Whether the options choose this engine. */
bool stm_chosen(const struct stm_options *options, const struct stm_engine *engine);

#endif
