#include "lab/net/ntp/ntp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/plural.h"
#include "base/random.h"
#include "lab/net/servo/steered.h"

enum { FILTER = 8, BYTES = 90 /* 48 of NTP, 8 of UDP, 20 of IPv4, 14 of Ethernet */ };

/* The words of a packet: the stratum of the answering host (0: it is a question), and stamps. An answer contains the time
 * at which the question left, the time at which the question came, the amount by which the server's time is ahead of the
 * stamp with which the answer left, and the root distance of the server. */
enum { STRATUM, ASKED, CAME, AHEAD, DISTANCE };

/* The share of an offset that the loop removes at once, and the share that it turns into a rate, relative to the time
 * between two exchanges. The damping is 1, so the loop does not oscillate. */
static const double proportional = 0.25, integral = 0.015625;

struct exchange {
    int64_t at_ps; /* reading of the host's clock when the answer came */
    double offset_ps;
    int64_t delay_ps;
};

/** A client's knowledge of one server. */
struct association {
    struct ordo_net_ntp_upstream upstream;
    struct exchange last[FILTER];
    int exchanges;
    int64_t used_ps; /* time of the last exchange that steered the clock; no exchange steers it twice */
    struct ordo_interval proved;
    int64_t proved_at_ps;
    struct ordo_net_packet held; /* an answer that its server holds back */
};

struct client {
    struct association *of; /* by server; with peers, by the index of an upstream */
    int ways, stratum;      /* number of associations */
    bool set;               /* the clock was steered at least once */
    int64_t used_ps;        /* time of the latest exchange, of any server, that steered the clock */
    struct ordo_net_steered clock;
};

struct run {
    const struct ordo_net_ntp *ntp;
    int hosts;
    struct client *clients;
    struct association *associations;
    int64_t receiver_ps[ORDO_NET_NTP_SERVERS]; /* the error of the receiver of each server */
    uint64_t selections, rejected[ORDO_NET_NTP_SERVERS], undecided;
    struct ordo_net_claims claims;
    double limit;     /* largest rate of an offset */
    int64_t stamp_ps; /* largest error of a difference of two stamps */
    uint64_t random;  /* random state of stamps in software */
};

struct ordo_net_ntp ordo_net_ntp_defaults(void)
{
    return (struct ordo_net_ntp){.poll_ms = 125,
                                 .servers = 1,
                                 .reference_ns = 100,
                                 .wrong_us = 1000,
                                 .stamps = ordo_net_stamps_defaults(),
                                 .judgements = 200};
}

static bool is_false(const struct ordo_net_ntp *ntp, int server)
{
    return server >= ntp->servers - ntp->false_servers;
}

/* Returns by how much a server's time is ahead of its free clock now. */
static int64_t ahead_ps(const struct run *run, const struct ordo_net *net, int server)
{
    if (server >= run->ntp->servers)
        return -llround(ordo_net_steered_ahead(&run->clients[server].clock, ordo_net_clock_now(net, server)));
    int64_t true_ps = ordo_net_clock_now(net, 0) - ordo_net_clock_now(net, server);
    int64_t wrong_ps = is_false(run->ntp, server) ? run->ntp->wrong_us * INT64_C(1000000) : 0;
    return true_ps + run->receiver_ps[server] + wrong_ps;
}

static const struct exchange *shortest(const struct association *association)
{
    int known = association->exchanges < FILTER ? association->exchanges : FILTER;
    const struct exchange *best = &association->last[0];
    for (int i = 1; i < known; i++)
        if (association->last[i].delay_ps < best->delay_ps)
            best = &association->last[i];
    return best;
}

static int64_t moved_ps(const struct run *run, int64_t from_ps, int64_t to_ps)
{
    return (int64_t)ceil(run->limit * (double)(to_ps - from_ps)) + 1;
}

static int64_t reference_ps(const struct run *run, int server)
{
    return server > 0 ? run->ntp->reference_ns * INT64_C(1000) : 0;
}

static bool bound_of(const struct run *run, const struct client *client, int64_t now_ps, struct ordo_interval *bound);

