/* The options of `ordo-bench stm`. */
#ifndef BENCH_STM_ARGUMENTS_H
#define BENCH_STM_ARGUMENTS_H

#include "choice.h"
#include "options.h"
#include "stm/engine.h"

#define STM_PERCENTAGES 16 /* most update percentages in one run */

struct stm_options {
    struct bench_options common;
    struct bench_choice structures; /* indices: enum stm_structure */
    struct bench_choice stamps;     /* indices into stm_stamp_words */
    struct bench_choice baselines;  /* indices into stm_baseline_words */
    uint64_t buckets;               /* number of buckets of a hash */
    uint64_t length;                /* elements of a list, or of each bucket's list; 0: the default of the structure */
    uint64_t range;                 /* number of keys; 0: twice the number of elements */
    int updates[STM_PERCENTAGES];   /* percentages, ascending */
    int update_count;
    uint64_t stripes;               /* stripes of our transactional memory; 0: its default */
    struct bench_choice long_reads; /* indices into stm_long_words; not given: no long reads */
    struct bench_choice searches;   /* indices into stm_search_words; not given: transactions */
    bool sweep;
};

/** The stamps of our transactional memory, in the order of stm_stamp_words. */
enum stm_stamp {
    STM_STAMP_ORDO,
    STM_STAMP_LOGICAL,
    STM_STAMP_GV4,
    STM_STAMP_GV5,
    STM_STAMP_DCTL,
    STM_STAMP_TSC,
    STM_STAMP_CLOCK,
    STM_STAMP_ANY
};

/** The words that --stamp and --baseline choose among: the stamps and the algorithms of the engines, each list ending
 * with NULL. */
extern const char *const stm_stamp_words[], *const stm_baseline_words[];

/** Sets the defaults and parses the command line. A wrong command line ends the program with a message and
 * EXIT_USAGE. */
void stm_options_parse(struct stm_options *options, int argc, char **argv);

/** Returns the number of elements at the beginning of a trial. */
uint64_t stm_elements(const struct stm_options *options, enum stm_structure structure);
uint64_t stm_range(const struct stm_options *options, enum stm_structure structure);

/** True if the options choose this engine. */
bool stm_chosen(const struct stm_options *options, const struct stm_engine *engine);

#endif
