/* The legend of a chart: the meaning of its colours. */
#ifndef ORDO_TRACE_PLOT_LEGEND_H
#define ORDO_TRACE_PLOT_LEGEND_H

#include "base/error.h"
#include "trace/plot/svg.h"
#include "trace/report/analysis.h"

/** The names of an analysis in the order of the time that ranks spend in them. The names with the most time therefore
 * have different colours, and the same colours in every chart of the trace. */
struct ordo_legend {
    const struct ordo_names *names;
    uint32_t *order; /* names, the most time first */
    uint32_t *place; /* of each name in `order` */
    bool *drawn;     /* each name that is in the picture */
    uint32_t count;
};

int ordo_legend_make(struct ordo_legend *legend, const struct ordo_analysis *analysis, struct ordo_error *error);
void ordo_legend_free(struct ordo_legend *legend);

/** Returns the colour of a name, from 0 on, and notes that it is drawn. */
uint32_t ordo_legend_use(struct ordo_legend *legend, uint32_t name);

/** Returns the greatest height of the legend, if it reaches from `x` to `width`. */
int ordo_legend_height(const struct ordo_legend *legend, double x, int width);

/** Draws the names that were used, below `y`, from `x` to `width`. Shows the number of the names that have no room. */
void ordo_legend_draw(const struct ordo_legend *legend, FILE *stream, double x, double y, int width);

#endif
