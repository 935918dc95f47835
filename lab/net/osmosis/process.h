/* A process of the synchronisation tree of OSMOSIS: what it hears on its channels, which of them it follows, and what it says.
 *
 * P. Mueller, U. Bapst, R. Luijten, Hierarchical system synchronization and signaling for high-performance - low-latency interconnects,
 * IBM Research Report RZ 3604 (2005), sections 2 and 5. One process has the system's reference. Every other one follows the channel of the best
 * quality of service: synchronised rather than not, then the fewest hops to the master, then the priority of who sends, the
 * shortest delay, and the smallest id. It leaves a channel only for one that is strictly better, or because it lost it. One that has none is
 * the pseudo-master of those that follow it, and tags what it says as not synchronised.
 *
 * The report says nothing of adverts that are out of date: after a loss a process could follow one of its own followers, which still
 * repeats what it once heard from it, and the two would count hops up for ever. So here the reference numbers its beacons, and
 * everybody has a place: the number of the beacon that it heard of last, and how many hops that had come. (The same
 * is done by C. Perkins and P. Bhagwat, DSDV, SIGCOMM 1994, and J. Chroboczek, D. Schinazi, RFC 8966, section 2.4.)
 *
 *  T1 A place is better by a later number, and for the same number by fewer hops. A process only follows a neighbour whose
 *     advert has a strictly better place than its own; then its own is one hop behind that one.
 *  T2 No place ever gets worse: that of a new master is better than the own by T1, even one hop behind; that of a master that
 *     says another place has itself only become better; and without a master the place stays.
 *  T3 So what a neighbour said is at most as good as its place is now, and along a chain of masters the places get strictly
 *     better at every moment: no chain ever closes to a loop, whatever is under way. A process that starts anew has no place; but
 *     its channels were lost before, so that nobody follows it. The reference must not begin its numbers anew.
 *  T4 Between two beacons and two losses the places and with them the channels that may be followed only change a finite
 *     number of times; then a process changes its master only to one that is strictly better among the same few. So
 *     nothing swings. */
#ifndef ORDO_LAB_NET_OSMOSIS_PROCESS_H
#define ORDO_LAB_NET_OSMOSIS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/** What a process says on all of its channels. */
struct ordo_net_osmosis_advert {
    bool synchronised; /* false: the tag of a pseudo-master, and of all that follow it */
    int master, hops;  /* who masters it, and how far away */
    int priority;      /* of the process that says it; 0 is the best */
    int64_t delay_fs;  /* from the master, as measured */
    int64_t number;    /* the place: the beacon's, */
    int rank;          /* and its hops */
};

struct ordo_net_osmosis_channel {
    int neighbour; /* who is at its other end */
    bool joined, measured, heard;
    int64_t delay_fs; /* once measured */
    struct ordo_net_osmosis_advert said;
};

struct ordo_net_osmosis_process {
    int id;
    bool reference;
    int channels;
    struct ordo_net_osmosis_channel *channel;
    int followed; /* the channel; -1: it is a master */
    struct ordo_net_osmosis_advert says;
};

/** A process with no channel joined, and nothing heard. */
struct ordo_net_osmosis_process ordo_net_osmosis_process_make(int id, bool reference, int priority, int channels,
                                                              struct ordo_net_osmosis_channel *channel);

/** What follows from what happens; each returns whether `says` changed, and then is to be said on all channels. */
bool ordo_net_osmosis_hear(struct ordo_net_osmosis_process *process, int channel,
                           const struct ordo_net_osmosis_advert *advert);
bool ordo_net_osmosis_measured(struct ordo_net_osmosis_process *process, int channel, int64_t delay_fs);
bool ordo_net_osmosis_lose(struct ordo_net_osmosis_process *process, int channel);

/** A channel is there (again): its delay is to be measured. */
void ordo_net_osmosis_join(struct ordo_net_osmosis_process *process, int channel);

/** The time of a beacon: the reference takes the next number. Whether it is a master, and has one to send. */
bool ordo_net_osmosis_beacon(struct ordo_net_osmosis_process *process);

/** The fewest bits of a real-time register that counts `clock_hz` from one beacon to the next (section 5: the frequency of the beacons
 * by that of the clock). */
int ordo_net_osmosis_register_bits(double clock_hz, double beacon_hz);

#endif
