#include "plot/gnuplot.h"

#include "common/gnuplot.h"

#define PANEL_WIDTH 640
#define PANEL_HEIGHT 420

/* Writes the points of a curve, and returns the largest x. */
static double write_points(FILE *script, const struct plot_curve *curve)
{
    double largest = 0;
    for (size_t i = 0; i < curve->count; i++) {
        const struct plot_point *point = &curve->points[i];
        fprintf(script, "%.17g %.17g %.17g %.17g \n", point->x, point->median, point->low, point->high);
        largest = point->x > largest ? point->x : largest;
    }
    return largest;
}

/* Returns the commands for the axes. A long axis of threads is logarithmic, because large thread counts are doubled
 * rather than counted up. Over the keys of a multi-get both axes are logarithmic, because its time grows with them. */
static const char *x_axis(enum plot_axis axis, double largest)
{
    if (axis == PLOT_KEYS)
        return "set logscale xy; set xtics auto; set yrange [*:*]";
    if (axis != PLOT_THREADS)
        return "unset logscale; set xtics auto";
    return largest > 16 ? "set logscale x 2; set xtics auto" : "unset logscale; set xtics 1";
}

static void write_panel(FILE *script, const struct plot_panel *panel, enum plot_axis axis)
{
    double largest = 0;
    for (size_t i = 0; i < panel->count; i++) {
        fprintf(script, "$curve%zu << end\n", i);
        double x = write_points(script, &panel->curves[i]);
        largest = x > largest ? x : largest;
        fprintf(script, "end\n");
    }
    fprintf(script, "set title ");
    gnuplot_quote(script, panel->name);
    fprintf(script, "\n%s\nplot ", x_axis(axis, largest));
    for (size_t i = 0; i < panel->count; i++) {
        fprintf(script, "%s$curve%zu using 1:2:3:4 with yerrorlines linewidth 2 title ", i ? ", " : "", i);
        gnuplot_quote(script, panel->curves[i].name);
    }
    fprintf(script, "\n");
}

static void write_script(FILE *script, const struct plot_panels *panels, enum plot_axis axis)
{
    static const char *const names[] = {"threads", "updates, percent of the operations", "keys of a multi-get"};
    int count = (int)panels->count, columns = count > 1 ? 2 : 1, rows = (count + columns - 1) / columns;
    fprintf(script, "set terminal svg size %d,%d noenhanced background 'white'\n", columns * PANEL_WIDTH,
            rows * PANEL_HEIGHT);
    fprintf(script, "set multiplot layout %d,%d\nset grid\nset key outside right\n", rows, columns);
    fprintf(script,
            "set ylabel 'million operations/s'\nset yrange [0:*]\nset offsets graph 0.04, graph 0.04, 0, 0\nset xlabel "
            "'%s'\n",
            names[axis]);
    for (size_t i = 0; i < panels->count; i++)
        write_panel(script, &panels->panels[i], axis);
    fprintf(script, "unset multiplot\n");
}

int plot_draw(const struct plot_panels *panels, enum plot_axis axis, FILE *output, struct ordo_error *error)
{
    FILE *script = tmpfile();
    if (!script)
        return ordo_error_errno(error, "a temporary file");
    write_script(script, panels, axis);
    int code = gnuplot_draw(script, output, error);
    (void)fclose(script);
    return code;
}
