#include "base/sketch.h"

#include <math.h>

void ordo_sketch_add(struct ordo_sketch *sketch, double magnitude)
{
    int exponent;
    double share = frexp(magnitude, &exponent); /* from 0.5 to below 1 */
    int octave = exponent - 1 - ORDO_SKETCH_LOWEST;
    sketch->count++;
    if (magnitude == 0 || octave < 0)
        sketch->zeros++;
    else if (isinf(magnitude) || octave >= ORDO_SKETCH_OCTAVES)
        sketch->cells[ORDO_SKETCH_OCTAVES - 1][ORDO_SKETCH_FINE - 1]++;
    else
        sketch->cells[octave][(int)((share - 0.5) * 2 * ORDO_SKETCH_FINE)]++;
}

double ordo_sketch_least(int octave)
{
    return ldexp(1, octave + ORDO_SKETCH_LOWEST);
}

double ordo_sketch_percentile(const struct ordo_sketch *sketch, double percent)
{
    if (sketch->count == 0)
        return NAN;
    double exact = ceil(percent / 100 * (double)sketch->count * (1 - 1e-15));
    uint64_t rank = exact < 1 ? 1 : (uint64_t)exact, passed = sketch->zeros;
    if (passed >= rank)
        return 0;
    for (int octave = 0; octave < ORDO_SKETCH_OCTAVES; octave++)
        for (int cell = 0; cell < ORDO_SKETCH_FINE; cell++) {
            passed += sketch->cells[octave][cell];
            if (passed >= rank)
                return ordo_sketch_least(octave) * (1 + (double)cell / ORDO_SKETCH_FINE);
        }
    return ordo_sketch_least(ORDO_SKETCH_OCTAVES); /* the rank is rounded above the count */
}

uint64_t ordo_sketch_octave(const struct ordo_sketch *sketch, int octave)
{
    uint64_t sum = 0;
    for (int cell = 0; cell < ORDO_SKETCH_FINE; cell++)
        sum += sketch->cells[octave][cell];
    return sum;
}
