#include "trace/plot/svg.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"

static const struct {
    const char *name;
    double ns;
} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

void ordo_svg_begin(FILE *stream, int width, int height)
{
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" "
            "font-size=\"11\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, width, height, width, height);
}

void ordo_svg_end(FILE *stream)
{
    fputs("</svg>\n", stream);
}

/* Returns the bytes of the next letter; 0 if it must become a question mark. UTF-8 can encode U+FFFE and U+FFFF, but
 * XML does not allow them (XML 1.0, section 2.2). */
static size_t letter_of(struct ordo_text text)
{
    size_t bytes = ordo_utf8_letter(text.at, text.length);
    return bytes == 3 && memcmp(text.at, "\xef\xbf", 2) == 0 && (unsigned char)text.at[2] >= 0xbe ? 0 : bytes;
}

static void put_letter(FILE *stream, const char *at, size_t bytes)
{
    switch (bytes ? *at : '?') {
    case '<':
        fputs("&lt;", stream);
        break;
    case '>':
        fputs("&gt;", stream);
        break;
    case '&':
        fputs("&amp;", stream);
        break;
    case '"':
        fputs("&quot;", stream);
        break;
    default:
        fwrite(bytes ? at : "?", 1, bytes ? bytes : 1, stream);
    }
}

size_t ordo_svg_letters(struct ordo_text text, size_t most)
{
    size_t letters = 0;
    for (size_t at = 0, bytes; at < text.length && letters <= most; at += bytes ? bytes : 1, letters++)
        bytes = letter_of((struct ordo_text){text.at + at, text.length - at});
    return letters > most ? most : letters;
}

void ordo_svg_escape(FILE *stream, struct ordo_text text, size_t most)
{
    bool cut = ordo_svg_letters(text, most + 1) > most;
    for (size_t letters = cut ? most - 3 : most; text.length > 0 && letters > 0; letters--) {
        size_t bytes = letter_of(text), taken = bytes ? bytes : 1;
        put_letter(stream, text.at, bytes);
        text.at += taken;
        text.length -= taken;
    }
    if (cut)
        fputs("...", stream);
}

void ordo_svg_text(FILE *stream, double x, double y, const char *anchor, struct ordo_text text)
{
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    ordo_svg_escape(stream, text, ORDO_SVG_TITLE_MOST);
    fputs("</text>\n", stream);
}

void ordo_svg_print(FILE *stream, double x, double y, const char *anchor, const char *format, ...)
{
    char room[128];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(room, sizeof room, format, arguments);
    va_end(arguments);
    ordo_svg_text(stream, x, y, anchor, (struct ordo_text){room, strlen(room)});
}

void ordo_svg_box(FILE *stream, double x, double y, double width, double height, const char *fill)
{
    fprintf(stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y, width, height,
            fill);
}

const char *ordo_svg_colour(uint32_t number)
{
    /* The colours of Okabe and Ito, Color Universal Design (2008), without black, and three paler colours. */
    static const char *const colours[ORDO_SVG_COLOURS] = {"#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442",
                                                          "#0072b2", "#d55e00", "#a6cee3", "#b2df8a", "#cab2d6"};
    return colours[number % ORDO_SVG_COLOURS];
}

struct ordo_text ordo_svg_time(double ns, char room[32])
{
    int unit = 0;
    while (unit < 3 && fabs(ns) / units[unit].ns >= 999.9995)
        unit++;
    int length = snprintf(room, 32, "%.6g %s", ns / units[unit].ns, units[unit].name);
    return (struct ordo_text){room, (size_t)length};
}

/* Rounds up to 1, 2 or 5 times a power of ten. */
static double round_up(double least)
{
    double power = pow(10, floor(log10(least)));
    return least <= power ? power : least <= 2 * power ? 2 * power : least <= 5 * power ? 5 * power : 10 * power;
}

struct ordo_svg_axis ordo_svg_axis_make(double from_ns, double range_ns, double pixels)
{
    struct ordo_svg_axis axis = {0};
    double most = fmax(fabs(from_ns), fabs(from_ns + range_ns));
    char room[64];
    int unit = 0;
    while (unit < 3 && most / units[unit].ns >= 1000)
        unit++;
    axis.unit = units[unit].name;
    axis.unit_ns = units[unit].ns;
    for (double ticks = pixels / 60; axis.step_ns == 0; ticks /= 1.25) {
        double step = round_up(fmax(1, range_ns / fmax(ticks, 1)));
        axis.places = (int)fmax(0, ceil(log10(axis.unit_ns / step) - 1e-9));
        double label = (double)ordo_svg_axis_label(&axis, most, room).length * ORDO_SVG_LETTER + 16;
        if (ticks <= 1 || step / range_ns * pixels >= label)
            axis.step_ns = step;
    }
    axis.first_ns = ceil(from_ns / axis.step_ns) * axis.step_ns + 0.0; /* + 0.0 turns -0 into 0 */
    return axis;
}

struct ordo_text ordo_svg_axis_label(const struct ordo_svg_axis *axis, double at_ns, char room[64])
{
    int length = snprintf(room, 64, "%.*f %s", axis->places, at_ns / axis->unit_ns, axis->unit);
    return (struct ordo_text){room, length < 64 ? (size_t)length : 63};
}
