#include "lab/net/dtp/dtp.h"

#include <errno.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/random.h"
#include "lab/net/dtp/programs.h"

enum {
    JUDGE = -1,
    POLL = -1,
    JUDGEMENTS = 200,
    PER_HOP = 4,
    ACCESS_TICKS = 4,
    APART_AT_FIRST = 1000000,
    JOIN_EVERY = 8
};

#define FAR_AT_FIRST (INT64_C(1) << 60)

struct run {
    const struct ordo_net_dtp *dtp;
    struct ordo_net_shape shape;
    struct ordo_net_phy *phy;
    struct ordo_net_dtp_device *devices;
    struct ordo_net_dtp_port *ports; /* by link: the port that the link leaves */
    struct ordo_net_dtp_precision precision;
    struct ordo_net_dtp_programs programs;
    int *turns;   /* by link: beacons of the port so far */
    int64_t *met; /* by node: its counter at met_fs */
    struct ordo_net_claims claims;
    double limit_ppb;
    int64_t bound_ticks, met_fs, end_fs;
    uint64_t random;
};

struct ordo_net_dtp ordo_net_dtp_defaults(void)
{
    return (struct ordo_net_dtp){
        .beacon_ticks = 200, .alpha = 3, .ticks = 10000000, .smooth = 10, .poll_us = 1000, .jitter_ns = 50};
}

static int64_t tick_of(const struct run *run, int node)
{
    return ordo_net_oscillator_ticks(ordo_net_phy_oscillator(run->phy, node), ordo_net_phy_now_fs(run->phy));
}

static void wake_at_tick(const struct run *run, int link, int64_t tick)
{
    int node = run->shape.link[link].from;
    ordo_net_phy_wake(run->phy, ordo_net_oscillator_at(ordo_net_phy_oscillator(run->phy, node), tick), node, link);
}

static void send_dtp(const struct run *run, int link, enum ordo_net_dtp_kind kind, int64_t value)
{
    int64_t bits = (int64_t)ordo_net_dtp_encode(kind, (uint64_t)value);
    ordo_net_phy_send(run->phy, link, &(struct ordo_net_word){.values = {bits, ordo_net_phy_now_fs(run->phy)}});
}

/* Handles a message at a port. `port_link` is the link that leaves the port. */
static void hear_message(struct run *run, int port_link, int64_t tick, enum ordo_net_dtp_kind kind, uint64_t low)
{
    struct ordo_net_dtp_port *port = &run->ports[port_link];
    if (kind == ORDO_NET_DTP_INIT)
        send_dtp(run, port_link, ORDO_NET_DTP_INIT_ACK, (int64_t)low); /* T1 */
    else if (kind == ORDO_NET_DTP_INIT_ACK) {
        ordo_net_dtp_measure(port, run->dtp->alpha, tick, ordo_net_dtp_nearest(port->local + tick, low));
        uint64_t after = ordo_random_next(&run->random) % (uint64_t)run->dtp->beacon_ticks;
        wake_at_tick(run, port_link, tick + 1 + (int64_t)after);
    } else if (kind == ORDO_NET_DTP_MSB)
        port->upper = (int64_t)(low << ORDO_NET_DTP_HALF_BITS);
    else if (kind == ORDO_NET_DTP_JOIN && port->known && port->upper >= 0) {
        ordo_net_dtp_beacon(port, tick, port->upper + (int64_t)low);
        port->joined = port->local + tick - port->upper - (int64_t)low < INT64_C(1) << (ORDO_NET_DTP_HALF_BITS - 2);
    } else if (kind == ORDO_NET_DTP_BEACON && (port->joined || run->dtp->first != ORDO_NET_DTP_FAR)) /* D3 */
        ordo_net_dtp_beacon(port, tick, ordo_net_dtp_nearest(port->local + tick, low));
}

/* D3: sends the message of a port whose beacon is due. If the peer may be far away, an MSB and a JOIN take the places of
 * two beacons of each `JOIN_EVERY`. */
static void send_beacon(struct run *run, int link, int64_t counter)
{
    static const int64_t half = INT64_C(1) << ORDO_NET_DTP_HALF_BITS;
    int turn = run->dtp->first == ORDO_NET_DTP_FAR ? run->turns[link]++ % JOIN_EVERY : JOIN_EVERY;
    if (turn == 0 && counter % half < half - (INT64_C(1) << 30))
        send_dtp(run, link, ORDO_NET_DTP_MSB, counter >> ORDO_NET_DTP_HALF_BITS);
    else
        send_dtp(run, link, turn == 1 ? ORDO_NET_DTP_JOIN : ORDO_NET_DTP_BEACON, counter);
}

