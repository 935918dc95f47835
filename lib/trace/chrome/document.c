#include "trace/chrome/document.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/input/number.h"

enum {
    EVENT_MOST = 1 << 24,  /* letters of an event */
    OTHERS_MOST = 1 << 25, /* letters of all kept members outside the events */
    SPACE_MOST = 1 << 20,  /* letters of space between two values */
    TAIL_BYTES = 1 << 18
};

int ordo_chrome_odd(const struct ordo_chrome_document *document, enum ordo_odd odd, uint64_t row, uint64_t count,
                    struct ordo_error *error)
{
    return ordo_odds_take(document->odds, document->input->path, odd, row, count, error);
}

/* A letter 0 is no JSON. It is the end if only the whole part is wanted: a file that was being written when its machine
 * stopped may end with zeros. Returns 0 or a negative code. */
static int take_zero(const struct ordo_chrome_document *document, struct ordo_error *error)
{
    struct ordo_input *input = document->input;
    if (document->partial) {
        input->at = input->filled;
        input->ended = input->cut = true;
        return 0;
    }
    return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                          "%s: row %" PRIu64 ": is a byte 0 (byte %" PRIu64 "): take what is whole with --partial",
                          input->path, input->row + 1, input->before + input->at);
}

/* Returns the next letter that is not a space; 0 at the end; a negative code if the file cannot be read. */
static int peek(const struct ordo_chrome_document *document, struct ordo_error *error)
{
    struct ordo_input *input = document->input;
    for (int64_t spaces = 0; spaces < SPACE_MOST; spaces++) {
        if (input->at == input->filled) {
            ptrdiff_t got = ordo_input_need(input, 1, error);
            if (got <= 0)
                return (int)got;
        }
        if (!ordo_json_space(input->buffer[input->at]))
            return input->buffer[input->at] ? (unsigned char)input->buffer[input->at] : take_zero(document, error);
        input->at++;
    }
    return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                          "%s: row %" PRIu64 ": has a million letters of space before it: it is no trace", input->path,
                          input->row + 1);
}

static int not_json(const struct ordo_input *input, struct ordo_error *error)
{
    return ordo_input_refuse(input, error, "is not JSON (at byte %" PRIu64 "): write the trace again",
                             input->before + input->at);
}

/* Accepts the end of the file within a value, or refuses it. Returns 0 or a negative code. */
static int take_cut(struct ordo_chrome_document *document, struct ordo_error *error)
{
    struct ordo_input *input = document->input;
    document->where = ORDO_CHROME_ENDED;
    if (document->partial)
        return ordo_chrome_odd(document, ORDO_ODD_CUT, input->row, 1, error);
    return ordo_input_refuse(input, error, "the file ends within it: take what is whole with --partial");
}

/* Reads an object. Returns its length, 0 if the file ends within it, or a negative code. */
static ptrdiff_t read_object(const struct ordo_chrome_document *document, size_t most, struct ordo_text *object,
                             struct ordo_json_members *members, struct ordo_json_members *args,
                             struct ordo_error *error)
{
    struct ordo_input *input = document->input;
    for (size_t wanted = 1;; wanted = 2 * object->length) {
        ptrdiff_t got = ordo_input_need(input, wanted, error);
        if (got < 0)
            return got;
        *object = (struct ordo_text){input->buffer + input->at, (size_t)got};
        ptrdiff_t length = ordo_json_members(*object, members, args);
        if (length < 0)
            return not_json(input, error);
        if (length > 0 || input->ended) {
            object->length = (size_t)length;
            return length;
        }
        if (object->length > most)
            return ordo_input_refuse(input, error, "has more than %zu letters: it is no trace", most);
    }
}

static bool is_document_key(struct ordo_text text, const char *word)
{
    return strlen(word) == text.length && memcmp(text.at, word, text.length) == 0;
}

static bool has_member(const struct ordo_json_members *members, const char *key)
{
    for (int i = 0; i < members->count; i++)
        if (is_document_key(members->all[i].key, key))
            return true;
    return false;
}

