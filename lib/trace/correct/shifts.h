/* Finds the least shifts that meet all constraints of marks, or a loop of constraints that proves that no shifts do. */
#ifndef ORDO_TRACE_CORRECT_SHIFTS_H
#define ORDO_TRACE_CORRECT_SHIFTS_H

#include "trace/correct/marks.h"

enum ordo_shifts_found { ORDO_SHIFTS_LEAST, ORDO_SHIFTS_LOOP, ORDO_SHIFTS_GAVE_UP, ORDO_SHIFTS_NO_MEMORY };

struct ordo_shifts {
    uint32_t at, other;       /* ORDO_SHIFTS_LOOP: two marks of the loop, on different ranks if possible */
    bool happens_before;      /* each event of the loop happens before the next: no stretch removes the loop */
    double stretch;           /* if not `happens_before`: no stretch below this value removes the loop */
    double allowed;           /* the ranks' present stretch, averaged over the loop; less than `stretch` */
    uint64_t sweeps, changed; /* number of sweeps over all marks; number of shifts that the last sweep changed */
};

/** Sets the shifts of all marks. `order` has room for all marks. Gives up after 64 sweeps over all marks and
 * `visits_most` further visits of marks. */
enum ordo_shifts_found ordo_shifts_find(struct ordo_marks *marks, uint32_t *order, uint64_t visits_most,
                                        struct ordo_shifts *shifts);

#endif
