/* Ordo's own form: the files that libordo-trace records (trace/file/layout.h), one for each rank. The form is only
 * read, because a corrected trace has no raw ticks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/clocks/clocks.h"
#include "trace/event/collective.h"
#include "trace/file/layout.h"
#include "trace/form/form.h"

enum { STRINGS_MOST = 1 << 20 };

struct name {
    struct ordo_text text;
    enum ordo_event_collective makes;
};

/* A communicator of the file: its number in the run, and this rank's number in the communicator. */
struct group {
    uint64_t id;
    uint32_t communicator;
    int32_t place;
};

struct binary {
    struct ordo_trace_head head;
    struct ordo_trace_chunk chunk;
    const char *payload; /* in the input's buffer */
    uint32_t next;       /* index of the next event in the chunk */
    uint64_t number;     /* of the next chunk */
    bool closed;
    uint64_t exchanges, lost;
    struct name *names;
    uint32_t name_count, name_room;
    struct group world, *groups; /* `groups` is sorted by `communicator` */
    uint32_t group_count, group_room;
};

/* True if a time is so small that it can be added and subtracted without overflow. */
static bool in_range(int64_t time_ns)
{
    return time_ns >= 0 && time_ns <= INT64_MAX / 4;
}

static bool binary_looks(struct ordo_text beginning)
{
    return beginning.length >= 8 && memcmp(beginning.at, ORDO_TRACE_MAGIC, 8) == 0;
}

static void binary_close(struct ordo_reader *reader)
{
    struct binary *binary = reader->state;
    for (uint32_t i = 0; binary && i < binary->name_count; i++)
        free((char *)binary->names[i].text.at);
    if (binary) {
        free(binary->names);
        free(binary->groups);
    }
    free(binary);
    reader->state = NULL;
}

static int refuse_file(const struct ordo_reader *reader, struct ordo_error *error, int code, const char *what)
{
    return ordo_error_set(error, code, 0, "%s: byte %" PRIu64 ": %s", reader->input.path,
                          reader->input.before + reader->input.at, what);
}

/* True if this rank was proved, and not only declared, to share the clock of another rank. */
static bool is_proved(const struct ordo_trace_head *head)
{
    return head->clock_of != head->rank && head->node == (uint32_t)head->clock_of;
}

static bool sound_proof(const struct ordo_trace_head *head)
{
    return head->layout == 1 || !is_proved(head) ||
           (in_range(head->shared_at_ns) && in_range(head->shared_for_ns) && in_range(head->shared_residual_ns) &&
            in_range(head->shared_drift_ppb));
}

static int check_head(struct ordo_reader *reader, const struct ordo_trace_head *head, struct ordo_error *error)
{
    if (head->layout < 1 || head->layout > ORDO_TRACE_LAYOUT || head->head_bytes != sizeof *head)
        return refuse_file(reader, error, ORDO_E_LAYOUT,
                           "its layout is of another version: use the ordo-trace of the library that wrote it");
    if (head->checksum != ordo_record_fold(head, offsetof(struct ordo_trace_head, checksum)))
        return refuse_file(reader, error, ORDO_E_CHECKSUM, "its head is damaged: record it again");
    if (head->rank < 0 || head->size < 1 || head->size > ORDO_TRACE_RANKS_MOST || head->rank >= head->size ||
        head->clock_of < 0 || head->clock_of >= head->size || head->ns_mult == 0 || head->ns_shift > 63 ||
        !sound_proof(head))
        return refuse_file(reader, error, ORDO_E_MALFORMED, "its head makes no sense: record it again");
    return ORDO_OK;
}

/* Replaces unprintable characters of a text in the head, because a terminal may show it and the file may come from any
 * source. */
static void clean(char *word, size_t size)
{
    word[size - 1] = '\0';
    for (; *word; word++)
        if (*word < 0x20 || *word > 0x7e)
            *word = '?';
}

/* Returns the step of the clock in ns, rounded up, and at most 1 s. If a tick is not a whole number of ns, the step and
 * each time in ns are rounded down by less than 1 ns; 2 ns are then added to the step for both. */
static int64_t step_of(const struct ordo_trace_head *head)
{
    const int64_t most = 1000000000;
    int64_t step_ns = ordo_trace_local_ns(head, head->granule_ticks);
    bool whole = head->ns_mult == UINT64_C(1) << head->ns_shift;
    if (head->granule_ticks == 0)
        return 0;
    return step_ns < 0 || step_ns >= most ? most : step_ns + 2 * !whole;
}

