#include "trace/input/number.h"

enum { REST_PLACES = 9 };

/* A number in text: [sign] digits [. digits] [e [sign] digits]. */
struct written {
    const char *at, *end; /* the digits, with the decimal point if there is one */
    int64_t first;        /* the power of ten of the first digit */
    bool negative;
};

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static const char *skip_digits(const char *at, const char *end)
{
    while (is_digit(at, end))
        at++;
    return at;
}

/* Reads an exponent. Limits a huge exponent to a value so large that the digits of no text can compensate for it. */
static bool read_exponent(const char *at, const char *end, int64_t *exponent)
{
    const int64_t most = INT32_MAX;
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (!is_digit(at, end))
        return false;
    for (*exponent = 0; is_digit(at, end); at++)
        *exponent = *exponent > most ? *exponent : *exponent * 10 + (*at - '0');
    *exponent = negative ? -*exponent : *exponent;
    return at == end;
}

static bool read_written(struct ordo_text text, struct written *number)
{
    const char *end = text.at + text.length;
    number->negative = text.length > 0 && *text.at == '-';
    number->at = text.at + (text.length > 0 && (*text.at == '-' || *text.at == '+'));
    const char *point = skip_digits(number->at, end);
    bool has_point = point < end && *point == '.';
    number->end = skip_digits(point + has_point, end);
    if (number->end - number->at == has_point) /* no digit */
        return false;
    int64_t exponent = 0;
    if (number->end < end &&
        ((*number->end != 'e' && *number->end != 'E') || !read_exponent(number->end + 1, end, &exponent)))
        return false;
    number->first = exponent + (point - number->at) - 1;
    return true;
}

/* Appends a digit. Returns false if the number does not fit. */
static bool append_digit(uint64_t *number, unsigned digit)
{
    const uint64_t most = INT64_MAX;
    if (*number > (most - digit) / 10)
        return false;
    *number = *number * 10 + digit;
    return true;
}

/* The parts of a number without its sign. */
struct parts {
    uint64_t whole, rest;
    bool more; /* some digit after those of the rest is not 0 */
};

/* Splits the digits into the parts of the number. `first` is the power of ten of the first digit. */
static bool split(const struct written *number, int64_t first, struct parts *parts)
{
    int64_t power = first;
    for (const char *at = number->at; at < number->end; at++) {
        unsigned digit = (unsigned char)*at - '0';
        if (*at == '.')
            continue;
        if (power >= 0 && !append_digit(&parts->whole, digit))
            return false;
        if (power < 0 && power >= -REST_PLACES)
            parts->rest = parts->rest * 10 + digit;
        parts->more |= power < -REST_PLACES && digit > 0;
        power--;
    }
    for (; power >= 0 && parts->whole > 0; power--)
        if (!append_digit(&parts->whole, 0))
            return false;
    for (; power >= -REST_PLACES && parts->rest > 0; power--)
        parts->rest *= 10;
    return true;
}

/* Joins the parts to a number, rounded down: a negative number is rounded away from 0. */
static struct ordo_decimal join_parts(const struct parts *parts, bool negative)
{
    struct ordo_decimal number = {(int64_t)parts->whole, (uint32_t)parts->rest, parts->rest == 0 && !parts->more};
    if (!negative)
        return number;
    number.whole = -number.whole - !number.is_whole;
    number.billionths =
        number.is_whole ? 0 : (uint32_t)((ORDO_DECIMAL_ONE - parts->rest - parts->more) % ORDO_DECIMAL_ONE);
    return number;
}

/* Reads a number of the most common form: without an exponent, with at most `places` digits after the point, and with
 * at most 19 digits in all, which fit in 64 bits without a sign. Microseconds since 1970 with three places have 19.
 * Returns false for any other text. */
static bool read_plain(struct ordo_text text, int places, int64_t *number)
{
    bool negative = text.length > 0 && *text.at == '-', point = false;
    uint64_t value = 0;
    int after = 0, left = 19;
    for (size_t at = negative; at < text.length; at++) {
        unsigned digit = (unsigned char)text.at[at] - '0';
        if (text.at[at] == '.' && !point) {
            point = true;
            continue;
        }
        if (digit > 9 || left-- == 0 || (point && after++ == places))
            return false;
        value = value * 10 + digit;
    }
    for (; after < places; after++)
        if (left-- == 0)
            return false;
        else
            value *= 10;
    *number = negative ? -(int64_t)value : (int64_t)value;
    return text.length > (size_t)negative + point && value <= INT64_MAX;
}

enum ordo_text_fit ordo_text_decimal(struct ordo_text text, int places, struct ordo_decimal *number)
{
    struct written written;
    struct parts parts = {0};
    *number = (struct ordo_decimal){.is_whole = true};
    if (read_plain(text, places, &number->whole))
        return ORDO_TEXT_FITS;
    if (!read_written(text, &written))
        return ORDO_TEXT_NO_NUMBER;
    if (!split(&written, written.first + places, &parts))
        return ORDO_TEXT_TOO_LARGE;
    *number = join_parts(&parts, written.negative);
    return ORDO_TEXT_FITS;
}

enum ordo_text_fit ordo_text_time(struct ordo_text text, int64_t most, int64_t *time_ns)
{
    struct ordo_decimal number;
    if (!ordo_text_int(text, time_ns)) {
        enum ordo_text_fit fit = ordo_text_decimal(text, 0, &number);
        if (fit != ORDO_TEXT_FITS)
            return fit;
        if (!number.is_whole)
            return ORDO_TEXT_NO_NUMBER;
        *time_ns = number.whole;
    }
    return *time_ns < -most || *time_ns > most ? ORDO_TEXT_TOO_LARGE : ORDO_TEXT_FITS;
}
