/* Characters of UTF-8 (RFC 3629, section 4). */
#ifndef ORDO_BASE_UTF8_H
#define ORDO_BASE_UTF8_H

#include <stddef.h>

/** Returns the number of bytes, 1 to 4, of the UTF-8 character at `text`, which has `left` bytes. Returns 0 for a
 * control character, an incomplete or overlong encoding, a surrogate, or a code above U+10FFFF. */
static inline size_t ordo_utf8_letter(const char *text, size_t left)
{
    const unsigned char *at = (const unsigned char *)text;
    if (left == 0 || at[0] < 0x20 || at[0] == 0x7f || (at[0] >= 0x80 && at[0] < 0xc2) || at[0] > 0xf4)
        return 0;
    size_t bytes = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if (bytes > left)
        return 0;
    for (size_t i = 1; i < bytes; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    unsigned second = bytes > 1 ? at[1] : 0;
    if ((at[0] == 0xe0 && second < 0xa0) || (at[0] == 0xed && second > 0x9f) || (at[0] == 0xf0 && second < 0x90) ||
        (at[0] == 0xf4 && second > 0x8f) || (at[0] == 0xc2 && second < 0xa0))
        return 0;
    return bytes;
}

#endif
