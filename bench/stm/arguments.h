/* The options of `ordo-bench stm`. */
#ifndef BENCH_STM_ARGUMENTS_H
#define BENCH_STM_ARGUMENTS_H

#include "options.h"
#include "stm/engine.h"

#define STM_PERCENTAGES 16 /* update percentages in one run */
#define STM_WORDS 16       /* words an option may choose among */
#define STM_SWEEP_LEAST 8  /* ticks: an eighth of it is still a boundary */

/** Which of an option's words were given. */
struct stm_choice {
    bool given; /* else the default */
    bool chosen[STM_WORDS];
};

struct stm_options {
    struct bench_options common;
    struct stm_choice structures; /* by enum stm_structure */
    struct stm_choice stamps;     /* by stm_stamp_words */
    struct stm_choice baselines;  /* by stm_baseline_words */
    uint64_t buckets;             /* of a hash */
    uint64_t length;              /* of a list, of each of a hash's; 0: the structure's own default */
    uint64_t range;               /* keys; 0: twice the elements */
    int updates[STM_PERCENTAGES]; /* percent, ascending */
    int update_count;
    uint64_t stripes; /* of our transactional memory; 0: its default */
    bool sweep;
};

/** The stamps of our transactional memory, in the order of stm_stamp_words. */
enum stm_stamp { STM_STAMP_ORDO, STM_STAMP_LOGICAL, STM_STAMP_GV4, STM_STAMP_GV5, STM_STAMP_TSC, STM_STAMP_CLOCK };

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
