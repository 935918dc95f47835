#include "base/octaves.h"

#include <math.h>

/* Takes a sample of a span. `number` is the number of earlier samples of this span since the last break. */
static void add_to_octave(struct ordo_octave *octave, uint64_t number, double lead_ns)
{
    if (number >= 2) {
        double bend = lead_ns - 2 * octave->earlier_ns[0] + octave->earlier_ns[1];
        octave->sum += bend * bend;
        octave->terms++;
    }
    octave->earlier_ns[1] = octave->earlier_ns[0];
    octave->earlier_ns[0] = lead_ns;
}

void ordo_octaves_add(struct ordo_octaves *octaves, double lead_ns)
{
    uint64_t number = octaves->taken++;
    for (int k = 0; k < ORDO_OCTAVES; k++) {
        add_to_octave(&octaves->octave[k], number, lead_ns);
        if (number % 2 != 0) /* a sample that the next longer span does not use */
            return;
        number /= 2;
    }
}

void ordo_octaves_break(struct ordo_octaves *octaves)
{
    octaves->taken = 0;
}

double ordo_octaves_deviation(const struct ordo_octaves *octaves, int octave, double apart_ns)
{
    const struct ordo_octave *at = &octaves->octave[octave];
    if (at->terms == 0)
        return NAN;
    return sqrt(at->sum / (2 * (double)at->terms)) / (ldexp(1, octave) * apart_ns);
}
