/* Events of two programs, perhaps on two hosts, ordered by the clock of a third host, which runs `ordo-net agent`. Each
 * program stamps its events with the interval that contains the agent's clock; disjoint intervals are certainly
 * ordered. Here both programs are handles in one process: the second event happens after the first.
 *
 *     host-order ADDRESS KEY-FILE */
#include <stdio.h>

#include <ordo/net.h>

enum { LEARN_NS = 300000000, APART_NS = 50000000 };

static struct ordo_net_peer *open_peer(const char *address, const char *key)
{
    struct ordo_net_peer_options options = {.address = address, .key = key, .every_us = 2000};
    struct ordo_net_peer *peer = NULL;
    struct ordo_error error;
    if (ordo_net_peer_open(&options, &peer, &error) == 0 && ordo_net_peer_run(peer, LEARN_NS, &error) == 0)
        return peer;
    fprintf(stderr, "%s\n", error.text);
    ordo_net_peer_close(peer);
    return NULL;
}

static void print(const char *name, struct ordo_global_time event)
{
    printf("%s event: within %.1f us of the agent's clock\n", name,
           (double)(event.latest_ns - event.earliest_ns) / 1e3);
}

int main(int argc, char **argv)
{
    struct ordo_error error;
    if (argc != 3)
        return fprintf(stderr, "usage: host-order ADDRESS KEY-FILE\n"), 64;
    struct ordo_net_peer *one = open_peer(argv[1], argv[2]), *other = one ? open_peer(argv[1], argv[2]) : NULL;
    if (!other)
        return ordo_net_peer_close(one), 1;
    struct ordo_global_time first = ordo_net_peer_now(one);
    int code = ordo_net_peer_run(other, APART_NS, &error); /* a program that waits goes on probing */
    if (code)
        return fprintf(stderr, "%s\n", error.text), ordo_net_peer_close(one), ordo_net_peer_close(other), 1;
    struct ordo_global_time second = ordo_net_peer_now(other);
    print("first", first);
    print("second", second);
    int order = ordo_global_compare(second, first);
    puts(order > 0 ? "the second event is certainly later" : order < 0 ? "WRONG" : "the order cannot be known");
    ordo_net_peer_close(one);
    ordo_net_peer_close(other);
    return order < 0;
}
