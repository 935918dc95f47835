#include "trace/perfetto/packets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "unpack/unpack.h"

enum { PACKET_TAG = 1 << 3 | ORDO_WIRE_BYTES, HEAD_MOST = 20, FEW_BYTES = 1024 };

/* The fields of a packet that are numbers. */
static void set_packet_number(struct ordo_packet *packet, const struct ordo_wire_field *field)
{
    enum { CLEARED = 1, NEEDS_STATE = 2 };
    switch (field->number) {
    case 8:
        packet->timestamp = field->value;
        packet->has_timestamp = true;
        break;
    case 10:
        packet->sequence = (uint32_t)field->value;
        break;
    case 13:
        packet->is_cleared |= (field->value & CLEARED) != 0;
        packet->needs_state = (field->value & NEEDS_STATE) != 0;
        break;
    case 41:
        packet->is_cleared |= field->value != 0;
        break;
    case 42:
        packet->is_behind_loss = field->value != 0;
        break;
    case 58:
        packet->clock = (uint32_t)field->value;
        break;
    default:
        break;
    }
}

static void set_packet_message(struct ordo_packet *packet, const struct ordo_wire_field *field)
{
    const struct {
        uint32_t number;
        struct ordo_text *to;
    } all[] = {{6, &packet->snapshot}, {11, &packet->event},    {12, &packet->interned}, {44, &packet->thread},
               {50, &packet->zlib},    {59, &packet->defaults}, {60, &packet->track},    {133, &packet->zstd}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].number == field->number)
            *all[i].to = field->bytes;
    packet->has_kernel_events |= field->number == 1;
}

/* Reads the fields of a packet. Returns false if it is damaged. */
static bool read_packet(struct ordo_text bytes, struct ordo_packet *packet)
{
    struct ordo_wire wire = ordo_wire_of(bytes);
    struct ordo_wire_field field = {0};
    int more;
    *packet = (struct ordo_packet){0};
    while ((more = ordo_wire_next(&wire, &field)) == 1)
        if (field.type == ORDO_WIRE_BYTES)
            set_packet_message(packet, &field);
        else
            set_packet_number(packet, &field);
    return more == 0;
}

/* How well a field fits a packet: 1 if packets have it, -1 if they do not, 0 if it may be a newer one. */
static int worth_of_field(uint64_t number, unsigned type)
{
    static const unsigned char numbers[] = {3, 8, 10, 13, 41, 42, 58, 79, 87, 98};
    static const unsigned char messages[] = {1,  2,  5,  6,  7,  9,  11, 12, 33, 34, 35,  36,  43, 44,
                                             45, 50, 51, 59, 60, 69, 72, 78, 89, 90, 124, 126, 133};
    if (number >= 1000)
        return -1;
    if (number < 256 && memchr(numbers, (int)number, sizeof numbers))
        return type == ORDO_WIRE_VARINT ? 1 : -1;
    if (number < 256 && memchr(messages, (int)number, sizeof messages))
        return type == ORDO_WIRE_BYTES ? 1 : -1;
    return 0;
}

bool ordo_packets_look(struct ordo_text beginning)
{
    struct ordo_wire wire = ordo_wire_of(beginning);
    struct ordo_wire_field field = {0};
    uint64_t length, tag;
    if (beginning.length < 3 || (unsigned char)*wire.at++ != PACKET_TAG || !ordo_wire_varint(&wire, &length) ||
        length == 0 || length > ORDO_PACKET_MOST)
        return false;
    bool is_whole = length <= (uint64_t)(wire.end - wire.at), is_known = false;
    if (is_whole)
        wire.end = wire.at + length;
    struct ordo_wire next = wire;
    int more;
    for (; (more = ordo_wire_next(&next, &field)) == 1; wire = next) {
        int worth = worth_of_field(field.number, field.type);
        is_known |= worth == 1;
        if (worth < 0)
            return false;
    }
    if (is_whole)
        return more == 0 && is_known;
    if (beginning.length < FEW_BYTES)
        return false; /* text of a few letters may look like it */
    return is_known || (ordo_wire_varint(&wire, &tag) && worth_of_field(tag >> 3, tag & 7) == 1);
}

static int refuse_cut_packet(const struct ordo_input *input, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_TRUNCATED, 0,
                          "%s: row %" PRIu64 ": the file ends within it: take what is whole with --partial",
                          input->path, input->row);
}

