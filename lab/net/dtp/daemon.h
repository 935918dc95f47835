/* The daemon of DTP: a program's clock, which follows the counter of the device by the counter of the processor (TSC).
 *
 * To read the counter of the device takes a program hundreds of ns and a time that varies. The daemon therefore reads
 * it now and then, and takes the counter's value as that of the middle between the TSC before and after the reading. Of
 * these pairs it keeps the last `window`. A program's time is the mean of these pairs, advanced by the TSC. The ticks
 * of DTP for each tick of the TSC follow from the mean of the first pairs and the mean of the last ones.
 *
 * A reading is wrong by half the difference of its two ways. The mean of `window` pairs reduces this error by the root
 * of `window`.
 *
 *  S1 Messages carry the lower 53 bits. The daemon completes them from its own time; the upper 53 bits come once by an
 *     MSB message. Between two readings less than 2^52 ticks must pass.
 *  S2 If the counter is more than `jump` ticks from the expected value, the device has joined another network: the
 *     daemon forgets all pairs and begins again. */
#ifndef ORDO_LAB_NET_DTP_DAEMON_H
#define ORDO_LAB_NET_DTP_DAEMON_H

#include "lab/net/dtp/wire.h"

enum { ORDO_NET_DTP_WINDOW = 64 };

struct ordo_net_dtp_pair {
    double tsc, ticks; /* since the first reading */
};

struct ordo_net_dtp_daemon {
    int window;     /* pairs in the mean; 1 to ORDO_NET_DTP_WINDOW; 1: no smoothing */
    double jump;    /* S2; in ticks */
    bool has_upper; /* an MSB message has come */
    bool begun;     /* the counter was read */
    int64_t pairs;  /* number of readings since the daemon began (again) */
    struct ordo_net_dtp_time first;
    uint64_t first_tsc;
    struct ordo_net_dtp_pair begin;                     /* sum of the first `window` pairs */
    struct ordo_net_dtp_pair pair[ORDO_NET_DTP_WINDOW]; /* the last ones, in a ring */
};

/** Takes a message that was read from the device while the TSC went from `before` to `after`. Returns false if the bits
 * are no BEACON and no MSB message. */
bool ordo_net_dtp_daemon_take(struct ordo_net_dtp_daemon *daemon, uint64_t before, uint64_t bits, uint64_t after);

/** Returns DTP's time at a moment of the TSC: `*time` and a fraction of a tick in [0, 1). Returns false while fewer than
 * `window` + 1 readings have been made. */
bool ordo_net_dtp_daemon_at(const struct ordo_net_dtp_daemon *daemon, uint64_t tsc, struct ordo_net_dtp_time *time,
                            double *fraction);

#endif
