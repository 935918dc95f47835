#include "session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ordo/clock.h>

#include "base/minmax.h"
#include "base/time.h"
#include "words.h"

static void read_fallback(const struct cli_given *given, void *member)
{
    struct mpi_session_options *options = member;
    (void)given;
    options->levels.declared.fallback = options->fallback = true;
}

#define VALUE(member) CLI_VALUE(struct mpi_session_options, member)

const struct cli_row mpi_session_rows[] = {
    {.name = "clock",
     .argument = "CLOCK",
     .read = mpi_read_clock,
     .offset = offsetof(struct mpi_session_options, source),
     .help = "Clock to synchronise (default: the hardware's)"},
    {.name = "tolerance",
     .argument = "NS",
     .least = 1,
     .most = 1000000000,
     VALUE(tolerance_ns),
     .help = "Largest residual of a valid clock, as in ordo-mpi verify"},
    {.name = "unverified",
     VALUE(unverified),
     .help = "Propagate without verification: each rank is measured once, and the bounds assume that the clock is "
             "common if this does not refute it"},
    {.name = "fallback",
     .read = read_fallback,
     .help = "If verification does not pass, measure every rank instead of refusing"},
    MPI_DEADLINE_ROW(struct mpi_session_options, deadline_s),
    {.name = "progress", VALUE(progress), .help = "Show a progress bar even if stderr is not a terminal"},
    {.name = "quiet", .letter = 'q', VALUE(quiet), .help = "Show no progress bar"},
    {0},
};

const char *mpi_session_check(void *own, char text[400])
{
    const struct mpi_session_options *options = own;
    (void)text;
    return options->unverified && options->fallback ? "--unverified and --fallback: give only one of them" : NULL;
}

struct mpi_session_options mpi_session_defaults(void)
{
    return (struct mpi_session_options){.source = ordo_clock_source_find(ORDO_CLOCK_NAME),
                                        .levels = {.usual = {"h2hca"}, .most = 1, .declared = ordo_sync_defaults()}};
}

const char *mpi_session_algorithm(const struct ordo_sync_options *sync, char text[96])
{
    const char *name = sync->main.algorithm->name;
    if (!sync->main.algorithm->composed)
        (void)snprintf(text, 96, "%s", name);
    else if (strcmp(name, "h3hca") == 0)
        (void)snprintf(text, 96, "%s (inter %s, socket %s, intra %s)", name, sync->inter.algorithm->name,
                       sync->socket.algorithm->name, sync->intra.algorithm->name);
    else
        (void)snprintf(text, 96, "%s (inter %s, intra %s)", name, sync->inter.algorithm->name,
                       sync->intra.algorithm->name);
    return text;
}

void mpi_cli_wait(int64_t begin_ns, double wait_s, double last_s, struct progress *progress)
{
    const int64_t most_ns = 100000000;
    int64_t until_ns = begin_ns + (int64_t)(wait_s * 1e9), left_ns;
    while ((left_ns = until_ns - ordo_raw_ns()) > 0) {
        progress_show(progress, fmin((double)(ordo_raw_ns() - begin_ns) / (last_s * 1e9), 1), "waiting");
        ordo_sleep_ns(ordo_min(left_ns, most_ns));
    }
}

/* Returns a text such as "tsc on node1 is INVALID: reason"; "" if the clock is valid on the node. */
static const char *complaint(const struct ordo_verify_result *result, int node, int clock, char text[300])
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    char *reasons[ORDO_VERIFY_REASONS];
    int count = ordo_verify_reasons(result, node, clock, reasons);
    text[0] = '\0';
    if (at->verdicts[clock].kind != ORDO_VALID)
        (void)snprintf(text, 300, "%s on %s is %s%s%s", result->clocks[clock].source->name,
                       result->verify->ranks[at->ranks[0]].host, ordo_verdict_name(at->verdicts[clock].kind),
                       count ? ": " : "", count ? reasons[0] : "");
    for (int i = 0; i < count; i++)
        free(reasons[i]);
    return text;
}

