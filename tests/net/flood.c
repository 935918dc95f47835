/* flood [COUNT]: sends an agent COUNT datagrams that it must refuse. The agent must count each of them by its reason,
 * answer none, and still answer an owner of the key. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "net/live/agent.h"

static uint64_t state = 7;

static void fail(const char *what)
{
    printf("%s\n", what);
    exit(1);
}

/* Makes a datagram of random bytes, a damaged message, or a message sealed with another key. Returns its size in
 * bytes. */
static size_t make(unsigned char *bytes, size_t room)
{
    struct ordo_net_message message = {.kind =
                                           (enum ordo_net_kind)(1 + ordo_random_next(&state) % (ORDO_NET_KINDS - 1))};
    struct ordo_net_keys keys = {.count = 1, .number = {(uint16_t)(1 + ordo_random_next(&state) % 2)}};
    size_t count = ordo_random_next(&state) % (room + 1);
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(ordo_random_next(&state) >> 33);
    if (ordo_random_next(&state) % 2)
        return count;
    memset(&keys.key[0], 1, sizeof keys.key[0]);
    message.session = ordo_random_next(&state);
    count = ordo_net_encode(&message, &keys, bytes);
    bytes[ordo_random_next(&state) % count] ^= (unsigned char)(ordo_random_next(&state) % 256);
    return count - (ordo_random_next(&state) % 8 == 0) * (ordo_random_next(&state) % count);
}

static void catch_up(struct ordo_net_agent *agent, uint64_t expected)
{
    const struct ordo_net_port *port = ordo_net_agent_port(agent);
    for (int tries = 0; tries < 1000; tries++) {
        uint64_t sum = port->accepted;
        for (int i = 0; i < ORDO_NET_REFUSALS; i++)
            sum += port->refused[i];
        if (sum == expected)
            return;
        ordo_net_agent_step(agent, ordo_net_port_now_ns() + 10000000);
    }
    fail("not every datagram was counted");
}

static void say_hello(struct ordo_net_agent *agent, struct ordo_net_port *asker, const struct ordo_net_address *to,
                      uint64_t expected)
{
    struct ordo_net_message hello = {.kind = ORDO_NET_HELLO, .session = 5, .number = 1}, answer;
    struct ordo_net_arrival arrival;
    if (!ordo_net_port_send(asker, to, &hello, NULL))
        fail("hello cannot be sent");
    catch_up(agent, expected);
    ordo_net_port_wait(asker, ordo_net_port_now_ns() + 10000000000);
    if (ordo_net_port_receive(asker, &answer, &arrival) != 1 || answer.kind != ORDO_NET_WELCOME)
        fail("an owner of the key is not answered");
}

int main(int argc, char **argv)
{
    enum { ROOM = 1600, AT_A_TIME = 16 };
    long count = argc > 1 ? atol(argv[1]) : 20000;
    unsigned char bytes[ROOM];
    struct ordo_net_port port = {.keys = {.count = 1, .number = {1}}}, asker = port;
    struct ordo_net_address address;
    struct ordo_error error;
    if (ordo_net_address_find(&address, "127.0.0.1:21075", &error))
        fail(error.text);
    address.socket.ip4.sin_port = 0;
    if (ordo_net_socket_open(&port.socket, &address, 0, ORDO_NET_REALTIME, &error) ||
        ordo_net_socket_open(&asker.socket, NULL, AF_INET, ORDO_NET_MONOTONIC, &error) ||
        getsockname(port.socket.fd, &address.socket.any, &address.bytes))
        fail(error.text);
    struct ordo_net_agent *agent = ordo_net_agent_new(&port, 1000);
    for (long sent = 0; agent && sent < count; sent++) {
        if (!ordo_net_socket_send(&asker.socket, &address, bytes, make(bytes, sizeof bytes), NULL))
            fail("a datagram cannot be sent");
        if (sent % AT_A_TIME == AT_A_TIME - 1 || sent == count - 1)
            catch_up(agent, (uint64_t)sent + 1);
    }
    if (!agent || ordo_net_agent_port(agent)->accepted)
        fail("a datagram of the flood was accepted");
    struct ordo_net_arrival arrival;
    if (ordo_net_socket_receive(&asker.socket, bytes, sizeof bytes, &arrival))
        fail("a datagram of the flood was answered");
    say_hello(agent, &asker, &address, (uint64_t)count + 1);
    printf("%ld datagrams refused:", count);
    for (int i = 0; i < ORDO_NET_REFUSALS; i++)
        printf(" %s %llu", ordo_net_refusal_name(i), (unsigned long long)ordo_net_agent_port(agent)->refused[i]);
    printf("\n");
    ordo_net_agent_free(agent);
    ordo_net_socket_close(&asker.socket);
    return 0;
}
