#include "net/live/agent.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "net/live/guests.h"
#include "net/live/prober.h"

/* An edge that a guest has ordered. It exists until its lease ends. */
struct edge {
    uint64_t session; /* session of the guest; 0: the slot is free */
    uint32_t number;
    int64_t until_ns;
    struct ordo_net_prober prober;
};

struct ordo_net_agent {
    struct ordo_net_port port;
    struct ordo_net_guests guests;
    struct ordo_net_claims *claims; /* NULL: the agent tells no claims */
    struct edge edge[ORDO_NET_AGENT_EDGES];
};

/* A question, with the facts that its answer needs. */
struct question {
    const struct ordo_net_message *message;
    const struct ordo_net_arrival *arrival;
    struct ordo_net_guest *guest;
    int64_t now_ns;
};

struct ordo_net_agent *ordo_net_agent_new(const struct ordo_net_port *port, int per_second)
{
    struct ordo_net_agent *agent = calloc(1, sizeof *agent);
    if (agent) {
        agent->port = *port;
        agent->guests.per_second = per_second;
    }
    return agent;
}

void ordo_net_agent_tell(struct ordo_net_agent *agent, struct ordo_net_claims *claims)
{
    agent->claims = claims;
}

static void drop(struct edge *edge)
{
    if (edge->session)
        ordo_net_prober_free(&edge->prober);
    edge->session = 0;
}

void ordo_net_agent_free(struct ordo_net_agent *agent)
{
    for (int i = 0; agent && i < ORDO_NET_AGENT_EDGES; i++)
        drop(&agent->edge[i]);
    if (agent) {
        ordo_net_claims_free(agent->claims);
        ordo_net_socket_close(&agent->port.socket);
        ordo_net_keys_forget(&agent->port.keys);
    }
    free(agent);
}

const struct ordo_net_port *ordo_net_agent_port(const struct ordo_net_agent *agent)
{
    return &agent->port;
}

static struct edge *find_edge(struct ordo_net_agent *agent, uint64_t session, uint32_t number)
{
    for (int i = 0; i < ORDO_NET_AGENT_EDGES; i++)
        if (agent->edge[i].session == session && (!session || agent->edge[i].number == number))
            return &agent->edge[i];
    return NULL;
}

static struct edge *begin_edge(struct ordo_net_agent *agent, uint64_t session, const struct ordo_net_order *order)
{
    struct ordo_net_address to;
    struct edge *edge = find_edge(agent, 0, 0);
    if (!edge)
        return NULL;
    ordo_net_address_take(&to, order);
    if (!ordo_net_prober_make(&edge->prober, &to, order->every_us * INT64_C(1000), order->spacing_ns)) {
        ordo_net_prober_free(&edge->prober);
        return NULL;
    }
    edge->prober.key = order->key;
    edge->session = session;
    edge->number = order->edge;
    return edge;
}

/* Executes an order. If the edge exists, renews its lease. A lease of 0 seconds ends the edge. */
static void obey(struct ordo_net_agent *agent, const struct question *question, struct ordo_net_message *answer)
{
    const struct ordo_net_order *order = &question->message->order;
    struct edge *edge = find_edge(agent, question->guest->session, order->edge);
    answer->order = *order;
    answer->order.done = ORDO_NET_DONE;
    if (order->lease_s == 0) {
        if (edge)
            drop(edge);
        return;
    }
    bool has_key = ordo_net_keys_find(&agent->port.keys, order->key) >= 0;
    if (!edge && has_key)
        edge = begin_edge(agent, question->guest->session, order);
    answer->order.done = edge ? ORDO_NET_DONE : has_key ? ORDO_NET_NO_PLACE : ORDO_NET_NO_KEY;
    if (edge)
        edge->until_ns = question->now_ns + order->lease_s * INT64_C(1000000000);
}