static struct ordo_text document_value(struct ordo_text value)
{
    bool quoted = value.length >= 2 && *value.at == '"';
    return (struct ordo_text){value.at + quoted, value.length - 2 * quoted};
}

/* Sets the facts that a member states. */
static void learn_fact(struct ordo_chrome_facts *facts, struct ordo_text key, struct ordo_text value)
{
    const int64_t most = INT64_MAX / 4;
    struct ordo_text inside = ordo_json_inside(value);
    struct ordo_member member;
    int64_t number;
    if (is_document_key(key, "baseTimeNanoseconds") && ordo_text_within(document_value(value), -most, most, &number)) {
        facts->base_ns = number;
        facts->has_base = facts->is_profile = true;
    } else if (is_document_key(key, "distributedInfo")) {
        facts->is_profile = true;
        while (inside.at && ordo_json_member(&inside, &member) == 1)
            if (is_document_key(member.key, "rank") &&
                ordo_text_within(document_value(member.value), 0, (1 << 20) - 1, &number))
                facts->rank = (int32_t)number;
    } else if (is_document_key(key, "deviceProperties") || is_document_key(key, "schemaVersion")) {
        facts->is_profile = true;
    } else if (is_document_key(key, "ordo")) {
        facts->is_corrected = true;
    }
}

/* Learns from a member. Refuses a fact that differs from that of events which were read already. */
static int note_member(struct ordo_chrome_document *document, struct ordo_text key, struct ordo_text value,
                       struct ordo_error *error)
{
    struct ordo_chrome_facts facts = document->facts;
    learn_fact(&facts, key, value);
    if (document->is_settled && (facts.rank != document->facts.rank || facts.base_ns != document->facts.base_ns))
        return ordo_input_refuse(document->input, error,
                                 "%.*s behind it says what holds for the events before it: give a file and no pipe, "
                                 "and a file for each document",
                                 (int)key.length, key.at);
    document->facts = facts;
    return ORDO_OK;
}

static int make_other_room(struct ordo_chrome_others *others, size_t more)
{
    if (others->length + more <= others->room)
        return 0;
    size_t room = others->length + more + (others->length + more) / 2;
    char *at = realloc(others->at, room);
    if (!at)
        return -1;
    others->at = at;
    others->room = room;
    return 0;
}

static int no_document_memory(const struct ordo_chrome_document *document, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", document->input->path);
}

/* Appends the value at the input to `others`, a part after the other. A value that is too large is skipped, and leaves
 * `others` longer than OTHERS_MOST. Returns 1; 0 if the file ends within it; or a negative code. */
static int take_value(const struct ordo_chrome_document *document, struct ordo_chrome_others *others,
                      struct ordo_error *error)
{
    struct ordo_input *input = document->input;
    struct ordo_json_skip skip = {0};
    int first = peek(document, error);
    if (first <= 0)
        return first;
    while (!skip.is_ended) {
        ptrdiff_t got = ordo_input_need(input, 1, error);
        if (got <= 0)
            return (int)got;
        struct ordo_text part = {input->buffer + input->at, (size_t)got};
        size_t taken = ordo_json_skip(&skip, part);
        if (others->length <= OTHERS_MOST) {
            if (make_other_room(others, taken))
                return no_document_memory(document, error);
            memcpy(others->at + others->length, part.at, taken);
            others->length += taken;
        }
        input->at += taken;
    }
    return 1;
}

/* Reads a key and the colon behind it, and appends them. Returns as take_value. */
static int take_key(const struct ordo_chrome_document *document, struct ordo_chrome_others *others,
                    struct ordo_error *error)
{
    int letter = peek(document, error);
    if (letter != '"')
        return letter > 0 ? not_json(document->input, error) : letter;
    int code = take_value(document, others, error);
    if (code != 1)
        return code;
    letter = peek(document, error);
    if (letter != ':')
        return letter > 0
                   ? ordo_input_refuse(document->input, error,
                                       "is not JSON (':' is missing before byte %" PRIu64 "): write the trace again",
                                       document->input->before + document->input->at)
                   : letter;
    document->input->at++;
    if (make_other_room(others, 1))
        return no_document_memory(document, error);
    others->at[others->length++] = ':';
    return 1;
}

