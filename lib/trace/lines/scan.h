/* Parts of a line of text: words, fields and times. No function reads beyond the text. */
#ifndef ORDO_TRACE_LINES_SCAN_H
#define ORDO_TRACE_LINES_SCAN_H

#include <string.h>

#include "trace/event/event.h"

static inline bool ordo_scan_blank(char letter)
{
    return letter == ' ' || letter == '\t';
}

static inline bool ordo_scan_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/** Returns the text from `from` on; empty if it is shorter. */
static inline struct ordo_text ordo_scan_from(struct ordo_text text, size_t from)
{
    from = from < text.length ? from : text.length;
    return (struct ordo_text){text.at + from, text.length - from};
}

static inline bool ordo_scan_begins(struct ordo_text text, const char *with)
{
    size_t length = strlen(with);
    return text.length >= length && memcmp(text.at, with, length) == 0;
}

static inline bool ordo_scan_ends(struct ordo_text text, const char *with)
{
    size_t length = strlen(with);
    return text.length >= length && memcmp(text.at + text.length - length, with, length) == 0;
}

static inline bool ordo_scan_is(struct ordo_text text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.at, word, text.length) == 0;
}

/** Returns the text without blanks at its begin and its end. */
static inline struct ordo_text ordo_scan_trim(struct ordo_text text)
{
    while (text.length > 0 && ordo_scan_blank(*text.at))
        text = ordo_scan_from(text, 1);
    while (text.length > 0 && ordo_scan_blank(text.at[text.length - 1]))
        text.length--;
    return text;
}

/** Removes the next word, up to a blank, from a text. Returns it; empty if there is none. */
struct ordo_text ordo_scan_word(struct ordo_text *text);

/** Removes the last word from a text. Returns it; empty if there is none. */
struct ordo_text ordo_scan_last(struct ordo_text *text);

/** Finds a text in a text. Returns its position; `text.length` if it is not there. */
size_t ordo_scan_find(struct ordo_text text, const char *word);

/** Returns the text behind `key` up to the next blank: ordo_scan_field("a=1 b=2", "b=") is "2". `at` is NULL if the key
 * is not there. */
struct ordo_text ordo_scan_field(struct ordo_text text, const char *key);

/** True if the text is a number of at most 18 digits, which is not negative. */
bool ordo_scan_number(struct ordo_text text, int64_t *number);

/** Reads seconds with one to nine digits after the point, without loss. True if the text is such a number, within 73
 * years of 0. */
bool ordo_scan_seconds(struct ordo_text text, int64_t *time_ns);

/** Returns the first number in a text; `otherwise` if there is none. */
int64_t ordo_scan_first_number(struct ordo_text text, int64_t otherwise);

/** True if a text begins as JSON does, by an object or an array of objects. Its texts may have lines of tracers. */
bool ordo_scan_is_json(struct ordo_text text);

#endif
