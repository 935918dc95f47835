/* A comparison of clocks as a picture with two panels. */
#include "clocks_svg.h"

#include <math.h>

#include "gnuplot.h"

enum { WIDTH = 760, HEIGHT = 480, COLOURS = 8 /* in gnuplot's palette */ };

/* The lowest value on the logarithmic axis; smaller values are drawn at this value. */
static const double least_ns = 0.1;

static void write_distribution(const struct ordo_clock_compared *clock, int number, FILE *script)
{
    fprintf(script, "$offset%d << end\n", number);
    for (int i = 0; i < ORDO_SERIES_QUANTILES; i++)
        fprintf(script, "%.9g %d\n", fmax(clock->spread.quantiles_ns[i], least_ns), i);
    fprintf(script, "end\n");
}

static void write_stability(const struct ordo_clock_compared *clock, int number, FILE *script)
{
    fprintf(script, "$allan%d << end\n", number);
    for (int i = 0; i < clock->stability.count; i++)
        if (clock->stability.spans[i].allan > 0)
            fprintf(script, "%.9g %.9g\n", clock->stability.spans[i].span_s, clock->stability.spans[i].allan);
    fprintf(script, "end\n");
}

static void write_panel(const struct ordo_comparison *comparison, const char *data, const char *style, FILE *script)
{
    for (int i = 0; i < comparison->clock_count; i++) {
        fprintf(script, "%s%s%d using 1:2 with %s linewidth 2 dashtype %d title ", i ? ", " : "plot ", data, i, style,
                i / COLOURS + 1);
        gnuplot_quote(script, comparison->clocks[i].source->name);
    }
    fprintf(script, "\n");
}

int clocks_write_svg(const struct ordo_comparison *comparison, FILE *stream, struct ordo_error *error)
{
    FILE *script = tmpfile();
    if (!script)
        return ordo_error_errno(error, "a temporary file");
    for (int i = 0; i < comparison->clock_count; i++) {
        write_distribution(&comparison->clocks[i], i, script);
        write_stability(&comparison->clocks[i], i, script);
    }
    fprintf(script, "set terminal svg size %d,%d noenhanced background 'white'\n", 2 * WIDTH, HEIGHT);
    fprintf(script,
            "set multiplot layout 1,2\nset grid\nset key outside right\nset logscale x\nset format x '%%.0s%%c'\n");
    fprintf(script,
            "set title 'offset from the counter, absolute'\nset xlabel 'ns'\nset ylabel 'percent of the readings'\n"
            "set yrange [0:100]\n");
    write_panel(comparison, "$offset", "lines", script);
    fprintf(script, "set title 'overlapping Allan deviation'\nset xlabel 's'\nset ylabel 'fraction of the rate'\n"
                    "set logscale y\nset autoscale y\nset format y '%%.0e'\n");
    write_panel(comparison, "$allan", "linespoints", script);
    fprintf(script, "unset multiplot\n");
    int code = gnuplot_draw(script, stream, error);
    (void)fclose(script);
    return code;
}
