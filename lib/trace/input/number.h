/* Numbers in text. */
#ifndef ORDO_TRACE_INPUT_NUMBER_H
#define ORDO_TRACE_INPUT_NUMBER_H

#include <string.h>

#include "trace/event/event.h"

/** Reads eight digits at once, the first in the lowest byte. Returns false if they are not digits. Three
 * multiplications join neighbours to pairs, pairs to fours, and fours to all eight. */
static inline bool ordo_text_eight(const char *at, uint64_t *value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0), zeros = UINT64_C(0x3030303030303030);
    uint64_t word;
    memcpy(&word, at, sizeof word);
    if ((word & high) != zeros || ((word + UINT64_C(0x0606060606060606)) & high) != zeros)
        return false;
    word -= zeros;
    word = (word * 10 + (word >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    word = (word * 100 + (word >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *value = (word * 10000 + (word >> 32)) & UINT64_C(0xffffffff);
    return true;
#else
    (void)at;
    (void)value;
    return false;
#endif
}

/** Reads a whole number in decimal, with or without '-'. True if the text is such a number and fits. */
static inline bool ordo_text_int(struct ordo_text text, int64_t *number)
{
    size_t at = text.length > 0 && *text.at == '-';
    bool negative = at > 0;
    uint64_t value = 0, eight;
    if (at == text.length || text.length - at > 19)
        return false;
    for (; text.length - at >= 8 && ordo_text_eight(text.at + at, &eight); at += 8)
        value = value * 100000000 + eight;
    for (; at < text.length; at++) {
        unsigned digit = (unsigned char)text.at[at] - '0';
        if (digit > 9)
            return false;
        value = value * 10 + digit;
    }
    if (value > (uint64_t)INT64_MAX)
        return false;
    *number = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

/** Reads a whole number. True if the text is a number from `least` to `most`. */
static inline bool ordo_text_within(struct ordo_text text, int64_t least, int64_t most, int64_t *number)
{
    return ordo_text_int(text, number) && *number >= least && *number <= most;
}

/** A number as its whole part and the rest in billionths, both rounded down: -0.25 is -1 and 750000000. */
struct ordo_decimal {
    int64_t whole;
    uint32_t billionths;
    bool is_whole; /* the rest is exactly 0 */
};

#define ORDO_DECIMAL_ONE UINT64_C(1000000000)

enum ordo_text_fit { ORDO_TEXT_FITS, ORDO_TEXT_NO_NUMBER, ORDO_TEXT_TOO_LARGE };

/** Reads a number of JSON, "-1.75e3" for example, and multiplies it by 10^`places`. All of its digits count, because no
 * double is used.
 *   ORDO_TEXT_FITS: `number` is set
 *   ORDO_TEXT_NO_NUMBER: the text is not a number
 *   ORDO_TEXT_TOO_LARGE: the whole part does not fit into an int64_t */
enum ordo_text_fit ordo_text_decimal(struct ordo_text text, int places, struct ordo_decimal *number);

/** Reads whole nanoseconds, in any notation of JSON: "1.7e18" for example.
 *   ORDO_TEXT_FITS: `time_ns` is set
 *   ORDO_TEXT_NO_NUMBER: the text is no number, or has a fraction, so its unit is not ns
 *   ORDO_TEXT_TOO_LARGE: the time is more than `most` away from 0 */
enum ordo_text_fit ordo_text_time(struct ordo_text text, int64_t most, int64_t *time_ns);

/** Writes a number in decimal, in at most 20 letters. Returns the position after the last letter. */
static inline char *ordo_text_put_int(char *to, int64_t number)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
        "49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
        "9899";
    char digits[20], *from = digits + sizeof digits;
    uint64_t value = number < 0 ? -(uint64_t)number : (uint64_t)number;
    if (number < 0)
        *to++ = '-';
    for (; value >= 100; value /= 100) {
        *--from = pairs[value % 100 * 2 + 1];
        *--from = pairs[value % 100 * 2];
    }
    *--from = (char)('0' + value % 10);
    if (value >= 10)
        *--from = (char)('0' + value / 10);
    while (from < digits + sizeof digits)
        *to++ = *from++;
    return to;
}

#endif
