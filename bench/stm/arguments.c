#include "stm/arguments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

#define MOST_BUCKETS 1000000
#define MOST_LENGTH 10000 /* filling a sorted list of n elements takes n^2 steps */
#define MOST_LONG 1000000 /* with --long-reads a list is filled from its end */
#define MOST_ELEMENTS 10000000
#define MOST_RANGE (UINT64_C(1) << 32) /* a key is made from the upper 32 bits of a random number */
#define MOST_STRIPES (1 << 28)
#define LIST_LENGTH 256
#define BUCKET_LENGTH 10

enum key {
    KEY_STRUCTURE = 512,
    KEY_BUCKETS,
    KEY_LENGTH,
    KEY_STAMP,
    KEY_BASELINE,
    KEY_RANGE,
    KEY_UPDATES,
    KEY_STRIPES,
    KEY_LONG,
    KEY_SEARCH,
    KEY_SWEEP
};

const char *const stm_stamp_words[] = {"ordo", "logical", "gv4", "gv5", "dctl", "tsc", "logical+clock", "any", NULL};
const char *const stm_baseline_words[] = {"gnu-tm", "mutex", "rwlock", NULL};

uint64_t stm_elements(const struct stm_options *options, enum stm_structure structure)
{
    if (structure == STM_LIST || structure == STM_BANK)
        return options->length ? options->length : LIST_LENGTH;
    return options->buckets * (options->length ? options->length : BUCKET_LENGTH);
}

uint64_t stm_range(const struct stm_options *options, enum stm_structure structure)
{
    return options->range ? options->range : 2 * stm_elements(options, structure);
}

static bool is_baseline(const struct stm_engine *engine)
{
    return engine->stamp == NULL;
}

bool stm_chosen(const struct stm_options *options, const struct stm_engine *engine)
{
    const char *const *words = is_baseline(engine) ? stm_baseline_words : stm_stamp_words;
    const char *word = is_baseline(engine) ? engine->algorithm : engine->stamp;
    const struct bench_choice *choice = is_baseline(engine) ? &options->baselines : &options->stamps;
    return options->structures.chosen[engine->structure] && bench_choice_has(choice, words, word);
}

/* Refuses a baseline that was named explicitly but is missing in this build. */
static void check_baselines(const struct argp_state *state, const struct stm_options *options)
{
    for (int word = 0; stm_baseline_words[word]; word++) {
        bool there = false;
        for (const struct stm_engine *const *engine = stm_engines; *engine; engine++)
            there |= strcmp((*engine)->algorithm, stm_baseline_words[word]) == 0;
        if (options->baselines.given && options->baselines.chosen[word] && !there)
            cli_wrong(state, "--baseline '%s': the compiler of this program had none: leave it out",
                      stm_baseline_words[word]);
    }
}

static void check_sizes(const struct argp_state *state, const struct stm_options *options)
{
    for (int s = 0; s < STM_STRUCTURES; s++) {
        uint64_t elements = stm_elements(options, (enum stm_structure)s);
        if (!options->structures.chosen[s])
            continue;
        if (s == STM_BANK && elements < 2)
            cli_wrong(state, "--length %" PRIu64 ": a bank has at least 2 accounts: give more", elements);
        if (elements > MOST_ELEMENTS)
            cli_wrong(state, "--buckets, --length: %" PRIu64 " elements, at most %d are measured: give less of either",
                      elements, MOST_ELEMENTS);
        if (stm_is_set((enum stm_structure)s) && stm_range(options, (enum stm_structure)s) < elements)
            cli_wrong(state, "--range %" PRIu64 ": the %s begins with %" PRIu64 " elements: give at least as many",
                      options->range, stm_structure_words[s], elements);
    }
}

static void check_long_reads(const struct argp_state *state, const struct stm_options *options)
{
    if (options->length > MOST_LENGTH && !options->long_reads.given)
        cli_wrong(state, "--length %" PRIu64 ": more than %d elements take --long-reads: give it, or less",
                  options->length, MOST_LENGTH);
    if (!options->long_reads.given)
        return;
    for (int s = 0; s < STM_STRUCTURES; s++)
        if (options->structures.chosen[s] && !stm_has_long((enum stm_structure)s))
            cli_wrong(state, "--long-reads: the %s has none: leave it out of --structure", stm_structure_words[s]);
    if (options->sweep)
        cli_wrong(state, "--long-reads, --sweep: they exclude each other: leave one out");
}

static void check_searches(const struct argp_state *state, const struct stm_options *options)
{
    if (!options->searches.given)
        return;
    if (!options->structures.chosen[STM_LIST])
        cli_wrong(state, "--search: only the list has it: add list to --structure");
    if (options->long_reads.given || options->sweep)
        cli_wrong(state, "--search, --long-reads, --sweep: they exclude each other: leave one out");
}

