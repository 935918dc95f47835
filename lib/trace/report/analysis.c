#include "trace/report/analysis.h"

#include <stdlib.h>

#include "trace/event/collective.h"
#include "trace/report/shares.h"

/* The state of making an analysis. */
struct making {
    struct ordo_analysis *analysis;
    struct ordo_shares shares;
    struct ordo_regions regions;
    struct ordo_match *match;
    const struct ordo_numbering *numbering; /* of the traces */
    const struct ordo_event *event;         /* the present event */
    const struct ordo_event_stamp *stamp;
    uint32_t name;
    int rank;                 /* the index of the event's rank */
    int64_t begin_ns, end_ns; /* the time to analyse */
    int64_t last_ns;          /* of all events, also of those outside the time to analyse */
};

static bool is_within(const struct making *making, int64_t at_ns)
{
    return at_ns >= making->begin_ns && at_ns < making->end_ns;
}

/* Returns an instant, or the nearer end of the time to analyse. */
static int64_t clip_to_window(const struct making *making, int64_t at_ns)
{
    return at_ns < making->begin_ns ? making->begin_ns : at_ns > making->end_ns ? making->end_ns : at_ns;
}

static struct ordo_call *call_of(struct ordo_analysis *analysis, uint32_t name)
{
    if (name >= analysis->call_room) {
        uint32_t room = 2 * name + 64;
        struct ordo_call *calls = realloc(analysis->calls, room * sizeof *calls);
        if (!calls)
            return NULL;
        for (uint32_t i = analysis->call_room; i < room; i++)
            calls[i] = (struct ordo_call){0};
        analysis->calls = calls;
        analysis->call_room = room;
    }
    return &analysis->calls[name];
}

/* A region that ends when the time to analyse begins is outside, unless it begins then too. */
static bool overlaps(const struct making *making, const struct ordo_region *region)
{
    int64_t begin_ns = region->begin.global_ns, end_ns = region->end.global_ns;
    return begin_ns < making->end_ns && (begin_ns >= making->begin_ns || end_ns > making->begin_ns);
}

static int add_region(void *context, const struct ordo_region *region)
{
    struct making *making = context;
    struct ordo_call *call = call_of(making->analysis, region->name);
    double ns =
        (double)(clip_to_window(making, region->end.global_ns) - clip_to_window(making, region->begin.global_ns));
    if (call && !overlaps(making, region))
        return 0;
    if (!call)
        return -1;
    call->count++;
    call->total_ns += ns;
    call->longest_ns = fmax(call->longest_ns, ns);
    return ordo_shares_add(&making->shares, region->name, ordo_ranks_find(&making->analysis->ranks, region->rank), ns);
}

static void add_wait(struct ordo_call *call, double ns)
{
    if (ns <= 0)
        return;
    call->waits++;
    call->wait_ns += ns;
    call->wait_longest_ns = fmax(call->wait_longest_ns, ns);
}

/* Adds the time for which a receiver waited: from the begin of its open region until the message was sent. */
static int note_message(void *context, const struct ordo_event *event, const struct ordo_end *send,
                        const struct ordo_end *recv)
{
    struct making *making = context;
    const struct ordo_region *region =
        event->kind == ORDO_EVENT_RECV ? ordo_regions_inner(&making->regions, event) : NULL;
    if (!region || !is_within(making, recv->stamp.global_ns))
        return 0;
    struct ordo_call *call = call_of(making->analysis, region->name);
    int64_t until = send->stamp.global_ns < recv->stamp.global_ns ? send->stamp.global_ns : recv->stamp.global_ns;
    if (call)
        add_wait(call, (double)(until - clip_to_window(making, region->begin.global_ns)));
    return call ? 0 : -1;
}

static struct ordo_gathering *new_gathering(struct ordo_analysis *analysis)
{
    if (analysis->gathering_count == analysis->gathering_room) {
        size_t room = analysis->gathering_room ? 2 * analysis->gathering_room : 256;
        struct ordo_gathering *all = realloc(analysis->gatherings, room * sizeof *all);
        if (!all)
            return NULL;
        analysis->gatherings = all;
        analysis->gathering_room = room;
    }
    return &analysis->gatherings[analysis->gathering_count++];
}

static uint64_t gather_times(struct making *making, int64_t at_ns)
{
    struct ordo_gathering *made = new_gathering(making->analysis);
    if (!made)
        return 0;
    *made = (struct ordo_gathering){.name = making->name,
                                    .last = -1,
                                    .first_begin_ns = INT64_MAX,
                                    .last_begin_ns = INT64_MIN,
                                    .first_end_ns = INT64_MAX,
                                    .last_end_ns = INT64_MIN,
                                    .begin_latest_ns = INT64_MAX,
                                    .begin_earliest_ns = INT64_MIN,
                                    .end_latest_ns = INT64_MAX,
                                    .end_earliest_ns = INT64_MIN,
                                    .base_ns = at_ns};
    return making->analysis->gathering_count;
}

