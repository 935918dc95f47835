/* ordo-timed publish: the daemon that writes the page. */
#include <signal.h>
#include <stdlib.h>

#include "common/command.h"
#include "common/duration.h"
#include "common/options.h"
#include "ordo-timed/same_place.h"
#include "ordo-timed/words.h"

struct options {
    struct ordo_timed_options timed;
    const char *key, *clock, *every, *void_after, *hold;
    char output[1024];
    int probe_us, slots;
    bool quiet, list;
};

enum {
    REFERENCE = 1,
    SOURCE,
    KEY,
    LIARS,
    CLOCK,
    RECORD,
    RATE,
    STAMP,
    VMCLOCK,
    OUTPUT,
    EVERY,
    VOID,
    HOLD,
    PROBES,
    SLOTS,
    LIST
};

static const struct argp_option argp_options[] = {
    {"reference", REFERENCE, "HOST=ERROR", 0,
     "Promised: the clock of HOST, where an 'ordo-net agent' runs, is wrong by at most ERROR, such as 100us. HOST is "
     "HOST, "
     "HOST:PORT or [IPV6]:PORT, with N@ in front if it has key N. Give the option once for each reference",
     1},
    {"source", SOURCE, "NAME[:PATH][=ERROR]", 0,
     "Also use the claim of a program on this host, of those in --list; ERROR is added to its claim", 1},
    {"key", KEY, "FILE", 0, "File of the keys of the hosts, as for 'ordo-net measure'", 1},
    {"liars", LIARS, "K", 0, "Promised: at most K references are wrong by more than their ERROR at a time (default 0)",
     1},
    {"rate-ppm", RATE, "P", 0, "Promised: the rate of this host's clock is wrong by at most P (default 500)", 2},
    {"clock", CLOCK, "CLOCK", 0,
     "counter: the counter, of which 'ordo calibrate' published a boundary; kernel: CLOCK_MONOTONIC_RAW; auto: the "
     "counter "
     "if its boundary can be used, else the kernel's clock (the default)",
     2},
    {"record", RECORD, "FILE", 0, "The boundary record (default: as programs find it, see ordo(3))", 2},
    {"stamp-ns", STAMP, "N", 0,
     "Promised, for the kernel's clock: its readings differ between CPUs by at most N (default 100)", 2},
    {"vmclock", VMCLOCK, "FILE", 0, "Page of VMClock, or none (default /dev/vmclock0 if this user can read it)", 2},
    {"output", OUTPUT, "FILE", 0,
     "The page (default $ORDO_TIME, or ordo/time in $XDG_RUNTIME_DIR, or for root /run/ordo/time)", 3},
    {"every", EVERY, "TIME", 0, "Time from one interval to the next (default 250ms)", 3},
    {"void-after", VOID, "TIME", 0, "Time after which an interval that was not renewed is void (default 10s)", 3},
    {"hold", HOLD, "TIME", 0, "Time for which a reference that does not answer any more still counts (default 10min)",
     3},
    {"probe-every-us", PROBES, "N", 0, "Mean time between two pairs of probes to a reference (default 20000)", 3},
    {"slots", SLOTS, "N", 0, "Number of intervals in a file (default 4096)", 3},
    {"quiet", 'q', NULL, 0, "Print only failures", 4},
    {"list", LIST, NULL, 0, "List the sources, and exit", 4},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(KEY, "--key", struct options, key),
    CLI_STORE(LIARS, "--liars", struct options, timed.liars, 0, 16),
    CLI_STORE(RATE, "--rate-ppm", struct options, timed.rate_ppm, 0.001, 100000),
    CLI_TEXT_STORE(CLOCK, "--clock", struct options, clock),
    CLI_TEXT_STORE(RECORD, "--record", struct options, timed.record),
    CLI_STORE(STAMP, "--stamp-ns", struct options, timed.stamp_ns, 1, 1000000000),
    CLI_TEXT_STORE(VMCLOCK, "--vmclock", struct options, timed.vmclock),
    CLI_TEXT_STORE(OUTPUT, "--output", struct options, timed.output),
    CLI_TEXT_STORE(EVERY, "--every", struct options, every),
    CLI_TEXT_STORE(VOID, "--void-after", struct options, void_after),
    CLI_TEXT_STORE(HOLD, "--hold", struct options, hold),
    CLI_STORE(PROBES, "--probe-every-us", struct options, probe_us, 100, 10000000),
    CLI_STORE(SLOTS, "--slots", struct options, slots, 16, ORDO_NOW_MOST_SLOTS),
    CLI_FLAG_STORE('q', "--quiet", struct options, quiet),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    {0},
};

