/* The cumulative distributions of the errors as a picture: one curve for each protocol. */
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "common/gnuplot.h"
#include "lab/ordo-lab/result.h"

enum { WIDTH = 900, HEIGHT = 520, COLOURS = 8 /* number of gnuplot's colours */ };

/* Smaller errors are drawn at the edge of the logarithmic axis. */
static const double least_ns = 0.1;

static void write_curve(const struct ordo_net_score *score, int number, FILE *script)
{
    fprintf(script, "$errors%d << end\n", number);
    for (int i = 0; i < ORDO_NET_CURVE; i++)
        fprintf(script, "%.9g %g\n", fmax(score->curve_ns[i], least_ns), i / 10.0);
    fprintf(script, "end\n");
}

static void write_plot(const struct result *result, FILE *script)
{
    fprintf(script, "set terminal svg size %d,%d noenhanced background 'white'\n", WIDTH, HEIGHT);
    fprintf(script, "set grid\nset key bottom right\nset logscale x\nset yrange [0:100]\n"
                    "set xlabel 'absolute error, ns'\nset ylabel 'percent of the claims'\n");
    for (int i = 0; i < result->count; i++) {
        fprintf(script, "%s$errors%d using 1:2 with lines linewidth 2 dashtype %d title ", i ? ", " : "plot ", i,
                i / COLOURS + 1);
        gnuplot_quote(script, result->protocols[i].name);
    }
    fprintf(script, "\n");
}

static int draw_result(const struct result *result, FILE *stream, struct ordo_error *error)
{
    FILE *script = tmpfile();
    if (!script)
        return ordo_error_errno(error, "a temporary file");
    for (int i = 0; i < result->count; i++)
        write_curve(&result->protocols[i].outcome.score, i, script);
    write_plot(result, script);
    int code = gnuplot_draw(script, stream, error);
    (void)fclose(script);
    return code;
}

int result_save_picture(const struct result *result, const char *path, struct ordo_error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream)
        return ordo_error_errno(error, "%s", path);
    int code = draw_result(result, stream, error);
    if (fclose(stream) && !code)
        code = ordo_error_errno(error, "%s", path);
    if (!code)
        code = ordo_file_replace(path, text, bytes, 0644, error);
    free(text);
    return code;
}
