/* chrony: chronyd -x, which measures and leaves the clock alone; its report is measurements.log, see chrony.conf(5). */
#include "lab/net/evaluate/daemon.h"

static void configure_chrony(FILE *file, bool server, int log2_rate)
{
    fprintf(file, "cmdport 0\nbindcmdaddress /\npidfile " ORDO_NET_DAEMON_FOLDER "/%s.pid\n",
            server ? "server" : "client");
    if (server)
        fprintf(file, "local stratum 1\nallow all\n");
    else
        fprintf(file,
                "server " ORDO_NET_DAEMON_SERVER_IP " iburst minpoll %d maxpoll %d\nlog rawmeasurements\n"
                "logbanner 0\nlogdir " ORDO_NET_DAEMON_FOLDER "\n",
                -log2_rate, -log2_rate);
}

/* The twelfth word of a line is the number of seconds by which the client is behind the server. */
static bool read(const char *line, double *error_ns)
{
    double behind_s;
    if (*line < '0' || *line > '9' || sscanf(line, "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lf", &behind_s) != 1)
        return false;
    *error_ns = -behind_s * 1e9;
    return true;
}

const struct ordo_net_daemon ordo_net_daemon_chrony = {
    .name = "chrony",
    .program = "chronyd",
    .package = "chrony",
    .configure = configure_chrony,
    .server = {"-x", "-d", "-u", "root", "-f", ORDO_NET_DAEMON_FOLDER "/server.conf"},
    .client = {"-x", "-d", "-u", "root", "-f", ORDO_NET_DAEMON_FOLDER "/client.conf"},
    .report = ORDO_NET_DAEMON_FOLDER "/measurements.log",
    .read = read,
};
