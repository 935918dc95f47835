/* ordo-mpi check: synchronises, and measures the differences between the global clocks at later times
 * (Check-Global-Clock; Hunold and Carpen-Amarie, CLUSTER 2018, Algorithm 6). */
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/quantile.h"
#include "base/time.h"
#include "cluster/report/words.h"
#include "ordo-mpi/session.h"
#include "json/builder.h"

struct options {
    struct mpi_session_options session;
    struct mpi_waits waits; /* times of the checks, after the synchronisation */
    struct ordo_mpi_check_options check;
    bool json;
};

static void read_percent(const struct cli_given *given, void *member)
{
    *(int *)member = cli_percent(given);
}

#define VALUE(member) CLI_VALUE(struct options, member)

static const struct cli_row rows[] = {
    {.name = "wait",
     .argument = "S,...",
     .usual = "0",
     .most = MPI_MOST_WAITS,
     .read = mpi_read_waits,
     .offset = offsetof(struct options, waits),
     .help = "Seconds after synchronisation at which to check, ascending"},
    {.name = "sample",
     .argument = "P%",
     .usual = "100%",
     .least = 1,
     .most = 100,
     .read = read_percent,
     .offset = offsetof(struct options, check.percent),
     .help = "Percentage of the ranks to check, at least one rank"},
    {.name = "pingpong",
     .argument = "N",
     .usual = "100",
     .least = 1,
     .most = 1000000,
     VALUE(check.pingpong),
     .help = "Exchanges of messages with each rank"},
    {.name = "seed",
     .argument = "N",
     .usual = "1",
     .most = 0x1p64,
     VALUE(check.seed),
     .help = "Seed of the choice of the ranks that --sample checks"},
    {.name = "json", VALUE(json), .help = "Print every interval as JSON (schema ordo-global-check/1)"},
    {0},
};

static const struct cli_part parts[] = {{.rows = rows}, MPI_SESSION_PARTS(struct options, session), {0}};

/* The results of one check, on rank 0: one for each checked rank. */
struct round {
    double wait_s;
    int count, failed;
    struct ordo_global_check *checks;
};

static int64_t size_of(int64_t value)
{
    return value < 0 ? -value : value;
}

static void print_round(const struct round *round)
{
    int64_t *offsets = calloc((size_t)round->count + 1, sizeof *offsets), bound = 0, width = 0;
    char median[24], most[24], certain[24], within[24];
    if (!offsets)
        return;
    for (int i = 0; i < round->count; i++) {
        const struct ordo_global_check *check = &round->checks[i];
        int64_t claimed =
            check->claimed_high_ns > -check->claimed_low_ns ? check->claimed_high_ns : -check->claimed_low_ns;
        offsets[i] = size_of(check->offset_ns);
        if ((check->measured_high_ns - check->measured_low_ns) / 2 > width)
            width = (check->measured_high_ns - check->measured_low_ns) / 2;
        bound = claimed > bound ? claimed : bound;
    }
    int64_t middle = round->count ? ordo_stats_median_int(offsets, (size_t)round->count) : 0;
    printf("%8g %6d %12s %12s %12s %14s %8d\n", round->wait_s, round->count, ordo_format_ns((double)middle, median),
           ordo_format_ns(round->count ? (double)offsets[round->count - 1] : 0, most),
           ordo_format_ns((double)width, certain), ordo_format_ns((double)bound, within), round->failed);
    free(offsets);
}

static void print_failures(const struct round *round)
{
    char low[24], high[24], from[24], to[24];
    for (int i = 0; i < round->count; i++) {
        const struct ordo_global_check *check = &round->checks[i];
        if (check->refuted)
            printf("rank %d: is off by %s to %s, and its model allows %s to %s: a clock has stepped or wanders more\n",
                   check->rank, ordo_format_ns((double)check->measured_low_ns, low),
                   ordo_format_ns((double)check->measured_high_ns, high),
                   ordo_format_ns((double)check->claimed_low_ns, from),
                   ordo_format_ns((double)check->claimed_high_ns, to));
    }
}

static struct ordo_json checked_rank_json(const struct ordo_global_check *check)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "rank", check->rank);
    ordo_json_put_bool(&object, "failed", check->refuted);
    ordo_json_put_int(&object, "offset_ns", check->offset_ns);
    ordo_json_put_ints(&object, "measured_ns", check->measured_low_ns, check->measured_high_ns);
    ordo_json_put_ints(&object, "claimed_ns", check->claimed_low_ns, check->claimed_high_ns);
    return object;
}