/* Prints a line for each node that failed, except the worst; then prints the worst node and the remedy. */
static int refuse_node(const struct ordo_verify_result *result, int clock, int exit_code, const char *program)
{
    char text[300], instead[300], why[700];
    int worst = 0;
    for (int node = 1; node < result->verify->node_count; node++)
        if (result->verify->nodes[node].verdicts[clock].kind > result->verify->nodes[worst].verdicts[clock].kind)
            worst = node;
    for (int node = 0; node < result->verify->node_count; node++)
        if (node != worst && *complaint(result, node, clock, text))
            fprintf(stderr, "%s: %s\n", program, text);
    (void)snprintf(why, sizeof why, "nothing was synchronised: %s; %s", complaint(result, worst, clock, text),
                   mpi_instead(result, clock, instead, sizeof instead));
    return cli_fail(exit_code, program, why);
}

void mpi_session_progress(const struct mpi_session *session, struct progress *progress)
{
    progress_begin(progress, session->options->quiet || session->rank != 0);
    progress->shown |= session->options->progress && session->rank == 0;
}

static void on_verification(void *context, double share)
{
    progress_show(context, share, "verifying");
}

/* Collective: verifies the session's clock and all other usual clocks, so that an error can name a better clock. */
static struct ordo_verify *verify_clocks(struct mpi_session *session, struct ordo_node_clock clocks[MPI_MOST_CLOCKS])
{
    struct progress progress;
    struct ordo_verify_options options = {.clocks = clocks,
                                          .clock_count = 1,
                                          .important = 1,
                                          .rounds = 3,
                                          .exchanges = 200,
                                          .span_ns = 500000000,
                                          .visit_ns = 20000000,
                                          .tolerance_ns = session->options->tolerance_ns,
                                          .detail = ORDO_VERIFY_NODES,
                                          .deadline_ns = mpi_cli_deadline_ns(),
                                          .progress = on_verification,
                                          .context = &progress};
    struct ordo_verify *verify;
    struct ordo_error error;
    clocks[0].source = session->options->source;
    for (const struct ordo_clock_source *const *at = ordo_clock_sources; *at; at++)
        if (!(*at)->on_request && *at != session->options->source && options.clock_count < MPI_MOST_CLOCKS)
            clocks[options.clock_count++].source = *at;
    mpi_session_progress(session, &progress);
    mpi_cli_barrier();
    mpi_cli_must(ordo_verify_run(MPI_COMM_WORLD, &options, &verify, &error), &error);
    progress_end(&progress);
    return verify;
}

/* Collective: verifies the clock, and stores the result in session->clock. Returns EXIT_OK if models may be copied or
 * ranks may be measured instead, else the exit code, after rank 0 has printed the reason. */
static int verify(struct mpi_session *session, enum ordo_sync_copying copying, const char *program)
{
    struct ordo_node_clock clocks[MPI_MOST_CLOCKS] = {0};
    struct ordo_verify *verify = verify_clocks(session, clocks);
    (void)ordo_mpi_adopt(session->clock, verify, 0,
                         NULL); /* cannot fail: there is no earlier verification to contradict */
    int least = (copying == ORDO_SYNC_COPIES_IN_SOCKETS ? session->clock->socket : session->clock->node).residual_ns < 0
                    ? -1
                    : 0;
    mpi_cli_reduce(&least, 1, MPI_INT, MPI_MIN);
    int code = least == 0 || session->options->fallback ? EXIT_OK
               : verify->kinds[0] == ORDO_INCONCLUSIVE  ? EXIT_UNKNOWN
                                                        : EXIT_FAILS;
    session->verified = least == 0;
    session->nodes = verify->node_count;
    session->verify_seconds = verify->seconds;
    if (code && session->rank == 0)
        code = refuse_node(&(struct ordo_verify_result){.verify = verify, .clocks = clocks}, 0, code, program);
    ordo_verify_free(verify);
    return code;
}

/* Measures every rank once, because models were copied without verification. EXIT_FAILS: the measurement refutes a
 * copy. */
