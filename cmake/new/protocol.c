/* Authors, paper, section. Here: every host asks host 0 periodically, and takes the middle of the latest exchange as
 * the time of the answer (F. Cristian, Probabilistic clock synchronization, Distributed Computing 3, 1989). */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/net/protocol/protocol.h"
#include "lab/net/protocol/value.h"

enum { BYTES = 90, JUDGEMENTS = 200 };

/* Indices of the words of a packet. An answer returns the time at which its question was sent (ASKED) and the time at
 * which the question arrived (CAME). */
enum { IS_ANSWER, ASKED, CAME };

struct ordo_net_NAME {
    int every_us;
};

struct run {
    const struct ordo_net_NAME *own;
    double *ahead_ps; /* offset of each host's clock against host 0's; NAN: no answer yet */
    struct ordo_net_claims claims;
};

static struct ordo_net_NAME ordo_net_NAME_defaults(void)
{
    return (struct ordo_net_NAME){.every_us = 1000};
}

ORDO_NET_PROTOCOL_BEGIN(NAME)

static bool take_NAME_option(struct ordo_net_choice *choice, const char *option, const char *value)
{
    struct ordo_net_NAME *own = (struct ordo_net_NAME *)choice->own;
    return strcmp(option, "every-us") == 0 && ordo_net_value_number(value, 10, 1000000, &own->every_us);
}

static void answer_NAME(struct ordo_net *net, const struct ordo_net_packet *question, int64_t stamp_ps)
{
    struct ordo_net_packet packet = {.to = question->from, .bytes = BYTES, .flow = question->flow};
    packet.words[IS_ANSWER] = 1;
    packet.words[ASKED] = question->sent_ps;
    packet.words[CAME] = stamp_ps;
    ordo_net_send(net, &packet, 0);
}

static void arrive_NAME(void *context, struct ordo_net *net, const struct ordo_net_packet *packet, int64_t stamp_ps)
{
    struct run *run = context;
    int64_t there_ps = packet->words[CAME] - packet->words[ASKED], back_ps = stamp_ps - packet->sent_ps;
    if (packet->words[IS_ANSWER])
        run->ahead_ps[packet->to] = (double)(back_ps - there_ps) / 2;
    else
        answer_NAME(net, packet, stamp_ps);
}

static void wake_NAME(void *context, struct ordo_net *net, int host, int token)
{
    struct run *run = context;
    struct ordo_net_packet packet = {.from = host, .bytes = BYTES, .flow = (uint32_t)host};
    ordo_net_send(net, &packet, 0);
    ordo_net_wake(net, host, run->own->every_us * INT64_C(1000000), token);
}

static void judge_NAME(void *context, struct ordo_net *net, int64_t true_ps)
{
    struct run *run = context;
    for (int host = 1; host < ordo_net_options_of(net)->hosts; host++)
        if (!isnan(run->ahead_ps[host]))
            ordo_net_claim(&run->claims, net, host, true_ps, run->ahead_ps[host], NULL);
}

static int play_NAME(struct run *run, struct ordo_net *net, struct ordo_net_score *score, struct ordo_error *error)
{
    static const struct ordo_net_protocol_calls calls = {arrive_NAME, wake_NAME, judge_NAME};
    const struct ordo_net_options *options = ordo_net_options_of(net);
    run->ahead_ps = malloc((size_t)options->hosts * sizeof *run->ahead_ps);
    if (!run->ahead_ps)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "NAME: out of memory");
    for (int host = 0; host < options->hosts; host++) {
        run->ahead_ps[host] = NAN;
        if (host > 0) /* at different times for different hosts */
            ordo_net_wake(net, host, run->own->every_us * INT64_C(1000000) * host / options->hosts, 0);
    }
    int code = ordo_net_run(net, &calls, run, (int64_t)(options->seconds * 1e12 / JUDGEMENTS), error);
    return code ? code : ordo_net_score_make(score, &run->claims, net, error);
}

static int run_NAME(const struct ordo_net_options *options, const struct ordo_net_choice *choice,
                    struct ordo_net_outcome *outcome, struct ordo_error *error)
{
    struct run run = {.own = (const struct ordo_net_NAME *)choice->own};
    struct ordo_error own = {0};
    struct ordo_net *net = ordo_net_new(options, error ? error : &own);
    if (!net)
        return error ? error->code : own.code;
    int code = play_NAME(&run, net, &outcome->score, error);
    free(run.ahead_ps);
    ordo_net_claims_free(&run.claims);
    ordo_net_free(net);
    return code;
}

const struct ordo_net_protocol ordo_net_protocol_NAME = {
    .name = "NAME",
    .title = "one line for people",
    .options = "every-us=10..1000000",
    .begin = begin_NAME,
    .take = take_NAME_option,
    .run = run_NAME,
};
