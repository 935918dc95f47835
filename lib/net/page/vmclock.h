/* The page of VMClock, by which a hypervisor gives its guests the time (UAPI.13, /dev/vmclock0).
 *
 * Numbers are little-endian:
 *
 *      0   4  0x4b4c4356          4   4  length of the page
 *      8   2  version, 1         10   1  counter of the processor: 0 Arm, 1 TSC, 255 none
 *     11   1  kind of time: 0 UTC, 1 TAI, 2 monotonic
 *     12   4  counter of changes
 *     16   8  disruption marker  24   8  flags
 *     34   1  status             36   2  TAI - UTC, s     38  1  leap second    39  1  shift of the periods
 *     40   8  the processor's counter at the time below
 *     48   8  period of the counter, 2^-(64 + shift) s    56  8  its likely error     64  8  its largest error
 *     72   8  time, s            80   8  its fraction, 2^-64 s
 *     88   8  its likely error, ns                        96  8  its largest error, ns */
#ifndef ORDO_NET_PAGE_VMCLOCK_H
#define ORDO_NET_PAGE_VMCLOCK_H

#include <stdbool.h>

#include "base/interval.h"
#include "net/page/page.h"

enum { ORDO_NET_VMCLOCK_BYTES = 104 };

struct ordo_net_vmclock {
    int counter, kind, status, leap, shift;
    uint64_t marker, flags, ticks, period, period_error;
    int64_t tai_s, seconds, error_ns;
    uint64_t fraction;
};

extern const struct ordo_net_page_form ordo_net_vmclock_form;

/** Reads the fields of a whole page. ORDO_E_MALFORMED: it is no such page, or a field is out of range. ORDO_E_LAYOUT: it
 * has another version. */
int ordo_net_vmclock_parse(const unsigned char *bytes, const char *path, struct ordo_net_vmclock *page,
                           struct ordo_error *error);

/** Computes UTC at a reading of the processor's counter, as an interval. `counter` is the number of the counter that
 * this program reads: 0 Arm, 1 TSC.
 * ORDO_E_MEASURE: the page claims no interval, or not of UTC; the text says why
 * ORDO_E_CLOCK: it is about another counter */
int ordo_net_vmclock_at(const struct ordo_net_vmclock *page, uint64_t ticks, int counter, const char *path,
                        struct ordo_interval *utc_ns, struct ordo_error *error);

#endif
