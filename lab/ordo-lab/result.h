/* The result of `ordo-lab simulate`, as a table, JSON, CSV and a picture. */
#ifndef ORDO_LAB_RESULT_H
#define ORDO_LAB_RESULT_H

#include <stdbool.h>
#include <stdio.h>

#include "lab/net/protocol/protocol.h"
#include "json/builder.h"

enum { RESULT_MOST = 16, RESULT_NAME = 200 };

struct result {
    struct ordo_net_options network;
    struct protocol_result {
        char name[RESULT_NAME]; /* as the user typed it */
        struct ordo_net_choice choice;
        struct ordo_net_outcome outcome;
        struct ordo_error error; /* why there is no outcome */
    } protocols[RESULT_MOST];
    int count;
};

void result_print_table(const struct result *result);
void result_print_csv(const struct result *result);

/** Prints the result as JSON. Returns 0, or -1 if out of memory or if stdout cannot be written. */
int result_print_json(const struct result *result);

/** Returns a new object with the sizes of the errors of a score, or NULL if out of memory. */
struct ordo_json result_errors_json(const struct ordo_net_score *score);

/** Draws the distributions of the errors by gnuplot, into a file that appears complete or not at all. */
int result_save_picture(const struct result *result, const char *path, struct ordo_error *error);

#endif
