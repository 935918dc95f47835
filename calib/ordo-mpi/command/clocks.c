/* ordo-mpi clocks: lets the ranks of each node compare their clocks, and then lists the clocks, as `ordo clocks`
 * does. */
#include <math.h>
#include <stdlib.h>

#include "base/time.h"
#include "cluster/report/words.h"
#include "cluster/transport/tags.h"
#include "common/clocks.h"
#include "ordo-mpi/cli.h"

/* Returns a range of ns, with its ends rounded outwards. An infinite end becomes null. */
static struct ordo_json range_of(double low, double high)
{
    struct ordo_json range = ordo_json_array();
    ordo_json_add(&range, ordo_json_real(floor(low)));
    ordo_json_add(&range, ordo_json_real(ceil(high)));
    return range;
}

/* Describes one clock on one node by the worst pair of the node's lowest rank and another rank. */
static struct ordo_json worst_clock_json(const struct ordo_verify *verify, int node,
                                         const struct ordo_clock_source *source, int clock)
{
    const struct ordo_verify_node *at = &verify->nodes[node];
    const struct ordo_verdict *verdict = &at->verdicts[clock];
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "clock", source->name);
    ordo_json_put_text(&object, "host", verify->ranks[at->ranks[0]].host);
    ordo_json_put_int(&object, "ranks", at->size);
    ordo_json_put_text(&object, "verdict", ordo_verdict_name(verdict->kind));
    ordo_json_put(&object, "theta_ns",
                  range_of(ordo_verify_ns(at, source, verdict->worst.offset.low),
                           ordo_verify_ns(at, source, verdict->worst.offset.high)));
    ordo_json_put_reals(&object, "drift_ppm", verdict->drift.min_ppb / 1e3, verdict->drift.max_ppb / 1e3);
    return object;
}

static struct ordo_json ranks_json(const struct ordo_verify *verify, const struct ordo_node_clock *clocks)
{
    struct ordo_json array = ordo_json_array();
    for (int node = 0; node < verify->node_count; node++)
        for (int clock = 0; clock < verify->clock_count; clock++)
            ordo_json_add(&array, worst_clock_json(verify, node, clocks[clock].source, clock));
    return array;
}

/* Returns a text about all clocks and nodes, which the caller must free. NULL if out of memory. */
static char *ranks_text(const struct ordo_verify *verify, const struct ordo_node_clock *clocks)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream)
        return NULL;
    fprintf(stream, "among the %d ranks on %d %s\n", verify->rank_count, verify->node_count,
            verify->node_count == 1 ? "node" : "nodes");
    for (int clock = 0; clock < verify->clock_count; clock++)
        for (int node = 0; node < verify->node_count; node++) {
            const struct ordo_verify_node *at = &verify->nodes[node];
            const struct ordo_verdict *verdict = &at->verdicts[clock];
            char low[24], high[24];
            fprintf(stream, "  %-17s %-13s %s: %s to %s\n", clocks[clock].source->name,
                    ordo_verdict_name(verdict->kind), verify->ranks[at->ranks[0]].host,
                    ordo_format_ns(ordo_verify_ns(at, clocks[clock].source, verdict->worst.offset.low), low),
                    ordo_format_ns(ordo_verify_ns(at, clocks[clock].source, verdict->worst.offset.high), high));
        }
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

/* Collective: verifies all default clocks. */
static struct ordo_verify *verify_all(struct ordo_node_clock *clocks)
{
    struct ordo_verify_options options = {.clocks = clocks,
                                          .rounds = 5,
                                          .exchanges = 200,
                                          .span_ns = 1600000000,
                                          .visit_ns = 20000000,
                                          .detail = ORDO_VERIFY_NODES,
                                          .deadline_ns = mpi_cli_deadline_ns()};
    struct ordo_verify *verify;
    struct ordo_error error;
    for (const struct ordo_clock_source *const *at = ordo_clock_sources; *at; at++)
        if (!(*at)->on_request && options.clock_count < MPI_MOST_CLOCKS)
            clocks[options.clock_count++].source = *at;
    mpi_cli_barrier();
    mpi_cli_must(ordo_verify_run(MPI_COMM_WORLD, &options, &verify, &error), &error);
    return verify;
}

/* Sleeps until rank 0 sends a message. Call on ranks other than 0 while rank 0 measures: a wait inside MPI would use
 * CPU time, and disturb the measurement. */
static void sleep_until_told(void)
{
    enum { NAP_NS = 20000000 };
    char byte;
    for (int there = 0; !there; ordo_sleep_ns(NAP_NS))
        MPI_CLI_CALL(MPI_Iprobe, 0, ORDO_TAG_TURN, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    MPI_CLI_CALL(MPI_Recv, &byte, 1, MPI_BYTE, 0, ORDO_TAG_TURN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wake_others(void)
{
    char byte = 0;
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int other = 1; other < size; other++)
        MPI_CLI_CALL(MPI_Send, &byte, 1, MPI_BYTE, other, ORDO_TAG_TURN, MPI_COMM_WORLD);
}

static int run_as_rank_0(const char *program, const struct cli_clocks_options *options,
                         const struct ordo_verify *verify, const struct ordo_node_clock *clocks)
{
    char *text = ranks_text(verify, clocks);
    struct ordo_json json = ranks_json(verify, clocks);
    int code = text && !json.failed
                   ? cli_clocks_run(program, options, (struct cli_clocks_ranks){.json = &json, .text = text})
                   : cli_fail(EXIT_INTERNAL, program, "out of memory");
    ordo_json_drop(&json);
    free(text);
    wake_others();
    return code;
}

/* Runs the command. Verifies between MPI_Init and MPI_Finalize, because MPI_Wtime need not work before or after
 * (MPI-4.0, section 11.4). */
static int run_clocks(int argc, char **argv)
{
    struct cli_clocks_options options = {0};
    struct ordo_node_clock clocks[MPI_MOST_CLOCKS] = {0};
    int code = EXIT_OK;
    mpi_cli_read(&cli_clocks_table, argc, argv, &options);
    int rank = mpi_cli_begin(argv[0], MPI_DEADLINE_S, true);
    struct ordo_verify *verify = verify_all(clocks);
    if (rank == 0)
        code = run_as_rank_0(argv[0], &options, verify, clocks);
    else
        sleep_until_told();
    ordo_verify_free(verify);
    return mpi_cli_end(code);
}

const struct command command_clocks = {
    .name = "clocks",
    .title = "compare the clock sources, also between ranks, and judge what each is fit for",
    .schema = "ordo-clocks/1",
    .run = run_clocks,
};