static int binary_open(struct ordo_reader *reader, struct ordo_error *error)
{
    struct binary *binary = reader->state = calloc(1, sizeof *binary);
    if (!binary)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", reader->input.path);
    ptrdiff_t got = ordo_input_need(&reader->input, sizeof binary->head, error);
    int code = got < 0 ? (int)got : ORDO_OK;
    if (!code && got < (ptrdiff_t)sizeof binary->head)
        code = refuse_file(reader, error, ORDO_E_TRUNCATED, "ends within its head: record it again");
    if (!code) {
        memcpy(&binary->head, reader->input.buffer + reader->input.at, sizeof binary->head);
        code = check_head(reader, &binary->head, error);
        clean(binary->head.clock, sizeof binary->head.clock);
        clean(binary->head.host, sizeof binary->head.host);
    }
    if (code) { /* compute nothing from a refused head */
        binary_close(reader);
        return code;
    }
    reader->input.at += sizeof binary->head;
    binary->world.place = reader->rank = binary->head.rank;
    reader->run = binary->head.run;
    reader->step_ns = step_of(&binary->head);
    return ORDO_OK;
}

/* Returns 0 if the end of the chunks is acceptable. A file without a closing chunk ends where its rank was killed or
 * the file was cut; it is accepted only if the caller accepts partial files. */
static int end_of(const struct ordo_reader *reader, struct ordo_error *error)
{
    const struct binary *binary = reader->state;
    if (binary->closed || reader->partial)
        return 0;
    return refuse_file(
        reader, error, ORDO_E_TRUNCATED,
        "the trace ends without being closed: its rank was killed, or the file is cut: take what is whole "
        "with --partial");
}

/* Reads the next chunk. Returns 1, or 0 at the end, or a negative code. */
static int next_chunk(struct ordo_reader *reader, struct ordo_error *error)
{
    struct binary *binary = reader->state;
    struct ordo_input *input = &reader->input;
    ptrdiff_t got = ordo_input_need(input, sizeof binary->chunk, error);
    if (got < (ptrdiff_t)sizeof binary->chunk || binary->closed)
        return got < 0 ? (int)got : end_of(reader, error);
    memcpy(&binary->chunk, input->buffer + input->at, sizeof binary->chunk);
    if (!ordo_trace_chunk_whole(&binary->chunk))
        return end_of(reader, error);
    size_t bytes = binary->chunk.bytes;
    got = ordo_input_need(input, sizeof binary->chunk + bytes, error);
    if (got < (ptrdiff_t)(sizeof binary->chunk + bytes))
        return got < 0 ? (int)got : end_of(reader, error);
    binary->payload = input->buffer + input->at + sizeof binary->chunk;
    if (binary->chunk.checksum != ordo_record_fold(binary->payload, bytes))
        return refuse_file(reader, error, ORDO_E_CHECKSUM, "this chunk is damaged: record it again");
    if (binary->chunk.number != binary->number++)
        return refuse_file(reader, error, ORDO_E_MALFORMED, "a chunk is missing before this one: record it again");
    input->at += sizeof binary->chunk + bytes;
    binary->closed = binary->chunk.kind == ORDO_TRACE_CLOSED;
    binary->exchanges += binary->chunk.kind == ORDO_TRACE_EXCHANGES ? bytes / sizeof(struct ordo_trace_exchange) : 0;
    binary->lost = binary->closed ? binary->chunk.lost : binary->lost + binary->chunk.lost;
    return 1;
}

static int add_name(struct binary *binary, const char *letters, uint32_t length)
{
    if (binary->name_count == binary->name_room) {
        uint32_t room = binary->name_room ? 2 * binary->name_room : 64;
        struct name *names = room <= STRINGS_MOST ? realloc(binary->names, room * sizeof *names) : NULL;
        if (!names)
            return -1;
        binary->names = names;
        binary->name_room = room;
    }
    char *copy = malloc(length + 1);
    if (!copy)
        return -1;
    memcpy(copy, letters, length);
    for (uint32_t i = 0; i < length; i++)
        if ((unsigned char)copy[i] < 0x20)
            copy[i] = ' ';
    struct ordo_text text = {copy, length};
    binary->names[binary->name_count++] = (struct name){text, ordo_event_collective_of(text)};
    return 0;
}

