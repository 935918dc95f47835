/* ordo check: measures some pairs again, to check whether the published record is valid on this machine at present. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/record.h>

#include "calibrate/measure/sweep.h"
#include "calibrate/record/publish.h"
#include "calibrate/watch/hop.h"
#include "common/place.h"
#include "common/progress.h"
#include "common/report.h"
#include "machine/counter/counter.h"
#include "machine/counter/trust.h"
#include "ordo/kernel.h"
#include "ordo/quick.h"
#include "ordo/recalibrate.h"
#include "json/builder.h"

struct options {
    const char *path;
    struct ordo_pair_runs runs;
    bool all, quick, mark, recalibrate, json, quiet;
    bool runs_given;
};

enum { RECORD = 1, RUNS, ALL, QUICK, MARK, RECALIBRATE, JSON };

/* The bound if there is no record: clocks further apart than this would fail a calibration. */
#define APART_S 10e-6

static const struct argp_option argp_options[] = {
    {"record", RECORD, "FILE", 0, "Record to check (default: the record that ordo_open would open)", 0},
    {"runs", RUNS, "N", 0, "Runs per direction of a pair (default 10000)", 0},
    {"all", ALL, NULL, 0, "Measure every pair (default: each CPU with the next, and the last with the first)", 0},
    {"quick", QUICK, NULL, 0,
     "Give a verdict in less than 100 ms; without a record, the verdict is whether the clock is trusted and no two "
     "clocks are provably more than 10 us apart",
     0},
    {"mark", MARK, NULL, 0,
     "Mark the record DISRUPTED if the clocks provably disagree by more than the boundary, or if the clock stood "
     "still, jumped or is faulted; otherwise note in the record that its clock ran well until now",
     0},
    {"recalibrate", RECALIBRATE, NULL, 0,
     "Do what --mark does; if no usable record is left, calibrate with the parameters of the old record", 0},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-check/1)", 0},
    {"quiet", 'q', NULL, 0, "Show no progress bar, and print only faults", 0},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(RECORD, "--record", struct options, path),
    CLI_STORE(RUNS, "--runs", struct options, runs.runs, 1, 1e9),
    CLI_FLAG_STORE(ALL, "--all", struct options, all),
    CLI_FLAG_STORE(QUICK, "--quick", struct options, quick),
    CLI_FLAG_STORE(MARK, "--mark", struct options, mark),
    CLI_FLAG_STORE(RECALIBRATE, "--recalibrate", struct options, recalibrate),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    CLI_FLAG_STORE('q', "--quiet", struct options, quiet),
    {0},
};

static error_t parse_check(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    options->runs_given |= key == RUNS;
    if (key == ARGP_KEY_END && options->quick && (options->all || options->runs_given))
        cli_wrong(state, "--quick: measures only what fits into its time: leave out %s",
                  options->all ? "--all" : "--runs");
    if (key != ARGP_KEY_END)
        return cli_store(stores, key, argument, state);
    options->mark |= options->recalibrate;
    return 0;
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
    int reach; /* descriptor of ordo_record_reach, or -1; it can mark the record even after the record was replaced */
    struct remeasured *pairs;
    int count, exceeded;
    bool confirmed;   /* every interval is inside [-B, B] */
    bool partly;      /* the record covers only some of the usable CPUs; the others are not measured */
    int code;         /* why the record is refused (enum ordo_code) */
    bool unpublished; /* there is no record: --quick judges the clocks without one */
    bool refuted;     /* the record's clock has changed: the record is refused for good, even if the pairs agree */
    int trust;        /* enum ordo_trust_class of the clock now */
    char reason[sizeof((struct ordo_error *)0)->text];
    const struct check *beside; /* the check of the kernel's clock, which came first; NULL if this is that check */
};

/* True if the record is of the kernel's clock, whose pairs get a fifth of the runs. */
static bool is_kernels(const struct check *check)
{
    return ordo_record_clock_is_kernels(check->head.clock);
}