static bool deliver(struct ordo_net_agent *agent, const struct question *question, struct ordo_net_message *answer)
{
    const struct edge *edge = find_edge(agent, question->guest->session, question->message->harvest.edge);
    if (!edge)
        return false;
    const struct ordo_net_prober *prober = &edge->prober;
    uint64_t oldest = prober->closed > ORDO_NET_KEPT_PAIRS ? prober->closed - ORDO_NET_KEPT_PAIRS : 0;
    uint64_t first = question->message->harvest.first;
    first = first < oldest ? oldest : first > prober->closed ? prober->closed : first;
    answer->harvest.edge = question->message->harvest.edge;
    answer->harvest.first = first;
    answer->harvest.count = (uint16_t)ordo_min((int64_t)(prober->closed - first), ORDO_NET_MOST_PAIRS);
    for (unsigned i = 0; i < answer->harvest.count; i++)
        answer->harvest.pair[i] = prober->kept[(first + i) % ORDO_NET_KEPT_PAIRS];
    return true;
}

static void tally(const struct ordo_net_agent *agent, struct ordo_net_message *answer)
{
    memcpy(answer->count, agent->port.refused, sizeof agent->port.refused);
    answer->count[ORDO_NET_REFUSALS] = agent->port.accepted;
}

/* False: the claims are still being read, so the question gets no answer. */
static bool tell_claims(struct ordo_net_agent *agent, const struct question *question, struct ordo_net_message *answer)
{
    answer->claims.first = question->message->claims.first;
    return !agent->claims || ordo_net_claims_give(agent->claims, question->message->claims.first, answer);
}

static void send_answer(struct ordo_net_agent *agent, const struct question *question,
                        const struct ordo_net_message *answer)
{
    if (!ordo_net_port_send(&agent->port, &question->arrival->from, answer, NULL))
        ordo_net_port_refuse(&agent->port, ORDO_NET_UNANSWERED);
}

/* Sends a pong with a reading of the clock just before it leaves. The stamp of its departure is known only later: the
 * pong to a later ping has this stamp. */
static void send_pong(struct ordo_net_agent *agent, const struct question *question, struct ordo_net_message *pong)
{
    struct ordo_net_guest *guest = question->guest;
    uint64_t about = question->message->about, number = question->message->number;
    int64_t before_ns;
    if (guest->left[about % ORDO_NET_DEPARTURES].number == about)
        pong->pong.about_ns = guest->left[about % ORDO_NET_DEPARTURES].left_ns;
    pong->pong.received_ns = question->arrival->came_ns;
    pong->pong.fine = question->arrival->fine;
    pong->pong.returned_ns = ordo_net_socket_now_ns(&agent->port.socket);
    if (!ordo_net_port_send(&agent->port, &question->arrival->from, pong, &before_ns)) {
        ordo_net_port_refuse(&agent->port, ORDO_NET_UNANSWERED);
        return;
    }
    guest->left[number % ORDO_NET_DEPARTURES].number = number;
    guest->left[number % ORDO_NET_DEPARTURES].left_ns =
        agent->port.socket.stamps == ORDO_NET_BY_PROCESS ? before_ns : 0;
}

static void welcome(struct ordo_net_agent *agent, const struct question *question, struct ordo_net_message *answer)
{
    answer->welcome.session = question->guest->session;
    answer->welcome.now_ns = question->arrival->came_ns;
    answer->welcome.clock = (uint8_t)agent->port.socket.clock;
    answer->welcome.stamps = (uint8_t)agent->port.socket.stamps;
    send_answer(agent, question, answer);
}

