/* Agreement of references: an interval that contains the time although some references lie.
 *
 * Each of m references states an interval of one value, the reference time minus the local clock at one instant. At most
 * K of them are false. (After K. Marzullo, Maintaining the Time in a Distributed System, 1984; the proof is below.)
 *   [A1] At least m - K intervals are true, and each true interval contains the value. So at least m - K intervals
 *        contain the value: it is in the set S of the points that at least m - K intervals contain.
 *   [A2] The result is the hull of S. S is bounded if m > K, because then each point of S is in an interval.
 *   [A3] If S is empty, more than K references are false.
 *   [A4] A reference whose interval contains no point of S is false, because the value is in S [A1].
 * The lower end of S is the lower end of an interval, because the number of intervals that contain a point grows only
 * there. Likewise the upper end. */
#ifndef ORDO_NET_TIMED_AGREE_H
#define ORDO_NET_TIMED_AGREE_H

#include <stdbool.h>

#include "base/interval.h"

enum ordo_timed_agreement {
    ORDO_TIMED_AGREED,
    ORDO_TIMED_TOO_FEW,       /* at most K references are known [A2] */
    ORDO_TIMED_CONTRADICTION, /* [A3] */
};

/** Computes the hull of S from `count` intervals, and sets `accused` for each interval without a point of S [A4].
 * `accused` and `hull` are filled only if they agreed. */
enum ordo_timed_agreement ordo_timed_agree(const struct ordo_interval *stated, int count, int liars,
                                           struct ordo_interval *hull, bool *accused);

#endif
