#include "common/place.h"

#include <stdio.h>
#include <string.h>

#include <ordo/record.h>

#include "common/result.h"

void cli_tell_passed_over(const char *program, const char *taken)
{
    char own[4096];
    if (ordo_record_own_place(own, sizeof own) && strcmp(own, taken) == 0 && ordo_record_exists(ORDO_RECORD_PATH, ""))
        fprintf(stderr, "%s: uses this user's own record, %s, instead of %s\n", program, cli_show(taken),
                ORDO_RECORD_PATH);
}

const char *cli_find_record(const char *program, const char *path, bool quiet, char *buffer, size_t size)
{
    const char *found = ordo_record_find(path, buffer, size);
    if (!path && !quiet)
        cli_tell_passed_over(program, found);
    return found;
}
