/* The advice of the tools after a verification. They recommend another clock only if all clocks before it in the list
 * are refuted, and always warn about a clock that people can set. */
#include <stdio.h>
#include <string.h>

#include <ordo/clock.h>

#include "ordo-mpi/words.h"

static int failures;

static void expect(bool holds, const char *what, const char *text)
{
    if (holds)
        return;
    failures++;
    fprintf(stderr, "not so: %s: '%s'\n", what, text);
}

/* Returns the advice about the first of three clocks: the hardware's, CLOCK_MONOTONIC and the time of day. `kinds` are
 * the verdicts. */
static const char *advice(const int kinds[3], int *best)
{
    static char text[300];
    const struct ordo_node_clock clocks[] = {{.source = ordo_clock_source_find(ORDO_CLOCK_NAME)},
                                             {.source = ordo_clock_source_find("monotonic")},
                                             {.source = ordo_clock_source_find("realtime")}};
    int copy[3];
    memcpy(copy, kinds, sizeof copy);
    const struct ordo_verify verify = {.clock_count = 3, .kinds = copy};
    const struct ordo_verify_result result = {.verify = &verify, .clocks = clocks};
    *best = ordo_verify_best_clock(&result);
    return mpi_instead(&result, 0, text, sizeof text);
}

int main(void)
{
    const int busy[] = {ORDO_INCONCLUSIVE, ORDO_INCONCLUSIVE, ORDO_VALID};
    const int apart[] = {ORDO_INVALID, ORDO_VALID, ORDO_VALID};
    const int only_set[] = {ORDO_INVALID, ORDO_INVALID, ORDO_VALID};
    const int open[] = {ORDO_INVALID, ORDO_INCONCLUSIVE, ORDO_VALID};
    int best;
    const char *text = advice(busy, &best);
    expect(best == -1 && !strstr(text, "--clock"), "a busy machine is no reason for another clock", text);
    expect(strstr(text, "try again") && strstr(text, "hca3"), "the advice says what to do", text);
    text = advice(apart, &best);
    expect(best == 1 && strstr(text, "--clock monotonic") && !strstr(text, "steps"),
           "the next clock is named if the first is refuted", text);
    text = advice(only_set, &best);
    expect(best == 2 && strstr(text, "--clock realtime") && strstr(text, "steps"),
           "a clock that can step is named with a warning", text);
    text = advice(open, &best);
    expect(best == -1 && !strstr(text, "--clock"), "no clock is named if the next one is inconclusive", text);
    return failures > 0;
}
