#include "trace/plot/svg.h"

#include <math.h>

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

void ordo_svg_escape(FILE *stream, struct ordo_text text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char letter = (unsigned char)text.at[i];
        if (letter == '<')
            fputs("&lt;", stream);
        else if (letter == '&')
            fputs("&amp;", stream);
        else if (letter == '"')
            fputs("&quot;", stream);
        else
            putc(letter < 0x20 || letter >= 0x7f ? '?' : letter, stream);
    }
}

void ordo_svg_text(FILE *stream, double x, double y, const char *anchor, struct ordo_text text)
{
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    ordo_svg_escape(stream, text);
    fputs("</text>\n", stream);
}

const char *ordo_svg_colour(uint32_t number)
{
    /* Okabe and Ito, Color Universal Design (2008), without black, and paler ones. */
    static const char *const colours[] = {"#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442",
                                          "#0072b2", "#d55e00", "#a6cee3", "#b2df8a", "#cab2d6"};
    return colours[number % (sizeof colours / sizeof *colours)];
}

double ordo_svg_step(double range, int ticks)
{
    double least = range / ticks, power = pow(10, floor(log10(least)));
    return least <= power ? power : least <= 2 * power ? 2 * power : least <= 5 * power ? 5 * power : 10 * power;
}

struct ordo_text ordo_svg_time(double ns, char room[32])
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int unit = 0;
    for (; unit < 3 && fabs(ns) >= 999.9995; unit++)
        ns /= 1000;
    int length = snprintf(room, 32, "%.6g %s", ns, units[unit]);
    return (struct ordo_text){room, (size_t)length};
}
