#include "settings.h"

#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "common/options.h"

#define MOST_ROWS UINT32_MAX
#define MOST_RECORD_BYTES 65536
#define LEAST_RECORD_BYTES 8
#define MOST_WAREHOUSES 1000
#define LEAST_PERIOD_S 1e-6
#define MOST_PERIOD_S 3600
#define MOST_THETA 0.9999 /* at 1 the sum that normalises the key distribution diverges */

/* Larger than every character, because there are no short options. */
enum key {
    KEY_ENGINE = 512,
    KEY_STAMP,
    KEY_WORKLOAD,
    KEY_ROWS,
    KEY_RECORD_BYTES,
    KEY_REQUESTS,
    KEY_THETA,
    KEY_READ_PERCENT,
    KEY_WAREHOUSES,
    KEY_ISOLATION,
    KEY_EXTERNAL,
    KEY_HISTORY,
    KEY_LONG_READER,
    KEY_MEMORY_EVERY,
    KEY_MODEL,
    KEY_OVERSUBSCRIBE,
    KEY_VIEW,
    KEY_AHEAD,
    KEY_TABLE
};

/* Parses names separated by commas. Each must be known. */
static void parse_names(const struct argp_state *state, const char *option, const char *text,
                        const struct txn_names *known, struct txn_names *names)
{
    int indexes[BENCH_WORDS];
    names->count = bench_words_parse(state, option, text, known->names, indexes);
    for (int i = 0; i < names->count; i++)
        names->names[i] = known->names[indexes[i]];
}

static bool parse_isolation(const struct argp_state *state, const char *text)
{
    bool snapshot = strcmp(text, "snapshot") == 0;
    if (!snapshot && strcmp(text, "serialisable") != 0 && strcmp(text, "serializable") != 0)
        cli_wrong(state, "--isolation '%s': not one of serialisable, snapshot", text);
    return snapshot;
}

static enum txn_ahead parse_ahead(const struct argp_state *state, const char *text)
{
    enum txn_ahead ahead = TXN_AHEAD_UPDATES;
    while (ahead <= TXN_AHEAD_NOTHING && strcmp(text, txn_ahead_words[ahead]) != 0)
        ahead++;
    if (ahead > TXN_AHEAD_NOTHING)
        cli_wrong(state, "--ahead '%s': not one of updates, keys, nothing", text);
    return ahead;
}

static bool parse_table(const struct argp_state *state, const char *text)
{
    bool dense = strcmp(text, "dense") == 0;
    if (!dense && strcmp(text, "hash") != 0)
        cli_wrong(state, "--table '%s': not one of hash, dense", text);
    return dense;
}