static int begin_events(struct ordo_chrome_document *document)
{
    document->input->at++;
    document->where = ORDO_CHROME_EVENTS;
    document->has_events = true;
    document->after_event = document->after_comma = false;
    return 1;
}

/* Learns from the member that `others` has from `from` on; its value begins at `value`. Removes it from `others` if the
 * writer writes another one. */
static int judge_member(struct ordo_chrome_document *document, struct ordo_chrome_others *others, size_t from,
                        size_t value, struct ordo_error *error)
{
    struct ordo_text key = {others->at + from + 1, value - from - 3}; /* without its quotes and the colon */
    struct ordo_text text = {others->at + value, others->length - value};
    if (others->length > OTHERS_MOST)
        return ordo_chrome_odd(document, ORDO_ODD_LARGE_MEMBER, document->input->row, 1, error);
    if (ordo_json_span(text) != (ptrdiff_t)text.length)
        return not_json(document->input, error);
    return note_member(document, key, text, error);
}

static bool is_left_out(const struct ordo_chrome_document *document, const struct ordo_chrome_others *others,
                        size_t from, size_t value)
{
    struct ordo_text key = {others->at + from + 1, value - from - 3};
    return others->length > OTHERS_MOST || document->documents > 1 || is_document_key(key, "ordo") ||
           is_document_key(key, "traceEvents");
}

/* Reads a member of the document into `others`, which has room for a comma, or begins with the array of events. Returns
 * as take_value; `others` keeps the member only if it is whole. */
static int take_member(struct ordo_chrome_document *document, struct ordo_chrome_others *others,
                       struct ordo_error *error)
{
    size_t before = others->length;
    if (before > 0)
        others->at[others->length++] = ',';
    size_t from = others->length;
    int code = take_key(document, others, error);
    size_t value = others->length;
    if (code == 1 && value - from == 14 && memcmp(others->at + from, "\"traceEvents\":", 14) == 0 &&
        peek(document, error) == '[') {
        others->length = before;
        return begin_events(document);
    }
    if (code == 1)
        code = take_value(document, others, error);
    if (code != 1) {
        others->length = before;
        return code;
    }
    code = judge_member(document, others, from, value, error);
    if (code || is_left_out(document, others, from, value))
        others->length = before;
    return code ? code : 1;
}

/* Reads on in an object, outside of its events: a member, or the end of the object. Returns as take_value. */
static int step_members(struct ordo_chrome_document *document, struct ordo_error *error)
{
    int letter = peek(document, error);
    if (letter <= 0)
        return letter;
    if (letter == '}') {
        document->input->at++;
        document->where = ORDO_CHROME_BETWEEN;
        return 1;
    }
    if (letter == ',') {
        document->input->at++;
        return 1;
    }
    struct ordo_chrome_others *others = document->is_behind ? &document->tail : &document->head;
    if (make_other_room(others, 1))
        return no_document_memory(document, error);
    return take_member(document, others, error);
}

/* Begins a document at its first letter. Returns 1 or a negative code. */
static int enter_document(struct ordo_chrome_document *document, int letter, struct ordo_error *error)
{
    int code = ORDO_OK;
    if (document->documents++ > 0 || document->has_events)
        code = ordo_chrome_odd(document, ORDO_ODD_DOCUMENT, document->input->row + 1, 1, error);
    document->input->at++;
    document->where = letter == '[' ? ORDO_CHROME_ARRAY : ORDO_CHROME_MEMBERS;
    document->has_events |= letter == '[';
    document->after_event = document->after_comma = false;
    return code ? code : 1;
}

