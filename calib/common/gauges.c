#include "gauges.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/file.h"

static void head(FILE *stream, const char *name, const char *type, const char *unit, const char *help)
{
    fprintf(stream, "# TYPE %s %s\n", name, type);
    if (*unit)
        fprintf(stream, "# UNIT %s %s\n", name, unit);
    fprintf(stream, "# HELP %s %s\n", name, help);
}

void cli_gauge_head(FILE *stream, const char *name, const char *unit, const char *help)
{
    head(stream, name, "gauge", unit, help);
}

void cli_counter_head(FILE *stream, const char *name, const char *unit, const char *help)
{
    head(stream, name, "counter", unit, help);
}

void cli_gauge_value(FILE *stream, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    if (isinf(value))
        (void)snprintf(text, sizeof text, "%sInf", value > 0 ? "+" : "-");
    fprintf(stream, "%s\n", text);
}

void cli_gauge(FILE *stream, const char *name, const char *unit, const char *help, double value)
{
    cli_gauge_head(stream, name, unit, help);
    fprintf(stream, "%s ", name);
    cli_gauge_value(stream, value);
}

void cli_counter(FILE *stream, const char *name, const char *unit, const char *help, double value)
{
    cli_counter_head(stream, name, unit, help);
    fprintf(stream, "%s ", name);
    cli_gauge_value(stream, value);
}

/* Moves `value` by two units in the last place, which is more than the error of two roundings (below 2^-52 of the
 * value). */
static double step_twice(double value, double toward)
{
    return value == 0 || isinf(value) ? value : nextafter(nextafter(value, toward), toward);
}

double cli_not_above(double value)
{
    return step_twice(value, -INFINITY);
}

double cli_not_below(double value)
{
    return step_twice(value, INFINITY);
}

int cli_gauges_write(const char *path, void (*put)(FILE *stream, const void *metrics), const void *metrics,
                     struct ordo_error *error)
{
    char *text = NULL;
    size_t bytes;
    struct ordo_staged_file staged;
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream)
        return ordo_error_errno(error, "%s", path);
    put(stream, metrics);
    fputs("# EOF\n", stream);
    int failed = ferror(stream) | (fclose(stream) != 0);
    int code = failed ? ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%.150s: out of memory", path)
                      : ordo_file_stage(&staged, path, text, bytes, 0644, error);
    free(text);
    return code ? code : ordo_file_finish(&staged, true, error);
}
