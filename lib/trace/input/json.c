#include "trace/input/json.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/utf8.h"
#include "trace/input/number.h"

enum { DEPTH_MOST = 1024 };

/* Classes of the letters outside of strings. BARE: no word of JSON has it, or only "null" begins with it. OTHER: digits,
 * the letters of numbers, and those of true, false and null. */
enum letter { OTHER, QUOTE, OPEN, CLOSE, DELIMITER, BARE };

static const unsigned char
    letters[256] = {['"'] = QUOTE,        ['{'] = OPEN,         ['['] = OPEN,         ['}'] = CLOSE,
                    [']'] = CLOSE,        [','] = DELIMITER,    [':'] = DELIMITER,    [' '] = DELIMITER,
                    ['\n'] = DELIMITER,   ['\t'] = DELIMITER,   ['\r'] = DELIMITER,   ['n'] = BARE,
                    ['b' ... 'd'] = BARE, ['g' ... 'k'] = BARE, ['m'] = BARE,         ['o' ... 'q'] = BARE,
                    ['v' ... 'z'] = BARE, ['A' ... 'D'] = BARE, ['F' ... 'Z'] = BARE, ['!'] = BARE,
                    ['#' ... '*'] = BARE, ['/'] = BARE,         [';' ... '@'] = BARE, ['\\'] = BARE,
                    ['^' ... '`'] = BARE, ['|'] = BARE,         ['~' ... 255] = BARE};

static enum letter letter_at(const char *at)
{
    return letters[(unsigned char)*at];
}

/* Returns the position after the string whose opening quote is before `at`; NULL if the string does not end. */
static const char *string_end(const char *at, const char *end)
{
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), escape = _mm_set1_epi8('\\');
    while (end - at >= 18) {
        __m128i word = _mm_loadu_si128((const __m128i *)at);
        int found = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(word, quote), _mm_cmpeq_epi8(word, escape)));
        if (found == 0) {
            at += 16;
            continue;
        }
        at += __builtin_ctz((unsigned)found);
        if (*at == '"')
            return at + 1;
        at += 2;
    }
#endif
    for (; at < end; at++) {
        if (*at == '"')
            return at + 1;
        if (*at == '\\' && ++at == end)
            break;
    }
    return NULL;
}

/* True unless the BARE letter at `at` begins the word null. */
static bool begins_bare(const char *at, const char *end)
{
    return *at != 'n' || (end - at > 1 && at[1] != 'u');
}

/* Open brackets: a bit for each, 1 for '[', 0 for '{'. A word is set when its first bracket opens: most values open few. */
struct brackets {
    int depth, most;
    uint64_t squares[DEPTH_MOST / 64];
};

/* Returns false if more brackets are open than a value may have. */
static bool open_bracket(struct brackets *open, bool is_square)
{
    if (open->depth == open->most)
        return false;
    uint64_t *word = &open->squares[open->depth / 64], bit = (uint64_t)is_square << open->depth % 64;
    *word = open->depth % 64 == 0 ? bit : (*word & ~(UINT64_C(1) << open->depth % 64)) | bit;
    open->depth++;
    return true;
}

/* Returns false if the innermost open bracket is of the other kind. */
static bool close_bracket(struct brackets *open, bool is_square)
{
    open->depth--;
    return (open->squares[open->depth / 64] >> open->depth % 64 & 1) == is_square;
}

/* Returns the position of the first letter that is neither of a number nor between values. */
static const char *plain_end(const char *at, const char *end)
{
    while (at < end && (letter_at(at) == OTHER || letter_at(at) == DELIMITER))
        at++;
    return at;
}

/* Returns the position after the object or array at `from`; `from` if it is not complete; NULL if it is not JSON, or
 * has more than `most` brackets open. */
static const char *nested_end(const char *from, const char *end, int most, bool *is_bare)
{
    struct brackets open;
    open.depth = 0;
    open.most = most;
    for (const char *at = from; (at = plain_end(at, end)) < end; at++) {
        switch (letter_at(at)) {
        case QUOTE:
            at = string_end(at + 1, end);
            if (!at)
                return from;
            at--;
            break;
        case OPEN:
            if (!open_bracket(&open, *at == '['))
                return NULL;
            break;
        case CLOSE:
            if (!close_bracket(&open, *at == ']'))
                return NULL;
            if (open.depth == 0)
                return at + 1;
            break;
        case BARE:
            *is_bare |= begins_bare(at, end);
            break;
        default:
            break;
        }
    }
    return from;
}

/* Returns the position after a word. The words of JSON that begin with an OTHER letter have no BARE one. */
static const char *word_end(const char *at, const char *end, bool *is_bare)
{
    while (at < end && letter_at(at) == OTHER)
        at++;
    *is_bare |= at < end && letter_at(at) == BARE;
    while (at < end && (letter_at(at) == OTHER || letter_at(at) == BARE))
        at++;
    return at;
}

/* Returns as nested_end the position after any value. */
static const char *value_end(const char *at, const char *end, int most, bool *is_bare)
{
    bool ignored = false;
    if (at == end)
        return at;
    switch (letter_at(at)) {
    case QUOTE: {
        const char *after = string_end(at + 1, end);
        return after ? after : at;
    }
    case OPEN:
        return nested_end(at, end, most, is_bare);
    case OTHER:
        return word_end(at, end, is_bare);
    case BARE:
        *is_bare |= begins_bare(at, end);
        return word_end(at, end, &ignored);
    default:
        return NULL;
    }
}

