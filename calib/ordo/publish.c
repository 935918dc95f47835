#include "publish.h"

#include <limits.h>

#include "common/report.h"

static int render_json(const struct ordo_calibration *calibration, const char *path, char **text, size_t *bytes,
                       struct ordo_error *error)
{
    return cli_render_report(path, calibration, "json", text, bytes, error);
}

int publish_result(const char *path, struct ordo_calibration *result, struct ordo_error *error)
{
    char json_path[PATH_MAX];
    struct ordo_record_companion json = {json_path, render_json};
    if (snprintf(json_path, sizeof json_path, "%s.json", path) >= (int)sizeof json_path)
        return (void)ordo_error_set(error, ORDO_E_INVALID, 0, "%.60s...: the path is too long", path), EXIT_INTERNAL;
    int code = ordo_record_publish(path, result, &json, error);
    return !code ? EXIT_OK : code == ORDO_E_MEASURE ? EXIT_UNKNOWN : EXIT_INTERNAL;
}
