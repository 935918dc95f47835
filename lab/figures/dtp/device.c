/* A device, and the measurement of the delay: the messages of real runs. */
#include <math.h>
#include <stdio.h>

#include "lab/figures/dtp/dtp.h"
#include "lab/figures/simulate.h"

enum { NODES = 64, MIDDLE = 1, DRAWN_TICKS = 20000, LINKS_AT_LEAST = 200 };

static const double tick_fs = ORDO_NET_DTP_PERIOD_FS;

/* The messages that the devices heard. */
struct watched {
    struct ordo_figure_curve *local[2], *global, *measured;
    int64_t highest[NODES]; /* by device: its global counter after its last message */
    int64_t first;          /* the first global counter of the drawn device */
    bool is_largest, never_back;
    int measurements;
    double worst_ticks; /* of a measured delay */
};

static int run_watched(struct watched *watched, const struct ordo_net_options *options,
                       void (*heard)(void *, const struct ordo_net_dtp_heard *), struct ordo_error *error)
{
    struct ordo_net_dtp dtp = ordo_net_dtp_defaults();
    struct ordo_net_score score;
    struct ordo_net_counters counters;
    dtp.heard = heard;
    dtp.context = watched;
    dtp.ticks = 100000;
    dtp.extreme = true; /* device 0 is the fastest, and the others are the slowest that Ethernet allows */
    return ordo_net_dtp_run(options, &dtp, &score, &counters, error);
}

/* Draws the counters of the device in the middle, less the ticks of an ideal clock. */
static void hear_device(void *context, const struct ordo_net_dtp_heard *message)
{
    struct watched *watched = context;
    watched->is_largest = watched->is_largest && message->global >= message->local;
    watched->never_back = watched->never_back && message->global >= watched->highest[message->to];
    watched->highest[message->to] = message->global;
    double ticks = (double)message->came_fs / tick_fs;
    if (message->to != MIDDLE || ticks > DRAWN_TICKS)
        return;
    watched->first = watched->first ? watched->first : message->global;
    ordo_figure_point(watched->local[message->from > MIDDLE], ticks, (double)(message->local - watched->first) - ticks);
    ordo_figure_point(watched->global, ticks, (double)(message->global - watched->first) - ticks);
}

int figure_dtp_device(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_net_options options = ordo_figure_ethernet(run, ORDO_NET_LINE, 3, 1);
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "a device between two devices", "time (ticks)",
                                                        "counter less time (ticks)", ORDO_FIGURE_LINEAR);
    struct watched watched = {.is_largest = true, .never_back = true};
    watched.local[0] = ordo_figure_curve(panel, "local counter of port 0", ORDO_FIGURE_POINTS);
    watched.local[1] = ordo_figure_curve(panel, "local counter of port 1", ORDO_FIGURE_POINTS);
    watched.global = ordo_figure_curve(panel, "global counter", ORDO_FIGURE_STEPS);
    int code = run_watched(&watched, &options, hear_device, error);
    if (code)
        return code;
    ordo_figure_claim(run, watched.is_largest, "the global counter is never below the local counter of a port");
    ordo_figure_claim(run, watched.never_back, "no global counter ever goes back");
    return ORDO_OK;
}

static void hear_init(void *context, const struct ordo_net_dtp_heard *message)
{
    struct watched *watched = context;
    enum ordo_net_dtp_kind kind;
    uint64_t value;
    if (!ordo_net_dtp_decode(message->bits, &kind, &value) || kind != ORDO_NET_DTP_INIT_ACK)
        return;
    double truth = (double)(message->wire_fs + message->back_fs) / 2 / tick_fs;
    double off = (double)message->port->delay - truth;
    watched->measurements++;
    watched->worst_ticks = fmax(watched->worst_ticks, fabs(off));
    ordo_figure_point(watched->measured, truth, off);
}

/* Wires of 1 m to 1 km, which take 5 ns each metre. Section 3.3 of the paper allows two ticks for this error. */
int figure_dtp_init(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "measured delays of wires", "true delay (ticks)", "error (ticks)", ORDO_FIGURE_LINEAR);
    struct watched watched = {.measured = ordo_figure_curve(panel, "a port", ORDO_FIGURE_POINTS)};
    for (int metres = 1; metres <= 1000; metres += 37) {
        struct ordo_net_options options = ordo_figure_ethernet(run, ORDO_NET_TREE, 16, 1);
        options.delay_ns = 5 * metres;
        int code = run_watched(&watched, &options, hear_init, error);
        if (code)
            return code;
    }
    /* A proved bound: no tolerance. */
    ordo_figure_value(run, "largest error of a measured delay", "ticks", 2, watched.worst_ticks, ORDO_FIGURE_LIMIT, 1);
    ordo_figure_claim(run, watched.measurements >= LINKS_AT_LEAST, "at least 200 ports measured their delay");
    return ORDO_OK;
}
