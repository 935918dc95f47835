#include "ordo-net/span.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int64_t span_of(const char *text, int64_t least_ns, int64_t most_ns)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    char *end;
    double number = strtod(text, &end);
    for (size_t i = 0; end != text && i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].unit) == 0) {
            double ns = ceil(number * units[i].ns);
            return ns >= (double)least_ns && ns <= (double)most_ns ? (int64_t)ns : -1;
        }
    return -1;
}
