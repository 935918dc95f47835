#include "net/udp/device.h"

#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

static bool same(const struct sockaddr *a, const struct ordo_net_address *b)
{
    if (!a || a->sa_family != b->socket.any.sa_family)
        return false;
    if (a->sa_family == AF_INET)
        return ((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr == b->socket.ip4.sin_addr.s_addr;
    return memcmp(&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr, &b->socket.ip6.sin6_addr, 16) == 0;
}

static bool find_interface(const struct ordo_net_address *listen, char name[IFNAMSIZ])
{
    struct ifaddrs *all = NULL;
    bool found = false;
    if (getifaddrs(&all))
        return false;
    for (struct ifaddrs *one = all; one && !found; one = one->ifa_next)
        if ((found = same(one->ifa_addr, listen)))
            (void)snprintf(name, IFNAMSIZ, "%s", one->ifa_name);
    freeifaddrs(all);
    return found;
}

static bool can_stamp(int fd, struct ifreq *request)
{
    const uint32_t needed = SOF_TIMESTAMPING_RAW_HARDWARE | SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_TX_HARDWARE;
    struct ethtool_ts_info info = {.cmd = ETHTOOL_GET_TS_INFO};
    request->ifr_data = (void *)&info;
    return ioctl(fd, SIOCETHTOOL, request) == 0 && (info.so_timestamping & needed) == needed;
}

static bool stamps_all(int fd, struct ifreq *request)
{
    struct hwtstamp_config config = {0};
    request->ifr_data = (void *)&config;
    return ioctl(fd, SIOCGHWTSTAMP, request) == 0 && config.tx_type != HWTSTAMP_TX_OFF &&
           config.rx_filter == HWTSTAMP_FILTER_ALL;
}

int ordo_net_device_check(int fd, const struct ordo_net_address *listen, struct ordo_error *error)
{
    struct ifreq request = {0};
    if (!listen || !find_interface(listen, request.ifr_name))
        return ordo_error_set(error, ORDO_E_CLOCK, 0,
                              "--clock hardware: no interface has the address that is listened at: name one that has");
    if (!can_stamp(fd, &request))
        return ordo_error_set(error, ORDO_E_CLOCK, 0,
                              "%s: the interface does not stamp datagrams by itself: take --clock realtime",
                              request.ifr_name);
    if (!stamps_all(fd, &request))
        return ordo_error_set(error, ORDO_E_CLOCK, 0,
                              "%s: the interface is not told to stamp all datagrams: run 'hwstamp_ctl -i %s -t 1 -r 1' "
                              "(Debian package linuxptp)",
                              request.ifr_name, request.ifr_name);
    return ORDO_OK;
}
