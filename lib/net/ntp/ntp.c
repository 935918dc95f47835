#include "net/ntp/ntp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/random.h"
#include "net/servo/steered.h"

enum { FILTER = 8, BYTES = 90 /* 48 of NTP, 8 of UDP, 20 of IPv4, 14 of Ethernet */ };

/* The words of a packet: which it is, and stamps. An answer carries back when it was asked, and when the question came. */
enum { IS_ANSWER, ASKED, CAME };

/* The share of an offset that the loop takes out at once, and the share that it turns into a rate, by the time between two
 * exchanges: a damping of 1, so that the loop does not swing. */
static const double proportional = 0.25, integral = 0.015625;

struct exchange {
    int64_t at_ps; /* on the host's clock, when the answer came */
    double offset_ps;
    int64_t delay_ps;
};

struct client {
    struct exchange last[FILTER];
    int exchanges;
    int64_t used_ps; /* the time of the exchange that steered the clock last: none is used twice */
    struct ordo_net_steered clock;
    struct ordo_interval proved; /* at clock.since_ps */
};

struct run {
    const struct ordo_net_ntp *ntp;
    struct client *clients;
    struct ordo_net_claims claims;
    double limit;     /* of the rate of an offset */
    int64_t stamp_ps; /* error of a difference of two stamps */
    uint64_t random;  /* of stamps in software */
};

struct ordo_net_ntp ordo_net_ntp_defaults(void)
{
    return (struct ordo_net_ntp){.poll_ms = 125, .stamps = ordo_net_stamps_defaults(), .judgements = 200};
}

static const struct exchange *shortest(const struct client *client)
{
    int known = client->exchanges < FILTER ? client->exchanges : FILTER;
    const struct exchange *best = &client->last[0];
    for (int i = 1; i < known; i++)
        if (client->last[i].delay_ps < best->delay_ps)
            best = &client->last[i];
    return best;
}

/* The offset lies within half the round trip of the exchange's, and since then has moved no faster than the limit. Both intervals
 * hold, so what they share does. */
static void prove(struct run *run, struct client *client, const struct exchange *exchange, int64_t asked_ps)
{
    int64_t moved_ps = (int64_t)ceil(run->limit * (double)(exchange->at_ps - asked_ps)) + 1;
    int64_t half_ps = exchange->delay_ps / 2 + 1 + run->stamp_ps + moved_ps, middle_ps = llround(exchange->offset_ps);
    struct ordo_interval now = {middle_ps - half_ps, middle_ps + half_ps};
    int64_t older_ps = (int64_t)ceil(run->limit * (double)(exchange->at_ps - client->clock.since_ps)) + 1;
    struct ordo_interval before = {client->proved.low - older_ps, client->proved.high + older_ps};
    client->proved = client->exchanges > 1 ? ordo_interval_intersect(now, before) : now;
}

static void steer(struct client *client, int64_t at_ps)
{
    const struct exchange *best = shortest(client);
    double step_ps = 0, rate = client->clock.rate;
    double left_ps = best->offset_ps - ordo_net_steered_ahead(&client->clock, best->at_ps);
    if (client->exchanges == 1)
        step_ps = left_ps;
    else if (best->at_ps > client->used_ps) {
        rate += integral * left_ps / (double)ordo_max(best->at_ps - client->used_ps, 1);
        step_ps = proportional * left_ps;
    }
    client->used_ps = ordo_max(client->used_ps, best->at_ps);
    ordo_net_steered_turn(&client->clock, at_ps, step_ps, rate);
}

/* Offset = client - server, as everywhere here; RFC 5905 has the opposite sign. */
static void learn(struct run *run, struct client *client, const struct ordo_net_packet *answer, int64_t stamp_ps)
{
    double there_ps = (double)(answer->words[ASKED] - answer->words[CAME]),
           back_ps = (double)(stamp_ps - answer->sent_ps);
    struct exchange exchange = {stamp_ps, (there_ps + back_ps) / 2,
                                (stamp_ps - answer->words[ASKED]) - (answer->sent_ps - answer->words[CAME])};
    client->last[client->exchanges++ % FILTER] = exchange;
    prove(run, client, &exchange, answer->words[ASKED]);
    steer(client, stamp_ps);
}

