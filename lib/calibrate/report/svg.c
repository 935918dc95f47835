/* Draws the matrix as a heat map, with one square per ordered pair: the rows are writers, the columns are readers. */
#include <inttypes.h>

#include <ordo/clock.h>

#include "calibrate/report/report.h"

enum { CELL = 24, LEFT = 56, TOP = 64, DIGIT = 7, ROOM = 1600, SCALE = 240, LEAST_WIDTH = 400 };

/* The size of the drawing, and the range of its colours. */
struct map {
    const struct ordo_calibration *calibration;
    int cell_width;
    bool numbers; /* the cells are large enough for numbers */
    int64_t least;
};

/* Chooses a colour: pale for `share` 0 (the smallest delta) to dark red for 1 (the largest delta). */
static void fill_colour(double share, char colour[8])
{
    (void)snprintf(colour, 8, "#%02x%02x%02x", (unsigned)(255 - 100 * share), (unsigned)(245 - 225 * share),
                   (unsigned)(225 - 190 * share));
}

static struct map lay_out_map(const struct ordo_calibration *calibration)
{
    struct map map = {.calibration = calibration, .cell_width = CELL, .least = INT64_MAX};
    char digits[32];
    int n = calibration->count;
    for (int i = 0; i < n * n; i++)
        map.least = calibration->delta_ticks[i] < map.least ? calibration->delta_ticks[i] : map.least;
    int longest = snprintf(digits, sizeof digits, "%" PRId64, calibration->largest_delta_ticks);
    int shortest =
        snprintf(digits, sizeof digits, "%" PRId64, map.least); /* a negative delta may have more characters */
    int width = DIGIT * (longest > shortest ? longest : shortest) + 8;
    map.numbers = n > 1 && n * width <= ROOM;
    if (map.numbers && width > CELL)
        map.cell_width = width;
    return map;
}

static void write_svg_cell(const struct map *map, int w, int r, FILE *stream)
{
    const struct ordo_calibration *calibration = map->calibration;
    int64_t delta = calibration->delta_ticks[w * calibration->count + r];
    int64_t range = calibration->largest_delta_ticks - map->least;
    double share = range > 0 ? (double)(delta - map->least) / (double)range : 0;
    int x = LEFT + r * map->cell_width, y = TOP + w * CELL;
    char colour[8];
    fill_colour(share, colour);
    fprintf(stream,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"><title>cpu %u to cpu %u: %" PRId64
            " ticks, %.1f ns</title></rect>\n",
            x, y, map->cell_width, CELL, colour, calibration->cpus[w], calibration->cpus[r], delta,
            ordo_calibration_ns(calibration, delta));
    if (map->numbers)
        fprintf(stream,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"%s\" pointer-events=\"none\">%" PRId64
                "</text>\n",
                x + map->cell_width / 2, y + CELL / 2 + 4, share > 0.6 ? "white" : "black", delta);
}

static void write_matrix(const struct map *map, FILE *stream)
{
    const struct ordo_calibration *calibration = map->calibration;
    for (int i = 0; i < calibration->count; i++) {
        fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%u</text>\n",
                LEFT + i * map->cell_width + map->cell_width / 2, TOP - 6, calibration->cpus[i]);
        fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%u</text>\n", LEFT - 6,
                TOP + i * CELL + CELL / 2 + 4, calibration->cpus[i]);
        for (int j = 0; j < calibration->count; j++)
            if (i != j)
                write_svg_cell(map, i, j, stream);
    }
}

/* Writes the legend: a linear scale of colours from the smallest delta to the largest. */
static void write_scale(const struct map *map, int y, FILE *stream)
{
    const struct ordo_calibration *calibration = map->calibration;
    char pale[8], dark[8];
    fill_colour(0, pale);
    fill_colour(1, dark);
    fprintf(stream,
            "<defs><linearGradient id=\"scale\"><stop offset=\"0\" stop-color=\"%s\"/><stop offset=\"1\" "
            "stop-color=\"%s\"/></linearGradient></defs>\n"
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"12\" fill=\"url(#scale)\" stroke=\"black\"/>\n",
            pale, dark, LEFT, y, SCALE);
    for (int end = 0; end < 2; end++) {
        int64_t delta = end ? calibration->largest_delta_ticks : map->least;
        fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%" PRId64 " ticks, %.0f ns</text>\n",
                LEFT + end * SCALE, y + 26, end ? "end" : "start", delta, ordo_calibration_ns(calibration, delta));
    }
}

static int write_svg(const struct ordo_calibration *calibration, struct ordo_report_style style, FILE *stream)
{
    (void)style;
    struct map map = lay_out_map(calibration);
    int n = calibration->count, width = LEFT + n * map.cell_width + 24, bottom = TOP + n * CELL + 16;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"8\" y=\"18\" font-size=\"13\">ORDO_BOUNDARY %" PRIu64 " ticks of %s (%.0f ns)</text>\n"
            "<text x=\"8\" y=\"36\">smallest delta in ticks, writer (down) to reader (across)</text>\n",
            width > LEAST_WIDTH ? width : LEAST_WIDTH, bottom + (n > 1 ? 40 : 0), calibration->boundary_ticks,
            ordo_record_clock_name(calibration->clock),
            ordo_calibration_ns(calibration, (int64_t)calibration->boundary_ticks));
    write_matrix(&map, stream);
    if (n > 1)
        write_scale(&map, bottom, stream);
    fprintf(stream, "</svg>\n");
    return 0;
}

const struct ordo_report ordo_report_svg = {"svg", "the matrix as a heat map", write_svg};
