#include "lab/net/osmosis/process.h"

#include <limits.h>
#include <math.h>

struct ordo_net_osmosis_process ordo_net_osmosis_process_make(int id, bool reference, int priority, int channels,
                                                              struct ordo_net_osmosis_channel *channel)
{
    return (struct ordo_net_osmosis_process){
        .id = id,
        .reference = reference,
        .channels = channels,
        .channel = channel,
        .followed = -1,
        .says = {.synchronised = reference, .master = id, .priority = priority, .rank = reference ? 0 : INT_MAX},
    };
}

static int order_of(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Returns the first of `count` numbers that is not 0, or 0. */
static int first_of(const int *by, int count)
{
    for (int i = 0; i < count; i++)
        if (by[i] != 0)
            return by[i];
    return 0;
}

/* T1, T5: true if place a is better than place b. */
static bool is_before(const struct ordo_net_osmosis_advert *a, const struct ordo_net_osmosis_advert *b)
{
    const int by[] = {order_of(b->number, a->number), order_of(b->epoch, a->epoch), order_of(a->head, b->head),
                      order_of(b->beacon, a->beacon), order_of(a->rank, b->rank)};
    return first_of(by, 5) < 0;
}

/* T5: returns a negative number if `a` has heard a better head than `b`, both without the reference. */
static int compare_heads(const struct ordo_net_osmosis_advert *a, const struct ordo_net_osmosis_advert *b)
{
    const int by[] = {order_of(b->number, a->number), order_of(b->epoch, a->epoch), order_of(a->head, b->head)};
    return a->synchronised || b->synchronised ? 0 : first_of(by, 3);
}

/* Returns a negative number if channel `a` has a better quality than `b`. */
static int compare_channels(const struct ordo_net_osmosis_channel *a, const struct ordo_net_osmosis_channel *b,
                            bool joining)
{
    const int by[] = {order_of(!a->said.synchronised, !b->said.synchronised),
                      joining ? compare_heads(&a->said, &b->said) : 0,
                      order_of(a->said.hops, b->said.hops),
                      order_of(a->said.priority, b->said.priority),
                      order_of(a->said.delay_fs + a->delay_fs, b->said.delay_fs + b->delay_fs),
                      order_of(a->neighbour, b->neighbour)};
    return first_of(by, 6);
}

static bool can_be_followed(const struct ordo_net_osmosis_process *process, int channel)
{
    const struct ordo_net_osmosis_channel *at = &process->channel[channel];
    return at->joined && at->measured && at->heard && is_before(&at->said, &process->says); /* T1 */
}

static int choose_master(const struct ordo_net_osmosis_process *process)
{
    int best = process->followed;
    for (int i = 0; i < process->channels; i++)
        if (can_be_followed(process, i) &&
            (best < 0 || compare_channels(&process->channel[i], &process->channel[best], process->joining) < 0))
            best = i;
    return best;
}

/* T2: the place is one hop behind that of the master; without a master it stays unchanged. */
static struct ordo_net_osmosis_advert follow_master(const struct ordo_net_osmosis_process *process)
{
    struct ordo_net_osmosis_advert says = process->says;
    if (process->followed < 0) {
        says.synchronised = process->reference;
        says.master = process->id;
        says.hops = 0;
        says.delay_fs = 0;
        return says;
    }
    const struct ordo_net_osmosis_channel *channel = &process->channel[process->followed];
    int priority = says.priority;
    says = channel->said;
    says.priority = priority;
    says.hops++;
    says.rank++;
    says.delay_fs += channel->delay_fs;
    return says;
}

static bool is_same(const struct ordo_net_osmosis_advert *a, const struct ordo_net_osmosis_advert *b)
{
    return a->synchronised == b->synchronised && a->master == b->master && a->hops == b->hops &&
           a->delay_fs == b->delay_fs && a->number == b->number && a->rank == b->rank && a->epoch == b->epoch &&
           a->head == b->head && a->beacon == b->beacon;
}

static bool settle_process(struct ordo_net_osmosis_process *process)
{
    struct ordo_net_osmosis_advert before = process->says;
    if (!process->reference)
        process->followed = choose_master(process);
    process->says = follow_master(process);
    return !is_same(&before, &process->says);
}

bool ordo_net_osmosis_hear(struct ordo_net_osmosis_process *process, int channel,
                           const struct ordo_net_osmosis_advert *advert)
{
    process->channel[channel].said = *advert;
    process->channel[channel].heard = true;
    return settle_process(process);
}

bool ordo_net_osmosis_measured(struct ordo_net_osmosis_process *process, int channel, int64_t delay_fs)
{
    process->channel[channel].delay_fs = delay_fs;
    process->channel[channel].measured = true;
    return settle_process(process);
}

bool ordo_net_osmosis_lose(struct ordo_net_osmosis_process *process, int channel)
{
    struct ordo_net_osmosis_channel *lost = &process->channel[channel];
    lost->joined = lost->measured = lost->heard = false;
    if (process->followed == channel)
        process->followed = -1;
    return settle_process(process);
}

void ordo_net_osmosis_join(struct ordo_net_osmosis_process *process, int channel)
{
    process->channel[channel].joined = true;
}

bool ordo_net_osmosis_beacon(struct ordo_net_osmosis_process *process)
{
    struct ordo_net_osmosis_advert *says = &process->says;
    says->number += process->reference;
    if (process->joining && !process->reference && process->followed < 0) { /* T5 */
        bool again = says->epoch > 0 && says->head == process->id;
        says->epoch += !again;
        says->beacon = again ? says->beacon + 1 : 1;
        says->head = process->id;
        says->rank = 0;
    }
    return process->followed < 0;
}

int ordo_net_osmosis_register_bits(double clock_hz, double beacon_hz)
{
    return (int)ceil(log2(clock_hz / beacon_hz));
}
