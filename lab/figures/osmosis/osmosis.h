/* The figures of document/osmosis.c. */
#ifndef ORDO_LAB_FIGURES_OSMOSIS_OSMOSIS_H
#define ORDO_LAB_FIGURES_OSMOSIS_OSMOSIS_H

#include "lab/figures/figure.h"

int figure_osmosis_switch(struct ordo_figure_run *run, struct ordo_error *error);
int figure_osmosis_tree(struct ordo_figure_run *run, struct ordo_error *error);
int figure_osmosis_domains(struct ordo_figure_run *run, struct ordo_error *error);
int figure_osmosis_accumulation(struct ordo_figure_run *run, struct ordo_error *error);
int figure_osmosis_channel(struct ordo_figure_run *run, struct ordo_error *error);
int figure_osmosis_delay(struct ordo_figure_run *run, struct ordo_error *error);
int figure_osmosis_synthesizer(struct ordo_figure_run *run, struct ordo_error *error);
int figure_osmosis_jitter(struct ordo_figure_run *run, struct ordo_error *error);

#endif
