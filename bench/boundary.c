#include "boundary.h"

#include <string.h>

#include "base/error.h"

/* A scope around the CPUs of the run, which may differ from the CPU of the thread that opens the record. */
struct scope_wish {
    int scope;
    struct ordo_record_set cpus;
};

/* The ordo_open_kind for a struct scope_wish: opens the part of the record that --scope selects. */
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

/* Opens the clock of the stamp any. If --boundary is given, its boundary is that many ticks of this clock. */
static int open_any(struct bench_boundary *boundary, const struct bench_options *options)
{
    struct ordo *handle = &boundary->any.handle;
    if (options->boundary_given) {
        handle->not_boundary = ~options->boundary_ticks;
        handle->flags = options->kernel_clock ? ORDO_FLAG_KERNEL : 0;
        return ORDO_OK;
    }
    if (options->kernel_clock)
        return ordo_any_open_kind(&boundary->any, options->record, ORDO_ANY_KERNEL, &boundary->none);
    if (options->scope)
        return open_scope(handle, options, &boundary->none);
    return ordo_any_open(&boundary->any, options->record, &boundary->none);
}

int bench_boundary_open(struct bench_boundary *boundary, const struct bench_options *options, struct ordo_error *error)
{
    *boundary = (struct bench_boundary){.source = BENCH_BOUNDARY_NONE};
    int any = open_any(boundary, options);
    if (options->boundary_given) {
        /* ORDO_INIT does not fit here: it reads 0 as the infinite boundary, but `--boundary 0` means a boundary of 0
         * ticks. */
        boundary->handle.not_boundary = ~options->boundary_ticks;
        boundary->source = BENCH_BOUNDARY_OPTION;
        return ORDO_OK;
    }
    int code = options->scope ? open_scope(&boundary->handle, options, error)
                              : ordo_open_error(&boundary->handle, options->record, error);
    if (code)
        return (options->record || options->scope) && any ? code : ORDO_OK;
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

int bench_boundary_check_any(const struct bench_boundary *boundary, struct ordo_error *error)
{
    if (ordo_any_kind(&boundary->any) != ORDO_ANY_NONE)
        return ORDO_OK;
    return ordo_error_set(error, boundary->none.code, boundary->none.sys_errno,
                          "the stamp any: %.180s; or give --boundary", boundary->none.text);
}

const struct ordo *bench_boundary_watch(const struct bench_boundary *boundary, const char *stamp)
{
    return !stamp                            ? NULL
           : strcmp(stamp, "corrected") == 0 ? &boundary->corrected.handle
           : strcmp(stamp, "any") == 0       ? &boundary->any.handle
                                             : NULL;
}

bool bench_boundary_bounds(const char *stamp)
{
    return strcmp(stamp, "ordo") == 0 || strcmp(stamp, "corrected") == 0 || strcmp(stamp, "any") == 0;
}

void bench_boundary_close(struct bench_boundary *boundary)
{
    ordo_any_close(&boundary->any);
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
