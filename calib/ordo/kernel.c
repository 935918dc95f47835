#include "kernel.h"

#include <stdio.h>

#include "calibrate/record/publish.h"
#include "common/calibrate.h"
#include "common/result.h"
#include "recalibrate.h"

/* Publishes what was measured, if it is to be. */
static int publish(struct ordo_calibration *result, const char *path, struct kernel_clock *found,
                   struct ordo_error *error)
{
    if (!path)
        return ORDO_OK;
    int code = ordo_record_path_of(ORDO_CLOCK_MONOTONIC, path, found->path, sizeof found->path, error);
    if (!code)
        code = ordo_record_publish(found->path, result, NULL, error);
    if (code)
        found->path[0] = '\0';
    return code;
}

void kernel_clock_renew(const struct ordo_calibrate_options *options, const char *path, bool quiet,
                        struct kernel_clock *found)
{
    struct ordo_calibrate_options own = *options;
    struct ordo_calibration *result = NULL;
    struct ordo_error error = {0};
    *found = (struct kernel_clock){.measured = false};
    if (!ordo_record_clock_is_kernels(ORDO_CLOCK_MONOTONIC))
        return;
    int code = cli_calibrate_kernel_clock(&own, quiet, &result, &error);
    if (!code)
        code = publish(result, path, found, &error);
    if (code) {
        (void)snprintf(found->reason, sizeof found->reason, "%.230s", error.text);
    } else {
        found->measured = true;
        found->boundary_ns = result->boundary_ticks;
        found->generation = result->generation;
    }
    ordo_calibration_free(result);
}

/* Why the record at `path` does not hold, as enum ordo_code. */
static int judge(const char *path)
{
    struct ordo_record_view view;
    const void *bytes;
    size_t count;
    int code = ordo_record_map(path, &bytes, &count, NULL);
    if (code)
        return code;
    code = ordo_record_parse(bytes, count, &view);
    if (!code)
        code = ordo_record_holds_by(&view, ORDO_CLOCK_MONOTONIC, NULL);
    (void)munmap((void *)(uintptr_t)bytes, count);
    return code;
}

bool kernel_clock_mend(const struct ordo_calibrate_options *options, const char *path, bool quiet,
                       struct kernel_clock *found)
{
    char own[PATH_MAX];
    *found = (struct kernel_clock){.measured = false};
    if (ordo_record_path_of(ORDO_CLOCK_MONOTONIC, path, own, sizeof own, NULL) || !recalibrate_mends(judge(own)))
        return false;
    kernel_clock_renew(options, path, quiet, found);
    return found->measured;
}
