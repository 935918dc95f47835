#include "read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct ordo_clock_source *clock_named(const struct cli_given *given, const char *name)
{
    const struct ordo_clock_source *source = ordo_clock_source_find(name);
    if (!source)
        cli_wrong(given->state, "%s %s: not a clock; ordo-mpi clocks lists them", given->option, name);
    return source;
}

void mpi_read_clock(const struct cli_given *given, void *member)
{
    *(const struct ordo_clock_source **)member = clock_named(given, given->text);
}

void mpi_read_deadline(const struct cli_given *given, void *member)
{
    double seconds = cli_real(given->state, given->option, given->text, 0, MPI_MOST_SECONDS);
    if (seconds > 0 && seconds < 0.1)
        cli_wrong(given->state, "%s %s: not 0, or a number of seconds from 0.1", given->option, given->text);
    *(double *)member = seconds;
}

void mpi_read_waits(const struct cli_given *given, void *member)
{
    struct mpi_waits *waits = member;
    const int most = (int)given->row->most;
    char *word, *text = given->text;
    waits->count = 0;
    while ((word = strsep(&text, ","))) {
        double wait_s = cli_real(given->state, given->option, word, 0, MPI_MOST_SECONDS);
        if (waits->count == most || (waits->count > 0 && wait_s < waits->s[waits->count - 1]))
            cli_wrong(given->state, "%s: at most %d numbers, ascending", given->option, most);
        waits->s[waits->count++] = wait_s;
    }
}

/* Limits of an injection, so that sums with readings and with differences of readings do not overflow. */
enum { MOST_AHEAD_S = 100000000, MOST_PPM = 999999 };

static struct mpi_injection injection_of(const struct cli_given *given)
{
    static const int64_t most_ns = MOST_AHEAD_S * INT64_C(1000000000);
    const char *text = given->text;
    struct mpi_injection injection = {.rank = -1};
    char name[32], *end;
    int used = 0;
    bool good = sscanf(text, "%31[a-z_]:%9d:%n", name, &injection.rank, &used) == 2 && used > 0 && injection.rank >= 0;
    long long ahead_ns =
        good ? strtoll(text + used, &end, 10) : 0; /* an overflow gives the largest value, which is refused below */
    good = good && end != text + used && (*end == '\0' || *end == ':');
    if (good && *end == ':') {
        const char *ppm = end + 1;
        injection.ppm = strtod(ppm, &end);
        good = end != ppm && *end == '\0';
    }
    if (!good)
        cli_wrong(given->state, "--inject '%s': not CLOCK:RANK:OFFSET_NS[:PPM]", text);
    if (ahead_ns < -most_ns || ahead_ns > most_ns || !(fabs(injection.ppm) <= MOST_PPM))
        cli_wrong(given->state, "--inject '%s': at most %d s and %d ppm, either way", text, MOST_AHEAD_S, MOST_PPM);
    injection.ahead_ns = ahead_ns;
    injection.source = clock_named(given, name);
    return injection;
}

void mpi_read_injection(const struct cli_given *given, void *member)
{
    struct mpi_injections *injections = member;
    if (injections->count == MPI_MOST_INJECTIONS)
        cli_wrong(given->state, "%s: at most %d", given->option, MPI_MOST_INJECTIONS);
    injections->of[injections->count++] = injection_of(given);
}