static int read_strings(struct ordo_reader *reader, struct ordo_error *error)
{
    struct binary *binary = reader->state;
    size_t at = 0, bytes = binary->chunk.bytes;
    while (at < bytes) {
        struct ordo_trace_string string = {0};
        if (bytes - at >= sizeof string)
            memcpy(&string, binary->payload + at, sizeof string);
        if (string.length < 1 || string.length > ORDO_TRACE_NAME_MOST ||
            ordo_trace_padded(string.length) > bytes - at || string.id != binary->name_count + 1)
            return refuse_file(reader, error, ORDO_E_MALFORMED,
                               "the names before it are not in order: record it again");
        if (add_name(binary, binary->payload + at + sizeof string, string.length))
            return refuse_file(reader, error, ORDO_E_SYSTEM, "has too many names for the memory");
        at += ordo_trace_padded(string.length);
    }
    return ORDO_OK;
}

/* Returns the index of a communicator, or the index at which to insert it. */
static uint32_t group_at(const struct binary *binary, uint32_t communicator)
{
    uint32_t low = 0, high = binary->group_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (binary->groups[middle].communicator < communicator)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the group of a communicator; NULL if the file does not describe it. */
static const struct group *group_of(const struct binary *binary, uint32_t communicator)
{
    if (communicator == 0)
        return &binary->world;
    uint32_t at = group_at(binary, communicator);
    return at < binary->group_count && binary->groups[at].communicator == communicator ? &binary->groups[at] : NULL;
}

static int grow_groups(struct binary *binary)
{
    uint32_t room = binary->group_room ? 2 * binary->group_room : 16;
    struct group *groups = realloc(binary->groups, room * sizeof *groups);
    if (!groups)
        return -1;
    binary->groups = groups;
    binary->group_room = room;
    return 0;
}

/* Adds a group, or replaces the group that has the same index. Groups come in ascending order; in layout 1, a few
 * groups that threads made at the same time may be out of order. */
static int keep_group(const struct ordo_reader *reader, const struct group *group, struct ordo_error *error)
{
    enum { TOGETHER = 1024 };
    struct binary *binary = reader->state;
    uint32_t at = group_at(binary, group->communicator);
    if (at < binary->group_count && binary->groups[at].communicator == group->communicator) {
        binary->groups[at] = *group;
        return ORDO_OK;
    }
    if (binary->group_count - at > TOGETHER)
        return refuse_file(reader, error, ORDO_E_MALFORMED,
                           "the communicators before it are not in order: record it again");
    if (binary->group_count == binary->group_room && grow_groups(binary))
        return refuse_file(reader, error, ORDO_E_SYSTEM, "has too many communicators for the memory");
    memmove(&binary->groups[at + 1], &binary->groups[at], (binary->group_count - at) * sizeof *binary->groups);
    binary->groups[at] = *group;
    binary->group_count++;
    return ORDO_OK;
}

/* Reads a group of layout 1. Its number is unique in the run only together with its lowest rank. */
static int read_group_1(struct ordo_reader *reader, struct ordo_error *error)
{
    struct binary *binary = reader->state;
    struct ordo_trace_group_1 head = {0};
    int32_t rank, place = -1, lowest = ORDO_TRACE_RANKS_MOST - 1;
    if (binary->chunk.bytes >= sizeof head)
        memcpy(&head, binary->payload, sizeof head);
    if (binary->chunk.bytes < sizeof head || head.size > (binary->chunk.bytes - sizeof head) / sizeof rank)
        return refuse_file(reader, error, ORDO_E_MALFORMED, "the communicator before it is cut: record it again");
    for (uint32_t i = 0; i < head.size; i++) {
        memcpy(&rank, binary->payload + sizeof head + i * sizeof rank, sizeof rank);
        lowest = rank >= 0 && rank < lowest ? rank : lowest;
        place = place < 0 && rank == binary->head.rank ? (int32_t)i : place;
    }
    struct group group = {ordo_trace_communicator_id(head.communicator, lowest), head.communicator, place};
    return keep_group(reader, &group, error);
}

static int read_group(struct ordo_reader *reader, struct ordo_error *error)
{
    struct binary *binary = reader->state;
    struct ordo_trace_group head = {0};
    if (binary->head.layout == 1)
        return read_group_1(reader, error);
    if (binary->chunk.bytes >= sizeof head)
        memcpy(&head, binary->payload, sizeof head);
    if (binary->chunk.bytes < sizeof head || head.communicator == 0 || head.number == 0 || head.lowest < 0 ||
        head.lowest >= binary->head.size || head.place < 0 || head.place >= binary->head.size)
        return refuse_file(reader, error, ORDO_E_MALFORMED,
                           "the communicator before it makes no sense: record it again");
    struct group group = {ordo_trace_communicator_id(head.number, head.lowest), head.communicator, head.place};
    return keep_group(reader, &group, error);
}

static int next_events(struct ordo_reader *reader, struct ordo_error *error)
{
    struct binary *binary = reader->state;
    int more;
    while ((more = next_chunk(reader, error)) == 1) {
        int code = binary->chunk.kind == ORDO_TRACE_STRINGS ? read_strings(reader, error)
                   : binary->chunk.kind == ORDO_TRACE_GROUP ? read_group(reader, error)
                                                            : ORDO_OK;
        if (code)
            return code;
        binary->next = 0;
        if (binary->chunk.kind == ORDO_TRACE_EVENTS && binary->chunk.count > 0)
            return (uint64_t)binary->chunk.count * sizeof(struct ordo_trace_event) <= binary->chunk.bytes
                       ? 1
                       : refuse_file(reader, error, ORDO_E_MALFORMED,
                                     "the chunk before it is too small: record it again");
    }
    binary->chunk.count = 0;
    return more;
}

static int check_event(const struct ordo_reader *reader, const struct ordo_trace_event *raw, struct ordo_error *error)
{
    const struct binary *binary = reader->state;
    bool message = raw->kind == ORDO_TRACE_SEND || raw->kind == ORDO_TRACE_RECV;
    if (!in_range(ordo_trace_local_ns(&binary->head, raw->ticks)) || raw->kind > ORDO_TRACE_RECV ||
        raw->collective > ORDO_TRACE_PREFIX || raw->name > binary->name_count || raw->peer < -1 ||
        raw->peer >= ORDO_TRACE_RANKS_MOST || (message && raw->peer < 0) || raw->root < -1 ||
        (binary->head.layout > 1 && !group_of(binary, raw->communicator)))
        return refuse_file(reader, error, ORDO_E_MALFORMED, "an event before it makes no sense: record it again");
    return ORDO_OK;
}

/* Sets the name of an event. Other forms recognise a collective by its name. If a call has such a name but no rank
 * waits for another in it, its communicator is therefore set to ORDO_EVENT_NO_COMMUNICATOR. */
static void set_name(struct ordo_event *event, const struct name *name)
{
    bool region = event->kind == ORDO_EVENT_BEGIN || event->kind == ORDO_EVENT_END;
    event->name = name->text;
    if (region && name->makes && !event->collective)
        event->communicator = ORDO_EVENT_NO_COMMUNICATOR;
}

static int binary_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct binary *binary = reader->state;
    struct ordo_trace_event raw;
    if (binary->next >= binary->chunk.count || binary->chunk.kind != ORDO_TRACE_EVENTS) {
        int more = next_events(reader, error);
        if (more != 1)
            return more;
    }
    memcpy(&raw, binary->payload + (size_t)binary->next++ * sizeof raw, sizeof raw);
    int code = check_event(reader, &raw, error);
    const struct group *group = group_of(binary, raw.communicator);
    *event = (struct ordo_event){.time_ns = ordo_trace_local_ns(&binary->head, raw.ticks),
                                 .flow = ORDO_EVENT_NO_FLOW,
                                 .bytes = raw.bytes,
                                 .row = ++reader->input.row,
                                 .rank = binary->head.rank,
                                 .peer = raw.peer,
                                 .tag = raw.tag,
                                 .root = raw.root,
                                 .place = raw.collective == ORDO_TRACE_PREFIX && group ? group->place : -1,
                                 .thread = raw.thread,
                                 .communicator = group ? group->id : ordo_trace_communicator_id(raw.communicator, 0),
                                 .number = raw.number,
                                 .kind = (uint8_t)raw.kind,
                                 .collective = (uint8_t)raw.collective,
                                 .has_bytes = raw.kind != ORDO_TRACE_EVENT};
    if (!code && raw.name > 0)
        set_name(event, &binary->names[raw.name - 1]);
    return code ? code : 1;
}

