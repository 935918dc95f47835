#include "command.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/version.h>

#include "nearest.h"

extern const char ordo_commit[]; /* generated (cmake/commit.cmake); "" if the commit is unknown */

static const struct command *running;

const char *cli_schema(void)
{
    return running ? running->schema : NULL;
}

static void print_commands(const struct program *program, const char *indent, FILE *stream)
{
    for (const struct command *const *at = program->commands; *at; at++) {
        fprintf(stream, "%s%-13s %s", indent, (*at)->name, (*at)->title);
        if ((*at)->another)
            fprintf(stream, " (also: %s)", (*at)->another);
        putc('\n', stream);
    }
}

static void print_help(const struct program *program, FILE *stream)
{
    fprintf(stream, "Usage: %s COMMAND [OPTION...]\n%s\n\n", program->call, program->purpose);
    print_commands(program, "  ", stream);
    fprintf(stream,
            "\n%s help COMMAND explains a command and its options; %s --version, --list; man %s.\n"
            "Exit status: 0 ok, 1 measured and the property fails, 2 could not tell, 64 usage, 70 internal.\n",
            program->name, program->name, program->name);
}

static const struct command *find_command(const struct program *program, const char *name)
{
    for (const struct command *const *at = program->commands; *at; at++)
        if (strcmp((*at)->name, name) == 0 || ((*at)->another && strcmp((*at)->another, name) == 0))
            return *at;
    return NULL;
}

static int run_command(const struct program *program, const struct command *command, int argc, char **argv)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s %s", program->name, command->name);
    argv[0] = name;
    running = command;
    int code = command->run(argc, argv), closed = cli_close_stdout(name);
    return closed ? closed : code;
}

static int refuse_command(const struct program *program, const char *name)
{
    static const char *const general[] = {"help", "--help", "--version", "--list", NULL};
    struct nearest nearest = nearest_to(name);
    if (program->speaks && !program->speaks())
        return EXIT_USAGE;
    for (const struct moved *at = program->moved; at && at->name; at++)
        if (strcmp(at->name, name) == 0)
            return cli_failf(EXIT_USAGE, program->name, "'%s' has moved: call '%s'", name, at->to);
    for (const char *const *at = general; *at; at++)
        nearest_try(&nearest, *at);
    for (const struct command *const *at = program->commands; *at; at++)
        nearest_try(&nearest, (*at)->name);
    if (nearest.found)
        return cli_failf(EXIT_USAGE, program->name, "'%.60s' is not a command; did you mean '%s'?", name,
                         nearest.found);
    return cli_failf(EXIT_USAGE, program->name, "'%.60s' is not a command; see %s --help", name, program->name);
}

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words != NULL;
}

static int help_on(const struct program *program, const char *name)
{
    char help[] = "--help";
    char *argv[] = {NULL, help, NULL};
    const struct command *command = find_command(program, name);
    return command ? run_command(program, command, 2, argv) : refuse_command(program, name);
}

int cli_main(const struct program *program, int argc, char **argv)
{
    static const char *const help[] = {"help", "--help", "-h", "-?", NULL},
                             *const version[] = {"--version", "-V", NULL}, *const list[] = {"--list", NULL};
    static char version_text[64];
    const char *name = argc > 1 ? argv[1] : "";
    (void)snprintf(version_text, sizeof version_text, *ordo_commit ? "%s %s (commit %s)" : "%s %s", program->name,
                   ORDO_VERSION, ordo_commit);
    argp_program_version = version_text;
    const struct command *command = find_command(program, name);
    if (command)
        return run_command(program, command, argc - 1, argv + 1);
    if (is_one_of(name, help) && argc > 2)
        return help_on(program, argv[2]);
    if (is_one_of(name, help))
        print_help(program, stdout);
    else if (is_one_of(name, version))
        puts(version_text);
    else if (is_one_of(name, list))
        print_commands(program, "", stdout);
    else if (*name)
        return refuse_command(program, name);
    else if (!program->speaks || program->speaks())
        print_help(program, stderr);
    return *name ? cli_close_stdout(program->name) : EXIT_USAGE;
}
