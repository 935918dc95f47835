/* Counts readings into the shared file. Async-signal-safe. */
#ifndef ORDO_PRELOAD_COUNT_H
#define ORDO_PRELOAD_COUNT_H

#include <stdbool.h>

#include "preload/tally.h"

/* The mapped file; NULL: readings are not counted. */
extern struct preload_tally *preload_tally;

/** Maps the file. Returns false if it is not a file with the right size and content. */
bool preload_count_open(const char *path);

/** Counts one reading. */
void preload_count(enum preload_function function, int which);

#endif
