/* ordo-bench check-history: checks whether the transactions of a recorded history can be explained by a serial
 * order. */
#include <errno.h>
#include <ordo/cc/history.h>
#include <stdio.h>
#include <string.h>

#include "cc/history/format.h"
#include "common/command.h"
#include "common/options.h"

#define KEY_STRICT 256
#define CHUNK_WORDS 8192

struct arguments {
    const char *path;
    bool strict;
};

static error_t parse_check_history(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_STRICT:
        arguments->strict = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->path)
            cli_wrong(state, "'%s': a second FILE, and one history is checked at a time: leave it out", argument);
        arguments->path = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        cli_wrong(state, "no FILE: give a history, which 'ordo-bench txn --history FILE' records");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Passes the file to the checker, and also the claim of strictness if `strict`. ORDO_E_MISSING: the file cannot be
 * read, and errno has the reason. */
static int feed(struct ordo_history_checker *checker, FILE *file, bool strict)
{
    static uint64_t chunk[CHUNK_WORDS];
    size_t bytes;
    int code = ORDO_OK;
    for (bool head = true; !code && (bytes = fread(chunk, 1, sizeof chunk, file)) > 0; head = false) {
        if (head && strict)
            chunk[HISTORY_FILE_WORDS - 1] = 1;
        code = ordo_history_check(checker, chunk, bytes);
    }
    return ferror(file) ? ORDO_E_MISSING : code;
}

static const char *level_name(enum ordo_txn_level level)
{
    return level == ORDO_TXN_SNAPSHOT ? "snapshot isolation" : "serialisability";
}

static int print_report(const struct ordo_history_report *report)
{
    printf("%ju transactions committed and %ju aborted, in %ju windows; %ju reads, %ju writes, %ju scans\n",
           (uintmax_t)report->committed, (uintmax_t)report->aborted, (uintmax_t)report->windows,
           (uintmax_t)report->reads, (uintmax_t)report->writes, (uintmax_t)report->scans);
    const char *strict = report->strict ? "strict " : "";
    if (report->anomalies == 0) {
        printf("clean: no violation of %s%s\n", strict, level_name(report->level));
        return EXIT_OK;
    }
    printf("VIOLATED: %s%s; %ju anomalies:", strict, level_name(report->level), (uintmax_t)report->anomalies);
    for (int kind = ORDO_ANOMALY_NONE + 1; kind < ORDO_ANOMALY_KINDS; kind++)
        if (report->by_kind[kind])
            printf(" %ju %s", (uintmax_t)report->by_kind[kind],
                   ordo_history_anomaly_name((enum ordo_history_anomaly)kind));
    printf("\nthe first, %s:\n%s\n", ordo_history_anomaly_name(report->first_anomaly), report->first_text);
    return EXIT_FAILS;
}

static int refuse_history(const char *path, const char *why)
{
    return cli_failf(EXIT_UNKNOWN, "ordo-bench check-history", "%s: %s", path, why);
}

static int check_file(const struct arguments *arguments, FILE *file)
{
    struct ordo_history_report report;
    struct ordo_history_checker *checker = ordo_history_checker_create();
    if (!checker)
        return refuse_history(arguments->path, "not enough memory to check it");
    int code = feed(checker, file, arguments->strict), result;
    int failure = errno;
    if (!code)
        code = ordo_history_finish(checker, &report);
    switch (code) {
    case ORDO_OK:
        result = print_report(&report);
        break;
    case ORDO_E_TRUNCATED:
        result = refuse_history(arguments->path, "ends in the middle: record it anew");
        break;
    case ORDO_E_MISSING:
        result = refuse_history(arguments->path, strerror(failure));
        break;
    case ORDO_E_SYSTEM:
        result = refuse_history(
            arguments->path,
            "not enough memory to check it, or a window too large: record it with shorter scans or fewer threads");
        break;
    default:
        result =
            refuse_history(arguments->path, "is not a history that 'ordo-bench txn --history' of this version wrote");
    }
    ordo_history_checker_destroy(checker);
    return result;
}

static int run_check_history(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"strict", KEY_STRICT, NULL, 0, "Also check the real-time order, even if the history does not claim to keep it",
         0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse_check_history,
        .args_doc = "FILE",
        .doc = "Checks whether the transactions of a history could have happened one after the other.",
    };
    struct arguments arguments = {0};
    cli_parse(&argp, argc, argv, &arguments);
    FILE *file = fopen(arguments.path, "re");
    if (!file)
        return refuse_history(arguments.path, strerror(errno));
    int result = check_file(&arguments, file);
    (void)fclose(file);
    return result;
}

const struct command command_check_history = {
    .name = "check-history",
    .title = "check whether a recorded history of transactions is serialisable",
    .run = run_check_history,
};
