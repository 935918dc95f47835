#include "duration.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

static const struct {
    const char *name;
    int64_t ns;
} units[] = {{"ns", 1},
             {"us", 1000},
             {"ms", 1000000},
             {"s", 1000000000},
             {"min", 60000000000},
             {"h", 3600000000000},
             {"d", 86400000000000}};

enum { UNITS = sizeof units / sizeof *units, SECOND = 3, DAY = 6 };

static int64_t unit_of(const char *name)
{
    for (int i = 0; i < UNITS; i++)
        if (strcmp(name, units[i].name) == 0)
            return units[i].ns;
    return 0;
}

/* Adds digit after digit, each worth a tenth of the one before. False if the number overflows, or if a digit other than
 * 0 is worth no whole number of nanoseconds. */
static bool read_digits(const char *text, size_t count, int64_t unit_ns, bool decimals, int64_t *ns)
{
    int64_t worth_ns = unit_ns;
    for (size_t i = 0; i < count; i++) {
        int digit = text[i] - '0';
        if (decimals && digit && worth_ns % 10)
            return false;
        worth_ns = decimals ? worth_ns / 10 : unit_ns;
        if ((!decimals && __builtin_mul_overflow(*ns, 10, ns)) || __builtin_add_overflow(*ns, digit * worth_ns, ns))
            return false;
    }
    return true;
}

static bool read_duration(const char *text, int64_t *ns)
{
    size_t whole = strspn(text, "0123456789"), point = text[whole] == '.';
    size_t decimals = point ? strspn(text + whole + 1, "0123456789") : 0;
    int64_t unit_ns = unit_of(text + whole + point + decimals);
    *ns = 0;
    return whole > 0 && (!point || decimals > 0) && unit_ns && read_digits(text, whole, unit_ns, false, ns) &&
           read_digits(text + whole + 1, decimals, unit_ns, true, ns);
}

int64_t duration_between(const char *text, int64_t least_ns, int64_t most_ns)
{
    int64_t ns;
    return read_duration(text, &ns) && ns >= least_ns && ns <= most_ns ? ns : -1;
}

int64_t cli_duration(const struct argp_state *state, const char *option, const char *text, int64_t least_ns,
                     int64_t most_ns)
{
    char least[DURATION_TEXT], most[DURATION_TEXT];
    int64_t ns = duration_between(text, least_ns, most_ns);
    if (ns < 0)
        cli_wrong(state, "%s '%.40s': not a time with a unit, such as 250us or 1.5s, from %s to %s", option, text,
                  duration_exact(least_ns, least), duration_exact(most_ns, most));
    return ns;
}

static uint64_t magnitude_of(int64_t ns)
{
    return ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
}

const char *duration_exact(int64_t ns, char text[DURATION_TEXT])
{
    uint64_t size = magnitude_of(ns);
    int unit = SECOND;
    while (unit > 0 && size < (uint64_t)units[unit].ns)
        unit--;
    uint64_t unit_ns = (uint64_t)units[unit].ns;
    uint64_t billionths = size % unit_ns * ((uint64_t)units[SECOND].ns / unit_ns);
    size_t end = (size_t)snprintf(text, DURATION_TEXT, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "", size / unit_ns,
                                  billionths);
    while (text[end - 1] == '0')
        end--;
    end -= text[end - 1] == '.';
    (void)snprintf(text + end, DURATION_TEXT - end, " %s", units[unit].name);
    return text;
}

const char *duration_brief(int64_t ns, char text[DURATION_TEXT])
{
    double size = (double)magnitude_of(ns);
    int unit = 0;
    while (unit < SECOND && size / (double)units[unit].ns >= 999.5)
        unit++;
    if (unit == SECOND && size / (double)units[SECOND].ns >= 99999.5)
        unit = DAY;
    double shown = size / (double)units[unit].ns;
    int digits = unit == 0 || shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : 2;
    (void)snprintf(text, DURATION_TEXT, "%s%.*f%s", ns < 0 ? "-" : "+", digits, shown, units[unit].name);
    return text;
}
