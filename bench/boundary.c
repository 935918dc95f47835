#include "boundary.h"

int bench_boundary_open(struct bench_boundary *boundary, const struct bench_options *options, struct ordo_error *error)
{
    *boundary = (struct bench_boundary){.source = BENCH_BOUNDARY_NONE};
    if (options->boundary_given) {
        /* Not ORDO_INIT: there 0 is the infinite boundary, here it is what was asked for. */
        boundary->handle.not_boundary = ~options->boundary_ticks;
        boundary->source = BENCH_BOUNDARY_OPTION;
        return ORDO_OK;
    }
    int code = ordo_open_error(&boundary->handle, options->record, error);
    if (!code)
        boundary->source = BENCH_BOUNDARY_RECORD;
    return options->record ? code : ORDO_OK;
}

void bench_boundary_close(struct bench_boundary *boundary)
{
    ordo_close(&boundary->handle);
}

const char *bench_boundary_word(enum bench_boundary_source source)
{
    switch (source) {
    case BENCH_BOUNDARY_RECORD:
        return "record";
    case BENCH_BOUNDARY_OPTION:
        return "option";
    default:
        return NULL;
    }
}