/* True if the offset provably exceeds the boundary B: the whole interval is outside [-B, B]. An interval that only
 * overlaps -B or B proves nothing. */
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

static int next_match(const struct options *options, int count, struct ordo_schedule_match *match)
{
    if (options->all) {
        if (++match->b == count)
            match->b = ++match->a + 1;
        return match->b < count;
    }
    match->a = match->b;
    match->b = (match->a + 1) % count;
    return match->b != 0 || count > 2; /* two CPUs have only one pair */
}

static int measure_pairs(struct check *check, struct ordo_sweep *sweep, struct ordo_error *error)
{
    int n = sweep->count, total = check->options->all ? n * (n - 1) / 2 : n > 2 ? n : n - 1;
    struct ordo_schedule_match match = {0, 0};
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
        struct ordo_schedule_match ordered = match.a < match.b ? match : (struct ordo_schedule_match){match.b, match.a};
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

/* Returns the first CPU of the record that is not among `cpus`, or -1. */
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

static void add_pair(struct check *check, const struct quick_pair *pair)
{
    struct remeasured *at = &check->pairs[check->count++];
    *at = (struct remeasured){pair->a, pair->b, pair->offset};
    check->exceeded += exceeds(check, at);
    check->confirmed &= inside(check, at);
}

/* Measures in milliseconds. Without a record, the boundary is APART_S. */
static int measure_quickly(struct check *check, const unsigned *cpus, int count, struct ordo_error *error)
{
    struct quick quick = {.pairs = calloc((size_t)count + 1, sizeof *quick.pairs)};
    check->pairs = calloc((size_t)count + 1, sizeof *check->pairs);
    check->confirmed = true;
    int code =
        quick.pairs && check->pairs ? quick_measure(cpus, count, &quick, error) : ordo_error_errno(error, "check");
    if (check->unpublished)
        check->head.boundary_ticks = (uint64_t)(APART_S * quick.tick_hz);
    if (check->unpublished && !check->head.boundary_ticks)
        quick.found = 0; /* no boundary to compare with */
    for (int i = 0; i < quick.found; i++)
        add_pair(check, &quick.pairs[i]);
    if (!code && quick.found && !quick.answered && !check->confirmed)
        code = ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "no CPU answered another, because other programs run there: measure again");
    free(quick.pairs);
    return code;
}

static int measure_record_quickly(struct check *check, const struct ordo_record_view *view, struct ordo_error *error)
{
    unsigned *cpus = calloc(view->cpus_bytes * 8 + 1, sizeof *cpus);
    int count = 0;
    if (!cpus)
        return ordo_error_errno(error, "check");
    for (unsigned long cpu = 0; cpu < view->cpus_bytes * 8; cpu++)
        if (ordo_record_covers(view, cpu))
            cpus[count++] = (unsigned)cpu;
    int code = measure_quickly(check, cpus, count, error);
    free(cpus);
    return code;
}

/* Measures between those CPUs of the record that this process may use. Nothing is learned about the other CPUs. */
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
    struct ordo_sweep sweep = {
        .topology = topology, .cpus = cpus, .count = count, .clock = check->head.clock, .runs = check->options->runs};
    if (is_kernels(check))
        sweep.runs.runs = sweep.runs.runs / 5 + 1;
    if (!code)
        code = measure_pairs(check, &sweep, error);
    long missing = code ? -1 : missing_cpu(view, cpus, count);
    if (missing >= 0)
        code = ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "cpu %ld: is in the record, but this process may not run there to measure it", missing);
    free(cpus);
    ordo_topology_close(topology);
    return code;
}

static bool fails(const struct check *check)
{
    return check->exceeded || check->refuted;
}

