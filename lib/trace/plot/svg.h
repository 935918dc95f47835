/* The elements of SVG that all pictures use. */
#ifndef ORDO_TRACE_PLOT_SVG_H
#define ORDO_TRACE_PLOT_SVG_H

#include <stdio.h>

#include "trace/event/event.h"

enum { ORDO_SVG_COLOURS = 10, ORDO_SVG_NAME_MOST = 40, ORDO_SVG_TITLE_MOST = 200 };

/** The assumed width of a letter, in pixels, because every viewer has its own fonts. */
#define ORDO_SVG_LETTER 6.4

/** Begins a picture of this size in pixels, on white. */
void ordo_svg_begin(FILE *stream, int width, int height);
void ordo_svg_end(FILE *stream);

/** Writes a text at (x, y). `anchor` is "start", "middle" or "end". Cuts off a long text. */
void ordo_svg_text(FILE *stream, double x, double y, const char *anchor, struct ordo_text text);

/** Writes a text with a format like that of printf, of at most 127 letters. */
void ordo_svg_print(FILE *stream, double x, double y, const char *anchor, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/** Draws a rectangle in one colour. */
void ordo_svg_box(FILE *stream, double x, double y, double width, double height, const char *fill);

/** Writes a text with the escapes of XML, of at most `most` letters. Three dots replace the part that is cut off, and a
 * question mark replaces a byte that is not UTF-8. */
void ordo_svg_escape(FILE *stream, struct ordo_text text, size_t most);

/** Returns the number of letters of a text that ordo_svg_escape writes. */
size_t ordo_svg_letters(struct ordo_text text, size_t most);

/** Returns the colour of a number. The colours of consecutive numbers are easy to distinguish. */
const char *ordo_svg_colour(uint32_t number);

/** Returns a duration with its unit: "1.5 ms". */
struct ordo_text ordo_svg_time(double ns, char room[32]);

/** The ticks of an axis of times, all in one unit. */
struct ordo_svg_axis {
    double first_ns, step_ns; /* the step is 1, 2 or 5 times a power of ten */
    double unit_ns;
    const char *unit;
    int places; /* decimal places that the step needs */
};

/** Makes the axis of the times from `from_ns` to `from_ns` + `range_ns` on `pixels` pixels. Chooses the step so that
 * the labels of the ticks do not overlap. */
struct ordo_svg_axis ordo_svg_axis_make(double from_ns, double range_ns, double pixels);
struct ordo_text ordo_svg_axis_label(const struct ordo_svg_axis *axis, double at_ns, char room[64]);

#endif
