#include "trace/record/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/* Makes a name that the file may hold: UTF-8 without control characters, at most ORDO_TRACE_NAME_MOST bytes. */
static void clean(char name[ORDO_TRACE_NAME_MOST + 1], const char *text)
{
    size_t length = 0, left = strlen(text);
    while (left > 0) {
        size_t bytes = ordo_utf8_letter(text, left), taken = bytes ? bytes : 1;
        if (length + taken > ORDO_TRACE_NAME_MOST)
            break;
        memcpy(name + length, bytes ? text : "?", taken);
        length += taken;
        text += taken;
        left -= taken;
    }
    if (length == 0)
        name[length++] = '?';
    name[length] = '\0';
}

static void enter_name(struct ordo_trace_names *names, uint32_t id)
{
    uint32_t mask = 2 * names->room - 1, at = hash_of(names->texts[id - 1]) & mask;
    while (names->buckets[at])
        at = (at + 1) & mask;
    names->buckets[at] = id;
}

/* Makes room for one more name. */
static int grow_buckets(struct ordo_trace_names *names)
{
    enum { FIRST = 256 };
    if (names->count < names->room)
        return ORDO_OK;
    uint32_t room = names->room ? 2 * names->room : FIRST;
    char **texts = realloc(names->texts, room * sizeof *texts);
    if (texts)
        names->texts = texts;
    uint32_t *buckets = texts ? calloc(2 * (size_t)room, sizeof *buckets) : NULL;
    if (!buckets)
        return ORDO_E_SYSTEM;
    free(names->buckets);
    names->buckets = buckets;
    names->room = room;
    for (uint32_t id = 1; id <= names->count; id++)
        enter_name(names, id);
    return ORDO_OK;
}

static uint32_t find_name(const struct ordo_trace_names *names, const char *name)
{
    if (!names->room)
        return 0;
    uint32_t mask = 2 * names->room - 1, at = hash_of(name) & mask;
    while (names->buckets[at] && strcmp(names->texts[names->buckets[at] - 1], name) != 0)
        at = (at + 1) & mask;
    return names->buckets[at];
}

/* Returns the number of the new name; 0 if out of memory. */
static uint32_t add_name(struct ordo_trace_names *names, const char *name)
{
    if (grow_buckets(names))
        return 0;
    names->texts[names->count] = strdup(name);
    if (!names->texts[names->count])
        return 0;
    enter_name(names, ++names->count);
    return names->count;
}

/* Appends a name to a payload of `bytes` bytes. Returns the new number of bytes. */
static size_t put_name(char *payload, size_t bytes, uint32_t id, const char *name)
{
    struct ordo_trace_string head = {.id = id, .length = (uint32_t)strlen(name)};
    size_t padded = ordo_trace_padded(head.length);
    memset(payload + bytes, 0, padded);
    memcpy(payload + bytes, &head, sizeof head);
    memcpy(payload + bytes + sizeof head, name, head.length);
    return bytes + padded;
}

uint32_t ordo_trace_name(struct ordo_trace_names *names, struct ordo_trace_file *file, const char *text)
{
    char name[ORDO_TRACE_NAME_MOST + 1], payload[ORDO_TRACE_NAME_MOST + 16];
    clean(name, text);
    uint32_t id = find_name(names, name);
    if (id)
        return id;
    id = add_name(names, name);
    if (id)
        (void)ordo_trace_file_append(file, ORDO_TRACE_STRINGS, payload, put_name(payload, 0, id, name), 1, 0);
    return id;
}

uint32_t ordo_trace_names_add(struct ordo_trace_names *names, struct ordo_trace_file *file, const char *const *texts,
                              int count)
{
    char *payload = malloc((size_t)count * (ORDO_TRACE_NAME_MOST + 16));
    uint32_t first = names->count + 1;
    size_t bytes = 0;
    for (int i = 0; i < count && payload; i++) {
        uint32_t id = add_name(names, texts[i]);
        if (!id) {
            free(payload);
            return 0;
        }
        bytes = put_name(payload, bytes, id, texts[i]);
    }
    if (payload)
        (void)ordo_trace_file_append(file, ORDO_TRACE_STRINGS, payload, bytes, (uint32_t)count, 0);
    free(payload);
    return payload ? first : 0;
}

void ordo_trace_names_free(struct ordo_trace_names *names)
{
    for (uint32_t i = 0; i < names->count; i++)
        free(names->texts[i]);
    free(names->texts);
    free(names->buckets);
    *names = (struct ordo_trace_names){0};
}
