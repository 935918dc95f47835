#include "oplog/arguments.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_FILES 1000000
#define MOST_BURST 4096
#define MOST_RANGE 1000000
#define MOST_LOG (UINT64_C(1) << 24)

enum key {
    KEY_STRUCTURE = 512,
    KEY_STAMP,
    KEY_BASELINE,
    KEY_READS,
    KEY_ORDER,
    KEY_FILES,
    KEY_BURST,
    KEY_RANGE,
    KEY_LOG,
    KEY_SETTLE_LATER
};

const char *const oplog_stamp_words[] = {"ordo", "logical", "batch", "tsc", "any", NULL};
const char *const oplog_baseline_words[] = {"mutex", "rwlock", "wfcqueue", NULL};

bool oplog_chosen(const struct oplog_options *options, const struct oplog_engine *engine)
{
    const char *word = engine->stamp ? engine->stamp : engine->algorithm;
    const char *const *words = engine->stamp ? oplog_stamp_words : oplog_baseline_words;
    return options->structures.chosen[engine->structure] &&
           bench_choice_has(engine->stamp ? &options->stamps : &options->baselines, words, word);
}

static void check_oplog_options(const struct argp_state *state, const struct oplog_options *options)
{
    if (options->log_entries & (options->log_entries - 1))
        cli_wrong(state, "--log '%" PRIu64 "': a log holds a power of two: give 1024, say", options->log_entries);
    if (options->order == OPLOG_COMMUTE && options->structures.chosen[OPLOG_SET])
        cli_wrong(state, "--order commute: what is done to a set does not commute: give timed or ordered, or leave the "
                         "set out of --structure");
}

static error_t parse_oplog(int key, char *argument, struct argp_state *state)
{
    static const struct cli_store stores[] = {
        CLI_FLAG_STORE(KEY_SETTLE_LATER, "--settle-later", struct oplog_options, settle_later),
        CLI_STORE(KEY_FILES, "--files", struct oplog_options, sizes.files, 1, MOST_FILES),
        CLI_STORE(KEY_BURST, "--burst", struct oplog_options, sizes.burst, 1, MOST_BURST),
        CLI_STORE(KEY_RANGE, "--range", struct oplog_options, sizes.range, 4096, MOST_RANGE),
        CLI_STORE(KEY_LOG, "--log", struct oplog_options, log_entries, 1, MOST_LOG),
        {0},
    };
    struct oplog_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_STRUCTURE:
        bench_choice_parse(state, "--structure", argument, oplog_structure_words, &options->structures);
        return 0;
    case KEY_STAMP:
        bench_choice_parse(state, "--stamp", argument, oplog_stamp_words, &options->stamps);
        return 0;
    case KEY_BASELINE:
        if (strcmp(argument, "none") == 0)
            options->baselines = (struct bench_choice){.given = true};
        else
            bench_choice_parse(state, "--baseline", argument, oplog_baseline_words, &options->baselines);
        return 0;
    case KEY_READS:
        options->share_count = cli_numbers(state, "--read-permille", argument, 0, 1000, options->shares, OPLOG_SHARES);
        return 0;
    case KEY_ORDER:
        options->order =
            (enum oplog_order)bench_word_parse(state, "--order", argument, strlen(argument), oplog_order_words);
        return 0;
    case ARGP_KEY_END:
        check_oplog_options(state, options);
        return 0;
    default:
        return cli_store(stores, key, argument, state);
    }
}

static const struct argp_child children[] = {{&bench_options_argp, 0, NULL, 0}, {0}};

void oplog_options_parse(struct oplog_options *options, int argc, char **argv)
{
    static const struct argp_option own[] = {
        {"structure", KEY_STRUCTURE, "LIST", 0, "Structures, among map, counter, set (default map)", 0},
        {"read-permille", KEY_READS, "LIST", 0,
         "Operations that read, of a thousand (default 1,10,100,500: 0.1% to 50%)", 0},
        {"stamp", KEY_STAMP, "LIST", 0,
         "Stamps of our Oplog, among ordo, logical, batch, tsc, any (default ordo,logical)", 0},
        {"order", KEY_ORDER, "WORD", 0,
         "How our Oplog orders updates: commute, timed, ordered (default: the weakest order that the structure allows)",
         0},
        {"settle-later", KEY_SETTLE_LATER, NULL, 0, "Wait for the clock once for each burst of timed updates", 0},
        {"baseline", KEY_BASELINE, "LIST", 0,
         "What to compare with, among mutex, rwlock, wfcqueue, or none (default: all)", 0},
        {"files", KEY_FILES, "N", 0, "Files of the map (default 256)", 0},
        {"burst", KEY_BURST, "N", 0, "Mappings of a process, added by a fork and removed by an exit (default 16)", 0},
        {"range", KEY_RANGE, "N", 0, "All keys of the set are smaller than N, which is at least 4096 (default 8192)",
         0},
        {"log", KEY_LOG, "N", 0, "Updates that a thread's log holds, a power of two (default 1024)", 0},
        {0},
    };
    static const struct argp argp = {
        .options = own,
        .parser = parse_oplog,
        .children = children,
        .doc = "Measures Oplog, per-thread logs that readers apply, compared with locks and one queue for all.",
    };
    *options = (struct oplog_options){.common = BENCH_OPTIONS_DEFAULT,
                                      .structures.chosen[OPLOG_MAP] = true,
                                      .stamps.chosen = {true, true},
                                      .baselines.chosen = {true, true, true},
                                      .shares = {1, 10, 100, 500},
                                      .share_count = 4,
                                      .order = OPLOG_DEFAULT,
                                      .sizes = {.files = 256, .burst = 16, .range = 8192},
                                      .log_entries = 1024};
    cli_parse(&argp, argc, argv, options);
}
