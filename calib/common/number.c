/* Numbers on the command line. A number consists of digits only. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

/* Reads a decimal number at the start of `text`. The number must end with a character of `ends`. */
static bool read_number(const char *text, const char *ends, uint64_t least, uint64_t most, uint64_t *number)
{
    size_t digits = strspn(text, "0123456789");
    errno = 0;
    *number = strtoull(text, NULL, 10);
    return digits > 0 && errno == 0 && strchr(ends, text[digits]) && *number >= least && *number <= most;
}

uint64_t cli_number(const struct argp_state *state, const char *option, const char *text, uint64_t least, uint64_t most)
{
    uint64_t number;
    if (!read_number(text, "", least, most, &number))
        cli_wrong(state, "%s '%s': not a whole number from %ju to %ju", option, text, (uintmax_t)least,
                  (uintmax_t)most);
    return number;
}

struct range {
    uint64_t least, most;
};

static int read_item(const char *item, size_t length, void *context)
{
    const struct range *range = context;
    uint64_t number;
    (void)length; /* not needed, because an item ends at a comma */
    return read_number(item, ",", range->least, range->most, &number) ? (int)number : -1;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b; /* no overflow, because neither is negative */
}

int cli_numbers(const struct argp_state *state, const char *option, const char *text, int least, int most, int *numbers,
                int limit)
{
    struct range range = {(uint64_t)least, (uint64_t)most};
    int count = cli_list(state, option, text, read_item, &range, numbers, limit);
    if (count < 0)
        cli_wrong(state, "%s '%s': not a list such as 1,2,4 of at most %d numbers from %d to %d", option, text, limit,
                  least, most);
    qsort(numbers, (size_t)count, sizeof *numbers, ascending);
    return count;
}

double cli_real(const struct argp_state *state, const char *option, const char *text, double least, double most)
{
    char *end;
    double number = strtod(text, &end);
    /* The number must begin with a digit or a point: strtod also accepts "inf", "nan" and white space. */
    if (!strchr("0123456789.", *text) || end == text || *end != '\0' || !(number >= least && number <= most))
        cli_wrong(state, "%s '%s': not a number from %g to %g", option, text, least, most);
    return number;
}
