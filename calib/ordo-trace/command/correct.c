/* ordo-trace correct: converts a trace to global time, with a bound for every event. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/plural.h"
#include "ordo-trace/causality.h"
#include "ordo-trace/devices.h"
#include "ordo-trace/evidence.h"
#include "ordo-trace/inputs.h"
#include "ordo-trace/sharing.h"
#include "trace/correct/correct.h"
#include "json/builder.h"

struct options {
    struct ordo_correct_options correct;
    const char *output, *offsets;
    double wander_ppb, skew_ppb, stretch;
    int granule_ns;
    bool causal, json, list;
};

enum { SYNC = 1, METHOD, TO, OFFSETS, CAUSAL, STRETCH, WANDER, SKEW, GRANULE, JSON, LIST, NO_DEVICES };

static const struct argp_option argp_options[] = {
    {"output", 'o', "FILE", 0, "Write the trace to FILE, which appears only when complete; - is stdout (required)", 0},
    {"to", TO, "FORM", 0, "The form of the output, one of --list (default: the form of the first trace, or csv)", 0},
    {"offsets", OFFSETS, "FILE", 0,
     "Also write the clocks, as CSV: location,local_ns,offset_ns,standard_deviation_ns; the offset must be added to "
     "local_ns",
     0},
    {"sync", SYNC, "FILE", 0,
     "Correct by the sessions in FILE, CSV with the columns session,rank,send_ns,master_ns,receive_ns and a row for "
     "each exchange with rank 0 (default: by the sessions in the traces, or by their messages and collectives if there "
     "are no sessions)",
     0},
    {"method", METHOD, "NAME", 0, "A method of --list (default interval)", 0},
    {"causal", CAUSAL, NULL, 0,
     "Move events whose message would still be received before it was sent, and the events near them", 0},
    {"stretch", STRETCH, "PART", 0,
     "Largest change of a local interval by --causal, as a fraction of its length (default 0.0001)", 0},
    {"max-wander-ppb", WANDER, "N", 0,
     "Assumption: no clock's rate changes by more than N ppb within a minute (default 100)", 0},
    {"max-skew-ppb", SKEW, "N", 0, "Assumption: no clock's rate is wrong by more than N ppb (default 500000)", 0},
    {"granule", GRANULE, "NS", 0,
     "Step of all clocks (default: for each rank, the unit of which its times are multiples)", 0},
    {"no-devices", NO_DEVICES, NULL, 0,
     "Leave the events of devices (GPUs) as they are, also if kernels begin before their launch, or end after a "
     "synchronisation returned",
     0},
    {"json", JSON, NULL, 0, "Print the report as JSON (schema ordo-trace/1)", 0},
    {"list", LIST, NULL, 0, "List the methods and forms, and exit", 0},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE('o', "--output", struct options, output),
    CLI_TEXT_STORE(OFFSETS, "--offsets", struct options, offsets),
    CLI_TEXT_STORE(SYNC, "--sync", struct options, correct.sync),
    CLI_FLAG_STORE(CAUSAL, "--causal", struct options, causal),
    CLI_STORE(STRETCH, "--stretch", struct options, stretch, 1e-9, 0.5),
    CLI_STORE(WANDER, "--max-wander-ppb", struct options, wander_ppb, 0, 1e6),
    CLI_STORE(SKEW, "--max-skew-ppb", struct options, skew_ppb, 0.001, 1e6),
    CLI_STORE(GRANULE, "--granule", struct options, granule_ns, 0, 1000000000),
    CLI_FLAG_STORE(NO_DEVICES, "--no-devices", struct options, correct.leaves_devices),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    {0},
};

static void check_correct(const struct argp_state *state, const struct options *options)
{
    if (!options->output && !options->list)
        cli_wrong(state, "no output for the trace: give --output FILE");
    if (options->json && options->output && strcmp(options->output, "-") == 0)
        cli_wrong(state, "--json and --output - would both write to stdout: leave one out");
}

static error_t parse_correct(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->correct.traces;
        return 0;
    case METHOD:
        options->correct.method = ordo_method_find(argument);
        if (!options->correct.method)
            cli_wrong(state, "--method %.40s: is not one of %s", argument, inputs_methods());
        return 0;
    case TO:
        options->correct.to = ordo_form_find(argument);
        if (!options->correct.to || !options->correct.to->begin)
            cli_wrong(state, "--to %.40s: is not one of %s", argument, inputs_forms(true));
        return 0;
    case ARGP_KEY_NO_ARGS:
        return options->list ? 0 : inputs_parse_files(key, state, &options->correct.traces);
    case ARGP_KEY_ARGS:
        return inputs_parse_files(key, state, &options->correct.traces);
    case ARGP_KEY_SUCCESS:
        check_correct(state, options);
        return 0;
    default:
        return cli_store(stores, key, argument, state);
    }
}

static int list_methods(void)
{
    for (const struct ordo_method *const *at = ordo_methods; *at; at++)
        printf("method %-9s %s\n", (*at)->name, (*at)->title);
    for (const struct ordo_form *const *at = ordo_forms; *at; at++)
        printf("form   %-9s %s%s\n", (*at)->name, (*at)->title, (*at)->begin ? "" : " (is read only)");
    return EXIT_OK;
}

static const char *source_of(const struct ordo_correct_report *report)
{
    static const char *const names[] = {"file", "trace", "messages", "one_clock"};
    return names[report->source];
}

/* Returns the clock of a rank, or the clock that the rank shares; NULL if nothing is known of this clock. */
static const struct ordo_clock *clock_of_rank_or_shared(const struct ordo_correct_report *report, int rank)
{
    const struct ordo_clocks *clocks = &report->clocks;
    const struct ordo_clock *own = rank < clocks->count ? &clocks->of[rank] : NULL;
    return own && own->has_shared && own->shared < clocks->count ? &clocks->of[own->shared] : own;
}

