/* P. Mueller, U. Bapst, R. Luijten, Synchronization of a packet-switched interconnect, IBM Research Report RZ 3604, 2005. */
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"fig1", "the switch with its function of synchronisation", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig2", "the tree of processes, a cut channel and its replacement", ORDO_FIGURE_NETWORK, NULL,
     "it is not repeated yet"},
    {"fig3", "the signalling channel", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig4", "the phases of the synthesizer while it locks", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"fig5", "the jitter of the recovered clock", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {0},
};

const struct ordo_document ordo_document_osmosis = {
    .name = "osmosis",
    .title = "P. Mueller, U. Bapst, R. Luijten, Synchronization of a packet-switched interconnect, IBM Research Report "
             "RZ 3604, 2005",
    .figures = figures,
};
