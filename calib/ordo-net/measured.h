/* The results of `ordo-net measure` for a window: as tables, a line, JSON and Prometheus text. */
#ifndef ORDO_NET_MEASURED_H
#define ORDO_NET_MEASURED_H

#include <stdbool.h>

#include "net/live/survey.h"

struct measured {
    char **name; /* of the hosts */
    const struct ordo_net_survey_options *options;
    struct ordo_net_survey_result result;
    uint64_t windows, failed; /* so far */
    double at_s;              /* CLOCK_REALTIME at the end of the window */
};

/** Returns the number of hosts whose offset is proved. */
int measured_known(const struct measured *measured);
/** Returns the number of hosts that answered to the end of the window. A host that did not may still be proved by the
 * observations of others. */
int measured_answering(const struct measured *measured);
/** Returns the number of hosts that were too slow. */
int measured_slow(const struct measured *measured);
int measured_used(const struct measured *measured);

/** Returns the number of datagrams that a host has refused, for all reasons together. */
uint64_t measured_refused(const struct ordo_net_survey_host *host);

/** Returns the verdict:
 *
 * EXIT_OK: all hosts answer in time, and are proved
 * EXIT_FAILS: intervals of edges contradict each other, whether or not liars explain it
 * EXIT_UNKNOWN: neither */
int measured_verdict(const struct measured *measured);

void measured_print_table(const struct measured *measured);
void measured_print_line(const struct measured *measured);

/** Prints JSON, on one line with `line`. Returns 0, or -1 if out of memory or if stdout cannot be written. */
int measured_print_json(const struct measured *measured, bool line);

/** Replaces the file. A failed window has no hosts. */
int measured_write_metrics(const struct measured *measured, const char *path, struct ordo_error *error);

#endif
