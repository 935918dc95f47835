/* The judgement of logs as a picture: a row for each series, with its course over time and the distribution of its
 * magnitudes. */
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "common/gnuplot.h"
#include "judged.h"

enum { WIDTH = 1100, HEIGHT = 260, ROWS = 12 /* series that are drawn */, STEPS = 200 /* of a distribution */ };

/* Smaller magnitudes are drawn at the edge of the logarithmic axis. */
static const double least_ns = 0.1;

static bool is_drawn(const struct ordo_log_track *track)
{
    return track->offsets.readings + track->offsets.summaries > 0;
}

static int count_rows(const struct judged *judged)
{
    int rows = 0;
    for (int i = 0; i < judged->judge->track_count; i++)
        rows += is_drawn(judged->judge->tracks[i]);
    return rows < ROWS ? rows : ROWS;
}

static void write_course(const struct ordo_log_band *band, int row, FILE *script)
{
    fprintf(script, "$course%d << end\n", row);
    for (int i = 0; i < ORDO_LOG_CELLS; i++)
        if (band->cell[i].count)
            fprintf(script, "%.9g %.9g %.9g\n", ((double)i + 0.5) * (double)band->span_ns * 1e-9, band->cell[i].low,
                    band->cell[i].high);
    fprintf(script, "end\n");
}

static void write_magnitudes(const struct ordo_sketch *sketch, int row, FILE *script)
{
    fprintf(script, "$share%d << end\n", row);
    for (int i = 0; i <= STEPS; i++) {
        double percent = 100.0 * i / STEPS;
        fprintf(script, "%.9g %g\n", fmax(ordo_sketch_percentile(sketch, percent), least_ns), percent);
    }
    fprintf(script, "end\n");
}

/* Draws lines at the limit; gnuplot leaves them out if they are beyond the axes. */
static void write_limit(const struct judged *judged, FILE *script)
{
    double limit_ns = judged->judge->limits.offset_ns;
    if (!isnan(limit_ns))
        fprintf(script,
                ", %.9g with lines linecolor rgb '#b00020' title 'limit', %.9g with lines linecolor rgb "
                "'#b00020' notitle",
                limit_ns, -limit_ns);
}

static void write_row(const struct judged *judged, const struct ordo_log_track *track, int row, FILE *script)
{
    char label[JUDGED_LABEL], begin[JUDGED_TIME], title[JUDGED_LABEL + JUDGED_TIME + 16];
    (void)snprintf(title, sizeof title, "%s, from %s", judged_label(judged, track, label),
                   judged_time(&track->first, begin));
    fprintf(script,
            "unset logscale x\nset autoscale x\nset yrange [*:*]\nset xlabel 's'\nset ylabel 'offset, ns'\nset title ");
    gnuplot_quote(script, title);
    fprintf(script, "\nplot ");
    if (track->band.span_ns)
        fprintf(script,
                "$course%d using 1:2:3 with filledcurves linecolor rgb '#6090c0' notitle, "
                "$course%d using 1:3 with lines linecolor rgb '#20508c' notitle",
                row, row);
    else
        fprintf(script, "NaN title 'no times in the log'");
    write_limit(judged, script);
    fprintf(script,
            "\nset logscale x\nset yrange [0:100]\nset xlabel 'magnitude of the offset, ns'\nset ylabel "
            "'percent of the readings'\nset title ''\nplot $share%d using 1:2 with lines linewidth 2 notitle\n",
            row);
}

static void write_picture(const struct judged *judged, FILE *script)
{
    const struct ordo_log_judge *judge = judged->judge;
    int rows = count_rows(judged), row = 0;
    for (int i = 0; i < judge->track_count && row < rows; i++)
        if (is_drawn(judge->tracks[i])) {
            write_course(&judge->tracks[i]->band, row, script);
            write_magnitudes(&judge->tracks[i]->offsets.magnitude, row++, script);
        }
    fprintf(script, "set terminal svg size %d,%d noenhanced background 'white'\nset multiplot layout %d,2\nset grid\n",
            WIDTH, HEIGHT * (rows ? rows : 1), rows ? rows : 1); /* without a series the picture is empty */
    row = 0;
    for (int i = 0; i < judge->track_count && row < rows; i++)
        if (is_drawn(judge->tracks[i]))
            write_row(judged, judge->tracks[i], row++, script);
    fprintf(script, "unset multiplot\n");
}

static int draw_picture(const struct judged *judged, FILE *stream, struct ordo_error *error)
{
    FILE *script = tmpfile();
    if (!script)
        return ordo_error_errno(error, "a temporary file");
    write_picture(judged, script);
    int code = gnuplot_draw(script, stream, error);
    (void)fclose(script);
    return code;
}

int judged_save_picture(const struct judged *judged, const char *path, struct ordo_error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream)
        return ordo_error_errno(error, "%s", path);
    int code = draw_picture(judged, stream, error);
    if (fclose(stream) && !code)
        code = ordo_error_errno(error, "%s", path);
    if (!code)
        code = ordo_file_replace(path, text, bytes, 0644, error);
    free(text);
    return code;
}
