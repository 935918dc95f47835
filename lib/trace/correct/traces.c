#include "trace/correct/traces.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/plural.h"

/* Refuses two files of one rank, which would be two clocks under one name, and files of different runs. */
static int check_pair(const struct ordo_reader *a, const struct ordo_reader *b, struct ordo_error *error)
{
    if (a->rank >= 0 && a->rank == b->rank)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: is of rank %d, and so is %s: leave one of them out",
                              a->input.path, a->rank, b->input.path);
    if (a->form->is_whole || b->form->is_whole)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s: may name spans of %s: put both into one file, one behind the other", a->input.path,
                              b->input.path);
    if (a->run != 0 && b->run != 0 && a->run != b->run)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: is of another run than %s: leave one of them out",
                              a->input.path, b->input.path);
    return ORDO_OK;
}

static int check_ranks(const struct ordo_traces *traces, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 0; i < traces->count; i++)
        for (int k = 0; !code && k < i; k++)
            code = check_pair(&traces->files[i].reader, &traces->files[k].reader, error);
    return code;
}

int ordo_traces_open(struct ordo_traces *traces, const struct ordo_traces_options *options, struct ordo_error *error)
{
    int code = ORDO_OK;
    *traces = (struct ordo_traces){.files = calloc((size_t)options->count, sizeof *traces->files),
                                   .heap = calloc((size_t)options->count, sizeof *traces->heap),
                                   .tell = options->tell};
    if (!traces->files || !traces->heap)
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d file%s: out of memory", options->count,
                              ordo_plural(options->count));
    for (int i = 0; !code && i < options->count; i++) {
        struct ordo_reader *reader = &traces->files[i].reader;
        reader->rank = -1;
        code = ordo_reader_open(reader, options->paths[i], options->form, &options->columns, error);
        reader->odds.is_strict = options->strict;
        traces->count += !code;
        traces->files[i].is_pipe = !code && lseek(reader->input.fd, 0, SEEK_CUR) < 0;
        reader->partial = options->partial;
        if (!code && reader->form->of_one_rank && reader->rank < 0 && options->count > 1)
            reader->rank = i;
    }
    if (!code)
        code = check_ranks(traces, error);
    if (code)
        ordo_traces_close(traces);
    return code;
}

void ordo_traces_close(struct ordo_traces *traces)
{
    for (int i = 0; i < traces->count; i++) {
        if (traces->tell && traces->ended)
            traces->tell(&traces->files[i].reader);
        ordo_reader_close(&traces->files[i].reader);
    }
    free(traces->files);
    free(traces->heap);
    *traces = (struct ordo_traces){0};
}

/* Notes the begin of a span and not its end; [U1] of clocks/unit.h allows leaving out times. The end is the begin plus
 * a duration. If the begin was rounded to us and the duration was not, the end has more digits than the clock's reading
 * had, so its digits do not show the granule. */
void ordo_trace_note(struct ordo_clocks *clocks, const struct ordo_trace_of_file *file)
{
    const struct ordo_event *event = &file->event;
    if (event->kind == ORDO_EVENT_META || file->is_moved)
        return;
    ordo_clocks_note(clocks, event->rank, event->time_ns, file->reader.step_ns);
}

/* Moves an event on a device whose clock is corrected to the clock of its host. */
static void move_event(const struct ordo_traces *traces, struct ordo_trace_of_file *file)
{
    struct ordo_event *event = &file->event;
    const struct ordo_device *device =
        traces->devices ? ordo_devices_of(traces->devices, (int)(file - traces->files), event) : NULL;
    file->is_moved = device != NULL;
    if (!device)
        return;
    file->begins = ordo_device_place(device, event->time_ns);
    file->ends = ordo_device_place(device, event->time_ns + event->duration_ns);
    event->moved_ns = file->begins.time_ns - event->time_ns;
    event->time_ns = file->begins.time_ns;
    event->duration_ns = file->ends.time_ns - file->begins.time_ns;
}

/* Widens the bounds of an event by the bounds of its device's clock: the stamp is that of place->time_ns. */
static void widen_by_device(struct ordo_clocks *clocks, int32_t rank, const struct ordo_device_place *place,
                            struct ordo_event_stamp *stamp)
{
    struct ordo_event_stamp other;
    stamp->earliest_ns = stamp->global_ns - ORDO_CLOCKS_APART;
    if (place->earliest_ns != INT64_MIN && ordo_clocks_stamp(clocks, rank, place->earliest_ns, &other))
        stamp->earliest_ns = other.earliest_ns < stamp->global_ns ? other.earliest_ns : stamp->global_ns;
    stamp->latest_ns = stamp->global_ns + ORDO_CLOCKS_APART;
    if (place->latest_ns != INT64_MAX && ordo_clocks_stamp(clocks, rank, place->latest_ns, &other))
        stamp->latest_ns = other.latest_ns > stamp->global_ns ? other.latest_ns : stamp->global_ns;
}

