#include "trace/spans/fields.h"

#include <strings.h>

#include "trace/input/number.h"

enum { SPAN_US_PLACES = 3 };

int ordo_span_failed(struct ordo_walk *walk, int failed)
{
    if (failed == -2)
        return ordo_input_refuse(walk->input, walk->error, "has more than a million services: it is no trace");
    return ordo_error_set(walk->error, ORDO_E_SYSTEM, 0, "%s: out of memory", walk->input->path);
}

int ordo_span_kind_of(struct ordo_text word)
{
    static const char *const kinds[] = {[ORDO_SPAN_INTERNAL] = "internal",
                                        [ORDO_SPAN_SERVER] = "server",
                                        [ORDO_SPAN_CLIENT] = "client",
                                        [ORDO_SPAN_PRODUCER] = "producer",
                                        [ORDO_SPAN_CONSUMER] = "consumer"};
    static const char prefix[] = "SPAN_KIND_";
    size_t front = sizeof prefix - 1;
    if (word.length > front && strncasecmp(word.at, prefix, front) == 0)
        word = (struct ordo_text){word.at + front, word.length - front};
    if (word.length == 1 && *word.at >= '0' && *word.at <= '5')
        return *word.at - '0';
    for (int kind = ORDO_SPAN_INTERNAL; kind <= ORDO_SPAN_CONSUMER; kind++)
        if (strlen(kinds[kind]) == word.length && strncasecmp(kinds[kind], word.at, word.length) == 0)
            return kind;
    return ORDO_SPAN_NO_KIND;
}

/* Reads a number of ns or us, which may be quoted. Returns false if it is none, or more than 73 years from 0. */
static bool read_span_ns(const struct ordo_span_draft *draft, struct ordo_text value, int64_t *time_ns)
{
    const int64_t most = INT64_MAX / 4;
    struct ordo_decimal number;
    if (ordo_text_decimal(ordo_walk_bare(value), draft->is_us ? SPAN_US_PLACES : 0, &number) != ORDO_TEXT_FITS)
        return false;
    *time_ns = number.whole;
    return number.whole <= most && number.whole >= -most;
}

/* Adds an edit of a time. Returns 1 + its index; 0 if out of memory. */
static uint32_t add_time_edit(struct ordo_span_draft *draft, struct ordo_text value, int64_t time_ns, uint32_t begin)
{
    struct ordo_span_edit *edit = ordo_spans_add_edit(draft->spans);
    struct ordo_text digits = ordo_walk_bare(value);
    if (!edit)
        return 0;
    *edit = (struct ordo_span_edit){.at = ordo_walk_place(draft->walk, digits.at),
                                    .value_ns = time_ns,
                                    .length = (uint32_t)digits.length,
                                    .begin = begin,
                                    .is_us = draft->is_us};
    return (uint32_t)draft->spans->edit_count;
}

/* Sets the end. A clock that shows whole us may show a duration of 1 us for a shorter one, because some tracers round
 * 0 up to 1. The end is then taken to be the begin, which is not after it, and the duration stays. */
static int set_span_end(struct ordo_span_draft *draft)
{
    struct ordo_span *span = &draft->span;
    int64_t number = 0;
    bool is_duration = draft->duration.length > 0;
    struct ordo_text value = is_duration ? draft->duration : draft->end;
    span->end_ns = span->begin_ns;
    span->has_end = read_span_ns(draft, value, &number) && (is_duration || number != 0);
    if (!span->has_end) {
        ordo_odds_note(&draft->spans->odds, ORDO_ODD_NO_END, draft->walk->input->row, 1);
        return 0;
    }
    int64_t end_ns = is_duration ? span->begin_ns + number : number;
    if (end_ns < span->begin_ns) {
        ordo_odds_note(&draft->spans->odds, ORDO_ODD_NEGATIVE, draft->walk->input->row, 1);
        span->has_end = false;
        return 0;
    }
    if (is_duration && number == 1000)
        return 0;
    span->end_ns = end_ns;
    span->end_edit = add_time_edit(draft, value, end_ns, is_duration ? span->begin_edit : 0);
    return span->end_edit ? 0 : -1;
}

int ordo_span_finish(struct ordo_span_draft *draft)
{
    struct ordo_span *span = &draft->span;
    draft->walk->input->row++;
    if (!read_span_ns(draft, draft->begin, &span->begin_ns)) {
        ordo_odds_note(&draft->spans->odds, ORDO_ODD_NO_BEGIN, draft->walk->input->row, 1);
        while (draft->spans->reference_count > 0 &&
               draft->spans->references[draft->spans->reference_count - 1].span == draft->spans->count)
            draft->spans->reference_count--;
        return 0;
    }
    span->begin_edit = add_time_edit(draft, draft->begin, span->begin_ns, 0);
    if (!span->begin_edit || set_span_end(draft))
        return -1;
    struct ordo_span *added = ordo_spans_add(draft->spans);
    if (!added)
        return -1;
    *added = *span;
    return 1;
}

int ordo_span_moment_add(struct ordo_span_draft *draft, struct ordo_text time, struct ordo_text name)
{
    int64_t time_ns;
    if (!read_span_ns(draft, time, &time_ns))
        return 0;
    uint32_t number = ordo_spans_name(draft->spans, name), edit = add_time_edit(draft, time, time_ns, 0);
    struct ordo_span_moment *moment = ordo_spans_add_moment(draft->spans);
    if (number == UINT32_MAX || !edit || !moment)
        return -1;
    *moment = (struct ordo_span_moment){time_ns, (uint32_t)(draft->spans->count - 1), number, edit};
    return 0;
}

int ordo_span_refer(struct ordo_spans *spans, struct ordo_text trace, struct ordo_text id, int kind)
{
    uint64_t number = ordo_span_id(ordo_walk_bare(id));
    if (number == 0)
        return 0;
    struct ordo_span_reference *reference = ordo_spans_add_reference(spans);
    if (!reference)
        return -1;
    *reference = (struct ordo_span_reference){ordo_span_id(ordo_walk_bare(trace)), number, (uint32_t)spans->count,
                                              (uint8_t)kind};
    return 0;
}