static struct ordo_json round_of(const struct round *round)
{
    struct ordo_json object = ordo_json_object(), ranks = ordo_json_array();
    for (int i = 0; i < round->count; i++)
        ordo_json_add(&ranks, checked_rank_json(&round->checks[i]));
    ordo_json_put_real(&object, "wait_s", round->wait_s);
    ordo_json_put_int(&object, "failed", round->failed);
    ordo_json_put(&object, "ranks", ranks);
    return object;
}

static void check_once(struct mpi_session *session, const struct options *options, int index, struct round *round)
{
    struct ordo_error error = {.text = "out of memory"};
    struct ordo_mpi_check_options check = options->check;
    check.seed += (uint64_t)index;
    round->wait_s = options->waits.s[index];
    round->checks = calloc((size_t)session->size, sizeof *round->checks);
    mpi_cli_must(round->checks ? ORDO_OK : ORDO_E_SYSTEM, &error);
    int code = ordo_mpi_check(session->clock, &check, round->checks, &round->count, &error);
    mpi_cli_must(code == ORDO_E_MEASURE ? ORDO_OK : code, &error);
    for (int i = 0; i < round->count; i++)
        round->failed += round->checks[i].refuted;
}

static void begin_report(const struct mpi_session *session)
{
    char algorithm[96];
    printf("%s, clock %s, %d rank%s, synchronised in %.3f s\n",
           mpi_session_algorithm(&session->options->levels.algorithms[0], algorithm), session->options->source->name,
           session->size, ordo_plural(session->size), session->sync_seconds);
    printf("%8s %6s %12s %12s %12s %14s %8s\n", "wait [s]", "ranks", "median off", "worst off", "measured to",
           "worst bound", "refuted");
}

static int end_json(const struct mpi_session *session, struct ordo_json rounds, int failed)
{
    char algorithm[96];
    const struct ordo_sync_options *sync = &session->options->levels.algorithms[0];
    struct ordo_json document = ordo_json_document("ordo-global-check/1");
    ordo_json_put_text(&document, "verdict", failed ? "refuted" : "holds");
    ordo_json_put_text(&document, "algorithm", mpi_session_algorithm(sync, algorithm));
    ordo_json_put_text(&document, "clock", session->options->source->name);
    ordo_json_put_real(&document, "sync_seconds", session->sync_seconds);
    ordo_json_put(&document, "checks", rounds);
    return ordo_json_write(&document, stdout);
}

static int check_all(struct mpi_session *session, const void *own, const char *program)
{
    const struct options *options = own;
    struct progress progress;
    struct ordo_json rounds = ordo_json_array();
    int failed = 0, wrong = 0;
    int64_t begin_ns = ordo_raw_ns();
    mpi_session_progress(session, &progress);
    if (session->rank == 0 && !options->json)
        begin_report(session);
    for (int i = 0; i < options->waits.count; i++) {
        struct round round = {0};
        mpi_cli_wait(begin_ns, options->waits.s[i], options->waits.s[options->waits.count - 1], &progress);
        check_once(session, options, i, &round);
        failed += round.failed;
        if (session->rank == 0 && options->json) {
            ordo_json_add(&rounds, round_of(&round));
        } else if (session->rank == 0) {
            progress_clear(&progress);
            print_round(&round);
            print_failures(&round);
            fflush(stdout);
        }
        free(round.checks);
    }
    progress_end(&progress);
    if (session->rank == 0 && options->json)
        wrong = end_json(session, rounds, failed);
    else
        ordo_json_drop(&rounds);
    int code = wrong ? cli_fail_output(program) : cli_close_stdout(program);
    return code ? code : failed ? EXIT_FAILS : EXIT_OK;
}

static int run_check(int argc, char **argv)
{
    static const struct cli_table table = {
        "Synchronises the clocks of all ranks, and then measures how far apart the global clocks are.\vExit status: 0 "
        "the bound of every model holds; 1 a bound is proved wrong, or nothing could be synchronised; 2 inconclusive; "
        "64 usage; 70 internal.",
        parts};
    static const struct mpi_session_command command = {.table = &table, .work = check_all};
    struct options options = {.session = mpi_session_defaults()};
    return mpi_session_run(&command, argc, argv, &options);
}

const struct command command_check = {
    .name = "check",
    .title = "synchronise, and measure later how far apart the global clocks are",
    .schema = "ordo-global-check/1",
    .run = run_check,
};
