/* The page of ClockBound's daemon, in layout 2 (releases 2 and 3) and layout 3 (release 3).
 *
 * Its project documents the layouts in docs/PROTOCOL.md. Numbers have the byte order of the machine:
 *
 *      0   4  0x414d5a4e        4   4  0x43420200
 *      8   4  length of the page
 *     12   1  layout, or the lowest layout that a reader must know     13   1  highest layout
 *     14   2  counter
 *
 *     layout 2                              layout 3
 *     16  16  as of, a timespec             16   8  counter of the processor at "as of"
 *     32  16  void after, a timespec        24  16  as of, a timespec
 *     48   8  bound, ns                     40  16  void after, a timespec
 *     56   8  disruption marker             56   8  period of the processor's counter, s (double)
 *     64   4  largest drift, ppb            64   8  error of the period, s (double)
 *     68   4  status                        72   8  bound, ns
 *     72   1  disruptions are noticed       80   8  disruption marker
 *     73   7  unused                        88   4  largest drift, ppb
 *                                           92   4  status
 *                                           96   1  disruptions are noticed
 *                                           97   7  unused
 *
 * "As of" and "void after" are times of CLOCK_MONOTONIC_COARSE. The bound is that of CLOCK_REALTIME at "as of", and grows
 * by the drift. In layout 3, "as of" may also be a time since 1970, which then belongs to the processor's counter: a
 * monotonic clock would reach 10^9 s only after 31 years. */
#ifndef ORDO_NET_PAGE_CLOCKBOUND_H
#define ORDO_NET_PAGE_CLOCKBOUND_H

#include <stdbool.h>

#include "base/interval.h"
#include "net/page/page.h"

enum { ORDO_NET_CLOCKBOUND_BYTES = 80, ORDO_NET_CLOCKBOUND3_BYTES = 104 };

enum ordo_net_clockbound_status {
    ORDO_NET_CLOCKBOUND_UNKNOWN,
    ORDO_NET_CLOCKBOUND_SYNCHRONIZED,
    ORDO_NET_CLOCKBOUND_FREE_RUNNING,
    ORDO_NET_CLOCKBOUND_DISRUPTED
};

struct ordo_net_clockbound {
    int layout;
    int64_t as_of_ns, void_after_ns, bound_ns;
    uint64_t marker, as_of_ticks;
    double period_s, period_error_s; /* layout 3 */
    int64_t drift_ppb;
    enum ordo_net_clockbound_status status;
    bool notices; /* true: the daemon notices disruptions */
};

extern const struct ordo_net_page_form ordo_net_clockbound_form, ordo_net_clockbound3_form;

/** Reads the fields of a whole page of `layout`. `path` is for messages.
 * ORDO_E_MALFORMED: it is no such page, or a field is out of range
 * ORDO_E_LAYOUT: it has another layout */
int ordo_net_clockbound_parse(const unsigned char *bytes, int layout, const char *path,
                              struct ordo_net_clockbound *page, struct ordo_error *error);

/** True if times of the page are times since 1970, so that they belong to the processor's counter. */
bool ordo_net_clockbound_counts(const struct ordo_net_clockbound *page);

/** Computes the largest error of the page's clock at `now_ns`, a reading of the clock of "as of".
 * ORDO_E_EXPIRED: the page says nothing about this time
 * ORDO_E_DISRUPTED: the page says that the clock was disrupted
 * ORDO_E_MEASURE: the daemon says that it does not know */
int ordo_net_clockbound_bound(const struct ordo_net_clockbound *page, int64_t now_ns, const char *path,
                              int64_t *bound_ns, struct ordo_error *error);

/** Computes the time since 1970 at a reading of the processor's counter, as an interval. False if the reading is before
 * "as of", or too far from it. */
bool ordo_net_clockbound_at(const struct ordo_net_clockbound *page, uint64_t ticks, struct ordo_interval *utc_ns);

#endif