/* Returns the root distance of a host that is asked: how far its time may be from that of host 0. */
static int64_t distance_ps(const struct run *run, const struct ordo_net *net, int host)
{
    if (host < run->ntp->servers)
        return reference_ps(run, host);
    const struct client *client = &run->clients[host];
    int64_t now_ps = ordo_net_clock_now(net, host);
    int64_t said_ps = llround(ordo_net_steered_ahead(&client->clock, now_ps));
    struct ordo_interval bound = {0, 0};
    if (!bound_of(run, client, now_ps, &bound))
        return 0;
    return 1 + ordo_max(ordo_max(said_ps - bound.low, bound.high - said_ps), 0);
}

/* Updates the proved interval. In the exchange, the true offset was within half the round trip of the measured offset;
 * since then it has changed no faster than the limit. The old and the new interval both contain the true offset, and so
 * does their intersection. */
static void prove(const struct run *run, struct association *association, const struct exchange *exchange,
                  int64_t asked_ps)
{
    int64_t unsure_ps = run->stamp_ps + association->upstream.distance_ps + moved_ps(run, asked_ps, exchange->at_ps);
    int64_t half_ps = exchange->delay_ps / 2 + 1 + unsure_ps, middle_ps = llround(exchange->offset_ps);
    struct ordo_interval now = {middle_ps - half_ps, middle_ps + half_ps};
    int64_t older_ps = moved_ps(run, association->proved_at_ps, exchange->at_ps);
    struct ordo_interval before = {association->proved.low - older_ps, association->proved.high + older_ps};
    association->proved = association->exchanges > 1 ? ordo_interval_intersect(now, before) : now;
    association->proved_at_ps = exchange->at_ps;
}

/* Collects the present offset of the steered clock from each server that has answered. Sets `which` to these servers,
 * and returns their number. */
static int gather_sources(const struct run *run, const struct client *client, int64_t at_ps,
                          struct ordo_net_ntp_source *sources, int *which)
{
    int count = 0;
    for (int server = 0; server < run->ntp->servers; server++) {
        const struct exchange *best = shortest(&client->of[server]);
        if (client->of[server].exchanges == 0)
            continue;
        int64_t unsure_ps = run->stamp_ps + client->of[server].upstream.distance_ps + moved_ps(run, best->at_ps, at_ps);
        which[count] = server;
        sources[count++] = (struct ordo_net_ntp_source){
            .offset_ps = best->offset_ps - ordo_net_steered_ahead(&client->clock, best->at_ps),
            .distance_ps = (double)(best->delay_ps / 2 + unsure_ps)};
    }
    return count;
}

static void count_selection(struct run *run, const struct ordo_net_ntp_source *sources, const int *which, int count,
                            bool agreed)
{
    run->selections++;
    run->undecided += !agreed;
    for (int i = 0; agreed && i < count; i++)
        run->rejected[which[i]] += !sources[i].believed;
}

/* Sets *left_ps to the amount by which the steered clock is ahead of the chosen upstream. Returns false if the answer was
 * of another upstream. */
static bool ask_upstream(struct client *client, const struct association *answered, double *left_ps)
{
    struct ordo_net_ntp_upstream upstreams[ORDO_NET_NTP_SERVERS];
    for (int i = 0; i < client->ways; i++)
        upstreams[i] = client->of[i].upstream;
    int chosen = ordo_net_ntp_choose(upstreams, client->ways);
    if (chosen < 0 || answered != &client->of[chosen])
        return false;
    const struct exchange *best = shortest(answered);
    client->stratum = upstreams[chosen].stratum + 1;
    *left_ps = best->offset_ps - ordo_net_steered_ahead(&client->clock, best->at_ps);
    return true;
}

/* Sets *left_ps to the amount by which the steered clock is ahead, combined from the believed servers. Returns false if
 * too few servers have answered, or if no majority agrees. */
static bool ask_all(struct run *run, const struct client *client, int64_t at_ps, double *left_ps)
{
    struct ordo_net_ntp_source sources[ORDO_NET_NTP_SERVERS];
    struct ordo_net_ntp_common common;
    int which[ORDO_NET_NTP_SERVERS], count = gather_sources(run, client, at_ps, sources, which);
    if (2 * count <= run->ntp->servers)
        return false;
    bool agreed = ordo_net_ntp_select(sources, count, &common);
    count_selection(run, sources, which, count, agreed);
    if (agreed)
        *left_ps = ordo_net_ntp_combine(sources, count, &common);
    return agreed;
}

/* Returns the shortest allowed time between two exchanges that steer the clock. The exchanges of several servers may be
 * close together; an exchange that comes too early does not steer the clock. */
