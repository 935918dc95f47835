#include "trace/paraver/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/input/input.h"
#include "trace/input/number.h"
#include "trace/paraver/record.h"

enum { TYPES_MOST = 256 };

/* The part of the file that is being read. */
struct part {
    enum { OTHER, STATES, TYPES, VALUES } what;
    uint64_t types[TYPES_MOST]; /* those of the last list of types, which share the values that follow */
    size_t count;
};

bool ordo_labels_beside(const char *path, const char *suffix, char *room, size_t size)
{
    static const char *const ends[] = {".prv", ".prv.gz", ".prv.zst"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (length > strlen(ends[i]) && strcmp(path + length - strlen(ends[i]), ends[i]) == 0) {
            length -= strlen(ends[i]);
            break;
        }
    if (length + strlen(suffix) >= size)
        return false;
    memcpy(room, path, length);
    memcpy(room + length, suffix, strlen(suffix) + 1);
    return true;
}

static bool is_space(char letter)
{
    return letter == ' ' || letter == '\t';
}

static struct ordo_text trimmed(struct ordo_text text)
{
    while (text.length > 0 && is_space(*text.at))
        text = (struct ordo_text){text.at + 1, text.length - 1};
    while (text.length > 0 && is_space(text.at[text.length - 1]))
        text.length--;
    return text;
}

/* Takes the first word off a text. */
static struct ordo_text take_word(struct ordo_text *text)
{
    size_t length = 0;
    *text = trimmed(*text);
    while (length < text->length && !is_space(text->at[length]))
        length++;
    struct ordo_text word = {text->at, length};
    *text = trimmed((struct ordo_text){text->at + length, text->length - length});
    return word;
}

/* Adds a name to a map, unless it has one already. */
static void add(struct ordo_labels *labels, struct ordo_map *map, uint64_t a, uint64_t b, struct ordo_text name)
{
    uint64_t *place = ordo_map_add(map, a, b);
    if (labels->count == labels->room) {
        size_t room = labels->room ? 2 * labels->room : 64;
        char **texts = realloc(labels->texts, room * sizeof *texts);
        labels->no_memory |= !texts;
        labels->texts = texts ? texts : labels->texts;
        labels->room = texts ? room : labels->room;
    }
    labels->no_memory |= !place;
    if (labels->no_memory || *place > 0)
        return;
    char *copy = labels->texts[labels->count] = strndup(name.at, name.length);
    labels->no_memory |= !copy;
    if (copy)
        *place = ++labels->count;
    for (; copy && *copy; copy++)
        if ((unsigned char)*copy < 0x20)
            *copy = ' ';
}

static void add_value(struct ordo_labels *labels, const struct part *part, uint64_t value, struct ordo_text name)
{
    for (size_t i = 0; i < part->count; i++) {
        add(labels, &labels->values, part->types[i], value, name);
        if (value == 0)
            labels->no_memory |= !ordo_map_add(&labels->regions, part->types[i], 0);
    }
}

static bool is_label(struct ordo_text word, const char *name)
{
    return strlen(name) == word.length && memcmp(word.at, name, word.length) == 0;
}

/* Reads a line within a part: a state and its name; a colour, a type and its name; a value and its name. */
static void read_entry(struct ordo_labels *labels, struct part *part, struct ordo_text line, struct ordo_text word)
{
    int64_t number, type;
    if (part->what == OTHER || !ordo_text_within(word, 0, INT64_MAX, &number))
        return;
    if (part->what == STATES)
        add(labels, &labels->states, (uint64_t)number, 0, line);
    else if (part->what == VALUES)
        add_value(labels, part, (uint64_t)number, line);
    else if (ordo_text_within(take_word(&line), 0, INT64_MAX, &type) && part->count < TYPES_MOST) {
        part->types[part->count++] = (uint64_t)type;
        add(labels, &labels->types, (uint64_t)type, 0, line);
    }
}

static void read_label_line(struct ordo_labels *labels, struct part *part, struct ordo_text line)
{
    struct ordo_text word = take_word(&line);
    if (word.length == 0)
        return;
    if (*word.at >= '0' && *word.at <= '9') {
        read_entry(labels, part, line, word);
        return;
    }
    if (is_label(word, "EVENT_TYPE"))
        part->count = 0;
    part->what = is_label(word, "STATES")       ? STATES
                 : is_label(word, "EVENT_TYPE") ? TYPES
                 : is_label(word, "VALUES")     ? VALUES
                                                : OTHER;
}

int ordo_labels_read(struct ordo_labels *labels, const char *path, struct ordo_error *error)
{
    char beside[4096];
    struct ordo_input input;
    struct ordo_text line;
    struct part part = {.what = OTHER};
    *labels = (struct ordo_labels){0};
    if (!ordo_labels_beside(path, ".pcf", beside, sizeof beside) || ordo_input_open(&input, beside, NULL) != ORDO_OK)
        return ORDO_OK;
    while (!labels->no_memory && ordo_input_line(&input, &line, NULL) == 1)
        read_label_line(labels, &part, line);
    ordo_input_close(&input);
    return labels->no_memory ? ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", beside) : ORDO_OK;
}

void ordo_labels_free(struct ordo_labels *labels)
{
    for (size_t i = 0; i < labels->count; i++)
        free(labels->texts[i]);
    free(labels->texts);
    ordo_map_free(&labels->states);
    ordo_map_free(&labels->types);
    ordo_map_free(&labels->values);
    ordo_map_free(&labels->regions);
    *labels = (struct ordo_labels){0};
}

static struct ordo_text label_text(const struct ordo_labels *labels, const struct ordo_map *map, uint64_t a, uint64_t b)
{
    const uint64_t *place = ordo_map_find(map, a, b);
    const char *text = place && *place > 0 ? labels->texts[*place - 1] : "";
    return (struct ordo_text){text, strlen(text)};
}

struct ordo_text ordo_labels_state(const struct ordo_labels *labels, uint64_t state)
{
    return label_text(labels, &labels->states, state, 0);
}

struct ordo_text ordo_labels_type(const struct ordo_labels *labels, uint64_t type)
{
    return label_text(labels, &labels->types, type, 0);
}

struct ordo_text ordo_labels_value(const struct ordo_labels *labels, uint64_t type, uint64_t value)
{
    return label_text(labels, &labels->values, type, value);
}

bool ordo_labels_is_region(const struct ordo_labels *labels, uint64_t type)
{
    return (type >= ORDO_PARAVER_POINT_TO_POINT && type <= ORDO_PARAVER_OTHER_MPI) || type == ORDO_PARAVER_FUNCTION ||
           ordo_map_find(&labels->regions, type, 0);
}
