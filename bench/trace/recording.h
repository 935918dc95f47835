/* The benchmark of recording an event: its cost for the recording thread. */
#ifndef BENCH_TRACE_RECORDING_H
#define BENCH_TRACE_RECORDING_H

#include "harness.h"

enum { RECORDING_VARIANTS = 3 };

/** Fills the variants: the begins and ends of regions, recorded in a ring of 65536 events as libordo-trace does it;
 * and the two kinds of clock readings alone. An operation is one event. The audit checks that every event was put into
 * the ring. */
void recording_variants(struct bench_variant variants[RECORDING_VARIANTS]);

#endif
