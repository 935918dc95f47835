/* What the pictures have in common. */
#ifndef ORDO_TRACE_PLOT_SVG_H
#define ORDO_TRACE_PLOT_SVG_H

#include <stdio.h>

#include "trace/event/event.h"

enum { ORDO_SVG_COLOURS = 10, ORDO_SVG_NAME_MOST = 40, ORDO_SVG_TITLE_MOST = 200 };

/** How wide a letter is taken to be, in pixels: viewers have fonts of their own. */
#define ORDO_SVG_LETTER 6.4

/** Begins a picture of this size in pixels, on white. */
void ordo_svg_begin(FILE *stream, int width, int height);
void ordo_svg_end(FILE *stream);

/** Text at a place, `anchor` being "start", "middle" or "end"; of a long one the beginning. */
void ordo_svg_text(FILE *stream, double x, double y, const char *anchor, struct ordo_text text);

/** The same, as printf writes it; of 127 letters at most. */
void ordo_svg_print(FILE *stream, double x, double y, const char *anchor, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/** A rectangle in one colour. */
void ordo_svg_box(FILE *stream, double x, double y, double width, double height, const char *fill);

/** Text as XML takes it, of `most` letters at most: what is cut off becomes three dots, and what is no letter of UTF-8 a
 * question mark. */
void ordo_svg_escape(FILE *stream, struct ordo_text text, size_t most);

/** How many letters of a text ordo_svg_escape writes. */
size_t ordo_svg_letters(struct ordo_text text, size_t most);

/** A colour for a number: the next ones are far apart. */
const char *ordo_svg_colour(uint32_t number);

/** A span of time with its unit: "1.5 ms". */
struct ordo_text ordo_svg_time(double ns, char room[32]);

/** The ticks of an axis of times, all in one unit. */
struct ordo_svg_axis {
    double first_ns, step_ns; /* the step is 1, 2 or 5 times a power of ten */
    double unit_ns;
    const char *unit;
    int places; /* behind the point: those that the step needs */
};

/** For the times `from_ns` to `from_ns` + `range_ns` on so many pixels: as many ticks as there is room for their labels. */
struct ordo_svg_axis ordo_svg_axis_make(double from_ns, double range_ns, double pixels);
struct ordo_text ordo_svg_axis_label(const struct ordo_svg_axis *axis, double at_ns, char room[64]);

#endif
