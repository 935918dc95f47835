/* The figures of document/huygens.c. */
#ifndef ORDO_LAB_FIGURES_HUYGENS_HUYGENS_H
#define ORDO_LAB_FIGURES_HUYGENS_HUYGENS_H

#include "lab/figures/figure.h"

int figure_huygens_probes(struct ordo_figure_run *run, struct ordo_error *error);
int figure_huygens_paths(struct ordo_figure_run *run, struct ordo_error *error);
int figure_huygens_svm(struct ordo_figure_run *run, struct ordo_error *error);
int figure_huygens_effect(struct ordo_figure_run *run, struct ordo_error *error);
int figure_huygens_load40(struct ordo_figure_run *run, struct ordo_error *error);
int figure_huygens_load90(struct ordo_figure_run *run, struct ordo_error *error);

#endif
