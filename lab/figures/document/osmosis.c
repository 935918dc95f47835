/* P. Mueller, U. Bapst, R. Luijten, Hierarchical System Synchronization and Signaling for High-Performance - Low-Latency
 * Interconnects, IBM Research Report RZ 3604, 2005. It has five figures, and no tables. */
#include "lab/figures/osmosis/osmosis.h"
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"fig1", "the switch with its function of synchronisation", ORDO_FIGURE_NETWORK, figure_osmosis_switch, NULL},
    {"fig2", "the tree of processes, a cut channel and its replacement", ORDO_FIGURE_NETWORK, figure_osmosis_tree,
     NULL},
    {"domains", "section 2: sub-domains without the reference", ORDO_FIGURE_NETWORK, figure_osmosis_domains, NULL},
    {"eq4", "equations 1 to 4: jitter that accumulates hop by hop", ORDO_FIGURE_NETWORK, figure_osmosis_accumulation,
     NULL},
    {"fig3", "the signalling channel", ORDO_FIGURE_NETWORK, figure_osmosis_channel, NULL},
    {"delay", "section 5: the compensated delay, and the length of the real-time register", ORDO_FIGURE_NETWORK,
     figure_osmosis_delay, NULL},
    {"fig4", "the phases of the synthesizer while it locks", ORDO_FIGURE_NETWORK, figure_osmosis_synthesizer, NULL},
    {"fig5", "the jitter of the recovered clock", ORDO_FIGURE_NETWORK, figure_osmosis_jitter, NULL},
    {0},
};

const struct ordo_document ordo_document_osmosis = {
    .name = "osmosis",
    .title =
        "P. Mueller, U. Bapst, R. Luijten, Hierarchical System Synchronization and Signaling for High-Performance - "
        "Low-Latency Interconnects, IBM Research Report RZ 3604, 2005",
    .figures = figures,
};
