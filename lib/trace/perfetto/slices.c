/* Annotations have the meaning of the args in Chrome's form: of an instant send_to or recv_from with the rank of the
 * peer, tag and bytes; of the begin of a collective its communicator, root and number. Flows connect events of one file, which is of one rank: they are no messages. */
#include "trace/perfetto/slices.h"

#include <string.h>

#include "trace/file/layout.h"

enum { COUNTER = 4 }; /* the last of the types */

/* An event of the older kind, whose phase is that of Chrome's form. */
static void read_legacy(const struct ordo_sequences *sequences, const struct ordo_packet *packet,
                        struct ordo_text message, struct ordo_event *event)
{
    struct ordo_wire wire = ordo_wire_of(message);
    struct ordo_wire_field field;
    uint64_t phase = 0, duration_us = 0;
    while (ordo_wire_next(&wire, &field) == 1) {
        if (field.number == 1 && event->name.length == 0)
            event->name = ordo_sequences_name(sequences, packet->sequence, ORDO_INTERNED_EVENT, field.value);
        else if (field.number == 2)
            phase = field.value;
        else if (field.number == 3)
            duration_us = field.value;
    }
    event->kind = phase == 'B'                                   ? ORDO_EVENT_BEGIN
                  : phase == 'E'                                 ? ORDO_EVENT_END
                  : phase == 'X'                                 ? ORDO_EVENT_SPAN
                  : phase == 'i' || phase == 'I' || phase == 'n' ? ORDO_EVENT_POINT
                                                                 : ORDO_EVENT_OTHER;
    if (event->kind == ORDO_EVENT_SPAN)
        event->duration_ns = duration_us < (uint64_t)INT64_MAX / 4000 ? (int64_t)duration_us * 1000 : 0;
}

static bool is_annotation(struct ordo_text name, const char *word)
{
    return strlen(word) == name.length && memcmp(name.at, word, name.length) == 0;
}

/* Sets the field of an event that an annotation names. */
static void set_annotation(struct ordo_event *event, struct ordo_text name, int64_t value)
{
    bool is_rank = value >= 0 && value < ORDO_TRACE_RANKS_MOST, is_small = value >= 0 && value <= INT32_MAX;
    bool sends = is_annotation(name, "send_to");
    if ((sends || is_annotation(name, "recv_from")) && is_rank && event->kind == ORDO_EVENT_POINT) {
        event->kind = sends ? ORDO_EVENT_SEND : ORDO_EVENT_RECV;
        event->peer = (int32_t)value;
    } else if (is_annotation(name, "tag") && is_small) {
        event->tag = (int32_t)value;
    } else if (is_annotation(name, "bytes") && value >= 0) {
        event->bytes = (uint64_t)value;
        event->has_bytes = true;
    } else if (is_annotation(name, "communicator") && value >= -1) {
        event->communicator = (uint64_t)value;
    } else if (is_annotation(name, "root") && is_rank) {
        event->root = (int32_t)value;
    } else if (is_annotation(name, "number") && is_small) {
        event->number = (uint32_t)value;
    }
}

static void read_annotation(const struct ordo_sequences *sequences, const struct ordo_packet *packet,
                            struct ordo_text message, struct ordo_event *event)
{
    struct ordo_wire wire = ordo_wire_of(message);
    struct ordo_wire_field field;
    struct ordo_text name = {"", 0};
    int64_t value = -2; /* no annotation that is used has it */
    while (ordo_wire_next(&wire, &field) == 1) {
        if (field.number == 1 && field.type == ORDO_WIRE_VARINT)
            name = ordo_sequences_name(sequences, packet->sequence, ORDO_INTERNED_ANNOTATION, field.value);
        else if (field.number == 10)
            name = field.bytes;
        else if ((field.number == 3 || field.number == 4) && field.type == ORDO_WIRE_VARINT)
            value = (int64_t)field.value;
    }
    if (value != -2)
        set_annotation(event, name, value);
}

/* Sets the kind and the name of an event. Annotations are read when these are known. */
static void read_slice_fields(const struct ordo_sequences *sequences, const struct ordo_packet *packet,
                              struct ordo_slice *slice, struct ordo_text *legacy)
{
    static const unsigned char kinds[] = {ORDO_EVENT_OTHER, ORDO_EVENT_BEGIN, ORDO_EVENT_END, ORDO_EVENT_POINT,
                                          ORDO_EVENT_OTHER};
    struct ordo_wire wire = ordo_wire_of(packet->event);
    struct ordo_wire_field field;
    struct ordo_event *event = slice->event;
    event->kind = ORDO_EVENT_OTHER;
    while (ordo_wire_next(&wire, &field) == 1) {
        bool is_bytes = field.type == ORDO_WIRE_BYTES;
        if (field.number == 9 && field.value <= COUNTER) {
            event->kind = kinds[field.value];
        } else if (field.number == 10 && !is_bytes) {
            event->name = ordo_sequences_name(sequences, packet->sequence, ORDO_INTERNED_EVENT, field.value);
        } else if (field.number == 23 && is_bytes) {
            event->name = field.bytes;
        } else if (field.number == 11 && !is_bytes) {
            slice->track = field.value;
            slice->has_track = true;
        } else if (field.number == 6 && is_bytes) {
            *legacy = field.bytes;
        }
    }
}

void ordo_slice_read(const struct ordo_sequences *sequences, const struct ordo_packet *packet, struct ordo_slice *slice)
{
    struct ordo_wire wire = ordo_wire_of(packet->event);
    struct ordo_wire_field field;
    struct ordo_text legacy = {"", 0};
    slice->has_track = false;
    read_slice_fields(sequences, packet, slice, &legacy);
    if (legacy.length > 0 && slice->event->kind == ORDO_EVENT_OTHER)
        read_legacy(sequences, packet, legacy, slice->event);
    while (ordo_wire_next(&wire, &field) == 1)
        if (field.number == 4 && field.type == ORDO_WIRE_BYTES)
            read_annotation(sequences, packet, field.bytes, slice->event);
}
