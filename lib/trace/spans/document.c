/* Known by these keys: "resourceSpans" (OTLP; "batches" as Tempo writes it), "data" (Jaeger's interface), "spans" and
 * "processes" (one trace of Jaeger). Zipkin's documents are arrays. */
#include "trace/spans/document.h"

#include <string.h>

#include "trace/input/json.h"
#include "trace/spans/causes.h"
#include "trace/spans/notations.h"

/* Returns the place of a key in a text; the length of the text if it is not there. */
static size_t place_of_word(struct ordo_text text, const char *word)
{
    const char *found = memmem(text.at, text.length, word, strlen(word));
    return found ? (size_t)(found - text.at) : text.length;
}

bool ordo_spans_look(struct ordo_text beginning)
{
    size_t at = 0;
    while (at < beginning.length && ordo_json_space(beginning.at[at]))
        at++;
    if (at == beginning.length)
        return false;
    size_t chrome = place_of_word(beginning, "\"ph\""), events = place_of_word(beginning, "\"traceEvents\"");
    size_t before = chrome < events ? chrome : events;
    if (beginning.at[at] == '[')
        return place_of_word(beginning, "\"traceId\"") < before && place_of_word(beginning, "\"id\"") < before;
    if (beginning.at[at] != '{')
        return false;
    bool is_jaeger = place_of_word(beginning, "\"traceID\"") < before &&
                     (place_of_word(beginning, "\"data\"") < before || place_of_word(beginning, "\"spans\"") < before);
    bool is_tempo =
        place_of_word(beginning, "\"batches\"") < before && place_of_word(beginning, "\"resource\"") < before;
    return is_jaeger || is_tempo || place_of_word(beginning, "\"resourceSpans\"") < before;
}

/* Reads a member of a document. A trace of Jaeger outside of "data" is its whole document. */
static int read_document_member(void *context, struct ordo_walk *walk, struct ordo_text key)
{
    if (ordo_walk_is(key, "resourceSpans") || ordo_walk_is(key, "batches"))
        return ordo_walk_inside(walk, '[', ordo_otlp_resource, context);
    if (ordo_walk_is(key, "data"))
        return ordo_walk_inside(walk, '[', ordo_jaeger_trace, context);
    return ordo_walk_skip(walk);
}

/* True if the document at the walk is an object with the spans of one trace of Jaeger. */
static bool is_one_trace(const struct ordo_walk *walk)
{
    const struct ordo_input *input = walk->input;
    struct ordo_text text = {input->buffer + input->at, input->filled - input->at};
    text.length = text.length < 4096 ? text.length : 4096;
    size_t spans = place_of_word(text, "\"spans\""), processes = place_of_word(text, "\"processes\"");
    size_t first = spans < processes ? spans : processes;
    return first < text.length && place_of_word(text, "\"data\"") > first && place_of_word(text, "\"resource") > first;
}

static int read_document(struct ordo_spans *spans, struct ordo_walk *walk, int letter)
{
    const struct ordo_text none = {"", 0};
    if (letter == '[')
        return ordo_walk_inside(walk, '[', ordo_zipkin_element, spans);
    if (letter != '{')
        return ordo_walk_refuse(walk);
    ptrdiff_t got = ordo_input_need(walk->input, 4096, walk->error);
    if (got < 0)
        return (int)got;
    return is_one_trace(walk) ? ordo_jaeger_trace(spans, walk, none)
                              : ordo_walk_inside(walk, '{', read_document_member, spans);
}

int ordo_spans_read(struct ordo_spans *spans, struct ordo_input *input, bool partial, struct ordo_error *error)
{
    struct ordo_walk walk = {.input = input, .error = error};
    int code = ORDO_OK, letter;
    while (!code && (letter = ordo_walk_peek(&walk)) > 0)
        code = read_document(spans, &walk, letter);
    code = code ? code : letter;
    if (walk.is_cut && partial) {
        ordo_odds_note(&spans->odds, ORDO_ODD_CUT, input->row + 1, 1);
        code = ORDO_OK;
    }
    if (!code && (ordo_span_causes(spans) || ordo_span_lanes(spans)))
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", input->path);
    return code;
}
