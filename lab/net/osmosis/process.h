/* A process of the synchronisation tree of OSMOSIS: it hears adverts on its channels, follows one channel, and
 * advertises itself.
 *
 * P. Mueller, U. Bapst, R. Luijten, Hierarchical system synchronization and signaling for high-performance -
 * low-latency interconnects, IBM Research Report RZ 3604 (2005), sections 2 and 5. One process has the system's
 * reference. Every other process follows the channel of the best quality of service: synchronised before not
 * synchronised, then the fewest hops to the master, then the priority of the sender, the shortest delay, and the
 * smallest id. A process leaves a channel only for a strictly better one, or because the channel is lost. A process
 * without a channel to follow is the pseudo-master of its followers, and tags its adverts as not synchronised.
 *
 * The report does not treat outdated adverts: after a loss a process could follow one of its own followers, which still
 * repeats an older advert of this process, and the two would count hops up for ever. Here the reference therefore
 * numbers its beacons, and every process has a place: the number of the latest beacon of which it has heard, and the
 * number of hops over which this number came. (C. Perkins and P. Bhagwat, DSDV, SIGCOMM 1994, and J. Chroboczek, D.
 * Schinazi, RFC 8966, section 2.4, do the same.)
 *
 *  T1 Of two places, the place with the later number is better; if the numbers are equal, the place with fewer hops is
 *     better. A process only follows a neighbour whose advert has a strictly better place than the process itself. The
 *     place of the process is then one hop behind the place of the neighbour.
 *  T2 No place ever gets worse. By T1, the place of a new master is better than the place of the process, so the place
 *     one hop behind the master is not worse. When a master advertises a new place, this place is better than its old
 *     place. Without a master, a process keeps its place.
 *  T3 The place in a neighbour's advert is therefore at most as good as the neighbour's present place, and along a
 *     chain of masters the places get strictly better at every moment. No chain ever closes to a loop, whichever
 *     adverts are under way. A process that restarts has no place; but its channels were lost before, so no process
 *     follows it. The reference must not restart its numbers.
 *  T4 Suppose there is no new beacon and no loss. Then the places, and with them the channels that may be followed,
 *     change only a finite number of times. Afterwards a process changes its master only for a strictly better one,
 *     among the same channels. The tree therefore does not oscillate.
 *  T5 The report does not say how sub-domains without a reference join. If `joining` is set, a process without a master
 *     becomes a head when its beacon is due: it takes the next epoch, and numbers beacons of its own. The place then
 *     also has the epoch, the head, and the number of the head's latest beacon. If the reference's numbers are equal, a
 *     later epoch is better, then a smaller head, then a later beacon of the head, then fewer hops. The new place of a
 *     head is better than its old one, so T2 and T3 remain true. Among channels that are not synchronised, that with
 *     the later beacon of the reference, and then that of the better head, has the better quality: two sub-domains that meet turn round process by process, until one head is
 *     left. A new epoch begins only after a loss, so T4 remains true. */
#ifndef ORDO_LAB_NET_OSMOSIS_PROCESS_H
#define ORDO_LAB_NET_OSMOSIS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/** The advert that a process sends on all of its channels. */
struct ordo_net_osmosis_advert {
    bool synchronised; /* false: the tag of a pseudo-master and of all its followers */
    int master, hops;  /* the root of the sender's chain of masters, and the number of hops to it */
    int priority;      /* of the sender; 0 is the best */
    int64_t delay_fs;  /* measured delay from the root to the sender */
    int64_t number;    /* the sender's place: number of its latest beacon */
    int rank;          /* the sender's place: hops over which this number came */
    /* T5; all 0 in a place that came from the reference. `beacon` is the number of the latest beacon of `head`. */
    int64_t epoch, beacon;
    int head;
};

struct ordo_net_osmosis_channel {
    int neighbour; /* the process at the channel's other end */
    bool joined, measured, heard;
    int64_t delay_fs; /* valid if `measured` */
    struct ordo_net_osmosis_advert said;
};

struct ordo_net_osmosis_process {
    int id;
    bool reference, joining; /* joining: T5 */
    int channels;
    struct ordo_net_osmosis_channel *channel;
    int followed; /* the channel that the process follows; -1: it has no master */
    struct ordo_net_osmosis_advert says;
};

/** Returns a process without joined channels that has heard no advert. */
struct ordo_net_osmosis_process ordo_net_osmosis_process_make(int id, bool reference, int priority, int channels,
                                                              struct ordo_net_osmosis_channel *channel);

/** The next three functions handle an event of a channel. Each returns true if `says` has changed; the caller must then
 * send `says` on all channels. */
bool ordo_net_osmosis_hear(struct ordo_net_osmosis_process *process, int channel,
                           const struct ordo_net_osmosis_advert *advert);
bool ordo_net_osmosis_measured(struct ordo_net_osmosis_process *process, int channel, int64_t delay_fs);
bool ordo_net_osmosis_lose(struct ordo_net_osmosis_process *process, int channel);

/** Joins a channel (again); the caller must then measure its delay. */
void ordo_net_osmosis_join(struct ordo_net_osmosis_process *process, int channel);

/** Call when it is time for a beacon. Gives the reference, or a head (T5), the next number. Returns true if the process has no master;
 * it must then send a beacon. */
bool ordo_net_osmosis_beacon(struct ordo_net_osmosis_process *process);

/** Returns the fewest bits of a real-time register that counts a clock of `clock_hz` from one beacon to the next
 * (section 5: the ratio of the two frequencies). */
int ordo_net_osmosis_register_bits(double clock_hz, double beacon_hz);

#endif