/* Returns the offset of the rank's clock at the rank's first event. */
static int64_t offset_at_first(const struct ordo_correct_report *report, const struct ordo_correct_rank *seen)
{
    struct ordo_clocks clocks = report->clocks;
    struct ordo_event_stamp stamp;
    return ordo_clocks_stamp(&clocks, seen->rank, seen->first_ns, &stamp) ? seen->first_ns - stamp.global_ns : 0;
}

/* Returns the largest distance of a rank's clock from the shared clock, which is at the first or the last event. */
static int64_t apart_of(const struct ordo_clocks *clocks, const struct ordo_correct_rank *seen)
{
    int64_t first_ns = ordo_clocks_apart_ns(clocks, seen->rank, seen->first_ns);
    int64_t end_ns = seen->last_ns + ordo_clocks_granule(clocks, seen->rank);
    int64_t last_ns = ordo_clocks_apart_ns(clocks, seen->rank, end_ns);
    return first_ns > last_ns ? first_ns : last_ns;
}

/* Returns the number of sessions that describe a rank's clock: those of the rank, or of the clock that it shares. */
static int sessions_of(const struct ordo_correct_report *report, int rank)
{
    const struct ordo_clocks *clocks = &report->clocks;
    bool has_own = rank < clocks->count && clocks->of[rank].made;
    return has_own ? clocks->of[rank].correction.band.count
                   : clock_of_rank_or_shared(report, rank)->correction.band.count;
}

/* Returns the largest half of a width between two sessions. A rank that shares a clock, and has sessions too, has the
 * narrower bounds of both. */
static double bound_between(const struct ordo_correct_report *report, int rank, double granule_ns, int64_t apart_ns)
{
    const struct ordo_clock *own = &report->clocks.of[rank], *clock = clock_of_rank_or_shared(report, rank);
    double shared_ns = apart_ns < ORDO_CLOCKS_APART ? clock->correction.bound_ns + (double)apart_ns : INFINITY;
    if (own != clock && own->made)
        shared_ns = fmin(shared_ns, own->correction.bound_ns);
    return shared_ns + granule_ns / 2;
}

