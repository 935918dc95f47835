#include "net/live/asker.h"

#include "base/minmax.h"

enum { MOST_TRIES = 14 };

static const int64_t least_patience_ns = 10000000, most_patience_ns = 250000000;

/* Sends the question once more, or gives up after MOST_TRIES. Each try has its own number, because a host accepts each
 * number only once. */
static void try_again(struct ordo_net_port *port, struct ordo_net_asked *host, int64_t now_ns)
{
    if (host->tries == MOST_TRIES) {
        host->waiting = false;
        host->silent = true;
        return;
    }
    host->question.session = host->question.kind == ORDO_NET_HELLO ? host->client : host->session;
    host->question.number = ++host->number;
    host->question.key = host->key;
    (void)ordo_net_port_send(port, &host->address, &host->question, NULL);
    if (host->tries == 0)
        host->sent_ns = now_ns;
    host->again_ns = now_ns + ordo_min(host->patience_ns << ordo_min(host->tries, 5), most_patience_ns);
    host->tries++;
}

static void begin_host(struct ordo_net_asked *host)
{
    host->waiting = true;
    host->tries = 0;
    host->first = host->number + 1;
    host->again_ns = 0;
    host->patience_ns = ordo_max(host->patience_ns, least_patience_ns);
}

/* Learns the timeout of a host: twice the time of an answer. After several tries it is unknown which try was answered
 * (P. Karn, C. Partridge, SIGCOMM 1987), so the timeout is doubled instead. */
static void learn_patience(struct ordo_net_asked *host)
{
    int64_t took_ns = ordo_net_port_now_ns() - host->sent_ns;
    host->patience_ns = ordo_min(host->tries == 1 ? 2 * took_ns : 2 * host->patience_ns, most_patience_ns);
}

/* Sends all questions that are due. Returns the time of the next try; INT64_MAX: no host owes an answer. */
static int64_t ask_due(struct ordo_net_port *port, struct ordo_net_asked *hosts, int count,
                       const struct ordo_net_asking *asking)
{
    int64_t now_ns = ordo_net_port_now_ns(), next_ns = INT64_MAX;
    for (int i = 0; i < count; i++) {
        struct ordo_net_asked *host = &hosts[i];
        if (!host->waiting && !host->silent && !host->slow && asking->next(asking->context, i, &host->question))
            begin_host(host);
        if (host->waiting && host->again_ns <= now_ns)
            try_again(port, host, now_ns);
        if (host->waiting)
            next_ns = ordo_min(next_ns, host->again_ns);
    }
    return next_ns;
}

static bool is_answer(const struct ordo_net_asked *host, const struct ordo_net_message *message,
                      const struct ordo_net_arrival *arrival)
{
    return host->waiting && ordo_net_address_same(&host->address, &arrival->from) &&
           message->kind == host->question.kind + 1 && message->session == host->question.session &&
           message->key == host->key && message->number >= host->first && message->number <= host->number;
}

static void take_answers(struct ordo_net_port *port, struct ordo_net_asked *hosts, int count,
                         const struct ordo_net_asking *asking, const struct ordo_net_message *message,
                         const struct ordo_net_arrival *arrival)
{
    for (int i = 0; i < count; i++)
        if (is_answer(&hosts[i], message, arrival)) {
            hosts[i].waiting = false;
            learn_patience(&hosts[i]);
            hosts[i].silent = !asking->answered(asking->context, i, message);
            return;
        }
    ordo_net_port_refuse(port, ordo_net_is_question(message->kind) ? ORDO_NET_SESSION : ORDO_NET_UNEXPECTED);
}

static bool is_over(const struct ordo_net_asking *asking)
{
    return (asking->stopped && asking->stopped()) || (asking->until_ns && ordo_net_port_now_ns() >= asking->until_ns);
}

void ordo_net_ask(struct ordo_net_port *port, struct ordo_net_asked *hosts, int count,
                  const struct ordo_net_asking *asking)
{
    struct ordo_net_message message;
    struct ordo_net_arrival arrival;
    int64_t next_ns;
    while (!is_over(asking) && (next_ns = ask_due(port, hosts, count, asking)) < INT64_MAX) {
        ordo_net_port_wait(port, next_ns);
        for (int i = 0, got; i < ORDO_NET_AT_A_TIME && (got = ordo_net_port_receive(port, &message, &arrival)) >= 0;
             i++)
            if (got > 0)
                take_answers(port, hosts, count, asking, &message, &arrival);
    }
    for (int i = 0; i < count; i++) {
        hosts[i].waiting = false;
        if (asking->until_ns && !hosts[i].silent)
            hosts[i].slow = hosts[i].slow || asking->next(asking->context, i, &message);
    }
}

static bool next_hello(void *context, int host, struct ordo_net_message *question)
{
    const struct ordo_net_asked *hosts = context;
    *question = (struct ordo_net_message){.kind = ORDO_NET_HELLO};
    return hosts[host].anew;
}

static bool welcomed(void *context, int host, const struct ordo_net_message *answer)
{
    struct ordo_net_asked *asked = (struct ordo_net_asked *)context + host;
    asked->session = answer->welcome.session;
    asked->anew = false;
    asked->now_ns = answer->welcome.now_ns;
    asked->now_at_ns = ordo_net_port_now_ns();
    asked->now_took_ns = asked->now_at_ns - asked->sent_ns;
    asked->clock = (enum ordo_net_clock)answer->welcome.clock;
    asked->stamps = (enum ordo_net_stamps)answer->welcome.stamps;
    return asked->session != 0;
}

bool ordo_net_ask_in(struct ordo_net_port *port, struct ordo_net_asked *hosts, int count, bool (*stopped)(void))
{
    const struct ordo_net_asking asking = {hosts, next_hello, welcomed, stopped, 0};
    for (int i = 0; i < count; i++) {
        if (hosts[i].client == 0 && !ordo_net_secret(&hosts[i].client))
            return false;
        hosts[i].anew = true;
    }
    ordo_net_ask(port, hosts, count, &asking);
    return true;
}
