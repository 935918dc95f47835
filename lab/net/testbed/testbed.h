/* NTP and PTP on a model of a published test bed: two single-board computers on Fast Ethernet.
 *
 * A. Libri, A. Bartolini, M. Magno, L. Benini, Evaluation of Synchronization Protocols for fine-grain HPC sensor data time-stamping and
 * collection, HPCS 2016: section IV.B for what was measured, Table I, and section IV.B.2 for the traffic. NTP stamps in software, and PTP
 * in the interface, whose clock phc2sys joins with the system's on both boards.
 *
 * The two jitter models have one parameter for a figure that they are fitted to. Of software: what a client needs to wake up is twice the
 * mean of the NTP row, and the mean jitter gives its deviation. Of hardware: the error of a reading of both clocks gives the deviation
 * of the row of 12 Hz. All other figures are predicted. The means of PTP are not: those of the table change their sign from row to row and lie
 * within a fifth of a deviation. */
#ifndef ORDO_LAB_NET_TESTBED_TESTBED_H
#define ORDO_LAB_NET_TESTBED_TESTBED_H

#include "base/error.h"
#include "lab/net/score/score.h"

enum ordo_net_testbed_figure {
    ORDO_NET_TESTBED_MEAN,   /* signed */
    ORDO_NET_TESTBED_STDDEV, /* of the same */
    ORDO_NET_TESTBED_P75,    /* of |offset|, and so are the others */
    ORDO_NET_TESTBED_P95,
    ORDO_NET_TESTBED_P99,
    ORDO_NET_TESTBED_FIGURES
};

enum ordo_net_testbed_use {
    ORDO_NET_TESTBED_ABSENT, /* nothing was published */
    ORDO_NET_TESTBED_FITTED, /* a parameter of the model was chosen by it */
    ORDO_NET_TESTBED_PREDICTED,
    ORDO_NET_TESTBED_LEFT, /* published, and nothing that the model could predict */
};

struct ordo_net_testbed_row {
    const char *protocol; /* "ntp", "ptp" */
    int system_hz;        /* updates of the system's clock a second; 0 with NTP */
    double published_ns[ORDO_NET_TESTBED_FIGURES], simulated_ns[ORDO_NET_TESTBED_FIGURES];
    enum ordo_net_testbed_use use[ORDO_NET_TESTBED_FIGURES];
};

enum { ORDO_NET_TESTBED_ROWS = 6 };

/** The rows as they were published, and what the model makes of them in so many seconds each. ORDO_E_MEASURE: too few. */
int ordo_net_testbed_run(struct ordo_net_testbed_row rows[ORDO_NET_TESTBED_ROWS], double seconds, uint64_t seed,
                         struct ordo_error *error);

/** simulated / published - 1. */
double ordo_net_testbed_error(const struct ordo_net_testbed_row *row, enum ordo_net_testbed_figure figure);

/** What was to be predicted is within 25 percent of what was published. */
bool ordo_net_testbed_holds(const struct ordo_net_testbed_row *row, enum ordo_net_testbed_figure figure);

/** What a server or a master sends and receives, in bytes per second; as there, a frame that it sends counts with its check of four bytes. */
struct ordo_net_testbed_traffic {
    int clients;
    double arithmetic, announce,
        counted; /* as published; what Announces add to it, 0 with NTP; counted on the simulated network */
};

enum { ORDO_NET_TESTBED_CLIENTS = 7 };

/** "ntp" every 8 s, or "ptp" every second, with 1 to 100 clients. */
int ordo_net_testbed_count(struct ordo_net_testbed_traffic traffic[ORDO_NET_TESTBED_CLIENTS], const char *protocol,
                           uint64_t seed, struct ordo_error *error);

/** How many clients fill a share of a link. */
double ordo_net_testbed_clients(const char *protocol, double link_bits_per_second, double share);

#endif
