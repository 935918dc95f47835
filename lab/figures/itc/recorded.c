/* Recorded programs: the sessions of a run, the settings that limit them, and spawned processes. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/call.h"
#include "lab/figures/itc/itc.h"
#include "lab/figures/program.h"

enum { MOST_TRACES = 8 };

/* Records three ranks of a program with a file of settings, and prints the contents of the traces. If the program fails,
 * prints its errors without the recorder's notes. A program that measures nothing because the machine is busy (2) has
 * sessions all the same. $1: ordo-trace, $2: the settings, $3: begin of the names of the traces to show, and the other
 * words: the program. */
static const char record_script[] =
    "set -e; folder=$(mktemp -d); trap 'rm -rf \"$folder\"' EXIT; trace=$1; printf \"$2\" >\"$folder/settings\"; "
    "shown=$3; shift 3; export OMPI_MCA_rmaps_base_oversubscribe=1; "
    "\"$trace\" run --config \"$folder/settings\" --output \"$folder/trace\" -- mpirun -n 3 "
    "sh -c '\"$@\"; code=$?; [ $code -eq 2 ] || exit $code' sh \"$@\" >/dev/null 2>\"$folder/errors\" || { code=$?; "
    "grep -v '^ordo-trace' \"$folder/errors\" >&2 || cat \"$folder/errors\" >&2; exit $((code > 1 ? code : 2)); }; "
    "\"$trace\" info --json \"$folder\"/$shown*";

/* What a recorded run left: the exchanges of the sessions of each rank. */
struct recorded {
    int count;
    int64_t exchanges[MOST_TRACES];
};

static int find_tool(const char *name, char path[PATH_MAX], struct ordo_error *error)
{
    if (cli_beside(name, path, PATH_MAX))
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MISSING, 0, "%s is not beside this program: build it", name);
}

static int record_program(const char *settings, const char *shown, const char *program, const char *const *words,
                          struct recorded *recorded, struct ordo_error *error)
{
    char trace[PATH_MAX], path[PATH_MAX];
    int code = find_tool("ordo-trace", trace, error), count = 8;
    code = code ? code : find_tool(program, path, error);
    const char *arguments[24] = {"sh", "-c", record_script, "sh", trace, settings, shown, path};
    for (int i = 0; words[i]; i++)
        arguments[count++] = words[i];
    struct ordo_json_value *document = NULL;
    code = code ? code : ordo_figure_program(arguments, &document, error);
    const struct ordo_json_value *files = ordo_json_get(document, "files");
    *recorded = (struct recorded){0};
    for (size_t i = 0; i < ordo_json_count(files) && i < MOST_TRACES; i++)
        recorded->exchanges[recorded->count++] =
            ordo_json_whole(ordo_json_get(ordo_json_item(files, i), "recorder"), "exchanges", -1);
    ordo_json_free(document);
    if (!code && recorded->count < 2)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%s: %d of its ranks were recorded, not several", program,
                              recorded->count);
    return code;
}

/* Records a short program that calls barriers. */
static int record_barriers(const char *settings, struct recorded *recorded, struct ordo_error *error)
{
    static const char *const words[] = {"roundtime", "--unverified", "--op", "barrier", "--seconds",
                                        "0.05",      "--slack",      "50",   "-q",      NULL};
    return record_program(settings, "trace", "ordo-mpi", words, recorded, error);
}

