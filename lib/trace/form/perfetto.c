/* Traces of Perfetto in its own form (perfetto.dev), as its library and its service write them: messages of Protocol
 * Buffers. trace/perfetto has its parts. A file is of one rank, because all its times become times of one clock.
 *
 * The file is read for the snapshots of its clocks and for its tracks before it is read for its events, because both may
 * be behind the events that need them. From a pipe, the events are read with what stands before them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/form/form.h"
#include "trace/input/nest.h"
#include "trace/perfetto/slices.h"
#include "trace/perfetto/timelines.h"

struct perfetto {
    struct ordo_packets packets;
    struct ordo_timelines timelines;
    struct ordo_descriptors descriptors;
    struct ordo_sequences sequences;
    struct ordo_tracks tracks;
    struct ordo_nest nest; /* the open regions, because an end does not repeat what its begin states */
    bool is_learned, is_begun, is_ended;
    bool is_pending; /* `pending` follows the metadata that was returned last */
    struct ordo_event pending;
};

static void perfetto_reset(struct perfetto *perfetto)
{
    ordo_packets_reset(&perfetto->packets);
    ordo_timelines_reset(&perfetto->timelines);
    ordo_sequences_free(&perfetto->sequences);
    ordo_tracks_free(&perfetto->tracks);
    ordo_nest_free(&perfetto->nest);
    perfetto->is_begun = perfetto->is_ended = perfetto->is_pending = false;
}

static void perfetto_close(struct ordo_reader *reader)
{
    struct perfetto *perfetto = reader->state;
    if (!perfetto)
        return;
    perfetto_reset(perfetto);
    ordo_timelines_free(&perfetto->timelines);
    ordo_descriptors_free(&perfetto->descriptors);
    free(perfetto);
    reader->state = NULL;
}

static int fail_perfetto(const struct ordo_reader *reader, int failed, struct ordo_error *error)
{
    return failed == -2 ? ordo_reader_refuse(reader, error, "has millions of clocks or tracks: it is no trace")
                        : ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", reader->input.path);
}

static int perfetto_open(struct ordo_reader *reader, struct ordo_error *error)
{
    reader->state = calloc(1, sizeof(struct perfetto));
    return reader->state ? ORDO_OK : fail_perfetto(reader, -1, error);
}

static int perfetto_again(struct ordo_reader *reader, struct ordo_error *error)
{
    (void)error;
    perfetto_reset(reader->state);
    return ORDO_OK;
}

/* Reads the next packet. If the file ends within a packet, the packets end before it. */
static int next_packet(struct ordo_reader *reader, struct ordo_packet *packet, struct ordo_error *error)
{
    struct perfetto *perfetto = reader->state;
    perfetto->packets.input = &reader->input;
    perfetto->packets.odds = &reader->odds;
    int more = ordo_packets_next(&perfetto->packets, packet, error);
    if (more != ORDO_E_TRUNCATED || !reader->partial)
        return more;
    ordo_odds_note(&reader->odds, ORDO_ODD_CUT, reader->input.row, 1);
    return 0;
}

static int learn_packet(struct perfetto *perfetto, const struct ordo_packet *packet)
{
    int failed = packet->snapshot.length > 0 ? ordo_timelines_learn(&perfetto->timelines, packet->snapshot) : 0;
    if (!failed && packet->track.length > 0)
        failed = ordo_descriptors_learn(&perfetto->descriptors, packet->track);
    return failed;
}

/* Reads all snapshots and tracks, and returns to the beginning. */
static int learn_all(struct ordo_reader *reader, struct ordo_error *error)
{
    struct perfetto *perfetto = reader->state;
    struct ordo_packet packet;
    int more, failed = 0;
    if (perfetto->is_learned || lseek(reader->input.fd, 0, SEEK_CUR) < 0)
        return ORDO_OK;
    while (!failed && (more = next_packet(reader, &packet, error)) == 1)
        failed = learn_packet(perfetto, &packet);
    if (failed)
        return fail_perfetto(reader, failed, error);
    if (more < 0)
        return more;
    ordo_timelines_settle(&perfetto->timelines);
    perfetto->is_learned = true;
    memset(reader->odds.of, 0, sizeof reader->odds.of);
    ordo_packets_reset(&perfetto->packets);
    return ordo_input_rewind(&reader->input, error);
}