static int place_file(const struct ordo_traces *traces, struct ordo_trace_of_file *file, struct ordo_error *error)
{
    const struct ordo_event *event = &file->event;
    if (event->kind == ORDO_EVENT_META) {
        file->stamp = file->end = (struct ordo_event_stamp){INT64_MIN, INT64_MIN, INT64_MIN};
        return ORDO_OK;
    }
    if (!traces->clocks) {
        file->stamp = file->reader.corrected
                          ? file->reader.stamp
                          : (struct ordo_event_stamp){event->time_ns, event->time_ns, event->time_ns};
        file->end = (struct ordo_event_stamp){ordo_event_after(file->stamp.global_ns, event->duration_ns),
                                              ordo_event_after(file->stamp.earliest_ns, event->duration_ns),
                                              ordo_event_after(file->stamp.latest_ns, event->duration_ns)};
        return ORDO_OK;
    }
    if (file->is_pipe)
        ordo_trace_note(traces->clocks, file);
    if (!ordo_clocks_stamp(traces->clocks, event->rank, event->time_ns, &file->stamp)) {
        (void)ordo_reader_refuse(&file->reader, error,
                                 "nothing is known of the clock of rank %d: let it take part in a session, or exchange "
                                 "messages in both directions with the others, or take part in their barriers",
                                 event->rank);
        if (error)
            error->code = ORDO_E_MEASURE;
        return ORDO_E_MEASURE;
    }
    if (event->kind == ORDO_EVENT_SPAN)
        (void)ordo_clocks_stamp(traces->clocks, event->rank, event->time_ns + event->duration_ns, &file->end);
    if (file->is_moved)
        widen_by_device(traces->clocks, event->rank, &file->begins, &file->stamp);
    if (file->is_moved && event->kind == ORDO_EVENT_SPAN)
        widen_by_device(traces->clocks, event->rank, &file->ends, &file->end);
    return ORDO_OK;
}

static int advance(const struct ordo_traces *traces, struct ordo_trace_of_file *file, struct ordo_error *error)
{
    int more = ordo_reader_next(&file->reader, &file->event, error);
    file->some = more == 1;
    if (more != 1)
        return more;
    move_event(traces, file);
    return place_file(traces, file, error);
}

static bool earlier(const struct ordo_traces *traces, int a, int b)
{
    int64_t x = traces->files[a].stamp.global_ns, y = traces->files[b].stamp.global_ns;
    return x != y ? x < y : a < b;
}

static void sift(struct ordo_traces *traces, int at)
{
    int *heap = traces->heap, moved = heap[at];
    for (int child; (child = 2 * at + 1) < traces->size; at = child) {
        if (child + 1 < traces->size && earlier(traces, heap[child + 1], heap[child]))
            child++;
        if (!earlier(traces, heap[child], moved))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

int ordo_traces_start(struct ordo_traces *traces, struct ordo_clocks *clocks, struct ordo_error *error)
{
    int code = ORDO_OK;
    traces->clocks = clocks;
    traces->size = 0;
    traces->begun = traces->ended = false;
    for (int i = 0; !code && i < traces->count; i++) {
        if (traces->started)
            code = ordo_reader_rewind(&traces->files[i].reader, error);
        if (!code)
            code = advance(traces, &traces->files[i], error);
        if (!code && traces->files[i].some)
            traces->heap[traces->size++] = i;
    }
    traces->started = true;
    for (int i = traces->size / 2 - 1; i >= 0; i--)
        sift(traces, i);
    return code;
}

int ordo_traces_next(struct ordo_traces *traces, const struct ordo_trace_of_file **file, struct ordo_error *error)
{
    if (traces->begun && traces->size > 0) { /* the event that was returned last is from the first file of the heap */
        struct ordo_trace_of_file *first = &traces->files[traces->heap[0]];
        int code = advance(traces, first, error);
        if (code)
            return code;
        if (!first->some)
            traces->heap[0] = traces->heap[--traces->size];
        if (traces->size > 0)
            sift(traces, 0);
    }
    traces->begun = true;
    traces->ended = traces->size == 0;
    if (traces->ended)
        return 0;
    *file = &traces->files[traces->heap[0]];
    return 1;
}