static void report_message(const struct run *run, int port_link, int64_t tick, const struct ordo_net_word *word)
{
    const struct ordo_net_link *link = ordo_net_phy_link(run->phy, port_link);
    const struct ordo_net_dtp_heard heard = {.sent_fs = word->values[1],
                                             .came_fs = ordo_net_phy_now_fs(run->phy),
                                             .from = link->to,
                                             .to = link->from,
                                             .bits = (uint64_t)word->values[0],
                                             .wire_fs = ordo_net_phy_delay_fs(run->phy, port_link ^ 1),
                                             .back_fs = ordo_net_phy_delay_fs(run->phy, port_link),
                                             .port = &run->ports[port_link],
                                             .local = run->ports[port_link].local + tick,
                                             .global = run->devices[link->from].global + tick};
    if (run->dtp->heard)
        run->dtp->heard(run->dtp->context, &heard);
}

static void arrive_dtp(void *context, struct ordo_net_phy *phy, int link, const struct ordo_net_word *word)
{
    struct run *run = context;
    int node = ordo_net_phy_link(phy, link)->to, back = link ^ 1;
    int64_t tick = tick_of(run, node);
    enum ordo_net_dtp_kind kind;
    uint64_t low;
    if (!ordo_net_dtp_decode((uint64_t)word->values[0], &kind, &low))
        return;
    hear_message(run, back, tick, kind, low);
    if (ordo_net_dtp_is_ahead(&run->ports[back], &run->devices[node])) {
        ordo_net_dtp_precision_move(&run->precision, node);
        run->devices[node].global = run->ports[back].local;
    }
    report_message(run, back, tick, word);
}

/* Reads a counter as the chosen reader does, in ticks since `base`. Returns false if a daemon cannot tell the time
 * yet. */
static bool read_counter(struct run *run, int node, int64_t true_fs, int64_t base, double *ticks)
{
    int64_t counter = ordo_net_dtp_counter(&run->precision, node, true_fs);
    double error = 0;
    if (run->dtp->access == ORDO_NET_DTP_SOFTWARE)
        error = ACCESS_TICKS * (2 * ordo_random_unit(&run->random) - 1);
    bool known = run->dtp->access != ORDO_NET_DTP_DAEMON ||
                 ordo_net_dtp_programs_read(&run->programs, node, true_fs, counter, &error);
    *ticks = (double)(counter - base) + error;
    return known;
}

/* Judges every host's claim that its counter equals that of host 0. With daemons nothing is promised. */
static void judge_device(struct run *run)
{
    const double tick_ps = ORDO_NET_DTP_PERIOD_FS * 1e-3;
    int64_t now_fs = ordo_net_phy_now_fs(run->phy);
    int64_t access = run->dtp->access == ORDO_NET_DTP_SOFTWARE ? 2 * ACCESS_TICKS : 0;
    int64_t bound_ps = (int64_t)((double)(run->bound_ticks + access) * tick_ps);
    int64_t base = ordo_net_dtp_counter(&run->precision, 0, now_fs);
    double first, other;
    for (int host = 1; read_counter(run, 0, now_fs, base, &first) && host < run->shape.hosts; host++)
        if (read_counter(run, host, now_fs, base, &other))
            ordo_net_claim_error(&run->claims, now_fs / 1000, (other - first) * tick_ps,
                                 run->dtp->access == ORDO_NET_DTP_DAEMON ? -1 : bound_ps);
    for (int node = 0; now_fs == run->met_fs && node < run->shape.nodes; node++)
        run->met[node] = ordo_net_dtp_counter(&run->precision, node, now_fs);
}

static void poll_counter(struct run *run, int node)
{
    int64_t now_fs = ordo_net_phy_now_fs(run->phy);
    ordo_net_dtp_programs_poll(&run->programs, node, now_fs, ordo_net_dtp_counter(&run->precision, node, now_fs));
    ordo_net_phy_wake(run->phy, now_fs + run->dtp->poll_us * INT64_C(1000000000), node, POLL);
}

static void wake_device(void *context, struct ordo_net_phy *phy, int node, int link)
{
    struct run *run = context;
    (void)phy;
    if (node == JUDGE) {
        judge_device(run);
        return;
    }
    if (link == POLL) {
        poll_counter(run, node);
        return;
    }
    struct ordo_net_dtp_port *port = &run->ports[link];
    int64_t tick = tick_of(run, node);
    if (!port->known) {
        send_dtp(run, link, ORDO_NET_DTP_INIT, ordo_net_dtp_init(&run->devices[node], port, tick)); /* T0 */
        return;
    }
    send_beacon(run, link, run->devices[node].global + tick); /* T3 */
    wake_at_tick(run, link, tick + run->dtp->beacon_ticks);
}

