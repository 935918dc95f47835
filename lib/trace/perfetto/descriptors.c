#include "trace/perfetto/descriptors.h"

#include <stdlib.h>

enum { TRACKS_MOST = 1 << 22 };

/* Sets the numbers of a process or a thread: fields 1 and 2; and the name in field `named`. */
static void read_owner(struct ordo_text message, struct ordo_descriptor *descriptor, uint32_t named,
                       struct ordo_text *name)
{
    struct ordo_wire wire = ordo_wire_of(message);
    struct ordo_wire_field field;
    bool is_thread = named == 5;
    while (ordo_wire_next(&wire, &field) == 1) {
        bool is_number = field.type == ORDO_WIRE_VARINT;
        if (field.number == 1 && is_number)
            descriptor->pid = (int32_t)field.value;
        else if (field.number == 2 && is_number && is_thread)
            descriptor->tid = (int64_t)(field.value & INT64_MAX);
        else if (field.number == named && !is_number && field.bytes.length > 0)
            *name = field.bytes;
    }
}

struct ordo_descriptor ordo_descriptor_read(struct ordo_text process, struct ordo_text thread, struct ordo_text *name)
{
    struct ordo_descriptor descriptor = {.pid = -1, .tid = -1};
    if (process.length > 0)
        read_owner(process, &descriptor, 6, name);
    if (thread.length > 0)
        read_owner(thread, &descriptor, 5, name);
    return descriptor;
}

static struct ordo_descriptor *add_descriptor(struct ordo_descriptors *descriptors, uint64_t id, int *failed)
{
    uint64_t *index = ordo_map_add(&descriptors->ids, id, 0);
    *failed = index ? 0 : -1;
    if (index && *index)
        return &descriptors->all[*index - 1];
    if (!*failed && descriptors->count == descriptors->room) {
        size_t room = descriptors->room ? 2 * descriptors->room : 64;
        *failed = room > TRACKS_MOST ? -2 : 0;
        struct ordo_descriptor *all = *failed ? NULL : realloc(descriptors->all, room * sizeof *all);
        if (!all) {
            *failed = *failed ? *failed : -1;
            return NULL;
        }
        descriptors->all = all;
        descriptors->room = room;
    }
    if (*failed)
        return NULL;
    *index = ++descriptors->count;
    return &descriptors->all[*index - 1];
}

int ordo_descriptors_learn(struct ordo_descriptors *descriptors, struct ordo_text message)
{
    struct ordo_wire wire = ordo_wire_of(message);
    struct ordo_wire_field field;
    struct ordo_text process = {"", 0}, thread = {"", 0}, own = {"", 0}, name = {"", 0};
    uint64_t id = 0;
    int failed;
    while (ordo_wire_next(&wire, &field) == 1) {
        if (field.number == 1)
            id = field.value;
        else if (field.number == 2 || field.number == 10)
            own = field.bytes;
        else if (field.number == 3)
            process = field.bytes;
        else if (field.number == 4)
            thread = field.bytes;
    }
    struct ordo_descriptor read = ordo_descriptor_read(process, thread, &name);
    struct ordo_descriptor *descriptor = add_descriptor(descriptors, id, &failed);
    if (!descriptor)
        return failed;
    name = own.length > 0 ? own : name;
    if (name.length > 0) {
        uint32_t number = ordo_names_number(&descriptors->names, name);
        if (number == UINT32_MAX)
            return -1;
        read.name = number + 1;
    }
    *descriptor = read;
    return 0;
}

struct ordo_descriptor ordo_descriptors_find(const struct ordo_descriptors *descriptors, uint64_t id)
{
    struct ordo_descriptor found = {.pid = -1, .tid = -1};
    const uint64_t *index = ordo_map_find(&descriptors->ids, id, 0);
    if (!index || *index == 0)
        return found;
    return descriptors->all[*index - 1];
}

void ordo_descriptors_free(struct ordo_descriptors *descriptors)
{
    ordo_map_free(&descriptors->ids);
    free(descriptors->all);
    ordo_names_free(&descriptors->names);
    *descriptors = (struct ordo_descriptors){0};
}
