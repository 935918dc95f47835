/* ordo run: starts a program whose clock readings are served from the counter, or only counts them. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/child.h"
#include "common/command.h"
#include "common/duration.h"
#include "common/options.h"
#include "common/place.h"
#include "ordo/run/measure.h"
#include "ordo/run/preload.h"
#include "ordo/run/target.h"
#include "preload/kernel.h"
#include "preload/record.h"

struct options {
    const char *record;
    enum preload_order order;
    int64_t max_boundary_ns;
    bool require, measure, json, no_reopen;
};

enum { ORDER = 1, MAX_BOUNDARY, RECORD, REQUIRE, NO_REOPEN, MEASURE, JSON };

/* A line lasts 500 us, and has to be at least 16 times as long as the boundary. */
enum { LARGEST_BOUNDARY_NS = 30000 };

static const struct argp_option argp_options[] = {
    {"order", ORDER, "WORD", 0,
     "ordered: a reading that happens after another one, on any CPUs, is never smaller (default); raised: this too, "
     "but "
     "enforced by a shared maximum even if clocks of CPUs differ by more than a message takes; durations: cheaper, and "
     "only within a thread",
     0},
    {"max-boundary", MAX_BOUNDARY, "TIME", 0, "Leave the kernel's clock if the boundary is larger (default 10us)", 0},
    {"record", RECORD, "FILE", 0, "Use this record (default: the one that ordo_open would open)", 0},
    {"require", REQUIRE, NULL, 0, "Do not start COMMAND if its readings cannot be served", 0},
    {"no-reopen", NO_REOPEN, NULL, 0,
     "When a newer record supersedes the present one, return to the kernel's clock instead of opening it: for programs "
     "whose seccomp filter kills them if they open a file",
     0},
    {"measure", MEASURE, NULL, 0, "Serve nothing: count COMMAND's readings, and print what they cost", 0},
    {"json", JSON, NULL, 0, "With --measure: print the result as JSON (schema ordo-run/1)", 0},
    {0},
};

static error_t parse_ordo_run(int key, char *argument, struct argp_state *state)
{
    static const struct cli_store stores[] = {
        CLI_TEXT_STORE(RECORD, "--record", struct options, record),
        CLI_FLAG_STORE(REQUIRE, "--require", struct options, require),
        CLI_FLAG_STORE(NO_REOPEN, "--no-reopen", struct options, no_reopen),
        CLI_FLAG_STORE(MEASURE, "--measure", struct options, measure),
        CLI_FLAG_STORE(JSON, "--json", struct options, json),
        {0},
    };
    struct options *options = state->input;
    switch (key) {
    case ORDER:
        if (!preload_order_read(argument, strlen(argument), &options->order))
            cli_wrong(state, "--order '%s': not an order: give ordered, raised or durations", argument);
        return 0;
    case MAX_BOUNDARY:
        options->max_boundary_ns = cli_duration(state, "--max-boundary", argument, 1, LARGEST_BOUNDARY_NS);
        return 0;
    case ARGP_KEY_END:
        if (options->json && !options->measure)
            cli_wrong(state, "--json: only with --measure");
        return 0;
    default:
        return cli_store(stores, key, argument, state);
    }
}

/* Makes the settings of the preload. The path becomes absolute, because the program may change its folder. */
static int make_settings(const char *program, const struct options *options, struct preload_settings *settings)
{
    char buffer[PATH_MAX];
    (void)preload_settings_read(NULL, settings);
    settings->order = options->order;
    settings->max_boundary_ns = options->max_boundary_ns;
    settings->reopen = !options->no_reopen;
    const char *path = cli_find_record(program, options->record, true, buffer, sizeof buffer);
    char *whole = realpath(path, NULL);
    const char *used = whole ? whole : path;
    const bool fits = strlen(used) < sizeof settings->record;
    if (fits)
        (void)strcpy(settings->record, used);
    free(whole);
    return fits ? EXIT_OK : cli_failf(EXIT_USAGE, program, "--record %.100s...: too long", path);
}

/* True if the preload would serve in this process, and then sets the order that the record allows. Otherwise `error` says
 * why not. */
static bool is_served(const struct preload_settings *settings, enum preload_order *effective, struct ordo_error *error)
{
    struct preload_warrant warrant;
    if (!preload_kernel_allows_counter()) {
        (void)snprintf(error->text, sizeof error->text, "this process may not read the counter (PR_SET_TSC)");
        return false;
    }
    if (preload_warrant_open(&warrant, settings, error) != 0)
        return false;
    *effective = preload_order_effective(settings->order, &warrant);
    preload_warrant_close(&warrant);
    return true;
}

