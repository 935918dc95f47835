/* The options of every command that measures. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/options.h"

#define BENCH_THREAD_COUNTS 64

struct bench_options {
    int threads[BENCH_THREAD_COUNTS]; /* ascending, without duplicates */
    int thread_counts;                /* 0: use 1, 2, 4 ... and the number of CPUs */
    double seconds;                   /* duration of a trial */
    int runs;                         /* number of rounds, without the warm-up */
    const char *cpus;                 /* a list such as "0-3,8"; NULL: all allowed CPUs */
    const char *record;               /* path; NULL: ordo_open() searches */
    int scope;                        /* enum ordo_scope; 0: all CPUs of the record */
    bool boundary_given;
    uint64_t boundary_ticks;
    bool kernel_clock; /* the stamp any reads the kernel's clock, even if the counter is usable */
    bool json;
    bool oversubscribe; /* set by a command's own option: threads may share CPUs */
};

#define BENCH_OPTIONS_DEFAULT                                                                                          \
    {                                                                                                                  \
        .seconds = 0.05, .runs = 15                                                                                    \
    }

/** The options --threads --seconds --runs --cpus --record --scope --boundary --kernel-clock --json, as a child of a
 * command's own argp. The input is a struct bench_options. A wrong value ends the program with a message and
 * EXIT_USAGE. */
extern const struct argp bench_options_argp;

#endif
