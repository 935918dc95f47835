#include "lab/net/sim/phy.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "lab/net/sim/agenda.h"

/* Events are ordered by picosecond, and within a picosecond in the order in which they were made. This order is enough:
 * events of two nodes within a picosecond cannot depend on each other, because a word takes at least a nanosecond; and
 * the ticks of one node are further apart. */
struct event {
    struct ordo_net_event at; /* must be first: the agenda has pointers to it */
    int64_t at_fs;
    bool is_alarm;
    int place, token; /* of an alarm: node and token; of a word: its link, and the channel's `life` when it was sent */
    struct ordo_net_word word;
};

struct ordo_net_phy {
    struct ordo_net_phy_options options;
    struct ordo_net_oscillator *oscillators;
    struct ordo_net_link *link;
    int64_t *delay_fs; /* by link */
    int *life;         /* by channel: even while it is joined; each cut and each join adds 1 */
    struct ordo_net_agenda agenda;
    int64_t now_fs;
    uint64_t random;
    bool full; /* memory ran out */
};

int64_t ordo_net_phy_period_fs(int64_t period_fs, double rate_ppb)
{
    return llround((double)period_fs / (1 + rate_ppb * 1e-9));
}

static void make_oscillators(struct ordo_net_phy *phy, int nodes)
{
    const struct ordo_net_phy_options *options = &phy->options;
    for (int node = 0; node < nodes; node++) {
        double rate_ppb = (2 * ordo_random_unit(&phy->random) - 1) * options->skew_ppb;
        int64_t period_fs = ordo_net_phy_period_fs(options->period_fs, rate_ppb);
        int64_t before_fs = (int64_t)(ordo_random_unit(&phy->random) * (double)period_fs);
        phy->oscillators[node] = (struct ordo_net_oscillator){period_fs, -before_fs};
    }
}

struct ordo_net_phy *ordo_net_phy_new(const struct ordo_net_phy_options *options, int nodes, int links,
                                      const struct ordo_net_link *link, struct ordo_error *error)
{
    struct ordo_net_phy *phy = calloc(1, sizeof *phy);
    bool made = phy && ordo_net_agenda_make(&phy->agenda);
    if (made) {
        phy->options = *options;
        phy->random = options->seed ^ UINT64_C(0x706879);
        phy->oscillators = calloc((size_t)nodes, sizeof *phy->oscillators);
        phy->link = calloc((size_t)links, sizeof *phy->link);
        phy->delay_fs = calloc((size_t)links, sizeof *phy->delay_fs);
        phy->life = calloc((size_t)links / 2, sizeof *phy->life);
        made = phy->oscillators && phy->link && phy->delay_fs && phy->life;
    }
    if (!made) {
        (void)ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "a physical layer of %d nodes: out of memory", nodes);
        ordo_net_phy_free(phy);
        return NULL;
    }
    make_oscillators(phy, nodes);
    memcpy(phy->link, link, (size_t)links * sizeof *link);
    for (int i = 0; i < links; i++)
        phy->delay_fs[i] =
            options->delay_fs + (int64_t)(ordo_random_unit(&phy->random) * (double)options->asymmetry_fs);
    return phy;
}

void ordo_net_phy_free(struct ordo_net_phy *phy)
{
    if (!phy)
        return;
    for (struct ordo_net_event *event; phy->agenda.bucket && (event = ordo_net_agenda_take(&phy->agenda));)
        free(event);
    ordo_net_agenda_free(&phy->agenda);
    free(phy->oscillators);
    free(phy->link);
    free(phy->delay_fs);
    free(phy->life);
    free(phy);
}

static void put_phy_event(struct ordo_net_phy *phy, const struct event *event)
{
    struct event *copy = malloc(sizeof *copy);
    if (copy) {
        *copy = *event;
        copy->at.at_ps = event->at_fs / 1000;
    }
    if (!copy || !ordo_net_agenda_put(&phy->agenda, &copy->at)) {
        free(copy);
        phy->full = true;
    }
}

void ordo_net_phy_send(struct ordo_net_phy *phy, int link, const struct ordo_net_word *word)
{
    struct event event = {.at_fs = phy->now_fs + phy->delay_fs[link], .place = link, .word = *word};
    if (phy->options.crossing) {
        const struct ordo_net_oscillator *oscillator = &phy->oscillators[phy->link[link].to];
        int64_t tick =
            ordo_net_oscillator_next(oscillator, event.at_fs) + (int64_t)(ordo_random_next(&phy->random) >> 63);
        event.at_fs = ordo_net_oscillator_at(oscillator, tick);
    }
    event.token = phy->life[link / 2];
    if (!ordo_net_phy_is_cut(phy, link / 2))
        put_phy_event(phy, &event);
}

void ordo_net_phy_wake(struct ordo_net_phy *phy, int64_t true_fs, int node, int token)
{
    put_phy_event(phy, &(struct event){.at_fs = true_fs, .is_alarm = true, .place = node, .token = token});
}

void ordo_net_phy_cut(struct ordo_net_phy *phy, int channel)
{
    phy->life[channel] |= 1;
}

void ordo_net_phy_join(struct ordo_net_phy *phy, int channel)
{
    phy->life[channel] += phy->life[channel] & 1;
}

bool ordo_net_phy_is_cut(const struct ordo_net_phy *phy, int channel)
{
    return phy->life[channel] & 1;
}

int ordo_net_phy_run(struct ordo_net_phy *phy, const struct ordo_net_phy_calls *calls, void *context, int64_t end_fs,
                     struct ordo_error *error)
{
    struct event *event;
    while (!phy->full && (event = (struct event *)ordo_net_agenda_take(&phy->agenda))) {
        bool over = event->at_fs > end_fs;
        phy->now_fs = over ? end_fs : event->at_fs;
        if (!over && event->is_alarm)
            calls->wake(context, phy, event->place, event->token);
        else if (!over && event->token == phy->life[event->place / 2])
            calls->arrive(context, phy, event->place, &event->word);
        free(event);
        if (over)
            break;
    }
    return phy->full ? ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "a physical layer: out of memory") : ORDO_OK;
}

int64_t ordo_net_phy_now_fs(const struct ordo_net_phy *phy)
{
    return phy->now_fs;
}

const struct ordo_net_link *ordo_net_phy_link(const struct ordo_net_phy *phy, int link)
{
    return &phy->link[link];
}

int64_t ordo_net_phy_delay_fs(const struct ordo_net_phy *phy, int link)
{
    return phy->delay_fs[link];
}

struct ordo_net_oscillator *ordo_net_phy_oscillator(struct ordo_net_phy *phy, int node)
{
    return &phy->oscillators[node];
}
