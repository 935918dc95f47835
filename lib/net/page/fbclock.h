/* The page of fbclock's daemon, in layout 2 (/run/fbclock_data_v2).
 *
 * Its project defines the layout in fbclock.h. Numbers have the byte order of the machine:
 *
 *      0   8  counter; 0: never written
 *      8   8  time of the network card when the last message of the grandmaster came, TAI, ns
 *     16   4  error bound, ns; 2^32 - 1: too large
 *     20   4  growth of the error, ns per second, times 2^16; 2^32 - 1: too large
 *     24   8  begin of the smearing of the last leap second, TAI, s
 *     32   2  TAI - UTC before that leap second, s      34   2  TAI - UTC after it, s
 *     36   4  the system's clock of the pair that follows: CLOCK_REALTIME or CLOCK_MONOTONIC_RAW
 *     40   8  time of the network card, TAI, ns         48   8  time of the system's clock at the same moment, ns
 *     56   8  rate of the card relative to the system's clock, minus 1, ppb
 *
 * A newer page has a second part of the same form, 64 bytes behind the first. Only the first part is read. */
#ifndef ORDO_NET_PAGE_FBCLOCK_H
#define ORDO_NET_PAGE_FBCLOCK_H

#include <stdbool.h>

#include "base/interval.h"
#include "net/page/page.h"

enum { ORDO_NET_FBCLOCK_BYTES = 64 };

struct ordo_net_fbclock {
    int64_t ingress_ns, error_ns, card_ns, system_ns, rate_ppb;
    double growth_ns; /* per second */
    int64_t smear_s;
    int tai_before_s, tai_after_s, system_clock;
};

extern const struct ordo_net_page_form ordo_net_fbclock_form;

/** Reads the fields of a whole page. ORDO_E_MALFORMED: a field is out of range. ORDO_E_MEASURE: the daemon says that it
 * knows no bound. */
int ordo_net_fbclock_parse(const unsigned char *bytes, const char *path, struct ordo_net_fbclock *page,
                           struct ordo_error *error);

/** Computes UTC at a reading of the page's system clock, as an interval.
 * ORDO_E_EXPIRED: the reading is more than 1 s from the page's pair, which is the largest distance that fbclock's own
 * reader accepts
 * ORDO_E_MEASURE: a leap second is being smeared, so that the page's time is not UTC */
int ordo_net_fbclock_at(const struct ordo_net_fbclock *page, int64_t system_ns, const char *path,
                        struct ordo_interval *utc_ns, struct ordo_error *error);

#endif
