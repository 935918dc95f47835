/* ordo check: whether the published record holds here and now, by measuring some pairs again. */
#include <stdlib.h>
#include <string.h>

#include <ordo/record.h>

#include "cli.h"
#include "common/progress.h"
#include "measure/sweep.h"
#include "record/publish.h"
#include "report/json.h"

struct options {
    const char *path;
    struct ordo_pair_runs runs;
    bool all, mark, json, quiet;
};

enum { RECORD = 1, RUNS, ALL, MARK, JSON };

static const struct argp_option argp_options[] = {
    {"record", RECORD, "FILE", 0, "The record (default: the one that ordo_open would take)", 0},
    {"runs", RUNS, "N", 0, "Runs per direction of a pair (default 10000)", 0},
    {"all", ALL, NULL, 0, "Measure every pair (default: each CPU with the next, and the last with the first)", 0},
    {"mark", MARK, NULL, 0, "Where the clocks provably disagree by more than the boundary, mark the record DISRUPTED",
     0},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-check/1)", 0},
    {"quiet", 'q', NULL, 0, "No progress bar, and print only what is wrong", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case RECORD:
        options->path = argument;
        return 0;
    case RUNS:
        options->runs.runs = cli_number(state, "--runs", argument, 1, 1000000000);
        return 0;
    case ALL:
        options->all = true;
        return 0;
    case MARK:
        options->mark = true;
        return 0;
    case JSON:
        options->json = true;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* A pair that was measured again. */
struct remeasured {
    unsigned a, b;
    struct ordo_interval offset;
};

struct check {
    const struct options *options;
    const char *program, *path;
    struct ordo_record head;
    struct remeasured *pairs;
    int count, exceeded;
    bool confirmed; /* every interval lies inside [-B, B] */
};

/* Proved: the whole interval lies outside [-B, B]. A wide one that reaches over an end proves nothing. */
static bool exceeds(const struct check *check, const struct remeasured *pair)
{
    int64_t boundary = (int64_t)check->head.boundary_ticks;
    return pair->offset.low > boundary || pair->offset.high < -boundary;
}

static bool inside(const struct check *check, const struct remeasured *pair)
{
    int64_t boundary = (int64_t)check->head.boundary_ticks;
    return pair->offset.low >= -boundary && pair->offset.high <= boundary;
}

static int next_match(const struct options *options, int count, struct ordo_match *match)
{
    if (options->all) {
        if (++match->b == count)
            match->b = ++match->a + 1;
        return match->b < count;
    }
    match->a = match->b;
    match->b = (match->a + 1) % count;
    return match->b != 0 || count > 2; /* of two CPUs there is one pair */
}

static int measure_pairs(struct check *check, struct ordo_sweep *sweep, struct ordo_error *error)
{
    int n = sweep->count, total = check->options->all ? n * (n - 1) / 2 : n > 2 ? n : n - 1;
    struct ordo_match match = {0, 0};
    struct progress progress;
    uint64_t fewest = UINT64_MAX;
    int code = ORDO_OK;
    check->pairs = calloc((size_t)total + 1, sizeof *check->pairs);
    if (!check->pairs)
        return ordo_error_errno(error, "check");
    check->confirmed = true;
    progress_begin(&progress, check->options->quiet);
    while (check->count < total && next_match(check->options, n, &match) && !code) {
        struct ordo_visit visit;
        struct ordo_match ordered = match.a < match.b ? match : (struct ordo_match){match.b, match.a};
        code = ordo_sweep_pair(sweep, ordered, &visit, &fewest, error);
        if (code)
            break;
        struct remeasured *pair = &check->pairs[check->count++];
        *pair = (struct remeasured){sweep->cpus[ordered.a], sweep->cpus[ordered.b], ordo_offset_of_visit(&visit)};
        check->exceeded += exceeds(check, pair);
        check->confirmed &= inside(check, pair);
        progress_show(&progress, (double)check->count / total, "pairs");
    }
    progress_end(&progress);
    return code;
}

/* The first CPU of the record that is not among `cpus`, or -1. */
static long missing_cpu(const struct ordo_record_view *view, const unsigned *cpus, int count)
{
    for (unsigned long cpu = 0; cpu < view->cpus_bytes * 8; cpu++) {
        bool here = !ordo_record_covers(view, cpu);
        for (int i = 0; i < count && !here; i++)
            here = cpus[i] == cpu;
        if (!here)
            return (long)cpu;
    }
    return -1;
}

/* Measures between the CPUs of the record that this process may use; one that it may not use cannot be told of. */
static int measure_record(struct check *check, const struct ordo_record_view *view, struct ordo_error *error)
{
    struct ordo_topology *topology;
    unsigned *cpus = NULL;
    int all, count = 0, code = ordo_topology_open(&topology, NULL, error);
    if (code)
        return code;
    code = ordo_topology_select(topology, NULL, &cpus, &all, error);
    for (int i = 0; !code && i < all; i++)
        if (ordo_record_covers(view, cpus[i]))
            cpus[count++] = cpus[i];
    struct ordo_sweep sweep = {.topology = topology, .cpus = cpus, .count = count, .runs = check->options->runs};
    if (!code)
        code = measure_pairs(check, &sweep, error);
    long missing = code ? -1 : missing_cpu(view, cpus, count);
    if (missing >= 0)
        code = ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "cpu %ld: is in the record, and this process may not run there to measure it", missing);
    free(cpus);
    ordo_topology_close(topology);
    return code;
}

