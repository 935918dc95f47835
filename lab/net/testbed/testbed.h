/* NTP and PTP on a model of a published test bed: two single-board computers on Fast Ethernet.
 *
 * A. Libri, A. Bartolini, M. Magno, L. Benini, Evaluation of Synchronization Protocols for fine-grain HPC sensor data
 * time-stamping and collection, HPCS 2016: section IV.B and Table I for the measurements, and section IV.B.2 for the
 * traffic. NTP stamps in software. PTP stamps in the interface, whose clock phc2sys keeps together with the system's on
 * both boards.
 *
 * The two jitter models have one parameter for each figure to which they are fitted. Software stamps: the time that a
 * client needs to wake up is twice the mean of the NTP row, and the mean jitter is fitted to the row's deviation.
 * Hardware stamps: the error of a reading of both clocks is fitted to the deviation of the row of 12 Hz. All other
 * figures are predicted, except the means of PTP: the published means change their sign from row to row, and differ
 * from 0 by at most a fifth of a deviation. */
#ifndef ORDO_LAB_NET_TESTBED_TESTBED_H
#define ORDO_LAB_NET_TESTBED_TESTBED_H

#include "base/error.h"
#include "lab/net/ntp/ntp.h"
#include "lab/net/ptp/ptp.h"
#include "lab/net/score/score.h"

enum ordo_net_testbed_figure {
    ORDO_NET_TESTBED_MEAN,   /* signed */
    ORDO_NET_TESTBED_STDDEV, /* of the signed offset */
    ORDO_NET_TESTBED_P75,    /* of |offset|, like the other quantiles */
    ORDO_NET_TESTBED_P95,
    ORDO_NET_TESTBED_P99,
    ORDO_NET_TESTBED_FIGURES
};

enum ordo_net_testbed_use {
    ORDO_NET_TESTBED_ABSENT, /* nothing was published */
    ORDO_NET_TESTBED_FITTED, /* a parameter of the model is fitted to this figure */
    ORDO_NET_TESTBED_PREDICTED,
    ORDO_NET_TESTBED_LEFT, /* published, but the model cannot predict it */
};

struct ordo_net_testbed_row {
    const char *protocol; /* "ntp", "ptp" */
    int system_hz;        /* updates of the system's clock a second; 0 with NTP */
    double published_ns[ORDO_NET_TESTBED_FIGURES], simulated_ns[ORDO_NET_TESTBED_FIGURES];
    enum ordo_net_testbed_use use[ORDO_NET_TESTBED_FIGURES];
};

enum { ORDO_NET_TESTBED_ROWS = 6 };

/** Returns the network of the test bed: `hosts` boards on Fast Ethernet, without other traffic. */
struct ordo_net_options ordo_net_testbed_network(int hosts, double seconds, uint64_t seed);

/** Returns the best settings of the test bed, with the fitted jitter; judged 30,000 times, as in the paper. */
struct ordo_net_ntp ordo_net_testbed_ntp(void);
struct ordo_net_ptp ordo_net_testbed_ptp(int system_hz);

/** Fills in the published rows, and simulates each of them for `seconds`. ORDO_E_MEASURE: the time is too short. */
int ordo_net_testbed_run(struct ordo_net_testbed_row rows[ORDO_NET_TESTBED_ROWS], double seconds, uint64_t seed,
                         struct ordo_error *error);

/** Returns simulated / published - 1. */
double ordo_net_testbed_error(const struct ordo_net_testbed_row *row, enum ordo_net_testbed_figure figure);

/** True if a figure is within 25 percent of the published figure; also true if no figure was published, or if the model
 * cannot predict it. */
bool ordo_net_testbed_holds(const struct ordo_net_testbed_row *row, enum ordo_net_testbed_figure figure);

/** The traffic of a server or a master, in bytes per second. As in the paper, a frame that the server sends counts with
 * its check sequence of four bytes. */
struct ordo_net_testbed_traffic {
    int clients;
    /* `arithmetic`: as published. `announce`: traffic of Announces, which the published value lacks (0 with NTP).
     * `counted`: counted in the simulation. */
    double arithmetic, announce, counted;
};

enum { ORDO_NET_TESTBED_CLIENTS = 7 };

/** Counts the traffic of "ntp" with a query every 8 s, or of "ptp" with a Sync every second, for 1 to 100 clients. */
int ordo_net_testbed_count(struct ordo_net_testbed_traffic traffic[ORDO_NET_TESTBED_CLIENTS], const char *protocol,
                           uint64_t seed, struct ordo_error *error);

/** Returns the number of clients whose traffic fills the part `share` of a link. */
double ordo_net_testbed_clients(const char *protocol, double link_bits_per_second, double share);

#endif
