/* What the colours of a chart mean. */
#ifndef ORDO_TRACE_PLOT_LEGEND_H
#define ORDO_TRACE_PLOT_LEGEND_H

#include "base/error.h"
#include "trace/plot/svg.h"
#include "trace/report/analysis.h"

/** The names of an analysis in the order of the time that is spent in them, so that those that matter have different
 * colours, and the same ones in every chart of the trace. */
struct ordo_legend {
    const struct ordo_names *names;
    uint32_t *order; /* names, the most time first */
    uint32_t *place; /* of each name in `order` */
    bool *drawn;     /* each name that is in the picture */
    uint32_t count;
};

int ordo_legend_make(struct ordo_legend *legend, const struct ordo_analysis *analysis, struct ordo_error *error);
void ordo_legend_free(struct ordo_legend *legend);

/** The colour of a name, from 0 on; notes that it is drawn. */
uint32_t ordo_legend_use(struct ordo_legend *legend, uint32_t name);

/** How high it is at most, from `x` to `width`. */
int ordo_legend_height(const struct ordo_legend *legend, double x, int width);

/** Draws the names that were used, below `y`, from `x` to `width`. Those that have no room are counted. */
void ordo_legend_draw(const struct ordo_legend *legend, FILE *stream, double x, double y, int width);

#endif
