/* Reads the claim of a program of this host about UTC, and states it for the clock C that the agent measures with.
 *
 * A source states an interval of UTC at a reading of CLOCK_REALTIME, CLOCK_MONOTONIC_RAW or the counter:
 *   [C1] Let X be the clock of the claim, and let C be read before and after X. Then X - C is between X minus the later
 *        and X minus the earlier reading, so UTC - C = (UTC - X) + (X - C) is in the sum of both intervals.
 *   [C2] This needs X - C to be the same at the reading of the claim. It is read before and after the source is read. If
 *        the two intervals are apart, a clock was set in between, and the source is read again. CLOCK_MONOTONIC_RAW has
 *        another rate than C, so its difference is between that before and that after.
 *   [C3] A claim about the counter is about an instant between two readings of C around the call of the source. The
 *        narrowest of several calls is taken. */
#ifndef ORDO_NET_LIVE_TAKE_H
#define ORDO_NET_LIVE_TAKE_H

#include "net/source/source.h"
#include "net/udp/socket.h"
#include "net/wire/claim.h"

/** A source, and its place. */
struct ordo_net_claimed_source {
    const struct ordo_source *source;
    const char *path;    /* NULL: the source's own default */
    int64_t patience_ns; /* 0: the source's own */
};

/** Reads the source. If it makes no claim that can be compared, `claim->code` and `claim->text` say why. */
void ordo_net_take_claim(const struct ordo_net_claimed_source *source, enum ordo_net_clock clock,
                         struct ordo_net_claim *claim);

#endif