/* Returns half the largest width of the bounds, which is between two sessions or at the rank's first or last event: the
 * bounds grow with the distance from the sessions, and from the verification of a shared clock. During a granule the
 * low bound moves by at most 3 S times the granule ([B6] of sync/band.c).
 *
 * INFINITY: there is only one session, so the rate has no bound; or the proof of a shared clock is lost */
static double bound_of(const struct ordo_correct_report *report, const struct ordo_correct_rank *seen)
{
    struct ordo_clocks clocks = report->clocks;
    const struct ordo_correction *correction = &clock_of_rank_or_shared(report, seen->rank)->correction;
    double moves = correction->band.count > 0 ? 3 * ordo_band_limit(&clocks.declared) : 0;
    double granule_ns = ceil((double)ordo_clocks_granule(&clocks, seen->rank) * (1 + moves));
    int64_t apart_ns = apart_of(&clocks, seen);
    struct ordo_event_stamp first, last;
    (void)ordo_clocks_stamp(&clocks, seen->rank, seen->first_ns, &first);
    (void)ordo_clocks_stamp(&clocks, seen->rank, seen->last_ns, &last);
    double outside = fmax((double)(first.latest_ns - first.earliest_ns), (double)(last.latest_ns - last.earliest_ns));
    return fmax(bound_between(report, seen->rank, granule_ns, apart_ns), outside / 2);
}

/* Prints a bound in a column of 14 characters. */
static void print_bound(double bound_ns, FILE *stream)
{
    if (isfinite(bound_ns))
        fprintf(stream, " %14.1f", bound_ns);
    else
        fprintf(stream, " %14s", "unbounded");
}

static void print_ranks(const struct ordo_correct_report *report, FILE *stream)
{
    fprintf(stream, "%6s %10s %8s %20s %12s %14s %14s %14s\n", "rank", "events", "sessions", "offset [ns]",
            "drift [ppb]", "residual [ns]", "worst [ns]", "bound [ns]");
    for (int i = 0; i < report->rank_count; i++) {
        const struct ordo_correct_rank *seen = &report->ranks[i];
        const struct ordo_clock *clock = clock_of_rank_or_shared(report, seen->rank);
        if (!clock)
            continue;
        const struct ordo_correction *c = &clock->correction;
        fprintf(stream, "%6d %10llu %8d %20lld %12.1f %14.1f %14.1f", seen->rank, (unsigned long long)seen->events,
                sessions_of(report, seen->rank), (long long)offset_at_first(report, seen), c->rate * 1e9,
                c->residual_ns, c->residual_most_ns);
        print_bound(bound_of(report, seen), stream);
        fputc('\n', stream);
    }
}

static void print_repair(const struct ordo_correct_report *report, const struct options *options, FILE *stream)
{
    fprintf(stream, "repair: %llu event%s moved, by at most %lld ns", (unsigned long long)report->moved_events,
            ordo_plural((int64_t)report->moved_events), (long long)report->moved_most_ns);
    if (report->stretch > options->correct.stretch)
        fprintf(stream, "; local intervals changed by up to %.2g of their length, as no rate is known better",
                report->stretch);
    putc('\n', stream);
}

