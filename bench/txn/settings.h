/* The options of `ordo-bench txn`, in addition to those of every command. */
#ifndef BENCH_TXN_SETTINGS_H
#define BENCH_TXN_SETTINGS_H

#include "engines.h"
#include "options.h"

struct txn_settings {
    struct bench_options bench;
    struct txn_options store;
    bool read_percent_given;
    struct txn_names engines, stamps, workloads; /* the given names; empty if the option was not given */
    const char *history;                         /* path of the history's file, or NULL */
    double long_reader_s, memory_every_s;        /* 0: no long reader; no samples of the memory */
    bool model;
};

#define TXN_SETTINGS_DEFAULT                                                                                           \
    {                                                                                                                  \
        .bench = BENCH_OPTIONS_DEFAULT, .store = {.rows = 262144, .record_bytes = 1024, .requests = 16, .theta = 0.6 } \
    }

extern const struct argp txn_settings_argp;

#endif