static void set_oscillators(const struct run *run)
{
    double fastest_ppb = run->limit_ppb + run->dtp->fault_ppm * 1e3;
    if (run->dtp->extreme || run->dtp->fault_ppm > 0)
        ordo_net_phy_oscillator(run->phy, 0)->period_fs = ordo_net_phy_period_fs(ORDO_NET_DTP_PERIOD_FS, fastest_ppb);
    for (int node = 1; run->dtp->extreme && node < run->shape.nodes; node++)
        ordo_net_phy_oscillator(run->phy, node)->period_fs =
            ordo_net_phy_period_fs(ORDO_NET_DTP_PERIOD_FS, -run->limit_ppb);
}

/* The links come up at random times within one beacon interval, and the counters begin at random values. */
static void start_links(struct run *run)
{
    int64_t interval_fs = run->dtp->beacon_ticks * (int64_t)ORDO_NET_DTP_PERIOD_FS;
    int64_t begin = run->dtp->first == ORDO_NET_DTP_WRAP ? (INT64_C(1) << ORDO_NET_DTP_HALF_BITS) - APART_AT_FIRST : 0;
    int64_t apart = run->dtp->first == ORDO_NET_DTP_FAR ? FAR_AT_FIRST : APART_AT_FIRST;
    set_oscillators(run);
    for (int node = 0; node < run->shape.nodes; node++)
        run->devices[node].global = begin + (int64_t)(ordo_random_next(&run->random) % (uint64_t)apart);
    for (int link = 0; link < run->shape.links; link += 2) {
        int64_t up_fs = (int64_t)(ordo_random_unit(&run->random) * (double)interval_fs);
        for (int end = link; end <= link + 1; end++)
            wake_at_tick(run, end,
                         ordo_net_oscillator_next(ordo_net_phy_oscillator(run->phy, run->shape.link[end].from), up_fs));
    }
    for (int i = 0; i < JUDGEMENTS; i++)
        ordo_net_phy_wake(run->phy, run->met_fs + (run->end_fs - run->met_fs) / JUDGEMENTS * i, JUDGE, 0);
    for (int node = 0; run->dtp->access == ORDO_NET_DTP_DAEMON && node < run->shape.hosts; node++)
        ordo_net_phy_wake(run->phy, run->met_fs, node, POLL);
}

/* Plans the run. The counters have met when the largest counter has reached every device, which takes one beacon for
 * each hop. met_fs allows four hops more for the start. */
static int plan(struct run *run, const struct ordo_net_options *options, struct ordo_error *error)
{
    int64_t longest_fs = (options->delay_ns + options->asymmetry_ns) * INT64_C(1000000);
    int64_t hop_fs = (run->dtp->beacon_ticks + 8) * (int64_t)ORDO_NET_DTP_PERIOD_FS + 4 * longest_fs;
    double most_fs = (double)run->dtp->ticks * ORDO_NET_DTP_PERIOD_FS;
    run->end_fs = (int64_t)(options->seconds * 1e15 < most_fs ? options->seconds * 1e15 : most_fs);
    hop_fs *= run->dtp->first == ORDO_NET_DTP_FAR ? JOIN_EVERY + 2 : 1;
    run->bound_ticks = PER_HOP * run->shape.hops;
    double met_fs = (run->shape.hops + 4) * (double)hop_fs; /* may exceed 64 bits */
    run->met_fs = (int64_t)(met_fs < most_fs ? met_fs : most_fs);
    if (met_fs <= (double)run->end_fs / 2)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MEASURE, 0,
                          "dtp: its counters meet within %.0f ticks, and %.0f are simulated: take more --seconds and "
                          "ticks=N, or shorter intervals",
                          met_fs / ORDO_NET_DTP_PERIOD_FS, (double)run->end_fs / ORDO_NET_DTP_PERIOD_FS);
}

