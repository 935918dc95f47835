#include "rlu/arguments.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rlu/multiget.h"
#include "sweep.h"

#define MOST_BUCKETS 1000000
#define MOST_LENGTH 10000 /* filling a sorted list of n elements takes n^2 steps */
#define MOST_ELEMENTS 10000000
#define MOST_RANGE (UINT64_C(1) << 32) /* a key is made from the upper 32 bits of a random number */
#define MOST_DEFER 1000000
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
    KEY_DEFER,
    KEY_MULTIGET,
    KEY_SWEEP,
    KEY_ALGORITHM,
    KEY_OWN_CLOCK,
    KEY_OVERSUBSCRIBE
};

const char *const rlu_algorithm_words[] = {"rlu", "mvrlu", "stm", NULL};
const char *const rlu_stamp_words[] = {"ordo", "logical", "tsc", "logical+clock", "corrected", "any", NULL};
const char *const rlu_baseline_words[] = {"rcu-memb", "rcu-wide", "rcu-lazy",    "rcu-qsbr",      "lfht",
                                          "mutex",    "rwlock",   "bucket-lock", "bucket-rwlock", NULL};
static const char *const structure_words[] = {"list", "hash", "tree", NULL};

uint64_t rlu_elements(const struct rlu_options *options, enum rlu_structure structure)
{
    if (structure == RLU_LIST)
        return options->length ? options->length : LIST_LENGTH;
    return options->buckets * (options->length ? options->length : BUCKET_LENGTH);
}

uint64_t rlu_range(const struct rlu_options *options, enum rlu_structure structure)
{
    return options->range ? options->range : 2 * rlu_elements(options, structure);
}

static bool is_baseline(const struct rlu_engine *engine)
{
    return engine->stamp == NULL;
}

bool rlu_chosen(const struct rlu_options *options, const struct rlu_engine *engine)
{
    if (!options->structures.chosen[engine->structure] || (options->size_count && !engine->multiget))
        return false;
    if (is_baseline(engine))
        return bench_choice_has(&options->baselines, rlu_baseline_words, engine->algorithm);
    return bench_choice_has(&options->algorithms, rlu_algorithm_words, engine->algorithm) &&
           bench_choice_has(&options->stamps, rlu_stamp_words, engine->stamp);
}

/* Refuses a word of an option that was named explicitly but has no engine for this workload. */
static void check_engines(const struct argp_state *state, const struct rlu_options *options, const char *option,
                          const char *const *words, const struct bench_choice *choice)
{
    for (int word = 0; words[word] && choice->given; word++) {
        bool fits = false;
        for (const struct rlu_engine *const *engine = rlu_engines; *engine; engine++)
            fits |= options->structures.chosen[(*engine)->structure] && (!options->size_count || (*engine)->multiget) &&
                    strcmp((*engine)->algorithm, words[word]) == 0;
        if (choice->chosen[word] && !fits && options->size_count)
            cli_wrong(state, "%s '%s': has no multi-get: leave it out", option, words[word]);
        if (choice->chosen[word] && !fits)
            cli_wrong(state,
                      "%s '%s': has none of the chosen structures: leave it out, or choose others by --structure",
                      option, words[word]);
    }
}

static void check_multigets(const struct argp_state *state, const struct rlu_options *options)
{
    for (int i = 0; i < options->size_count; i++)
        if (options->sizes[i] % 2)
            cli_wrong(state, "--multi-get %d: reads both keys of each pair: give an even number", options->sizes[i]);
    if (options->size_count && (options->structures.chosen[RLU_LIST] || options->structures.chosen[RLU_TREE]))
        cli_wrong(state, "--multi-get: only the hash has multi-gets: leave other structures out");
    if (options->size_count && options->range)
        cli_wrong(state, "--range: with --multi-get it is twice the number of elements: leave it out");
}

