/* A. Libri, A. Bartolini, M. Magno, L. Benini, Evaluation of Synchronization Protocols for fine-grain HPC sensor data time-stamping and collection, HPCS 2016. */
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"fig1", "accuracy and precision of a set of measurements", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig2", "monitoring of a cluster", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig3", "events of several nodes with and without synchronised clocks", ORDO_FIGURE_NETWORK, NULL,
     "it is not repeated yet"},
    {"fig4", "hierarchies of NTP and of PTP", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig5", "the exchange of messages of NTP and of PTP", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig6", "sources of jitter in the stack of protocols", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig7", "the test bed", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig8", "the delays of the interrupts", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig9", "the offsets of the best settings", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"table1", "the offset of PTP by the rate of phc2sys", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig10", "the drift between synchronisations", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"table2", "the settings of ntpd and phc2sys", ORDO_FIGURE_ARITHMETIC, NULL, "it is not repeated yet"},
    {0},
};

const struct ordo_document ordo_document_libri = {
    .name = "libri",
    .title = "A. Libri, A. Bartolini, M. Magno, L. Benini, Evaluation of Synchronization Protocols for fine-grain HPC "
             "sensor data time-stamping and collection, HPCS 2016",
    .figures = figures,
};
