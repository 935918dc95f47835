/* The replayed figure of a tree, as a table and as a picture. */
#ifndef ORDO_LAB_FIGURE_H
#define ORDO_LAB_FIGURE_H

#include <stdio.h>

#include "lab/net/osmosis/figure2.h"

void figure_print(const struct ordo_net_figure2 *figure);

/** Draws the figure as SVG, with a panel for each moment. */
void figure_draw(const struct ordo_net_figure2 *figure, FILE *stream);

#endif
