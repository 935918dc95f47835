/* What `ordo-net measure` found in a window: as tables, a line, JSON and Prometheus text. */
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

/** Hosts whose offset is proved. */
int measured_known(const struct measured *measured);
/** Hosts that answered to the end of the window. One that did not may be proved by what others saw of it. */
int measured_answering(const struct measured *measured);
/** Hosts that were too slow. */
int measured_slow(const struct measured *measured);
int measured_used(const struct measured *measured);

/** Datagrams that a host has refused, all reasons together. */
uint64_t measured_refused(const struct ordo_net_survey_host *host);

/** EXIT_OK: all hosts answer in time, and are proved; EXIT_FAILS: intervals of edges contradict each other, be they explained by liars or not;
 * EXIT_UNKNOWN. */
int measured_verdict(const struct measured *measured);

void measured_print_table(const struct measured *measured);
void measured_print_line(const struct measured *measured);

/** 0, or -1 where memory ran out or stdout cannot be written. On one line with `line`. */
int measured_print_json(const struct measured *measured, bool line);

/** Replaces the file. A window that failed has no hosts. */
int measured_write_metrics(const struct measured *measured, const char *path, struct ordo_error *error);

#endif
