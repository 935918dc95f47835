/* The figures of document/dtp.c. */
#ifndef ORDO_LAB_FIGURES_DTP_DTP_H
#define ORDO_LAB_FIGURES_DTP_DTP_H

#include "lab/figures/figure.h"

int figure_dtp_steps(struct ordo_figure_run *run, struct ordo_error *error);
int figure_dtp_device(struct ordo_figure_run *run, struct ordo_error *error);
int figure_dtp_init(struct ordo_figure_run *run, struct ordo_error *error);
int figure_dtp_beacon(struct ordo_figure_run *run, struct ordo_error *error);
int figure_dtp_hops(struct ordo_figure_run *run, struct ordo_error *error);
int figure_dtp_wire(struct ordo_figure_run *run, struct ordo_error *error);
int figure_dtp_daemon(struct ordo_figure_run *run, struct ordo_error *error);
int figure_dtp_programs(struct ordo_figure_run *run, struct ordo_error *error);
int figure_dtp_ptp(struct ordo_figure_run *run, struct ordo_error *error);

#endif
