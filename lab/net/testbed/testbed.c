#include "lab/net/testbed/testbed.h"

#include <math.h>
#include <string.h>

enum { NTP_POLL_MS = 8000, PTP_SYNC_MS = 1000, JUDGEMENTS = 30000, CHECK_BYTES = 4 };

/* The parameters of the jitter models, fitted as testbed.h describes. */
enum { WAKING_NS = 35000, JITTER_NS = 32000, READ_NS = 1005 };

static const double tolerance = 0.25;

#define FITTED ORDO_NET_TESTBED_FITTED
#define PREDICTED ORDO_NET_TESTBED_PREDICTED
#define LEFT ORDO_NET_TESTBED_LEFT

static const struct ordo_net_testbed_row published[ORDO_NET_TESTBED_ROWS] = {
    {"ntp", 0, {17500, 8400, 23000, 30000, 35000}, {0}, {FITTED, FITTED, PREDICTED, PREDICTED, PREDICTED}},
    {"ptp", 1, {-230.8, 2010}, {0}, {LEFT, PREDICTED}},
    {"ptp", 6, {-9.2, 753}, {0}, {LEFT, PREDICTED}},
    {"ptp", 12, {16.1, 513.7, 500, 970, 1320}, {0}, {LEFT, FITTED, PREDICTED, PREDICTED, PREDICTED}},
    {"ptp", 18, {101.6, 458.7}, {0}, {LEFT, PREDICTED}},
    {"ptp", 24, {23.6, 488.5}, {0}, {LEFT, PREDICTED}},
};

static bool is_ntp(const char *protocol)
{
    return strcmp(protocol, "ntp") == 0;
}

struct ordo_net_options ordo_net_testbed_network(int hosts, double seconds, uint64_t seed)
{
    struct ordo_net_options options = ordo_net_defaults();
    options.shape = ORDO_NET_STAR;
    options.hosts = hosts;
    options.seconds = seconds;
    options.clock.outlier_chance = 0;
    options.traffic.load = 0;
    options.traffic.gbps = 0.1;
    options.traffic.seed = seed;
    return options;
}

struct ordo_net_ntp ordo_net_testbed_ntp(void)
{
    struct ordo_net_ntp ntp = ordo_net_ntp_defaults();
    ntp.poll_ms = NTP_POLL_MS;
    ntp.stamps = (struct ordo_net_stamps){.software = true, .jitter_ns = JITTER_NS, .waking_ns = WAKING_NS};
    ntp.judgements = JUDGEMENTS;
    return ntp;
}

struct ordo_net_ptp ordo_net_testbed_ptp(int system_hz)
{
    struct ordo_net_ptp ptp = ordo_net_ptp_defaults();
    ptp.sync_ms = PTP_SYNC_MS;
    ptp.system_hz = system_hz;
    ptp.read_ns = READ_NS;
    ptp.judgements = JUDGEMENTS;
    return ptp;
}

static int run_protocol(const struct ordo_net_options *options, const char *protocol, int system_hz, int judgements,
                        struct ordo_net_score *score, struct ordo_error *error)
{
    struct ordo_net_ntp ntp = ordo_net_testbed_ntp();
    struct ordo_net_ptp ptp = ordo_net_testbed_ptp(system_hz);
    ntp.judgements = ptp.judgements = judgements;
    return is_ntp(protocol) ? ordo_net_ntp_run(options, &ntp, score, NULL, error)
                            : ordo_net_ptp_run(options, &ptp, score, NULL, error);
}

int ordo_net_testbed_run(struct ordo_net_testbed_row rows[ORDO_NET_TESTBED_ROWS], double seconds, uint64_t seed,
                         struct ordo_error *error)
{
    const struct ordo_net_options options = ordo_net_testbed_network(2, seconds, seed);
    int code = ORDO_OK;
    for (int i = 0; i < ORDO_NET_TESTBED_ROWS && !code; i++) {
        struct ordo_net_score score;
        rows[i] = published[i];
        code = run_protocol(&options, rows[i].protocol, rows[i].system_hz, JUDGEMENTS, &score, error);
        if (code)
            break;
        const double simulated_ns[] = {score.mean_signed_ns, score.stddev_ns, score.p75_ns, score.p95_ns, score.p99_ns};
        memcpy(rows[i].simulated_ns, simulated_ns, sizeof simulated_ns);
    }
    return code;
}

double ordo_net_testbed_error(const struct ordo_net_testbed_row *row, enum ordo_net_testbed_figure figure)
{
    return row->simulated_ns[figure] / row->published_ns[figure] - 1;
}

bool ordo_net_testbed_holds(const struct ordo_net_testbed_row *row, enum ordo_net_testbed_figure figure)
{
    return row->use[figure] == ORDO_NET_TESTBED_ABSENT || row->use[figure] == ORDO_NET_TESTBED_LEFT ||
           fabs(ordo_net_testbed_error(row, figure)) <= tolerance;
}

/* Returns the bytes per second that a server sends and receives independently of its clients. each_of returns the bytes
 * per second for each client. */
static double fixed_of(const char *protocol)
{
    return is_ntp(protocol) ? 0 : 90 + 90; /* Sync, Follow_Up */
}

static double each_of(const char *protocol)
{
    return is_ntp(protocol) ? (90 + 94) / 8.0 : 86 + 100; /* query and reply every 8 s; Delay_Req and Delay_Resp */
}

/* Simulates longer with few clients, because they ask at random times. */
int ordo_net_testbed_count(struct ordo_net_testbed_traffic traffic[ORDO_NET_TESTBED_CLIENTS], const char *protocol,
                           uint64_t seed, struct ordo_error *error)
{
    static const int clients[ORDO_NET_TESTBED_CLIENTS] = {1, 2, 5, 10, 20, 50, 100};
    int code = ORDO_OK;
    for (int i = 0; i < ORDO_NET_TESTBED_CLIENTS && !code; i++) {
        const struct ordo_net_options options =
            ordo_net_testbed_network(clients[i] + 1, fmax(8000.0 / clients[i], 80), seed);
        struct ordo_net_score score = {.hosts = 0};
        code = run_protocol(&options, protocol, 0, 200, &score, error);
        const struct ordo_net_meter *served = &score.served;
        double bytes = (double)(served->sent_bytes + served->came_bytes + CHECK_BYTES * served->sent_packets);
        traffic[i] = (struct ordo_net_testbed_traffic){
            .clients = clients[i],
            .arithmetic = fixed_of(protocol) + each_of(protocol) * clients[i],
            .announce = is_ntp(protocol) ? 0 : 110 / 2.0,
            .counted = bytes / served->seconds,
        };
    }
    return code;
}

double ordo_net_testbed_clients(const char *protocol, double link_bits_per_second, double share)
{
    return floor((link_bits_per_second / 8 * share - fixed_of(protocol)) / each_of(protocol));
}
