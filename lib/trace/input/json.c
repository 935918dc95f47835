#include "trace/input/json.h"

#include <string.h>

#include "base/utf8.h"

enum { DEPTH_MOST = 64 };

/* Returns the index after the string that begins at `at`; 0 if the string does not end. */
static size_t string_end(struct ordo_text text, size_t at)
{
    for (at++; at < text.length; at++) {
        if (text.at[at] == '\\')
            at++;
        else if (text.at[at] == '"')
            return at + 1;
    }
    return 0;
}

/* Returns the length of an object or array, like ordo_json_span. `squares` has a bit for each open bracket, the
 * innermost one lowest: 1 for '[', 0 for '{'. */
static ptrdiff_t nested_span(struct ordo_text text)
{
    uint64_t squares = 0;
    int depth = 0;
    for (size_t at = 0; at < text.length;) {
        char letter = text.at[at];
        if (letter == '"') {
            at = string_end(text, at);
            if (at == 0)
                return 0;
            continue;
        }
        if (letter == '{' || letter == '[') {
            if (++depth > DEPTH_MOST - 1)
                return -1;
            squares = squares << 1 | (letter == '[');
        } else if (letter == '}' || letter == ']') {
            if ((squares & 1) != (letter == ']'))
                return -1;
            squares >>= 1;
            if (--depth == 0)
                return (ptrdiff_t)at + 1;
        }
        at++;
    }
    return 0;
}

ptrdiff_t ordo_json_span(struct ordo_text text)
{
    size_t at = 0;
    if (text.length == 0)
        return 0;
    if (*text.at == '"')
        return (ptrdiff_t)string_end(text, 0);
    if (*text.at == '{' || *text.at == '[')
        return nested_span(text);
    while (at < text.length && !memchr(",]}: \n\t\r\"[{", text.at[at], 11))
        at++;
    return at == 0 ? -1 : (ptrdiff_t)at;
}

static void skip_space(struct ordo_text *text)
{
    while (text->length > 0 && ordo_json_space(*text->at)) {
        text->at++;
        text->length--;
    }
}

static int take_value(struct ordo_text *text, struct ordo_text *value)
{
    skip_space(text);
    ptrdiff_t span = ordo_json_span(*text);
    if (span <= 0)
        return -1;
    *value = (struct ordo_text){text->at, (size_t)span};
    text->at += span;
    text->length -= (size_t)span;
    skip_space(text);
    return 1;
}

int ordo_json_member(struct ordo_text *inside, struct ordo_member *member)
{
    skip_space(inside);
    if (inside->length == 0)
        return 0;
    if (*inside->at != '"' || take_value(inside, &member->key) < 0 || inside->length == 0 || *inside->at != ':')
        return -1;
    member->key.at++;
    member->key.length -= 2;
    inside->at++;
    inside->length--;
    if (take_value(inside, &member->value) < 0)
        return -1;
    if (inside->length == 0)
        return 1;
    if (*inside->at != ',' || inside->length == 1)
        return -1;
    inside->at++;
    inside->length--;
    return 1;
}

struct ordo_text ordo_json_inside(struct ordo_text object)
{
    skip_space(&object);
    while (object.length > 0 && ordo_json_space(object.at[object.length - 1]))
        object.length--;
    if (object.length < 2 || *object.at != '{' || object.at[object.length - 1] != '}')
        return (struct ordo_text){NULL, 0};
    return (struct ordo_text){object.at + 1, object.length - 2};
}

static int hex(char letter)
{
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
           : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
                                            : -1;
}

/* Writes the letter of \uXXXX as UTF-8; half of a surrogate pair becomes '?'. Returns the number of bytes; 0 if the
 * digits are wrong. */
static size_t unicode(struct ordo_text digits, char *to)
{
    unsigned code = 0;
    for (size_t i = 0; i < 4; i++) {
        int digit = i < digits.length ? hex(digits.at[i]) : -1;
        if (digit < 0)
            return 0;
        code = code << 4 | (unsigned)digit;
    }
    if (code < 0x20 || (code >= 0xd800 && code < 0xe000))
        code = '?';
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xc0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    to[0] = (char)(0xe0 | code >> 12);
    to[1] = (char)(0x80 | (code >> 6 & 0x3f));
    to[2] = (char)(0x80 | (code & 0x3f));
    return 3;
}

struct ordo_text ordo_json_plain(struct ordo_text value, char *room, size_t size)
{
    size_t length = 0;
    if (value.length < 2 || *value.at != '"')
        return value;
    value = (struct ordo_text){value.at + 1, value.length - 2};
    if (!memchr(value.at, '\\', value.length))
        return value;
    for (size_t at = 0; at < value.length && length + 3 < size; at++) {
        char letter = value.at[at];
        if (letter != '\\' || at + 1 == value.length) {
            room[length++] = letter;
            continue;
        }
        letter = value.at[++at];
        if (letter == 'u') {
            size_t bytes = unicode((struct ordo_text){value.at + at + 1, value.length - at - 1}, room + length);
            length += bytes;
            at += bytes > 0 ? 4 : 0;
        } else {
            room[length++] = memchr("nrtbf", letter, 5) ? ' ' : letter; /* a name has no line breaks */
        }
    }
    return (struct ordo_text){room, length};
}

void ordo_json_put_string(FILE *stream, struct ordo_text text)
{
    putc_unlocked('"', stream);
    for (size_t i = 0, bytes; i < text.length; i += bytes ? bytes : 1) {
        char letter = text.at[i];
        bytes = ordo_utf8_letter(text.at + i, text.length - i);
        if (letter == '"' || letter == '\\')
            putc_unlocked('\\', stream);
        if (bytes < 2)
            putc_unlocked(bytes ? letter : '?', stream);
        else
            fwrite_unlocked(text.at + i, 1, bytes, stream);
    }
    putc_unlocked('"', stream);
}
