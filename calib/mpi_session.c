#include "mpi_session.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ordo/clock.h>

#include "mpi_words.h"
#include "sync/check.h"
#include "transport/mpi.h"

enum { CLOCK = 1000, ALG, INTER, SOCKET, INTRA, WANDER, SKEW, TOLERANCE, UNVERIFIED, FALLBACK };

static const struct argp_option argp_options[] = {
    {"clock", CLOCK, "CLOCK", 0, "The clock to synchronise (default: the hardware's)", 0},
    {"alg", ALG, "SPEC", 0,
     "ALGORITHM[:KEY=VALUE,...]: jk, hca, hca2, hca3, clockprop (or prop), h2hca, h3hca; fit=N, pingpong=N, "
     "window=TIME, "
     "intercept=0|1, offset=skampi|mean-rtt (default h2hca)",
     0},
    {"inter", INTER, "SPEC", 0, "Between nodes, with h2hca and h3hca (default hca3)", 0},
    {"socket", SOCKET, "SPEC", 0, "Between the sockets of a node, with h3hca (default hca3)", 0},
    {"intra", INTRA, "SPEC", 0, "Within a node, with h3hca within a socket (default prop)", 0},
    {"max-wander-ppb", WANDER, "N", 0,
     "No clock's rate changes by more: declared, and part of every bound (default 100)", 0},
    {"max-skew-ppb", SKEW, "N", 0, "No clock's rate is farther off (default 500000)", 0},
    {"tolerance", TOLERANCE, "NS", 0, "As of ordo-mpi verify", 0},
    {"unverified", UNVERIFIED, NULL, 0,
     "Propagate without verifying; each rank is then measured once, and the bounds rest on what that did not refute",
     0},
    {"fallback", FALLBACK, NULL, 0, "Measure instead of refusing where verification does not pass", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct mpi_session_options *options = state->input;
    struct ordo_sync_options *sync = &options->sync;
    struct ordo_error error;
    switch (key) {
    case CLOCK:
        options->source = mpi_cli_clock(state, "--clock", argument);
        return 0;
    case ALG:
        options->alg = argument;
        return 0;
    case INTER:
        options->inter = argument;
        return 0;
    case SOCKET:
        options->socket = argument;
        return 0;
    case INTRA:
        options->intra = argument;
        return 0;
    case WANDER:
        sync->max_wander_ppb = (double)cli_number(state, "--max-wander-ppb", argument, 0, 1000000);
        return 0;
    case SKEW:
        sync->max_skew_ppb = (double)cli_number(state, "--max-skew-ppb", argument, 1, 1000000);
        return 0;
    case TOLERANCE:
        options->tolerance_ns = (int64_t)cli_number(state, "--tolerance", argument, 1, 1000000000);
        return 0;
    case UNVERIFIED:
        options->unverified = true;
        return 0;
    case FALLBACK:
        sync->fallback = true;
        return 0;
    case ARGP_KEY_END:
        if (ordo_sync_read(options->alg, options->inter, options->socket, options->intra, sync, &error))
            argp_error(state, "%s", error.text);
        if (options->unverified && sync->fallback)
            argp_error(state, "--unverified and --fallback: copy or measure, one of them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp mpi_session_argp = {argp_options, parse, NULL, NULL, NULL, NULL, NULL};

struct mpi_session_options mpi_session_defaults(void)
{
    return (struct mpi_session_options){.source = ordo_clock_source_find(ORDO_CLOCK_NAME),
                                        .sync = ordo_sync_defaults()};
}

double mpi_cli_seconds(struct argp_state *state, const char *option, const char *text)
{
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end != '\0' || !(seconds >= 0 && seconds <= 86400))
        argp_error(state, "%s %s: not a number of seconds up to 86400", option, text);
    return seconds;
}

const char *mpi_session_algorithm(const struct mpi_session_options *options, char text[96])
{
    const struct ordo_sync_options *sync = &options->sync;
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

static double seconds_now(void)
{
    return (double)ordo_clock_system_ns(CLOCK_MONOTONIC_RAW) / 1e9;
}

static void refuse(const struct mpi_result *result, int clock, const char *program)
{
    int best = mpi_best_clock(result);
    for (int node = 0; node < result->verify->node_count; node++) {
        char *reasons[MPI_MOST_REASONS];
        int count = mpi_reasons(result, node, clock, reasons);
        enum ordo_verdict_kind kind = result->verify->nodes[node].verdicts[clock].kind;
        if (kind != ORDO_VALID)
            fprintf(stderr, "%s: %s on %s is %s: %s\n", program, result->clocks[clock].source->name,
                    result->verify->ranks[result->verify->nodes[node].ranks[0]].host, ordo_verdict_name(kind),
                    count ? reasons[0] : "");
        for (int i = 0; i < count; i++)
            free(reasons[i]);
    }
    if (best >= 0)
        fprintf(stderr, "%s: nothing was synchronised; use --clock %s, or allow measuring with --fallback\n", program,
                result->clocks[best].source->name);
    else
        fprintf(stderr, "%s: nothing was synchronised; measure every rank (--alg hca3), or allow it with --fallback\n",
                program);
}

/* Verifies all usual clocks, so that a better one can be named. Refuses, or sets what the ranks have in common. */
static int verify(struct mpi_session *session, struct ordo_sync_options *sync, const char *program)
{
    struct ordo_node_clock clocks[MPI_MOST_CLOCKS] = {{.source = session->options->source}};
    struct ordo_verify_options options = {.clocks = clocks,
                                          .clock_count = 1,
                                          .rounds = 3,
                                          .exchanges = 200,
                                          .span_ns = 500000000,
                                          .visit_ns = 20000000,
                                          .tolerance_ns = session->options->tolerance_ns};
    struct ordo_verify *verify;
    struct ordo_error error;
    for (const struct ordo_clock_source *const *at = ordo_clock_sources; *at; at++)
        if (!(*at)->on_request && *at != session->options->source && options.clock_count < MPI_MOST_CLOCKS)
            clocks[options.clock_count++].source = *at;
    mpi_cli_must(ordo_verify_run(MPI_COMM_WORLD, &options, &verify, &error), &error);
    bool per_socket = ordo_sync_copies(sync) == ORDO_SYNC_COPIES_IN_SOCKETS;
    sync->common_residual_ns = per_socket ? verify->socket_residual_ns[0] : verify->node_residual_ns[0];
    sync->common_drift_ppb = (double)(per_socket ? verify->socket_drift_ppb[0] : verify->node_drift_ppb[0]);
    session->verified_at_ns = verify->at_ns;
    int least = sync->common_residual_ns < 0 ? -1 : 0;
    mpi_cli_call(MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD), "MPI_Allreduce");
    int code = least == 0 || sync->fallback            ? EXIT_OK
               : verify->kinds[0] == ORDO_INCONCLUSIVE ? EXIT_UNKNOWN
                                                       : EXIT_FAILS;
    session->verified = least == 0;
    session->nodes = verify->node_count;
    session->verify_seconds = verify->seconds;
    if (code && session->rank == 0)
        refuse(&(struct mpi_result){.verify = verify, .clocks = clocks}, 0, program);
    ordo_verify_free(verify);
    return code;
}

/* What was copied without verification is measured at least: one look at every rank, which may refute the copy. */
static int look(struct mpi_session *session, const char *program)
{
    enum { PINGPONG = 100 };
    struct ordo_error error = {.text = "the transport failed"};
    struct ordo_global_check *checks = calloc((size_t)session->size, sizeof *checks), *wrong = NULL;
    int count = 0, failed;
    mpi_cli_must(checks ? ordo_sync_check(session->transport, &session->model, PINGPONG, 100, 1, checks, &count)
                        : ORDO_E_SYSTEM,
                 &error);
    for (int i = 0; i < count && session->rank == 0 && !wrong; i++)
        wrong = checks[i].refuted ? &checks[i] : NULL;
    failed = wrong != NULL;
    if (failed) {
        char low[24], high[24];
        fprintf(stderr, "%s: nothing was synchronised: %s is not common: rank %d's global clock is off by %s to %s\n",
                program, session->options->source->name, wrong->rank,
                mpi_format_ns((double)wrong->measured_low_ns, low),
                mpi_format_ns((double)wrong->measured_high_ns, high));
    }
    free(checks);
    mpi_cli_call(MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
    return failed ? EXIT_FAILS : EXIT_OK;
}

int mpi_session_begin(struct mpi_session *session, const struct mpi_session_options *options, const char *program)
{
    enum { DECLARED_NS = 1000 };
    struct ordo_sync_options sync = options->sync;
    struct ordo_error error;
    *session = (struct mpi_session){.options = options};
    MPI_Comm_rank(MPI_COMM_WORLD, &session->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &session->size);
    bool copies = ordo_sync_copies(&sync) != ORDO_SYNC_COPIES_NOT;
    session->assumed = copies && options->unverified;
    if (session->assumed) {
        sync.common_residual_ns = DECLARED_NS;
    } else if (copies) {
        int code = verify(session, &sync, program);
        if (code)
            return code;
    }
    mpi_cli_must(ordo_transport_mpi_create(MPI_COMM_WORLD, options->source, &session->transport, &error), &error);
    mpi_cli_call(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    double begin = seconds_now();
    sync.common_age_ns = session->verified_at_ns ? (int64_t)(begin * 1e9) - session->verified_at_ns : 0;
    int code = ordo_sync_run(session->transport, &sync, &session->model, &error);
    if (code == ORDO_E_SYSTEM)
        mpi_cli_must(code, &error); /* the others may be waiting for this rank */
    mpi_cli_call(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    session->sync_seconds = seconds_now() - begin;
    if (!code) {
        code = session->assumed ? look(session, program) : EXIT_OK;
        if (code)
            mpi_session_end(session);
        return code;
    }
    if (session->rank == 0)
        fprintf(stderr, "%s: nothing was synchronised: %s\n", program, error.text);
    mpi_session_end(session);
    return EXIT_FAILS;
}

void mpi_session_end(struct mpi_session *session)
{
    if (session->transport)
        session->transport->free(session->transport);
    session->transport = NULL;
}

struct ordo_global_time mpi_session_now(struct mpi_session *session)
{
    return ordo_model_time(&session->model, session->transport->now_ns(session->transport));
}