/* True if the object at the input, outside of any array, is an event. After the first event without an array, the
 * caller looks at the members of each. */
static bool is_event(const struct ordo_chrome_document *document)
{
    struct ordo_json_members members;
    struct ordo_text object;
    struct ordo_error large;
    if (document->documents == 0 && document->has_events)
        return true;
    return read_object(document, ORDO_INPUT_LINE_MOST, &object, &members, NULL, &large) > 0 &&
           has_member(&members, "ph") && !has_member(&members, "traceEvents");
}

/* Begins a document. Does not consume an object that is an event. Returns 1 if a document has begun, 2 for an event,
 * 0 at the end of the file, or a negative code. */
static int begin_document(struct ordo_chrome_document *document, struct ordo_error *error)
{
    struct ordo_input *input = document->input;
    int letter = peek(document, error);
    while (letter == ',' || (letter == ']' && document->has_events)) { /* around events without an array */
        input->at++;
        letter = peek(document, error);
    }
    if (letter <= 0)
        return letter;
    if (letter != '[' && letter != '{')
        return ordo_input_refuse(input, error,
                                 document->has_events ? "is not JSON: write the trace again"
                                                      : "is no JSON of events: name its form with --from");
    if (letter == '{' && is_event(document)) {
        document->has_events = true;
        return 2;
    }
    return enter_document(document, letter, error);
}

/* Reads up to the events of the first document. */
static int read_head(struct ordo_chrome_document *document, struct ordo_error *error)
{
    int code = begin_document(document, error);
    while (code == 1 && document->where == ORDO_CHROME_MEMBERS)
        code = step_members(document, error);
    if (code == 0 && !document->has_events) {
        if (document->documents == 0)
            return ordo_input_refuse(document->input, error, "is no JSON of events: name its form with --from");
        return ordo_input_refuse(document->input, error,
                                 "the file ends within it, before its first event: copy it again");
    }
    return code < 0 ? code : ORDO_OK;
}

/* Reads the members behind the events. Returns true if their object ends. */
static bool read_tail(struct ordo_chrome_document *look)
{
    struct ordo_error ignored;
    int code = 1;
    look->where = ORDO_CHROME_MEMBERS;
    look->is_behind = true;
    while (code == 1 && look->where == ORDO_CHROME_MEMBERS)
        code = step_members(look, &ignored);
    return code == 1 && look->where == ORDO_CHROME_BETWEEN;
}

/* Looks behind the events in the last part of a file. Each ']' may be the end of the events: it is if members follow
 * up to the end of the file, and the first such one counts. A ']' within the events does not pass, because the events'
 * own brackets follow it; nor does one in a text, because an odd number of quotes follows it. Returns false if the end
 * of the events is not found, or not found soon: many a ']' may have members behind it nearly up to the end of the file.
 */
static bool look_at_tail(struct ordo_chrome_document *document, char *text, size_t size)
{
    struct ordo_error ignored;
    struct ordo_odds odds;
    size_t taken = 0;
    for (char *at = text; taken < 16 * (size_t)TAIL_BYTES && (at = memchr(at, ']', (size_t)(text + size - at))) != NULL;
         at++) {
        struct ordo_input input = {.path = document->input->path,
                                   .fd = -1,
                                   .ended = true,
                                   .buffer = text,
                                   .at = (size_t)(at + 1 - text),
                                   .filled = size};
        struct ordo_chrome_document look = {.input = &input, .odds = &odds, .facts = document->facts};
        memset(&odds, 0, sizeof odds);
        bool is_tail = read_tail(&look) && peek(&look, &ignored) == 0;
        if (is_tail)
            document->facts = look.facts;
        ordo_chrome_document_close(&look);
        taken += input.at - (size_t)(at + 1 - text);
        if (is_tail)
            return true;
    }
    return false;
}

