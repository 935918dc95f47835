/* The results of `ordo-net measure` for a window, in four formats: tables, one line, JSON and Prometheus text. */
#ifndef ORDO_NET_MEASURED_H
#define ORDO_NET_MEASURED_H

#include <stdbool.h>

#include "ordo-net/alarm.h"

struct measured {
    char **name; /* names of the hosts */
    const struct ordo_net_survey_options *options;
    struct alarm *alarm; /* limits and alarms of pairs */
    bool all_pairs;      /* list all pairs, not only those with a finding */
    struct ordo_net_survey_result result;
    uint64_t windows, failed; /* number of windows so far, and of failed ones among them */
    double at_s;              /* CLOCK_REALTIME at the end of the window */
};

/** Returns the number of hosts whose offset is proved. */
int measured_known(const struct measured *measured);
/** Returns the number of hosts that answered until the end of the window. The offset of another host may still be
 * proved, by observations of other hosts. */
int measured_answering(const struct measured *measured);
/** Returns the number of hosts that were too slow to send all their pairs. */
int measured_slow(const struct measured *measured);
int measured_used(const struct measured *measured);

/** Returns the number of datagrams that a host has refused, for any reason. */
uint64_t measured_refused(const struct ordo_net_survey_host *host);

/** Returns the verdict:
 *
 * EXIT_FAILS: intervals of edges contradict each other, even if liars can explain it; or a pair exceeds a limit
 * EXIT_OK: there is no contradiction, all hosts answer in time, all offsets are proved, and all pairs are certainly
 *     within the limits
 * EXIT_UNKNOWN: all other cases */
int measured_verdict(const struct measured *measured);

void measured_print_table(const struct measured *measured);
void measured_print_line(const struct measured *measured);

/** Prints JSON; on one line if `line`.
 * 0: printed
 * -1: out of memory, or stdout cannot be written */
int measured_print_json(const struct measured *measured, bool line);

/** Writes Prometheus text, and replaces the file `path` by it. For a failed window, the text has no metrics of
 * hosts. */
int measured_write_metrics(const struct measured *measured, const char *path, struct ordo_error *error);

#endif