static enum ordo_timed_kind clock_kind_of(const struct argp_state *state, const char *name)
{
    if (strcmp(name, "auto") == 0)
        return ORDO_TIMED_AUTO;
    if (strcmp(name, "counter") != 0 && strcmp(name, "kernel") != 0)
        cli_wrong(state, "--clock %.40s: not one of auto, counter, kernel", name);
    return *name == 'c' ? ORDO_TIMED_COUNTER : ORDO_TIMED_KERNEL;
}

static void finish_publish(struct options *options, const struct argp_state *state)
{
    struct ordo_timed_options *timed = &options->timed;
    bool hosts = false;
    if (timed->references == 0)
        cli_wrong(state, "no reference: give --reference HOST=ERROR, or --source NAME");
    if (timed->references <= timed->liars)
        cli_wrong(state, "--liars %d: of %d references at least one must be right: give more references", timed->liars,
                  timed->references);
    for (int i = 0; i < timed->references; i++)
        hosts = hosts || !timed->reference[i].source;
    if (hosts && !options->key)
        cli_wrong(state, "no key: give --key FILE, the same as the agents of the references have");
    timed->kind = clock_kind_of(state, options->clock);
    timed->every_ns = cli_duration(state, "--every", options->every, 10000000, 60000000000);
    timed->void_after_ns = cli_duration(state, "--void-after", options->void_after, 100000000, 3000000000000);
    timed->hold_ns = cli_duration(state, "--hold", options->hold, 1000000000, 3600000000000);
    if (timed->void_after_ns < 2 * timed->every_ns)
        cli_wrong(state, "--void-after %.40s: less than twice --every: readers would find no valid interval",
                  options->void_after);
    timed->probe_every_ns = options->probe_us * INT64_C(1000);
    timed->capacity = (uint64_t)options->slots;
}

static error_t parse_publish(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    struct ordo_error error = {0};
    int code = ORDO_OK;
    if (key == REFERENCE)
        code = words_reference(&options->timed, argument, &error);
    else if (key == SOURCE)
        code = words_source(&options->timed, argument, &error);
    else if (key == ARGP_KEY_END && !options->list)
        finish_publish(options, state);
    else if (key != ARGP_KEY_END)
        return cli_store(stores, key, argument, state);
    if (code)
        cli_wrong(state, "%s", error.text);
    return 0;
}

static const struct argp argp = {
    argp_options,
    parse_publish,
    NULL,
    "Publishes an interval that contains the time of day, for programs that read it with <ordo/now.h>. Probes prove "
    "the "
    "interval, if the promises are kept: the clocks of the references are wrong by at most their errors, and the rate "
    "of "
    "this host's clock by at most --rate-ppm. Runs until a signal. Never sets a clock. Needs no privileges.\vEvents "
    "are "
    "printed to stderr, one a line. SIGUSR1 prints the counts; so do SIGTERM and SIGINT, which end the daemon. The "
    "page "
    "then stays until it is void. Exit status: 0 ended by a signal; 1 the boundary record was withdrawn, and so was "
    "the "
    "page; 2 this host cannot use the clock; 64 usage; 70 internal, such as a page that another ordo-timed publishes.",
    NULL,
    NULL,
    NULL};

static volatile sig_atomic_t ended, asked;
static bool quiet;

static void heed(int number)
{
    *(number == SIGUSR1 ? &asked : &ended) = 1;
}

static void take_signals(void)
{
    struct sigaction action = {.sa_handler = heed};
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGUSR1, &action, NULL);
}

static void say_event(const char *line)
{
    if (!quiet || strncmp(line, "withdrawn", 9) == 0 || strncmp(line, "not published", 13) == 0)
        fprintf(stderr, "ordo-timed publish: %s\n", line);
}

static void print_counts(const struct ordo_timed *timed)
{
    struct ordo_timed_counts counts = ordo_timed_counts(timed);
    printf("slots %llu, files %llu, withdrawals %llu, suspends %llu, steps %llu, failures %llu\n",
           (unsigned long long)counts.slots, (unsigned long long)counts.files, (unsigned long long)counts.withdrawals,
           (unsigned long long)counts.suspends, (unsigned long long)counts.steps, (unsigned long long)counts.failures);
    (void)fflush(stdout);
}

static int list_sources(const char *program)
{
    for (int i = 0; ordo_sources[i]; i++)
        printf("%-12s %s\n", ordo_sources[i]->name, ordo_sources[i]->title);
    return cli_close_stdout(program);
}

static int serve(struct ordo_timed *timed, struct ordo_error *error)
{
    const int64_t at_most_ns = 200000000; /* longest wait, because a signal just before the wait does not end it */
    int code = ORDO_OK;
    while (!ended && !code) {
        code = ordo_timed_step(timed, ordo_net_port_now_ns() + at_most_ns, error);
        if (asked) {
            asked = 0;
            print_counts(timed);
        }
    }
    print_counts(timed);
    return code;
}