static int note_perfetto_odd(struct ordo_reader *reader, enum ordo_odd odd, struct ordo_error *error)
{
    return ordo_reader_odd(reader, odd, reader->input.row, 1, error);
}

/* Finds the thread of an event. Returns NULL if out of memory. */
static struct ordo_thread_track *find_thread(struct perfetto *perfetto, const struct ordo_sequence *sequence,
                                             const struct ordo_slice *slice, struct ordo_descriptor *descriptor)
{
    char process[24] = "", thread[40];
    bool has_track = slice->has_track || sequence->has_track;
    uint64_t track = slice->has_track ? slice->track : sequence->has_track ? sequence->track : 0;
    bool is_old = !has_track && sequence->thread.tid >= 0;
    *descriptor = is_old ? sequence->thread : ordo_descriptors_find(&perfetto->descriptors, track);
    if (descriptor->pid >= 0)
        (void)snprintf(process, sizeof process, "%" PRId64, descriptor->pid);
    if (descriptor->tid >= 0)
        (void)snprintf(thread, sizeof thread, "%" PRId64, descriptor->tid);
    else
        (void)snprintf(thread, sizeof thread, "track %" PRIx64, track);
    return ordo_tracks_find(&perfetto->tracks, slice->event->rank, (struct ordo_text){process, strlen(process)},
                            (struct ordo_text){thread, strlen(thread)});
}

/* Takes the begins and ends of a thread. */
static int nest_slice(struct ordo_reader *reader, struct ordo_thread_track *track, struct ordo_event *event,
                      struct ordo_error *error)
{
    struct perfetto *perfetto = reader->state;
    if (event->kind == ORDO_EVENT_BEGIN) {
        if (track->open++ == 0)
            track->open_row = event->row;
        return ordo_nest_keep(&perfetto->nest, track, event) ? fail_perfetto(reader, -1, error) : ORDO_OK;
    }
    if (event->kind != ORDO_EVENT_END)
        return ORDO_OK;
    if (track->open == 0)
        return note_perfetto_odd(reader, ORDO_ODD_EARLY_END, error);
    ordo_nest_give(&perfetto->nest, track, event);
    track->open--;
    return ORDO_OK;
}

/* Makes metadata of the name of a thread, which is returned before its first event. */
static void name_thread(struct perfetto *perfetto, const struct ordo_descriptor *descriptor, struct ordo_event *event)
{
    perfetto->pending = *event;
    perfetto->is_pending = true;
    *event = (struct ordo_event){.kind = ORDO_EVENT_META,
                                 .rank = event->rank,
                                 .thread = event->thread,
                                 .row = event->row,
                                 .name = {ORDO_EVENT_THREAD_NAME, sizeof ORDO_EVENT_THREAD_NAME - 1},
                                 .raw = perfetto->descriptors.names.all[descriptor->name - 1]};
}

/* Sets the time of a packet. Returns 1; 0 if the packet is left out; or a negative code. */
static int set_packet_time(struct ordo_reader *reader, const struct ordo_packet *packet,
                           const struct ordo_sequence *sequence, int64_t *time_ns, struct ordo_error *error)
{
    struct perfetto *perfetto = reader->state;
    uint32_t clock = packet->clock ? packet->clock : sequence->clock;
    int code = ORDO_OK, known = ORDO_TIME_KNOWN;
    if (packet->has_timestamp)
        known = ordo_timelines_time(&perfetto->timelines, packet, clock, time_ns);
    bool is_wanted = packet->event.length > 0;
    if (is_wanted && !packet->has_timestamp)
        code = note_perfetto_odd(reader, ORDO_ODD_NO_TIME, error);
    else if (is_wanted && known == ORDO_TIME_UNKNOWN)
        code = note_perfetto_odd(reader, ORDO_ODD_NO_CLOCK, error);
    else if (is_wanted && known == ORDO_TIME_FAR)
        code = note_perfetto_odd(reader, ORDO_ODD_FAR_TIME, error);
    else if (is_wanted && known == ORDO_TIME_APART)
        code = note_perfetto_odd(reader, ORDO_ODD_CLOCK_STEP, error);
    return code ? code : is_wanted && packet->has_timestamp && known <= ORDO_TIME_APART;
}

