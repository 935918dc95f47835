/* The options that every command has that measures. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/options.h"

#define BENCH_THREAD_COUNTS 64

struct bench_options {
    int threads[BENCH_THREAD_COUNTS]; /* ascending, each once */
    int thread_counts;                /* 0: 1, 2, 4 ... and all CPUs */
    double seconds;                   /* that a trial lasts */
    int runs;                         /* rounds that count */
    const char *cpus;                 /* a list such as "0-3,8"; NULL: all that may be used */
    const char *record;               /* NULL: where ordo_open looks */
    int scope;                        /* enum ordo_scope; 0: all CPUs of the record */
    bool boundary_given;
    uint64_t boundary_ticks;
    bool kernel_clock; /* the stamp any reads the kernel's clock, even if the counter is usable */
    bool json;
    bool oversubscribe; /* a command's own option: threads may share CPUs */
};

#define BENCH_OPTIONS_DEFAULT                                                                                          \
    {                                                                                                                  \
        .seconds = 0.05, .runs = 15                                                                                    \
    }

/** --threads --seconds --runs --cpus --record --scope --boundary --kernel-clock --json, as a child of a command's own argp; its input is a
 * struct bench_options. A value that is wrong ends the program with one line and EXIT_USAGE. */
extern const struct argp bench_options_argp;

#endif
