#include "trace/page/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

/* True if a letter is not seen itself, but changes the text around it: marks and overrides of the direction (U+061C,
 * U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), line and paragraph separators (U+2028, U+2029), and the
 * byte-order mark. They would let a name change how the numbers next to it read. */
static bool is_unseen(const char *letter, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)letter;
    if (bytes == 2)
        return at[0] == 0xd8 && at[1] == 0x9c;
    if (bytes != 3 || (at[0] == 0xef && at[1] == 0xbb && at[2] == 0xbf))
        return bytes == 3;
    return at[0] == 0xe2 && ((at[1] == 0x80 && (at[2] == 0x8e || at[2] == 0x8f || (at[2] >= 0xa8 && at[2] <= 0xae))) ||
                             (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

/* Takes the next letter of a text. Returns its bytes, or "?" for a byte that is not a letter and for an unseen letter. */
static struct ordo_text take_letter(struct ordo_text *text)
{
    size_t bytes = ordo_utf8_letter(text->at, text->length);
    struct ordo_text letter =
        bytes && !is_unseen(text->at, bytes) ? (struct ordo_text){text->at, bytes} : (struct ordo_text){"?", 1};
    bytes = bytes ? bytes : 1;
    text->at += bytes;
    text->length -= bytes;
    return letter;
}

/* Cuts a text. The cut may be within a letter, whose first bytes then become question marks. */
static struct ordo_text cut(struct ordo_text text)
{
    text.length = text.length < ORDO_PAGE_NAME_MOST ? text.length : ORDO_PAGE_NAME_MOST;
    return text;
}

void ordo_page_escape(FILE *stream, struct ordo_text text)
{
    for (text = cut(text); text.length > 0;) {
        struct ordo_text letter = take_letter(&text);
        if (letter.length == 1 && memchr("<>&\"'", *letter.at, 5))
            fprintf(stream, "&#%d;", *letter.at);
        else
            fwrite(letter.at, 1, letter.length, stream);
    }
}

void ordo_page_quote(FILE *stream, struct ordo_text text)
{
    putc('"', stream);
    for (text = cut(text); text.length > 0;) {
        struct ordo_text letter = take_letter(&text);
        if (letter.length == 1 && memchr("<>&\"'\\", *letter.at, 6))
            fprintf(stream, "\\u%04x", (unsigned)*letter.at);
        else
            fwrite(letter.at, 1, letter.length, stream);
    }
    putc('"', stream);
}

void ordo_page_time(FILE *stream, double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int unit = 0;
    for (; unit < 3 && fabs(ns) >= 999.9995; unit++)
        ns /= 1000;
    fprintf(stream, fabs(ns) < 999999.5 ? "%.6g %s" : "%.0f %s", ns, units[unit]);
}
