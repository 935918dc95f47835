/* Implements <ordo/net.h>: one peer, probed by this process. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/net.h>

#include "base/minmax.h"
#include "net/live/narrow.h"
#include "net/offset/rate.h"

struct ordo_net_peer {
    struct ordo_net_port port;
    struct ordo_net_prober prober;
    pthread_mutex_t lock; /* protects the members below */
    struct ordo_net_fix fix;
    uint64_t refused;
    bool broken; /* true if probes contradicted each other since the last report to the caller */
};

/* Larger stamps are no times. */
static const int64_t farthest_ns = INT64_C(1) << 62;

static int check_peer_options(struct ordo_net_peer_options *options, enum ordo_net_clock *clock,
                              struct ordo_error *error)
{
    if (!options->address || !options->key)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "no %s: set the option", options->address ? "key" : "address");
    const char *name = options->clock ? options->clock : "realtime";
    *clock = strcmp(name, "monotonic") == 0 ? ORDO_NET_MONOTONIC : ORDO_NET_REALTIME;
    if (strcmp(name, ordo_net_clock_name((int)*clock)) != 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "clock '%.40s': not one of realtime, monotonic", name);
    options->every_us = options->every_us ? options->every_us : 5000;
    options->rate_ppm = options->rate_ppm != 0 ? options->rate_ppm : 500;
    options->stamp_ns = options->stamp_ns ? options->stamp_ns : 100;
    if (options->every_us < 100 || options->every_us > 10000000)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "every_us: not from 100 to 10000000");
    if (!(options->rate_ppm > 0 && options->rate_ppm <= 100000))
        return ordo_error_set(error, ORDO_E_INVALID, 0, "rate_ppm: not above 0 and at most 100000");
    if (options->stamp_ns < 0 || options->stamp_ns > 1000000000)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "stamp_ns: not from 0 to 1000000000");
    return ORDO_OK;
}

static int reach_peer(struct ordo_net_peer *peer, const struct ordo_net_peer_options *options,
                      enum ordo_net_clock clock, struct ordo_error *error)
{
    struct ordo_net_address address;
    int code = ordo_net_keys_read(&peer->port.keys, options->key, error), key;
    if (!code && (key = ordo_net_keys_find(&peer->port.keys, options->key_number)) < 0)
        code = ordo_error_set(error, ORDO_E_INVALID, 0, "%.120s: has no key %u: add it, or take the number of another",
                              options->key, (unsigned)options->key_number);
    if (!code)
        code = ordo_net_address_find(&address, options->address, error);
    if (!code)
        code = ordo_net_socket_open(&peer->port.socket, NULL, address.socket.any.sa_family, clock, error);
    if (!code && !ordo_net_prober_make(&peer->prober, &address, options->every_us * 1000, 0))
        code = ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    if (!code)
        peer->prober.key = peer->port.keys.number[key];
    return code;
}

int ordo_net_peer_open(const struct ordo_net_peer_options *options, struct ordo_net_peer **result,
                       struct ordo_error *error)
{
    struct ordo_net_peer_options own = options ? *options : (struct ordo_net_peer_options){0};
    enum ordo_net_clock clock = ORDO_NET_REALTIME;
    int code = check_peer_options(&own, &clock, error);
    *result = NULL;
    if (code)
        return code;
    struct ordo_net_peer *peer = calloc(1, sizeof *peer);
    if (!peer)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    peer->port.socket.fd = -1;
    (void)pthread_mutex_init(&peer->lock, NULL);
    peer->fix.rate = ordo_net_rate_apart(1e-6 * own.rate_ppm);
    peer->fix.stamp_ns = 2 * own.stamp_ns;
    code = reach_peer(peer, &own, clock, error);
    if (code)
        ordo_net_peer_close(peer);
    else
        *result = peer;
    return code;
}

void ordo_net_peer_close(struct ordo_net_peer *peer)
{
    if (!peer)
        return;
    ordo_net_prober_free(&peer->prober);
    ordo_net_socket_close(&peer->port.socket);
    ordo_net_keys_forget(&peer->port.keys);
    (void)pthread_mutex_destroy(&peer->lock);
    free(peer);
}

int64_t ordo_net_peer_local_ns(const struct ordo_net_peer *peer)
{
    return peer ? ordo_net_socket_now_ns(&peer->port.socket) : 0;
}

static bool known(const struct ordo_net_fix *fix)
{
    return fix->above && fix->below;
}

static int64_t add_saturating(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? a < 0 ? INT64_MIN : INT64_MAX : sum;
}