static int run_and_measure(const char *program, const char *library, const struct options *options,
                           const struct preload_settings *settings, char **words)
{
    struct ordo_error error = {0};
    struct run_measured measured;
    struct run_cost cost;
    struct run_verdict verdict = {.order = settings->order, .effective = settings->order};
    const bool served = is_served(settings, &verdict.effective, &error);
    verdict.reason = served ? NULL : error.text;
    const int failed = run_measure(library, words, &measured);
    if (failed == -2)
        return cli_failf(EXIT_INTERNAL, program, "no file for the counts: %s: set TMPDIR", strerror(errno));
    if (failed)
        return cli_failf(errno == ENOENT ? 127 : 126, program, "%.200s: %s", cli_show(words[0]), strerror(errno));
    run_cost_measure(library, settings, served, &cost);
    if (!options->json) {
        run_print_measured(&measured, &cost, &verdict);
        return measured.status;
    }
    const int written = run_print_measured_json(&measured, &cost, &verdict);
    return written ? cli_fail_output(program) : measured.status;
}

/* Starts the program in the place of this one. */
static int start(const char *program, const char *library, const struct preload_settings *settings, const char *path,
                 char **words)
{
    if (!preload_into_environment(library, settings))
        return cli_failf(EXIT_INTERNAL, program, "environment: %s", strerror(errno));
    (void)execv(path, words);
    if (errno == ENOEXEC) /* a script without an interpreter, as execvp */
        (void)execvp(words[0], words);
    return cli_failf(errno == ENOENT ? 127 : 126, program, "%.200s: %s", cli_show(words[0]), strerror(errno));
}

/* Checks before the start whether the readings will be served. Returns EXIT_OK if the program is to be started. */
static int tell_reach(const char *program, const struct options *options, const struct preload_settings *settings,
                      const char *path)
{
    struct ordo_error error = {0};
    char why[sizeof error.text];
    const char *reason = NULL;
    enum preload_order effective;
    if (!target_is_reached(path, why, sizeof why))
        reason = why;
    else if (!options->measure && !is_served(settings, &effective, &error))
        reason = error.text;
    if (!reason)
        return EXIT_OK;
    if (options->require)
        return cli_failf(EXIT_UNKNOWN, program, "%s; not started (--require)", reason);
    char line[sizeof error.text + 80];
    (void)snprintf(line, sizeof line, "%s; the program's readings are %s", reason,
                   options->measure ? "not counted" : "answered by the kernel");
    cli_warn(program, line);
    return EXIT_OK;
}

static int run_program(const char *program, const struct options *options, char **words)
{
    struct preload_settings settings;
    char path[PATH_MAX], library[PATH_MAX];
    int code = make_settings(program, options, &settings);
    if (code)
        return code;
    if (!preload_find(library, sizeof library))
        return cli_fail(EXIT_INTERNAL, program, "libordo-clock.so: not found beside this program: install it");
    if (strpbrk(library, ": "))
        return cli_failf(EXIT_INTERNAL, program,
                         "%.200s: LD_PRELOAD cannot name a path with ':' or ' ': install it "
                         "elsewhere",
                         library);
    if (!cli_search_program(words[0], path, sizeof path))
        return cli_failf(errno == ENOENT || errno == ENOTDIR ? 127 : 126, program, "%.200s: %s", cli_show(words[0]),
                         strerror(errno));
    code = tell_reach(program, options, &settings, path);
    if (code)
        return code;
    return options->measure ? run_and_measure(program, library, options, &settings, words)
                            : start(program, library, &settings, path, words);
}

static int run_ordo_run(int argc, char **argv)
{
    static const struct argp argp = {
        .options = argp_options,
        .parser = parse_ordo_run,
        .args_doc = "-- COMMAND [WORD...]",
        .doc = "Starts COMMAND with a preload (libordo-clock.so) that answers clock_gettime, gettimeofday and "
               "timespec_get from the counter while a boundary record warrants it, and from the kernel otherwise. Says "
               "in one line if COMMAND cannot be reached or is not served.\vExit status: that of COMMAND; 126 COMMAND "
               "cannot be executed; 127 COMMAND is not found; 2 with --require: not started; 64 usage; 70 internal."};
    struct options options = {.max_boundary_ns = PRELOAD_MAX_BOUNDARY_NS};
    int own = 0;
    while (own < argc && strcmp(argv[own], "--") != 0)
        own++;
    cli_parse(&argp, own, argv, &options);
    if (options.json)
        cli_json(cli_schema());
    if (own + 1 >= argc)
        return cli_fail(EXIT_USAGE, argv[0], "no program to run: give -- COMMAND [WORD...]");
    preload_kernel_open();
    return run_program(argv[0], &options, argv + own + 1);
}

const struct command command_run = {
    .name = "run",
    .title = "start a program whose clock readings come from the counter, or count them",
    .schema = "ordo-run/1",
    .run = run_ordo_run,
};