static int restart(struct ordo_chrome_document *document, struct ordo_error *error)
{
    document->where = ORDO_CHROME_BETWEEN;
    document->is_settled = document->is_behind = document->has_events = false;
    document->documents = 0;
    document->head.length = document->tail.length = 0;
    document->input->row = 1; /* for messages */
    int code = read_head(document, error);
    document->input->row = 0;
    document->is_settled = true;
    return code;
}

/* Skips the events of the first document, reads the members behind them, and returns to the first event. */
static int skim(struct ordo_chrome_document *document, struct ordo_error *error)
{
    struct ordo_error ignored;
    struct ordo_input *input = document->input;
    struct ordo_json_skip skip = {.depth = 1};
    struct ordo_odds odds = {0};
    struct ordo_chrome_document look = {.input = input, .odds = &odds, .facts = document->facts};
    while (!skip.is_ended) {
        ptrdiff_t got = ordo_input_need(input, 1, &ignored);
        if (got <= 0)
            break;
        input->at += ordo_json_skip(&skip, (struct ordo_text){input->buffer + input->at, (size_t)got});
    }
    if (read_tail(&look))
        document->facts = look.facts;
    ordo_chrome_document_close(&look);
    *document->odds = (struct ordo_odds){.is_strict = document->odds->is_strict};
    int code = ordo_input_rewind(input, error);
    return code ? code : restart(document, error);
}

/* Looks behind the events for facts that are not before them. Errors are ignored, because the reading of the events
 * will meet them. */
static int look_behind(struct ordo_chrome_document *document, struct ordo_error *error)
{
    struct ordo_input *input = document->input;
    struct stat status;
    if (fstat(input->fd, &status) != 0 || !S_ISREG(status.st_mode))
        return ORDO_OK;
    if (input->unpacker)
        return skim(document, error);
    size_t size = status.st_size < TAIL_BYTES ? (size_t)status.st_size : TAIL_BYTES;
    char *text = malloc(size + 1);
    if (!text)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", input->path);
    bool found = pread(input->fd, text, size, status.st_size - (off_t)size) == (ssize_t)size &&
                 look_at_tail(document, text, size);
    free(text);
    return found ? ORDO_OK : skim(document, error);
}

int ordo_chrome_document_open(struct ordo_chrome_document *document, struct ordo_input *input, struct ordo_odds *odds,
                              struct ordo_error *error)
{
    *document = (struct ordo_chrome_document){.input = input, .odds = odds, .facts = {.rank = -1}};
    int code = restart(document, error);
    bool is_known = document->facts.rank >= 0 && document->facts.has_base;
    if (!code && document->where == ORDO_CHROME_EVENTS && !is_known)
        code = look_behind(document, error);
    return code;
}

int ordo_chrome_document_again(struct ordo_chrome_document *document, struct ordo_error *error)
{
    return restart(document, error);
}

/* Counts commas before an event or the end of the array. Returns the letter behind them, 0 at the end of the file, or a
 * negative code. */
static int take_commas(struct ordo_chrome_document *document, struct ordo_error *error)
{
    int letter;
    while ((letter = peek(document, error)) == ',') {
        document->input->at++;
        int code = document->after_event
                       ? ORDO_OK
                       : ordo_chrome_odd(document, ORDO_ODD_COMMA, document->input->row + 1, 1, error);
        if (code)
            return code;
        document->after_event = false;
        document->after_comma = true;
    }
    return letter;
}

static int end_array(struct ordo_chrome_document *document, struct ordo_error *error)
{
    document->input->at++;
    document->is_behind = document->where == ORDO_CHROME_EVENTS;
    document->where = document->is_behind ? ORDO_CHROME_MEMBERS : ORDO_CHROME_BETWEEN;
    return document->after_comma ? ordo_chrome_odd(document, ORDO_ODD_COMMA, document->input->row + 1, 1, error)
                                 : ORDO_OK;
}

/* Takes commas, values other than objects, and the end of the array. Returns 1 if an event follows; 2 if the array has ended or a value was
 * left out; 0 at the end of the file; or a negative code. */
