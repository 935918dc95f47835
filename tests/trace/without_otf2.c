/* A build without the OTF2 library says how to get it. Linked with absent.c, which then stands for the files that use the
 * library. Usage: without-otf2 ARCHIVE */
#include <stdio.h>
#include <string.h>

#include "trace/form/form.h"
#include "trace/otf2/archive.h"

static int check(const char *what, int code, const struct ordo_error *error)
{
    bool told =
        code == ORDO_E_INVALID && strstr(error->text, "libopen-trace-format2-dev") && !strchr(error->text, '\n');
    if (!told)
        printf("%s: code %d, '%s'\n", what, code, error->text);
    return !told;
}

int main(int argc, char **argv)
{
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_error error = {0};
    struct ordo_reader reader;
    struct ordo_writer writer = {.form = ordo_form_find("otf2")};
    if (argc != 2 || ordo_otf2_is_there)
        return 64;
    int wrong = check("reading", ordo_reader_open(&reader, argv[1], NULL, &columns, &error), &error);
    return wrong + check("writing", writer.form->begin(&writer, &error), &error);
}
