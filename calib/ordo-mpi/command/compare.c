/* ordo-mpi compare: compares algorithms by the duration of a synchronisation, and by the accuracy of the clock right
 * after it and later (Check-Global-Clock). The algorithms run in turns, so that other activity of the machine affects
 * all of them alike. */
#include <stdlib.h>

#include "base/plural.h"
#include "base/quantile.h"
#include "base/time.h"
#include "cluster/report/words.h"
#include "ordo-mpi/session.h"
#include "json/builder.h"

enum { MOST_WAITS = 8, MOST_FIGURES = 1 + MOST_WAITS };

struct options {
    struct mpi_session_options session;
    struct mpi_waits waits;
    int runs, pingpong;
    bool json;
};

#define VALUE(member) CLI_VALUE(struct options, member)

static const struct cli_row rows[] = {
    {.name = "runs",
     .argument = "N",
     .usual = "10",
     .least = 1,
     .most = 100000,
     VALUE(runs),
     .help = "Synchronisations by each algorithm; the algorithms take turns"},
    {.name = "wait",
     .argument = "S,...",
     .usual = "0,1",
     .most = MOST_WAITS,
     .read = mpi_read_waits,
     .offset = offsetof(struct options, waits),
     .help = "Seconds after synchronisation at which to check, ascending"},
    {.name = "pingpong",
     .argument = "N",
     .usual = "100",
     .least = 1,
     .most = 1000000,
     VALUE(pingpong),
     .help = "Exchanges of messages with each rank, in a check"},
    {.name = "json", VALUE(json), .help = "Print the result as JSON (schema ordo-comparison/1)"},
    {0},
};

static const struct cli_part parts[] = {{.rows = rows}, MPI_SESSION_PARTS(struct options, session), {0}};

/* The results of all runs, on rank 0. Figure 0 of a run is the duration of the synchronisation in seconds; the others
 * are the largest offset, in ns, after each wait. */
struct results {
    const struct options *options;
    double *figures;   /* for each algorithm and figure, an array with one value per run */
    double certain_ns; /* largest error of a measured offset */
    int refuted;
};

static double *figure(const struct results *results, int algorithm, int figure)
{
    return results->figures + ((size_t)algorithm * MOST_FIGURES + (size_t)figure) * (size_t)results->options->runs;
}

/* Returns the median of `values`, divided by those of `over` if it is not NULL. Sorts a copy, because the order of the
 * runs must not change. */
static struct ordo_median median_of(const double *values, const double *over, int count)
{
    double *copy = malloc((size_t)count * sizeof *copy);
    struct ordo_error error = {.text = "out of memory"};
    mpi_cli_must(copy ? ORDO_OK : ORDO_E_SYSTEM, &error);
    for (int i = 0; i < count; i++)
        copy[i] = over ? values[i] / over[i] : values[i];
    struct ordo_median median = ordo_stats_median(copy, (size_t)count);
    free(copy);
    return median;
}

/* Returns the median, over all runs, of a figure of an algorithm divided by that of the first algorithm. */
static struct ordo_median ratio_of(const struct results *results, int algorithm, int which)
{
    return median_of(figure(results, algorithm, which), figure(results, 0, which), results->options->runs);
}

static struct ordo_median median_result(const struct results *results, int algorithm, int which)
{
    return median_of(figure(results, algorithm, which), NULL, results->options->runs);
}

static double check_once(struct mpi_session *session, struct results *results, struct ordo_global_check *checks)
{
    struct ordo_error error;
    const struct ordo_mpi_check_options options = {.pingpong = results->options->pingpong};
    int count;
    double worst_ns = 1; /* at least 1 ns, because it becomes a divisor, and a check does not resolve less */
    int code = ordo_mpi_check(session->clock, &options, checks, &count, &error);
    mpi_cli_must(code == ORDO_E_MEASURE ? ORDO_OK : code, &error);
    for (int i = 0; i < count; i++) {
        double wide_ns = (double)(checks[i].measured_high_ns - checks[i].measured_low_ns) / 2;
        double off_ns = (double)llabs(checks[i].offset_ns);
        worst_ns = off_ns > worst_ns ? off_ns : worst_ns;
        results->certain_ns = wide_ns > results->certain_ns ? wide_ns : results->certain_ns;
        results->refuted += checks[i].refuted;
    }
    return worst_ns;
}