static void lower(int64_t *least, int64_t value)
{
    *least = value < *least ? value : *least;
}

static void lift(int64_t *most, int64_t value)
{
    *most = value > *most ? value : *most;
}

static int note_collective(void *context, const struct ordo_event *event, uint64_t id, uint64_t *shared)
{
    struct making *making = context;
    const struct ordo_event_stamp *stamp = making->stamp;
    (void)id;
    if (*shared == 0 && (*shared = gather_times(making, stamp->global_ns)) == 0)
        return -1;
    struct ordo_gathering *of = &making->analysis->gatherings[*shared - 1];
    if (event->kind == ORDO_EVENT_END) {
        lower(&of->first_end_ns, stamp->global_ns);
        lift(&of->last_end_ns, stamp->global_ns);
        lower(&of->end_latest_ns, stamp->latest_ns);
        lift(&of->end_earliest_ns, stamp->earliest_ns);
        return 0;
    }
    of->ranks++;
    of->begin_sum_ns += (double)(stamp->global_ns - of->base_ns);
    of->last = stamp->global_ns > of->last_begin_ns ? making->rank : of->last;
    lower(&of->first_begin_ns, stamp->global_ns);
    lift(&of->last_begin_ns, stamp->global_ns);
    lower(&of->begin_latest_ns, stamp->latest_ns);
    lift(&of->begin_earliest_ns, stamp->earliest_ns);
    return 0;
}

/* Enlarges rank_events to the room of `ranks`. */
static int make_rank_room(struct ordo_analysis *analysis)
{
    int room = analysis->ranks.room;
    uint64_t *events = realloc(analysis->rank_events, (size_t)room * sizeof *events);
    if (!events)
        return -1;
    for (int i = analysis->rank_room; i < room; i++)
        events[i] = 0;
    analysis->rank_events = events;
    analysis->rank_room = room;
    return 0;
}

static int count_event(struct making *making, int32_t rank, int64_t global_ns)
{
    struct ordo_analysis *analysis = making->analysis;
    making->rank = ordo_ranks_add(&analysis->ranks, rank);
    if (making->rank < 0 || (making->rank >= analysis->rank_room && make_rank_room(analysis)))
        return -1;
    lift(&making->last_ns, global_ns);
    if (!is_within(making, global_ns))
        return 0;
    analysis->rank_events[making->rank]++;
    analysis->events++;
    analysis->first_ns = global_ns < analysis->first_ns ? global_ns : analysis->first_ns;
    analysis->last_ns = global_ns > analysis->last_ns ? global_ns : analysis->last_ns;
    return 0;
}

/* A span ends after its event: the trace, or the time to analyse, lasts at least until then. */
static void lift_to_end(struct making *making, const struct ordo_trace_of_file *file)
{
    int64_t end_ns = file->end.global_ns;
    lift(&making->last_ns, end_ns);
    if (file->stamp.global_ns < making->end_ns && end_ns >= making->begin_ns)
        lift(&making->analysis->last_ns, clip_to_window(making, end_ns));
}

static int take_file(struct making *making, const struct ordo_trace_of_file *file, struct ordo_error *error)
{
    const struct ordo_event *event = &file->event;
    if (event->kind == ORDO_EVENT_META)
        return ORDO_OK;
    if (event->kind == ORDO_EVENT_OTHER)
        return count_event(making, event->rank, file->stamp.global_ns)
                   ? ordo_error_set(error, ORDO_E_SYSTEM, 0, "ranks: out of memory")
                   : ORDO_OK;
    making->event = event;
    making->stamp = &file->stamp;
    making->name = ordo_names_number(&making->analysis->names, event->name);
    if (making->name == UINT32_MAX || count_event(making, event->rank, file->stamp.global_ns) ||
        ordo_regions_take(&making->regions, event, making->name, &file->stamp, &file->end, add_region, making))
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "call sites: out of memory");
    if (event->kind == ORDO_EVENT_SPAN)
        lift_to_end(making, file);
    if (event->kind != ORDO_EVENT_SPAN || !event->collective)
        return ordo_numbering_match(making->numbering, making->match, event, &file->stamp, 0, error);
    struct ordo_event begins = ordo_match_half(event, true), ends = ordo_match_half(event, false);
    int code = ordo_numbering_match(making->numbering, making->match, &begins, &file->stamp, 0, error);
    making->stamp = &file->end;
    return code ? code : ordo_numbering_match(making->numbering, making->match, &ends, &file->end, 0, error);
}

