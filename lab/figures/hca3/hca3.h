/* The figures of S. Hunold, A. Carpen-Amarie, Hierarchical Clock Synchronization in MPI, CLUSTER 2018. */
#ifndef ORDO_LAB_FIGURES_HCA3_HCA3_H
#define ORDO_LAB_FIGURES_HCA3_HCA3_H

#include "lab/figures/figure.h"

int ordo_figure_hca3_fig1(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_hca3_table1(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_hca3_fig2(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_hca3_fig3(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_hca3_fig4(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_hca3_fig5(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_hca3_fig6(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_hca3_fig7(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_hca3_fig8(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_hca3_fig9(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_hca3_fig10(struct ordo_figure_run *run, struct ordo_error *error);

/** Claims what Figure 10 shows by real messages of two ranks on this machine. Claims nothing if this machine has no MPI or
 * no time namespaces. */
int hca3_switch_sources(struct ordo_figure_run *run, struct ordo_error *error);

#endif
