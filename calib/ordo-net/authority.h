/* The hosts whose clocks or claims are promised to be right, from the option --authority. */
#ifndef ORDO_NET_AUTHORITY_H
#define ORDO_NET_AUTHORITY_H

#include "base/error.h"
#include "ordo-net/peers.h"

enum { AUTHORITY_NONE = -1, AUTHORITY_CLAIMS = 0 };

/** Parses a list of HOST and HOST=BOUND, separated by commas. HOST: all claims of the host are true. HOST=BOUND: the
 * host's CLOCK_REALTIME differs from UTC by at most BOUND, such as 100us. `bound_ns` gets, for each host of `peers`,
 * AUTHORITY_NONE, AUTHORITY_CLAIMS or the bound. NULL as the list names no host.
 * ORDO_E_INVALID: a host is none of the peers or occurs twice, or a bound is no time from 1ns to 1000s */
int authority_parse(const char *list, const struct peers *peers, int64_t *bound_ns, struct ordo_error *error);

#endif
