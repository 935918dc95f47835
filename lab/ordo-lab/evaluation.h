/* The result of `ordo-lab evaluate`, as a table, CSV and JSON. */
#ifndef ORDO_LAB_EVALUATION_H
#define ORDO_LAB_EVALUATION_H

#include "lab/net/evaluate/daemon.h"
#include "lab/net/score/score.h"

struct evaluation {
    const struct ordo_net_daemon *daemon;
    int rate; /* exchanges per second */
    double seconds;
    double *errors_ns; /* as reported, in their order */
    size_t count, room;
    bool full; /* memory ran out */
    struct ordo_net_score score;
    struct ordo_net_histogram histogram;
};

/** Adds an error that the client reported. */
void evaluation_take(struct evaluation *evaluation, double error_ns);
/** Makes score and histogram of `count` > 0 errors, which lose their order. */
void evaluation_end(struct evaluation *evaluation);

void evaluation_print_table(const struct evaluation *evaluation);
void evaluation_print_csv(const struct evaluation *evaluation);

/** Prints the result as JSON. Returns 0, or -1 if out of memory or if stdout cannot be written. */
int evaluation_print_json(const struct evaluation *evaluation);

#endif
