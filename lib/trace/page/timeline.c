#include "trace/page/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/device/devices.h"
#include "trace/page/apart.h"

/* The columns of the blocks, which data.js reads:
 * - bars: begin, end, name, row, two ranges before and behind the begin, two of the end, depth
 * - messages: sent, received, bytes, row of the sender, row of the receiver, tag, flags */
static const char BARS[] = "884422221", MESSAGES[] = "8884441";

enum { DEPTH_POINT = 254, DEPTH_UNKNOWN = 255, DEPTH_MOST = 253 };
enum { NAME_COLUMN = 2, BYTES_COLUMN = 2 };
enum { HAS_BYTES = 1, CERTAINLY_EARLY = 2, IS_LAUNCH = 4 };

static uint64_t since_first(const struct ordo_timeline *timeline, int64_t global_ns)
{
    return ordo_block_real((double)ordo_page_apart(timeline->analysis->first_ns, global_ns));
}

static bool is_outside(const struct ordo_timeline *timeline, int64_t begin_ns, int64_t end_ns)
{
    return end_ns < timeline->options->begin_ns || begin_ns > timeline->options->end_ns;
}

static int put_bar(struct ordo_timeline *timeline, const struct ordo_region *region, int depth)
{
    const struct ordo_event_stamp *begin = &region->begin, *end = &region->end;
    if (is_outside(timeline, begin->global_ns, end->global_ns)) {
        timeline->outside++;
        return 0;
    }
    uint32_t row = ordo_page_rows_number(&timeline->rows, region->rank, region->thread);
    if (row == UINT32_MAX)
        return -1;
    *(depth == DEPTH_POINT ? &timeline->result->points : &timeline->result->bars) += 1;
    return ordo_drawn_take(
        &timeline->bars, row, (uint64_t)depth, ordo_page_apart(timeline->analysis->first_ns, begin->global_ns),
        ordo_page_apart(begin->global_ns, end->global_ns),
        (const uint64_t[]){since_first(timeline, begin->global_ns), since_first(timeline, end->global_ns), region->name,
                           row, ordo_block_range(ordo_page_apart(begin->earliest_ns, begin->global_ns)),
                           ordo_block_range(ordo_page_apart(begin->global_ns, begin->latest_ns)),
                           ordo_block_range(ordo_page_apart(end->earliest_ns, end->global_ns)),
                           ordo_block_range(ordo_page_apart(end->global_ns, end->latest_ns)), (uint64_t)depth});
}

/* Takes a message; the id of an end is the number of its row. */
static int put_message(void *context, const struct ordo_event *event, const struct ordo_end *send,
                       const struct ordo_end *recv)
{
    struct ordo_timeline *timeline = context;
    int64_t sent = send->stamp.global_ns, received = recv->stamp.global_ns;
    bool certain = recv->stamp.latest_ns < send->stamp.earliest_ns;
    if (is_outside(timeline, sent < received ? sent : received, sent < received ? received : sent)) {
        timeline->outside++;
        return 0;
    }
    timeline->result->arrows++;
    /* An early message is never merged with others. */
    int64_t length_ns = received < sent ? -1 : ordo_page_apart(sent, received);
    return ordo_drawn_take(&timeline->messages, send->id, recv->id, ordo_page_apart(timeline->analysis->first_ns, sent),
                           length_ns,
                           (const uint64_t[ORDO_DRAWN_WORDS]){
                               since_first(timeline, sent), since_first(timeline, received),
                               ordo_block_real((double)event->bytes), send->id, recv->id, (uint32_t)event->tag,
                               (uint64_t)(event->has_bytes ? HAS_BYTES : 0) | (certain ? CERTAINLY_EARLY : 0)});
}

/* Takes a region that has ended. */
static int put_region(void *context, const struct ordo_region *region)
{
    struct ordo_timeline *timeline = context;
    int depth = region->depth < DEPTH_MOST ? region->depth : DEPTH_MOST;
    timeline->counts->closed += !timeline->is_span && !region->is_open;
    return put_bar(timeline, region, timeline->is_span ? DEPTH_UNKNOWN : depth);
}

/* Returns the stamp of the end of a span. Without clocks its bounds are as far from it as those of the begin are from
 * the begin. */
static struct ordo_event_stamp end_of_span(const struct ordo_timeline *timeline, const struct ordo_trace_of_file *file)
{
    int64_t duration_ns = file->event.duration_ns;
    struct ordo_event_stamp end = file->end;
    if (!timeline->has_clocks) {
        end.earliest_ns = ordo_page_after(file->stamp.earliest_ns, duration_ns);
        end.latest_ns = ordo_page_after(file->stamp.latest_ns, duration_ns);
    }
    return end;
}

