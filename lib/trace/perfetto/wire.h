/* The wire format of Protocol Buffers (protobuf.dev/programming-guides/encoding): a message is a list of fields, each a
 * number with a value.
 *
 * This reader is our own, and 60 lines long. Generated code would need the whole schema of Perfetto and builds a tree of
 * every message, also of the many that are not used here; a trace has millions of messages, and may be hostile. This
 * reader allocates nothing, passes over unknown fields, and checks each length against the end of its message. */
#ifndef ORDO_TRACE_PERFETTO_WIRE_H
#define ORDO_TRACE_PERFETTO_WIRE_H

#include "trace/event/event.h"

/** The rest of a message. */
struct ordo_wire {
    const char *at, *end;
};

enum ordo_wire_type { ORDO_WIRE_VARINT, ORDO_WIRE_64, ORDO_WIRE_BYTES, ORDO_WIRE_32 = 5 };

struct ordo_wire_field {
    uint32_t number;
    uint8_t type;
    uint64_t value;         /* of a number; 0 for bytes */
    struct ordo_text bytes; /* of a string or a message; length 0 for a number */
};

static inline struct ordo_wire ordo_wire_of(struct ordo_text message)
{
    return (struct ordo_wire){message.at, message.at + message.length};
}

/** Reads a number of 7 bits a byte. Returns false if the message ends within it, or if it has more than 64 bits. */
static inline bool ordo_wire_varint(struct ordo_wire *wire, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && wire->at < wire->end; shift += 7) {
        uint64_t byte = (unsigned char)*wire->at++;
        *value |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return shift < 63 || byte < 2;
    }
    return false;
}

/** Reads a number of 4 or 8 bytes, the lowest first. */
static inline bool ordo_wire_fixed(struct ordo_wire *wire, size_t bytes, uint64_t *value)
{
    *value = 0;
    if ((size_t)(wire->end - wire->at) < bytes)
        return false;
    for (size_t i = 0; i < bytes; i++)
        *value |= (uint64_t)(unsigned char)*wire->at++ << 8 * i;
    return true;
}

/** Reads the next field. Returns 1; 0 at the end of the message; -1 if the message is not in the wire format. */
static inline int ordo_wire_next(struct ordo_wire *wire, struct ordo_wire_field *field)
{
    uint64_t tag, length;
    if (wire->at == wire->end)
        return 0;
    if (!ordo_wire_varint(wire, &tag) || tag >> 3 == 0 || tag >> 3 > (1 << 29) - 1)
        return -1;
    *field = (struct ordo_wire_field){.number = (uint32_t)(tag >> 3), .type = tag & 7};
    switch (field->type) {
    case ORDO_WIRE_VARINT:
        return ordo_wire_varint(wire, &field->value) ? 1 : -1;
    case ORDO_WIRE_64:
        return ordo_wire_fixed(wire, 8, &field->value) ? 1 : -1;
    case ORDO_WIRE_32:
        return ordo_wire_fixed(wire, 4, &field->value) ? 1 : -1;
    case ORDO_WIRE_BYTES:
        if (!ordo_wire_varint(wire, &length) || length > (uint64_t)(wire->end - wire->at))
            return -1;
        field->bytes = (struct ordo_text){wire->at, (size_t)length};
        wire->at += length;
        return 1;
    default: /* groups, which proto3 does not have and Perfetto does not use */
        return -1;
    }
}

#endif
