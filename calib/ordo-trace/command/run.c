/* ordo-trace run: starts an MPI program with the recorder in its ranks, and names the trace files. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/plural.h"
#include "common/command.h"
#include "common/options.h"
#include "ordo-trace/launcher.h"
#include "trace/file/layout.h"
#include "trace/record/settings.h"

struct options {
    const char *output, *library;
};

enum { OUTPUT = 1, LIBRARY, CONFIG, CLOCK, MESSAGES, DURATION, PERIOD, HOST, NO_HOST, CLUSTER, POLICY, BUFFER, FLUSH };

static const struct argp_option argp_options[] = {
    {"output", OUTPUT, "PREFIX", 0, "Traces are the files PREFIX.RANK.otrace (default: trace)", 0},
    {"sync-max-messages", MESSAGES, "N", 0, "Exchanges with each measured rank in a session (default 100)", 0},
    {"sync-max-duration", DURATION, "S", 0, "Seconds after which a session ends (default 1)", 0},
    {"sync-period", PERIOD, "S", 0,
     "Seconds between sessions: a session takes place at the first collective operation on MPI_COMM_WORLD after this "
     "time (default 0: only at the beginning, at the end, and where the program requests it)",
     0},
    {"synced-host", HOST, NULL, 0,
     "Let one rank of each node hold the sessions for all, if its ranks provably share a clock; the proof takes a "
     "second (default: if all ranks are on one node, the proof is tried, and each rank holds sessions nevertheless)",
     0},
    {"no-synced-host", NO_HOST, NULL, 0, "Do not try to prove that ranks share a clock", 0},
    {"synced-cluster", CLUSTER, NULL, 0, "No sessions: all clocks are assumed to agree", 0},
    {"clock", CLOCK, "NAME", 0, "Clock, one that 'ordo-mpi clocks' lists (default: the hardware's)", 0},
    {"policy", POLICY, "WORD", 0,
     "When a buffer is full: flush writes it to the file; ring drops the oldest events; stop drops the newest; dropped "
     "events are counted (default flush)",
     0},
    {"buffer", BUFFER, "N", 0, "Events that each thread's buffer holds (default 65536)", 0},
    {"flush-period", FLUSH, "S", 0, "With --policy flush: seconds after which an event is in the file (default 1)", 0},
    {"config", CONFIG, "FILE", 0,
     "A file of settings, each a line NAME VALUE; options and environment variables override them", 0},
    {"library", LIBRARY, "FILE", 0, "Shared library of the recorder (default: the one for the launcher's MPI)", 0},
    {0},
};

/* Returns the variable that an option sets. */
static const char *variable_of(int key)
{
    static const char *const names[] = {[CONFIG] = "CONFIG",
                                        [CLOCK] = "CLOCK",
                                        [MESSAGES] = "SYNC_MAX_MESSAGES",
                                        [DURATION] = "SYNC_MAX_DURATION",
                                        [PERIOD] = "SYNC_PERIODIC",
                                        [HOST] = "SYNCED_HOST",
                                        [NO_HOST] = "SYNCED_HOST",
                                        [CLUSTER] = "SYNCED_CLUSTER",
                                        [POLICY] = "POLICY",
                                        [BUFFER] = "BUFFER",
                                        [FLUSH] = "FLUSH_PERIOD"};
    return key > 0 && key <= FLUSH ? names[key] : NULL;
}

static error_t parse_run(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    char name[64];
    if (key == OUTPUT)
        options->output = argument;
    else if (key == LIBRARY)
        options->library = argument;
    else if (!variable_of(key))
        return ARGP_ERR_UNKNOWN;
    else if (snprintf(name, sizeof name, "ORDO_TRACE_%s", variable_of(key)) < 0 || setenv(name,
                                                                                          argument         ? argument
                                                                                          : key == NO_HOST ? "off"
                                                                                                           : "on",
                                                                                          1))
        return errno;
    return 0;
}

/* Makes the prefix of the trace files absolute, because ranks may run in other folders. Checks that the folder of the
 * files can be written. */
static int prepare_output(const char *program, const char *output, char *prefix, size_t size)
{
    char folder[PATH_MAX], copy[PATH_MAX];
    if (!*output || output[strlen(output) - 1] == '/' || (size_t)snprintf(copy, sizeof copy, "%s", output) >= size)
        return cli_failf(EXIT_USAGE, program, "--output '%.100s': not a file's name", output);
    if (*output == '/' || !getcwd(folder, sizeof folder))
        folder[0] = '\0';
    if ((size_t)snprintf(prefix, size, "%.2000s%s%.2000s", folder, *folder ? "/" : "", output) >= size)
        return cli_failf(EXIT_USAGE, program, "--output '%.100s...': too long", output);
    if (access(dirname(copy), W_OK | X_OK))
        return cli_failf(EXIT_USAGE, program, "--output %.200s: %s: %s", output, copy, strerror(errno));
    if (setenv("ORDO_TRACE_LOGFILE_NAME", prefix, 1))
        return cli_failf(EXIT_INTERNAL, program, "out of memory");
    return EXIT_OK;
}