static void print_correct(const struct ordo_correct_report *report, const struct options *options, FILE *stream)
{
    const struct ordo_causality *c = &report->causality;
    if (report->source == ORDO_SOURCE_ONE_CLOCK)
        fprintf(stream, "%llu events of one file, without sessions and messages: taken to be of one clock\n",
                (unsigned long long)report->events);
    else
        fprintf(stream, "%llu events, corrected by the %s with the method %s\n", (unsigned long long)report->events,
                report->source == ORDO_SOURCE_FILE    ? "sessions of the file"
                : report->source == ORDO_SOURCE_TRACE ? "sessions in the trace"
                                                      : "messages and collectives in the trace",
                options->correct.method->name);
    print_ranks(report, stream);
    sharing_print(report, stream);
    evidence_print(report, stream);
    devices_print(report, stream);
    fprintf(
        stream,
        "messages: %llu, received before they were sent: %llu before, %llu after; %llu whatever the bounds allow; %llu "
        "ends without the other\n",
        (unsigned long long)c->messages, (unsigned long long)c->before, (unsigned long long)c->after,
        (unsigned long long)c->certain, (unsigned long long)c->unmatched);
    fprintf(stream, "collectives: %llu, left before all had entered: %llu before, %llu after\n",
            (unsigned long long)c->collectives, (unsigned long long)c->collectives_before,
            (unsigned long long)c->collectives_after);
    if (report->repaired)
        print_repair(report, options, stream);
}

static struct ordo_json corrected_rank_json(const struct ordo_correct_report *report,
                                            const struct ordo_correct_rank *seen)
{
    struct ordo_json object = ordo_json_object();
    const struct ordo_correction *c = &clock_of_rank_or_shared(report, seen->rank)->correction;
    ordo_json_put_int(&object, "rank", seen->rank);
    ordo_json_put_int(&object, "events", (int64_t)seen->events);
    ordo_json_put_int(&object, "sessions", sessions_of(report, seen->rank));
    ordo_json_put_int(&object, "offset_ns", offset_at_first(report, seen));
    ordo_json_put_real(&object, "drift_ppb", c->rate * 1e9);
    ordo_json_put_real(&object, "residual_ns", c->residual_ns);
    ordo_json_put_real(&object, "residual_most_ns", c->residual_most_ns);
    ordo_json_put_real(&object, "bound_ns", bound_of(report, seen)); /* null if the bound is infinite */
    return object;
}

static int print_correct_json(const struct ordo_correct_report *report, const struct options *options)
{
    struct ordo_json document = ordo_json_document("ordo-trace/1"), ranks = ordo_json_array();
    for (int i = 0; i < report->rank_count; i++)
        ordo_json_add(&ranks, corrected_rank_json(report, &report->ranks[i]));
    ordo_json_put_text(&document, "method", options->correct.method->name);
    ordo_json_put_text(&document, "source", source_of(report));
    ordo_json_put_int(&document, "events", (int64_t)report->events);
    ordo_json_put(&document, "ranks", ranks);
    ordo_json_put_text(&document, "one_clock", sharing_word(sharing_of(report)));
    ordo_json_put_int(&document, "changed_times", (int64_t)report->changed);
    if (report->evidence.ranks)
        ordo_json_put(&document, "evidence", evidence_json(report));
    if (report->devices.count > 0)
        ordo_json_put(&document, "devices", devices_json(report));
    ordo_json_put(&document, "causality", causality_json(&report->causality));
    ordo_json_put_bool(&document, "repaired", report->repaired);
    ordo_json_put_int(&document, "moved_events", (int64_t)report->moved_events);
    ordo_json_put_int(&document, "moved_most_ns", report->moved_most_ns);
    ordo_json_put_real(&document, "stretch", report->stretch);
    return ordo_json_write(&document, stdout);
}

static int write_offsets(const struct options *options, const struct ordo_correct_report *report,
                         struct ordo_error *error)
{
    struct ordo_file_stream file;
    int code = ordo_file_stream_open(&file, options->offsets, 0644, error);
    if (code)
        return code;
    ordo_correct_write_offsets(report, file.stream);
    return ordo_file_stream_close(&file, true, error);
}

