/* ordo-net audit: compares what programs on hosts claim about UTC with what probes between the hosts prove. */
#include <stdio.h>

#include "base/file.h"
#include "common/command.h"
#include "common/options.h"
#include "net/source/source.h"
#include "ordo-net/audited.h"
#include "ordo-net/authority.h"
#include "ordo-net/ending.h"
#include "ordo-net/estimators.h"
#include "ordo-net/surveying.h"

struct options {
    struct surveying common;
    const char *metrics, *authority;
    int windows, wrong;
    bool follow, json, list;
};

enum {
    PEERS = 1,
    KEY,
    AUTHORITY,
    WRONG,
    WINDOW,
    PATIENCE,
    EVERY,
    DEGREE,
    RATE,
    STAMP,
    LIARS,
    SEED,
    FOLLOW,
    WINDOWS,
    METRICS,
    JSON,
    LIST
};

static const struct argp_option argp_options[] = {
    {"peers", PEERS, "FILE", 0,
     "The hosts, one on each line of FILE; or, instead of FILE, a list separated by commas. Each is HOST, HOST:PORT or "
     "[IPV6]:PORT, with N@ in front if it has key N. The first is the reference (required)",
     1},
    {"key", KEY, "FILE", 0, "File of the keys of the hosts; a host without N@ has the first key (required)", 1},
    {"authority", AUTHORITY, "LIST", 0,
     "Promised: all claims of these hosts are true; or, with HOST=TIME, the host's CLOCK_REALTIME differs from UTC by "
     "at "
     "most TIME, such as a=100us. Hosts of --peers, separated by commas",
     2},
    {"wrong", WRONG, "K", 0, "Promised: at most K hosts have a wrong claim (default 1)", 2},
    {"rate-ppm", RATE, "P", 0, "Promised: no clock's rate is wrong by more than this (default 500)", 2},
    {"stamp-ns", STAMP, "N", 0, "Promised: no clock's readings differ between CPUs by more than this (default 100)", 2},
    {"liars", LIARS, "K", 0,
     "Promised: at most K hosts lie about probes, and the reference is none of them (default 0)", 2},
    {"window", WINDOW, "TIME", 0, "How long to probe, such as 500ms (default 1s)", 3},
    {"every-us", EVERY, "N", 0, "Mean time between two pairs of probes of an edge (default 5000)", 3},
    {"degree", DEGREE, "N", 0, "Number of hosts that each host probes (default 10)", 3},
    {"patience", PATIENCE, "TIME", 0, "Longest wait for the hosts, once before and once after the window (default 10s)",
     3},
    {"seed", SEED, "N", 0, "Seed of the choice of the hosts that each host probes (default 1)", 3},
    {"follow", FOLLOW, NULL, 0, "Continue until a signal comes, and print one line for each window", 4},
    {"windows", WINDOWS, "N", 0, "Like --follow, but end after N windows", 4},
    {"metrics", METRICS, "FILE", 0, "Write the latest metrics to FILE, in the text format of Prometheus", 4},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-audit/1); each window is one line", 4},
    {"list", LIST, NULL, 0, "List the programs whose claims an agent can read, and exit", 4},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(PEERS, "--peers", struct options, common.peers),
    CLI_TEXT_STORE(KEY, "--key", struct options, common.key),
    CLI_TEXT_STORE(AUTHORITY, "--authority", struct options, authority),
    CLI_STORE(WRONG, "--wrong", struct options, wrong, 0, 1024),
    CLI_STORE(RATE, "--rate-ppm", struct options, common.survey.rate_ppm, 0.001, 100000),
    CLI_STORE(STAMP, "--stamp-ns", struct options, common.survey.stamp_ns, 1, 1000000000),
    CLI_STORE(LIARS, "--liars", struct options, common.survey.liars, 0, 16),
    CLI_TEXT_STORE(WINDOW, "--window", struct options, common.window),
    CLI_STORE(EVERY, "--every-us", struct options, common.every_us, 100, 10000000),
    CLI_STORE(DEGREE, "--degree", struct options, common.survey.peers, 1, 32),
    CLI_TEXT_STORE(PATIENCE, "--patience", struct options, common.patience),
    CLI_STORE(SEED, "--seed", struct options, common.survey.seed, 0, INT32_MAX),
    CLI_FLAG_STORE(FOLLOW, "--follow", struct options, follow),
    CLI_STORE(WINDOWS, "--windows", struct options, windows, 1, 1000000000),
    CLI_TEXT_STORE(METRICS, "--metrics", struct options, metrics),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    {0},
};

static void finish_audit(struct options *options, const struct argp_state *state)
{
    const int64_t claims_ns = 4000000000; /* most time of the questions about claims (survey/tell.c) */
    surveying_finish(&options->common, state, 60, claims_ns);
    options->common.survey.estimator = estimator_named("min-rtt", state);
    options->follow = options->follow || options->windows;
}