struct ordo_global_time ordo_net_peer_at(struct ordo_net_peer *peer, int64_t local_ns)
{
    const struct ordo_global_time never = {INT64_MIN, 0, INT64_MAX};
    if (!peer || local_ns < -farthest_ns || local_ns > farthest_ns)
        return never;
    (void)pthread_mutex_lock(&peer->lock);
    struct ordo_net_fix fix = peer->fix;
    (void)pthread_mutex_unlock(&peer->lock);
    if (!known(&fix))
        return never;
    struct ordo_interval offset_ns = ordo_net_fix_at(&fix, local_ns);
    int64_t middle_ns = offset_ns.low + (offset_ns.high - offset_ns.low) / 2;
    return (struct ordo_global_time){add_saturating(local_ns, offset_ns.low), add_saturating(local_ns, middle_ns),
                                     add_saturating(local_ns, offset_ns.high)};
}

struct ordo_global_time ordo_net_peer_now(struct ordo_net_peer *peer)
{
    return ordo_net_peer_at(peer, ordo_net_peer_local_ns(peer));
}

uint64_t ordo_net_peer_refused(struct ordo_net_peer *peer)
{
    if (!peer)
        return 0;
    (void)pthread_mutex_lock(&peer->lock);
    uint64_t refused = peer->refused;
    (void)pthread_mutex_unlock(&peer->lock);
    return refused;
}

static void take_answer(struct ordo_net_peer *peer, const struct ordo_net_message *message,
                        const struct ordo_net_arrival *arrival)
{
    if (!ordo_net_prober_take(&peer->prober, &peer->port, message, arrival)) {
        ordo_net_port_refuse(&peer->port, ORDO_NET_UNEXPECTED);
        return;
    }
    if (message->kind != ORDO_NET_PONG)
        return;
    (void)pthread_mutex_lock(&peer->lock);
    ordo_net_fix_move(&peer->fix, ordo_net_peer_local_ns(peer));
    ordo_net_fix_take(&peer->fix, &peer->prober, message->number);
    if (message->number >= 2) /* the pong also has the departure of pong number - 2 */
        ordo_net_fix_take(&peer->fix, &peer->prober, message->number - 2);
    if (known(&peer->fix) && peer->fix.offset_ns.low > peer->fix.offset_ns.high) {
        peer->fix.above = peer->fix.below = false;
        peer->broken = true;
    }
    (void)pthread_mutex_unlock(&peer->lock);
}

static void step_peer(struct ordo_net_peer *peer, int64_t until_ns)
{
    struct ordo_net_message message;
    struct ordo_net_arrival arrival;
    struct ordo_net_departure departure;
    if (peer->prober.next_ns <= ordo_net_port_now_ns())
        ordo_net_prober_act(&peer->prober, &peer->port, ordo_net_port_now_ns());
    ordo_net_port_wait(&peer->port, ordo_min(until_ns, peer->prober.next_ns));
    while (ordo_net_port_departed(&peer->port, &departure))
        (void)ordo_net_prober_departed(&peer->prober, &departure);
    for (int i = 0, got; i < ORDO_NET_AT_A_TIME && (got = ordo_net_port_receive(&peer->port, &message, &arrival)) >= 0;
         i++)
        if (got > 0)
            take_answer(peer, &message, &arrival);
}

static int judge_probes(struct ordo_net_peer *peer, struct ordo_error *error)
{
    char name[ORDO_NET_ADDRESS_TEXT];
    ordo_net_address_print(&peer->prober.to, name);
    (void)pthread_mutex_lock(&peer->lock);
    bool is_known = known(&peer->fix), broken = peer->broken;
    if (broken)
        peer->fix.above = peer->fix.below = peer->broken = false;
    peer->refused = 0;
    for (int i = 0; i < ORDO_NET_REFUSALS; i++)
        peer->refused += peer->port.refused[i];
    (void)pthread_mutex_unlock(&peer->lock);
    if (broken)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%s: what it says contradicts itself: a clock was set, or rates are worse than promised",
                              name);
    if (!is_known)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%s: no answer yet: see that an agent runs there with this key, or run for longer", name);
    return ORDO_OK;
}

int ordo_net_peer_run(struct ordo_net_peer *peer, int64_t for_ns, struct ordo_error *error)
{
    int64_t now_ns = ordo_net_port_now_ns(), until_ns;
    if (!peer || for_ns < 0 || __builtin_add_overflow(now_ns, for_ns, &until_ns))
        return ordo_error_set(error, ORDO_E_INVALID, 0, "no peer, or a time that is negative or has no end");
    do
        step_peer(peer, until_ns);
    while (ordo_net_port_now_ns() < until_ns);
    return judge_probes(peer, error);
}
