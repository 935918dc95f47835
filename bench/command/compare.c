/* ordo-bench compare: compares the results of two builds that were measured alternately, and lists the changed
 * results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantile.h"
#include "common/command.h"
#include "common/options.h"
#include "report.h"

#define TOLERANCE_PERCENT 3.0
#define MOST_TOLERANCE_PERCENT 100
enum { LEAST_ROUNDS = 6 }; /* with fewer, chance puts all on one side of the median more often than once in 20 */

enum key { KEY_TOLERANCE = 256 };

struct compare_options {
    double tolerance_percent;
    char **files;
    int file_count;
};

static const struct cli_store stores[] = {
    CLI_STORE(KEY_TOLERANCE, "--tolerance", struct compare_options, tolerance_percent, 0, MOST_TOLERANCE_PERCENT),
    {0},
};

static error_t parse_compare(int key, char *argument, struct argp_state *state)
{
    struct compare_options *options = state->input;
    switch (key) {
    case ARGP_KEY_ARGS:
        options->files = state->argv + state->next;
        options->file_count = state->argc - state->next;
        if (options->file_count % 2)
            cli_wrong(state, "%d files: give two files for each round, first the result before, then the result after",
                      options->file_count);
        return 0;
    case ARGP_KEY_NO_ARGS:
        cli_wrong(state, "no FILE: give results that a command printed with --json, alternately before and after");
        return 0;
    default:
        return cli_store(stores, key, argument, state);
    }
}

static const char *text_of(const struct ordo_json_value *object, const char *key)
{
    const char *text = ordo_json_word(object, key);
    return text ? text : "";
}

/* Writes the name of the measurement that a result belongs to: two results with the same name are of the same
 * measurement. */
static void write_result_name(const struct ordo_json_value *result, char *name, size_t size)
{
    const char *stamp = text_of(result, "stamp");
    (void)snprintf(name, size, "%s: %s%s%s", text_of(result, "workload"), text_of(result, "algorithm"),
                   *stamp ? "/" : "", stamp);
}

static double speed_of(const struct ordo_json_value *result)
{
    return ordo_json_number(ordo_json_get(result, "ops_per_s"), "median", 0);
}

/* Returns the result in `document` that has the name and thread count of `like`, or NULL. */
static const struct ordo_json_value *find_same(const struct ordo_json_value *document,
                                               const struct ordo_json_value *like)
{
    char wanted[BENCH_NAME + 128], name[BENCH_NAME + 128];
    const struct ordo_json_value *results = ordo_json_get(document, "results");
    write_result_name(like, wanted, sizeof wanted);
    for (size_t i = 0; i < ordo_json_count(results); i++) {
        const struct ordo_json_value *result = ordo_json_item(results, i);
        write_result_name(result, name, sizeof name);
        if (strcmp(name, wanted) == 0 &&
            ordo_json_equal(ordo_json_get(result, "threads"), ordo_json_get(like, "threads")))
            return result;
    }
    return NULL;
}

/* Returns EXIT_OK, or the exit code of the error that it printed. */
static int load_document(const char *path, struct ordo_json_value **document)
{
    struct ordo_error error = {0};
    return bench_report_load(path, document, &error) ? bench_refuse("compare", &error) : EXIT_OK;
}

/* Checks that no audit failed, because a higher speed does not excuse a broken structure. Returns EXIT_OK, or
 * EXIT_FAILS after printing the failure. */
static int check_audits(const char *path, const struct ordo_json_value *document)
{
    const struct ordo_json_value *results = ordo_json_get(document, "results");
    for (size_t i = 0; i < ordo_json_count(results); i++) {
        const struct ordo_json_value *result = ordo_json_item(results, i);
        char name[BENCH_NAME + 128], why[sizeof name + 256];
        if (strcmp(text_of(result, "audit"), "failed") != 0)
            continue;
        write_result_name(result, name, sizeof name);
        (void)snprintf(why, sizeof why, "%s: %s: its audit failed: repair that build, or measure again", path, name);
        return cli_fail(EXIT_FAILS, "ordo-bench compare", why);
    }
    return EXIT_OK;
}

/* Returns the first parameter that both results have with different values, or NULL. The boundary is not compared: it
 * belongs to the machine. */
static const char *differs(const struct ordo_json_value *before, const struct ordo_json_value *after)
{
    const struct ordo_json_value *parameters = ordo_json_get(before, "parameters");
    struct ordo_json_entry entry = {0};
    while (ordo_json_next(parameters, &entry)) {
        const struct ordo_json_value *other = ordo_json_get(ordo_json_get(after, "parameters"), entry.key);
        if (other && !ordo_json_equal(entry.value, other) && strcmp(entry.key, "boundary_ticks") != 0)
            return entry.key;
    }
    return NULL;
}

/* Checks that results with the same name have the same parameters in both files. Returns EXIT_OK, or EXIT_USAGE after
 * printing the first difference. */