static int64_t pause_ps(const struct ordo_net_ntp *ntp)
{
    return ntp->servers > 1 ? ntp->poll_ms * INT64_C(1000000000) / (2 * ntp->servers) : 1;
}

static void steer(struct run *run, struct client *client, struct association *association, int64_t at_ps)
{
    const struct exchange *best = shortest(association);
    double left_ps = 0, step_ps = 0, rate = client->clock.rate;
    if (!(run->ntp->peers ? ask_upstream(client, association, &left_ps) : ask_all(run, client, at_ps, &left_ps)))
        return;
    bool is_new = best->at_ps > association->used_ps && best->at_ps - client->used_ps >= pause_ps(run->ntp);
    if (!client->set)
        step_ps = left_ps;
    else if (is_new) {
        rate += integral * left_ps / (double)(best->at_ps - client->used_ps);
        step_ps = proportional * left_ps;
    }
    association->used_ps = ordo_max(association->used_ps, best->at_ps);
    if (!client->set || is_new)
        client->used_ps = ordo_max(client->used_ps, best->at_ps);
    client->set = true;
    ordo_net_steered_turn(&client->clock, at_ps, step_ps, rate);
}

static struct association *association_with(const struct client *client, int host)
{
    int i = 0;
    while (i < client->ways - 1 && client->of[i].upstream.host != host)
        i++;
    return &client->of[i];
}

/* Takes an answer. Offset = client - server, as everywhere in Ordo; RFC 5905 has the opposite sign. */
static void learn_offset(struct run *run, struct client *client, const struct ordo_net_packet *answer, int64_t stamp_ps)
{
    int64_t left_ps = answer->sent_ps + answer->words[AHEAD];
    double there_ps = (double)(answer->words[ASKED] - answer->words[CAME]), back_ps = (double)(stamp_ps - left_ps);
    struct association *association = association_with(client, answer->from);
    struct exchange exchange = {stamp_ps, (there_ps + back_ps) / 2,
                                (stamp_ps - answer->words[ASKED]) - (left_ps - answer->words[CAME])};
    if (answer->words[STRATUM] >= ORDO_NET_NTP_UNSYNCHRONISED)
        return;
    association->upstream.stratum = (int)answer->words[STRATUM];
    association->upstream.distance_ps = answer->words[DISTANCE];
    association->last[association->exchanges++ % FILTER] = exchange;
    prove(run, association, &exchange, answer->words[ASKED]);
    steer(run, client, association, stamp_ps);
}

static void answer_ntp(struct run *run, struct ordo_net *net, const struct ordo_net_packet *question, int64_t stamp_ps)
{
    int server = question->to;
    struct ordo_net_packet packet = {.from = server, .to = question->from, .bytes = BYTES, .flow = question->flow};
    packet.words[STRATUM] = server < run->ntp->servers ? 1 : run->clients[server].stratum;
    packet.words[DISTANCE] = distance_ps(run, net, server);
    packet.words[ASKED] = question->sent_ps;
    packet.words[AHEAD] = ahead_ps(run, net, server);
    packet.words[CAME] = stamp_ps + packet.words[AHEAD];
    if (server >= run->ntp->servers || !is_false(run->ntp, server) || run->ntp->late_us == 0) {
        ordo_net_send(net, &packet, 0);
        return;
    }
    run->clients[question->from].of[server].held = packet;
    ordo_net_wake(net, server, run->ntp->late_us * INT64_C(1000000), question->from);
}

static void arrive_ntp(void *context, struct ordo_net *net, const struct ordo_net_packet *packet, int64_t stamp_ps)
{
    struct run *run = context;
    const struct ordo_net_stamps *stamps = &run->ntp->stamps;
    struct ordo_net_packet stamped = *packet;
    stamped.sent_ps = ordo_net_stamps_sent(stamps, packet->sent_ps, &run->random);
    stamp_ps = ordo_net_stamps_came(stamps, packet->to, stamp_ps, &run->random);
    if (packet->words[STRATUM])
        learn_offset(run, &run->clients[packet->to], &stamped, stamp_ps);
    else
        answer_ntp(run, net, &stamped, stamp_ps);
}

/* A client asks the server of the association whose number is the token; a server sends the answer that it held back for the client whose
 * number is the token. */