static int run_once(struct mpi_session *session, struct results *results, int algorithm, int run,
                    struct ordo_global_check *checks, const char *program)
{
    const struct options *options = results->options;
    struct progress none = {0};
    ordo_mpi_forget(session->clock); /* no algorithm may use offsets of earlier runs */
    int code = mpi_session_synchronise(session, &options->session.levels.algorithms[algorithm], program);
    if (code)
        return code;
    int64_t begin_ns = ordo_raw_ns();
    figure(results, algorithm, 0)[run] = session->sync_seconds;
    for (int wait = 0; wait < options->waits.count; wait++) {
        mpi_cli_wait(begin_ns, options->waits.s[wait], options->waits.s[wait], &none);
        figure(results, algorithm, 1 + wait)[run] = check_once(session, results, checks);
    }
    return EXIT_OK;
}

static void print_figure(const char *format, struct ordo_median median)
{
    char text[48];
    (void)snprintf(text, sizeof text, format, median.median, median.low, median.high);
    printf(" %24s", text);
}

static void print_offset(struct ordo_median median)
{
    char text[3][24], all[80];
    (void)snprintf(all, sizeof all, "%s [%s, %s]", ordo_format_ns(median.median, text[0]),
                   ordo_format_ns(median.low, text[1]), ordo_format_ns(median.high, text[2]));
    printf(" %28s", all);
}

static void print_compared(const struct mpi_session *session, const struct results *results)
{
    const struct options *options = results->options;
    const struct mpi_levels *levels = &options->session.levels;
    char certain[24];
    printf("%d rank%s, clock %s, %d run%s of each in turns: median and %s of the time that synchronising takes,\n"
           "and of the largest offset of a rank, measured to within %s; verification, once: %.1f s\n",
           session->size, ordo_plural(session->size), options->session.source->name, options->runs,
           ordo_plural(options->runs), ordo_stats_interval_name(median_result(results, 0, 0).level),
           ordo_format_ns(results->certain_ns, certain), session->verify_seconds);
    printf("%-32s %24s", "algorithm", "seconds");
    for (int wait = 0; wait < options->waits.count; wait++)
        printf(" %20s %5g s", "offset after", options->waits.s[wait]);
    printf("\n");
    for (int i = 0; i < levels->count; i++) {
        printf("%-32s", levels->names[i]);
        print_figure("%.3f [%.3f, %.3f]", median_result(results, i, 0));
        for (int wait = 0; wait < options->waits.count; wait++)
            print_offset(median_result(results, i, 1 + wait));
        printf("\n");
    }
    for (int i = 1; i < levels->count; i++) {
        printf("%-32s", i == 1 ? "as a share of the first, by run:" : "");
        for (int which = 0; which <= options->waits.count; which++)
            print_figure(which ? "    %.2f [%.2f, %.2f]" : "%.2f [%.2f, %.2f]", ratio_of(results, i, which));
        printf("  %s\n", levels->names[i]);
    }
    if (results->refuted)
        printf("%d bound%s refuted: a clock stepped, or wanders more than was declared\n", results->refuted,
               results->refuted == 1 ? " was" : "s were");
}

