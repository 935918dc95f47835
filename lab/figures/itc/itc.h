/* The statements of the Intel Trace Collector's guide about clock synchronisation. */
#ifndef ORDO_LAB_FIGURES_ITC_ITC_H
#define ORDO_LAB_FIGURES_ITC_ITC_H

#include "lab/figures/figure.h"

int ordo_figure_itc_sessions(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_itc_settings(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_itc_regression(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_itc_spline(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_figure_itc_spawned(struct ordo_figure_run *run, struct ordo_error *error);

#endif
