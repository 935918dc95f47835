/* ordo-trace info: describes the files of a trace. */
#include <inttypes.h>
#include <stdio.h>

#include "base/plural.h"
#include "ordo-trace/inputs.h"
#include "json/builder.h"

struct options {
    struct ordo_traces_options traces;
    bool json;
};

enum { JSON = 1 };

static const struct argp_option argp_options[] = {
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-trace-info/1)", 0},
    {0},
};

static error_t parse_info(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->traces;
        return 0;
    case JSON:
        options->json = true;
        return 0;
    default:
        return inputs_parse_files(key, state, &options->traces);
    }
}

/* The contents of a file. */
struct contents {
    uint64_t events, of_kind[ORDO_EVENT_KINDS];
    int32_t lowest, highest; /* lowest and highest rank */
    int64_t first_ns, last_ns;
};

static int read_contents(struct ordo_reader *reader, struct contents *contents, struct ordo_error *error)
{
    struct ordo_event event;
    int more;
    *contents = (struct contents){.lowest = INT32_MAX, .highest = -1, .first_ns = INT64_MAX, .last_ns = INT64_MIN};
    while ((more = ordo_reader_next(reader, &event, error)) == 1) {
        contents->of_kind[event.kind]++;
        if (event.kind == ORDO_EVENT_META)
            continue;
        contents->events++;
        contents->lowest = event.rank < contents->lowest ? event.rank : contents->lowest;
        contents->highest = event.rank > contents->highest ? event.rank : contents->highest;
        contents->first_ns = event.time_ns < contents->first_ns ? event.time_ns : contents->first_ns;
        int64_t end_ns = event.kind == ORDO_EVENT_SPAN ? event.time_ns + event.duration_ns : event.time_ns;
        contents->last_ns = end_ns > contents->last_ns ? end_ns : contents->last_ns;
    }
    return more;
}

static void print_contents(const struct ordo_reader *reader, const struct contents *contents)
{
    printf("%s: %s, %" PRIu64 " event%s", reader->input.path, reader->form->name, contents->events,
           ordo_plural((int64_t)contents->events));
    if (contents->events > 0)
        printf(" of rank%s %" PRId32, contents->lowest < contents->highest ? "s" : "", contents->lowest);
    if (contents->lowest < contents->highest)
        printf(" to %" PRId32, contents->highest);
    if (contents->events > 0)
        printf(", %.9f s from %" PRId64 " ns on", (double)(contents->last_ns - contents->first_ns) * 1e-9,
               contents->first_ns);
    printf("%s\n ", reader->corrected ? ", in global time" : "");
    static const char *const words[] = {"points", "begins", "ends", "sends", "receives", "spans", "others", "remarks"};
    for (int i = 0; i < ORDO_EVENT_KINDS; i++)
        if (contents->of_kind[i] > 0)
            printf(" %" PRIu64 " %s", contents->of_kind[i], words[i]);
    putchar('\n');
}

static void print_facts(const struct ordo_facts *facts)
{
    printf("  of %" PRId32 " ranks, on %s, node %" PRId32 ", clock %s at %" PRIu64 " Hz", facts->size, facts->host,
           facts->node, facts->clock, facts->nominal_hz);
    printf(", which is that of rank %" PRId32, facts->clock_of);
    if (facts->proved)
        printf(": within %" PRId64 " ns, and a drift of %" PRId64 " ppb, at %" PRId64 " ns", facts->shared_residual_ns,
               facts->shared_drift_ppb, facts->shared_at_ns);
    printf("\n  %" PRIu64 " exchange%s in sessions; a full buffer: %s; %" PRIu64 " event%s lost; %s\n",
           facts->exchanges, ordo_plural((int64_t)facts->exchanges), facts->policy, facts->lost,
           ordo_plural((int64_t)facts->lost),
           facts->closed ? "closed" : "not closed: the rank was killed, or still runs");
}

static struct ordo_json kinds_json(const struct contents *contents)
{
    static const char *const keys[] = {"points", "begins", "ends", "sends", "receives", "spans", "others", "remarks"};
    struct ordo_json object = ordo_json_object();
    for (int i = 0; i < ORDO_EVENT_KINDS; i++)
        ordo_json_put_int(&object, keys[i], (int64_t)contents->of_kind[i]);
    return object;
}