static error_t parse_shape(int key, char *argument, struct argp_state *state)
{
    struct txn_options *store = &((struct txn_settings *)state->input)->store;
    switch (key) {
    case KEY_ROWS:
        store->rows = cli_number(state, "--rows", argument, 2, MOST_ROWS);
        return 0;
    case KEY_RECORD_BYTES:
        store->record_bytes = cli_number(state, "--record-bytes", argument, LEAST_RECORD_BYTES, MOST_RECORD_BYTES);
        if (store->record_bytes % 8)
            cli_wrong(state, "--record-bytes '%s': not a multiple of 8 from %d to %d", argument, LEAST_RECORD_BYTES,
                      MOST_RECORD_BYTES);
        return 0;
    case KEY_REQUESTS:
        store->requests = (uint32_t)cli_number(state, "--requests", argument, 1, TXN_MOST_REQUESTS);
        return 0;
    case KEY_THETA:
        store->theta = cli_real(state, "--theta", argument, 0, MOST_THETA);
        return 0;
    case KEY_READ_PERCENT:
        store->read_percent = (unsigned)cli_number(state, "--read-percent", argument, 0, 100);
        ((struct txn_settings *)state->input)->read_percent_given = true;
        return 0;
    case KEY_WAREHOUSES:
        store->warehouses = (uint32_t)cli_number(state, "--warehouses", argument, 1, MOST_WAREHOUSES);
        return 0;
    case KEY_ISOLATION:
        store->snapshot = parse_isolation(state, argument);
        return 0;
    case KEY_VIEW:
        store->view = true;
        return 0;
    case KEY_AHEAD:
        store->ahead = parse_ahead(state, argument);
        return 0;
    case KEY_TABLE:
        store->dense = parse_table(state, argument);
        return 0;
    case KEY_EXTERNAL:
        store->external_consistency = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check_settings(const struct argp_state *state, const struct txn_settings *settings)
{
    if (settings->store.requests > settings->store.rows / 2)
        cli_wrong(state, "--requests %u of %ju rows: at most half as many requests as rows: give fewer, or more --rows",
                  settings->store.requests, (uintmax_t)settings->store.rows);
    if (settings->history && (settings->workloads.count > 1 || settings->bench.thread_counts != 1))
        cli_wrong(
            state,
            "--history: records one run, and several were asked for: give one --workload and one number of --threads");
    if (settings->long_reader_s > 0 && txn_names_have(&settings->workloads, "tpcc"))
        cli_wrong(state, "--long-reader: cannot read tpcc: leave tpcc out of --workload, or leave the option out");
    for (int w = 0; w < settings->workloads.count && settings->store.dense; w++)
        if (!txn_workload_find(settings->workloads.names[w])->dense)
            cli_wrong(state,
                      "--table dense: the keys of %s are not 0 to rows - 1: leave %s out of --workload, or leave "
                      "the option out",
                      settings->workloads.names[w], settings->workloads.names[w]);
}

static error_t parse_txn(int key, char *argument, struct argp_state *state)
{
    struct txn_settings *settings = state->input;
    switch (key) {
    case KEY_ENGINE:
        parse_names(state, "--engine", argument, txn_engine_names(), &settings->engines);
        return 0;
    case KEY_STAMP:
        parse_names(state, "--stamp", argument, txn_stamp_names(), &settings->stamps);
        return 0;
    case KEY_WORKLOAD:
        parse_names(state, "--workload", argument, txn_workload_names(), &settings->workloads);
        return 0;
    case KEY_HISTORY:
        settings->history = argument;
        return 0;
    case KEY_LONG_READER:
        settings->long_reader_s = cli_real(state, "--long-reader", argument, LEAST_PERIOD_S, MOST_PERIOD_S);
        return 0;
    case KEY_MEMORY_EVERY:
        settings->memory_every_s = cli_real(state, "--memory-every", argument, LEAST_PERIOD_S, MOST_PERIOD_S);
        return 0;
    case KEY_MODEL:
        settings->model = true;
        return 0;
    case KEY_OVERSUBSCRIBE:
        settings->bench.oversubscribe = true;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &settings->bench;
        return 0;
    case ARGP_KEY_SUCCESS:
        check_settings(state, settings);
        return 0;
    default:
        return parse_shape(key, argument, state);
    }
}

static char *help_of_settings(int key, const char *text, void *input)
{
    const struct txn_names *engines = txn_engine_names();
    char names[400] = "";
    (void)input;
    if (key != KEY_ENGINE)
        return (char *)(uintptr_t)text;
    for (int i = 0; i < engines->count; i++)
        cli_add_name(names, sizeof names, engines->names[i]);
    return cli_help_with(text, names);
}

static const struct argp_child children[] = {{&bench_options_argp, 0, "Options of every command:", 1}, {0}};

const struct argp txn_settings_argp = {
    .options =
        (const struct argp_option[]){
            {"engine", KEY_ENGINE, "LIST", 0, "Engines, among @ (default: all)", 0},
            {"stamp", KEY_STAMP, "LIST", 0,
             "Stamps of the engines that take timestamps, among ordo, any, corrected, logical, batch, tsc (default: "
             "ordo,logical,batch)",
             0},
            {"workload", KEY_WORKLOAD, "LIST", 0,
             "Workloads, among ycsb-a, ycsb-b, ycsb-c, ycsb-e, ycsb-f, tpcc, smallbank (default: ycsb-a)", 0},
            {"rows", KEY_ROWS, "N", 0, "Rows of ycsb, accounts of smallbank (default 262144)", 0},
            {"record-bytes", KEY_RECORD_BYTES, "N", 0, "Bytes of a ycsb row, a multiple of 8 (default 1024)", 0},
            {"requests", KEY_REQUESTS, "N", 0, "Requests of a ycsb transaction (default 16)", 0},
            {"theta", KEY_THETA, "X", 0, "Skew of the keys, below 1, where 0 is uniform (default 0.6)", 0},
            {"read-percent", KEY_READ_PERCENT, "N", 0,
             "Percentage of the ycsb requests that read (default: the workload's)", 0},
            {"warehouses", KEY_WAREHOUSES, "N", 0, "Warehouses of tpcc (default: as many as threads)", 0},
            {"isolation", KEY_ISOLATION, "LEVEL", 0, "Level of isolation: serialisable (default) or snapshot", 0},
            {"external-consistency", KEY_EXTERNAL, NULL, 0,
             "Acknowledge a commit only when every clock has passed its time", 0},
            {"history", KEY_HISTORY, "FILE", 0,
             "Record in FILE what every transaction read and wrote, for check-history", 0},
            {"long-reader", KEY_LONG_READER, "S", 0,
             "Seconds for which an additional thread holds a snapshot, repeatedly", 0},
            {"memory-every", KEY_MEMORY_EVERY, "S", 0, "Print samples of the memory in use, one every S seconds", 0},
            {"oversubscribe", KEY_OVERSUBSCRIBE, NULL, 0,
             "Accept more threads than CPUs; the threads then share the CPUs, and the results are marked", 0},
            {"view", KEY_VIEW, NULL, 0, "Let ycsb read records in place, without copying them, if the engine can", 0},
            {"ahead", KEY_AHEAD, "WHAT", 0,
             "Prefetch hints that ycsb gives before its first request: updates (default): its keys, and which of them "
             "it will update; keys: its keys; nothing: none",
             0},
            {"table", KEY_TABLE, "KIND", 0,
             "Tables of ycsb and smallbank: hash (default): a hash index; dense: an array with a place for each key. "
             "Not "
             "for ycsb-e and tpcc, whose keys are not the numbers from 0 on",
             0},
            {"model", KEY_MODEL, NULL, 0, "Print a MODEL's projection of the measured costs, up to 240 threads", 0},
            {0},
        },
    .parser = parse_txn,
    .children = children,
    .help_filter = help_of_settings,
    .doc = "Measures transactions: multi-version and optimistic concurrency control with several stamps.",
};
