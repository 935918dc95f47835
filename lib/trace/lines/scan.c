#include "trace/lines/scan.h"

struct ordo_text ordo_scan_word(struct ordo_text *text)
{
    const char *at = text->at, *end = at + text->length;
    while (at < end && ordo_scan_blank(*at))
        at++;
    const char *from = at;
    while (at < end && !ordo_scan_blank(*at))
        at++;
    *text = (struct ordo_text){at, (size_t)(end - at)};
    return (struct ordo_text){from, (size_t)(at - from)};
}

struct ordo_text ordo_scan_last(struct ordo_text *text)
{
    const char *begin = text->at, *end = begin + text->length;
    while (end > begin && ordo_scan_blank(end[-1]))
        end--;
    const char *from = end;
    while (from > begin && !ordo_scan_blank(from[-1]))
        from--;
    text->length = (size_t)(from - begin);
    return (struct ordo_text){from, (size_t)(end - from)};
}

size_t ordo_scan_find(struct ordo_text text, const char *word)
{
    const char *at = text.length > 0 ? memmem(text.at, text.length, word, strlen(word)) : NULL;
    return at ? (size_t)(at - text.at) : text.length;
}

struct ordo_text ordo_scan_field(struct ordo_text text, const char *key)
{
    size_t at = ordo_scan_find(text, key);
    if (at == text.length)
        return (struct ordo_text){NULL, 0};
    text = ordo_scan_from(text, at + strlen(key));
    size_t length = 0;
    while (length < text.length && !ordo_scan_blank(text.at[length]))
        length++;
    return (struct ordo_text){text.at, length};
}

bool ordo_scan_number(struct ordo_text text, int64_t *number)
{
    *number = 0;
    if (text.length > 18)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        if (!ordo_scan_digit(text.at[i]))
            return false;
        *number = *number * 10 + (text.at[i] - '0');
    }
    return text.length > 0;
}

bool ordo_scan_seconds(struct ordo_text text, int64_t *time_ns)
{
    const int64_t most_s = INT64_MAX / 4 / 1000000000;
    bool is_negative = text.length > 0 && *text.at == '-';
    struct ordo_text digits = ordo_scan_from(text, is_negative);
    size_t point = 0;
    int64_t whole, rest;
    while (point < digits.length && digits.at[point] != '.')
        point++;
    struct ordo_text places = ordo_scan_from(digits, point + 1);
    if (places.length > 9 || !ordo_scan_number((struct ordo_text){digits.at, point}, &whole) || whole >= most_s ||
        !ordo_scan_number(places, &rest))
        return false;
    for (size_t i = places.length; i < 9; i++)
        rest *= 10;
    *time_ns = whole * 1000000000 + rest;
    *time_ns = is_negative ? -*time_ns : *time_ns;
    return true;
}

int64_t ordo_scan_first_number(struct ordo_text text, int64_t otherwise)
{
    size_t from = 0, length = 0;
    int64_t number;
    while (from < text.length && !ordo_scan_digit(text.at[from]))
        from++;
    text = ordo_scan_from(text, from);
    while (length < text.length && ordo_scan_digit(text.at[length]))
        length++;
    return ordo_scan_number((struct ordo_text){text.at, length}, &number) ? number : otherwise;
}

bool ordo_scan_is_json(struct ordo_text text)
{
    bool is_array = false;
    for (size_t i = 0; i < text.length; i++) {
        if (ordo_scan_blank(text.at[i]) || text.at[i] == '\n' || text.at[i] == '\r')
            continue;
        if (is_array || text.at[i] != '[')
            return text.at[i] == '{';
        is_array = true;
    }
    return false;
}