static struct ordo_json algorithm_of(const struct results *results, int algorithm)
{
    const struct options *options = results->options;
    struct ordo_json object = ordo_json_object(), checks = ordo_json_array();
    for (int wait = 0; wait < options->waits.count; wait++) {
        struct ordo_json check = ordo_json_object();
        ordo_json_put_real(&check, "wait_s", options->waits.s[wait]);
        ordo_json_put_median(&check, "worst_offset_ns", median_result(results, algorithm, 1 + wait));
        ordo_json_put_median(&check, "share_of_first", ratio_of(results, algorithm, 1 + wait));
        ordo_json_add(&checks, check);
    }
    ordo_json_put_text(&object, "algorithm", options->session.levels.names[algorithm]);
    ordo_json_put_median(&object, "sync_seconds", median_result(results, algorithm, 0));
    ordo_json_put_median(&object, "share_of_first", ratio_of(results, algorithm, 0));
    ordo_json_put(&object, "checks", checks);
    return object;
}

static int print_compared_json(const struct mpi_session *session, const struct results *results)
{
    const struct options *options = results->options;
    struct ordo_json document = ordo_json_document("ordo-comparison/1"), algorithms = ordo_json_array();
    for (int i = 0; i < options->session.levels.count; i++)
        ordo_json_add(&algorithms, algorithm_of(results, i));
    ordo_json_put_int(&document, "ranks", session->size);
    ordo_json_put_text(&document, "clock", options->session.source->name);
    ordo_json_put_int(&document, "runs", options->runs);
    ordo_json_put_real(&document, "verify_seconds", session->verify_seconds);
    ordo_json_put_real(&document, "measured_to_ns", results->certain_ns);
    ordo_json_put_int(&document, "refuted", results->refuted);
    ordo_json_put(&document, "algorithms", algorithms);
    return ordo_json_write(&document, stdout);
}

static int report_compared(const struct mpi_session *session, const struct results *results, const char *program)
{
    if (!results->options->json)
        print_compared(session, results);
    else if (print_compared_json(session, results))
        return cli_fail_output(program);
    int code = cli_close_stdout(program);
    return code ? code : results->refuted ? EXIT_FAILS : EXIT_OK;
}

static int compare_algorithms(struct mpi_session *session, const void *own, const char *program)
{
    struct results results = {.options = own};
    const struct options *options = own;
    const int algorithms = options->session.levels.count;
    struct ordo_error error = {.text = "out of memory"};
    struct progress progress;
    struct ordo_global_check *checks = calloc((size_t)session->size, sizeof *checks);
    int code = EXIT_OK;
    results.figures = calloc((size_t)algorithms * MOST_FIGURES * (size_t)options->runs, sizeof *results.figures);
    mpi_cli_must(checks && results.figures ? ORDO_OK : ORDO_E_SYSTEM, &error);
    mpi_session_progress(session, &progress);
    for (int i = 0; i < options->runs * algorithms && !code; i++) {
        code = run_once(session, &results, i % algorithms, i / algorithms, checks, program);
        progress_show(&progress, (i + 1.0) / (options->runs * algorithms), "runs");
    }
    progress_end(&progress);
    if (!code && session->rank == 0)
        code = report_compared(session, &results, program);
    free(results.figures);
    free(checks);
    return code;
}

static int run_mpi_compare(int argc, char **argv)
{
    static const struct cli_table table = {
        "Synchronises by several algorithms in turn (default: hca3 and h2hca), and compares how long they take, and "
        "how far apart the global clocks are afterwards.\vGive --alg once for each algorithm. Exit status: 0 the bound "
        "of every model holds; 1 a bound is proved wrong, or nothing could be synchronised; 2 inconclusive; 64 usage; "
        "70 internal.",
        parts};
    static const struct mpi_session_command command = {.table = &table, .work = compare_algorithms, .by_itself = true};
    struct options options = {.session = mpi_session_defaults()};
    options.session.levels.most = MPI_MOST_ALGORITHMS;
    options.session.levels.usual[0] = "hca3";
    options.session.levels.usual[1] = "h2hca";
    return mpi_session_run(&command, argc, argv, &options);
}

const struct command command_compare = {
    .name = "compare",
    .title = "compare synchronisation algorithms with each other",
    .schema = "ordo-comparison/1",
    .run = run_mpi_compare,
};
