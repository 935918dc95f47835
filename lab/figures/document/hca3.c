/* S. Hunold, A. Carpen-Amarie, Hierarchical Clock Synchronization in MPI, CLUSTER 2018. */
#include "lab/figures/hca3/hca3.h"
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"fig1", "the messages of HCA2 and of HCA3", ORDO_FIGURE_CLUSTER, ordo_figure_hca3_fig1, NULL},
    {"table1", "the parallel machines, simulated", ORDO_FIGURE_CLUSTER, ordo_figure_hca3_table1, NULL},
    {"fig2", "the drift of the clocks of ranks over 500 s, and how linear it is", ORDO_FIGURE_CLUSTER,
     ordo_figure_hca3_fig2, NULL},
    {"fig3", "the largest offset after JK, HCA, HCA2 and HCA3, 32 x 16 ranks", ORDO_FIGURE_CLUSTER,
     ordo_figure_hca3_fig3, NULL},
    {"fig4", "the largest offset after HCA3 and H2HCA, 32 x 16 ranks", ORDO_FIGURE_CLUSTER, ordo_figure_hca3_fig4,
     NULL},
    {"fig5", "the largest offset after HCA3 and H2HCA, 36 x 32 ranks", ORDO_FIGURE_CLUSTER, ordo_figure_hca3_fig5,
     NULL},
    {"fig6", "the largest offset after HCA3 and H2HCA, 1024 x 16 ranks", ORDO_FIGURE_CLUSTER, ordo_figure_hca3_fig6,
     NULL},
    {"fig7", "the latency of an allreduce of 16 bytes by the barrier of the benchmark", ORDO_FIGURE_CLUSTER,
     ordo_figure_hca3_fig7, NULL},
    {"fig8", "the imbalance that each barrier leaves", ORDO_FIGURE_CLUSTER, ordo_figure_hca3_fig8, NULL},
    {"fig9", "the latency of an allreduce of 16 bytes by the scheme of the benchmark", ORDO_FIGURE_CLUSTER,
     ordo_figure_hca3_fig9, NULL},
    {"fig10", "one allreduce of all ranks in local and in global time, by two time sources", ORDO_FIGURE_CLUSTER,
     ordo_figure_hca3_fig10, NULL},
    {0},
};

const struct ordo_document ordo_document_hca3 = {
    .name = "hca3",
    .title = "S. Hunold, A. Carpen-Amarie, Hierarchical Clock Synchronization in MPI, CLUSTER 2018",
    .figures = figures,
};