static void answer(struct ordo_net *net, const struct ordo_net_packet *question, int64_t stamp_ps)
{
    struct ordo_net_packet packet = {
        .from = question->to, .to = question->from, .bytes = BYTES, .flow = question->flow};
    packet.words[IS_ANSWER] = 1;
    packet.words[ASKED] = question->sent_ps;
    packet.words[CAME] = stamp_ps;
    ordo_net_send(net, &packet, 0);
}

static void arrive(void *context, struct ordo_net *net, const struct ordo_net_packet *packet, int64_t stamp_ps)
{
    struct run *run = context;
    const struct ordo_net_stamps *stamps = &run->ntp->stamps;
    struct ordo_net_packet stamped = *packet;
    stamped.sent_ps = ordo_net_stamps_sent(stamps, packet->sent_ps, &run->random);
    stamp_ps = ordo_net_stamps_came(stamps, packet->to, stamp_ps, &run->random);
    if (packet->words[IS_ANSWER])
        learn(run, &run->clients[packet->to], &stamped, stamp_ps);
    else
        answer(net, &stamped, stamp_ps);
}

static void wake(void *context, struct ordo_net *net, int host, int token)
{
    const struct run *run = context;
    struct ordo_net_packet packet = {.from = host, .to = 0, .bytes = BYTES, .flow = (uint32_t)host};
    (void)token;
    ordo_net_send(net, &packet, 0);
    ordo_net_wake(net, host, run->ntp->poll_ms * INT64_C(1000000000), 0);
}

static void judge(void *context, struct ordo_net *net, int64_t true_ps)
{
    struct run *run = context;
    for (int host = 1; host < ordo_net_options_of(net)->hosts; host++) {
        const struct client *client = &run->clients[host];
        int64_t now_ps = ordo_net_clock_now(net, host);
        int64_t moved_ps = (int64_t)ceil(run->limit * (double)(now_ps - client->clock.since_ps)) + 1;
        struct ordo_interval bound = {client->proved.low - moved_ps, client->proved.high + moved_ps};
        if (client->exchanges > 0)
            ordo_net_claim(&run->claims, net, host, true_ps, ordo_net_steered_ahead(&client->clock, now_ps), &bound);
    }
}

/* The hosts ask one after the other, evenly over the time between two exchanges. */
static void start(struct run *run, struct ordo_net *net)
{
    int hosts = ordo_net_options_of(net)->hosts;
    for (int host = 1; host < hosts; host++)
        ordo_net_wake(net, host, run->ntp->poll_ms * INT64_C(1000000000) / hosts * host, 0);
}

int ordo_net_ntp_run(const struct ordo_net_options *options, const struct ordo_net_ntp *ntp,
                     struct ordo_net_score *score, struct ordo_error *error)
{
    static const struct ordo_net_protocol_calls calls = {arrive, wake, judge};
    const struct ordo_net_stamp_error stamp = ordo_net_clock_stamp_error(&options->clock);
    struct run run = {.ntp = ntp,
                      .limit = 2.002e-9 * ordo_net_clock_rate_ppb(&options->clock),
                      .stamp_ps = stamp.late_ps + stamp.early_ps,
                      .random = options->traffic.seed ^ UINT64_C(0x6e7470)};
    struct ordo_error own = {0};
    struct ordo_net *net = ordo_net_new(options, error ? error : &own);
    if (!net)
        return error ? error->code : own.code;
    run.clients = calloc((size_t)options->hosts, sizeof *run.clients);
    int code = run.clients ? ORDO_OK : ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "ntp: out of memory");
    if (!code) {
        start(&run, net);
        code = ordo_net_run(net, &calls, &run, (int64_t)(options->seconds * 1e12 / ntp->judgements), error);
    }
    if (!code)
        code = ordo_net_score_make(score, &run.claims, net, error);
    ordo_net_claims_free(&run.claims);
    free(run.clients);
    ordo_net_free(net);
    return code;
}
