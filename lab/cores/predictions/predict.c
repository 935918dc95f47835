/* ordo-lab cores predict: computes predictions, and writes them into files. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"
#include "common/command.h"
#include "common/options.h"
#include "lab/cores/predictions/predictions.h"
#include "lab/cores/predictions/runs.h"

enum { OUTPUT = 1, COMMIT, LIST, KEEP, COMMIT_TEXT = 41 };

struct options {
    const char *name; /* "all": each of the table */
    const char *folder, *commit, *keep;
    bool list;
};

static const struct argp_option argp_options[] = {
    {"output", OUTPUT, "FOLDER", 0, "Write NAME.json into FOLDER (default: print the document)", 1},
    {"commit", COMMIT, "HASH", 0, "The version of the sources (default: that of the repository in this folder)", 1},
    {"keep", KEEP, "FOLDER", 0, "Keep the result of each simulation in FOLDER, and read it there if it is repeated", 1},
    {"list", LIST, NULL, 0, "Print the names and quantities of all predictions", 1},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(OUTPUT, "--output", struct options, folder),
    CLI_TEXT_STORE(COMMIT, "--commit", struct options, commit),
    CLI_TEXT_STORE(KEEP, "--keep", struct options, keep),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    {0},
};

static error_t parse_predict(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (key == ARGP_KEY_ARG && !options->name) {
        options->name = argument;
        return 0;
    }
    if (key == ARGP_KEY_ARG)
        cli_wrong(state, "'%.60s': one prediction, or all", argument);
    if (key == ARGP_KEY_END && !options->name && !options->list)
        cli_wrong(state, "name a prediction, or all; --list prints the names");
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {
    argp_options,
    parse_predict,
    "NAME|all",
    "Predicts a quantity of a machine of many CPUs by simulation, for each number of cores of its table: the low, the "
    "likely and the high value (schema ordo-prediction/1). Takes seconds to minutes; with --keep, an interrupted "
    "command continues where it was.\vExit status: 0 predicted; 2 a "
    "simulation failed; 64 usage; 70 internal.",
    NULL,
    NULL,
    NULL};

/* The version of the repository in the present folder; NULL if there is none. */
static const char *commit_find(char text[COMMIT_TEXT])
{
    static const char *const arguments[] = {"git", "rev-parse", "HEAD", NULL};
    ptrdiff_t bytes = ordo_output_of(arguments, 10 * (int64_t)1000000000, text, COMMIT_TEXT);
    return bytes == COMMIT_TEXT - 1 && !strchr(text, '\n') ? text : NULL;
}

static int path_make(char path[PATH_MAX], const char *folder, const char *name, struct ordo_error *error)
{
    if (snprintf(path, PATH_MAX, "%s/%s.json", folder, name) >= PATH_MAX)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%.60s...: too long a path: name another folder", folder);
    return ordo_file_prepare(path, false, error);
}

static int save(struct ordo_json *document, const char *path, struct ordo_error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    if (!memory || ordo_json_write(document, memory) || fclose(memory))
        return ordo_error_errno(error, "%s", path);
    int code = ordo_file_replace(path, text, bytes, 0644, error);
    free(text);
    return code;
}

static int predict_one(const struct cores_prediction *prediction, const struct options *options,
                       struct ordo_error *error)
{
    struct ordo_json document;
    char path[PATH_MAX];
    int code = options->folder ? path_make(path, options->folder, prediction->name, error) : ORDO_OK;
    if (!code)
        code = cores_predict(prediction, options->commit, &document, error);
    if (code)
        return code;
    if (options->folder)
        return save(&document, path, error);
    return ordo_json_write(&document, stdout) ? ordo_error_errno(error, "%s", prediction->name) : ORDO_OK;
}

static int exit_code_of_prediction(int code)
{
    return code == ORDO_E_MEASURE ? EXIT_UNKNOWN : code == ORDO_E_INVALID ? EXIT_USAGE : EXIT_INTERNAL;
}

/* Reports each failure, and goes on to the next prediction unless the failure would recur. Returns the exit code. */
static int predict_all(const struct options *options, const char *name)
{
    const struct cores_prediction *at;
    int result = 0;
    for (int i = 0; (at = cores_prediction_at(i)); i++) {
        struct ordo_error error = {0};
        int code = predict_one(at, options, &error);
        if (code)
            result = cli_fail(exit_code_of_prediction(code), name, error.text);
        if (code && code != ORDO_E_MEASURE)
            break;
    }
    return result ? result : cli_close_stdout(name);
}

static int predict_named(const struct options *options, const char *name)
{
    struct ordo_error error = {0};
    const struct cores_prediction *prediction = cores_prediction_find(options->name);
    if (!prediction) {
        (void)ordo_error_set(&error, ORDO_E_INVALID, 0, "no prediction '%.60s': --list prints the names",
                             options->name);
        return cli_fail(EXIT_USAGE, name, error.text);
    }
    int code = predict_one(prediction, options, &error);
    return code ? cli_fail(exit_code_of_prediction(code), name, error.text) : cli_close_stdout(name);
}

static void print_list(void)
{
    const struct cores_prediction *at;
    for (int i = 0; (at = cores_prediction_at(i)); i++)
        printf("%-28s %s\n", at->name, at->quantity);
}

int cores_command_predict(int argc, char **argv)
{
    struct options options = {0};
    char commit[COMMIT_TEXT];
    cli_parse(&argp, argc, argv, &options);
    if (options.list) {
        print_list();
        return cli_close_stdout(argv[0]);
    }
    if (!options.commit)
        options.commit = commit_find(commit);
    cores_runs_keep(options.keep);
    return strcmp(options.name, "all") == 0 ? predict_all(&options, argv[0]) : predict_named(&options, argv[0]);
}
