/* ordo-mpi drift: measures the offset of every rank's clock to that of rank 0 over time, and how linear it is (Hunold and
 * Carpen-Amarie, CLUSTER 2018, Figure 2). */
#include <math.h>
#include <stdlib.h>

#include <ordo/clock.h>

#include "base/file.h"
#include "base/plural.h"
#include "base/span.h"
#include "base/time.h"
#include "cluster/mpi/context.h"
#include "cluster/sync/drift.h"
#include "common/gnuplot.h"
#include "ordo-mpi/session.h"
#include "json/builder.h"

enum { MOST_POINTS = 100000 };

struct options {
    const struct ordo_clock_source *source;
    double seconds, interval_s, first_s, deadline_s;
    int pingpong;
    const char *svg;
    bool json, csv, quiet;
};

#define VALUE(member) CLI_VALUE(struct options, member)

static const struct cli_row rows[] = {
    {.name = "seconds",
     .argument = "S",
     .usual = "500",
     .least = 1,
     .most = MPI_MOST_SECONDS,
     VALUE(seconds),
     .help = "Seconds for which the offsets are measured"},
    {.name = "interval",
     .argument = "S",
     .usual = "1",
     .least = 0.01,
     .most = 3600,
     VALUE(interval_s),
     .help = "Seconds from one measurement of all ranks to the next"},
    {.name = "first",
     .argument = "S",
     .usual = "10",
     .least = 0.1,
     .most = MPI_MOST_SECONDS,
     VALUE(first_s),
     .help = "Seconds of the second line, from the beginning"},
    {.name = "pingpong",
     .argument = "N",
     .usual = "50",
     .least = 1,
     .most = 1000000,
     VALUE(pingpong),
     .help = "Exchanges of messages for each offset"},
    {.name = "clock",
     .argument = "CLOCK",
     .read = mpi_read_clock,
     .offset = offsetof(struct options, source),
     .help = "Clock to measure (default: the hardware's)"},
    MPI_DEADLINE_ROW(struct options, deadline_s),
    {.name = "json", .group = 2, VALUE(json), .help = "Print the lines and all offsets as JSON (schema ordo-drift/1)"},
    {.name = "csv", .group = 2, VALUE(csv), .help = "Print all offsets as CSV"},
    {.name = "svg",
     .group = 2,
     .argument = "FILE",
     VALUE(svg),
     .help = "Draw the offsets and their lines into FILE, with gnuplot"},
    {.name = "quiet", .letter = 'q', .group = 2, VALUE(quiet), .help = "Show no progress bar"},
    {0},
};

static const char *check_drift(void *own, char text[400])
{
    const struct options *options = own;
    (void)text;
    return options->json && options->csv                              ? "--json and --csv: give only one of them"
           : options->seconds / options->interval_s > MOST_POINTS - 1 ? "--interval: more than 100000 measurements"
                                                                      : NULL;
}

static const struct cli_part parts[] = {{.rows = rows, .check = check_drift}, {0}};

/* The result on rank 0. */
struct drift {
    const struct options *options;
    int ranks, count;                /* count: number of measurements of each rank */
    struct ordo_drift_point *points; /* those of one time are neighbours, in the order of ranks */
    struct ordo_drift_line *whole,
        *first; /* the lines of each rank, through all points and through the first seconds */
};

static const struct ordo_drift_point *drift_point(const struct drift *drift, int rank, int index)
{
    return &drift->points[(size_t)index * (size_t)drift->ranks + (size_t)rank];
}

/* Returns seconds since the first measurement. */
static double drift_seconds(const struct drift *drift, int rank, int index)
{
    return (double)(drift_point(drift, rank, index)->at_ns - drift_point(drift, rank, 0)->at_ns) / 1e9;
}

static void print_drift_csv(const struct drift *drift)
{
    printf("rank,seconds,offset_ns,low_ns,high_ns\n");
    for (int rank = 1; rank < drift->ranks; rank++)
        for (int i = 0; i < drift->count; i++) {
            const struct ordo_drift_point *point = drift_point(drift, rank, i);
            printf("%d,%.6f,%lld,%lld,%lld\n", rank, drift_seconds(drift, rank, i), (long long)point->offset_ns,
                   (long long)point->low_ns, (long long)point->high_ns);
        }
}

static struct ordo_json line_json(const struct ordo_drift_line *line)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "points", line->points);
    ordo_json_put_real(&object, "offset_ns", line->offset_ns);
    ordo_json_put_real(&object, "slope_ppb", line->slope_ppb);
    ordo_json_put_real(&object, "r_squared", line->r_squared);
    ordo_json_put_real(&object, "residual_ns", line->residual_ns);
    return object;
}