static void print_check(const struct check *check)
{
    for (int i = 0; i < check->count; i++) {
        const struct remeasured *pair = &check->pairs[i];
        bool b_ahead = pair->offset.low > 0;
        if (exceeds(check, pair))
            printf("CPU %u is ahead of CPU %u by at least %lld ticks, more than %s %llu\n", b_ahead ? pair->b : pair->a,
                   b_ahead ? pair->a : pair->b, (long long)(b_ahead ? pair->offset.low : -pair->offset.high),
                   check->unpublished ? "10 us, which are" : "the boundary of",
                   (unsigned long long)check->head.boundary_ticks);
    }
    if (check->refuted)
        printf("%s: %s\n", cli_show(check->path), check->reason);
    else if (check->unpublished && !check->exceeded && !check->options->quiet)
        printf("%s: there is no record; %d pair%s measured, none provably apart by more than 10 us: run 'ordo "
               "calibrate'\n",
               cli_show(check->path), check->count, check->count == 1 ? "" : "s");
    else if (!check->exceeded && !check->options->quiet)
        printf("%s: %s by %d pair%s measured again; boundary %llu ticks, generation %llu%s\n", cli_show(check->path),
               check->confirmed ? "confirmed" : "not contradicted", check->count, check->count == 1 ? "" : "s",
               (unsigned long long)check->head.boundary_ticks, (unsigned long long)check->head.generation,
               check->partly ? "; it does not cover all CPUs of this process" : "");
}

static struct ordo_json pair_of(const struct check *check, const struct remeasured *pair)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "a", pair->a);
    ordo_json_put_int(&object, "b", pair->b);
    ordo_json_put_ints(&object, "offset_interval_ticks", pair->offset.low, pair->offset.high);
    ordo_json_put_text(&object, "verdict",
                       exceeds(check, pair)  ? "exceeded"
                       : inside(check, pair) ? "confirmed"
                                             : "not contradicted");
    return object;
}

/* True for the check of the kernel's clock if it has no verdict; its result is printed nevertheless. */
static bool is_untold(const struct check *check)
{
    return !check->beside && check->code != ORDO_OK;
}

static void put_check(struct ordo_json *object, const struct check *check)
{
    struct ordo_json pairs = ordo_json_array();
    for (int i = 0; i < check->count; i++)
        ordo_json_add(&pairs, pair_of(check, &check->pairs[i]));
    ordo_json_put_text(object, "path", check->path);
    ordo_json_put_text(object, "verdict",
                       check->exceeded    ? "exceeded"
                       : check->refuted   ? "refuted"
                       : is_untold(check) ? "unknown"
                                          : "ok");
    ordo_json_put_text(object, "reason", check->reason);
    ordo_json_put_text(object, "trust", ordo_trust_word(check->trust));
    ordo_json_put_bool(object, "confirmed", !fails(check) && check->confirmed);
    ordo_json_put_bool(object, "covers_caller", !check->partly);
    if (check->options->quick && check->beside)
        ordo_json_put_bool(object, "record", !check->unpublished);
    ordo_json_put_int(object, "boundary_ticks", (int64_t)check->head.boundary_ticks);
    ordo_json_put_int(object, "generation", (int64_t)check->head.generation);
    ordo_json_put(object, "pairs", pairs);
}

static struct ordo_json beside_object(const struct check *beside)
{
    if (beside->code == ORDO_E_MISSING)
        return ordo_json_null();
    struct ordo_json object = ordo_json_object();
    put_check(&object, beside);
    return object;
}

static int print_check_json(const struct check *check)
{
    struct ordo_json document = ordo_json_document("ordo-check/1");
    put_check(&document, check);
    ordo_json_put(&document, "monotonic", beside_object(check->beside));
    return ordo_json_write(&document, stdout);
}

static void print_beside(const struct check *beside)
{
    if (beside->code == ORDO_OK && beside->options->quick) {
        if (!beside->options->quiet)
            printf("%s: holds here and now; --quick measures no pair of the kernel's clock\n", cli_show(beside->path));
    } else if (beside->code == ORDO_OK || fails(beside))
        print_check(beside);
    else if (beside->code != ORDO_E_MISSING && !beside->options->quiet)
        printf("%s: not checked: %s\n", cli_show(beside->path), beside->reason);
}

