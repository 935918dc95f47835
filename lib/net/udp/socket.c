#include "net/udp/socket.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "net/udp/device.h"

enum { CONTROL = 512, BUFFER_BYTES = 1 << 21 };

const char *ordo_net_clock_name(int clock)
{
    static const char *const names[ORDO_NET_CLOCKS] = {"realtime", "monotonic", "hardware"};
    return clock >= 0 && clock < ORDO_NET_CLOCKS ? names[clock] : NULL;
}

const char *ordo_net_stamps_name(int stamps)
{
    static const char *const names[] = {"process", "kernel", "device"};
    return stamps >= 0 && stamps <= ORDO_NET_BY_DEVICE ? names[stamps] : NULL;
}

int64_t ordo_net_socket_now_ns(const struct ordo_net_socket *sock)
{
    struct timespec now = {0};
    if (sock->read_ns)
        return sock->read_ns(sock->context);
    if (sock->clock != ORDO_NET_HARDWARE)
        (void)clock_gettime(sock->clock == ORDO_NET_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Asks for stamps of all arrivals. A departure is stamped only if its datagram asks for this
 * (ordo_net_socket_send). */
static int ask_for_stamps(struct ordo_net_socket *sock, const struct ordo_net_address *listen, struct ordo_error *error)
{
    uint32_t flags = SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE;
    sock->stamps = ORDO_NET_BY_PROCESS;
    if (sock->clock == ORDO_NET_MONOTONIC)
        return ORDO_OK;
    if (sock->clock == ORDO_NET_HARDWARE) {
        int code = ordo_net_device_check(sock->fd, listen, error);
        if (code)
            return code;
        flags = SOF_TIMESTAMPING_RAW_HARDWARE | SOF_TIMESTAMPING_RX_HARDWARE;
    }
    if (setsockopt(sock->fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) == 0)
        sock->stamps = sock->clock == ORDO_NET_HARDWARE ? ORDO_NET_BY_DEVICE : ORDO_NET_BY_KERNEL;
    else if (sock->clock == ORDO_NET_HARDWARE)
        return ordo_error_errno(error, "stamps of the interface");
    return ORDO_OK;
}

static int bind_it(const struct ordo_net_socket *sock, const struct ordo_net_address *listen, struct ordo_error *error)
{
    char text[ORDO_NET_ADDRESS_TEXT];
    int bytes = BUFFER_BYTES, no = 0, yes = 1;
    (void)setsockopt(sock->fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no); /* an IPv6 socket also for IPv4 */
    (void)setsockopt(sock->fd, IPPROTO_IP, IP_PKTINFO, &yes,
                     sizeof yes); /* this option or the next has an effect, by the socket's family */
    (void)setsockopt(sock->fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &yes, sizeof yes);
    (void)setsockopt(sock->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes); /* the kernel may grant less */
    if (!listen || bind(sock->fd, &listen->socket.any, listen->bytes) == 0)
        return ORDO_OK;
    ordo_net_address_print(listen, text);
    return ordo_error_errno(error, "%s", text);
}

int ordo_net_socket_open(struct ordo_net_socket *sock, const struct ordo_net_address *listen, int family,
                         enum ordo_net_clock clock, struct ordo_error *error)
{
    *sock = (struct ordo_net_socket){.clock = clock};
    if (listen)
        family = listen->socket.any.sa_family;
    sock->fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (sock->fd < 0)
        return ordo_error_errno(error, "a UDP socket");
    int code = bind_it(sock, listen, error);
    if (!code)
        code = ask_for_stamps(sock, listen, error);
    if (code)
        ordo_net_socket_close(sock);
    return code;
}

void ordo_net_socket_close(struct ordo_net_socket *sock)
{
    if (sock->fd >= 0)
        (void)close(sock->fd);
    sock->fd = -1;
}

static struct in6_addr mapped_of(const struct in_addr *address)
{
    struct in6_addr mapped = {.s6_addr = {[10] = 0xff, [11] = 0xff}};
    memcpy(mapped.s6_addr + 12, address, sizeof *address);
    return mapped;
}

/* Returns the address in a form that the socket can send to: for an IPv6 socket, maps an IPv4 address into IPv6. */
static struct ordo_net_address reachable(const struct ordo_net_socket *sock, const struct ordo_net_address *to)
{
    struct ordo_net_address mapped = {.bytes = sizeof mapped.socket.ip6, .answers = to->answers, .here = to->here};
    int family = AF_INET;
    socklen_t bytes = sizeof family;
    if (to->socket.any.sa_family != AF_INET || getsockopt(sock->fd, SOL_SOCKET, SO_DOMAIN, &family, &bytes) ||
        family == AF_INET)
        return *to;
    mapped.socket.ip6.sin6_family = AF_INET6;
    mapped.socket.ip6.sin6_port = to->socket.ip4.sin_port;
    mapped.socket.ip6.sin6_addr = mapped_of(&to->socket.ip4.sin_addr);
    return mapped;
}

/* Adds a part to the control data of a message, which must have room for it. */
static void attach(struct msghdr *message, int level, int type, const void *data, size_t bytes)
{
    struct cmsghdr *part = (struct cmsghdr *)((unsigned char *)message->msg_control + message->msg_controllen);
    part->cmsg_level = level;
    part->cmsg_type = type;
    part->cmsg_len = CMSG_LEN(bytes);
    memcpy(CMSG_DATA(part), data, bytes);
    message->msg_controllen += CMSG_SPACE(bytes);
}

static void ask_departure(const struct ordo_net_socket *sock, struct msghdr *message)
{
    uint32_t flags = sock->stamps == ORDO_NET_BY_DEVICE ? SOF_TIMESTAMPING_TX_HARDWARE : SOF_TIMESTAMPING_TX_SOFTWARE;
    attach(message, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags);
}

/* Makes an answer leave from the address that the question was sent to, because the asker refuses answers from any
 * other address. */
static void leave_from(struct msghdr *message, const struct ordo_net_address *address)
{
    if (address->socket.any.sa_family == AF_INET) {
        struct in_pktinfo info = {.ipi_ifindex = 0};
        memcpy(&info.ipi_spec_dst, address->here.s6_addr + 12, sizeof info.ipi_spec_dst);
        attach(message, IPPROTO_IP, IP_PKTINFO, &info, sizeof info);
    } else {
        const struct in6_pktinfo info = {.ipi6_addr = address->here};
        attach(message, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof info);
    }
}

bool ordo_net_socket_send(const struct ordo_net_socket *sock, const struct ordo_net_address *to,
                          const unsigned char *bytes, size_t count, int64_t *before_ns)
{
    _Alignas(
        struct cmsghdr) unsigned char control[CMSG_SPACE(sizeof(uint32_t)) + CMSG_SPACE(sizeof(struct in6_pktinfo))] = {
        0};
    struct ordo_net_address address = reachable(sock, to);
    struct iovec part = {(void *)(uintptr_t)bytes, count};
    struct msghdr message = {.msg_name = &address.socket,
                             .msg_namelen = address.bytes,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control};
    if (before_ns && sock->stamps != ORDO_NET_BY_PROCESS)
        ask_departure(sock, &message);
    if (to->answers)
        leave_from(&message, &address);
    if (before_ns)
        *before_ns = ordo_net_socket_now_ns(sock);
    return sendmsg(sock->fd, &message, MSG_NOSIGNAL) == (ssize_t)count;
}

/* Returns the stamp of a datagram by the kernel or the device. 0: there is none. */
static int64_t stamp_of(const struct ordo_net_socket *sock, struct msghdr *message)
{
    struct scm_timestamping stamps = {0};
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part))
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SO_TIMESTAMPING &&
            part->cmsg_len >= CMSG_LEN(sizeof stamps))
            memcpy(&stamps, CMSG_DATA(part), sizeof stamps);
    const struct timespec *stamp = &stamps.ts[sock->stamps == ORDO_NET_BY_DEVICE ? 2 : 0];
    return (int64_t)stamp->tv_sec * 1000000000 + stamp->tv_nsec;
}

