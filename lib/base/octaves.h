/* The stability of a clock over the spans 1, 2, 4, ... samples, in constant memory, while the samples arrive.
 *
 * W. J. Riley, Handbook of Frequency Stability Analysis, NIST Special Publication 1065 (2008), section 5.2.2: the Allan
 * deviation without overlap. For the span of 2^k samples only each 2^k-th sample is used, so two earlier samples of each
 * span suffice. The overlapping deviation of base/allan.h is the better estimate of the same quantity, and needs all
 * samples in memory. */
#ifndef ORDO_BASE_OCTAVES_H
#define ORDO_BASE_OCTAVES_H

#include <stdint.h>

enum { ORDO_OCTAVES = 32 };

struct ordo_octaves {
    uint64_t taken; /* samples since the begin, or since the last break */
    struct ordo_octave {
        double earlier_ns[2]; /* the last sample of this span, and the one before it */
        double sum;           /* of the squares of the second differences */
        uint64_t terms;
    } octave[ORDO_OCTAVES];
};

/** Adds the lead of a clock, in ns. Samples are equally spaced. */
void ordo_octaves_add(struct ordo_octaves *octaves, double lead_ns);

/** Forgets the last samples: no difference will span this moment, which may be a gap or a step. */
void ordo_octaves_break(struct ordo_octaves *octaves);

/** Returns the Allan deviation over 2^octave samples that are `apart_ns` apart, as a fraction (1e-9 is 1 ppb). NAN if
 * no difference spans so many samples. */
double ordo_octaves_deviation(const struct ordo_octaves *octaves, int octave, double apart_ns);

#endif