static struct ordo_json drifting_rank_json(const struct drift *drift, int rank)
{
    struct ordo_json object = ordo_json_object(), seconds = ordo_json_array(), offsets = ordo_json_array();
    for (int i = 0; i < drift->count; i++) {
        ordo_json_add(&seconds, ordo_json_real(drift_seconds(drift, rank, i)));
        ordo_json_add(&offsets, ordo_json_int(drift_point(drift, rank, i)->offset_ns));
    }
    ordo_json_put_int(&object, "rank", rank);
    ordo_json_put(&object, "whole", line_json(&drift->whole[rank]));
    ordo_json_put(&object, "first", line_json(&drift->first[rank]));
    ordo_json_put(&object, "seconds", seconds);
    ordo_json_put(&object, "offset_ns", offsets);
    return object;
}

static int print_drift_json(const struct drift *drift)
{
    struct ordo_json document = ordo_json_document("ordo-drift/1"), ranks = ordo_json_array();
    for (int rank = 1; rank < drift->ranks; rank++)
        ordo_json_add(&ranks, drifting_rank_json(drift, rank));
    ordo_json_put_text(&document, "clock", drift->options->source->name);
    ordo_json_put_int(&document, "pingpong", drift->options->pingpong);
    ordo_json_put_real(&document, "first_s", drift->options->first_s);
    ordo_json_put(&document, "ranks", ranks);
    return ordo_json_write(&document, stdout);
}

static void print_drift(const struct drift *drift)
{
    char residual[24], first[24];
    printf("%d rank%s, clock %s, %d measurement%s; lines through all, and through the first %g s\n", drift->ranks,
           ordo_plural(drift->ranks), drift->options->source->name, drift->count, ordo_plural(drift->count),
           drift->options->first_s);
    printf("%6s %14s %8s %12s %14s %8s %12s\n", "rank", "slope [ppb]", "R^2", "farthest", "slope [ppb]", "R^2",
           "farthest");
    for (int rank = 1; rank < drift->ranks; rank++)
        printf("%6d %14.3f %8.4f %12s %14.3f %8.4f %12s\n", rank, drift->whole[rank].slope_ppb,
               drift->whole[rank].r_squared, ordo_format_ns(drift->whole[rank].residual_ns, residual),
               drift->first[rank].slope_ppb, drift->first[rank].r_squared,
               ordo_format_ns(drift->first[rank].residual_ns, first));
}

/* Writes a script that draws the offsets since the first measurement, in us, for all seconds and for the first. */
static void write_drift_script(const struct drift *drift, FILE *script)
{
    const double spans[] = {drift->options->seconds, fmin(drift->options->first_s, drift->options->seconds)};
    fprintf(script, "set terminal svg size 1040,420 noenhanced background 'white'\nset grid\nset key top left\n"
                    "set xlabel 'time [s]'\nset ylabel 'clock offset [us]'\n");
    for (int rank = 1; rank < drift->ranks; rank++) {
        fprintf(script, "$r%d << end\n", rank);
        for (int i = 0; i < drift->count; i++)
            fprintf(script, "%.6f %.3f\n", drift_seconds(drift, rank, i),
                    (double)(drift_point(drift, rank, i)->offset_ns - drift_point(drift, rank, 0)->offset_ns) / 1e3);
        fprintf(script, "end\n");
    }
    fprintf(script, "set multiplot layout 1,2\n");
    for (int panel = 0; panel < 2; panel++) {
        fprintf(script, "plot [0:%g]", spans[panel]);
        for (int rank = 1; rank < drift->ranks; rank++) {
            const struct ordo_drift_line *line = panel ? &drift->first[rank] : &drift->whole[rank];
            double at_zero = (line->offset_ns - (double)drift_point(drift, rank, 0)->offset_ns) / 1e3;
            fprintf(script, "%s $r%d with points pointtype 7 pointsize 0.3 title 'rank %d, R^2 %.4f'",
                    rank > 1 ? "," : "", rank, rank, line->r_squared);
            if (line->points > 1)
                fprintf(script, ", %.9g + %.9g * x with lines notitle", at_zero, line->slope_ppb / 1e3);
        }
        fprintf(script, "\n");
    }
    fprintf(script, "unset multiplot\n");
}