static void check_sizes(const struct argp_state *state, const struct rlu_options *options)
{
    for (int s = 0; s < RLU_STRUCTURES; s++) {
        uint64_t elements = rlu_elements(options, (enum rlu_structure)s);
        if (!options->structures.chosen[s])
            continue;
        if (elements > MOST_ELEMENTS)
            cli_wrong(state, "--buckets, --length: %" PRIu64 " elements, at most %d are measured: give less of either",
                      elements, MOST_ELEMENTS);
        if (rlu_range(options, (enum rlu_structure)s) < elements)
            cli_wrong(state, "--range %" PRIu64 ": the %s begins with %" PRIu64 " elements: give at least as many",
                      options->range, structure_words[s], elements);
    }
}

static void check_rlu_options(const struct argp_state *state, const struct rlu_options *options)
{
    check_multigets(state, options);
    check_engines(state, options, "--algorithm", rlu_algorithm_words, &options->algorithms);
    check_engines(state, options, "--baseline", rlu_baseline_words, &options->baselines);
    check_sizes(state, options);
    if (options->own_clock && !bench_choice_has(&options->algorithms, rlu_algorithm_words, "mvrlu"))
        cli_wrong(state, "--own-clock: only MV-RLU has one: give --algorithm mvrlu too");
    if (options->sweep && options->defer_count > 1)
        cli_wrong(state, "--sweep: takes one value of --defer, not %d", options->defer_count);
    if (options->sweep)
        bench_sweep_check(state, &options->common, options->stamps.chosen[RLU_STAMP_ORDO]);
}

/* Reads an item of --defer; 0 and 1 mean the same. */
static int read_defer(const char *item, size_t length, void *context)
{
    struct rlu_options *options = context;
    unsigned defer = RLU_DEFER_AUTO;
    if (length != strlen("auto") || strncmp(item, "auto", length) != 0) {
        if (length == 0 || length > 7 || strspn(item, "0123456789") < length)
            return -1;
        defer = (unsigned)strtoul(item, NULL, 10);
        if (defer > MOST_DEFER)
            return -1;
    }
    options->defers[options->defer_count++] = defer;
    return defer == RLU_DEFER_AUTO ? INT_MAX : defer > 1 ? (int)defer : 1;
}

static void parse_defers(const struct argp_state *state, const char *list, struct rlu_options *options)
{
    int meanings[RLU_DEFERS];
    options->defer_count = 0;
    if (cli_list(state, "--defer", list, read_defer, options, meanings, RLU_DEFERS) < 0)
        cli_wrong(state, "--defer '%s': not a list such as 1,16,auto of at most %d words, auto or numbers from 0 to %d",
                  list, RLU_DEFERS, MOST_DEFER);
}

