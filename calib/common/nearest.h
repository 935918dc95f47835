/* Finds the known word that a mistyped one was probably meant for. */
#ifndef ORDO_COMMON_NEAREST_H
#define ORDO_COMMON_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *word;
    size_t length;
    const char *found; /* NULL: no word is near */
    int distance;      /* of `found`; without one, the largest acceptable distance plus one */
};

/** Begins a search. The word ends at its end or at a '='. */
struct nearest nearest_to(const char *word);

/** Takes the candidate if it is nearer than any before: one that the word abbreviates, or one from which at most two
 * letters (one if the word has fewer than five) were changed, left out, added or swapped with the next. */
void nearest_try(struct nearest *nearest, const char *candidate);

#endif