static int learn_chunk(struct ordo_reader *reader, struct ordo_clocks *clocks, struct ordo_error *error)
{
    struct binary *binary = reader->state;
    const struct ordo_trace_head *head = &binary->head;
    struct ordo_trace_exchange raw;
    int code = ORDO_OK;
    for (size_t at = 0; !code && at + sizeof raw <= binary->chunk.bytes; at += sizeof raw) {
        memcpy(&raw, binary->payload + at, sizeof raw);
        if (raw.master != 0 || raw.received_ticks < raw.sent_ticks || head->rank == 0 || !in_range(raw.master_ns) ||
            !in_range(ordo_trace_local_ns(head, raw.sent_ticks)) ||
            !in_range(ordo_trace_local_ns(head, raw.received_ticks)))
            return refuse_file(reader, error, ORDO_E_MALFORMED,
                               "an exchange before it makes no sense: record it again");
        struct ordo_fix fix = ordo_fix_of_exchange(raw.session, ordo_trace_local_ns(head, raw.sent_ticks),
                                                   raw.master_ns, ordo_trace_local_ns(head, raw.received_ticks));
        code = ordo_fixes_add(&clocks->of[head->rank].fixes, &fix, error);
    }
    return code;
}

/* Learns which clock the rank shares. Layout 1 lacks the values of the proof, so its residual is INFINITY. */
static void learn_sharing(const struct ordo_trace_head *head, struct ordo_clock *clock)
{
    clock->has_shared = true;
    clock->shared = head->clock_of;
    if (is_proved(head))
        clock->apart =
            (struct ordo_apart){.at_ns = head->shared_at_ns,
                                .for_ns = head->shared_for_ns,
                                .residual_ns = head->layout == 1 ? INFINITY : (double)head->shared_residual_ns,
                                .drift = (double)head->shared_drift_ppb * 1e-9};
}