static int check_parameters(const char *path, const struct ordo_json_value *document, const char *first,
                            const struct ordo_json_value *first_document)
{
    const struct ordo_json_value *results = ordo_json_get(document, "results");
    for (size_t i = 0; i < ordo_json_count(results); i++) {
        const struct ordo_json_value *result = ordo_json_item(results, i);
        const struct ordo_json_value *like = find_same(first_document, result);
        const char *key = like ? differs(like, result) : NULL;
        char name[BENCH_NAME + 128];
        struct ordo_error error = {0};
        if (!key)
            continue;
        write_result_name(result, name, sizeof name);
        (void)ordo_error_set(&error, ORDO_E_INVALID, 0,
                             "%s: %s: parameter %s differs from %s: give results of one command", path, name, key,
                             first);
        return bench_refuse("compare", &error);
    }
    return EXIT_OK;
}

/* Collects the ratios "after / before" of a measurement, one for each round. Returns their number, or 0 if the
 * measurement is missing in one round. */
static size_t ratios_of(struct ordo_json_value *const *documents, int count, const struct ordo_json_value *like,
                        double *ratios)
{
    size_t rounds = 0;
    for (int i = 0; i < count; i += 2) {
        const struct ordo_json_value *before = find_same(documents[i], like),
                                     *after = find_same(documents[i + 1], like);
        if (!before || !after || speed_of(before) <= 0)
            return 0;
        ratios[rounds++] = speed_of(after) / speed_of(before);
    }
    return rounds;
}

/* Prints a line of the table. Returns true if the measurement became slower. */
static bool print_change(const struct ordo_json_value *result, struct ordo_median ratio, double least, double most)
{
    char name[BENCH_NAME + 128];
    bool slower = ratio.high < least;
    bool faster = ratio.low > most;
    write_result_name(result, name, sizeof name);
    printf("%-52s %7lld %7.3f  [%.3f, %.3f]%s\n", name, (long long)ordo_json_whole(result, "threads", 0), ratio.median,
           ratio.low, ratio.high,
           slower   ? "  SLOWER"
           : faster ? "  faster"
                    : "");
    return slower;
}

/* Returns EXIT_OK; EXIT_FAILS if a measurement is slower; EXIT_UNKNOWN if the comparison is impossible. */
static int compare_documents(struct ordo_json_value *const *documents, int count, double *ratios, double tolerance)
{
    size_t compared = 0, slower = 0;
    const struct ordo_json_value *results = ordo_json_get(documents[0], "results");
    bool enough = count >= 2 * LEAST_ROUNDS;
    double least = enough ? 1 - tolerance : 0, most = enough ? 1 + tolerance : INFINITY;
    printf("%-52s %7s %7s  [%s]\n", "after over before, op/s", "threads", "median", enough ? "95% interval" : "range");
    for (size_t i = 0; i < ordo_json_count(results); i++) {
        const struct ordo_json_value *result = ordo_json_item(results, i);
        size_t rounds = ratios_of(documents, count, result, ratios);
        if (rounds == 0)
            continue;
        compared++;
        slower += print_change(result, ordo_stats_median(ratios, rounds), least, most);
    }
    if (compared == 0)
        return cli_fail(EXIT_UNKNOWN, "ordo-bench compare", "no result is in all files: give results of one command");
    if (!enough)
        return cli_fail(EXIT_UNKNOWN, "ordo-bench compare",
                        "fewer than 6 rounds cannot tell a slowdown from chance: give more rounds");
    printf("%zu of %zu are slower: by more than %g%%, and not by chance\n", slower, compared, 100 * tolerance);
    return slower ? EXIT_FAILS : EXIT_OK;
}

static int run_compare(int argc, char **argv)
{
    static const struct argp_option own[] = {
        {"tolerance", KEY_TOLERANCE, "PERCENT", 0,
         "Slowdown that is not reported, in addition to random variation (default 3)", 0},
        {0},
    };
    static const struct argp argp = {
        .options = own,
        .parser = parse_compare,
        .args_doc = "BEFORE AFTER [BEFORE AFTER]...",
        .doc = "Compares results of two builds, which --json wrote in alternating rounds, and prints the median of the "
               "ratios and its interval. Exit code 1: a result is slower, or an audit failed. Exit code 2: fewer than "
               "6 rounds were given.",
    };
    struct compare_options options = {.tolerance_percent = TOLERANCE_PERCENT};
    cli_parse(&argp, argc, argv, &options);
    struct ordo_json_value **documents = calloc((size_t)options.file_count, sizeof *documents);
    double *ratios = calloc((size_t)options.file_count, sizeof *ratios);
    int result = documents && ratios ? EXIT_OK : EXIT_INTERNAL;
    for (int i = 0; i < options.file_count && result == EXIT_OK; i++) {
        result = load_document(options.files[i], &documents[i]);
        if (result == EXIT_OK)
            result = check_audits(options.files[i], documents[i]);
        if (result == EXIT_OK)
            result = check_parameters(options.files[i], documents[i], options.files[0], documents[0]);
    }
    if (result == EXIT_OK)
        result = compare_documents(documents, options.file_count, ratios, options.tolerance_percent / 100);
    for (int i = 0; documents && i < options.file_count; i++)
        ordo_json_free(documents[i]);
    free(documents);
    free(ratios);
    return result;
}

const struct command command_compare = {
    .name = "compare",
    .title = "compare the results of two builds, and show which have changed",
    .run = run_compare,
};