/* Chooses the path of the page. */
static int choose_output(struct options *options, struct ordo_error *error)
{
    char own[1024];
    const char *named = ordo_record_own_environment() ? getenv("ORDO_TIME") : NULL;
    struct ordo_timed_options *timed = &options->timed;
    if (timed->output)
        return ORDO_OK;
    timed->output = options->output;
    if (named && *named)
        timed->output = named;
    else if (geteuid() == 0)
        (void)snprintf(options->output, sizeof options->output, "%s", ORDO_NOW_PATH);
    else if (ordo_record_own_place(own, sizeof own))
        (void)snprintf(options->output, sizeof options->output, "%.*stime", (int)strlen(own) - 8, own);
    else
        return ordo_error_set(
            error, ORDO_E_INVALID, 0,
            "$XDG_RUNTIME_DIR is not a directory of this user, and only root may publish in /run: name "
            "a file with --output or $ORDO_TIME");
    return ORDO_OK;
}

/* Refuses the page as its own source, because it is no independent evidence. */
static int refuse_itself(const struct ordo_timed_options *timed, struct ordo_error *error)
{
    char buffer[1024];
    for (int i = 0; i < timed->references; i++) {
        const struct ordo_timed_reference_options *one = &timed->reference[i];
        if (one->source && strcmp(one->source->name, "timed") == 0 &&
            same_place(one->path[0] ? one->path : ordo_now_find(NULL, buffer, sizeof buffer), timed->output))
            return ordo_error_set(error, ORDO_E_INVALID, 0, "--source %.80s: is the page of this command: name another",
                                  one->name);
    }
    return ORDO_OK;
}

/* Reads the keys, and finds the key of each host. */
static int read_keys(struct options *options, struct ordo_error *error)
{
    struct ordo_timed_options *timed = &options->timed;
    int code = options->key ? ordo_net_keys_read(&timed->keys, options->key, error) : ORDO_OK;
    for (int i = 0; !code && i < timed->references; i++) {
        int index = timed->reference[i].source ? 0 : ordo_net_keys_find(&timed->keys, timed->reference[i].key);
        if (index < 0)
            code =
                ordo_error_set(error, ORDO_E_INVALID, 0, "%.120s: has no key %u: add it, or take the number of another",
                               options->key, (unsigned)timed->reference[i].key);
        else
            timed->reference[i].key = timed->keys.number[index];
    }
    return code;
}

/* Chooses VMClock's page: the given one, or the usual one if this user can read it. */
static void choose_vmclock(struct ordo_timed_options *timed)
{
    static const char usual[] = "/dev/vmclock0";
    if (!timed->vmclock && access(usual, R_OK) != 0) {
        if (access(usual, F_OK) == 0)
            say_event("/dev/vmclock0 cannot be read, so that moves of this guest are not seen: allow it to all users");
        timed->vmclock = "";
    }
    if (!timed->vmclock)
        timed->vmclock = usual;
    if (strcmp(timed->vmclock, "none") == 0)
        timed->vmclock = "";
}

/* Returns the exit status of a publisher that was not made. */
static int exit_of(int code)
{
    return code == ORDO_E_INVALID                          ? EXIT_USAGE
           : code == ORDO_E_SYSTEM || code == ORDO_E_OWNER ? EXIT_INTERNAL
                                                           : EXIT_UNKNOWN;
}

static int run_publish(int argc, char **argv)
{
    struct options options = {.timed = {.rate_ppm = 500, .stamp_ns = 100, .say = say_event},
                              .clock = "auto",
                              .every = "250ms",
                              .void_after = "10s",
                              .hold = "10min",
                              .probe_us = 20000,
                              .slots = 4096};
    struct ordo_timed *timed = NULL;
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    if (options.list)
        return list_sources(argv[0]);
    quiet = options.quiet;
    int code = choose_output(&options, &error);
    if (!code)
        code = refuse_itself(&options.timed, &error);
    if (!code)
        code = read_keys(&options, &error);
    if (code)
        return cli_fail(code == ORDO_E_INVALID ? EXIT_USAGE : EXIT_INTERNAL, argv[0], error.text);
    choose_vmclock(&options.timed);
    take_signals();
    code = ordo_timed_new(&options.timed, &timed, &error);
    if (code)
        return cli_fail(exit_of(code), argv[0], error.text);
    code = serve(timed, &error);
    ordo_timed_free(timed);
    return code ? cli_fail(EXIT_FAILS, argv[0], error.text) : cli_close_stdout(argv[0]);
}

const struct command command_publish = {
    .name = "publish",
    .title = "publish the time of day, until a signal",
    .run = run_publish,
};
