/* The daemon, and the documents about its configuration and its reports. Here: the daemon reads one configuration file,
 * and prints "offset NS" after each exchange. */
#include "lab/net/evaluate/daemon.h"

static void configure_NAME(FILE *file, bool server, int log2_rate)
{
    if (server)
        fprintf(file, "serve " ORDO_NET_DAEMON_SERVER_IP "\n");
    else
        fprintf(file, "ask " ORDO_NET_DAEMON_SERVER_IP "\nper_second %d\n", 1 << log2_rate);
}

/* Reads an offset, client minus server, from a line of output. */
static bool read_offset(const char *line, double *error_ns)
{
    return sscanf(line, "offset %lf", error_ns) == 1;
}

const struct ordo_net_daemon ordo_net_daemon_NAME = {
    .name = "NAME",
    .program = "NAME",
    .package = "NAME",
    .configure = configure_NAME,
    /* -x: the daemon does not steer the system clock. */
    .server = {"-x", "-f", ORDO_NET_DAEMON_FOLDER "/server.conf"},
    .client = {"-x", "-f", ORDO_NET_DAEMON_FOLDER "/client.conf"},
    .read = read_offset,
};