static error_t parse_rlu(int key, char *argument, struct argp_state *state)
{
    struct rlu_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_STRUCTURE:
        bench_choice_parse(state, "--structure", argument, structure_words, &options->structures);
        return 0;
    case KEY_ALGORITHM:
        bench_choice_parse(state, "--algorithm", argument, rlu_algorithm_words, &options->algorithms);
        return 0;
    case KEY_OVERSUBSCRIBE:
        options->common.oversubscribe = true;
        return 0;
    case KEY_OWN_CLOCK:
        options->own_clock = true;
        return 0;
    case KEY_STAMP:
        bench_choice_parse(state, "--stamp", argument, rlu_stamp_words, &options->stamps);
        return 0;
    case KEY_BASELINE:
        if (strcmp(argument, "none") == 0)
            options->baselines = (struct bench_choice){.given = true};
        else
            bench_choice_parse(state, "--baseline", argument, rlu_baseline_words, &options->baselines);
        return 0;
    case KEY_BUCKETS:
        options->buckets = cli_number(state, "--buckets", argument, 1, MOST_BUCKETS);
        return 0;
    case KEY_LENGTH:
        options->length = cli_number(state, "--length", argument, 1, MOST_LENGTH);
        return 0;
    case KEY_RANGE:
        options->range = cli_number(state, "--range", argument, 1, MOST_RANGE);
        return 0;
    case KEY_UPDATES:
        options->update_count = cli_numbers(state, "--update-percent", argument, 0, 100, options->updates, RLU_UPDATES);
        return 0;
    case KEY_MULTIGET:
        options->size_count =
            cli_numbers(state, "--multi-get", argument, 2, RLU_MULTIGET_MOST, options->sizes, RLU_SIZES);
        return 0;
    case KEY_DEFER:
        parse_defers(state, argument, options);
        return 0;
    case KEY_SWEEP:
        options->sweep = true;
        return 0;
    case ARGP_KEY_END:
        if (options->size_count && !options->baselines.given)
            (void)memset(options->baselines.chosen, true, sizeof options->baselines.chosen);
        check_rlu_options(state, options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void rlu_options_default(struct rlu_options *options)
{
    *options = (struct rlu_options){.common = BENCH_OPTIONS_DEFAULT,
                                    .algorithms.chosen = {true},
                                    .structures.chosen[RLU_HASH] = true,
                                    .stamps.chosen = {[RLU_STAMP_ORDO] = true, [RLU_STAMP_LOGICAL] = true},
                                    .baselines.chosen = {true, true, true, true, true, true, true, false, false},
                                    .buckets = 1000,
                                    .updates = {2, 20},
                                    .update_count = 2,
                                    .defer_count = 1};
}

#define UPDATES_OPTION                                                                                                 \
    {                                                                                                                  \
        "update-percent", KEY_UPDATES, "LIST", 0, "Percentages of the operations that add or remove (default 2,20)", 0 \
    }
#define MULTIGET_OPTION                                                                                                \
    {                                                                                                                  \
        "multi-get", KEY_MULTIGET, "LIST", 0,                                                                          \
            "Instead of one key, a read looks up these numbers of keys at once (even, 2 to 1000), and an update "      \
            "moves an element to another key. For the hash",                                                           \
            0                                                                                                          \
    }
#define DEFER_OPTION                                                                                                   \
    {                                                                                                                  \
        "defer", KEY_DEFER, "LIST", 0,                                                                                 \
            "Most commits of a thread that RLU or MV-RLU merges into one (default 0: none are merged); auto: "         \
            "each "                                                                                                    \
            "thread "                                                                                                  \
            "chooses by itself. Several values are measured side by side, and compared with the first",                \
            0                                                                                                          \
    }

static const struct argp_child children[] = {{&bench_options_argp, 0, NULL, 0}, {0}};

void rlu_options_parse(struct rlu_options *options, int argc, char **argv)
{
    static const struct argp_option own[] = {
        {"algorithm", KEY_ALGORITHM, "LIST", 0, "Algorithms, among rlu, mvrlu, stm (default rlu)", 0},
        {"structure", KEY_STRUCTURE, "LIST", 0, "Structures, among list, hash, tree (default hash)", 0},
        {"buckets", KEY_BUCKETS, "N", 0, "Lists in the hash (default 1000)", 0},
        {"length", KEY_LENGTH, "N", 0,
         "Elements at the beginning, of the list (default 256) or of each list in the hash (default 10)", 0},
        {"range", KEY_RANGE, "N", 0, "All keys are smaller than N (default: twice the elements)", 0},
        UPDATES_OPTION,
        MULTIGET_OPTION,
        {"stamp", KEY_STAMP, "LIST", 0,
         "Stamps of our algorithms, among ordo, logical, tsc, logical+clock, corrected, any (default ordo,logical)", 0},
        {"baseline", KEY_BASELINE, "LIST", 0,
         "What to compare with, among rcu-memb, rcu-wide, rcu-lazy, rcu-qsbr, lfht, mutex, rwlock, bucket-lock, "
         "bucket-rwlock, or none (default: all that have the structure; the last two only with --multi-get)",
         0},
        DEFER_OPTION,
        {"own-clock", KEY_OWN_CLOCK, NULL, 0, "In our MV-RLU each section reads the clock, and commits share nothing",
         0},
        {"oversubscribe", KEY_OVERSUBSCRIBE, NULL, 0,
         "Accept more threads than CPUs; the threads then share the CPUs, and the results are marked", 0},
        {"sweep", KEY_SWEEP, NULL, 0, "Measure the stamp ordo at 1/8 to 8 times the boundary", 0},
        {0},
    };
    static const struct argp argp = {
        .options = own,
        .parser = parse_rlu,
        .children = children,
        .doc = "Measures Read-Log-Update with hardware timestamps and with a logical clock, compared with other ways "
               "of sharing a set.",
    };
    rlu_options_default(options);
    cli_parse(&argp, argc, argv, options);
}
