/* K. S. Lee, H. Wang, V. Shrivastav, H. Weatherspoon, Globally Synchronized Time via Datacenter Networks, SIGCOMM 2016.
 *
 * The list has the statements of the abstract, and of the review that is the source here: it has no numbered figures. */
#include "lab/figures/dtp/dtp.h"
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"steps", "the steps of reading a remote clock, and their errors", ORDO_FIGURE_NETWORK, figure_dtp_steps, NULL},
    {"device", "a device: the counters of its ports and its global counter", ORDO_FIGURE_NETWORK, figure_dtp_device,
     NULL},
    {"init", "algorithm 1, INIT: the measured delay of a wire", ORDO_FIGURE_NETWORK, figure_dtp_init, NULL},
    {"beacon", "algorithm 1, BEACON: drift by the time between two beacons", ORDO_FIGURE_NETWORK, figure_dtp_beacon,
     NULL},
    {"hops", "the largest difference of counters by the number of hops", ORDO_FIGURE_NETWORK, figure_dtp_hops, NULL},
    {"wire", "the messages in the words of the wire", ORDO_FIGURE_NETWORK, figure_dtp_wire, NULL},
    {"daemon", "the time of a program, read through the daemon", ORDO_FIGURE_NETWORK, figure_dtp_daemon, NULL},
    {"programs", "the difference of two programs' times over six hops", ORDO_FIGURE_NETWORK, figure_dtp_programs, NULL},
    {"ptp", "PTP on an idle and on a congested network, beside DTP", ORDO_FIGURE_NETWORK, figure_dtp_ptp, NULL},
    {0},
};

const struct ordo_document ordo_document_dtp = {
    .name = "dtp",
    .title = "K. S. Lee, H. Wang, V. Shrivastav, H. Weatherspoon, Globally Synchronized Time via Datacenter Networks, "
             "SIGCOMM 2016",
    .figures = figures,
};
