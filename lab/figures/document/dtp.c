/* K. S. Lee, H. Wang, V. Shrivastav, H. Weatherspoon, Globally Synchronized Time via Datacenter Networks, SIGCOMM 2016. */
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"device", "a device: the counters of its ports and its global counter", ORDO_FIGURE_NETWORK, NULL,
     "it is not repeated yet"},
    {"wire", "the messages in the words of the wire", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"hops", "the largest difference of counters by the number of hops", ORDO_FIGURE_NETWORK, NULL,
     "it is not repeated yet"},
    {"daemon", "the time of a program, read through the daemon", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {0},
};

const struct ordo_document ordo_document_dtp = {
    .name = "dtp",
    .title = "K. S. Lee, H. Wang, V. Shrivastav, H. Weatherspoon, Globally Synchronized Time via Datacenter Networks, "
             "SIGCOMM 2016",
    .figures = figures,
};
