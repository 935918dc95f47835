/* Details about a cell's transactions: as JSON, and as a table. */
#ifndef BENCH_TXN_DETAILS_H
#define BENCH_TXN_DETAILS_H

#include <stdio.h>

#include "report.h"
#include "trial.h"

/** Prints a table of all cells. */
void txn_details_print(FILE *stream, const struct bench_set *set);

/** Returns the details of one cell as an object "transactions". It is a bench_extras. */
struct ordo_json txn_details_json(const struct bench_set *set, const struct bench_cell *cell);

/** Adds the samples of the memory to the report. */
void txn_memory_report(struct bench_report *report, const struct txn_companion *companion);

#endif