/* Reads the head of a rank's trace. Returns false if there is no trace. */
static bool read_head(const char *prefix, int rank, struct ordo_trace_head *head, off_t *bytes)
{
    char path[PATH_MAX];
    struct stat status;
    (void)snprintf(path, sizeof path, "%.4000s.%d" ORDO_TRACE_SUFFIX, prefix, rank);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool whole = read(fd, head, sizeof *head) == (ssize_t)sizeof *head && fstat(fd, &status) == 0 &&
                 memcmp(head->magic, ORDO_TRACE_MAGIC, sizeof head->magic) == 0 &&
                 head->checksum == ordo_record_fold(head, offsetof(struct ordo_trace_head, checksum));
    *bytes = whole ? status.st_size : 0;
    (void)close(fd);
    return whole;
}

/* Prints the number, the size and the names of this run's files. A file belongs to this run if rank 0's file has the
 * same run number and this run began after `since_ns`. Returns the number of files. */
static int name_files(const char *program, const char *prefix, int64_t since_ns)
{
    struct ordo_trace_head first, head;
    off_t all = 0, bytes;
    int count = 0;
    if (!read_head(prefix, 0, &first, &bytes) || first.began_realtime_ns < since_ns)
        return 0;
    for (int rank = 0; rank < first.size && rank < ORDO_TRACE_RANKS_MOST; rank++)
        if (read_head(prefix, rank, &head, &bytes) && head.run == first.run) {
            count++;
            all += bytes;
        }
    (void)fprintf(stderr, "%s: %d trace%s of %d rank%s, %.1f MiB: %s.0" ORDO_TRACE_SUFFIX, program, count,
                  ordo_plural(count), first.size, ordo_plural(first.size), (double)all / (1 << 20), prefix);
    if (first.size > 1)
        (void)fprintf(stderr, " to .%d" ORDO_TRACE_SUFFIX, first.size - 1);
    (void)fputc('\n', stderr);
    return count;
}

static int64_t realtime_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Runs the launcher with the recorder. Returns the launcher's exit code; EXIT_UNKNOWN if this is 0 and the run left no
 * trace. */
static int launch(const char *program, const char *library, enum launcher_kind kind, char **words, const char *prefix)
{
    int64_t since_ns = realtime_ns();
    int code = launcher_run(kind, library, words);
    if (code < 0)
        return cli_failf(EXIT_USAGE, program, "%.100s: %s", words[0], strerror(errno));
    if (name_files(program, prefix, since_ns) == 0 && code == 0)
        return cli_failf(EXIT_UNKNOWN, program,
                         "no trace was written: if the recorder gave no reason, no rank called MPI_Init with it: the "
                         "program does not use MPI, is "
                         "of another MPI (--library), or is linked statically");
    return code;
}

static int run_run(int argc, char **argv)
{
    static const struct argp argp = {
        .options = argp_options,
        .parser = parse_run,
        .args_doc = "-- LAUNCHER [WORD...]",
        .doc = "Starts a parallel program, as in 'ordo-trace run -- mpirun -n 4 ./program', and records its MPI calls, "
               "its own regions (<ordo/trace.h>) and sessions that exchange the clocks. The files are for 'ordo-trace "
               "correct'.\vExit status: the exit status of LAUNCHER (0: recorded); 2 if LAUNCHER ends with 0 but no "
               "trace was written; 64 usage; 70 internal."};
    struct options options = {.output = "trace"};
    struct ordo_trace_settings settings;
    struct ordo_error error = {0};
    char prefix[sizeof settings.prefix], library[PATH_MAX];
    int own = 0;
    while (own < argc && strcmp(argv[own], "--") != 0)
        own++;
    cli_parse(&argp, own, argv, &options);
    if (own + 1 >= argc)
        return cli_fail(EXIT_USAGE, argv[0], "no program to run: give -- LAUNCHER [WORD...]");
    int code = prepare_output(argv[0], options.output, prefix, sizeof prefix);
    if (code)
        return code;
    if (ordo_trace_settings_read(&settings, &error))
        return cli_fail(EXIT_USAGE, argv[0], error.text);
    enum launcher_kind kind = launcher_kind(argv[own + 1]);
    if (options.library ? access(options.library, R_OK) || !realpath(options.library, library)
                        : !launcher_library(kind, library, sizeof library))
        return cli_failf(EXIT_USAGE, argv[0], "%.200s: no recorder for its MPI: give --library",
                         options.library ? options.library : argv[own + 1]);
    return launch(argv[0], library, kind, argv + own + 1, prefix);
}

const struct command command_run = {.name = "run", .title = "record an MPI program", .run = run_run};
