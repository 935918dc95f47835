#include "window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "ordo-trace/placed.h"
#include "trace/event/names.h"
#include "trace/event/ranks.h"
#include "trace/report/regions.h"

enum { BEGIN = 3000, END, ZERO, AROUND, CALL };

static const struct argp_option argp_options[] = {
    {"begin", BEGIN, "S", 0, "From S seconds after the zero on (default 0)", 0},
    {"end", END, "S", 0, "Up to S seconds after the zero (default: all)", 0},
    {"zero", ZERO, "WORD", 0,
     "From where --begin, --end and the axis of plot count: first-event, or session, the end of the first session "
     "(default first-event)",
     0},
    {"around", AROUND, "NAME", 0,
     "The time from the first begin to the last end of a call of NAME on all ranks, and as much before and after it; "
     "the axis of plot begins at the first begin",
     0},
    {"call", CALL, "N", 0, "With --around: the Nth call of each rank (default 1)", 0},
    {0},
};

static const struct cli_store stores[] = {
    CLI_STORE(BEGIN, "--begin", struct window_options, begin_s, 0, 1e9),
    CLI_STORE(END, "--end", struct window_options, end_s, 1e-9, 1e9),
    CLI_TEXT_STORE(ZERO, "--zero", struct window_options, zero),
    CLI_TEXT_STORE(AROUND, "--around", struct window_options, around),
    CLI_STORE(CALL, "--call", struct window_options, call, 1, 1000000000),
    {0},
};

static bool from_session(const struct window_options *options)
{
    return options->zero && strcmp(options->zero, "session") == 0;
}

static void check_window(const struct argp_state *state, const struct window_options *options)
{
    if (options->zero && !from_session(options) && strcmp(options->zero, "first-event") != 0)
        cli_wrong(state, "--zero %.40s: is not first-event or session", options->zero);
    if (options->end_s > 0 && options->end_s <= options->begin_s)
        cli_wrong(state, "--end %g: is not after --begin %g", options->end_s, options->begin_s);
    if (options->around && (options->zero || options->begin_s > 0 || options->end_s > 0))
        cli_wrong(state, "--around %.40s: chooses the window: leave out --begin, --end and --zero", options->around);
    if (options->call && !options->around)
        cli_wrong(state, "--call %d: a call of which region: give --around NAME", options->call);
}

static error_t parse_window(int key, char *argument, struct argp_state *state)
{
    if (key == ARGP_KEY_SUCCESS)
        check_window(state, state->input);
    return key == ARGP_KEY_SUCCESS || key == ARGP_KEY_INIT ? 0 : cli_store(stores, key, argument, state);
}

const struct argp window_argp = {argp_options, parse_window, NULL, NULL, NULL, NULL, NULL};

bool window_chosen(const struct window_options *options)
{
    return options->around || from_session(options) || options->begin_s > 0 || options->end_s > 0;
}

/* The state of finding a window. A region of the wanted name counts for its rank in the order of the ends. */
struct search {
    struct ordo_text name; /* has the number 0 in `names` */
    int call;
    struct ordo_names names;
    struct ordo_regions regions;
    struct ordo_ranks ranks;
    int *calls, room;          /* number of calls, by the index of the rank */
    int64_t first_ns, last_ns; /* of all events, and of the ends of spans */
    int64_t begin_ns, end_ns;  /* of the wanted calls of all ranks */
};

static int take_call(void *context, const struct ordo_region *region)
{
    struct search *search = context;
    if (region->name != 0)
        return 0;
    int at = ordo_ranks_add(&search->ranks, region->rank);
    if (at >= search->room) {
        int *calls = realloc(search->calls, (size_t)search->ranks.room * sizeof *calls);
        if (!calls)
            return -1;
        memset(calls + search->room, 0, (size_t)(search->ranks.room - search->room) * sizeof *calls);
        search->calls = calls;
        search->room = search->ranks.room;
    }
    if (at < 0)
        return -1;
    if (++search->calls[at] != search->call)
        return 0;
    int64_t begin_ns = region->begin.global_ns, end_ns = region->end.global_ns;
    search->begin_ns = begin_ns < search->begin_ns ? begin_ns : search->begin_ns;
    search->end_ns = end_ns > search->end_ns ? end_ns : search->end_ns;
    return 0;
}

static int take_event(struct search *search, const struct ordo_trace_of_file *file)
{
    const struct ordo_event *event = &file->event;
    int64_t at_ns = file->stamp.global_ns;
    if (event->kind >= ORDO_EVENT_OTHER)
        return 0;
    search->first_ns = at_ns < search->first_ns ? at_ns : search->first_ns;
    at_ns = event->kind == ORDO_EVENT_SPAN ? file->end.global_ns : at_ns;
    search->last_ns = at_ns > search->last_ns ? at_ns : search->last_ns;
    if (search->name.length == 0)
        return 0;
    uint32_t name = ordo_names_number(&search->names, event->name);
    return name == UINT32_MAX
               ? -1
               : ordo_regions_take(&search->regions, event, name, &file->stamp, &file->end, take_call, search);
}