static struct ordo_json recorder_json(const struct ordo_facts *facts)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "ranks", facts->size);
    ordo_json_put_text(&object, "host", facts->host);
    ordo_json_put_int(&object, "node", facts->node);
    ordo_json_put_text(&object, "clock", facts->clock);
    ordo_json_put_int(&object, "nominal_hz", (int64_t)facts->nominal_hz);
    ordo_json_put_int(&object, "clock_of_rank", facts->clock_of);
    if (facts->proved) {
        ordo_json_put_int(&object, "shared_residual_ns", facts->shared_residual_ns);
        ordo_json_put_int(&object, "shared_drift_ppb", facts->shared_drift_ppb);
        ordo_json_put_int(&object, "shared_at_ns", facts->shared_at_ns);
        ordo_json_put_int(&object, "shared_for_ns", facts->shared_for_ns);
    }
    ordo_json_put_int(&object, "exchanges", (int64_t)facts->exchanges);
    ordo_json_put_text(&object, "policy", facts->policy);
    ordo_json_put_int(&object, "lost_events", (int64_t)facts->lost);
    ordo_json_put_bool(&object, "closed", facts->closed);
    return object;
}

static struct ordo_json odds_json(const struct ordo_odds *odds)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < ORDO_ODDS; i++) {
        if (odds->of[i].count == 0)
            continue;
        struct ordo_json object = ordo_json_object();
        ordo_json_put_text(&object, "what", ordo_odd_key(i));
        ordo_json_put_int(&object, "count", (int64_t)odds->of[i].count);
        ordo_json_put_int(&object, "first_row", (int64_t)odds->of[i].row);
        ordo_json_add(&array, object);
    }
    return array;
}

/* Returns the JSON of a file. If the file has no events, the JSON has no ranks and no times. */
static struct ordo_json file_json(const struct ordo_reader *reader, const struct contents *contents)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put(&object, "file", ordo_json_text(reader->input.path));
    ordo_json_put_text(&object, "form", reader->form->name);
    ordo_json_put_bool(&object, "corrected", reader->corrected);
    ordo_json_put_int(&object, "events", (int64_t)contents->events);
    ordo_json_put(&object, "of_kind", kinds_json(contents));
    if (contents->events > 0) {
        ordo_json_put_int(&object, "lowest_rank", contents->lowest);
        ordo_json_put_int(&object, "highest_rank", contents->highest);
        ordo_json_put_int(&object, "first_ns", contents->first_ns);
        ordo_json_put_int(&object, "last_ns", contents->last_ns);
    }
    ordo_json_put(&object, "odd", odds_json(&reader->odds));
    if (reader->form->tell) {
        struct ordo_facts facts = reader->form->tell(reader);
        ordo_json_put(&object, "recorder", recorder_json(&facts));
    }
    return object;
}

/* Prints the contents of a file, or adds them to `files`. */
static int tell_contents(const char *path, const struct ordo_traces_options *options, struct ordo_json *files,
                         struct ordo_error *error)
{
    struct ordo_reader reader;
    struct contents contents;
    int code = ordo_reader_open(&reader, path, options->form, &options->columns, error);
    if (code)
        return code;
    reader.partial = !options->strict;
    reader.odds.is_strict = options->strict;
    code = read_contents(&reader, &contents, error);
    if (!code && files)
        ordo_json_add(files, file_json(&reader, &contents));
    else if (!code)
        print_contents(&reader, &contents);
    if (!code && !files)
        inputs_tell_odds(stdout, &reader, "  odd: ");
    if (!code && !files && reader.form->tell) {
        struct ordo_facts facts = reader.form->tell(&reader);
        print_facts(&facts);
    }
    ordo_reader_close(&reader);
    return code;
}

static int tell_all(const struct options *options, struct ordo_json *files, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 0; !code && i < options->traces.count; i++)
        code = tell_contents(options->traces.paths[i], &options->traces, files, error);
    return code;
}

static int run_info(int argc, char **argv)
{
    static const struct argp_child children[] = {{&inputs_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        argp_options,
        parse_info,
        "TRACE...",
        "Prints for each file its form, its ranks, the number of its events, and the time that they cover by the "
        "rank's clock; for a file of libordo-trace also the notes of its recorder.\vExit status: 0 printed; 64 usage, "
        "or a file that is malformed or missing; 70 internal.",
        children,
        NULL,
        NULL};
    struct options options = {.traces = inputs_defaults()};
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    struct ordo_json files = options.json ? ordo_json_array() : (struct ordo_json){0};
    int code = tell_all(&options, options.json ? &files : NULL, &error);
    if (code) {
        ordo_json_drop(&files);
        return inputs_fail(argv[0], &error);
    }
    if (!options.json)
        return EXIT_OK;
    struct ordo_json document = ordo_json_document("ordo-trace-info/1");
    ordo_json_put(&document, "files", files);
    return ordo_json_write(&document, stdout) ? cli_fail_output(argv[0]) : EXIT_OK;
}

const struct command command_info = {
    .name = "info",
    .title = "show the contents of the files of a trace",
    .schema = "ordo-trace-info/1",
    .run = run_info,
};