/* Checks that no file is written twice, and that no input is lost. The output may replace a trace, which it contains. */
static int spare_inputs(const struct options *options, struct ordo_error *error)
{
    const struct ordo_traces_options *traces = &options->correct.traces;
    const char *const both[] = {options->correct.sync, options->output};
    int code = inputs_spare(options->output, both, 1, error);
    if (code || !options->offsets)
        return code;
    if (strcmp(options->offsets, options->output) == 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: is the file of --output too: name another for --offsets",
                              options->offsets);
    code = inputs_spare(options->offsets, traces->paths, traces->count, error);
    return code ? code : inputs_spare(options->offsets, both, 2, error);
}

/* Writes the trace into a temporary file in the folder of the output, and renames it once everything else has
 * succeeded. */
static int correct_into(const struct options *options, struct ordo_correct_report *report, struct ordo_error *error)
{
    static char room[1 << 18]; /* in use until the stream is closed */
    struct ordo_file_stream file;
    struct ordo_folder folder = {.path = options->output};
    struct ordo_correct_options correct = options->correct;
    bool to_stdout = strcmp(options->output, "-") == 0;
    correct.folder = to_stdout ? NULL : &folder;
    int code = spare_inputs(options, error);
    if (!code)
        code = ordo_file_stream_open(&file, to_stdout ? "/dev/stdout" : options->output, 0644, error);
    if (code)
        return code;
    /* With a NULL buffer the C library ignores the size, and makes a system call for every 4 KiB. */
    (void)setvbuf(file.stream, room, _IOFBF, sizeof room);
    code = ordo_correct(&correct, file.stream, report, error);
    bool corrected = !code, is_folder = folder.staged[0];
    if (!code && options->offsets)
        code = write_offsets(options, report, error);
    int closed = ordo_file_stream_close(&file, !code && !is_folder, error);
    int finished = ordo_folder_finish(&folder, !code && !closed, error);
    code = code ? code : closed ? closed : finished;
    if (code && corrected)
        ordo_correct_report_free(report);
    return code;
}

static int run_correct(int argc, char **argv)
{
    static const struct argp_child children[] = {{&inputs_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        argp_options,
        parse_correct,
        "TRACE...",
        "Converts the events of a trace to one global time, that of rank 0's clock. Each event also gets the earliest "
        "and the latest time at which it can have happened. A trace may consist of several files, each of one or of "
        "several ranks.\vExit status: 0 corrected; 1 clocks step, or contradict each other or the messages; 64 usage, "
        "or a file that is malformed or missing; 70 internal. If it is not 0, nothing is written.",
        children,
        NULL,
        NULL};
    struct options options = {.correct = {.traces = inputs_defaults(), .method = ordo_method_find("interval")},
                              .stretch = 1e-4,
                              .wander_ppb = ordo_declared_defaults().max_wander_ppb,
                              .skew_ppb = ordo_declared_defaults().max_skew_ppb,
                              .granule_ns = ORDO_GRANULE_OF_DIGITS};
    struct ordo_correct_report report;
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    if (options.list)
        return list_methods();
    if (options.json)
        cli_json("ordo-trace/1");
    options.correct.causal = options.causal;
    options.correct.stretch = options.stretch;
    options.correct.declared = (struct ordo_declared){
        .max_wander_ppb = options.wander_ppb, .max_skew_ppb = options.skew_ppb, .granule_ns = options.granule_ns};
    if (correct_into(&options, &report, &error))
        return inputs_fail(argv[0], &error);
    int wrong = 0;
    if (options.json)
        wrong = print_correct_json(&report, &options);
    else
        print_correct(&report, &options, strcmp(options.output, "-") == 0 ? stderr : stdout);
    ordo_correct_report_free(&report);
    return wrong ? cli_fail(EXIT_INTERNAL, argv[0], "out of memory, or stdout cannot be written") : EXIT_OK;
}

const struct command command_correct = {
    .name = "correct",
    .title = "convert the events of a trace to one global time, with bounds",
    .schema = "ordo-trace/1",
    .run = run_correct,
};