static int search_all(struct search *search, struct ordo_traces *traces, struct ordo_error *error)
{
    const struct ordo_trace_of_file *file;
    int more = 0;
    bool failed = search->name.length > 0 && ordo_names_number(&search->names, search->name) != 0;
    while (!failed && (more = ordo_traces_next(traces, &file, error)) == 1)
        failed = take_event(search, file) != 0;
    struct ordo_event_stamp last = {search->last_ns, search->last_ns, search->last_ns};
    if (!failed && more == 0)
        failed = ordo_regions_finish(&search->regions, &last, take_call, search) != 0;
    ordo_names_free(&search->names);
    ordo_regions_free(&search->regions);
    ordo_ranks_free(&search->ranks);
    free(search->calls);
    return failed ? ordo_error_set(error, ORDO_E_SYSTEM, 0, "calls of a region: out of memory") : more;
}

/* Returns the end of the first session in global time, as the exchanges of the clocks have it; INT64_MIN if there are
 * none. */
static int64_t end_of_exchanges(const struct ordo_correct_report *report)
{
    struct ordo_clocks clocks = report->clocks;
    int64_t last_ns = INT64_MIN;
    if (report->source == ORDO_SOURCE_MESSAGES)
        return last_ns;
    for (int rank = ordo_clocks_next(&clocks, -1); rank < clocks.count; rank = ordo_clocks_next(&clocks, rank)) {
        const struct ordo_fixes *fixes = &clocks.of[rank].fixes;
        for (int i = 0; i < fixes->count && fixes->all[i].session == fixes->all[0].session; i++) {
            struct ordo_event_stamp stamp;
            if (ordo_clocks_stamp(&clocks, rank, fixes->all[i].received_ns, &stamp) && stamp.global_ns > last_ns)
                last_ns = stamp.global_ns;
        }
    }
    return last_ns;
}

static int place_window(struct window *window, const struct window_options *options, const struct search *search,
                        const struct ordo_correct_report *report, struct ordo_error *error)
{
    window->zero_ns = search->first_ns;
    if (from_session(options)) {
        window->zero_ns = search->end_ns > INT64_MIN ? search->end_ns : end_of_exchanges(report);
        if (window->zero_ns == INT64_MIN)
            return ordo_error_set(error, ORDO_E_INVALID, 0,
                                  "--zero session: the trace has no session: count from the first event");
    }
    window->begin_ns = window->zero_ns + llrint(options->begin_s * 1e9);
    window->end_ns = options->end_s > 0 ? window->zero_ns + llrint(options->end_s * 1e9) : search->last_ns + 1;
    if (window->begin_ns > search->last_ns)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "--begin %g: the trace ends %.9g s after its %s",
                              options->begin_s, (double)(search->last_ns - window->zero_ns) * 1e-9,
                              from_session(options) ? "first session" : "first event");
    return ORDO_OK;
}

/* Places the window around the wanted calls. */
static int surround(struct window *window, const struct window_options *options, const struct search *search,
                    struct ordo_error *error)
{
    if (search->end_ns == INT64_MIN)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "--around %.100s: no rank has %d such call%s that end: see 'ordo-trace stats' for names",
                              options->around, search->call, search->call == 1 ? "" : "s");
    int64_t length_ns = search->end_ns - search->begin_ns;
    window->zero_ns = search->begin_ns;
    window->begin_ns = search->begin_ns - length_ns;
    window->end_ns = search->end_ns + length_ns + 1;
    return ORDO_OK;
}

int window_find(struct window *window, const struct window_options *options, struct ordo_traces *traces,
                const struct ordo_correct_report *report, struct ordo_error *error)
{
    static const char session[] = "ordo_trace_timesync";
    struct search search = {.call = options->call ? options->call : 1,
                            .first_ns = INT64_MAX,
                            .last_ns = INT64_MIN,
                            .begin_ns = INT64_MAX,
                            .end_ns = INT64_MIN};
    if (options->around)
        search.name = (struct ordo_text){options->around, strlen(options->around)};
    else if (from_session(options))
        search.name = (struct ordo_text){session, sizeof session - 1};
    int code = search_all(&search, traces, error);
    if (!code && search.last_ns == INT64_MIN)
        code = ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: row 2: is missing: the trace has no event",
                              traces->files[0].reader.input.path);
    if (code)
        return code;
    return options->around ? surround(window, options, &search, error)
                           : place_window(window, options, &search, report, error);
}

int window_choose(struct window *window, const struct window_options *options, struct ordo_traces *traces,
                  const struct ordo_analysis *analysis, const struct ordo_correct_report *report,
                  struct ordo_error *error)
{
    *window = (struct window){analysis->first_ns, analysis->first_ns, analysis->last_ns + 1};
    if (!window_chosen(options))
        return ORDO_OK;
    int code = placed_again(traces, error);
    return code ? code : window_find(window, options, traces, report, error);
}
