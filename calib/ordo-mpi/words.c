#include "words.h"

#include <stdio.h>

const char *mpi_instead(const struct ordo_verify_result *result, int clock, char *text, size_t size)
{
    int best = result->verify->kinds[clock] == ORDO_INVALID ? ordo_verify_best_clock(result) : -1;
    char name[96];
    if (best >= 0)
        (void)snprintf(text, size, "use --clock %s, or allow measuring with --fallback",
                       ordo_verify_clock_words(result->clocks[best].source, name));
    else if (result->verify->kinds[clock] == ORDO_INVALID)
        (void)snprintf(text, size, "measure every rank (--alg hca3), or allow it with --fallback");
    else
        (void)snprintf(text, size,
                       "try again on an idle node with a CPU for each rank, raise --tolerance, or measure every rank "
                       "(--alg hca3, or --fallback)");
    return text;
}
