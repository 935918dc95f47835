#include "plot/gnuplot.h"

#include "common/gnuplot.h"

#define PANEL_WIDTH 640
#define PANEL_HEIGHT 420

static double write_points(FILE *script, const json_t *points)
{
    size_t index;
    json_t *point;
    double largest = 0;
    json_array_foreach(points, index, point)
    {
        for (size_t i = 0; i < json_array_size(point); i++)
            fprintf(script, "%.17g ", json_number_value(json_array_get(point, i)));
        fprintf(script, "\n");
        double x = json_number_value(json_array_get(point, 0));
        largest = x > largest ? x : largest;
    }
    return largest;
}

/* Threads are whole numbers; many of them are doubled rather than counted. */
static const char *x_axis(enum plot_axis axis, double largest)
{
    if (axis != PLOT_THREADS)
        return "unset logscale; set xtics auto";
    return largest > 16 ? "set logscale x 2; set xtics auto" : "unset logscale; set xtics 1";
}

static void write_panel(FILE *script, const char *name, json_t *curves, enum plot_axis axis)
{
    const char *curve;
    json_t *points;
    int count = 0;
    double largest = 0;
    json_object_foreach(curves, curve, points)
    {
        fprintf(script, "$curve%d << end\n", count++);
        double x = write_points(script, points);
        largest = x > largest ? x : largest;
        fprintf(script, "end\n");
    }
    fprintf(script, "set title ");
    gnuplot_quote(script, name);
    fprintf(script, "\n%s\nplot ", x_axis(axis, largest));
    count = 0;
    json_object_foreach(curves, curve, points)
    {
        fprintf(script, "%s$curve%d using 1:2:3:4 with yerrorlines linewidth 2 title ", count ? ", " : "", count);
        gnuplot_quote(script, curve);
        count++;
    }
    fprintf(script, "\n");
}

static void write_script(FILE *script, json_t *panels, enum plot_axis axis)
{
    const char *panel;
    json_t *curves;
    int count = (int)json_object_size(panels), columns = count > 1 ? 2 : 1, rows = (count + columns - 1) / columns;
    fprintf(script, "set terminal svg size %d,%d noenhanced background 'white'\n", columns * PANEL_WIDTH,
            rows * PANEL_HEIGHT);
    fprintf(script, "set multiplot layout %d,%d\nset grid\nset key outside right\n", rows, columns);
    fprintf(script,
            "set ylabel 'million operations/s'\nset yrange [0:*]\nset offsets graph 0.04, graph 0.04, 0, 0\nset xlabel "
            "'%s'\n",
            axis == PLOT_THREADS ? "threads" : "updates, percent of the operations");
    json_object_foreach(panels, panel, curves)
    {
        write_panel(script, panel, curves, axis);
    }
    fprintf(script, "unset multiplot\n");
}

int plot_draw(json_t *panels, enum plot_axis axis, FILE *output, struct ordo_error *error)
{
    FILE *script = tmpfile();
    if (!script)
        return ordo_error_errno(error, "a temporary file");
    write_script(script, panels, axis);
    int code = gnuplot_draw(script, output, error);
    (void)fclose(script);
    return code;
}