/* Takes an event that is drawn in its row. Returns 0, or -1 if out of memory. */
static int take_drawn(struct ordo_timeline *timeline, const struct ordo_trace_of_file *file)
{
    const struct ordo_event *event = &file->event;
    uint32_t name = ordo_names_number(&timeline->analysis->names, event->name);
    struct ordo_region point = {
        .rank = event->rank, .thread = event->thread, .name = name, .begin = file->stamp, .end = file->stamp};
    if (name == UINT32_MAX)
        return -1;
    if (event->kind == ORDO_EVENT_POINT)
        return put_bar(timeline, &point, DEPTH_POINT);
    uint64_t closed = timeline->counts->closed;
    struct ordo_event_stamp end = end_of_span(timeline, file);
    timeline->is_span = event->kind == ORDO_EVENT_SPAN;
    timeline->counts->opened += event->kind == ORDO_EVENT_BEGIN && !event->is_open;
    int code = ordo_regions_take(&timeline->regions, event, name, &file->stamp, &end, put_region, timeline);
    if (event->kind == ORDO_EVENT_END && timeline->counts->closed == closed && timeline->counts->first_alone_row == 0)
        timeline->counts->first_alone_row = event->row;
    return code;
}

/* Samples the clock of an event's rank, and makes its row. Sets *row. */
static int place_span(struct ordo_timeline *timeline, const struct ordo_trace_of_file *file, uint32_t *row)
{
    int rank = ordo_ranks_find(&timeline->analysis->ranks, file->event.rank);
    uint32_t count = timeline->rows.count;
    *row = ordo_page_rows_number(&timeline->rows, file->event.rank, file->event.thread);
    bool is_new = timeline->rows.count > count || (*row != UINT32_MAX && !timeline->rows.all[*row].title);
    bool describes = is_new && strcmp(file->reader.form->name, "chrome") == 0;
    if (*row == UINT32_MAX || (describes && ordo_page_rows_describe(&timeline->rows, *row, file->event.raw)))
        return -1;
    return rank < 0 ? 0 : ordo_samples_take(&timeline->samples[rank], file->event.time_ns, &file->stamp);
}

/* Draws an arrow from the call that launched a kernel. Without clocks the times are those of the file. */
static int put_launch(struct ordo_timeline *timeline, const struct ordo_traces *traces,
                      const struct ordo_trace_of_file *file, uint32_t row)
{
    int at = (int)(file - traces->files);
    const struct ordo_work_call *call = ordo_devices_launch(traces->devices, at, &file->event);
    struct ordo_event_stamp stamp;
    if (!call || !traces->clocks || !ordo_clocks_stamp(traces->clocks, call->rank, call->begin_ns, &stamp))
        return 0;
    uint32_t from = ordo_page_rows_number(&timeline->rows, call->rank, call->thread);
    int64_t sent = stamp.global_ns, begun = file->stamp.global_ns;
    if (from == UINT32_MAX)
        return -1;
    if (is_outside(timeline, sent < begun ? sent : begun, sent < begun ? begun : sent)) {
        timeline->outside++;
        return 0;
    }
    timeline->result->arrows++;
    bool certain = file->stamp.latest_ns < stamp.earliest_ns;
    return ordo_drawn_take(&timeline->messages, from, row, ordo_page_apart(timeline->analysis->first_ns, sent),
                           begun < sent ? -1 : ordo_page_apart(sent, begun),
                           (const uint64_t[ORDO_DRAWN_WORDS]){since_first(timeline, sent), since_first(timeline, begun),
                                                              ordo_block_real(0), from, row, UINT32_MAX,
                                                              (uint64_t)(IS_LAUNCH | (certain ? CERTAINLY_EARLY : 0))});
}

/* Draws the launch of a kernel, and makes its row that of a device. */
static int take_work(struct ordo_timeline *timeline, const struct ordo_traces *traces,
                     const struct ordo_trace_of_file *file, uint32_t row)
{
    if (file->event.device.role != ORDO_DEVICE_WORK)
        return 0;
    if (ordo_page_rows_device(&timeline->rows, row, &file->event.device))
        return -1;
    return traces->devices ? put_launch(timeline, traces, file, row) : 0;
}

static int take_shown(struct ordo_timeline *timeline, struct ordo_match *match, const struct ordo_traces *traces,
                      const struct ordo_trace_of_file *file, struct ordo_error *error)
{
    struct ordo_page_file *counts = &timeline->files[file - traces->files];
    const struct ordo_event *event = &file->event;
    uint32_t row;
    timeline->counts = counts;
    counts->of_kind[event->kind]++;
    if (ordo_page_rows_name(&timeline->rows, event))
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "names of threads: out of memory");
    if (event->kind >= ORDO_EVENT_OTHER)
        return ORDO_OK;
    if (place_span(timeline, file, &row) || take_drawn(timeline, file) || take_work(timeline, traces, file, row))
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "rows of the timeline: out of memory");
    if (event->kind == ORDO_EVENT_SEND || event->kind == ORDO_EVENT_RECV) {
        int code = ordo_match_take(match, event, &file->stamp, row, error);
        if (code)
            return code;
    }
    return ORDO_OK;
}

