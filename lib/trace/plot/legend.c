#include "trace/plot/legend.h"

#include <stdlib.h>

enum { LINE = 16, LINES_MOST = 4, SWATCH = 10, BESIDE = 34, MORE = 90 };

static const char NONE[] = "(no name)";

static double time_of(const struct ordo_analysis *analysis, uint32_t name)
{
    return name < analysis->call_room ? analysis->calls[name].total_ns : 0;
}

static int by_region_time(const void *a, const void *b, void *analysis)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    double of_x = time_of(analysis, x), of_y = time_of(analysis, y);
    return of_x < of_y ? 1 : of_x > of_y ? -1 : x > y ? 1 : -1;
}

int ordo_legend_make(struct ordo_legend *legend, const struct ordo_analysis *analysis, struct ordo_error *error)
{
    uint32_t count = analysis->names.count;
    *legend = (struct ordo_legend){.names = &analysis->names,
                                   .order = calloc((size_t)count + 1, sizeof *legend->order),
                                   .place = calloc((size_t)count + 1, sizeof *legend->place),
                                   .drawn = calloc((size_t)count + 1, sizeof *legend->drawn),
                                   .count = count};
    if (!legend->order || !legend->place || !legend->drawn) {
        ordo_legend_free(legend);
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%u names: out of memory", count);
    }
    for (uint32_t i = 0; i < count; i++)
        legend->order[i] = i;
    qsort_r(legend->order, count, sizeof *legend->order, by_region_time, (void *)analysis);
    for (uint32_t i = 0; i < count; i++)
        legend->place[legend->order[i]] = i;
    return ORDO_OK;
}

void ordo_legend_free(struct ordo_legend *legend)
{
    free(legend->order);
    free(legend->place);
    free(legend->drawn);
    *legend = (struct ordo_legend){0};
}

uint32_t ordo_legend_use(struct ordo_legend *legend, uint32_t name)
{
    if (name >= legend->count) /* the file has grown since it was analysed */
        return 0;
    legend->drawn[name] = true;
    return legend->place[name] % ORDO_SVG_COLOURS;
}

/* The position of the next name, and the limits of the legend. */
struct spot {
    double from, at, until;
    size_t letters; /* letters of a name that are drawn at most, so that it fits into a line */
    int line;
};

static struct spot begin_line(double x, int width)
{
    double room = (width - x - MORE - BESIDE) / ORDO_SVG_LETTER;
    return (struct spot){x, x, width, room < 8 ? 8 : room < ORDO_SVG_NAME_MOST ? (size_t)room : ORDO_SVG_NAME_MOST, 0};
}

static double width_of_name(const struct spot *spot, struct ordo_text name)
{
    size_t letters = name.length > 0 ? ordo_svg_letters(name, spot->letters) : sizeof NONE - 1;
    return BESIDE + ORDO_SVG_LETTER * (double)letters;
}

static void make_room_for_name(struct spot *spot, struct ordo_text name)
{
    double until = spot->until - (spot->line + 1 == LINES_MOST ? MORE : 0);
    if (spot->at > spot->from && spot->at + width_of_name(spot, name) > until) {
        spot->at = spot->from;
        spot->line++;
    }
}

int ordo_legend_height(const struct ordo_legend *legend, double x, int width)
{
    struct spot spot = begin_line(x, width);
    for (uint32_t i = 0; i < legend->count && spot.line < LINES_MOST; i++) {
        make_room_for_name(&spot, legend->names->all[legend->order[i]]);
        spot.at += width_of_name(&spot, legend->names->all[legend->order[i]]);
    }
    return LINE * (spot.line < LINES_MOST ? spot.line + 1 : LINES_MOST);
}

static void draw_name(FILE *stream, const struct spot *spot, struct ordo_text name, const char *colour, double y)
{
    ordo_svg_box(stream, spot->at, y, SWATCH, SWATCH, colour);
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\">", spot->at + SWATCH + 4, y + SWATCH - 1);
    if (name.length == 0)
        fputs(NONE, stream);
    ordo_svg_escape(stream, name, spot->letters);
    fputs("</text>\n", stream);
}

void ordo_legend_draw(const struct ordo_legend *legend, FILE *stream, double x, double y, int width)
{
    struct spot spot = begin_line(x, width);
    uint32_t left = 0;
    for (uint32_t i = 0; i < legend->count; i++)
        left += legend->drawn[i];
    for (uint32_t i = 0; i < legend->count && left > 0; i++) {
        struct ordo_text name = legend->names->all[legend->order[i]];
        if (!legend->drawn[legend->order[i]])
            continue;
        make_room_for_name(&spot, name);
        if (spot.line == LINES_MOST) {
            ordo_svg_print(stream, width - MORE, y + (LINES_MOST - 1) * LINE + SWATCH - 1, "start", "and %u more",
                           left);
            return;
        }
        draw_name(stream, &spot, name, ordo_svg_colour(i), y + spot.line * LINE);
        spot.at += width_of_name(&spot, name);
        left--;
    }
}
