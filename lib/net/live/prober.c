#include "net/live/prober.h"

#include <stdlib.h>

#include "base/random.h"

static const int64_t hello_every_ns = 50000000, patience_ns = 1000000000;

bool ordo_net_prober_make(struct ordo_net_prober *prober, const struct ordo_net_address *to, int64_t every_ns,
                          int64_t spacing_ns)
{
    *prober = (struct ordo_net_prober){.to = *to, .key = 1, .every_ns = every_ns, .spacing_ns = spacing_ns};
    prober->kept = calloc(ORDO_NET_KEPT_PAIRS, sizeof *prober->kept);
    return prober->kept && ordo_net_secret(&prober->client) && ordo_net_secret(&prober->random);
}

void ordo_net_prober_free(struct ordo_net_prober *prober)
{
    free(prober->kept);
    prober->kept = NULL;
}

static void say_hello(struct ordo_net_prober *prober, struct ordo_net_port *port, int64_t now_ns)
{
    struct ordo_net_message hello = {
        .kind = ORDO_NET_HELLO, .key = prober->key, .session = prober->client, .number = ++prober->hellos};
    (void)ordo_net_port_send(port, &prober->to, &hello, NULL);
    prober->next_ns = now_ns + hello_every_ns;
}

static void close_pair(struct ordo_net_prober *prober, struct ordo_net_open_pair *open)
{
    for (int i = 0; i < 2; i++) {
        struct ordo_net_exchange *exchange = &open->pair.of[i];
        bool came = exchange->received_ns != 0;
        bool there = came && exchange->sent_ns, back = came && exchange->returned_ns && exchange->back_ns;
        exchange->flags = (there ? ORDO_NET_THERE : 0u) | (back ? ORDO_NET_BACK : 0u) |
                          (there && open->sent_fine[i] && open->received_fine[i] ? ORDO_NET_THERE_FINE : 0u) |
                          (back && open->returned_fine[i] && open->back_fine[i] ? ORDO_NET_BACK_FINE : 0u);
    }
    prober->kept[open->number % ORDO_NET_KEPT_PAIRS] = open->pair;
    prober->closed = open->number + 1;
}

static void send_ping(struct ordo_net_prober *prober, struct ordo_net_port *port, struct ordo_net_open_pair *open,
                      int i)
{
    uint64_t number = 2 * open->number + (unsigned)i;
    struct ordo_net_message ping = {.kind = ORDO_NET_PING,
                                    .key = prober->key,
                                    .session = prober->session,
                                    .number = number,
                                    .about = number >= 2 ? number - 2 : UINT64_MAX};
    int64_t before_ns;
    if (!ordo_net_port_send(port, &prober->to, &ping, &before_ns))
        return;
    open->pair.of[i].sent_ns = before_ns;
    open->sent_fine[i] = port->socket.stamps == ORDO_NET_BY_PROCESS;
}

static void wait_until(int64_t until_ns)
{
    while (ordo_net_port_now_ns() < until_ns)
        ;
}

static void send_pair(struct ordo_net_prober *prober, struct ordo_net_port *port, int64_t now_ns)
{
    struct ordo_net_open_pair *open = &prober->open[prober->sent % ORDO_NET_OPEN_PAIRS];
    if (prober->sent >= ORDO_NET_OPEN_PAIRS)
        close_pair(prober, open);
    *open = (struct ordo_net_open_pair){.number = prober->sent++};
    send_ping(prober, port, open, 0);
    if (prober->spacing_ns > 0)
        wait_until(ordo_net_port_now_ns() + prober->spacing_ns);
    send_ping(prober, port, open, 1);
    prober->next_ns = now_ns + (int64_t)((0.5 + ordo_random_unit(&prober->random)) * (double)prober->every_ns);
}

/* After a silence of the peer, gives up the session, because a restarted peer does not know the session. */
void ordo_net_prober_act(struct ordo_net_prober *prober, struct ordo_net_port *port, int64_t now_ns)
{
    if (prober->session && now_ns - prober->heard_ns > patience_ns + 4 * prober->every_ns) {
        prober->session = 0;
        prober->hellos_before = prober->hellos;
    }
    if (prober->session)
        send_pair(prober, port, now_ns);
    else
        say_hello(prober, port, now_ns);
}

static struct ordo_net_open_pair *open_of(struct ordo_net_prober *prober, uint64_t number)
{
    struct ordo_net_open_pair *open = &prober->open[number / 2 % ORDO_NET_OPEN_PAIRS];
    return number / 2 < prober->sent && open->number == number / 2 ? open : NULL;
}

/* Takes a pong, or refuses it. A refused pong is no sign of life [P1]. */
static void take_pong(struct ordo_net_prober *prober, struct ordo_net_port *port, const struct ordo_net_message *pong,
                      const struct ordo_net_arrival *arrival)
{
    struct ordo_net_open_pair *open = open_of(prober, pong->number), *earlier = NULL;
    unsigned i = pong->number % 2;
    if (!open || open->pair.of[i].received_ns) {
        ordo_net_port_refuse(port, open ? ORDO_NET_REPLAYED : ORDO_NET_UNEXPECTED);
        return;
    }
    prober->heard_ns = ordo_net_port_now_ns();
    open->pair.of[i].received_ns = pong->pong.received_ns;
    open->pair.of[i].returned_ns = pong->pong.returned_ns;
    open->pair.of[i].back_ns = arrival->came_ns;
    open->received_fine[i] = pong->pong.fine;
    open->back_fine[i] = arrival->fine;
    if (pong->number >= 2 && pong->pong.about_ns && (earlier = open_of(prober, pong->number - 2))) {
        earlier->pair.of[i].returned_ns = pong->pong.about_ns;
        earlier->returned_fine[i] = true;
    }
}

static void take_welcome(struct ordo_net_prober *prober, const struct ordo_net_message *welcome)
{
    prober->session = welcome->welcome.session;
    prober->peer_now_ns = welcome->welcome.now_ns;
    prober->next_ns = 0;
    prober->heard_ns = ordo_net_port_now_ns();
}

/* True if the message is the welcome that the prober waits for [P2]. */
static bool is_welcome(const struct ordo_net_prober *prober, const struct ordo_net_message *message)
{
    return message->kind == ORDO_NET_WELCOME && !prober->session && message->session == prober->client &&
           message->number > prober->hellos_before && message->number <= prober->hellos;
}

bool ordo_net_prober_take(struct ordo_net_prober *prober, struct ordo_net_port *port,
                          const struct ordo_net_message *message, const struct ordo_net_arrival *arrival)
{
    bool welcome = is_welcome(prober, message);
    if (message->key != prober->key || !ordo_net_address_same(&prober->to, &arrival->from)) /* [P3] */
        return false;
    if (!welcome && (message->kind != ORDO_NET_PONG || message->session != prober->session || !prober->session))
        return false;
    if (welcome)
        take_welcome(prober, message);
    else
        take_pong(prober, port, message, arrival);
    return true;
}

bool ordo_net_prober_departed(struct ordo_net_prober *prober, const struct ordo_net_departure *departure)
{
    if (departure->kind != ORDO_NET_PING || departure->session != prober->session)
        return false;
    struct ordo_net_open_pair *open = open_of(prober, departure->number);
    if (open) {
        open->pair.of[departure->number % 2].sent_ns = departure->left_ns;
        open->sent_fine[departure->number % 2] = true;
    }
    return true;
}