/* Takes the next field of the file. Returns 1, 0 at the end, or a negative code. */
static int take_packet_field(const struct ordo_packets *packets, struct ordo_wire_field *field,
                             struct ordo_error *error)
{
    struct ordo_input *input = packets->input;
    ptrdiff_t got = ordo_input_need(input, HEAD_MOST, error);
    if (got <= 0)
        return (int)got;
    input->row++;
    struct ordo_wire wire = {input->buffer + input->at, input->buffer + input->at + got};
    struct ordo_wire head = wire;
    uint64_t tag, length = 0;
    if (!ordo_wire_varint(&head, &tag) || ((tag & 7) == ORDO_WIRE_BYTES && !ordo_wire_varint(&head, &length)))
        return got < HEAD_MOST ? refuse_cut_packet(input, error)
                               : ordo_input_refuse(input, error, "is no packet of Perfetto: copy the trace again");
    if (length > ORDO_PACKET_MOST)
        return ordo_input_refuse(input, error, "has more than %d bytes: it is no packet of Perfetto", ORDO_PACKET_MOST);
    size_t whole = (size_t)(head.at - wire.at) + (size_t)length;
    got = ordo_input_need(input, whole > HEAD_MOST ? whole : HEAD_MOST, error);
    if (got < 0)
        return (int)got;
    wire = (struct ordo_wire){input->buffer + input->at, input->buffer + input->at + got};
    const char *from = wire.at;
    if ((size_t)got < whole)
        return refuse_cut_packet(input, error);
    if (ordo_wire_next(&wire, field) != 1)
        return ordo_input_refuse(input, error, "is no packet of Perfetto: copy the trace again");
    input->at += (size_t)(wire.at - from);
    return 1;
}

static bool make_unpacked_room(struct ordo_packets *packets, size_t used)
{
    if (used < packets->room)
        return true;
    size_t room = packets->room ? 2 * packets->room : 1 << 18;
    char *larger = room <= ORDO_PACKET_MOST ? realloc(packets->unpacked, room) : NULL;
    if (!larger)
        return false;
    packets->unpacked = larger;
    packets->room = room;
    return true;
}

/* Unpacks compressed packets. Returns false if they are damaged or too large. */
static bool unpack_packets(struct ordo_packets *packets, const struct ordo_packing *packing, struct ordo_text packed)
{
    void *state = packing->open ? packing->open() : NULL;
    struct ordo_unpack_step step = {.from = packed.at, .count = packed.length};
    enum ordo_unpacked come = ORDO_UNPACKED_SOME;
    size_t used = 0;
    while (state && come == ORDO_UNPACKED_SOME) {
        size_t before = step.count;
        if (!make_unpacked_room(packets, used)) {
            come = ORDO_UNPACKED_DAMAGED;
            break;
        }
        step.to = packets->unpacked + used;
        step.room = packets->room - used;
        come = packing->run(state, &step);
        size_t got = packets->room - used - step.room;
        used += got;
        if (come == ORDO_UNPACKED_SOME && got == 0 && step.count == before)
            come = ORDO_UNPACKED_DAMAGED; /* the data end too early */
    }
    if (state)
        packing->close(state);
    if (!state || come != ORDO_UNPACKED_WHOLE)
        return false;
    packets->inside = (struct ordo_wire){packets->unpacked, packets->unpacked + used};
    return true;
}

static int note_packet(const struct ordo_packets *packets, struct ordo_error *error)
{
    return ordo_odds_take(packets->odds, packets->input->path, ORDO_ODD_PACKET, packets->input->row, 1, error);
}

/* Takes the next packet of the compressed ones. Returns 1; 0 if there is none; or a negative code. */
static int take_inside(struct ordo_packets *packets, struct ordo_wire_field *field, struct ordo_error *error)
{
    int more = packets->inside.at ? ordo_wire_next(&packets->inside, field) : 0;
    if (more == 1)
        return 1;
    packets->inside = (struct ordo_wire){NULL, NULL};
    return more < 0 ? note_packet(packets, error) : 0;
}

int ordo_packets_next(struct ordo_packets *packets, struct ordo_packet *packet, struct ordo_error *error)
{
    struct ordo_wire_field field = {0};
    for (;;) {
        int inside = take_inside(packets, &field, error);
        int more = inside ? inside : take_packet_field(packets, &field, error);
        if (more != 1)
            return more;
        if (field.number != 1 || field.type != ORDO_WIRE_BYTES)
            continue;
        bool is_whole = read_packet(field.bytes, packet);
        struct ordo_text packed = packet->zlib.length > 0 ? packet->zlib : packet->zstd;
        if (is_whole && (packed.length == 0 || inside))
            return 1;
        if (is_whole)
            is_whole =
                unpack_packets(packets, packet->zlib.length > 0 ? &ordo_packing_zlib : &ordo_packing_zstd, packed);
        int code = is_whole ? ORDO_OK : note_packet(packets, error);
        if (code)
            return code;
    }
}

void ordo_packets_reset(struct ordo_packets *packets)
{
    free(packets->unpacked);
    packets->unpacked = NULL;
    packets->room = 0;
    packets->inside = (struct ordo_wire){NULL, NULL};
}
