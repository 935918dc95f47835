/* SVG paints in the order of the file: what is to lie above something waits in a file of its own, whatever comes first. */
#ifndef ORDO_TRACE_PLOT_LAYERS_H
#define ORDO_TRACE_PLOT_LAYERS_H

#include <stdio.h>

#include "base/error.h"

enum { ORDO_LAYERS = 7 };

/** The lowest is the picture itself; the others have no name and are made when they are needed. */
struct ordo_layers {
    FILE *of[ORDO_LAYERS];
};

/** The stream of a layer; NULL with errno where there is no room for it. */
FILE *ordo_layers_open(struct ordo_layers *layers, int layer);

/** Appends the upper ones to the lowest, and ends them in any case. */
int ordo_layers_close(struct ordo_layers *layers, struct ordo_error *error);

#endif
