/* The current time of another host's clock, as an interval that contains it, measured by probes over UDP.
 *
 *     struct ordo_net_peer_options options = {0};
 *     struct ordo_net_peer *peer;
 *     struct ordo_error error;
 *     options.address = "a.example";                            // the host of an `ordo-net agent`
 *     options.key = "/etc/ordo/key";                            // the agent's key
 *     if (ordo_net_peer_open(&options, &peer, &error) == 0 && ordo_net_peer_run(peer, 100000000, &error) == 0)
 *         event = ordo_net_peer_now(peer);                      // [earliest, latest] of the peer's clock
 *     ordo_global_compare(event, other);                        // 1 later, -1 earlier, 0 cannot be known
 *     ordo_net_peer_close(peer);
 *
 * Two events can be ordered if both have times of one clock; for example, two programs may use the same peer. An
 * interval grows with the time since the last probes, at the rate that `rate_ppm` promises. A program that needs narrow
 * intervals calls ordo_net_peer_run repeatedly, on a thread of its own. The calls print nothing, never exit, and set no
 * clock. Link with libordo-net. */
#ifndef ORDO_NET_H
#define ORDO_NET_H

#include <stdint.h>

#include <ordo/error.h>
#include <ordo/global.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* the functions of the library */

/** A host with an agent, and the caller's knowledge of the host's clock. */
struct ordo_net_peer;

/** Options of a peer. A field that is 0 or NULL has its default. */
struct ordo_net_peer_options {
    const char *address; /* HOST, HOST:PORT or [IPV6]:PORT; required */
    const char *key;     /* path of the file with the key, see KEYS in ordo-net(1); required */
    const char *clock;   /* this host's clock for the comparison: "realtime", the default, or "monotonic" */
    int64_t every_us;    /* mean time from one pair of probes to the next; default 5000; 100 to 10,000,000 */
    double rate_ppm;     /* promised bound on the error of any clock's rate; default 500; at most 100,000 */
    /* Promised bound on the difference of one clock's readings between CPUs. Default 100; at most 10^9. */
    int64_t stamp_ns;
    uint16_t key_number; /* number of the host's key in the file; default: the first key */
};

/** Opens a peer; nothing is sent yet. On failure `*peer` is NULL, which every other call accepts. Returns 0, or
 *
 * - ORDO_E_INVALID: an option is missing, not known or out of range, the host's name cannot be resolved, or the file
 *   lacks the key;
 * - ORDO_E_MISSING, ORDO_E_MALFORMED, ORDO_E_OWNER, ORDO_E_WRITABLE: the file with the key is refused;
 * - ORDO_E_SYSTEM: no socket, or out of memory. */
int ordo_net_peer_open(const struct ordo_net_peer_options *options, struct ordo_net_peer **peer,
                       struct ordo_error *error);

/** Sends and receives probes on the calling thread, for `for_ns` nanoseconds. If `for_ns` is 0, only sends and receives
 * the probes that are due. Only one thread at a time may call it. Returns
 *
 * - 0: the peer's clock is known. If the peer does not answer at present, the interval grows;
 * - ORDO_E_MEASURE: the peer's clock is not known, because the peer has not answered yet, or because its answers
 *   contradict each other. A contradiction means that a clock was set, or that a rate's error exceeds the promise; the
 *   next call then begins anew;
 * - ORDO_E_INVALID: `peer` is NULL, or `for_ns` is negative. */
int ordo_net_peer_run(struct ordo_net_peer *peer, int64_t for_ns, struct ordo_error *error);

/** Returns the current time of the peer's clock, in nanoseconds; [INT64_MIN, INT64_MAX] if it is not known. Any thread
 * may call it, at any time between open and close. The estimate is the middle of the interval, which assumes that both
 * directions take equally long. */
struct ordo_global_time ordo_net_peer_now(struct ordo_net_peer *peer);

/** Returns the time of the peer's clock, as ordo_net_peer_now, for the past or future moment at which
 * ordo_net_peer_local_ns returns `local_ns`. */
struct ordo_global_time ordo_net_peer_at(struct ordo_net_peer *peer, int64_t local_ns);

/** Returns the time of this host's clock that the option `clock` names. */
int64_t ordo_net_peer_local_ns(const struct ordo_net_peer *peer);

/** Returns the number of datagrams that this host refused: those with a wrong seal, replayed, late, or not from the
 * peer's address. */
uint64_t ordo_net_peer_refused(struct ordo_net_peer *peer);

/** Frees the peer; NULL is ignored. */
void ordo_net_peer_close(struct ordo_net_peer *peer);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