static error_t parse_audit(int key, char *argument, struct argp_state *state)
{
    if (key == ARGP_KEY_END && !((struct options *)state->input)->list)
        finish_audit(state->input, state);
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {
    argp_options,
    parse_audit,
    NULL,
    "Asks the agents of hosts what the programs there claim about UTC (chronyd, ptp4l, ClockBound, fbclock, VMClock, "
    "ordo-timed, the kernel), and compares the claims with the offsets that probes between the hosts prove. A claim is "
    "refuted if it is certainly wrong: an authority excludes it, or more hosts would have wrong claims than promised. "
    "Two claims that exclude each other are disputed if it is not known which of them is wrong.\vExit status: 0 no "
    "claim contradicts another one, and each host was audited; 1 a claim is refuted or disputed, or the probes "
    "contradict each other; 2 a host did not answer, knows no claims, or its offset is not proved, or no two claims "
    "could be compared; 64 usage; 70 internal.",
    NULL,
    NULL,
    NULL};

static int print_audited(const struct options *options, const struct audited *audited)
{
    if (options->json)
        return audited_print_json(audited, options->follow);
    (options->follow ? audited_print_line : audited_print_table)(audited);
    return fflush(stdout);
}

/* Writes the metrics, also after a failed window. A failure only gives a warning. */
static void write_audit_metrics(const struct options *options, const struct audited *audited, const char *program)
{
    struct ordo_error trouble;
    if (options->metrics && audited_write_metrics(audited, options->metrics, &trouble))
        cli_warn(program, trouble.text);
}

/* Audits one window, and prints the result. In a series of windows, an error ORDO_E_MEASURE only gives a warning. */
static int audit_window(const struct options *options, struct ordo_net_survey *survey, struct audited *audited,
                        const char *program, struct ordo_error *error)
{
    int code = ordo_net_survey_window(survey, &audited->result, error);
    audited->windows++;
    audited->at_s = surveying_now_s();
    audited->judged = false;
    audited->found = (struct ordo_net_judgement){0};
    if (!code && !audited_judge(audited))
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    audited->failed += code != 0;
    if (code == ORDO_E_MEASURE && options->follow)
        cli_warn(program, error->text);
    if (code != ORDO_E_CANCELLED)
        write_audit_metrics(options, audited, program);
    if (!code && print_audited(options, audited))
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory, or stdout cannot be written");
    return code;
}

/* In a series, the last window decides. */
static int audit_windows(const struct options *options, struct ordo_net_survey *survey, struct audited *audited,
                         const char *program)
{
    struct ordo_error error = {0};
    int code, last = EXIT_UNKNOWN;
    do {
        code = audit_window(options, survey, audited, program, &error);
        if (!code)
            last = audited_verdict(audited);
    } while (options->follow && (!code || code == ORDO_E_MEASURE) && !ending_asked() &&
             (!options->windows || audited->windows < (uint64_t)options->windows));
    if (options->follow && ending_asked() && (!code || code == ORDO_E_CANCELLED))
        return EXIT_OK;
    return code && !(options->follow && code == ORDO_E_MEASURE) ? surveying_fail(program, code, &error) : last;
}

static int prepare_audit(const struct options *options, struct ordo_net_port *port, struct peers *peers,
                         struct ordo_error *error)
{
    int code = options->metrics ? ordo_file_prepare(options->metrics, false, error) : ORDO_OK;
    return code ? code : surveying_open(&options->common, port, peers, error);
}

static int run_survey(struct options *options, struct ordo_net_port *port, struct peers *peers,
                      const int64_t *authority_ns, const char *program)
{
    struct audited audited = {
        .name = peers->name, .options = &options->common.survey, .authority_ns = authority_ns, .wrong = options->wrong};
    options->common.survey.name = peers->name;
    ending_heed();
    struct ordo_net_survey *survey =
        ordo_net_survey_new(port, peers->address, peers->key, peers->count, &options->common.survey);
    if (!survey)
        return cli_fail(EXIT_INTERNAL, program, "out of memory");
    int code = audited_make(&audited, peers->count) ? audit_windows(options, survey, &audited, program)
                                                    : cli_fail(EXIT_INTERNAL, program, "out of memory");
    ending_begin();
    ordo_net_survey_end(survey, ending_asked_anew);
    ordo_net_survey_free(survey);
    audited_free(&audited);
    return code;
}

static int list_sources(const char *program)
{
    for (int i = 0; ordo_sources[i]; i++)
        printf("%-12s %s\n", ordo_sources[i]->name, ordo_sources[i]->title);
    return cli_close_stdout(program);
}

static int run_audit(int argc, char **argv)
{
    struct options options = {.common = surveying_defaults("1s"), .wrong = 1};
    struct ordo_net_port port = {.socket = {.fd = -1}};
    struct peers peers = {0};
    struct ordo_error error = {0};
    int64_t authority_ns[PEERS_MOST];
    options.common.survey.claims = true;
    cli_parse(&argp, argc, argv, &options);
    if (options.list)
        return list_sources(argv[0]);
    int code = prepare_audit(&options, &port, &peers, &error);
    if (!code)
        code = authority_parse(options.authority, &peers, authority_ns, &error);
    code = code ? surveying_fail(argv[0], code, &error) : run_survey(&options, &port, &peers, authority_ns, argv[0]);
    ordo_net_keys_forget(&port.keys);
    peers_free(&peers);
    return code;
}

const struct command command_audit = {
    .name = "audit",
    .title = "judge what programs on hosts claim about UTC",
    .schema = "ordo-audit/1",
    .run = run_audit,
};
