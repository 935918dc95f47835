/* The options of `ordo-bench oplog`. */
#ifndef BENCH_OPLOG_ARGUMENTS_H
#define BENCH_OPLOG_ARGUMENTS_H

#include "choice.h"
#include "oplog/engine.h"
#include "options.h"

#define OPLOG_SHARES 16 /* most read shares in one run */

struct oplog_options {
    struct bench_options common;
    struct bench_choice structures; /* indices: enum oplog_structure */
    struct bench_choice stamps;     /* indices into oplog_stamp_words */
    struct bench_choice baselines;  /* indices into oplog_baseline_words */
    int shares[OPLOG_SHARES];       /* shares of reads, per thousand, ascending */
    int share_count;
    enum oplog_order order;
    struct oplog_sizes sizes;
    uint64_t log_entries;
    bool settle_later;
};

/** The words that --stamp and --baseline choose among: the stamps and the algorithms of the engines, each list ending
 * with NULL. The first stamp is the only stamp that needs a boundary. */
extern const char *const oplog_stamp_words[], *const oplog_baseline_words[];

/** Sets the defaults and parses the command line. A wrong command line ends the program with a message and
 * EXIT_USAGE. */
void oplog_options_parse(struct oplog_options *options, int argc, char **argv);

/** True if the options choose this engine. */
bool oplog_chosen(const struct oplog_options *options, const struct oplog_engine *engine);

#endif
