#include "net/udp/address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOST = 256 };

/* Splits "host:port", "[host]:port" or "host" into host and port. An IPv6 address without brackets has no port. */
static bool split(const char *text, char host[HOST], char port[8])
{
    const char *end = strchr(text, ':'), *begin = text;
    if (*text == '[') {
        begin = text + 1;
        end = strchr(text, ']');
        if (!end || (end[1] && end[1] != ':'))
            return false;
    } else if (!end || strchr(end + 1, ':')) {
        end = text + strlen(text);
    }
    size_t length = (size_t)(end - begin);
    const char *colon = *end == ']' ? end + 1 : end;
    if (length == 0 || length >= HOST || strlen(colon) > 6 || (*colon && !colon[1]))
        return false;
    memcpy(host, begin, length);
    host[length] = 0;
    if (*colon)
        (void)snprintf(port, 8, "%s", colon + 1);
    else
        (void)snprintf(port, 8, "%d", ORDO_NET_PORT);
    return true;
}

static bool is_port(const char *text)
{
    char *end;
    long port = strtol(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && port >= 1 && port <= 65535;
}

int ordo_net_address_find(struct ordo_net_address *address, const char *text, struct ordo_error *error)
{
    char host[HOST], port[8];
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM}, *found;
    if (!split(text, host, port) || !is_port(port))
        return ordo_error_set(
            error, ORDO_E_INVALID, 0,
            "'%.80s': not an address: write HOST, HOST:PORT or [IPV6]:PORT, with a port from 1 to 65535", text);
    int failed = getaddrinfo(host, port, &hints, &found);
    if (failed)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "'%.80s': %s: give a name that is known here, or an address",
                              text, gai_strerror(failed));
    memset(address, 0, sizeof *address);
    memcpy(&address->socket, found->ai_addr, found->ai_addrlen);
    address->bytes = found->ai_addrlen;
    freeaddrinfo(found);
    return ORDO_OK;
}

int ordo_net_address_find_keyed(struct ordo_net_address *address, uint16_t *key, const char *text,
                                struct ordo_error *error)
{
    const char *at = strchr(text, '@');
    char *end = NULL;
    long number = at ? strtol(text, &end, 10) : 0;
    if (at && (*text < '0' || *text > '9' || end != at || number < 1 || number > UINT16_MAX))
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "'%.80s': the text before @ is not the number of a key, from 1 to 65535", text);
    *key = (uint16_t)number;
    return ordo_net_address_find(address, at ? at + 1 : text, error);
}

void ordo_net_address_print(const struct ordo_net_address *address, char text[ORDO_NET_ADDRESS_TEXT])
{
    char host[INET6_ADDRSTRLEN] = "?";
    if (address->socket.any.sa_family == AF_INET) {
        (void)inet_ntop(AF_INET, &address->socket.ip4.sin_addr, host, sizeof host);
        (void)snprintf(text, ORDO_NET_ADDRESS_TEXT, "%s:%u", host, ntohs(address->socket.ip4.sin_port));
    } else {
        (void)inet_ntop(AF_INET6, &address->socket.ip6.sin6_addr, host, sizeof host);
        (void)snprintf(text, ORDO_NET_ADDRESS_TEXT, "[%s]:%u", host, ntohs(address->socket.ip6.sin6_port));
    }
}

void ordo_net_address_give(const struct ordo_net_address *address, struct ordo_net_order *order)
{
    const struct sockaddr_in6 *ip6 = &address->socket.ip6;
    bool mapped = address->socket.any.sa_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&ip6->sin6_addr);
    memset(order->address, 0, sizeof order->address);
    if (address->socket.any.sa_family == AF_INET) {
        order->family = 4;
        order->port = ntohs(address->socket.ip4.sin_port);
        memcpy(order->address, &address->socket.ip4.sin_addr, 4);
    } else {
        order->family = mapped ? 4 : 6;
        order->port = ntohs(ip6->sin6_port);
        memcpy(order->address, ip6->sin6_addr.s6_addr + (mapped ? 12 : 0), mapped ? 4 : 16);
    }
}

bool ordo_net_address_same(const struct ordo_net_address *a, const struct ordo_net_address *b)
{
    struct ordo_net_order x, y;
    ordo_net_address_give(a, &x);
    ordo_net_address_give(b, &y);
    return x.family == y.family && x.port == y.port && memcmp(x.address, y.address, sizeof x.address) == 0;
}

void ordo_net_address_take(struct ordo_net_address *address, const struct ordo_net_order *order)
{
    memset(address, 0, sizeof *address);
    if (order->family == 4) {
        address->socket.ip4.sin_family = AF_INET;
        address->socket.ip4.sin_port = htons(order->port);
        memcpy(&address->socket.ip4.sin_addr, order->address, 4);
        address->bytes = sizeof address->socket.ip4;
    } else {
        address->socket.ip6.sin6_family = AF_INET6;
        address->socket.ip6.sin6_port = htons(order->port);
        memcpy(&address->socket.ip6.sin6_addr, order->address, 16);
        address->bytes = sizeof address->socket.ip6;
    }
}