static void wake_ntp(void *context, struct ordo_net *net, int host, int token)
{
    const struct run *run = context;
    if (host < run->ntp->servers) {
        struct ordo_net_packet held = run->clients[token].of[host].held;
        held.words[AHEAD] -= run->ntp->late_us * INT64_C(1000000);
        ordo_net_send(net, &held, 0);
        return;
    }
    struct ordo_net_packet packet = {.from = host,
                                     .to = run->clients[host].of[token].upstream.host,
                                     .bytes = BYTES,
                                     .flow = (uint32_t)(host + token * run->hosts)};
    ordo_net_send(net, &packet, 0);
    ordo_net_wake(net, host, run->ntp->poll_ms * INT64_C(1000000000), token);
}

static bool bound_of(const struct run *run, const struct client *client, int64_t now_ps, struct ordo_interval *bound)
{
    struct ordo_interval proved[ORDO_NET_NTP_SERVERS];
    int count = 0;
    for (int server = 0; server < client->ways; server++) {
        const struct association *association = &client->of[server];
        int64_t wider_ps = moved_ps(run, association->proved_at_ps, now_ps);
        if (association->exchanges > 0)
            proved[count++] =
                (struct ordo_interval){association->proved.low - wider_ps, association->proved.high + wider_ps};
    }
    return ordo_net_ntp_prove(proved, count, (run->ntp->servers - 1) / 2, bound);
}

static void judge_clients(void *context, struct ordo_net *net, int64_t true_ps)
{
    struct run *run = context;
    for (int host = run->ntp->servers; host < run->hosts; host++) {
        const struct client *client = &run->clients[host];
        int64_t now_ps = ordo_net_clock_now(net, host);
        struct ordo_interval bound;
        bool bounded = bound_of(run, client, now_ps, &bound);
        if (client->set)
            ordo_net_claim(&run->claims, net, host, true_ps, ordo_net_steered_ahead(&client->clock, now_ps),
                           bounded ? &bound : NULL);
    }
}

/* Starts the hosts. The hosts ask one after the other, spread evenly over the time between two exchanges. Each host
 * also spreads its questions to the servers evenly over this time. */
static void start_ntp(struct run *run, struct ordo_net *net)
{
    int64_t poll_ps = run->ntp->poll_ms * INT64_C(1000000000);
    for (int host = run->ntp->servers; host < run->hosts; host++)
        for (int way = 0; way < run->clients[host].ways; way++)
            ordo_net_wake(net, host, poll_ps / run->hosts * host + poll_ps / run->clients[host].ways * way, way);
}

static int refuse_ntp(const struct ordo_net_options *options, const struct ordo_net_ntp *ntp, struct ordo_error *error)
{
    if (ntp->servers >= options->hosts)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "ntp: %d server%s among %d hosts: leave one that asks",
                              ntp->servers, ordo_plural(ntp->servers), options->hosts);
    if (ntp->false_servers > ntp->servers)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "ntp: %d false of %d server%s: take at most all",
                              ntp->false_servers, ntp->servers, ordo_plural(ntp->servers));
    if (ntp->peers > 0 && ntp->servers > 1)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "ntp: peers=%d and servers=%d: strata have one server, leave 'servers' out", ntp->peers,
                              ntp->servers);
    if (ntp->late_us >= ntp->poll_ms * INT64_C(1000))
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "ntp: answers leave %d us late, and the next question comes after %d ms: take less",
                              ntp->late_us, ntp->poll_ms);
    return ORDO_OK;
}

static bool allocate_clients(struct run *run)
{
    size_t hosts = (size_t)run->hosts, ways = (size_t)ordo_max(run->ntp->servers, run->ntp->peers);
    run->clients = calloc(hosts, sizeof *run->clients);
    run->associations = calloc(hosts * ways, sizeof *run->associations);
    for (size_t host = 0; run->clients && run->associations && host < hosts; host++)
        run->clients[host].of = &run->associations[host * ways];
    return run->clients && run->associations;
}

/* Chooses the hosts that each host asks. */
static void link_clients(struct run *run, uint64_t seed)
{
    uint64_t random = seed ^ UINT64_C(0x73747261);
    for (int host = 0; host < run->hosts; host++) {
        struct client *client = &run->clients[host];
        int picked[ORDO_NET_NTP_SERVERS] = {0, 1, 2, 3, 4, 5, 6, 7};
        client->ways = run->ntp->servers;
        client->stratum = ORDO_NET_NTP_UNSYNCHRONISED;
        if (run->ntp->peers > 0)
            client->ways = ordo_net_ntp_pick(host, run->ntp->peers, &random, picked);
        for (int i = 0; i < client->ways; i++)
            client->of[i].upstream.host = picked[i];
    }
}