static int make_devices(struct run *run, const struct ordo_net_options *options, struct ordo_error *error)
{
    const struct ordo_net_phy_options physical = {.period_fs = ORDO_NET_DTP_PERIOD_FS,
                                                  .skew_ppb = run->limit_ppb,
                                                  .delay_fs = options->delay_ns * 1000000,
                                                  .asymmetry_fs = options->asymmetry_ns * 1000000,
                                                  .crossing = true,
                                                  .seed = options->traffic.seed};
    int nodes = run->shape.nodes;
    run->phy = ordo_net_phy_new(&physical, nodes, run->shape.links, run->shape.link, error);
    if (!run->phy)
        return ORDO_E_SYSTEM;
    run->devices = calloc((size_t)nodes, sizeof *run->devices);
    run->ports = calloc((size_t)run->shape.links, sizeof *run->ports);
    run->turns = calloc((size_t)run->shape.links, sizeof *run->turns);
    run->met = calloc((size_t)nodes, sizeof *run->met);
    run->precision = (struct ordo_net_dtp_precision){
        .bound_ticks = run->bound_ticks, .since_fs = run->met_fs, .phy = run->phy, .devices = run->devices};
    const struct ordo_net_dtp_programs_options programs = {run->dtp->smooth, run->dtp->jitter_ns,
                                                           options->traffic.seed};
    if (run->devices && run->ports && run->turns && run->met &&
        ordo_net_dtp_programs_make(&run->programs, run->shape.hosts, &programs) &&
        ordo_net_dtp_precision_make(&run->precision, nodes, run->shape.links))
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "dtp: out of memory");
}

static double rate_ppm(double ticks, double span_fs)
{
    return (ticks * ORDO_NET_DTP_PERIOD_FS / span_fs - 1) * 1e6;
}

static void count_rates(const struct run *run, struct ordo_net_counters *counters)
{
    double span_fs = (double)(run->end_fs - run->met_fs), nominal = (double)ORDO_NET_DTP_PERIOD_FS, most = 0;
    for (int node = 0; node < run->shape.nodes; node++) {
        double ppm = (nominal / (double)ordo_net_phy_oscillator(run->phy, node)->period_fs - 1) * 1e6;
        counters->slowest_ppm = node == 0 || ppm < counters->slowest_ppm ? ppm : counters->slowest_ppm;
        counters->fastest_ppm = node == 0 || ppm > counters->fastest_ppm ? ppm : counters->fastest_ppm;
        int64_t counted = ordo_net_dtp_counter(&run->precision, node, run->end_fs) - run->met[node];
        most = (double)counted > most ? (double)counted : most;
    }
    counters->rate_ppm = rate_ppm(most, span_fs);
    counters->limit_ppm = run->limit_ppb * 1e-3;
    /* The limit is widened by half a femtosecond of the period, because periods are rounded to femtoseconds. */
    counters->rate_held =
        rate_ppm(most - (double)run->bound_ticks - 1, span_fs) <= counters->limit_ppm + 0.5e6 / nominal;
}

static void sum_up_dtp(struct run *run, struct ordo_net_counters *counters)
{
    ordo_net_dtp_precision_end(&run->precision);
    *counters = (struct ordo_net_counters){.devices = run->shape.nodes,
                                           .hops = run->shape.hops,
                                           .ticks = (run->end_fs - run->met_fs) / ORDO_NET_DTP_PERIOD_FS,
                                           .worst_ticks = run->precision.worst,
                                           .neighbour_ticks = run->precision.worst_neighbours,
                                           .bound_ticks = run->bound_ticks,
                                           .violations = run->precision.violations};
    count_rates(run, counters);
}

static int simulate_dtp(struct run *run, const struct ordo_net_options *options, struct ordo_net_score *score,
                        struct ordo_net_counters *counters, struct ordo_error *error)
{
    static const struct ordo_net_phy_calls calls = {arrive_dtp, wake_device};
    start_links(run);
    int code = ordo_net_phy_run(run->phy, &calls, run, run->end_fs, error);
    if (code)
        return code;
    sum_up_dtp(run, counters);
    code = ordo_net_score_claims(score, &run->claims, options->hosts, (double)run->end_fs * 1e-15, 0, error);
    score->bound_held = score->bound_held && counters->violations == 0;
    return code;
}

int ordo_net_dtp_run(const struct ordo_net_options *options, const struct ordo_net_dtp *dtp,
                     struct ordo_net_score *score, struct ordo_net_counters *counters, struct ordo_error *error)
{
    struct run run = {.dtp = dtp,
                      .limit_ppb = ordo_net_clock_rate_ppb(&options->clock),
                      .random = options->traffic.seed ^ UINT64_C(0x647470)};
    int code = ordo_net_shape_make(&run.shape, options->shape, options->hosts, error);
    if (code)
        return code;
    code = plan(&run, options, error);
    if (!code)
        code = make_devices(&run, options, error);
    if (!code)
        code = simulate_dtp(&run, options, score, counters, error);
    ordo_net_dtp_precision_free(&run.precision);
    ordo_net_dtp_programs_free(&run.programs);
    ordo_net_claims_free(&run.claims);
    free(run.devices);
    free(run.ports);
    free(run.turns);
    free(run.met);
    ordo_net_phy_free(run.phy);
    ordo_net_shape_free(&run.shape);
    return code;
}
