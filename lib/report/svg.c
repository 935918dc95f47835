/* The matrix as a heat map: one square per ordered pair, writer down, reader across. */
#include <inttypes.h>

#include <ordo/clock.h>

#include "report/report.h"

enum { CELL = 24, LEFT = 56, TOP = 64 };

/* Pale for the least delta, dark red for the largest. */
static void fill_colour(double share, char colour[8])
{
    (void)snprintf(colour, 8, "#%02x%02x%02x", (unsigned)(255 - 100 * share), (unsigned)(245 - 225 * share),
                   (unsigned)(225 - 190 * share));
}

static void write_cell(const struct ordo_calibration *calibration, int w, int r, int64_t least, FILE *stream)
{
    int64_t delta = calibration->delta_ticks[w * calibration->count + r];
    int64_t range = calibration->largest_delta_ticks - least;
    char colour[8];
    fill_colour(range > 0 ? (double)(delta - least) / (double)range : 0, colour);
    fprintf(stream,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"><title>cpu %u to cpu %u: %" PRId64
            " ticks, %.1f ns</title></rect>\n",
            LEFT + r * CELL, TOP + w * CELL, CELL, CELL, colour, calibration->cpus[w], calibration->cpus[r], delta,
            ordo_calibration_ns(calibration, delta));
}

static int write_svg(const struct ordo_calibration *calibration, struct ordo_report_style style, FILE *stream)
{
    (void)style;
    int n = calibration->count, side = n * CELL;
    int64_t least = INT64_MAX;
    for (int i = 0; i < n * n; i++)
        least = calibration->delta_ticks[i] < least ? calibration->delta_ticks[i] : least;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"8\" y=\"18\" font-size=\"13\">ORDO_BOUNDARY %" PRIu64 " ticks of %s (%.0f ns)</text>\n"
            "<text x=\"8\" y=\"36\">smallest delta, writer (down) to reader (across): %" PRId64 " to %" PRId64
            " ticks</text>\n",
            (LEFT + side + 24 > 400 ? LEFT + side + 24 : 400), TOP + side + 16, calibration->boundary_ticks,
            ORDO_CLOCK_NAME, ordo_calibration_ns(calibration, (int64_t)calibration->boundary_ticks), n > 1 ? least : 0,
            calibration->largest_delta_ticks);
    for (int i = 0; i < n; i++) {
        fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%u</text>\n", LEFT + i * CELL + CELL / 2,
                TOP - 6, calibration->cpus[i]);
        fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%u</text>\n", LEFT - 6,
                TOP + i * CELL + CELL / 2 + 4, calibration->cpus[i]);
        for (int j = 0; j < n; j++)
            if (i != j)
                write_cell(calibration, i, j, least, stream);
    }
    fprintf(stream, "</svg>\n");
    return 0;
}

const struct ordo_report ordo_report_svg = {"svg", "the matrix as a heat map", write_svg};
