/* Known by these keys: "resourceSpans" (OTLP; "batches" as Tempo writes it), "data" (Jaeger's interface), "spans" and
 * "processes" (one trace of Jaeger). Zipkin's documents are arrays. */
#include "trace/spans/document.h"

#include <inttypes.h>
#include <string.h>

#include "trace/input/json.h"
#include "trace/spans/causes.h"
#include "trace/spans/notations.h"

/* Returns the length of a string with its quotes, at the beginning of a text; that of the text if it has no end. */
static size_t length_of_string(struct ordo_text text)
{
    size_t at = 1;
    while (at < text.length && text.at[at] != '"')
        at += text.at[at] == '\\' ? 2 : 1;
    return at < text.length ? at + 1 : text.length;
}

/* True if a text has a key within `depth` brackets. The text may end anywhere. */
static bool has_key_at(struct ordo_text text, int depth, const char *key)
{
    int open = 0;
    for (size_t at = 0; at < text.length; at++) {
        struct ordo_text rest = {text.at + at, text.length - at};
        open += *rest.at == '{' || *rest.at == '[';
        open -= *rest.at == '}' || *rest.at == ']';
        if (*rest.at != '"')
            continue;
        size_t length = length_of_string(rest), behind = at + length;
        while (behind < text.length && ordo_json_space(text.at[behind]))
            behind++;
        if (open == depth && behind < text.length && text.at[behind] == ':' && length == strlen(key) + 2 &&
            memcmp(rest.at + 1, key, length - 2) == 0)
            return true;
        at += length - 1;
    }
    return false;
}

/* Returns the place of the first letter that is no space, from `at` on. */
static size_t behind_spaces(struct ordo_text text, size_t at)
{
    while (at < text.length && ordo_json_space(text.at[at]))
        at++;
    return at;
}

bool ordo_spans_look(struct ordo_text beginning)
{
    size_t at = behind_spaces(beginning, 0), next = behind_spaces(beginning, at + 1);
    if (next >= beginning.length)
        return false;
    if (beginning.at[at] == '[') {
        int depth = beginning.at[next] == '[' ? 3 : 2;
        return has_key_at(beginning, depth, "traceId") && has_key_at(beginning, depth, "id") &&
               !has_key_at(beginning, depth, "ph");
    }
    if (beginning.at[at] != '{' || has_key_at(beginning, 1, "traceEvents") || has_key_at(beginning, 1, "ph"))
        return false;
    bool is_jaeger = (has_key_at(beginning, 1, "data") || has_key_at(beginning, 1, "spans")) &&
                     (has_key_at(beginning, 1, "traceID") || has_key_at(beginning, 3, "traceID"));
    bool is_tempo = has_key_at(beginning, 1, "batches") && has_key_at(beginning, 3, "resource");
    return is_jaeger || is_tempo || has_key_at(beginning, 1, "resourceSpans");
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
    return (has_key_at(text, 1, "spans") || has_key_at(text, 1, "processes")) && !has_key_at(text, 1, "data") &&
           !has_key_at(text, 1, "resourceSpans") && !has_key_at(text, 1, "batches");
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

/* Refuses a byte 0, which is no JSON. If spans precede the byte, the file is cut there: a file that a machine was writing
 * when it stopped may end with zeros. */
static int refuse_zero(struct ordo_walk *walk, bool is_behind_spans)
{
    const struct ordo_input *input = walk->input;
    walk->is_cut = is_behind_spans;
    return ordo_input_refuse(input, walk->error, "a byte 0 is behind it (byte %" PRIu64 "): %s",
                             input->before + input->at,
                             is_behind_spans ? "take what is whole with --partial" : "name the form with --from");
}

int ordo_spans_read(struct ordo_spans *spans, struct ordo_input *input, bool partial, struct ordo_error *error)
{
    struct ordo_walk walk = {.input = input, .error = error};
    int code = ORDO_OK, letter;
    while (!code && (letter = ordo_walk_peek(&walk)) > 0)
        code = read_document(spans, &walk, letter);
    code = code ? code : letter;
    if (!code && input->at < input->filled)
        code = refuse_zero(&walk, spans->count > 0);
    if (walk.is_cut && partial) {
        ordo_odds_note(&spans->odds, ORDO_ODD_CUT, input->row + 1, 1);
        code = ORDO_OK;
    }
    if (!code && (ordo_span_causes(spans) || ordo_span_lanes(spans)))
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", input->path);
    return code;
}
