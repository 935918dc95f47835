/* Layers of a picture. SVG paints in the order of the file, so each upper layer waits in a file of its own until the
 * layers below it are complete. */
#ifndef ORDO_TRACE_PLOT_LAYERS_H
#define ORDO_TRACE_PLOT_LAYERS_H

#include <stdio.h>

#include "base/error.h"

enum { ORDO_LAYERS = 7 };

/** The lowest layer is the picture itself; the others are unnamed files, made when they are needed. */
struct ordo_layers {
    FILE *of[ORDO_LAYERS];
};

/** Returns the stream of a layer; NULL with errno if it cannot be made. */
FILE *ordo_layers_open(struct ordo_layers *layers, int layer);

/** Appends the upper layers to the lowest layer. Closes the upper layers even if this fails. */
int ordo_layers_close(struct ordo_layers *layers, struct ordo_error *error);

#endif
