/* The panels of a figure as a picture. */
#include <math.h>

#include "common/gnuplot.h"
#include "lab/figures/run.h"

enum { PANEL_WIDTH = 520, PANEL_HEIGHT = 460, ACROSS = 3 /* panels in a row */ };

/* What gnuplot calls each style. */
static const char *const styles[] = {
    [ORDO_FIGURE_LINE] = "with lines linewidth 2",    [ORDO_FIGURE_POINTS] = "with points pointtype 7 pointsize 0.5",
    [ORDO_FIGURE_BARS] = "with boxes fill solid 0.5", [ORDO_FIGURE_RANGES] = "with boxxyerror fill solid 0.6",
    [ORDO_FIGURE_STEPS] = "with histeps linewidth 2",
};

/* gnuplot's columns for a curve: a bar from low to high is drawn around the height y. */
static const char *columns_of_curve(const struct ordo_figure_curve *curve)
{
    if (curve->style == ORDO_FIGURE_RANGES)
        return "1:2:3:4:($2-0.4):($2+0.4)";
    bool ranged = curve->count && isfinite(curve->points[0].low);
    return ranged && curve->style == ORDO_FIGURE_POINTS ? "1:2:3:4" : "1:2";
}

static const char *style_of_curve(const struct ordo_figure_curve *curve)
{
    bool ranged = curve->count && isfinite(curve->points[0].low);
    return ranged && curve->style == ORDO_FIGURE_POINTS ? "with yerrorbars pointtype 7 pointsize 0.5"
                                                        : styles[curve->style];
}

static void write_points(const struct ordo_figure_curve *curve, int panel, int number, FILE *script)
{
    fprintf(script, "$p%dc%d << end\n", panel, number);
    for (size_t i = 0; i < curve->count; i++)
        fprintf(script, "%.9g %.9g %.9g %.9g\n", curve->points[i].x, curve->points[i].y, curve->points[i].low,
                curve->points[i].high);
    fprintf(script, "end\n");
}

static void write_axes(const struct ordo_figure_panel *panel, FILE *script)
{
    fprintf(script, "set title ");
    gnuplot_quote(script, panel->title);
    fprintf(script, "\nset xlabel ");
    gnuplot_quote(script, panel->x);
    fprintf(script, "\nset ylabel ");
    gnuplot_quote(script, panel->y);
    fprintf(script, "\nunset logscale\n%s%s", panel->axes & ORDO_FIGURE_LOG_X ? "set logscale x\n" : "",
            panel->axes & ORDO_FIGURE_LOG_Y ? "set logscale y\n" : "");
}

static void write_panel_of_figure(const struct ordo_figure_panel *panel, int number, FILE *script)
{
    int drawn = 0;
    write_axes(panel, script);
    for (int i = 0; i < panel->curves; i++) {
        const struct ordo_figure_curve *curve = &panel->curve[i];
        if (!curve->count)
            continue;
        fprintf(script, "%s$p%dc%d using %s %s title ", drawn++ ? ", " : "plot ", number, i, columns_of_curve(curve),
                style_of_curve(curve));
        gnuplot_quote(script, curve->name);
    }
    fprintf(script, drawn ? "\n" : "plot [0:1] [0:1] NaN notitle\n");
}

static void write_figure(const struct ordo_figure_run *run, const char *title, FILE *script)
{
    int across = run->panels < ACROSS ? run->panels : ACROSS, down = (run->panels + ACROSS - 1) / ACROSS;
    for (int i = 0; i < run->panels; i++)
        for (int j = 0; j < run->panel[i]->curves; j++)
            write_points(&run->panel[i]->curve[j], i, j, script);
    fprintf(script, "set terminal svg size %d,%d noenhanced background 'white'\n", across * PANEL_WIDTH,
            down * PANEL_HEIGHT + 40);
    fprintf(script, "set grid\nset key below\nset multiplot layout %d,%d title ", down, across);
    gnuplot_quote(script, title);
    fprintf(script, "\n");
    for (int i = 0; i < run->panels; i++)
        write_panel_of_figure(run->panel[i], i, script);
    fprintf(script, "unset multiplot\n");
}

int ordo_figure_draw(const struct ordo_figure_run *run, const char *title, FILE *output, struct ordo_error *error)
{
    FILE *script = tmpfile();
    if (!script)
        return ordo_error_errno(error, "a temporary file");
    write_figure(run, title, script);
    int code = gnuplot_draw(script, output, error);
    (void)fclose(script);
    return code;
}
