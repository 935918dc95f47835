/* The clock of another host, now: an interval that holds it, by probes over UDP.
 *
 *     struct ordo_net_peer_options options = {0};
 *     struct ordo_net_peer *peer;
 *     struct ordo_error error;
 *     options.address = "a.example";                            // where an `ordo-net agent` runs
 *     options.key = "/etc/ordo/key";                            // the key that it has
 *     if (ordo_net_peer_open(&options, &peer, &error) == 0 && ordo_net_peer_run(peer, 100000000, &error) == 0)
 *         event = ordo_net_peer_now(peer);                      // [earliest, latest] of the peer's clock
 *     ordo_global_compare(event, other);                        // 1 later, -1 earlier, 0 cannot be known
 *     ordo_net_peer_close(peer);
 *
 * Two events are ordered if both are times of one clock, such as those that two programs have got from the same peer. An interval
 * grows with the time since the last probes, by what the options promise of rates: a program that wants narrow ones
 * calls ordo_net_peer_run over and over, on a thread of its own. Nothing is printed, nothing exits, and no
 * clock is set. Link with libordo-net. */
#ifndef ORDO_NET_H
#define ORDO_NET_H

#include <stdint.h>

#include <ordo/error.h>
#include <ordo/global.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library offers */

/** A host with an agent, and what is known of its clock. */
struct ordo_net_peer;

/** Whom to probe, and how. What is 0 or NULL has its default. */
struct ordo_net_peer_options {
    const char *address; /* HOST, HOST:PORT or [IPV6]:PORT; needed */
    const char *key;     /* a file, see KEYS in ordo-net(1); needed */
    const char *clock;   /* the clock of this host that is read beside: "realtime", the default, or "monotonic" */
    int64_t every_us;    /* from one pair of probes to the next, in the mean; default 5000; 100 to 10,000,000 */
    double rate_ppm;     /* promised: no clock's rate is wrong by more than this; default 500; at most 100,000 */
    int64_t
        stamp_ns; /* promised: no clock's readings differ between CPUs by more than this; default 100; at most 10^9 */
    uint16_t key_number; /* which key of the file the host has; default: the first one */
};

/** Opens it; nothing is sent yet. On failure `*peer` is NULL, which every other call accepts. Returns 0 or
 *
 * - ORDO_E_INVALID: an option is missing, not known or out of range, a name that nobody knows, or a key that the file lacks;
 * - ORDO_E_MISSING, ORDO_E_MALFORMED, ORDO_E_OWNER, ORDO_E_WRITABLE: of the file with the key;
 * - ORDO_E_SYSTEM: no socket, no memory. */
int ordo_net_peer_open(const struct ordo_net_peer_options *options, struct ordo_net_peer **peer,
                       struct ordo_error *error);

/** Probes for `for_ns`, or with 0 does only what is due, on the calling thread; one thread at a time. Returns 0: something is known
 * of the peer's clock, also if the peer is silent now, so that the interval grows; or
 *
 * - ORDO_E_MEASURE: nothing is, since the peer has not answered yet, or because what it said contradicts itself: a clock was set,
 *   or a rate is worse than promised. Then time is not known any more, and the next call begins anew;
 * - ORDO_E_INVALID: `peer` is NULL, or `for_ns` is negative. */
int ordo_net_peer_run(struct ordo_net_peer *peer, int64_t for_ns, struct ordo_error *error);

/** The peer's clock at this moment, in its nanoseconds; [INT64_MIN, INT64_MAX] where it is not known. Any thread, at any time between
 * open and close. The estimate is the middle, which takes both ways to be equally long. */
struct ordo_global_time ordo_net_peer_now(struct ordo_net_peer *peer);

/** The same for the moment at which the clock of this host, as ordo_net_peer_local_ns reads it, showed or will show `local_ns`. */
struct ordo_global_time ordo_net_peer_at(struct ordo_net_peer *peer, int64_t local_ns);

/** The clock of this host that the options name. */
int64_t ordo_net_peer_local_ns(const struct ordo_net_peer *peer);

/** Datagrams that were refused here: without the right seal, replayed, late, or from another address than that of the peer. */
uint64_t ordo_net_peer_refused(struct ordo_net_peer *peer);

/** Frees it; NULL is ignored. */
void ordo_net_peer_close(struct ordo_net_peer *peer);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
