#include "lab/net/dtp/programs.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"

enum { WAY_NS = 400, SKEW_PPM = 50 };

/* A counter that jumps by more than 10 us was set, and not read badly. */
static const double tsc_hz = 2.9e9, jump_ticks = 1562.5;

bool ordo_net_dtp_programs_make(struct ordo_net_dtp_programs *programs, int hosts,
                                const struct ordo_net_dtp_programs_options *options)
{
    *programs = (struct ordo_net_dtp_programs){.options = *options, .random = options->seed ^ UINT64_C(0x747363)};
    programs->daemon = calloc((size_t)hosts, sizeof *programs->daemon);
    programs->tsc_hz = calloc((size_t)hosts, sizeof *programs->tsc_hz);
    if (!programs->daemon || !programs->tsc_hz)
        return false;
    for (int host = 0; host < hosts; host++) {
        programs->daemon[host] = (struct ordo_net_dtp_daemon){.window = options->smooth, .jump = jump_ticks};
        programs->tsc_hz[host] = tsc_hz * (1 + SKEW_PPM * 1e-6 * (2 * ordo_random_unit(&programs->random) - 1));
    }
    return true;
}

void ordo_net_dtp_programs_free(struct ordo_net_dtp_programs *programs)
{
    free(programs->daemon);
    free(programs->tsc_hz);
}

static uint64_t tsc_at(const struct ordo_net_dtp_programs *programs, int host, double true_fs)
{
    return (uint64_t)(programs->tsc_hz[host] * (true_fs * 1e-15 + 1)); /* the processors started a second ago */
}

static double way_fs(struct ordo_net_dtp_programs *programs)
{
    return (WAY_NS - programs->options.jitter_ns * log(1 - ordo_random_unit(&programs->random))) * 1e6;
}

void ordo_net_dtp_programs_poll(struct ordo_net_dtp_programs *programs, int host, int64_t true_fs, int64_t counter)
{
    struct ordo_net_dtp_daemon *daemon = &programs->daemon[host];
    uint64_t before = tsc_at(programs, host, (double)true_fs - way_fs(programs));
    uint64_t after = tsc_at(programs, host, (double)true_fs + way_fs(programs));
    uint64_t upper = (uint64_t)counter >> ORDO_NET_DTP_HALF_BITS;
    (void)ordo_net_dtp_daemon_take(daemon, before, ordo_net_dtp_encode(ORDO_NET_DTP_MSB, upper), after);
    (void)ordo_net_dtp_daemon_take(daemon, before, ordo_net_dtp_encode(ORDO_NET_DTP_BEACON, (uint64_t)counter), after);
}

bool ordo_net_dtp_programs_read(const struct ordo_net_dtp_programs *programs, int host, int64_t true_fs,
                                int64_t counter, double *ahead)
{
    struct ordo_net_dtp_time time, exact = {.high = (uint64_t)counter >> ORDO_NET_DTP_HALF_BITS};
    double fraction;
    exact.low = (uint64_t)counter & ((UINT64_C(1) << ORDO_NET_DTP_HALF_BITS) - 1);
    uint64_t tsc = tsc_at(programs, host, (double)true_fs);
    if (!ordo_net_dtp_daemon_at(&programs->daemon[host], tsc, &time, &fraction))
        return false;
    *ahead = (double)ordo_net_dtp_time_minus(time, exact) + fraction;
    return true;
}
