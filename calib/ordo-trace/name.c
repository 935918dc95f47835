#include "name.h"

#include <stdio.h>

#include "base/utf8.h"

/* Prints the next letter; returns its bytes. */
static size_t print_letter(struct ordo_text text)
{
    size_t bytes = ordo_utf8_letter(text.at, text.length);
    fwrite(bytes ? text.at : "?", 1, bytes ? bytes : 1, stdout);
    return bytes ? bytes : 1;
}

void name_print(struct ordo_text name, int width)
{
    int letters = 0;
    for (size_t at = 0; at < name.length && letters < width; letters++)
        at += print_letter((struct ordo_text){name.at + at, name.length - at});
    printf("%*s", width - letters, "");
}

void name_print_csv(struct ordo_text name)
{
    putchar('"');
    for (size_t at = 0; at < name.length;) {
        if (name.at[at] == '"')
            putchar('"');
        at += print_letter((struct ordo_text){name.at + at, name.length - at});
    }
    putchar('"');
}
