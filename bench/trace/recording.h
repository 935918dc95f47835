/* What an event costs the thread that records it. */
#ifndef BENCH_TRACE_RECORDING_H
#define BENCH_TRACE_RECORDING_H

#include "harness.h"

enum { RECORDING_VARIANTS = 3 };

/** Begins and ends of regions into a ring of 65536 events, as libordo-trace puts them there, and the two readings of the
 * clock alone; an operation is an event. That a ring holds all that was put into it is audited. */
void recording_variants(struct bench_variant variants[RECORDING_VARIANTS]);

#endif
