/* The options of `ordo-bench oplog`. */
#ifndef BENCH_OPLOG_ARGUMENTS_H
#define BENCH_OPLOG_ARGUMENTS_H

#include "choice.h"
#include "oplog/engine.h"
#include "options.h"

#define OPLOG_SHARES 16 /* read shares in one run */

struct oplog_options {
    struct bench_options common;
    struct bench_choice structures; /* by enum oplog_structure */
    struct bench_choice stamps;     /* by oplog_stamp_words */
    struct bench_choice baselines;  /* by oplog_baseline_words */
    int shares[OPLOG_SHARES];       /* of reads, per thousand, ascending */
    int share_count;
    enum oplog_order order;
    struct oplog_sizes sizes;
    uint64_t log_entries;
    bool settle_later;
};

/** What --stamp and --baseline choose among: the engines' stamps and algorithms, ending with NULL. The first stamp is
 * the one that needs a boundary. */
extern const char *const oplog_stamp_words[], *const oplog_baseline_words[];

/** Takes the defaults and then the command line; a wrong one ends the program with one line and EXIT_USAGE. */
void oplog_options_parse(struct oplog_options *options, int argc, char **argv);

/** Whether the options choose this engine. */
bool oplog_chosen(const struct oplog_options *options, const struct oplog_engine *engine);

#endif
