#include "lab/net/huygens/huygens.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lab/net/huygens/forecast.h"
#include "lab/net/huygens/probes.h"
#include "net/window/window.h"

enum { JUDGEMENTS_IN_WINDOW = 20, MOMENTS = 2 * JUDGEMENTS_IN_WINDOW };

struct run {
    const struct ordo_net_huygens *huygens;
    struct ordo_net_mesh mesh;
    struct ordo_net_probes probes;
    struct ordo_net_window window;
    struct ordo_net_forecast forecast;
    struct ordo_net_claims claims, afterwards; /* `afterwards`: see struct ordo_net_huygens */
    int64_t window_ps;
    int64_t moment_ps[MOMENTS]; /* true times at which this window is judged */
    int moments, alarm;         /* `alarm`: token of the alarm that ends a window; lower tokens are those of flows */
    struct ordo_net_edge_errors errors;
    bool full;
};

struct ordo_net_huygens ordo_net_huygens_defaults(void)
{
    return (struct ordo_net_huygens){
        .estimator = ordo_net_offset_estimator_find("svm"),
        .coded = true,
        .balanced = true,
        .peers = 10,
        .window_ms = 2000,
        .every_us = 250,
        .spacing_ns = 100,
        .tolerance_ns = 24,
    };
}

/* Claims the offsets of a window that is over. */
static void claim_window(const struct run *run, struct ordo_net_claims *claims, const struct ordo_net *net,
                         int64_t true_ps)
{
    const struct ordo_net_window *window = &run->window;
    for (int i = 1; i < window->joined; i++) {
        int host = window->order[i];
        const struct ordo_interval *bound = window->bounds.sound ? &window->bounds.potential[host] : NULL;
        ordo_net_claim(claims, net, host, true_ps, window->potential_ps[host], bound);
    }
}

/* Claims the offsets that were forecast before this window. */
static void claim_forecast(struct run *run, const struct ordo_net *net, int64_t true_ps)
{
    int64_t at_ps = ordo_net_clock_true(net, 0, true_ps);
    double offset_ps;
    for (int host = 1; host < run->mesh.hosts; host++)
        if (ordo_net_forecast_at(&run->forecast, host, at_ps, &offset_ps))
            ordo_net_claim(&run->claims, net, host, true_ps, offset_ps, NULL);
}

static void claim_at(struct run *run, const struct ordo_net *net, int64_t true_ps)
{
    struct ordo_net_window *window = &run->window;
    if (!ordo_net_window_at(window, ordo_net_clock_true(net, 0, true_ps))) {
        run->full = true;
        return;
    }
    if (run->huygens->real_time)
        claim_forecast(run, net, true_ps);
    if (!run->huygens->real_time || run->huygens->afterwards)
        claim_window(run, run->huygens->real_time ? &run->afterwards : &run->claims, net, true_ps);
    ordo_net_edge_errors_add(&run->errors, net, window, true_ps);
}

static void end_window(struct run *run, const struct ordo_net *net)
{
    for (int i = 0; i < run->mesh.edges && !run->full; i++) {
        struct ordo_net_samples samples = ordo_net_probes_of(&run->probes, i);
        run->full = !ordo_net_window_take(&run->window, i, &samples, run->huygens->estimator);
    }
    ordo_net_window_close(&run->window);
    ordo_net_edge_errors_begin(&run->errors, net, run->moment_ps, run->moments);
    for (int i = 0; i < run->moments && !run->full; i++)
        claim_at(run, net, run->moment_ps[i]);
    if (run->huygens->real_time && !run->full)
        run->full = !ordo_net_forecast_take(&run->forecast, &run->window, ordo_net_clock_now(net, 0), run->window_ps);
    run->moments = 0;
    ordo_net_window_forget(&run->window);
    ordo_net_probes_forget(&run->probes);
}

static void arrive_huygens(void *context, struct ordo_net *net, const struct ordo_net_packet *packet, int64_t stamp_ps)
{
    struct run *run = context;
    (void)net;
    ordo_net_probes_arrive(&run->probes, packet, stamp_ps);
}

static void wake_huygens(void *context, struct ordo_net *net, int host, int token)
{
    struct run *run = context;
    (void)host;
    if (token < run->alarm) {
        ordo_net_probes_wake(&run->probes, net, token);
        return;
    }
    end_window(run, net);
    ordo_net_wake(net, 0, run->window_ps, run->alarm);
}

