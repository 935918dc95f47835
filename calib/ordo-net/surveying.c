#include "ordo-net/surveying.h"

#include "base/time.h"
#include "common/duration.h"
#include "net/graph/liars.h"
#include "net/live/prober.h"
#include "ordo-net/ending.h"

enum { MOST_SETS = 10000 }; /* largest number of sets of liars, which takes some seconds of computing for each window */

static const int64_t second_ns = 1000000000;

struct surveying surveying_defaults(const char *window)
{
    struct surveying surveying = {.window = window, .patience = "10s", .every_us = 5000};
    surveying.survey = (struct ordo_net_survey_options){
        .peers = 10, .tolerance_ns = 2000, .rate_ppm = 500, .stamp_ns = 100, .seed = 1, .stopped = ending_asked};
    return surveying;
}

/* Checks that a window does not have too many pairs per edge. A host keeps only ORDO_NET_KEPT_PAIRS of them until they
 * are collected. */
static void check_pace(const struct argp_state *state, const struct ordo_net_survey_options *survey, int64_t later_ns)
{
    enum { KEPT = ORDO_NET_KEPT_PAIRS * 3 / 4 };
    int64_t kept_ns = survey->window_ns + later_ns;
    if (kept_ns / survey->every_ns > KEPT)
        cli_wrong(state, "--every-us: a host keeps %d pairs of an edge: take %lld or more, or a shorter --window", KEPT,
                  (long long)(kept_ns / KEPT / 1000 + 1));
}

void surveying_finish(struct surveying *surveying, const struct argp_state *state, int most_s, int64_t later_ns)
{
    struct ordo_net_survey_options *survey = &surveying->survey;
    if (!surveying->peers)
        cli_wrong(state, "no hosts: give --peers FILE or --peers HOST,HOST,...");
    if (!surveying->key)
        cli_wrong(state, "no key: give --key FILE, the same as the agents have");
    survey->window_ns = cli_duration(state, "--window", surveying->window, second_ns / 20, most_s * second_ns);
    survey->patience_ns = cli_duration(state, "--patience", surveying->patience, 5 * second_ns, 600 * second_ns);
    survey->every_ns = surveying->every_us * INT64_C(1000);
    check_pace(state, survey, later_ns);
}

static int check_keys(const struct ordo_net_keys *keys, const struct peers *peers, const char *path,
                      struct ordo_error *error)
{
    for (int i = 0; i < peers->count; i++)
        if (ordo_net_keys_find(keys, peers->key[i]) < 0)
            return ordo_error_set(error, ORDO_E_INVALID, 0,
                                  "'%.60s': %.60s has no key %u: add it, or give the number of another key",
                                  peers->name[i], path, (unsigned)peers->key[i]);
    return ORDO_OK;
}

static int check_liars(int liars, int hosts, struct ordo_error *error)
{
    if (ordo_net_liars_sets(hosts, liars) <= MOST_SETS)
        return ORDO_OK;
    return ordo_error_set(
        error, ORDO_E_INVALID, 0,
        "--liars %d of %d hosts: more than %d possible sets of liars: allow fewer liars, or survey fewer hosts", liars,
        hosts, MOST_SETS);
}

int surveying_open(const struct surveying *surveying, struct ordo_net_port *port, struct peers *peers,
                   struct ordo_error *error)
{
    int code = ordo_net_keys_read(&port->keys, surveying->key, error), family = AF_INET;
    if (!code)
        code = peers_read(peers, surveying->peers, error);
    if (!code)
        code = check_keys(&port->keys, peers, surveying->key, error);
    if (!code)
        code = check_liars(surveying->survey.liars, peers->count, error);
    for (int i = 0; !code && i < peers->count; i++)
        if (peers->address[i].socket.any.sa_family == AF_INET6)
            family = AF_INET6;
    return code ? code : ordo_net_socket_open(&port->socket, NULL, family, ORDO_NET_MONOTONIC, error);
}

double surveying_now_s(void)
{
    return (double)ordo_time_ns(CLOCK_REALTIME) / 1e9;
}

int surveying_fail(const char *program, int code, const struct ordo_error *error)
{
    return cli_fail(code == ORDO_E_INVALID                               ? EXIT_USAGE
                    : code == ORDO_E_MEASURE || code == ORDO_E_CANCELLED ? EXIT_UNKNOWN
                                                                         : EXIT_INTERNAL,
                    program, error->text);
}