/* Makes an event of a packet, whose time is set. */
static int set_slice(struct ordo_reader *reader, const struct ordo_packet *packet, const struct ordo_sequence *sequence,
                     struct ordo_event *event, struct ordo_error *error)
{
    struct perfetto *perfetto = reader->state;
    struct ordo_slice slice = {.event = event};
    struct ordo_descriptor descriptor;
    ordo_slice_read(&perfetto->sequences, packet, &slice);
    event->rank = reader->rank < 0 ? 0 : reader->rank;
    struct ordo_thread_track *track = find_thread(perfetto, sequence, &slice, &descriptor);
    if (!track)
        return fail_perfetto(reader, -1, error);
    event->thread = track->number;
    bool is_named = track->open_row > 0 || descriptor.name == 0;
    track->open_row = track->open_row > 0 ? track->open_row : event->row;
    int code = nest_slice(reader, track, event, error);
    if (!code)
        code = ordo_event_check(reader, event, error);
    if (!code && !is_named)
        name_thread(perfetto, &descriptor, event);
    return code;
}

/* Reads an event of a packet. Returns 1; 0 if it has none; or a negative code. */
static int read_packet_event(struct ordo_reader *reader, const struct ordo_packet *packet, struct ordo_event *event,
                             struct ordo_error *error)
{
    struct perfetto *perfetto = reader->state;
    bool is_lost = false;
    struct ordo_sequence *sequence = ordo_sequences_take(&perfetto->sequences, packet, &is_lost);
    int failed = sequence ? 0 : -1, code = ORDO_OK;
    if (!failed && !perfetto->is_learned)
        failed = learn_packet(perfetto, packet);
    if (!failed && packet->snapshot.length > 0)
        failed = ordo_timelines_learn_own(&perfetto->timelines, packet->snapshot, packet->sequence);
    if (failed)
        return fail_perfetto(reader, failed, error);
    if (is_lost)
        code = note_perfetto_odd(reader, ORDO_ODD_GAP, error);
    if (!code && packet->has_kernel_events)
        code = note_perfetto_odd(reader, ORDO_ODD_KERNEL, error);
    if (code)
        return code;
    if (packet->needs_state && !sequence->is_valid)
        return packet->event.length > 0 ? note_perfetto_odd(reader, ORDO_ODD_NO_STATE, error) : ORDO_OK;
    *event = ordo_event_none(reader);
    int some = set_packet_time(reader, packet, sequence, &event->time_ns, error);
    if (some == 1)
        code = set_slice(reader, packet, sequence, event, error);
    return code ? code : some;
}

/* Counts the begins without an end. */
static int end_perfetto(struct ordo_reader *reader, struct ordo_error *error)
{
    struct perfetto *perfetto = reader->state;
    uint64_t count = 0, row = UINT64_MAX;
    for (uint32_t i = 0; i < perfetto->tracks.names.count && i < perfetto->tracks.room; i++) {
        const struct ordo_thread_track *track = &perfetto->tracks.all[i];
        count += track->open;
        row = track->open > 0 && track->open_row < row ? track->open_row : row;
    }
    perfetto->is_ended = true;
    if (count == 0)
        return ORDO_OK;
    ordo_odds_note(&reader->odds, ORDO_ODD_OPEN_BEGIN, row, count - 1);
    return note_perfetto_odd(reader, ORDO_ODD_OPEN_BEGIN, error);
}

static int perfetto_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct perfetto *perfetto = reader->state;
    struct ordo_packet packet;
    int code = perfetto->is_begun ? ORDO_OK : learn_all(reader, error);
    perfetto->is_begun = true;
    if (code || perfetto->is_ended)
        return code;
    if (perfetto->is_pending) {
        *event = perfetto->pending;
        perfetto->is_pending = false;
        return 1;
    }
    do {
        code = next_packet(reader, &packet, error);
        if (code == 0)
            return end_perfetto(reader, error);
        if (code == 1)
            code = read_packet_event(reader, &packet, event, error);
    } while (code == 0);
    return code;
}

const struct ordo_form ordo_form_perfetto = {
    .name = "perfetto",
    .title = "a trace of Perfetto, in Protocol Buffers",
    .suffix = ".pftrace",
    .of_one_rank = true,
    .looks_first = true,
    .looks = ordo_packets_look,
    .open = perfetto_open,
    .again = perfetto_again,
    .next = perfetto_next,
    .close = perfetto_close,
};
