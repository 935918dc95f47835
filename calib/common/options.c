#include "options.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "nearest.h"

enum { USAGE = 0x7f00 };

static const struct argp_option common_options[] = {
    {"help", 'h', NULL, 0, "Give this help list", -1},
    {NULL, '?', NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, -1},
    {"usage", USAGE, NULL, 0, "Give a short usage message", -1},
    {"version", 'V', NULL, 0, "Print program version", -1},
    {0},
};

/* The result of scanning a command line before it is parsed. */
struct scan {
    const struct argp *argp;
    const char *program;
    bool json;
    char wrong[300]; /* the first error; "" if none */
};

_Noreturn void cli_wrong(const struct argp_state *state, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    exit(cli_fail(EXIT_USAGE, state->name, text));
}

__attribute__((format(printf, 2, 3))) static void note(struct scan *scan, const char *format, ...)
{
    va_list arguments;
    if (scan->wrong[0])
        return;
    va_start(arguments, format);
    (void)vsnprintf(scan->wrong, sizeof scan->wrong, format, arguments);
    va_end(arguments);
}

/* Returns the option for which `is` is true, of a parser or of its children; or NULL. */
static const struct argp_option *find_option(const struct argp *argp, bool (*is)(const struct argp_option *, void *),
                                             void *context)
{
    for (const struct argp_option *at = argp->options; at && (at->name || at->key); at++)
        if (is(at, context))
            return at;
    for (const struct argp_child *child = argp->children; child && child->argp; child++) {
        const struct argp_option *found = find_option(child->argp, is, context);
        if (found)
            return found;
    }
    return NULL;
}

static bool is_long(const struct argp_option *option, void *context)
{
    const char *name = context;
    size_t length = strcspn(name, "=");
    return option->name && strlen(option->name) == length && strncmp(option->name, name, length) == 0;
}

static bool is_short(const struct argp_option *option, void *context)
{
    return option->key == *(const char *)context;
}

static bool is_nearer(const struct argp_option *option, void *context)
{
    if (option->name)
        nearest_try(context, option->name);
    return false;
}

static void note_unknown(struct scan *scan, const char *name)
{
    struct nearest nearest = nearest_to(name);
    (void)find_option(scan->argp, is_nearer, &nearest);
    int length = nearest.length < 60 ? (int)nearest.length : 60;
    if (nearest.found)
        note(scan, "--%.*s: not an option; did you mean --%s?", length, name, nearest.found);
    else
        note(scan, "--%.*s: not an option; %s --help lists them", length, name, scan->program);
}

/* Scans "--name" or "--name=value". Returns the number of following words that belong to the option. */
static int scan_long(struct scan *scan, char *name, bool last)
{
    const struct argp_option *option = find_option(scan->argp, is_long, name);
    bool has_value = strchr(name, '=') != NULL;
    if (!option) {
        note_unknown(scan, name);
        return 0;
    }
    if (strcmp(option->name, "json") == 0)
        scan->json = true;
    if (!option->arg && has_value)
        note(scan, "--%s: takes no value", option->name);
    if (option->arg && !has_value && last)
        note(scan, "--%s: needs a value, %s", option->name, option->arg);
    return option->arg && !has_value && !last;
}

/* Scans "-q" or "-qV". No short option takes a value. */
static void scan_short(struct scan *scan, char *letters)
{
    for (; *letters; letters++)
        if (!find_option(scan->argp, is_short, letters))
            note(scan, "-%c: not an option; %s --help lists them", *letters, scan->program);
}

static void scan_all(struct scan *scan, int argc, char **argv, const char *arguments)
{
    bool options = true;
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        if (options && strcmp(word, "--") == 0)
            options = false;
        else if (options && strncmp(word, "--", 2) == 0)
            i += scan_long(scan, word + 2, i + 1 == argc);
        else if (options && word[0] == '-' && word[1])
            scan_short(scan, word + 1);
        else if (!arguments)
            note(scan, "'%.60s': takes options only; %s --help lists them", word, scan->program);
    }
}

static error_t parse_common(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->input;
        return 0;
    case 'h':
    case '?':
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK);
        exit(cli_close_stdout(state->name));
    case USAGE:
        argp_state_help(state, stdout, ARGP_HELP_USAGE);
        exit(cli_close_stdout(state->name));
    case 'V':
        puts(argp_program_version);
        exit(cli_close_stdout(state->name));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    const struct argp_child children[] = {{argp, 0, NULL, 0}, {0}};
    const struct argp all = {.options = common_options, .parser = parse_common, .children = children};
    struct scan scan = {.argp = &all, .program = argv[0]};
    argp_err_exit_status = EXIT_USAGE;
    scan_all(&scan, argc, argv, argp->args_doc);
    if (scan.json)
        cli_json(cli_schema());
    if (scan.wrong[0])
        exit(cli_fail(EXIT_USAGE, argv[0], scan.wrong));
    if (argp_parse(&all, argc, argv, ARGP_NO_HELP, NULL, input) != 0)
        exit(cli_fail(EXIT_INTERNAL, argv[0], "out of memory"));
}