static int make_room(struct ordo_timeline *timeline, const struct ordo_traces *traces, FILE *stream)
{
    timeline->samples = calloc((size_t)timeline->analysis->ranks.count + 1, sizeof *timeline->samples);
    timeline->files = calloc((size_t)traces->count + 1, sizeof *timeline->files);
    int bars = ordo_blocks_begin(&timeline->bars.blocks, stream, "bars", BARS);
    int messages = ordo_blocks_begin(&timeline->messages.blocks, stream, "messages", MESSAGES);
    return timeline->samples && timeline->files && !bars && !messages ? 0 : -1;
}

/* Takes all events. */
static int take_traces(struct ordo_timeline *timeline, struct ordo_traces *traces, FILE *stream,
                       struct ordo_error *error)
{
    const struct ordo_trace_of_file *file;
    struct ordo_match *match = ordo_match_create(put_message, NULL, timeline);
    int more = 0, code = ORDO_OK;
    timeline->has_clocks = traces->clocks != NULL;
    if (make_room(timeline, traces, stream) || !match)
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "the timeline: out of memory");
    while (!code && (more = ordo_traces_next(traces, &file, error)) == 1)
        code = take_shown(timeline, match, traces, file, error);
    struct ordo_event_stamp last = {timeline->analysis->last_ns, timeline->analysis->last_ns,
                                    timeline->analysis->last_ns};
    timeline->is_span = false;
    if (!code && !more && ordo_regions_finish(&timeline->regions, &last, put_region, timeline))
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "rows of the timeline: out of memory");
    for (int i = 0; timeline->samples && i < timeline->analysis->ranks.count; i++)
        ordo_samples_sort(&timeline->samples[i]);
    ordo_match_free(match);
    ordo_regions_free(&timeline->regions);
    return code ? code : more;
}

/* Chooses the length below which bars or messages are merged. */
static int choose_length(struct ordo_drawn *drawn, const struct ordo_drawn *counted, uint64_t most, const char *what,
                         struct ordo_error *error)
{
    drawn->shift = -1;
    if (counted->overview.total <= most)
        return ORDO_OK;
    drawn->shift = ordo_overview_choose(&counted->overview, most / 4);
    if (drawn->shift >= 0)
        return ORDO_OK;
    return ordo_error_set(
        error, ORDO_E_INVALID, 0,
        "the timeline has %u rows or depths of %s, too many for an overview of %llu: choose a shorter "
        "time with --begin and --end, or raise --most",
        counted->overview.count, what, (unsigned long long)most / 4);
}

int ordo_timeline_measure(struct ordo_timeline *timeline, struct ordo_traces *traces, struct ordo_error *error)
{
    struct ordo_page_result result = {0};
    struct ordo_timeline counting = {.options = timeline->options,
                                     .result = &result,
                                     .analysis = timeline->analysis,
                                     .bars = {.is_counting = true},
                                     .messages = {.is_counting = true}};
    uint64_t most = timeline->options->most;
    int code = take_traces(&counting, traces, NULL, error);
    if (!code)
        code = choose_length(&timeline->bars, &counting.bars, most, "bars", error);
    if (!code)
        code = choose_length(&timeline->messages, &counting.messages, most, "messages", error);
    ordo_timeline_free(&counting);
    return code;
}

/* Gives merged bars a name. */
static int name_merged(struct ordo_timeline *timeline)
{
    char text[80];
    int shift = timeline->bars.shift;
    timeline->bars.name_column = NAME_COLUMN;
    timeline->bars.bytes_column = timeline->messages.name_column = -1;
    timeline->messages.bytes_column = BYTES_COLUMN;
    if (shift < 0)
        return 0;
    timeline->result->bars_ns = INT64_C(1) << shift;
    int length = snprintf(text, sizeof text, "(several shorter than %.4g us)", ldexp(1e-3, shift));
    timeline->bars.merged_name =
        ordo_names_number(&timeline->analysis->names, (struct ordo_text){text, (size_t)length});
    return timeline->bars.merged_name == UINT32_MAX ? -1 : 0;
}

int ordo_timeline_write(struct ordo_timeline *timeline, struct ordo_traces *traces, FILE *stream,
                        struct ordo_error *error)
{
    struct ordo_page_result *result = timeline->result;
    if (name_merged(timeline))
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "the timeline: out of memory");
    if (timeline->messages.shift >= 0)
        result->arrows_ns = INT64_C(1) << timeline->messages.shift;
    int code = take_traces(timeline, traces, stream, error);
    ordo_drawn_finish(&timeline->bars);
    ordo_drawn_finish(&timeline->messages);
    ordo_blocks_end(&timeline->bars.blocks);
    ordo_blocks_end(&timeline->messages.blocks);
    result->merged_bars = timeline->bars.merged;
    result->merged_arrows = timeline->messages.merged;
    result->rows = timeline->rows.count;
    return code;
}

void ordo_timeline_free(struct ordo_timeline *timeline)
{
    for (int i = 0; timeline->samples && i < timeline->analysis->ranks.count; i++)
        ordo_samples_free(&timeline->samples[i]);
    free(timeline->samples);
    free(timeline->files);
    ordo_page_rows_free(&timeline->rows);
    ordo_drawn_free(&timeline->bars);
    ordo_drawn_free(&timeline->messages);
}