/* Marks the record. This must come before any output: if stdout is a closed pipe, output ends the process, and the
 * refuted record would remain valid. */
static void mark_refuted(const struct check *check)
{
    struct ordo_error error;
    if (ordo_record_disrupt_at(check->reach, check->path, &check->head, &error))
        cli_warn(check->program, error.text);
    else if (!check->options->quiet)
        fprintf(stderr, "%s: marked DISRUPTED%s\n", cli_show(check->path),
                check->options->recalibrate ? "" : "; run 'ordo calibrate'");
}

/* Notes in the record that its clock ran well until now; readers then no longer allow for earlier errors of its rate.
 * Failure is harmless. */
static void refresh(const struct check *check)
{
    struct ordo_record_moment now;
    if (ordo_moment_take_by(check->head.clock, &now) == 0 && !ordo_record_was_suspended(&check->head, &now) &&
        ordo_record_check_rate(&check->head, &now))
        (void)ordo_record_refresh(check->path, &check->head, &now, NULL);
}

/* Writes the verdict into the record, if --mark allows that. */
static void settle_verdict(const struct check *check)
{
    bool may_mark = check->options->mark && !check->unpublished;
    if (check->exceeded && may_mark)
        mark_refuted(check);
    if (!fails(check) && may_mark)
        refresh(check);
}

static int conclude_check(const struct check *check)
{
    settle_verdict(check);
    if (check->options->json && print_check_json(check))
        return cli_fail_output(check->program);
    if (!check->options->json) {
        print_check(check);
        print_beside(check->beside);
    }
    if (cli_close_stdout(check->program))
        return EXIT_INTERNAL;
    return fails(check) ? EXIT_FAILS : EXIT_OK;
}

/* Judges the clock anew. A record whose clock the kernel vouched for is refuted if the kernel no longer vouches for
 * it. */
static int ask_trust(struct check *check, struct ordo_error *error)
{
    struct ordo_evidence evidence;
    struct ordo_trust_verdict verdict;
    check->trust = ORDO_TRUST_VOUCHED;
    if (is_kernels(check)) /* by definition */
        return ORDO_OK;
    ordo_trust_gather(&evidence);
    ordo_trust_judge(&evidence, &verdict);
    if (!check->unpublished)
        ordo_trust_recheck(&evidence, check->head.flags, &verdict);
    check->trust = verdict.trust;
    return ordo_trust_excused(check->head.flags, &verdict) ? ORDO_OK : ordo_trust_check(&verdict, error);
}

/* Finds whether the record is refused for good. If so, no program may open it again, and open handles must learn of it.
 * The reasons are: the clock did not run at its rate, or the kernel has rejected the clock since. */
static void look_at_clock(struct check *check, const struct ordo_error *refused)
{
    struct ordo_error error = *refused;
    bool untrusted = ask_trust(check, &error) != ORDO_OK;
    check->refuted = check->code == ORDO_E_RATE || untrusted;
    if (check->code == ORDO_E_RATE)
        error = *refused;
    if (!check->refuted)
        return;
    (void)snprintf(check->reason, sizeof check->reason, "%s", error.text);
    if (check->options->mark)
        mark_refuted(check);
}

/* Judges whether the record is usable on this machine at present. The record need not cover all CPUs that this process
 * may use, because other programs may use only the covered CPUs. */
static int judge_record_now(struct check *check, const struct ordo_record_view *view, uint32_t clock,
                            struct ordo_error *error)
{
    int code = ordo_record_applies_by(view, clock, error);
    check->partly = code == ORDO_E_CPUS;
    if (check->partly)
        *error = (struct ordo_error){0};
    return check->partly ? ORDO_OK : code;
}

/* Checks a record. If its clock has visibly jumped, the pairs are measured nevertheless, to show which CPUs are apart.
 * After any other fault, nothing is measured. */
