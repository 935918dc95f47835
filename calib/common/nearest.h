/* The known word that an unknown one may have been meant for. */
#ifndef ORDO_COMMON_NEAREST_H
#define ORDO_COMMON_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *word;
    size_t length;
    const char *found; /* NULL: nothing is near */
    int distance;      /* of what was found, or what nothing may exceed */
};

/** To begin with. The word ends at its end or at a '='. */
struct nearest nearest_to(const char *word);

/** Takes the candidate, if it is nearer than any before: one it abbreviates, or one from which at most two letters
 * (one, of a word of less than five) were changed, left out, added or swapped with the next. */
void nearest_try(struct nearest *nearest, const char *candidate);

#endif