static int draw_drift(const struct drift *drift, struct ordo_error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *script = tmpfile(), *picture = open_memstream(&text, &bytes);
    int code = script && picture ? ORDO_OK : ordo_error_errno(error, "%s", drift->options->svg);
    if (!code) {
        write_drift_script(drift, script);
        code = gnuplot_draw(script, picture, error);
    }
    if (script)
        (void)fclose(script);
    if (picture && fclose(picture) && !code)
        code = ordo_error_errno(error, "%s", drift->options->svg);
    if (!code)
        code = ordo_file_replace(drift->options->svg, text, bytes, 0644, error);
    free(text);
    return code;
}

/* Collective: measures all offsets, as many times as there is time. */
static void measure_drift(struct ordo_mpi *clock, struct drift *drift)
{
    const struct options *options = drift->options;
    struct ordo_error error = {.text = "a message between ranks failed"};
    struct progress progress;
    int64_t begin_ns = ordo_raw_ns();
    int rank = clock->transport->rank;
    progress_begin(&progress, options->quiet || rank != 0);
    for (int i = 0; i < drift->count; i++) {
        mpi_cli_wait(begin_ns, i * options->interval_s, options->seconds, &progress);
        mpi_cli_must(ordo_sync_offsets(clock->transport, options->pingpong,
                                       rank == 0 ? &drift->points[(size_t)i * (size_t)drift->ranks] : NULL),
                     &error);
    }
    progress_end(&progress);
}

static void fit_lines(struct drift *drift)
{
    struct ordo_error error = {.text = "out of memory"};
    for (int rank = 1; rank < drift->ranks; rank++) {
        const struct ordo_drift_point *points = drift_point(drift, rank, 0);
        int code = ordo_drift_fit(points, drift->count, drift->ranks, INFINITY, &drift->whole[rank]);
        if (!code)
            code = ordo_drift_fit(points, drift->count, drift->ranks, drift->options->first_s, &drift->first[rank]);
        mpi_cli_must(code, &error);
    }
}

static int report_drift(struct drift *drift, const char *program)
{
    struct ordo_error error = {0};
    int failed = 0;
    fit_lines(drift);
    if (drift->options->svg && drift->ranks < 2)
        return cli_fail(EXIT_UNKNOWN, program, "--svg: a single rank has nothing to draw");
    if (drift->options->svg && draw_drift(drift, &error))
        return cli_fail(EXIT_INTERNAL, program, error.text);
    if (drift->options->json)
        failed = print_drift_json(drift);
    else if (drift->options->csv)
        print_drift_csv(drift);
    else
        print_drift(drift);
    if (failed)
        return cli_fail_output(program);
    return cli_close_stdout(program);
}

static void allocate_drift(struct drift *drift)
{
    struct ordo_error error = {.text = "out of memory"};
    size_t ranks = (size_t)drift->ranks;
    drift->points = calloc((size_t)drift->count * ranks, sizeof *drift->points);
    drift->whole = calloc(ranks, sizeof *drift->whole);
    drift->first = calloc(ranks, sizeof *drift->first);
    mpi_cli_must(drift->points && drift->whole && drift->first ? ORDO_OK : ORDO_E_SYSTEM, &error);
}

static int run_drift(int argc, char **argv)
{
    static const struct cli_table table = {
        "Measures the offset of every rank's clock to that of rank 0 over time, and fits two lines to the offsets: a "
        "global clock is such a line, extrapolated.\vExit status: 0 measured; 2 there is nothing to compare; 64 usage; "
        "70 internal.",
        parts};
    struct options options = {.source = ordo_clock_source_find(ORDO_CLOCK_NAME)};
    struct ordo_error error;
    struct ordo_mpi *clock;
    int code = EXIT_OK;
    mpi_cli_read(&table, argc, argv, &options);
    int rank = mpi_cli_begin(argv[0], options.deadline_s, false);
    struct drift drift = {.options = &options, .count = (int)(options.seconds / options.interval_s) + 1};
    MPI_Comm_size(MPI_COMM_WORLD, &drift.ranks);
    mpi_cli_must(ordo_mpi_create_by(MPI_COMM_WORLD, options.source->name, mpi_cli_deadline_ns(), &clock, &error),
                 &error);
    if (rank == 0)
        allocate_drift(&drift);
    measure_drift(clock, &drift);
    if (rank == 0)
        code = report_drift(&drift, argv[0]);
    free(drift.points);
    free(drift.whole);
    free(drift.first);
    mpi_cli_barrier();
    ordo_mpi_free(clock);
    return mpi_cli_end(code);
}

const struct command command_drift = {
    .name = "drift",
    .title = "measure how the clocks of the ranks drift apart, and how linearly",
    .schema = "ordo-drift/1",
    .run = run_drift,
};
