/* Stands for the files that use the OTF2 library, in a build without it. */
#include "trace/otf2/archive.h"

const bool ordo_otf2_is_there = false;

void ordo_otf2_work(struct ordo_process_out *out, const void *task)
{
    static const char line[] = "the OTF2 library is missing";
    (void)task;
    ordo_process_send(out, ORDO_OTF2_FAILED, line, sizeof line - 1, NULL, 0);
}

void ordo_otf2_write(struct ordo_process_out *out, const void *output)
{
    ordo_otf2_work(out, output);
}
