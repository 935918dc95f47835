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
 * figures are predicted, except the means of PTP: those of the table change their sign from row to row, and are within
 * a fifth of a deviation of 0. */
#ifndef ORDO_LAB_NET_TESTBED_TESTBED_H
#define ORDO_LAB_NET_TESTBED_TESTBED_H

#include "base/error.h"
#include "lab/net/score/score.h"

enum ordo_net_testbed_figure {
    ORDO_NET_TESTBED_MEAN,   /* signed */
    ORDO_NET_TESTBED_STDDEV, /* of the same */
    ORDO_NET_TESTBED_P75,    /* of |offset|, like the other quantiles */
    ORDO_NET_TESTBED_P95,
    ORDO_NET_TESTBED_P99,
    ORDO_NET_TESTBED_FIGURES
};

enum ordo_net_testbed_use {
    ORDO_NET_TESTBED_ABSENT, /* nothing was published */
    ORDO_NET_TESTBED_FITTED, /* a parameter of the model is fitted to it */
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

/** Fills in the published rows, and simulates each of them for `seconds`. ORDO_E_MEASURE: the time is too short. */
int ordo_net_testbed_run(struct ordo_net_testbed_row rows[ORDO_NET_TESTBED_ROWS], double seconds, uint64_t seed,
                         struct ordo_error *error);

/** Returns simulated / published - 1. */
double ordo_net_testbed_error(const struct ordo_net_testbed_row *row, enum ordo_net_testbed_figure figure);

/** True if a predicted figure is within 25 percent of the published one. */
bool ordo_net_testbed_holds(const struct ordo_net_testbed_row *row, enum ordo_net_testbed_figure figure);

/** The traffic of a server or a master, in bytes per second. As in the paper, a frame that it sends counts with its
 * check of four bytes. */
struct ordo_net_testbed_traffic {
    int clients;
    double arithmetic, announce,
        counted; /* as published; the part of Announces, which is added to it (0 with NTP); counted in the simulation */
};

enum { ORDO_NET_TESTBED_CLIENTS = 7 };

/** Counts the traffic of "ntp" every 8 s, or of "ptp" every second, with 1 to 100 clients. */
int ordo_net_testbed_count(struct ordo_net_testbed_traffic traffic[ORDO_NET_TESTBED_CLIENTS], const char *protocol,
                           uint64_t seed, struct ordo_error *error);

/** Returns the number of clients that fill a share of a link. */
double ordo_net_testbed_clients(const char *protocol, double link_bits_per_second, double share);

#endif