static int step_array(struct ordo_chrome_document *document, struct ordo_error *error)
{
    struct ordo_chrome_others left_out = {0};
    int letter = take_commas(document, error), code;
    if (letter < 0)
        return letter;
    if (letter == 0)
        return ordo_chrome_odd(document, ORDO_ODD_NO_BRACKET, document->input->row, 1, error);
    if (letter == ']') {
        code = end_array(document, error);
        return code ? code : 2;
    }
    document->input->row++;
    code = document->after_event ? ordo_chrome_odd(document, ORDO_ODD_NO_COMMA, document->input->row, 1, error) : 0;
    document->after_event = true;
    document->after_comma = false;
    if (code || letter == '{')
        return code ? code : 1;
    if (letter == '}' || letter == ':')
        return not_json(document->input, error);
    code = take_value(document, &left_out, error);
    free(left_out.at);
    if (code == 1)
        code = ordo_chrome_odd(document, ORDO_ODD_NO_OBJECT, document->input->row, 1, error);
    else if (code == 0)
        code = take_cut(document, error);
    return code ? code : 2;
}

/* Moves to the next event. Returns 1 if an event follows, 0 at the end, or a negative code. */
static int find_event(struct ordo_chrome_document *document, struct ordo_error *error)
{
    for (;;) {
        int code;
        switch (document->where) {
        case ORDO_CHROME_BETWEEN:
            code = begin_document(document, error);
            if (code == 2)
                document->input->row++;
            if (code != 1)
                return code == 2 ? 1 : code;
            break;
        case ORDO_CHROME_MEMBERS:
            code = step_members(document, error);
            if (code == 0)
                return document->is_behind
                           ? ordo_chrome_odd(document, ORDO_ODD_NO_BRACKET, document->input->row, 1, error)
                           : take_cut(document, error);
            if (code < 0)
                return code;
            break;
        case ORDO_CHROME_EVENTS:
        case ORDO_CHROME_ARRAY:
            code = step_array(document, error);
            if (code != 2)
                return code;
            break;
        default:
            return 0;
        }
    }
}

/* Refuses a file in which no event was found although it has content. The refusal is about the whole file and not about
 * its last row, so nothing is left in the buffer that a caller could take for a row that is cut. */
static int end_document(struct ordo_chrome_document *document, struct ordo_error *error)
{
    document->where = ORDO_CHROME_ENDED;
    document->input->row += document->input->row == 0;
    document->input->at = document->input->filled = 0;
    if (!document->has_events)
        return ordo_input_refuse(document->input, error,
                                 "is JSON without traceEvents, and no event: name its form with --from");
    if (document->odds->of[ORDO_ODD_NO_OBJECT].count > 0 &&
        document->odds->of[ORDO_ODD_NO_OBJECT].count == document->input->row)
        return ordo_input_refuse(document->input, error, "is no object of JSON: write the trace again");
    return 0;
}

int ordo_chrome_document_next(struct ordo_chrome_document *document, struct ordo_text *event,
                              struct ordo_json_members *members, struct ordo_json_members *args,
                              struct ordo_error *error)
{
    for (;;) {
        int code = find_event(document, error);
        if (code == 0 && document->where != ORDO_CHROME_ENDED)
            code = end_document(document, error);
        if (code <= 0)
            return code;
        ptrdiff_t length = read_object(document, EVENT_MOST, event, members, args, error);
        if (length == 0)
            return take_cut(document, error);
        if (length < 0)
            return (int)length;
        bool is_document = document->where == ORDO_CHROME_BETWEEN && has_member(members, "traceEvents");
        if (!is_document) {
            document->input->at += event->length;
            return 1;
        }
        document->input->row--;
        code = enter_document(document, '{', error);
        if (code < 0)
            return code;
    }
}

void ordo_chrome_document_close(struct ordo_chrome_document *document)
{
    free(document->head.at);
    free(document->tail.at);
    document->head = document->tail = (struct ordo_chrome_others){0};
}
