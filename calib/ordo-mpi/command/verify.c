/* ordo-mpi verify: checks, for each node and each clock, whether the ranks of the node read one clock. */
#include <stdlib.h>
#include <string.h>

#include <ordo/ordo.h>

#include "cluster/report/report.h"
#include "common/progress.h"
#include "ordo-mpi/session.h"

struct options {
    const struct ordo_clock_source *sources[MPI_MOST_CLOCKS];
    int source_count;
    const struct ordo_clock_source *required;
    struct mpi_injections injections;
    struct ordo_verify_options verify;
    const char *record;
    double deadline_s; /* timeout for a silent rank; 0: none */
    bool json, nhc, quiet, progress;
};

static void add_clock(struct options *options, const struct ordo_clock_source *source)
{
    for (int i = 0; i < options->source_count; i++)
        if (options->sources[i] == source)
            return;
    if (options->source_count < MPI_MOST_CLOCKS)
        options->sources[options->source_count++] = source;
}

static void read_verify_clock(const struct cli_given *given, void *member)
{
    const struct ordo_clock_source *source;
    mpi_read_clock(given, &source);
    add_clock(member, source);
}

static void read_seconds(const struct cli_given *given, void *member)
{
    *(int64_t *)member = (int64_t)(cli_real(given->state, given->option, given->text, 0, MPI_MOST_SECONDS) * 1e9);
}

#define VALUE(member) CLI_VALUE(struct options, member)

static const struct cli_row rows[] = {
    {.name = "clock",
     .argument = "CLOCK",
     .read = read_verify_clock,
     .help = "Clock to verify; may be repeated (default: all clocks that are not coarse)"},
    {.name = "require",
     .argument = "CLOCK",
     .read = mpi_read_clock,
     .offset = offsetof(struct options, required),
     .help = "Clock whose verdict is the exit status: 0 valid, 1 invalid, 2 inconclusive"},
    {.name = "rounds",
     .argument = "N",
     .usual = "5",
     .least = 2,
     .most = 100000,
     VALUE(verify.rounds),
     .help = "Number of times that every pair of ranks is measured"},
    {.name = "seconds",
     .argument = "S",
     .usual = "1.6",
     .read = read_seconds,
     .offset = offsetof(struct options, verify.span_ns),
     .help = "Seconds from the first round to the last; a longer time gives a tighter bound on the drift"},
    {.name = "exchanges",
     .argument = "N",
     .usual = "200",
     .least = 1,
     .most = 1000000,
     VALUE(verify.exchanges),
     .help = "Exchanges per pair, clock and round"},
    {.name = "tolerance",
     .argument = "NS",
     .least = 1,
     .most = 1000000000,
     VALUE(verify.tolerance_ns),
     .help =
         "Largest residual of a valid clock, in addition to its granule (default: 1000, or the time of four readings "
         "of the kernel's clocks if that is longer; at most a quarter of the best round trip between nodes)"},
    {.name = "record",
     .argument = "FILE",
     VALUE(record),
     .help = "Published boundary to compare with (default: the record that ordo_open would open)"},
    {.name = "inject",
     .argument = "SPEC",
     .read = mpi_read_injection,
     .offset = offsetof(struct options, injections),
     .help = "Self-test: put an error on a rank's clock, CLOCK:RANK:OFFSET_NS[:PPM]"},
    MPI_DEADLINE_ROW(struct options, deadline_s),
    {.name = "json", VALUE(json), .help = "Print the result as JSON (schema ordo-verify/1)"},
    {.name = "nhc", VALUE(nhc), .help = "Print one line per node, for a scheduler's health check"},
    {.name = "progress", VALUE(progress), .help = "Show a progress bar even if stderr is not a terminal"},
    {.name = "quiet", .letter = 'q', VALUE(quiet), .help = "Show no progress bar"},
    {0},
};

static const char *check_verify(void *own, char text[400])
{
    const struct options *options = own;
    (void)text;
    return options->json && options->nhc ? "--json and --nhc: give only one of them" : NULL;
}

static const struct cli_part parts[] = {{.rows = rows, .check = check_verify}, {0}};

static void on_verify_share(void *context, double share)
{
    progress_show(context, share, "rounds");
}

/* Chooses the clocks to verify: those that the options name; without such an option, all clocks that are not coarse;
 * and always the required clock. */
static void choose_clocks(struct options *options)
{
    if (options->source_count == 0)
        for (const struct ordo_clock_source *const *at = ordo_clock_sources; *at; at++)
            if (!(*at)->on_request)
                add_clock(options, *at);
    if (options->required)
        add_clock(options, options->required);
}

/* Collective: collects on rank 0 the published boundary of each rank's machine; 0 for a rank without a valid record. If
 * `path` names a record, returns the code of ordo_open if a rank cannot open it; else returns 0. */