static int check_copies(struct mpi_session *session, const char *program)
{
    struct ordo_error error;
    int code = ordo_mpi_check(session->clock, NULL, NULL, NULL, &error);
    mpi_cli_must(code == ORDO_E_MEASURE ? ORDO_OK : code, &error);
    char why[400];
    (void)snprintf(why, sizeof why, "nothing was synchronised: %s is not common: %s", session->options->source->name,
                   error.text);
    if (code && session->rank == 0)
        (void)cli_fail(EXIT_FAILS, program, why);
    return code ? EXIT_FAILS : EXIT_OK;
}

int mpi_session_synchronise(struct mpi_session *session, const struct ordo_sync_options *sync, const char *program)
{
    struct ordo_error error;
    struct progress progress;
    mpi_session_progress(session, &progress);
    progress_show(&progress, 0, "synchronising");
    mpi_cli_barrier();
    int64_t begin_ns = ordo_raw_ns();
    int code = ordo_mpi_sync_by(session->clock, sync, &error);
    if (code == ORDO_E_SYSTEM)
        mpi_cli_must(code, &error); /* other ranks may be waiting for this rank */
    mpi_cli_barrier();
    session->sync_seconds = (double)(ordo_raw_ns() - begin_ns) / 1e9;
    progress_end(&progress);
    if (!code)
        return session->assumed ? check_copies(session, program) : EXIT_OK;
    if (session->rank == 0)
        (void)cli_failf(EXIT_FAILS, program, "nothing was synchronised: %s", error.text);
    return EXIT_FAILS;
}

/* Returns the most demanding kind of copying that one of the algorithms needs. */
static enum ordo_sync_copying copying_of(const struct mpi_levels *levels)
{
    enum ordo_sync_copying most = ORDO_SYNC_COPIES_NOT;
    for (int i = 0; i < levels->count; i++)
        if (ordo_sync_copies(&levels->algorithms[i]) > most)
            most = ordo_sync_copies(&levels->algorithms[i]);
    return most;
}

/* Warns if a steered clock is used with the default wander, which is that of a free-running oscillator. A steered clock
 * may wander much more. */
static void warn(const struct mpi_session *session, const char *program)
{
    if (session->rank == 0 && session->options->source->steered &&
        session->options->levels.declared.max_wander_ppb == ordo_sync_defaults().max_wander_ppb)
        fprintf(stderr,
                "%s: warning: %s is steered (NTP), and then its rate changes by more than the %g ppb that bounds take "
                "for granted: declare --max-wander-ppb, or use --clock %s\n",
                program, session->options->source->name, session->options->levels.declared.max_wander_ppb,
                ORDO_CLOCK_NAME);
}

static int begin_session(struct mpi_session *session, const struct mpi_session_options *options, const char *program)
{
    enum { DECLARED_NS = 1000 };
    enum ordo_sync_copying copying = copying_of(&options->levels);
    struct ordo_error error;
    *session = (struct mpi_session){.options = options};
    MPI_Comm_rank(MPI_COMM_WORLD, &session->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &session->size);
    mpi_cli_barrier();
    mpi_cli_must(
        ordo_mpi_create_by(MPI_COMM_WORLD, options->source->name, mpi_cli_deadline_ns(), &session->clock, &error),
        &error);
    session->assumed = copying != ORDO_SYNC_COPIES_NOT && options->unverified;
    if (session->assumed)
        session->clock->node.residual_ns = session->clock->socket.residual_ns = DECLARED_NS;
    warn(session, program);
    return session->assumed || copying == ORDO_SYNC_COPIES_NOT ? EXIT_OK : verify(session, copying, program);
}

int mpi_session_run(const struct mpi_session_command *command, int argc, char **argv, void *options)
{
    struct mpi_session session;
    const struct mpi_session_options *own = options;
    mpi_cli_read(command->table, argc, argv, options);
    if (command->ends_early && command->ends_early(options))
        return cli_close_stdout(argv[0]);
    (void)mpi_cli_begin(argv[0], own->deadline_s, false);
    int code = begin_session(&session, own, argv[0]);
    if (code == EXIT_OK && !command->by_itself)
        code = mpi_session_synchronise(&session, &own->levels.algorithms[0], argv[0]);
    if (code == EXIT_OK)
        code = command->work(&session, options, argv[0]);
    mpi_cli_barrier();
    ordo_mpi_free(session.clock);
    return mpi_cli_end(code);
}
