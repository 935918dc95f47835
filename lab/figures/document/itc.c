/* Intel Trace Collector User Guide, 2019 Update 3, Tracing Distributed Non-MPI Applications and Clock Synchronization. It
 * has no numbered figures: a line for each statement that can be repeated. */
#include "lab/figures/itc/itc.h"
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"sessions", "sessions at the start and at the end, cut by messages and by time", ORDO_FIGURE_RANKS,
     ordo_figure_itc_sessions, NULL},
    {"settings", "the SYNC options as one set of settings", ORDO_FIGURE_RANKS, ordo_figure_itc_settings, NULL},
    {"regression", "the linear correction by sessions at the start and at the end", ORDO_FIGURE_CLUSTER,
     ordo_figure_itc_regression, NULL},
    {"spline", "the constrained spline through the sessions of VT_timesync", ORDO_FIGURE_CLUSTER,
     ordo_figure_itc_spline, NULL},
    {"spawned", "VT_timesync in processes that were spawned", ORDO_FIGURE_RANKS, ordo_figure_itc_spawned, NULL},
    {0},
};

const struct ordo_document ordo_document_itc = {
    .name = "itc",
    .title = "Intel Trace Collector User Guide, 2019 Update 3, Tracing Distributed Non-MPI Applications and Clock "
             "Synchronization",
    .figures = figures,
};
