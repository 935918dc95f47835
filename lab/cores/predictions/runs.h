/* Runs of ordo-bench-cores, whose results a prediction is computed from. */
#ifndef ORDO_LAB_CORES_RUNS_H
#define ORDO_LAB_CORES_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "json/reader.h"

enum { CORES_CALL_MOST = 60, CORES_CALL_TEXT = 4096 };

/* The command line of a run. */
struct cores_call {
    const char *arguments[CORES_CALL_MOST + 1]; /* ends with NULL; the first is the program's path */
    int count;
    char text[CORES_CALL_TEXT]; /* the arguments */
    size_t used;
    bool full; /* an argument was left out, and the run will fail */
};

/** Begins an empty command line. */
void cores_call_begin(struct cores_call *call);

/** Adds words that single spaces separate. */
void cores_call_words(struct cores_call *call, const char *words);

/** Adds an option and its value; nothing if the value is NULL. */
void cores_call_option(struct cores_call *call, const char *option, const char *value);
void cores_call_number(struct cores_call *call, const char *option, int64_t value);

/** From now on, runs keep their results in `folder`, and the result of an equal run of the same program is read there.
 * NULL, the default: no result is kept. */
void cores_runs_keep(const char *folder);

/** Runs ordo-bench-cores. The caller frees `*document` with ordo_json_free. Returns
 *
 * - ORDO_OK;
 * - ORDO_E_MEASURE: the program is missing, failed, or took 10 minutes;
 * - ORDO_E_SYSTEM: out of memory, or the result cannot be kept. */
int cores_call_run(struct cores_call *call, struct ordo_json_value **document, struct ordo_error *error);

#endif
