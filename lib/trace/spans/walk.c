#include "trace/spans/walk.h"

#include <inttypes.h>
#include <string.h>

#include "trace/input/json.h"

enum { SPACE_LETTERS_MOST = 1 << 20 };

bool ordo_walk_is(struct ordo_text text, const char *word)
{
    return strlen(word) == text.length && memcmp(text.at, word, text.length) == 0;
}

int ordo_walk_refuse(struct ordo_walk *walk)
{
    const struct ordo_input *input = walk->input;
    return ordo_input_refuse(input, walk->error, "is not JSON (at byte %" PRIu64 "): write the trace again",
                             input->before + input->at);
}

static int refuse_cut(struct ordo_walk *walk)
{
    walk->is_cut = true;
    return ordo_error_set(walk->error, ORDO_E_TRUNCATED, 0,
                          "%s: row %" PRIu64 ": the file ends within it: take what is whole with --partial",
                          walk->input->path, walk->input->row);
}

int ordo_walk_peek(struct ordo_walk *walk)
{
    struct ordo_input *input = walk->input;
    for (int spaces = 0; spaces < SPACE_LETTERS_MOST; spaces++) {
        ptrdiff_t got = input->at < input->filled ? 1 : ordo_input_need(input, 1, walk->error);
        if (got <= 0)
            return (int)got;
        if (!ordo_json_space(input->buffer[input->at]))
            return (unsigned char)input->buffer[input->at];
        input->at++;
    }
    return ordo_input_refuse(input, walk->error, "has a million letters of space before it: it is no trace");
}

/* Returns the next letter as ordo_walk_peek; the end of the file is an error. */
static int letter_within(struct ordo_walk *walk)
{
    int letter = ordo_walk_peek(walk);
    return letter == 0 ? refuse_cut(walk) : letter;
}

int ordo_walk_take(struct ordo_walk *walk, struct ordo_text *value)
{
    struct ordo_input *input = walk->input;
    int letter = letter_within(walk);
    if (letter < 0)
        return letter;
    for (size_t wanted = 2;; wanted = 2 * value->length) {
        ptrdiff_t got = ordo_input_need(input, wanted, walk->error);
        if (got < 0)
            return (int)got;
        *value = (struct ordo_text){input->buffer + input->at, (size_t)got};
        ptrdiff_t span = ordo_json_span(*value);
        if (span < 0)
            return ordo_walk_refuse(walk);
        if (span > 0 && (span < got || input->ended)) {
            value->length = (size_t)span;
            input->at += (size_t)span;
            return ORDO_OK;
        }
        if (input->ended)
            return refuse_cut(walk);
        if (value->length > ORDO_WALK_VALUE_MOST)
            return ordo_input_refuse(input, walk->error, "has more than %d letters: it is no trace",
                                     ORDO_WALK_VALUE_MOST);
    }
}

int ordo_walk_skip(struct ordo_walk *walk)
{
    struct ordo_input *input = walk->input;
    struct ordo_json_skip skip = {0};
    int letter = letter_within(walk);
    if (letter < 0)
        return letter;
    if (strchr(",:]}", letter))
        return ordo_walk_refuse(walk);
    while (!skip.is_ended) {
        ptrdiff_t got = ordo_input_need(input, 1, walk->error);
        if (got < 0)
            return (int)got;
        if (got == 0)
            return refuse_cut(walk);
        input->at += ordo_json_skip(&skip, (struct ordo_text){input->buffer + input->at, (size_t)got});
    }
    return ORDO_OK;
}

/* Takes a key and its colon. `room` keeps the key while the value is read. */
static int take_key(struct ordo_walk *walk, char room[ORDO_WALK_KEY_MOST], struct ordo_text *key)
{
    struct ordo_text value;
    int letter = letter_within(walk);
    if (letter != '"')
        return letter < 0 ? letter : ordo_walk_refuse(walk);
    int code = ordo_walk_take(walk, &value);
    if (code)
        return code;
    value = ordo_walk_bare(value);
    *key = (struct ordo_text){room, value.length < ORDO_WALK_KEY_MOST ? value.length : ORDO_WALK_KEY_MOST};
    memcpy(room, value.at, key->length);
    letter = letter_within(walk);
    if (letter != ':')
        return letter < 0 ? letter : ordo_walk_refuse(walk);
    walk->input->at++;
    return ORDO_OK;
}

/* Takes the comma behind a value, or the closing bracket. Returns 1 if there is another value, 0, or a negative code. */
static int take_comma(struct ordo_walk *walk, char closing)
{
    int letter = letter_within(walk);
    if (letter < 0)
        return letter;
    if (letter != ',' && letter != closing)
        return ordo_walk_refuse(walk);
    walk->input->at++;
    return letter == ',';
}

int ordo_walk_inside(struct ordo_walk *walk, char opening, ordo_walk_visit *visit, void *context)
{
    char room[ORDO_WALK_KEY_MOST], closing = opening == '[' ? ']' : '}';
    struct ordo_text key = {room, 0};
    int letter = letter_within(walk);
    if (letter < 0)
        return letter;
    if (letter != opening)
        return ordo_walk_skip(walk);
    walk->input->at++;
    int more = letter_within(walk);
    if (more < 0)
        return more;
    if (more == closing) {
        walk->input->at++;
        return ORDO_OK;
    }
    do {
        int code = opening == '{' ? take_key(walk, room, &key) : ORDO_OK;
        if (!code && (letter = letter_within(walk)) < 0)
            code = letter;
        if (!code)
            code = visit(context, walk, key);
        if (code)
            return code;
        more = take_comma(walk, closing);
    } while (more == 1);
    return more;
}

static void trim_front(struct ordo_text *text)
{
    while (text->length > 0 && (ordo_json_space(*text->at) || *text->at == ',')) {
        text->at++;
        text->length--;
    }
}

struct ordo_text ordo_walk_array(struct ordo_text array)
{
    if (array.length < 2 || *array.at != '[')
        return (struct ordo_text){NULL, 0};
    return (struct ordo_text){array.at + 1, array.length - 2};
}

int ordo_walk_element(struct ordo_text *inside, struct ordo_text *element)
{
    trim_front(inside);
    ptrdiff_t span = inside->length > 0 ? ordo_json_span(*inside) : 0;
    if (span <= 0)
        return 0;
    *element = (struct ordo_text){inside->at, (size_t)span};
    inside->at += span;
    inside->length -= (size_t)span;
    return 1;
}

struct ordo_text ordo_walk_member(struct ordo_text object, const char *key)
{
    struct ordo_text inside = ordo_json_inside(object);
    struct ordo_member member;
    while (inside.at && ordo_json_member(&inside, &member) == 1)
        if (ordo_walk_is(member.key, key))
            return member.value;
    return (struct ordo_text){NULL, 0};
}

void ordo_walk_members(struct ordo_text object, const struct ordo_walk_wanted *wanted, size_t count)
{
    struct ordo_text inside = ordo_json_inside(object);
    struct ordo_member member;
    while (inside.at && ordo_json_member(&inside, &member) == 1)
        for (size_t i = 0; i < count; i++)
            if (ordo_walk_is(member.key, wanted[i].key))
                *wanted[i].value = member.value;
}
