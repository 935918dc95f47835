#include "plot/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PANEL_WIDTH 640
#define PANEL_HEIGHT 420

extern char **environ;

/* A string as gnuplot reads it: nothing in single quotes is special but the quote. */
static void quote(FILE *script, const char *text)
{
    (void)fputc('\'', script);
    for (; *text; text++) {
        if (*text == '\'')
            (void)fputc('\'', script);
        (void)fputc((unsigned char)*text < ' ' ? ' ' : *text, script);
    }
    (void)fputc('\'', script);
}

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
    quote(script, name);
    fprintf(script, "\n%s\nplot ", x_axis(axis, largest));
    count = 0;
    json_object_foreach(curves, curve, points)
    {
        fprintf(script, "%s$curve%d using 1:2:3:4 with yerrorlines linewidth 2 title ", count ? ", " : "", count);
        quote(script, curve);
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

/* Runs gnuplot on a script, its standard output going to `picture`. */
static int run_gnuplot(FILE *script, FILE *picture, struct ordo_error *error)
{
    char *arguments[] = {"gnuplot", "-", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int status = 0;
    rewind(script);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, fileno(picture), STDOUT_FILENO);
    int failed = posix_spawnp(&child, "gnuplot", &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return ordo_error_set(error, failed == ENOENT ? ORDO_E_MISSING : ORDO_E_SYSTEM, failed,
                              "gnuplot: %s: install it, on Debian the package gnuplot-nox", strerror(failed));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "gnuplot: failed, and has said why above");
    return ORDO_OK;
}

static int copy(FILE *from, FILE *to, struct ordo_error *error)
{
    char bytes[4096];
    size_t count;
    rewind(from);
    while ((count = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, count, to) != count)
            return ordo_error_errno(error, "the picture");
    return fflush(to) == 0 && !ferror(from) ? ORDO_OK : ordo_error_errno(error, "the picture");
}

int plot_draw(json_t *panels, enum plot_axis axis, FILE *output, struct ordo_error *error)
{
    FILE *script = tmpfile(), *picture = tmpfile();
    int code = script && picture ? ORDO_OK : ordo_error_errno(error, "temporary files");
    if (!code) {
        write_script(script, panels, axis);
        code = fflush(script) == 0 ? run_gnuplot(script, picture, error) : ordo_error_errno(error, "the script");
    }
    if (!code)
        code = copy(picture, output, error);
    if (script)
        (void)fclose(script);
    if (picture)
        (void)fclose(picture);
    return code;
}