/* Returns a number of the kernel and the clock source; 0 if the file does not state the kernel. */
static uint64_t machine_of(const struct ordo_trace_head *head)
{
    struct {
        unsigned char boot_id[sizeof head->boot_id];
        char clock[sizeof head->clock];
    } both = {0}, none = {0};
    memcpy(both.boot_id, head->boot_id, sizeof both.boot_id);
    if (memcmp(&both, &none, sizeof both) == 0)
        return 0;
    memcpy(both.clock, head->clock, strnlen(head->clock, sizeof both.clock));
    return ordo_record_fold(&both, sizeof both) | 1;
}

static int binary_learn(struct ordo_reader *reader, struct ordo_clocks *clocks, struct ordo_error *error)
{
    struct binary *binary = reader->state;
    int32_t rank = binary->head.rank, shared = binary->head.clock_of;
    int code = ordo_clocks_grow(clocks, rank, error), more = 0;
    if (!code)
        code = ordo_clocks_grow(clocks, shared, error);
    if (code)
        return code;
    clocks->of[rank].step_ns = reader->step_ns;
    clocks->of[rank].machine = machine_of(&binary->head);
    if (shared != rank)
        learn_sharing(&binary->head, &clocks->of[rank]);
    while (!code && (more = next_chunk(reader, error)) == 1)
        if (binary->chunk.kind == ORDO_TRACE_EXCHANGES)
            code = learn_chunk(reader, clocks, error);
    return code ? code : more;
}

static struct ordo_facts binary_tell(const struct ordo_reader *reader)
{
    static const char *const policies[] = {"flush", "ring", "stop"};
    const struct binary *binary = reader->state;
    const struct ordo_trace_head *head = &binary->head;
    return (struct ordo_facts){.clock = head->clock,
                               .host = head->host,
                               .nominal_hz = head->nominal_hz,
                               .size = head->size,
                               .node = (int32_t)head->node,
                               .clock_of = head->clock_of,
                               .proved = head->layout > 1 && is_proved(head),
                               .shared_at_ns = head->shared_at_ns,
                               .shared_for_ns = head->shared_for_ns,
                               .shared_residual_ns = head->shared_residual_ns,
                               .shared_drift_ppb = head->shared_drift_ppb,
                               .policy = head->policy <= ORDO_TRACE_STOP ? policies[head->policy] : "unknown",
                               .exchanges = binary->exchanges,
                               .lost = binary->lost,
                               .closed = binary->closed};
}

const struct ordo_form ordo_form_binary = {
    .name = "binary",
    .title = "what libordo-trace records, a file a rank",
    .suffix = ORDO_TRACE_SUFFIX,
    .of_one_rank = true,
    .looks = binary_looks,
    .open = binary_open,
    .next = binary_next,
    .close = binary_close,
    .learn = binary_learn,
    .tell = binary_tell,
};
