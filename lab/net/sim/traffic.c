#include "lab/net/sim/traffic.h"

#include <math.h>
#include <stddef.h>

#include "base/minmax.h"
#include "base/random.h"

enum {
    SMALL_BYTES = 64,
    LARGE_BYTES = 1500,
    LARGE_OF_256 = 154, /* 60% */
    BURST_PACKETS = 16,
    INCAST_PACKETS = 32,
    EPOCH_PACKETS = 20000,
    QUANTILE_BITS = 10,
    QUANTILES = 1 << QUANTILE_BITS
};

const char *ordo_net_traffic_name(int kind)
{
    static const char *const names[] = {"poisson", "bursty", "incast"};
    return kind >= 0 && kind < 3 ? names[kind] : NULL;
}

void ordo_net_pace_make(struct ordo_net_pace *pace, const struct ordo_net_traffic *traffic)
{
    const double large = LARGE_OF_256 / 256.0;
    *pace = (struct ordo_net_pace){.traffic = *traffic, .byte_ps = 8000 / traffic->gbps};
    pace->small_ps = ordo_net_wire_ps(pace, SMALL_BYTES);
    pace->large_ps = ordo_net_wire_ps(pace, LARGE_BYTES);
    pace->buffer_ps = (int64_t)((double)traffic->buffer_bytes * pace->byte_ps);
    pace->mean_ps = large * (double)pace->large_ps + (1 - large) * (double)pace->small_ps;
    pace->epoch_ps = (int64_t)(EPOCH_PACKETS * pace->mean_ps);
    for (int i = 0; i < QUANTILES; i++)
        pace->quantile[i] = -log1p(-(double)i / QUANTILES);
}

void ordo_net_traffic_port_make(struct ordo_net_traffic_port *port, const struct ordo_net_pace *pace, uint32_t id,
                                bool to_host)
{
    *port = (struct ordo_net_traffic_port){.id = id, .burst_packets = 1};
    if (pace->traffic.kind == ORDO_NET_BURSTY) {
        port->burst_packets = BURST_PACKETS;
        port->burst_apart_ps = (int64_t)(pace->mean_ps / 2);
    } else if (pace->traffic.kind == ORDO_NET_INCAST && to_host)
        port->burst_packets = INCAST_PACKETS;
    double apart_ps = (double)port->burst_apart_ps * (port->burst_packets - 1);
    port->gap_ps = fmax(pace->mean_ps / pace->traffic.load * port->burst_packets - apart_ps, 0);
}

static int burst_length(struct ordo_net_traffic_port *port)
{
    if (port->burst_packets == 1 || port->burst_apart_ps == 0)
        return port->burst_packets;
    double uneven = log(1 - ordo_random_unit(&port->random)) / log1p(-1.0 / port->burst_packets);
    return 1 + (int)fmin(uneven, 1000);
}

/* Returns an exponential value with mean 1 from 56 random bits: by linear interpolation between two quantiles, and by a
 * logarithm beyond the last quantile. */
static double exponential(const struct ordo_net_pace *pace, uint64_t bits)
{
    uint64_t cell = bits & (QUANTILES - 1);
    double share = (double)(bits >> QUANTILE_BITS & ((UINT64_C(1) << 46) - 1)) * 0x1p-46;
    if (cell == QUANTILES - 1)
        return pace->quantile[cell] - log1p(-share);
    return pace->quantile[cell] + share * (pace->quantile[cell + 1] - pace->quantile[cell]);
}

/* Sets the next arrival. The time from the end of a burst to the next burst is exponential, with a mean that gives the
 * declared load. */
static void next_arrival(struct ordo_net_traffic_port *port, const struct ordo_net_pace *pace, uint64_t bits)
{
    if (--port->burst_left > 0) {
        port->next_ps += port->burst_apart_ps;
        return;
    }
    port->next_ps += (int64_t)(port->gap_ps * exponential(pace, bits));
    port->burst_left = burst_length(port);
}

static void begin_epoch(struct ordo_net_traffic_port *port, const struct ordo_net_pace *pace, int64_t epoch)
{
    uint64_t random = pace->traffic.seed ^ (uint64_t)(port->id + 1) << 40 ^ (uint64_t)(epoch + 1);
    port->random = ordo_random_next(&random);
    port->next_ps = epoch * pace->epoch_ps;
    port->end_ps = port->next_ps + pace->epoch_ps;
    port->burst_left = 0;
    next_arrival(port, pace, ordo_random_next(&port->random));
}

/* Makes the arrivals of this epoch until `at_ps`. The simulation spends nearly all of its time here. */
static void arrive_until(struct ordo_net_traffic_port *port, const struct ordo_net_pace *pace, int64_t at_ps)
{
    const int64_t until_ps = ordo_min(at_ps, port->end_ps - 1);
    while (port->next_ps <= until_ps) {
        uint64_t bits = ordo_random_next(&port->random); /* 8 for the size, 56 for the time */
        port->free_ps = ordo_max(port->free_ps, port->next_ps);
        if (port->free_ps - port->next_ps <= pace->buffer_ps)
            port->free_ps += bits >> 56 < LARGE_OF_256 ? pace->large_ps : pace->small_ps;
        next_arrival(port, pace, bits);
    }
}

static void advance(struct ordo_net_traffic_port *port, const struct ordo_net_pace *pace, int64_t at_ps)
{
    if (port->end_ps == 0 || at_ps >= port->end_ps + pace->epoch_ps)
        begin_epoch(port, pace, ordo_max(at_ps / pace->epoch_ps - 1, 0));
    arrive_until(port, pace, at_ps);
    while (port->end_ps <= at_ps) {
        begin_epoch(port, pace, port->end_ps / pace->epoch_ps);
        arrive_until(port, pace, at_ps);
    }
}

int64_t ordo_net_traffic_port_pass(struct ordo_net_traffic_port *port, const struct ordo_net_pace *pace, int64_t at_ps,
                                   int bytes)
{
    if (pace->traffic.load > 0)
        advance(port, pace, at_ps);
    int64_t begins_ps = ordo_max(port->free_ps, at_ps);
    if (begins_ps - at_ps > pace->buffer_ps)
        return -1;
    port->free_ps = begins_ps + ordo_net_wire_ps(pace, bytes);
    return port->free_ps;
}
