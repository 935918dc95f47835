/* `ordo run --measure`: counts the readings of a program, and reports their cost. */
#ifndef ORDO_RUN_MEASURE_H
#define ORDO_RUN_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "cost.h"

/** What a program and its children have done. */
struct run_measured {
    uint64_t count[PRELOAD_FUNCTIONS][PRELOAD_COUNTED];
    uint64_t processes; /* programs that loaded the preload */
    double seconds, cpu_seconds;
    int status; /* exit status, or 128 plus a signal's number */
};

/** Runs the words as a program whose readings are counted. Returns 0; -1 with errno if the program could not be started, or
 * -2 if the file of the counts could not be made. */
int run_measure(const char *library, char **words, struct run_measured *measured);

/** Whether the counter would serve. */
struct run_verdict {
    const char *reason;                  /* why not; NULL: it would */
    enum preload_order order, effective; /* as asked, and as the record allows */
};

/** Prints the result as text. */
void run_print_measured(const struct run_measured *measured, const struct run_cost *cost,
                        const struct run_verdict *verdict);

/** Prints the result as JSON (schema ordo-run/1). Returns 0, or -1 if stdout failed. */
int run_print_measured_json(const struct run_measured *measured, const struct run_cost *cost,
                            const struct run_verdict *verdict);

/** Computed from both: seconds of CPU time. */
struct run_share {
    double kernel_s, counter_s; /* of all readings of served clocks */
    double kernel_part;         /* of all CPU time */
    double saved_part;          /* of all CPU time, if the counter served */
};

struct run_share run_share_of(const struct run_measured *measured, const struct run_cost *cost);

/** Returns the readings of a clock, by all functions. */
uint64_t run_readings_of(const struct run_measured *measured, int which);

/** Returns the name of a clock; of PRELOAD_OTHER, "other". */
const char *run_clock_name(int which);

#endif
