#include "lab/net/huygens/forecast.h"

#include <math.h>
#include <stdlib.h>

/* The standard deviation by which the rate of a crystal changes in a second, and the floor of the errors of a window. */
static const double wander_per_s = 2e-9, floor_ps = 1000;

bool ordo_net_forecast_make(struct ordo_net_forecast *forecast, int hosts)
{
    *forecast = (struct ordo_net_forecast){.hosts = hosts, .host = calloc((size_t)hosts, sizeof *forecast->host)};
    return forecast->host != NULL;
}

void ordo_net_forecast_free(struct ordo_net_forecast *forecast)
{
    free(forecast->host);
}

/* Advances the state of a host. The rate of an offset is the difference of two rates that change. */
static void advance_forecast(struct ordo_net_forecast_host *host, double span_ps)
{
    const double walk = 2 * wander_per_s * wander_per_s * 1e-12; /* variance per ps */
    host->offset_ps += host->rate * span_ps;
    host->offset_variance += span_ps * (2 * host->covariance + span_ps * (host->rate_variance + walk * span_ps / 3));
    host->covariance += span_ps * (host->rate_variance + walk * span_ps / 2);
    host->rate_variance += walk * span_ps;
}

static void measure_offset(struct ordo_net_forecast_host *host, double offset_ps, double variance)
{
    double gain = host->offset_variance / (host->offset_variance + variance);
    double rate_gain = host->covariance / (host->offset_variance + variance), off_ps = offset_ps - host->offset_ps;
    host->offset_ps += gain * off_ps;
    host->rate += rate_gain * off_ps;
    host->rate_variance -= rate_gain * host->covariance;
    host->covariance *= 1 - gain;
    host->offset_variance *= 1 - gain;
}

static void measure_rate(struct ordo_net_forecast_host *host, double rate, double variance)
{
    double gain = host->rate_variance / (host->rate_variance + variance), off = rate - host->rate;
    double offset_gain = host->covariance / (host->rate_variance + variance);
    host->rate += gain * off;
    host->offset_ps += offset_gain * off;
    host->offset_variance -= offset_gain * host->covariance;
    host->covariance *= 1 - gain;
    host->rate_variance *= 1 - gain;
}

/* Returns the variance of an offset after the network effect, at the instant of the last ordo_net_window_at. */
static double variance_of(const struct ordo_net_window *window)
{
    double squares = 0;
    int used = 0;
    for (int i = 0; i < window->mesh->edges; i++) {
        const struct ordo_net_edge *edge = &window->mesh->edge[i];
        if (!window->used[i])
            continue;
        used++;
        squares += pow(window->offset_ps[i] - window->potential_ps[edge->b] + window->potential_ps[edge->a], 2);
    }
    int loops = used - window->joined + 1;
    return floor_ps * floor_ps + (loops > 0 ? squares / loops * (window->joined - 1) / used : 0);
}

static void take_host(struct ordo_net_forecast_host *host, double offset_ps, double rate, double variance,
                      double window_ps)
{
    double rate_variance = 12 * variance / (window_ps * window_ps);
    if (host->windows++ > 0) {
        measure_offset(host, offset_ps, variance);
        measure_rate(host, rate, rate_variance);
    } else
        *host = (struct ordo_net_forecast_host){1, offset_ps, rate, variance, 0, rate_variance};
}

bool ordo_net_forecast_take(struct ordo_net_forecast *forecast, struct ordo_net_window *window, int64_t end_ps,
                            int64_t window_ps)
{
    int64_t middle_ps = end_ps - window_ps / 2;
    double *middle = calloc((size_t)forecast->hosts, sizeof *middle);
    bool made = middle && ordo_net_window_at(window, middle_ps);
    for (int i = 0; made && i < forecast->hosts; i++)
        middle[i] = window->potential_ps[i];
    double variance = made ? variance_of(window) : 0;
    made = made && ordo_net_window_at(window, end_ps);
    for (int i = 0; made && i < forecast->hosts; i++)
        if (forecast->host[i].windows > 0)
            advance_forecast(&forecast->host[i], (double)(middle_ps - forecast->at_ps));
    forecast->at_ps = middle_ps;
    for (int i = 1; made && i < window->joined; i++) {
        int host = window->order[i];
        double rate = (window->potential_ps[host] - middle[host]) / (double)(end_ps - middle_ps);
        take_host(&forecast->host[host], middle[host], rate, variance, (double)window_ps);
    }
    free(middle);
    return made;
}

bool ordo_net_forecast_at(const struct ordo_net_forecast *forecast, int host, int64_t at_ps, double *offset_ps)
{
    const struct ordo_net_forecast_host *at = &forecast->host[host];
    *offset_ps = at->offset_ps + at->rate * (double)(at_ps - forecast->at_ps);
    return at->windows > 1;
}
