/* Help and error messages that list the members of a registry. */
#include <stdio.h>
#include <string.h>

#include "options.h"

void cli_add_name(char *text, size_t size, const char *name)
{
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
}

char *cli_help_with(const char *text, const char *names)
{
    int before = (int)strcspn(text, "@");
    char *made;
    return asprintf(&made, "%.*s%s%s", before, text, names, text + before + 1) < 0 ? NULL : made;
}
