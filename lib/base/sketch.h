/* The distribution of any number of magnitudes in constant memory: a histogram whose cells grow with the magnitude.
 *
 * An octave has ORDO_SKETCH_FINE cells of equal width, so a value that is read from the histogram is at most the
 * recorded value, and less by at most one part in ORDO_SKETCH_FINE. Whole numbers up to 2 * ORDO_SKETCH_FINE are
 * exact. */
#ifndef ORDO_BASE_SKETCH_H
#define ORDO_BASE_SKETCH_H

#include <stdint.h>

enum {
    ORDO_SKETCH_FINE = 128,
    ORDO_SKETCH_LOWEST = -10, /* magnitudes below 2^-10 are counted as 0 */
    ORDO_SKETCH_OCTAVES = 78  /* magnitudes from 2^68 are counted in the last cell */
};

struct ordo_sketch {
    uint64_t count, zeros;
    uint64_t cells[ORDO_SKETCH_OCTAVES][ORDO_SKETCH_FINE];
};

/** Adds a magnitude, which must not be negative or NAN. */
void ordo_sketch_add(struct ordo_sketch *sketch, double magnitude);

/** Returns a percentile by nearest rank, as ordo_stats_percentile: the lower end of the cell of the value. `percent` is
 * from 0 to 100. NAN if the sketch is empty. */
double ordo_sketch_percentile(const struct ordo_sketch *sketch, double percent);

/** Returns the number of magnitudes of an octave, those from 2^(octave + ORDO_SKETCH_LOWEST) to below twice this. */
uint64_t ordo_sketch_octave(const struct ordo_sketch *sketch, int octave);

/** Returns the least magnitude of an octave. */
double ordo_sketch_least(int octave);

#endif