int ordo_figure_itc_sessions(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct recorded few, timed;
    int code = record_barriers("SYNC-MAX-MESSAGES 7\\nSYNC-MAX-DURATION 60\\nSYNCED-HOST off\\n", &few, error);
    code =
        code ? code
             : record_barriers("SYNC-MAX-MESSAGES 1000000\\nSYNC-MAX-DURATION 0.3\\nSYNCED-HOST off\\n", &timed, error);
    if (code)
        return code;
    /* Numbers of messages are facts: a session at the start and one at the end. */
    ordo_figure_value(run, "exchanges of rank 1, two sessions of SYNC-MAX-MESSAGES 7", "", 14, (double)few.exchanges[1],
                      ORDO_FIGURE_EQUAL, 1);
    ordo_figure_value(run, "exchanges of rank 2", "", 14, (double)few.exchanges[2], ORDO_FIGURE_EQUAL, 1);
    int64_t apart = timed.exchanges[1] - timed.exchanges[2];
    ordo_figure_claim(run, few.exchanges[0] == 0, "the master, rank 0, asks nobody");
    ordo_figure_claim(run, timed.exchanges[1] > 14 && timed.exchanges[1] < 1000000,
                      "a session ends after SYNC-MAX-DURATION, whatever SYNC-MAX-MESSAGES is");
    ordo_figure_claim(run, apart >= -2 && apart <= 2,
                      "in each cycle, one message is exchanged with each child: the children have equally many");
    return ORDO_OK;
}

/* Asks up to three times, because the proof of a shared clock can be inconclusive on a busy machine; then all ranks
 * hold sessions. */
static int record_synced_host(struct recorded *recorded, struct ordo_error *error)
{
    enum { TRIES = 3 };
    int code = ORDO_OK;
    for (int i = 0; i < TRIES && !code; i++) {
        code = record_barriers("SYNC-MAX-MESSAGES 5\\nSYNC-MAX-DURATION 60\\nSYNCED-HOST on\\n", recorded, error);
        if (recorded->count > 2 && recorded->exchanges[1] == 0)
            break;
    }
    return code;
}

int ordo_figure_itc_settings(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct recorded apart, host, cluster, both;
    int code = record_barriers("SYNC-MAX-MESSAGES 5\\nSYNC-MAX-DURATION 60\\nSYNCED-HOST off\\n", &apart, error);
    code = code ? code : record_synced_host(&host, error);
    code = code ? code : record_barriers("SYNCED-CLUSTER on\\n", &cluster, error);
    code = code ? code : record_barriers("SYNC-MAX-MESSAGES 5\\nSYNCED-HOST on\\nSYNCED-CLUSTER on\\n", &both, error);
    if (code)
        return code;
    ordo_figure_value(run, "exchanges of a rank, two sessions of SYNC-MAX-MESSAGES 5", "", 10,
                      (double)apart.exchanges[1], ORDO_FIGURE_EQUAL, 1);
    ordo_figure_claim(run, host.exchanges[1] == 0 && host.exchanges[2] == 0,
                      "with SYNCED-HOST, messages are exchanged between nodes only: none on one node");
    ordo_figure_claim(run, cluster.count == 3 && cluster.exchanges[1] == 0 && cluster.exchanges[2] == 0,
                      "with SYNCED-CLUSTER, there is no synchronisation");
    ordo_figure_claim(run, both.count == 3 && both.exchanges[1] == 0, "all options together are one set of settings");
    return ORDO_OK;
}

int ordo_figure_itc_spawned(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const char *const words[] = {"spawn", NULL};
    static const char settings[] = "SYNC-MAX-MESSAGES 7\\nSYNC-MAX-DURATION 60\\nSYNCED-HOST off\\n";
    struct recorded parents, spawned;
    int code = record_program(settings, "trace.", "record-program-mpi", words, &parents, error);
    code = code ? code : record_program(settings, "trace-spawned-", "record-program-mpi", words, &spawned, error);
    if (code)
        return code;
    /* The start, the end, and the call of VT_timesync, with 7 exchanges each. */
    ordo_figure_value(run, "exchanges of a rank that spawns others", "", 21, (double)parents.exchanges[1],
                      ORDO_FIGURE_EQUAL, 1);
    ordo_figure_claim(run, parents.count == 3, "VT_timesync returns on all processes that were started together");
    ordo_figure_claim(
        run, spawned.count == 2 && spawned.exchanges[1] == 21,
        "VT_timesync does not work in spawned processes of the original; here it does, in a trace of their own");
    return ORDO_OK;
}
