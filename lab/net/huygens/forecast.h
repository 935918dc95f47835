/* HUYGENS in real time: forecasts of the offsets within a window, from the windows before it.
 *
 * HUYGENS states the offsets of a window when the window is over. HUYGENS-R must state them at once. Here each host has
 * a Kalman filter of its offset and its rate, relative to host 0. Each closed window gives two measurements of a host:
 * its offset in the middle of the window, and its rate. Between the windows the rate makes a random walk.
 *
 * For offsets with independent errors of variance s^2 in a window of length W, the offset in the middle has the variance
 * s^2, and the rate has 12 s^2 / W^2; the two errors are independent. The filter estimates s^2 from the contradictions
 * of the loops: the variance of an edge is the sum of the squared residuals over (edges - hosts + 1), and the network
 * effect leaves (hosts - 1) / edges of it. Errors that no loop reveals, from rates that change within a window, are
 * allowed for by a floor. The rate of one window is too uncertain for a forecast, so a host is forecast from its second
 * window on. */
#ifndef ORDO_LAB_NET_HUYGENS_FORECAST_H
#define ORDO_LAB_NET_HUYGENS_FORECAST_H

#include "net/window/window.h"

struct ordo_net_forecast_host {
    int windows; /* windows that have measured the host */
    double offset_ps, rate;
    double offset_variance, covariance, rate_variance; /* in ps^2, ps and 1 */
};

struct ordo_net_forecast {
    int hosts;
    int64_t at_ps; /* the instant of the states, on the clock of host 0 */
    struct ordo_net_forecast_host *host;
};

/** Makes a forecast that knows nothing. Returns false if out of memory. */
bool ordo_net_forecast_make(struct ordo_net_forecast *forecast, int hosts);
void ordo_net_forecast_free(struct ordo_net_forecast *forecast);

/** Takes a closed window of length `window_ps` that is over when host 0's clock shows `end_ps`. Returns false if out of
 * memory. */
bool ordo_net_forecast_take(struct ordo_net_forecast *forecast, struct ordo_net_window *window, int64_t end_ps,
                            int64_t window_ps);

/** Forecasts the offset of a host at the instant at which host 0's clock shows `at_ps`. Returns false if
 * fewer than two windows have measured the host. */
bool ordo_net_forecast_at(const struct ordo_net_forecast *forecast, int host, int64_t at_ps, double *offset_ps);

#endif
