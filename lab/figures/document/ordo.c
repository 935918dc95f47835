/* S. Kashyap, C. Min, K. Kim, T. Kim, A Scalable Ordering Primitive for Multicore Machines, EuroSys 2018. */
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"fig1", "RLU with logical and with physical time, 98% reads", ORDO_FIGURE_MACHINE, NULL, "it is not repeated yet"},
    {0},
};

const struct ordo_document ordo_document_ordo = {
    .name = "ordo",
    .title = "S. Kashyap, C. Min, K. Kim, T. Kim, A Scalable Ordering Primitive for Multicore Machines, EuroSys 2018",
    .figures = figures,
};
