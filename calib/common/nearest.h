/* Finds the known word that the user probably meant by a mistyped word. */
#ifndef ORDO_COMMON_NEAREST_H
#define ORDO_COMMON_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *word;
    size_t length;
    const char *found; /* NULL: no known word is near enough */
    int distance;      /* distance of `found`; if `found` is NULL, the largest acceptable distance + 1 */
};

/** Begins a search. The word ends at '=' or at the end of the string. */
struct nearest nearest_to(const char *word);

/** Notes the candidate if it is nearer than all earlier candidates, and is acceptable:
 * - the word is an abbreviation of it; or
 * - at most two letters (one if the word has fewer than five) were changed, omitted, added or swapped with the next. */
void nearest_try(struct nearest *nearest, const char *candidate);

#endif