/* Removes the collectives whose last rank did not enter in the time to analyse. */
static void keep_within(const struct making *making)
{
    struct ordo_analysis *analysis = making->analysis;
    size_t kept = 0;
    for (size_t i = 0; i < analysis->gathering_count; i++)
        if (is_within(making, analysis->gatherings[i].last_begin_ns))
            analysis->gatherings[kept++] = analysis->gatherings[i];
    analysis->gathering_count = kept;
}

/* Adds the waiting times of collectives in which every rank waits for all: each rank waits for the last one that
 * enters. */
static void add_collective_waits(struct ordo_analysis *analysis)
{
    for (size_t i = 0; i < analysis->gathering_count; i++) {
        const struct ordo_gathering *of = &analysis->gatherings[i];
        struct ordo_call *call = call_of(analysis, of->name);
        if (!call || of->ranks < 2 ||
            ordo_event_collective_of(analysis->names.all[of->name]) > ORDO_COLLECTIVE_ALL_TO_ALL)
            continue;
        call->waits += of->ranks - 1;
        call->wait_ns += (double)of->ranks * (double)(of->last_begin_ns - of->base_ns) - of->begin_sum_ns;
        call->wait_longest_ns = fmax(call->wait_longest_ns, (double)(of->last_begin_ns - of->first_begin_ns));
    }
}

/* Finds the longest time that any rank spends in each call. */
static void find_busiest(struct ordo_analysis *analysis, const struct ordo_shares *shares)
{
    for (size_t i = 0; i < shares->size; i++) {
        const struct ordo_share *share = &shares->all[i];
        if (share->rank >= 0)
            analysis->calls[share->name].busiest_ns = fmax(analysis->calls[share->name].busiest_ns, share->ns);
    }
}

int ordo_analysis_make(struct ordo_analysis *analysis, struct ordo_traces *traces, struct ordo_error *error)
{
    return ordo_analysis_make_within(analysis, traces, INT64_MIN, INT64_MAX, error);
}

int ordo_analysis_make_within(struct ordo_analysis *analysis, struct ordo_traces *traces, int64_t begin_ns,
                              int64_t end_ns, struct ordo_error *error)
{
    const struct ordo_trace_of_file *file;
    struct making making = {.analysis = analysis,
                            .numbering = traces->numbering,
                            .begin_ns = begin_ns,
                            .end_ns = end_ns,
                            .last_ns = INT64_MIN};
    *analysis = (struct ordo_analysis){.first_ns = INT64_MAX, .last_ns = INT64_MIN};
    making.match = ordo_match_create(note_message, note_collective, &making);
    int more = 0, code = making.match ? ORDO_OK : ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    while (!code && (more = ordo_traces_next(traces, &file, error)) == 1)
        code = take_file(&making, file, error);
    code = code ? code : more;
    struct ordo_event_stamp last = {making.last_ns, making.last_ns, making.last_ns};
    if (!code && ordo_regions_finish(&making.regions, &last, add_region, &making))
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "call sites: out of memory");
    if (!code && analysis->ranks.count == 0)
        code = ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: row 2: is missing: the trace has no event",
                              traces->files[0].reader.input.path);
    if (!code) {
        analysis->causality = ordo_match_result(making.match);
        keep_within(&making);
        analysis->first_ns = analysis->events == 0 ? begin_ns : analysis->first_ns;
        lift(&analysis->last_ns, analysis->first_ns);
        add_collective_waits(analysis);
        find_busiest(analysis, &making.shares);
        analysis->order = ordo_ranks_sorted(&analysis->ranks);
        if (!analysis->order)
            code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d ranks: out of memory", analysis->ranks.count);
    }
    ordo_match_free(making.match);
    ordo_regions_free(&making.regions);
    ordo_shares_free(&making.shares);
    if (code)
        ordo_analysis_free(analysis);
    return code;
}

void ordo_analysis_free(struct ordo_analysis *analysis)
{
    free(analysis->calls);
    free(analysis->gatherings);
    free(analysis->rank_events);
    free(analysis->order);
    ordo_ranks_free(&analysis->ranks);
    ordo_names_free(&analysis->names);
    *analysis = (struct ordo_analysis){0};
}

double ordo_call_imbalance(const struct ordo_call *call, int rank_count)
{
    return call->total_ns > 0 ? call->busiest_ns * rank_count / call->total_ns - 1 : 0;
}