static void answer_question(struct ordo_net_agent *agent, struct question *question)
{
    enum ordo_net_refusal refusal;
    struct ordo_net_message answer = {.kind = (enum ordo_net_kind)(question->message->kind + 1),
                                      .key = question->message->key,
                                      .session = question->message->session,
                                      .number = question->message->number};
    bool hello = question->message->kind == ORDO_NET_HELLO;
    question->guest = (hello ? ordo_net_guests_welcome : ordo_net_guests_admit)(&agent->guests, question->message,
                                                                                question->now_ns, &refusal);
    if (!question->guest) {
        ordo_net_port_refuse(&agent->port, refusal);
        return;
    }
    if (hello) {
        welcome(agent, question, &answer);
    } else if (question->message->kind == ORDO_NET_PING) {
        send_pong(agent, question, &answer);
    } else if (question->message->kind == ORDO_NET_COLLECT && !deliver(agent, question, &answer)) {
        ordo_net_port_refuse(&agent->port, ORDO_NET_UNEXPECTED);
    } else if (question->message->kind != ORDO_NET_CLAIMS || tell_claims(agent, question, &answer)) {
        if (question->message->kind == ORDO_NET_ORDER)
            obey(agent, question, &answer);
        if (question->message->kind == ORDO_NET_COUNT)
            tally(agent, &answer);
        send_answer(agent, question, &answer);
    }
}

static void take_message(struct ordo_net_agent *agent, const struct ordo_net_message *message,
                         const struct ordo_net_arrival *arrival)
{
    struct question question = {message, arrival, NULL, ordo_net_port_now_ns()};
    if (ordo_net_is_question(message->kind)) {
        answer_question(agent, &question);
        return;
    }
    for (int i = 0; i < ORDO_NET_AGENT_EDGES; i++)
        if (agent->edge[i].session && ordo_net_prober_take(&agent->edge[i].prober, &agent->port, message, arrival))
            return;
    ordo_net_port_refuse(&agent->port, ORDO_NET_UNEXPECTED);
}

static void note_departure(struct ordo_net_agent *agent, const struct ordo_net_departure *departure)
{
    struct ordo_net_guest *guest = ordo_net_guests_find(&agent->guests, departure->session);
    if (departure->kind == ORDO_NET_PONG && guest &&
        guest->left[departure->number % ORDO_NET_DEPARTURES].number == departure->number)
        guest->left[departure->number % ORDO_NET_DEPARTURES].left_ns = departure->left_ns;
    for (int i = 0; departure->kind == ORDO_NET_PING && i < ORDO_NET_AGENT_EDGES; i++)
        if (agent->edge[i].session && ordo_net_prober_departed(&agent->edge[i].prober, departure))
            return;
}

static void take_all(struct ordo_net_agent *agent)
{
    struct ordo_net_message message;
    struct ordo_net_arrival arrival;
    struct ordo_net_departure departure;
    int got = 0;
    while (ordo_net_port_departed(&agent->port, &departure))
        note_departure(agent, &departure);
    for (int i = 0; i < ORDO_NET_AT_A_TIME && (got = ordo_net_port_receive(&agent->port, &message, &arrival)) >= 0; i++)
        if (got > 0)
            take_message(agent, &message, &arrival);
}

/* Sends all probes that are due, and drops edges whose lease has ended. Returns the time of the next probe. */
static int64_t act(struct ordo_net_agent *agent, int64_t now_ns)
{
    int64_t next_ns = INT64_MAX;
    for (int i = 0; i < ORDO_NET_AGENT_EDGES; i++) {
        struct edge *edge = &agent->edge[i];
        if (edge->session && now_ns > edge->until_ns)
            drop(edge);
        if (!edge->session)
            continue;
        if (edge->prober.next_ns <= now_ns)
            ordo_net_prober_act(&edge->prober, &agent->port, now_ns);
        next_ns = ordo_min(next_ns, edge->prober.next_ns);
    }
    return next_ns;
}

void ordo_net_agent_step(struct ordo_net_agent *agent, int64_t until_ns)
{
    int64_t next_ns = act(agent, ordo_net_port_now_ns());
    ordo_net_port_wait(&agent->port, ordo_min(next_ns, until_ns));
    take_all(agent);
}