static int check_record(struct check *check, const struct ordo_record_view *view)
{
    struct ordo_error refused = {0}, error = {0};
    check->head = view->head;
    check->code = judge_record_now(check, view, is_kernels(check) ? ORDO_CLOCK_MONOTONIC : ORDO_CLOCK_ID, &refused);
    if (check->code && check->code != ORDO_E_RATE)
        return cli_fail(EXIT_UNKNOWN, check->program, refused.text);
    look_at_clock(check, &refused);
    if (check->options->quick && is_kernels(check)) /* --quick can only read the counter */
        return conclude_check(check);
    if ((check->options->quick ? measure_record_quickly(check, view, &error) : measure_record(check, view, &error)) &&
        !fails(check))
        return cli_fail(EXIT_UNKNOWN, check->program, error.text);
    return conclude_check(check);
}

/* Checks, without a record, whether a calibration could succeed. */
static int check_machine(struct check *check)
{
    enum { MOST = 4096 };
    unsigned cpus[MOST];
    struct ordo_error error = {0};
    check->unpublished = true;
    check->head = (struct ordo_record){0};
    check->refuted = ask_trust(check, &error) != ORDO_OK;
    (void)snprintf(check->reason, sizeof check->reason, "%s", error.text);
    if (measure_quickly(check, cpus, ordo_hop_allowed(cpus, MOST), &error) && !fails(check))
        return cli_fail(EXIT_UNKNOWN, check->program, error.text);
    return conclude_check(check);
}

/* Checks the mapped record. If the record could not be mapped, reports why. */
static int check_mapped(struct check *check, const void *bytes, size_t count, struct ordo_record_view *view,
                        struct ordo_error *error)
{
    if (!check->code)
        check->code = ordo_record_parse(bytes, count, view);
    if (!check->code)
        return check_record(check, view);
    if (check->options->quick && check->code == ORDO_E_MISSING)
        return check_machine(check);
    if (bytes)
        (void)ordo_record_refuse(error, check->code, 0, check->path);
    if (!check->options->recalibrate || !recalibrate_mends(check->code) || !check->options->quiet)
        (void)cli_fail(EXIT_UNKNOWN, check->program, error->text);
    return EXIT_UNKNOWN;
}

/* Checks the record of the kernel's clock, without printing anything. */
static int look_beside(struct check *beside, const struct ordo_record_view *view, struct ordo_error *error)
{
    beside->code = judge_record_now(beside, view, ORDO_CLOCK_MONOTONIC, error);
    if (beside->code && beside->code != ORDO_E_RATE)
        return beside->code;
    beside->head = view->head;
    look_at_clock(beside, error);
    int code = beside->options->quick ? ORDO_OK : measure_record(beside, view, error);
    if (code && !fails(beside))
        return beside->code = code;
    settle_verdict(beside);
    return ORDO_OK;
}

static void check_beside(struct check *beside, const char *path, char place[PATH_MAX])
{
    struct ordo_record_view view;
    struct ordo_error error = {0};
    const void *bytes = NULL;
    size_t count = 0;
    beside->path = place;
    beside->code = ORDO_E_MISSING;
    if (!ordo_record_clock_is_kernels(ORDO_CLOCK_MONOTONIC) ||
        ordo_record_path_of(ORDO_CLOCK_MONOTONIC, path, place, PATH_MAX, NULL))
        return;
    beside->reach = beside->options->mark ? ordo_record_reach(place) : -1;
    beside->code = ordo_record_map(place, &bytes, &count, &error);
    if (!beside->code && (beside->code = ordo_record_parse(bytes, count, &view)) != ORDO_OK)
        (void)ordo_record_refuse(&error, beside->code, 0, place);
    if ((beside->code || look_beside(beside, &view, &error)) && !beside->refuted)
        (void)snprintf(beside->reason, sizeof beside->reason, "%s", error.text);
    if (bytes)
        (void)munmap((void *)(uintptr_t)bytes, count);
    if (beside->reach >= 0)
        (void)close(beside->reach);
}

/* Renews the record of the kernel's clock, after the counter's record was renewed. True if its record has no fault
 * afterwards. */