/* Stores in `from->here` the address of this host that the datagram was sent to. */
static void note_here(struct ordo_net_address *from, struct msghdr *message)
{
    struct in_pktinfo info;
    struct in6_pktinfo info6;
    from->answers = false;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part))
        if (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_PKTINFO &&
            part->cmsg_len >= CMSG_LEN(sizeof info6)) {
            memcpy(&info6, CMSG_DATA(part), sizeof info6);
            from->here = info6.ipi6_addr;
            from->answers = true;
        } else if (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_PKTINFO &&
                   part->cmsg_len >= CMSG_LEN(sizeof info)) {
            memcpy(&info, CMSG_DATA(part), sizeof info);
            from->here = mapped_of(&info.ipi_spec_dst);
            from->answers = true;
        }
}

static ssize_t take_datagram(const struct ordo_net_socket *sock, struct msghdr *message, int flags)
{
    ssize_t count;
    do
        count = recvmsg(sock->fd, message, flags | MSG_TRUNC | MSG_DONTWAIT);
    while (count < 0 && (errno == EINTR || errno == ECONNREFUSED));
    return count;
}

bool ordo_net_socket_receive(const struct ordo_net_socket *sock, unsigned char *bytes, size_t room,
                             struct ordo_net_arrival *arrival)
{
    _Alignas(struct cmsghdr) unsigned char control[CONTROL];
    struct iovec part = {bytes, room};
    struct msghdr message = {.msg_name = &arrival->from.socket,
                             .msg_namelen = sizeof arrival->from.socket,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    ssize_t count = take_datagram(sock, &message, 0);
    if (count < 0)
        return false;
    int64_t now_ns = ordo_net_socket_now_ns(sock), stamp_ns = stamp_of(sock, &message);
    arrival->from.bytes = message.msg_namelen;
    note_here(&arrival->from, &message);
    arrival->count = (size_t)count;
    arrival->fine = sock->stamps == ORDO_NET_BY_PROCESS || stamp_ns != 0;
    arrival->came_ns = stamp_ns ? stamp_ns : now_ns;
    return true;
}

bool ordo_net_socket_departed(const struct ordo_net_socket *sock, unsigned char *bytes, size_t room, size_t *count,
                              int64_t *left_ns)
{
    _Alignas(struct cmsghdr) unsigned char control[CONTROL];
    struct iovec part = {bytes, room};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t length = sock->stamps == ORDO_NET_BY_PROCESS ? -1 : take_datagram(sock, &message, MSG_ERRQUEUE);
    if (length < 0)
        return false;
    *left_ns = stamp_of(sock, &message);
    *count = *left_ns && (size_t)length <= room ? (size_t)length : 0;
    return true;
}
