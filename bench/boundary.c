#include "boundary.h"

#include "base/error.h"

/* The CPUs of the run, which need not be those of the thread that opens the record. */
struct scope_wish {
    int scope;
    struct ordo_record_set cpus;
};

/* ordo_open_kind of --scope. */
static int open_around(struct ordo *o, const struct ordo_record_view *view, const void *wish, struct ordo_error *error)
{
    const struct scope_wish *around = wish;
    struct ordo_record_set set;
    int code = ordo_scope_set(view, around->scope, &around->cpus, &set, error);
    return code ? code : ordo_scope_open_cpus(o, view, &set, error);
}

static int open_scope(struct ordo *o, const struct bench_options *options, struct ordo_error *error)
{
    struct scope_wish wish = {.scope = options->scope};
    int code = ORDO_OK;
    if (!options->cpus)
        code = ordo_record_allowed(&wish.cpus, error);
    else if (ordo_scope_parse(options->cpus, &wish.cpus))
        code = ordo_error_set(error, ORDO_E_INVALID, 0, "--cpus '%.40s': not a list of CPUs", options->cpus);
    return code ? code : ordo_open_as(o, options->record, open_around, &wish, error);
}

int bench_boundary_open(struct bench_boundary *boundary, const struct bench_options *options, struct ordo_error *error)
{
    *boundary = (struct bench_boundary){.source = BENCH_BOUNDARY_NONE};
    if (options->boundary_given) {
        /* Not ORDO_INIT: there 0 is the infinite boundary, here it is what was asked for. */
        boundary->handle.not_boundary = ~options->boundary_ticks;
        boundary->source = BENCH_BOUNDARY_OPTION;
        return ORDO_OK;
    }
    int code = options->scope ? open_scope(&boundary->handle, options, error)
                              : ordo_open_error(&boundary->handle, options->record, error);
    if (code)
        return options->record || options->scope ? code : ORDO_OK;
    boundary->source = BENCH_BOUNDARY_RECORD;
    (void)ordo_open_corrected(&boundary->corrected, options->record, &boundary->uncorrected);
    return ORDO_OK;
}

int bench_boundary_require(const struct bench_boundary *boundary, struct ordo_error *error)
{
    struct ordo_error inner = *error;
    if (boundary->source != BENCH_BOUNDARY_NONE)
        return ORDO_OK;
    return ordo_error_set(error, inner.code, inner.sys_errno, "no usable boundary record (%.160s); or give --boundary",
                          inner.text);
}

int bench_boundary_check_corrected(const struct bench_boundary *boundary, struct ordo_error *error)
{
    if (ordo_status(&boundary->corrected.handle) != ORDO_STATUS_CLOSED)
        return ORDO_OK;
    if (boundary->source == BENCH_BOUNDARY_RECORD)
        return ordo_error_set(error, boundary->uncorrected.code, 0, "the stamp corrected: %.180s",
                              boundary->uncorrected.text);
    return ordo_error_set(error, ORDO_E_MISSING, 0,
                          "the stamp corrected needs the corrections of a record: run 'ordo calibrate', and give no "
                          "--boundary");
}

void bench_boundary_close(struct bench_boundary *boundary)
{
    ordo_close_corrected(&boundary->corrected);
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
