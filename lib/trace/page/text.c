#include "trace/page/text.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

/* Takes the next letter of a text. Returns its bytes, or "?" for a byte that is not a letter. */
static struct ordo_text take_letter(struct ordo_text *text)
{
    size_t bytes = ordo_utf8_letter(text->at, text->length);
    struct ordo_text letter = {bytes ? text->at : "?", bytes ? bytes : 1};
    text->at += letter.length;
    text->length -= letter.length;
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
    fprintf(stream, "%.6g %s", ns, units[unit]);
}
