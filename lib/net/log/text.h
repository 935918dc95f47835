/* A part of a line of a log: a view of its characters, and steps over them. No function reads beyond `end`. */
#ifndef ORDO_NET_LOG_TEXT_H
#define ORDO_NET_LOG_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct ordo_log_text {
    const char *at, *end;
};

static inline size_t ordo_log_length(struct ordo_log_text text)
{
    return (size_t)(text.end - text.at);
}

static inline bool ordo_log_is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/** True if the text begins with these characters. */
static inline bool ordo_log_begins(struct ordo_log_text text, const char *word)
{
    size_t length = strlen(word);
    return ordo_log_length(text) >= length && memcmp(text.at, word, length) == 0;
}

/** Steps over these characters. False: the text does not begin with them, and stays as it is. */
static inline bool ordo_log_skip(struct ordo_log_text *text, const char *word)
{
    if (!ordo_log_begins(*text, word))
        return false;
    text->at += strlen(word);
    return true;
}

static inline void ordo_log_skip_blanks(struct ordo_log_text *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t'))
        text->at++;
}

/** True if the text is exactly this word. */
static inline bool ordo_log_is(struct ordo_log_text text, const char *word)
{
    return ordo_log_length(text) == strlen(word) && ordo_log_begins(text, word);
}

/** True if both texts have the same characters. */
static inline bool ordo_log_equal(struct ordo_log_text a, struct ordo_log_text b)
{
    return ordo_log_length(a) == ordo_log_length(b) && (a.at == a.end || memcmp(a.at, b.at, ordo_log_length(a)) == 0);
}

/** Steps over blanks and the next word, and returns the word; empty at the end of the text. */
static inline struct ordo_log_text ordo_log_word(struct ordo_log_text *text)
{
    ordo_log_skip_blanks(text);
    struct ordo_log_text word = {text->at, text->at};
    while (word.end < text->end && *word.end != ' ' && *word.end != '\t')
        word.end++;
    text->at = word.end;
    return word;
}

/** Returns the first place of these characters in the text; NULL: nowhere. */
const char *ordo_log_find(struct ordo_log_text text, const char *word);

/** Steps over `digits` decimal digits and stores their value. False: there are fewer, and the text stays. */
bool ordo_log_digits(struct ordo_log_text *text, int digits, int *value);

/** Steps over a fraction such as ".123456" or ",123", and adds it to `*ns`. Does nothing if there is none. */
void ordo_log_fraction(struct ordo_log_text *text, int64_t *ns);

/** Reads a whole word as a number such as -4, +1.5e-06 or 3037000498. False: it is not a number. Numbers of up to 18
 * digits are correct to a unit in the last place of a double. */
bool ordo_log_number(struct ordo_log_text word, double *number);

/** Reads a whole word as a number without sign, fraction or exponent. False: it is not one of at most 18 digits. */
bool ordo_log_whole(struct ordo_log_text word, int64_t *number);

/** Copies the text into `copy`, which has `size` bytes, as a string: control characters and characters above 126 become
 * '?', and the end is cut off if there is no room. */
void ordo_log_copy(char *copy, size_t size, struct ordo_log_text text);

#endif
