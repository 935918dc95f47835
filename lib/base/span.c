#include "base/span.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *ordo_format_ns(double ns, char text[24])
{
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
    const char *name = "ns";
    for (size_t i = 0; i < sizeof units / sizeof *units && !strcmp(name, "ns"); i++)
        if (fabs(ns) >= 10 * units[i].ns) {
            ns /= units[i].ns;
            name = units[i].name;
        }
    if (isinf(ns))
        (void)snprintf(text, 24, "%s", ns < 0 ? "-inf" : "inf");
    else
        (void)snprintf(text, 24, fabs(ns) >= 1000 || !strcmp(name, "ns") ? "%.0f %s" : "%.4g %s", ns, name);
    return text;
}
