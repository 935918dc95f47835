/* The clock of the host itself, if packets are stamped by the clock of its interface: the two are kept together as by
 * phc2sys(8).
 *
 * The host with the reference steers its interface's clock to its own clock. Every other host steers its own clock to
 * its interface's clock. */
#ifndef ORDO_LAB_NET_PTP_SYSTEM_H
#define ORDO_LAB_NET_PTP_SYSTEM_H

#include "lab/net/servo/pi.h"
#include "lab/net/sim/clock.h"

struct ordo_net_ptp_system {
    struct ordo_net_clock clock;
    struct ordo_net_steered steered;
    struct ordo_net_pi servo;
    int64_t now_ps; /* true time of the last alarm, at which the clock is read */
};

/** Makes the clock of a host. `options` must outlive it. ORDO_E_SYSTEM: out of memory. */
int ordo_net_ptp_system_make(struct ordo_net_ptp_system *system, const struct ordo_net_clock_options *options, int host,
                             uint64_t seed, int64_t true_ps, double every_s, struct ordo_error *error);
void ordo_net_ptp_system_free(struct ordo_net_ptp_system *system);

/** Reads both clocks and steers the interface's clock, `interface`, on the host with the reference. The interface's
 * clock shows `shown_ps`. */
void ordo_net_ptp_system_lead(struct ordo_net_ptp_system *system, int64_t shown_ps, struct ordo_net_pi *servo,
                              struct ordo_net_steered *interface);
/** Reads both clocks and steers the host's own clock, on every other host. */
void ordo_net_ptp_system_follow(struct ordo_net_ptp_system *system, int64_t shown_ps,
                                const struct ordo_net_steered *interface);

#endif
