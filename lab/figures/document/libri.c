/* A. Libri, A. Bartolini, M. Magno, L. Benini, Evaluation of Synchronization Protocols for fine-grain HPC sensor data
 * time-stamping and collection, HPCS 2016. Figures 1 to 8 are sketches: each is drawn from a run of the thing that it
 * sketches. Section IV.B.2 computes the scalability without a figure. */
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"fig1", "accuracy and precision of a set of measurements", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig2", "monitoring of a cluster by a device on each node", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig3", "events of two devices with and without synchronised clocks", ORDO_FIGURE_NETWORK, NULL,
     "it is not repeated yet"},
    {"fig4", "hierarchies of NTP and of PTP", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig5", "the exchange of messages of NTP and of PTP", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig6", "sources of jitter in the stack of protocols", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig7", "the clocks of the test bed", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig8", "the delays of the interrupts, and their correction", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig9", "histograms and distributions of the offset with the best settings", ORDO_FIGURE_NETWORK, NULL,
     "it is not repeated yet"},
    {"table1", "the offset of PTP by the rate of phc2sys", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig10", "the drift of free-running clocks in 36.4 hours", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"scale", "traffic of a server, and the clients that a link can carry (section IV.B.2)", ORDO_FIGURE_NETWORK, NULL,
     "it is not repeated yet"},
    {"table2", "the best settings of ntpd and phc2sys", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {0},
};

const struct ordo_document ordo_document_libri = {
    .name = "libri",
    .title = "A. Libri, A. Bartolini, M. Magno, L. Benini, Evaluation of Synchronization Protocols for fine-grain HPC "
             "sensor data time-stamping and collection, HPCS 2016",
    .figures = figures,
};
