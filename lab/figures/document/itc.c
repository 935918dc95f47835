/* Intel Trace Collector User Guide, 2019 Update 3, Tracing Distributed Non-MPI Applications and Clock Synchronization. */
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"sessions", "sessions at the start and at the end, cut by messages and by time", ORDO_FIGURE_RANKS, NULL,
     "it is not repeated yet"},
    {"regression", "the linear correction", ORDO_FIGURE_RANKS, NULL, "it is not repeated yet"},
    {"spline", "the constrained spline through the sessions of VT_timesync", ORDO_FIGURE_RANKS, NULL,
     "it is not repeated yet"},
    {"spawned", "VT_timesync in spawned processes", ORDO_FIGURE_RANKS, NULL, "it is not repeated yet"},
    {0},
};

const struct ordo_document ordo_document_itc = {
    .name = "itc",
    .title = "Intel Trace Collector User Guide, 2019 Update 3, Tracing Distributed Non-MPI Applications and Clock "
             "Synchronization",
    .figures = figures,
};
