/* Real daemons of NTP and PTP: how to configure them to measure without steering a clock, and how to read their
 * reports.
 *
 * Server and client read the same clock, so the offset that a client reports is its error. */
#ifndef ORDO_LAB_NET_EVALUATE_DAEMON_H
#define ORDO_LAB_NET_EVALUATE_DAEMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** The folder in which the daemons may write, and the names and addresses of the two ends of the cable. */
#define ORDO_NET_DAEMON_FOLDER "/run/ordo-lab"
#define ORDO_NET_DAEMON_SERVER "server"
#define ORDO_NET_DAEMON_CLIENT "client"
#define ORDO_NET_DAEMON_SERVER_IP "10.77.0.1"
#define ORDO_NET_DAEMON_CLIENT_IP "10.77.0.2"

enum { ORDO_NET_DAEMON_ARGUMENTS = 12 };

struct ordo_net_daemon {
    const char *name; /* the name of the project, as on a command line */
    const char *program, *package;
    /** Writes the configuration of the server, or of the client that exchanges 2^log2_rate messages a second. */
    void (*configure)(FILE *file, bool server, int log2_rate);
    const char *server[ORDO_NET_DAEMON_ARGUMENTS], *client[ORDO_NET_DAEMON_ARGUMENTS]; /* arguments after the program */
    const char *report; /* a file that the client writes its report into; NULL: its output is the report */
    /** Reads a line of the report. Returns false if the line has no offset. */
    bool (*read)(const char *line, double *error_ns);
};

/** All daemons, ending with NULL; generated from the files of daemon/. */
extern const struct ordo_net_daemon *const ordo_net_daemons[];

/** Returns the daemon of this name, or NULL. */
const struct ordo_net_daemon *ordo_net_daemon_find(const char *name);

enum { ORDO_NET_HISTOGRAM = 20 };

/** The number of errors in each of ORDO_NET_HISTOGRAM equal parts of [low, high]. */
struct ordo_net_histogram {
    double low_ns, high_ns;
    size_t count[ORDO_NET_HISTOGRAM];
};

/** Returns the histogram of `count` errors; `count` must be positive. */
struct ordo_net_histogram ordo_net_histogram_of(const double *errors_ns, size_t count);

#endif