static void judge_windows(void *context, struct ordo_net *net, int64_t true_ps)
{
    struct run *run = context;
    (void)net;
    if (run->moments < MOMENTS)
        run->moment_ps[run->moments++] = true_ps;
}

static bool prepare_huygens(struct run *run, const struct ordo_net_options *options)
{
    const struct ordo_net_huygens *huygens = run->huygens;
    const struct ordo_net_probe_plan plan = {
        .coded = huygens->coded,
        .every_ps = huygens->every_us * INT64_C(1000000),
        .spacing_ps = huygens->spacing_ns * INT64_C(1000),
        .tolerance_ps = huygens->tolerance_ns * INT64_C(1000),
        .seed = options->traffic.seed,
    };
    int windows = (int)ceil(options->seconds * 1000 / huygens->window_ms);
    run->window_ps = (int64_t)(options->seconds * 1e12 / windows);
    if (!ordo_net_mesh_make(&run->mesh, options->hosts, huygens->peers, options->traffic.seed) ||
        !ordo_net_probes_make(&run->probes, &run->mesh, &plan) || !ordo_net_window_make(&run->window, &run->mesh) ||
        !ordo_net_forecast_make(&run->forecast, options->hosts) ||
        !ordo_net_edge_errors_make(&run->errors, options->hosts))
        return false;
    run->alarm = 2 * run->mesh.edges;
    run->window.balanced = huygens->balanced;
    return true;
}

/* Returns the limits. The rate of an offset is the difference of the rates of two clocks, each near 1. It is therefore
 * less than the sum of their limits plus a thousandth of this sum. */
static struct ordo_net_limits limits_of(const struct ordo_net_clock_options *clock)
{
    const struct ordo_net_stamp_error stamp = ordo_net_clock_stamp_error(clock);
    return (struct ordo_net_limits){
        .rate = 2.002e-9 * ordo_net_clock_rate_ppb(clock),
        .change = 2.002e-9 * ordo_net_clock_change_ppb(clock),
        .stamp_ps = stamp.late_ps + stamp.early_ps,
    };
}

static void release(struct run *run)
{
    ordo_net_edge_errors_free(&run->errors);
    ordo_net_window_free(&run->window);
    ordo_net_forecast_free(&run->forecast);
    ordo_net_probes_free(&run->probes);
    ordo_net_mesh_free(&run->mesh);
    ordo_net_claims_free(&run->claims);
    ordo_net_claims_free(&run->afterwards);
}

static struct ordo_net_edges describe_edges(const struct run *run)
{
    struct ordo_net_edges edges = {.edges = run->mesh.edges};
    edges.kept = (double)run->probes.kept / (double)run->probes.pairs;
    ordo_net_edge_errors_describe(&run->errors, &edges);
    edges.theory = sqrt((run->mesh.hosts - 1.0) / run->mesh.edges);
    return edges;
}

static int play_huygens(struct run *run, struct ordo_net *net, struct ordo_error *error)
{
    static const struct ordo_net_protocol_calls calls = {arrive_huygens, wake_huygens, judge_windows};
    run->window.limits = limits_of(&ordo_net_options_of(net)->clock);
    ordo_net_probes_start(&run->probes, net);
    ordo_net_wake(net, 0, run->window_ps + 1, run->alarm); /* just after the last judgement of the window */
    int code = ordo_net_run(net, &calls, run, run->window_ps / JUDGEMENTS_IN_WINDOW, error);
    if (!code)
        end_window(run, net);
    if (!code && (run->full || run->probes.full))
        code = ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "huygens: out of memory");
    return code;
}

int ordo_net_huygens_run(const struct ordo_net_options *options, const struct ordo_net_huygens *huygens,
                         struct ordo_net_score *score, struct ordo_net_edges *edges, struct ordo_error *error)
{
    struct run run = {.huygens = huygens};
    struct ordo_error own = {0};
    struct ordo_net *net = ordo_net_new(options, error ? error : &own);
    if (!net)
        return error ? error->code : own.code;
    int code = ORDO_OK;
    if (!prepare_huygens(&run, options))
        code = ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "huygens: out of memory");
    if (!code)
        code = play_huygens(&run, net, error);
    if (!code)
        code = ordo_net_score_make(score, &run.claims, net, error);
    if (!code && huygens->real_time && huygens->afterwards)
        code = ordo_net_score_make(huygens->afterwards, &run.afterwards, net, error);
    if (!code)
        *edges = describe_edges(&run);
    release(&run);
    ordo_net_free(net);
    return code;
}
