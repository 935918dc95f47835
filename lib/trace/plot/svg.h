/* What the pictures have in common. */
#ifndef ORDO_TRACE_PLOT_SVG_H
#define ORDO_TRACE_PLOT_SVG_H

#include <stdio.h>

#include "trace/event/event.h"

/** Begins a picture of this size in pixels, on white. */
void ordo_svg_begin(FILE *stream, int width, int height);
void ordo_svg_end(FILE *stream);

/** Text at a place, `anchor` being "start", "middle" or "end". */
void ordo_svg_text(FILE *stream, double x, double y, const char *anchor, struct ordo_text text);

/** Text without what XML does not take. */
void ordo_svg_escape(FILE *stream, struct ordo_text text);

/** A colour for a number: the next ones are far apart. */
const char *ordo_svg_colour(uint32_t number);

/** The step of an axis of so much with about `ticks` ticks: 1, 2 or 5 times a power of ten. */
double ordo_svg_step(double range, int ticks);

/** A span of time with its unit: "1.5 ms". */
struct ordo_text ordo_svg_time(double ns, char room[32]);

#endif