static int collect_boundaries(const char *path, double *boundaries_ns, int rank)
{
    struct ordo o;
    struct ordo_error error;
    int worst = ordo_open(&o, path);
    if (worst == ORDO_OK) {
        boundaries_ns[rank] = (double)ordo_ticks_to_ns(&o, ordo_boundary(&o));
        ordo_close(&o);
    }
    struct ordo_mpi_watch *watch = mpi_cli_watch();
    mpi_cli_must(ORDO_MPI_WAIT(watch, &error, MPI_Igather, rank ? &boundaries_ns[rank] : MPI_IN_PLACE, 1, MPI_DOUBLE,
                               boundaries_ns, 1, MPI_DOUBLE, 0, watch->comm),
                 &error);
    mpi_cli_reduce(&worst, 1, MPI_INT, MPI_MIN);
    return path ? worst : ORDO_OK;
}

/* Collective: returns the collected boundaries, in memory that the caller must free. Sets `*refused` to the code of
 * collect_boundaries. */
static double *boundaries(const char *path, int rank, int *refused)
{
    struct ordo_error error = {.text = "out of memory"};
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *boundaries_ns = calloc((size_t)size, sizeof *boundaries_ns);
    mpi_cli_must(boundaries_ns ? ORDO_OK : ORDO_E_SYSTEM, &error);
    *refused = collect_boundaries(path, boundaries_ns, rank);
    return boundaries_ns;
}

static int refuse_record(const char *record, int rank, int refused)
{
    if (rank == 0)
        (void)cli_failf(EXIT_UNKNOWN, "ordo-mpi verify", "--record %s: %s", record, ordo_strerror(refused));
    return EXIT_UNKNOWN;
}

static int exit_code(const struct options *options, const struct ordo_verify *verify)
{
    static const int codes[] = {
        [ORDO_VALID] = EXIT_OK, [ORDO_INVALID] = EXIT_FAILS, [ORDO_INCONCLUSIVE] = EXIT_UNKNOWN};
    int code = EXIT_OK;
    for (int clock = 0; clock < verify->clock_count; clock++) {
        if (options->sources[clock] == options->required)
            return codes[verify->kinds[clock]];
        if (!options->required && verify->kinds[clock] == ORDO_INCONCLUSIVE)
            code = EXIT_UNKNOWN;
    }
    return code;
}

static int report_verify(const struct options *options, const struct ordo_verify_result *result)
{
    int failed = 0;
    if (options->json)
        failed = ordo_verify_report_json(result, options->required, stdout);
    else if (options->nhc)
        ordo_verify_report_nhc(result, options->required, stdout);
    else
        ordo_verify_report_text(result, stdout);
    return failed ? cli_fail_output("ordo-mpi verify") : cli_close_stdout("ordo-mpi verify");
}

static int run_verify(int argc, char **argv)
{
    static const struct cli_table table = {
        "For every node and clock: is the clock common to the node's ranks?\v"
        "A clock is INVALID only if that is proved. Exit status: with --require by that "
        "clock's verdict; without it 0 when "
        "no verdict is INCONCLUSIVE, else 2; 64 usage, 70 internal.",
        parts};
    struct options options = {.verify = {.visit_ns = 20000000}};
    struct ordo_node_clock clocks[MPI_MOST_CLOCKS] = {0};
    struct ordo_verify *verify;
    struct ordo_error error;
    struct progress progress;
    int refused;
    mpi_cli_read(&table, argc, argv, &options);
    choose_clocks(&options);
    int rank = mpi_cli_begin(argv[0], options.deadline_s, false);
    double *boundaries_ns = boundaries(options.record, rank, &refused);
    if (refused) {
        free(boundaries_ns);
        return mpi_cli_end(refuse_record(options.record, rank, refused));
    }
    for (int i = 0; i < options.source_count; i++)
        clocks[i].source = options.sources[i];
    mpi_cli_inject(clocks, options.source_count, &options.injections, rank);
    progress_begin(&progress, options.quiet || rank != 0);
    progress.shown |= options.progress && rank == 0;
    options.verify.clocks = clocks;
    options.verify.clock_count = options.source_count;
    options.verify.progress = on_verify_share;
    options.verify.context = &progress;
    options.verify.detail = options.json ? ORDO_VERIFY_PAIRS : ORDO_VERIFY_NODES;
    options.verify.deadline_ns = mpi_cli_deadline_ns();
    mpi_cli_barrier();
    mpi_cli_must(ordo_verify_run(MPI_COMM_WORLD, &options.verify, &verify, &error), &error);
    progress_end(&progress);
    int code = exit_code(&options, verify);
    if (rank == 0) {
        const struct ordo_verify_result result = {verify, clocks, boundaries_ns};
        int failed = report_verify(&options, &result);
        if (code == EXIT_OK && ordo_verify_compared_nothing(&result))
            code = EXIT_UNKNOWN;
        code = failed ? failed : code;
    }
    ordo_verify_free(verify);
    free(boundaries_ns);
    return mpi_cli_end(code);
}

const struct command command_verify = {
    .name = "verify",
    .title = "prove or refute that the ranks of each node share a clock",
    .schema = "ordo-verify/1",
    .run = run_verify,
};
