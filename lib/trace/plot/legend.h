/* The legend of a chart: the meaning of its colours. */
#ifndef ORDO_TRACE_PLOT_LEGEND_H
#define ORDO_TRACE_PLOT_LEGEND_H

#include "base/error.h"
#include "trace/plot/svg.h"
#include "trace/report/analysis.h"

/** The names of an analysis, sorted by the time that ranks spend in them. The names with the most time therefore have
 * different colours, and a name has the same colour in every chart of the trace. */
struct ordo_legend {
    const struct ordo_names *names;
    uint32_t *order; /* names, the most time first */
    uint32_t *place; /* by name: its index in `order` */
    bool *drawn;     /* by name: true if the picture contains it */
    uint32_t count;
};

int ordo_legend_make(struct ordo_legend *legend, const struct ordo_analysis *analysis, struct ordo_error *error);
void ordo_legend_free(struct ordo_legend *legend);

/** Returns the colour of a name, from 0 on, and notes that it is drawn. */
uint32_t ordo_legend_use(struct ordo_legend *legend, uint32_t name);

/** Returns the greatest possible height of a legend that reaches from `x` to `width`. */
int ordo_legend_height(const struct ordo_legend *legend, double x, int width);

/** Draws the names that were used, below `y`, from `x` to `width`. Also writes how many names have no room. */
void ordo_legend_draw(const struct ordo_legend *legend, FILE *stream, double x, double y, int width);

#endif