ptrdiff_t ordo_json_span(struct ordo_text text)
{
    bool is_bare = false;
    const char *after = text.length > 0 ? value_end(text.at, text.at + text.length, DEPTH_MOST, &is_bare) : text.at;
    return after ? after - text.at : -1;
}

static const char *space_end(const char *at, const char *end)
{
    while (at < end && ordo_json_space(*at))
        at++;
    return at;
}

/* Reads a key and the colon behind it. Returns as nested_end; `at` has a letter. */
static const char *key_end(const char *at, const char *end, struct ordo_text *key)
{
    if (*at != '"')
        return NULL;
    const char *after = string_end(at + 1, end);
    if (!after)
        return at;
    *key = (struct ordo_text){at + 1, (size_t)(after - at) - 2};
    after = space_end(after, end);
    if (after == end)
        return at;
    return *after == ':' ? space_end(after + 1, end) : NULL;
}

static bool is_args(struct ordo_text key)
{
    return key.length == 4 && memcmp(key.at, "args", 4) == 0;
}

static ptrdiff_t object_members(struct ordo_text text, int most, struct ordo_json_members *members,
                                struct ordo_json_members *inner);

/* Reads a value of a member, and the members of args. Returns as nested_end. The braces of args count among the `most`
 * brackets whether or not its members are wanted. */
static const char *member_end(const char *at, const char *end, struct ordo_text key, int most, bool *is_bare,
                              struct ordo_json_members *inner)
{
    if (!inner || at == end || *at != '{' || !is_args(key))
        return value_end(at, end, most, is_bare);
    ptrdiff_t length = object_members((struct ordo_text){at, (size_t)(end - at)}, most - 1, inner, NULL);
    *is_bare |= inner->is_bare;
    return length < 0 ? NULL : at + length;
}

static ptrdiff_t object_members(struct ordo_text text, int most, struct ordo_json_members *members,
                                struct ordo_json_members *inner)
{
    const char *end = text.at + text.length, *at = text.at + 1;
    members->count = 0;
    members->is_bare = false;
    members->rest = (struct ordo_text){NULL, 0};
    if (inner)
        inner->count = -1;
    if (text.length == 0)
        return 0;
    if (*text.at != '{')
        return -1;
    at = space_end(at, end);
    if (at < end && *at == '}')
        return at + 1 - text.at;
    while (at < end) {
        struct ordo_member member;
        const char *from = at, *value = key_end(at, end, &member.key);
        if (!value || value == at)
            return value ? 0 : -1;
        at = member_end(value, end, member.key, most, &members->is_bare, inner);
        if (!at || at == value)
            return at ? 0 : -1;
        member.value = (struct ordo_text){value, (size_t)(at - value)};
        if (members->count < ORDO_JSON_MEMBERS_MOST)
            members->all[members->count++] = member;
        else if (!members->rest.at)
            members->rest = (struct ordo_text){from, 0};
        at = space_end(at, end);
        if (at == end)
            return 0;
        if (*at == '}') {
            members->rest.length = members->rest.at ? (size_t)(at - members->rest.at) : 0;
            return at + 1 - text.at;
        }
        if (*at != ',')
            return -1;
        at = space_end(at + 1, end);
    }
    return 0;
}

ptrdiff_t ordo_json_members(struct ordo_text text, struct ordo_json_members *members, struct ordo_json_members *inner)
{
    return object_members(text, DEPTH_MOST, members, inner);
}

/* Skips letters until the string ends or the part does. */
static const char *skip_string(struct ordo_json_skip *skip, const char *at, const char *end)
{
    if (skip->is_escaped) {
        skip->is_escaped = false;
        at++;
    }
    const char *after = string_end(at, end);
    if (after) {
        skip->in_string = false;
        return after;
    }
    size_t escapes = 0;
    while (end - escapes > at && end[-1 - (ptrdiff_t)escapes] == '\\')
        escapes++;
    skip->is_escaped = escapes % 2 == 1;
    return end;
}

/* Takes a letter outside of strings. Returns false if the value ended before it. */
static bool skip_letter(struct ordo_json_skip *skip, const char *at)
{
    switch (letter_at(at)) {
    case OPEN:
        skip->depth++;
        break;
    case CLOSE:
        if (skip->depth == 0)
            return false;
        skip->is_ended = --skip->depth == 0;
        break;
    case DELIMITER:
        if (skip->depth == 0)
            return false;
        break;
    default:
        break;
    }
    return true;
}

size_t ordo_json_skip(struct ordo_json_skip *skip, struct ordo_text part)
{
    const char *at = part.at, *end = part.at + part.length;
    while (at < end && !skip->is_ended) {
        if (!skip->in_string && *at == '"') {
            skip->in_string = true;
            at++;
        } else if (skip->in_string) {
            at = skip_string(skip, at, end);
            skip->is_ended = !skip->in_string && skip->depth == 0;
        } else if (skip_letter(skip, at)) {
            at++;
        } else {
            skip->is_ended = true;
        }
    }
    return (size_t)(at - part.at);
}

bool ordo_json_is_plain(struct ordo_text word)
{
    static const char *const words[] = {"true", "false", "null"};
    struct ordo_decimal number;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == word.length && memcmp(words[i], word.at, word.length) == 0)
            return true;
    return word.length > 0 && *word.at != '+' && ordo_text_decimal(word, 0, &number) != ORDO_TEXT_NO_NUMBER;
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
