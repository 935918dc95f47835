/* A. Libri, A. Bartolini, M. Magno, L. Benini, Evaluation of Synchronization Protocols for fine-grain HPC sensor data
 * time-stamping and collection, HPCS 2016. Figures 1 to 8 are sketches: each is drawn from a run of the thing that it
 * sketches. Section IV.B.2 computes the scalability without a figure. */
#include "lab/figures/libri/libri.h"
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"fig1", "accuracy and precision of a set of measurements", ORDO_FIGURE_NETWORK, ordo_libri_accuracy, NULL},
    {"fig2", "monitoring of a cluster by a device on each node", ORDO_FIGURE_NETWORK, ordo_libri_monitoring, NULL},
    {"fig3", "events of two devices with and without synchronised clocks", ORDO_FIGURE_NETWORK, ordo_libri_events,
     NULL},
    {"fig4", "hierarchies of NTP and of PTP", ORDO_FIGURE_NETWORK, ordo_libri_hierarchies, NULL},
    {"fig5", "the exchange of messages of NTP and of PTP", ORDO_FIGURE_NETWORK, ordo_libri_messages, NULL},
    {"fig6", "sources of jitter in the stack of protocols", ORDO_FIGURE_NETWORK, ordo_libri_jitter, NULL},
    {"fig7", "the clocks of the test bed", ORDO_FIGURE_NETWORK, ordo_libri_testbed, NULL},
    {"fig8", "the delays of the interrupts, and their correction", ORDO_FIGURE_NETWORK, ordo_libri_interrupts, NULL},
    {"fig9", "histograms and distributions of the offset with the best settings", ORDO_FIGURE_NETWORK,
     ordo_libri_offsets, NULL},
    {"table1", "the offset of PTP by the rate of phc2sys", ORDO_FIGURE_NETWORK, ordo_libri_rates, NULL},
    {"fig10", "the drift of free-running clocks in 36.4 hours", ORDO_FIGURE_NETWORK, ordo_libri_drift, NULL},
    {"scale", "traffic of a server, and the clients that a link can carry (section IV.B.2)", ORDO_FIGURE_NETWORK,
     ordo_libri_scale, NULL},
    {"table2", "the best settings of ntpd and phc2sys", ORDO_FIGURE_NETWORK, ordo_libri_settings, NULL},
    {0},
};

const struct ordo_document ordo_document_libri = {
    .name = "libri",
    .title = "A. Libri, A. Bartolini, M. Magno, L. Benini, Evaluation of Synchronization Protocols for fine-grain HPC "
             "sensor data time-stamping and collection, HPCS 2016",
    .figures = figures,
};
