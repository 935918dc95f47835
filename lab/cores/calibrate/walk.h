/* Rings of pointers through memory, which a thread follows: each load waits for the one before. */
#ifndef ORDO_LAB_CORES_CALIBRATE_WALK_H
#define ORDO_LAB_CORES_CALIBRATE_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "lab/cores/calibrate/measure.h"

enum { CORES_CALIBRATE_CHAINS_MOST = 32 };

struct cores_walk {
    char *memory, *map; /* [bytes], aligned; the mapping that holds it */
    size_t bytes, step; /* a pointer every `step` bytes */
};

/** Makes a ring of the pointers in random order, in large pages if the kernel gives them, or in small ones.
 * ORDO_E_SYSTEM: out of memory */
int cores_walk_open(struct cores_walk *walk, size_t bytes, size_t step, bool large, struct ordo_error *error);
void cores_walk_close(const struct cores_walk *walk);

/** Returns the place of pointer `index`. */
void **cores_walk_at(const struct cores_walk *walk, size_t index);

/** Returns the time of a load while `count` chains, at most CORES_CALIBRATE_CHAINS_MOST, are followed in turn. `whole`: the
 * ring is followed once before each round, because other programs may have evicted its lines. */
struct cores_calibrate_interval cores_walk_measure(const struct cores_walk *walk, int count, bool whole);

#endif