static bool mend_beside(const struct check *check, const struct ordo_record_view *like)
{
    struct ordo_calibrate_options options = {0};
    struct kernel_clock found;
    char *cpu_list = NULL;
    if (!fails(check->beside) && !recalibrate_mends(check->beside->code))
        return check->beside->code == ORDO_OK;
    if (like && recalibrate_like(&options, like, &cpu_list)) {
        (void)cli_fail(EXIT_INTERNAL, check->program, "out of memory");
        free(cpu_list);
        return false;
    }
    kernel_clock_renew(&options, check->path, check->options->quiet, &found);
    free(cpu_list);
    if (!found.measured && found.reason[0])
        cli_warn(check->program, found.reason);
    else if (found.measured && !check->options->quiet)
        fprintf(stderr, "%s: calibrated anew: ORDO_BOUNDARY %llu ns, generation %llu\n", cli_show(found.path),
                (unsigned long long)found.boundary_ns, (unsigned long long)found.generation);
    return found.measured;
}

/* Recalibrates if the verdict requires it and --recalibrate is given. `like` is the record to be replaced. Returns the
 * exit code. */
static int mend_found(const struct check *check, int exit_code, const struct ordo_record_view *like)
{
    const struct options *options = check->options;
    if (is_kernels(check) && options->recalibrate)
        return cli_fail(EXIT_USAGE, check->program,
                        "--record: this is the record of the kernel's clock: name the counter's record next to it");
    if (exit_code == EXIT_UNKNOWN && !options->json) { /* no verdict was printed */
        print_beside(check->beside);
        exit_code = cli_close_stdout(check->program) ? EXIT_INTERNAL : exit_code;
    }
    if (options->recalibrate && (fails(check) || recalibrate_mends(check->code))) {
        int renewed = recalibrate(check->program, check->path, like, options->quiet);
        exit_code = exit_code == EXIT_INTERNAL ? exit_code : renewed;
    }
    bool mended = options->recalibrate && mend_beside(check, like);
    if (fails(check->beside) && !mended && exit_code == EXIT_OK)
        exit_code = EXIT_FAILS;
    return exit_code;
}

static int run_check(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse_check,
        NULL,
        "Measures some pairs of CPUs again, and compares them with the published boundary and with the published "
        "boundary of the kernel's clock.\vExit status: 0 nothing contradicts the record, or --recalibrate has "
        "published a new one; 1 an offset provably exceeds the boundary, or the clock stood still or jumped; 2 there "
        "is no usable record, or a pair could not be measured; 64 usage; 70 a file could not be written. A latency "
        "that is larger than at calibration proves nothing.",
        NULL,
        NULL,
        NULL};
    struct options options = {.runs = {.runs = 10000}};
    struct check beside = {.options = &options, .program = argv[0], .reach = -1};
    struct check check = {.options = &options, .program = argv[0], .reach = -1, .beside = &beside};
    struct ordo_record_view view = {0};
    struct ordo_error error = {0};
    const void *bytes = NULL;
    size_t count = 0;
    char buffer[4096], place[PATH_MAX];
    cli_parse(&argp, argc, argv, &options);
    check.path = cli_find_record(argv[0], options.path, options.quiet, buffer, sizeof buffer);
    check.reach = options.mark ? ordo_record_reach(check.path) : -1;
    check.code = ordo_record_map(check.path, &bytes, &count, &error);
    check_beside(&beside, check.path, place);
    int exit_code = check_mapped(&check, bytes, count, &view, &error);
    bool whole = view.cpus && check.code != ORDO_E_MALFORMED;
    exit_code = mend_found(&check, exit_code, whole ? &view : NULL);
    if (check.reach >= 0)
        (void)close(check.reach);
    free(check.pairs);
    free(beside.pairs);
    if (bytes)
        (void)munmap((void *)(uintptr_t)bytes, count);
    return exit_code;
}

const struct command command_check = {
    .name = "check",
    .title = "measure some pairs again, and compare them with the published record",
    .schema = "ordo-check/1",
    .run = run_check,
};
