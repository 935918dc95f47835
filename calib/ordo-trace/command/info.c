/* ordo-trace info: what is in the files of a trace. */
#include <inttypes.h>
#include <stdio.h>

#include "base/plural.h"
#include "ordo-trace/inputs.h"

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct ordo_traces_options *options = state->input;
    (void)argument;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = options;
        return 0;
    }
    return inputs_parse_files(key, state, options);
}

/* What was seen of a file. */
struct contents {
    uint64_t events, of_kind[ORDO_EVENT_KINDS];
    int32_t lowest, highest; /* ranks */
    int64_t first_ns, last_ns;
};

static int read_all(struct ordo_reader *reader, struct contents *contents, struct ordo_error *error)
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
        contents->last_ns = event.time_ns > contents->last_ns ? event.time_ns : contents->last_ns;
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
    printf(", which is that of rank %" PRId32 "\n  %" PRIu64 " exchange%s in sessions; a full buffer: %s; %" PRIu64
           " event%s lost; %s\n",
           facts->clock_of, facts->exchanges, ordo_plural((int64_t)facts->exchanges), facts->policy, facts->lost,
           ordo_plural((int64_t)facts->lost),
           facts->closed ? "closed" : "not closed: the rank was killed, or still runs");
}

static int tell(const char *path, const struct ordo_traces_options *options, struct ordo_error *error)
{
    struct ordo_reader reader;
    struct contents contents;
    int code = ordo_reader_open(&reader, path, options->form, &options->columns, error);
    if (code)
        return code;
    reader.partial = true;
    code = read_all(&reader, &contents, error);
    if (!code)
        print_contents(&reader, &contents);
    if (!code && reader.form->tell) {
        struct ordo_facts facts = reader.form->tell(&reader);
        print_facts(&facts);
    }
    ordo_reader_close(&reader);
    return code;
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&inputs_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        NULL,
        parse,
        "TRACE...",
        "Says of each file which form it has, of which ranks and events it is, and by the rank's clock from when on; "
        "of one of "
        "libordo-trace also what its recorder noted.\v"
        "Exit status: 0 told; 64 usage, or a file that is malformed or missing; 70 internal.",
        children,
        NULL,
        NULL};
    struct ordo_traces_options options = inputs_defaults();
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    for (int i = 0; i < options.count; i++)
        if (tell(options.paths[i], &options, &error))
            return inputs_fail(argv[0], &error);
    return EXIT_OK;
}

const struct command command_info = {
    .name = "info",
    .title = "say what the files of a trace hold",
    .run = run,
};
