#include "lab/net/dtp/daemon.h"

#include <math.h>

static struct ordo_net_dtp_pair sum_of_last(const struct ordo_net_dtp_daemon *daemon)
{
    struct ordo_net_dtp_pair sum = {0};
    for (int i = 0; i < daemon->window; i++) {
        sum.tsc += daemon->pair[i].tsc;
        sum.ticks += daemon->pair[i].ticks;
    }
    return sum;
}

/* Returns the ticks since the first reading. */
static double ticks_at(const struct ordo_net_dtp_daemon *daemon, double tsc)
{
    struct ordo_net_dtp_pair last = sum_of_last(daemon);
    double count = daemon->window;
    /* The first and the last pairs overlap at first, which makes the two means less different, but not the ratio. */
    double ratio = (last.ticks - daemon->begin.ticks) / (last.tsc - daemon->begin.tsc);
    return last.ticks / count + ratio * (tsc - last.tsc / count);
}

static double tsc_since_first(const struct ordo_net_dtp_daemon *daemon, uint64_t tsc)
{
    return (double)(int64_t)(tsc - daemon->first_tsc);
}

static bool is_ready(const struct ordo_net_dtp_daemon *daemon)
{
    return daemon->pairs > daemon->window;
}

static void add_reading(struct ordo_net_dtp_daemon *daemon, uint64_t middle, struct ordo_net_dtp_time time)
{
    if (daemon->pairs == 0) {
        daemon->first = time;
        daemon->first_tsc = middle;
        daemon->begin = (struct ordo_net_dtp_pair){0};
    }
    const struct ordo_net_dtp_pair pair = {tsc_since_first(daemon, middle),
                                           (double)ordo_net_dtp_time_minus(time, daemon->first)};
    if (daemon->pairs < daemon->window) {
        daemon->begin.tsc += pair.tsc;
        daemon->begin.ticks += pair.ticks;
    }
    daemon->pair[daemon->pairs++ % daemon->window] = pair;
}

/* Completes the lower half of the counter, and restarts after a jump. */
static void take_counter(struct ordo_net_dtp_daemon *daemon, uint64_t middle, uint64_t low)
{
    double expected = is_ready(daemon) ? ticks_at(daemon, tsc_since_first(daemon, middle)) : 0;
    struct ordo_net_dtp_time own = ordo_net_dtp_time_add(daemon->first, llround(expected));
    int64_t off = ordo_net_dtp_nearest(0, low - own.low); /* S1 */
    if (!daemon->begun)
        off = (int64_t)low;
    daemon->begun = true;
    if (is_ready(daemon) && fabs((double)off) > daemon->jump)
        daemon->pairs = 0; /* S2 */
    add_reading(daemon, middle, ordo_net_dtp_time_add(own, off));
}

bool ordo_net_dtp_daemon_take(struct ordo_net_dtp_daemon *daemon, uint64_t before, uint64_t bits, uint64_t after)
{
    enum ordo_net_dtp_kind kind;
    uint64_t value;
    if (!ordo_net_dtp_decode(bits, &kind, &value) || (kind != ORDO_NET_DTP_MSB && kind != ORDO_NET_DTP_BEACON))
        return false;
    if (kind == ORDO_NET_DTP_BEACON && daemon->has_upper)
        take_counter(daemon, before + (after - before) / 2, value);
    else if (kind == ORDO_NET_DTP_MSB && !daemon->has_upper) {
        daemon->first.high = value;
        daemon->has_upper = true;
    }
    return true;
}

bool ordo_net_dtp_daemon_at(const struct ordo_net_dtp_daemon *daemon, uint64_t tsc, struct ordo_net_dtp_time *time,
                            double *fraction)
{
    if (!is_ready(daemon))
        return false;
    double ticks = ticks_at(daemon, tsc_since_first(daemon, tsc)), whole = floor(ticks);
    *time = ordo_net_dtp_time_add(daemon->first, (int64_t)whole);
    *fraction = ticks - whole;
    return true;
}