static void print_text(const struct check *check)
{
    for (int i = 0; i < check->count; i++) {
        const struct remeasured *pair = &check->pairs[i];
        bool b_ahead = pair->offset.low > 0;
        if (exceeds(check, pair))
            printf("CPU %u is ahead of CPU %u by at least %lld ticks, more than the boundary of %llu\n",
                   b_ahead ? pair->b : pair->a, b_ahead ? pair->a : pair->b,
                   (long long)(b_ahead ? pair->offset.low : -pair->offset.high),
                   (unsigned long long)check->head.boundary_ticks);
    }
    if (!check->exceeded && !check->options->quiet)
        printf("%s: %s by %d pair%s measured again; boundary %llu ticks, generation %llu\n", check->path,
               check->confirmed ? "confirmed" : "not contradicted", check->count, check->count == 1 ? "" : "s",
               (unsigned long long)check->head.boundary_ticks, (unsigned long long)check->head.generation);
}

static int print_json(const struct check *check)
{
    json_t *document = ordo_json_document("ordo-check/1");
    json_t *pairs = json_array();
    for (int i = 0; i < check->count; i++) {
        const struct remeasured *pair = &check->pairs[i];
        json_array_append_new(pairs, json_pack("{s:i, s:i, s:[I, I], s:s}", "a", (int)pair->a, "b", (int)pair->b,
                                               "offset_interval_ticks", (json_int_t)pair->offset.low,
                                               (json_int_t)pair->offset.high, "verdict",
                                               exceeds(check, pair)  ? "exceeded"
                                               : inside(check, pair) ? "confirmed"
                                                                     : "not contradicted"));
    }
    json_t *body = json_pack("{s:o, s:s, s:b, s:I, s:I, s:o}", "path", ordo_json_text(check->path), "verdict",
                             check->exceeded ? "exceeded" : "ok", "confirmed", !check->exceeded && check->confirmed,
                             "boundary_ticks", (json_int_t)check->head.boundary_ticks, "generation",
                             (json_int_t)check->head.generation, "pairs", pairs);
    if (document && body)
        json_object_update(document, body);
    json_decref(body);
    return body ? ordo_json_write(document, stdout) : -1;
}

/* Before anything is printed: a reader that has gone away must not keep a record alive that is proved wrong. */
static void mark(const struct check *check)
{
    struct ordo_error error;
    if (ordo_record_disrupt(check->path, check->head.generation, &error))
        cli_warn(check->program, error.text);
    else if (!check->options->quiet)
        fprintf(stderr, "%s: marked DISRUPTED; run 'ordo calibrate'\n", check->path);
}

static int conclude(const struct check *check)
{
    if (check->exceeded && check->options->mark)
        mark(check);
    if (check->options->json && print_json(check))
        return cli_fail(EXIT_INTERNAL, check->program, "out of memory, or stdout cannot be written");
    if (!check->options->json)
        print_text(check);
    if (cli_close_stdout(check->program))
        return EXIT_INTERNAL;
    return check->exceeded ? EXIT_FAILS : EXIT_OK;
}

/* A record whose clock has visibly jumped is measured all the same: that may be the proof. Anything else that is wrong
 * with it leaves nothing to check. */
static int check_record(struct check *check, const struct ordo_record_view *view)
{
    struct ordo_error refused = {0}, error = {0};
    int code = ordo_record_applies(view, &refused);
    if (code && code != ORDO_E_RATE)
        return cli_fail(EXIT_UNKNOWN, check->program, refused.text);
    check->head = view->head;
    int measured = measure_record(check, view, &error);
    if (measured && !check->exceeded)
        return cli_fail(EXIT_UNKNOWN, check->program, error.text);
    if (code && !check->exceeded)
        return cli_fail(EXIT_UNKNOWN, check->program, refused.text);
    return conclude(check);
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse,
        NULL,
        "Measures a sample of pairs against the published boundary.\v"
        "Exit status: 0 no offset contradicts it; 1 an offset provably exceeds it; 2 there is no usable record, "
        "or a pair could not be measured; 64 usage. A larger latency than at calibration proves nothing.",
        NULL,
        NULL,
        NULL};
    struct options options = {.runs = {.runs = 10000}};
    struct check check = {.options = &options, .program = argv[0]};
    struct ordo_record_view view;
    struct ordo_error error = {0};
    const void *bytes;
    size_t count;
    char buffer[4096];
    cli_parse(&argp, argc, argv, &options);
    check.path = ordo_record_find(options.path, buffer, sizeof buffer);
    if (ordo_record_map(check.path, &bytes, &count, &error))
        return cli_fail(EXIT_UNKNOWN, argv[0], error.text);
    int code = ordo_record_parse(bytes, count, &view);
    int exit_code = EXIT_UNKNOWN;
    if (code)
        (void)cli_fail(EXIT_UNKNOWN, argv[0], (ordo_record_refuse(&error, code, 0, check.path), error.text));
    else
        exit_code = check_record(&check, &view);
    free(check.pairs);
    (void)munmap((void *)(uintptr_t)bytes, count);
    return exit_code;
}

const struct command command_check = {"check", "measure a sample of pairs against the published record", "ordo-check/1",
                                      run};
