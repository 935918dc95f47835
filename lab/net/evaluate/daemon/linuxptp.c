/* linuxptp: ptp4l, with software stamps and free running: it reports its measurement once a second, see ptp4l(8). */
#include <string.h>

#include "lab/net/evaluate/daemon.h"

static void configure_linuxptp(FILE *file, bool server, int log2_rate)
{
    fprintf(file,
            "[global]\nfree_running 1\ntime_stamping software\nlogSyncInterval %d\nlogMinDelayReqInterval %d\n"
            "logAnnounceInterval -3\nfreq_est_interval 0\nuds_address " ORDO_NET_DAEMON_FOLDER "/%s\n%s\n",
            -log2_rate, -log2_rate, server ? "server" : "client", server ? "priority1 10" : "slaveOnly 1");
}

static bool read(const char *line, double *error_ns)
{
    static const char words[] = "master offset";
    const char *at = strstr(line, words);
    return at && sscanf(at + strlen(words), "%lf", error_ns) == 1;
}

const struct ordo_net_daemon ordo_net_daemon_linuxptp = {
    .name = "linuxptp",
    .program = "ptp4l",
    .package = "linuxptp",
    .configure = configure_linuxptp,
    .server = {"-m", "-q", "-i", ORDO_NET_DAEMON_SERVER, "-f", ORDO_NET_DAEMON_FOLDER "/server.conf"},
    .client = {"-m", "-q", "-i", ORDO_NET_DAEMON_CLIENT, "-f", ORDO_NET_DAEMON_FOLDER "/client.conf"},
    .read = read,
};
