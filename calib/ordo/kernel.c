#include "kernel.h"

#include <stdio.h>

#include "calibrate/record/publish.h"
#include "common/calibrate.h"
#include "common/result.h"

/* Publishes the result, unless `path` is NULL. */
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
    int code = own.progress ? ordo_calibrate_kernel_clock(&own, &result, &error)
                            : cli_calibrate_kernel_clock(&own, quiet, &result, &error);
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

/* Reads the head of the record of the kernel's clock that is next to `path`. Returns 0 if that record is usable, else
 * the reason. */
static int judge_head(const char *path, char own[PATH_MAX], struct ordo_record *head)
{
    struct ordo_record_view view = {0};
    const void *bytes;
    size_t count;
    int code = ordo_record_path_of(ORDO_CLOCK_MONOTONIC, path, own, PATH_MAX, NULL);
    if (!code)
        code = ordo_record_map(own, &bytes, &count, NULL);
    if (code)
        return code;
    code = ordo_record_parse(bytes, count, &view);
    if (!code)
        code = ordo_record_holds_by(&view, ORDO_CLOCK_MONOTONIC, NULL);
    *head = view.head;
    (void)munmap((void *)(uintptr_t)bytes, count);
    return code;
}

int kernel_clock_judge(const char *path)
{
    char own[PATH_MAX];
    struct ordo_record head;
    return judge_head(path, own, &head);
}

int kernel_clock_reach(const char *path, struct ordo_record *head, int *fd)
{
    char own[PATH_MAX];
    *fd = -1;
    if (!ordo_record_clock_is_kernels(ORDO_CLOCK_MONOTONIC) ||
        ordo_record_path_of(ORDO_CLOCK_MONOTONIC, path, own, sizeof own, NULL))
        return ORDO_E_MISSING;
    int reached = ordo_record_reach(own), code = judge_head(path, own, head);
    if (code == ORDO_OK || code == ORDO_E_RATE || code == ORDO_E_EXPIRED) {
        *fd = reached;
        return ORDO_OK;
    }
    if (reached >= 0)
        (void)close(reached);
    return code;
}

bool kernel_clock_withdraw(const char *path)
{
    char own[PATH_MAX];
    struct ordo_record head;
    int code = judge_head(path, own, &head);
    return (code == ORDO_OK || code == ORDO_E_RATE) && ordo_record_disrupt(own, &head, NULL) == ORDO_OK;
}
