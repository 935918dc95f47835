#include "trace/perfetto/sequences.h"

#include <stdlib.h>

enum { SEQUENCES_MOST = 1 << 20, INTERNED_MOST = 1 << 22 };

static struct ordo_sequence *sequence_of(struct ordo_sequences *sequences, uint32_t number)
{
    uint64_t *index = ordo_map_add(&sequences->numbers, number, 0);
    if (!index)
        return NULL;
    if (*index)
        return &sequences->all[*index - 1];
    if (sequences->count == sequences->room) {
        size_t room = sequences->room ? 2 * sequences->room : 64;
        struct ordo_sequence *all = room <= SEQUENCES_MOST ? realloc(sequences->all, room * sizeof *all) : NULL;
        if (!all)
            return NULL;
        sequences->all = all;
        sequences->room = room;
    }
    *index = ++sequences->count;
    sequences->all[*index - 1] = (struct ordo_sequence){.thread = {.pid = -1, .tid = -1}};
    return &sequences->all[*index - 1];
}

static int intern(struct ordo_sequences *sequences, uint64_t key, struct ordo_text entry, uint32_t generation)
{
    struct ordo_wire wire = ordo_wire_of(entry);
    struct ordo_wire_field field;
    struct ordo_text text = {"", 0};
    uint64_t number = 0;
    while (ordo_wire_next(&wire, &field) == 1) {
        if (field.number == 1)
            number = field.value;
        else if (field.number == 2)
            text = field.bytes;
    }
    uint32_t name = ordo_names_number(&sequences->names, text);
    uint64_t *value = sequences->interned.count < INTERNED_MOST ? ordo_map_add(&sequences->interned, key, number)
                                                                : ordo_map_find(&sequences->interned, key, number);
    if (name == UINT32_MAX || !value)
        return -1;
    *value = (uint64_t)generation << 32 | (name + 1);
    return 0;
}

static uint64_t interned_key(uint32_t sequence, int kind)
{
    return (uint64_t)sequence << 2 | (uint64_t)kind;
}

static int intern_all(struct ordo_sequences *sequences, const struct ordo_packet *packet, uint32_t generation)
{
    struct ordo_wire wire = ordo_wire_of(packet->interned);
    struct ordo_wire_field field;
    int failed = 0;
    while (!failed && ordo_wire_next(&wire, &field) == 1)
        if (field.type == ORDO_WIRE_BYTES && field.number <= ORDO_INTERNED_ANNOTATION)
            failed = intern(sequences, interned_key(packet->sequence, (int)field.number), field.bytes, generation);
    return failed;
}

/* Reads the defaults of a sequence, which replace all earlier ones. */
static void set_defaults(struct ordo_sequence *sequence, struct ordo_text defaults)
{
    struct ordo_wire wire = ordo_wire_of(defaults), inner;
    struct ordo_wire_field field;
    sequence->clock = 0;
    sequence->has_track = false;
    while (ordo_wire_next(&wire, &field) == 1) {
        if (field.number == 58)
            sequence->clock = (uint32_t)field.value;
        if (field.number != 11 || field.type != ORDO_WIRE_BYTES)
            continue;
        inner = ordo_wire_of(field.bytes);
        while (ordo_wire_next(&inner, &field) == 1)
            if (field.number == 11 && field.type == ORDO_WIRE_VARINT) {
                sequence->track = field.value;
                sequence->has_track = true;
            }
    }
}

struct ordo_sequence *ordo_sequences_take(struct ordo_sequences *sequences, const struct ordo_packet *packet,
                                          bool *is_lost)
{
    struct ordo_sequence *sequence = sequence_of(sequences, packet->sequence);
    struct ordo_text name;
    if (!sequence)
        return NULL;
    *is_lost = packet->is_behind_loss && sequence->is_begun;
    sequence->is_begun = true;
    if (packet->is_behind_loss)
        sequence->is_valid = false;
    if (packet->is_cleared) {
        sequence->generation++;
        sequence->is_valid = true;
        sequence->has_track = false;
        sequence->clock = 0;
    }
    if (packet->defaults.length > 0)
        set_defaults(sequence, packet->defaults);
    if (packet->thread.length > 0)
        sequence->thread = ordo_descriptor_read((struct ordo_text){"", 0}, packet->thread, &name);
    return intern_all(sequences, packet, sequence->generation) ? NULL : sequence;
}

struct ordo_text ordo_sequences_name(const struct ordo_sequences *sequences, uint32_t sequence, int kind,
                                     uint64_t number)
{
    const uint64_t *index = ordo_map_find(&sequences->numbers, sequence, 0);
    const uint64_t *value = ordo_map_find(&sequences->interned, interned_key(sequence, kind), number);
    if (!index || *index == 0 || !value || *value >> 32 != sequences->all[*index - 1].generation)
        return (struct ordo_text){"", 0};
    return sequences->names.all[(uint32_t)*value - 1];
}

void ordo_sequences_free(struct ordo_sequences *sequences)
{
    ordo_map_free(&sequences->numbers);
    ordo_map_free(&sequences->interned);
    free(sequences->all);
    ordo_names_free(&sequences->names);
    *sequences = (struct ordo_sequences){0};
}