static void check_stm_options(const struct argp_state *state, struct stm_options *options)
{
    if (options->long_reads.given && !options->structures.given)
        options->structures = (struct bench_choice){.chosen = {[STM_LIST] = true, [STM_BANK] = true}};
    check_baselines(state, options);
    check_long_reads(state, options);
    check_searches(state, options);
    check_sizes(state, options);
    if (options->sweep)
        bench_sweep_check(state, &options->common, options->stamps.chosen[STM_STAMP_ORDO]);
}

static error_t parse_stm(int key, char *argument, struct argp_state *state)
{
    struct stm_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_STRUCTURE:
        bench_choice_parse(state, "--structure", argument, stm_structure_words, &options->structures);
        return 0;
    case KEY_STAMP:
        bench_choice_parse(state, "--stamp", argument, stm_stamp_words, &options->stamps);
        return 0;
    case KEY_BASELINE:
        if (strcmp(argument, "none") == 0)
            options->baselines = (struct bench_choice){.given = true};
        else
            bench_choice_parse(state, "--baseline", argument, stm_baseline_words, &options->baselines);
        return 0;
    case KEY_BUCKETS:
        options->buckets = cli_number(state, "--buckets", argument, 1, MOST_BUCKETS);
        return 0;
    case KEY_LENGTH:
        options->length = cli_number(state, "--length", argument, 1, MOST_LONG);
        return 0;
    case KEY_RANGE:
        options->range = cli_number(state, "--range", argument, 1, MOST_RANGE);
        return 0;
    case KEY_UPDATES:
        options->update_count =
            cli_numbers(state, "--update-percent", argument, 0, 100, options->updates, STM_PERCENTAGES);
        return 0;
    case KEY_STRIPES:
        options->stripes = cli_number(state, "--stripes", argument, 1, MOST_STRIPES);
        return 0;
    case KEY_LONG:
        bench_choice_parse(state, "--long-reads", argument, stm_long_words, &options->long_reads);
        return 0;
    case KEY_SEARCH:
        bench_choice_parse(state, "--search", argument, stm_search_words, &options->searches);
        return 0;
    case KEY_SWEEP:
        options->sweep = true;
        return 0;
    case ARGP_KEY_END:
        check_stm_options(state, options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct stm_options defaults = {
    .common = BENCH_OPTIONS_DEFAULT,
    .structures.chosen = {[STM_LIST] = true, [STM_HASH] = true, [STM_TREE] = true},
    .stamps
        .chosen = {[STM_STAMP_ORDO] = true, [STM_STAMP_LOGICAL] = true, [STM_STAMP_GV4] = true, [STM_STAMP_GV5] = true},
    .baselines.chosen = {true, true, true},
    .buckets = 1000,
    .updates = {20},
    .update_count = 1,
};

static const struct argp_child children[] = {{&bench_options_argp, 0, NULL, 0}, {0}};

void stm_options_parse(struct stm_options *options, int argc, char **argv)
{
    static const struct argp_option own[] = {
        {"structure", KEY_STRUCTURE, "LIST", 0,
         "Structures, among list, hash, tree, skip, bank, reservations, packets (default list,hash,tree)", 0},
        {"buckets", KEY_BUCKETS, "N", 0,
         "Lists in the hash (default 1000); the other structures have N times --length elements", 0},
        {"length", KEY_LENGTH, "N", 0,
         "Elements at the beginning, of the list and the bank (default 256), or of each list in the hash (default 10)",
         0},
        {"long-reads", KEY_LONG, "LIST", 0,
         "The first thread only reads the whole list or bank, as a transaction or a snapshot (LIST: among transaction, "
         "snapshot); the other threads only update",
         0},
        {"search", KEY_SEARCH, "LIST", 0,
         "How the list is searched: in a transaction, or in an elastic one (LIST: among transaction, elastic)", 0},
        {"range", KEY_RANGE, "N", 0, "All keys are smaller than N (default: twice the elements)", 0},
        {"update-percent", KEY_UPDATES, "LIST", 0, "Percentages of the operations that change something (default 20)",
         0},
        {"stamp", KEY_STAMP, "LIST", 0,
         "Stamps of our transactional memory, among ordo, logical (GV1), gv4, gv5, dctl, tsc, logical+clock, any "
         "(default ordo,logical,gv4,gv5)",
         0},
        {"baseline", KEY_BASELINE, "LIST", 0,
         "What to compare with, among gnu-tm, mutex, rwlock, or none (default: all)", 0},
        {"stripes", KEY_STRIPES, "N", 0, "Versioned locks of our transactional memory (default 65536)", 0},
        {"sweep", KEY_SWEEP, NULL, 0, "Measure the stamp ordo at 1/8 to 8 times the boundary", 0},
        {0},
    };
    static const struct argp argp = {
        .options = own,
        .parser = parse_stm,
        .children = children,
        .doc = "Measures transactional memory (TL2) with hardware timestamps and with counters, compared with GCC's "
               "transactional memory and with locks.",
    };
    *options = defaults;
    cli_parse(&argp, argc, argv, options);
}
