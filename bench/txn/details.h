/* What is known of a cell's transactions beside their number: for the JSON document, and as a table. */
#ifndef BENCH_TXN_DETAILS_H
#define BENCH_TXN_DETAILS_H

#include <stdio.h>

#include "report.h"
#include "trial.h"

/** A table of all cells. */
void txn_details_print(FILE *stream, const struct bench_set *set);

/** The same of one cell, as one object "transactions": a bench_extras. */
struct ordo_json txn_details_json(const struct bench_set *set, const struct bench_cell *cell);

/** Adds the memory over time to the report. */
void txn_memory_report(struct bench_report *report, const struct txn_companion *companion);

#endif
