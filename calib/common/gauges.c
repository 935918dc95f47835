#include "gauges.h"

#include <math.h>

#include "base/file.h"

void cli_gauge_head(FILE *stream, const char *name, const char *unit, const char *help)
{
    fprintf(stream, "# TYPE %s gauge\n", name);
    if (*unit)
        fprintf(stream, "# UNIT %s %s\n", name, unit);
    fprintf(stream, "# HELP %s %s\n", name, help);
}

void cli_gauge(FILE *stream, const char *name, const char *unit, const char *help, double value)
{
    cli_gauge_head(stream, name, unit, help);
    if (isinf(value))
        fprintf(stream, "%s %sInf\n", name, value > 0 ? "+" : "-");
    else
        fprintf(stream, "%s %.15g\n", name, value);
}

int cli_gauges_replace(const char *path, const char *text, size_t bytes, struct ordo_error *error)
{
    struct ordo_staged_file staged;
    int code = ordo_file_stage(&staged, path, text, bytes, 0644, error);
    return code ? code : ordo_file_finish(&staged, true, error);
}