/* Sets the errors of the receivers: 0 for host 0, and a random error within the declared largest error for every other
 * server. */
static void tune_receivers(struct run *run, uint64_t seed)
{
    uint64_t random = seed ^ UINT64_C(0x676e7373);
    for (int server = 1; server < run->ntp->servers; server++)
        run->receiver_ps[server] = (int64_t)((2 * ordo_random_unit(&random) - 1) * (double)reference_ps(run, server));
}

/* Counts the hosts of each stratum. Host h asks only hosts before h, so their shortest paths are known before its own. */
static void describe_strata(const struct run *run, struct ordo_net_ntp_outcome *outcome)
{
    int *paths = calloc((size_t)run->hosts, sizeof *paths);
    for (int host = 0; paths && host < run->hosts; host++) {
        const struct client *client = &run->clients[host];
        int stratum = host ? client->stratum : 1;
        paths[host] = host ? ORDO_NET_NTP_UNSYNCHRONISED : 1;
        for (int i = 0; i < client->ways; i++)
            paths[host] = ordo_min(paths[host], paths[client->of[i].upstream.host] + 1);
        outcome->clocks[stratum]++;
        outcome->shortest += stratum == paths[host];
    }
    free(paths);
}

static struct ordo_net_ntp_outcome describe_ntp(const struct run *run)
{
    struct ordo_net_ntp_outcome outcome = {.servers = run->ntp->servers, .false_servers = run->ntp->false_servers};
    uint64_t decided = run->selections - run->undecided;
    for (int server = 0; server < outcome.servers && decided > 0; server++)
        outcome.rejected[server] = (double)run->rejected[server] / (double)decided;
    outcome.undecided = run->selections ? (double)run->undecided / (double)run->selections : 0;
    if (run->ntp->peers > 0 && run->clients)
        describe_strata(run, &outcome);
    return outcome;
}

static int play_ntp(struct run *run, struct ordo_net *net, struct ordo_net_score *score, struct ordo_error *error)
{
    static const struct ordo_net_protocol_calls calls = {arrive_ntp, wake_ntp, judge_clients};
    const struct ordo_net_options *options = ordo_net_options_of(net);
    tune_receivers(run, options->traffic.seed);
    link_clients(run, options->traffic.seed);
    start_ntp(run, net);
    int code = ordo_net_run(net, &calls, run, (int64_t)(options->seconds * 1e12 / run->ntp->judgements), error);
    if (!code && 2 * run->undecided > run->selections) /* an undecided selection does not steer the clock */
        return ordo_error_set(
            error, ORDO_E_MEASURE, 0,
            "ntp: in %.1f%% of the selections no majority of the %d server%s agreed, so the clocks ran "
            "free: give more servers, or fewer false ones",
            100.0 * (double)run->undecided / (double)run->selections, run->ntp->servers,
            ordo_plural(run->ntp->servers));
    return code ? code : ordo_net_score_make(score, &run->claims, net, error);
}

int ordo_net_ntp_run(const struct ordo_net_options *options, const struct ordo_net_ntp *ntp,
                     struct ordo_net_score *score, struct ordo_net_ntp_outcome *outcome, struct ordo_error *error)
{
    const struct ordo_net_stamp_error stamp = ordo_net_clock_stamp_error(&options->clock);
    struct run run = {.ntp = ntp,
                      .hosts = options->hosts,
                      .limit = 2.002e-9 * ordo_net_clock_rate_ppb(&options->clock),
                      .stamp_ps = stamp.late_ps + stamp.early_ps,
                      .random = options->traffic.seed ^ UINT64_C(0x6e7470)};
    struct ordo_error own = {0};
    int code = refuse_ntp(options, ntp, error);
    if (code)
        return code;
    struct ordo_net *net = ordo_net_new(options, error ? error : &own);
    if (!net)
        return error ? error->code : own.code;
    code = allocate_clients(&run) ? play_ntp(&run, net, score, error)
                                  : ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "ntp: out of memory");
    if (outcome)
        *outcome = describe_ntp(&run);
    ordo_net_claims_free(&run.claims);
    free(run.clients);
    free(run.associations);
    ordo_net_free(net);
    return code;
}
