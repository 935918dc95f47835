/* Finds the least shifts that meet all constraints of marks, or a loop of constraints that proves that there are none. */
#ifndef ORDO_TRACE_CORRECT_SHIFTS_H
#define ORDO_TRACE_CORRECT_SHIFTS_H

#include "trace/correct/marks.h"

enum ordo_shifts_found { ORDO_SHIFTS_LEAST, ORDO_SHIFTS_LOOP, ORDO_SHIFTS_GAVE_UP, ORDO_SHIFTS_NO_MEMORY };

struct ordo_shifts {
    uint32_t at, other;       /* ORDO_SHIFTS_LOOP: two marks of it, of two ranks if there are two */
    bool happens_before;      /* and each event of it happens before the next: no stretch removes it */
    double stretch;           /* and otherwise no stretch below this one does */
    double allowed;           /* the stretch that its ranks have, on the average of the loop: less than that */
    uint64_t sweeps, changed; /* how often all marks were visited, and how many shifts the last time changed */
};

/** Sets the shifts of all marks. `order` has room for as many as there are. Gives up after 64 sweeps of all marks and
 * `visits_most` visits more. */
enum ordo_shifts_found ordo_shifts_find(struct ordo_marks *marks, uint32_t *order, uint64_t visits_most,
                                        struct ordo_shifts *shifts);

#endif
