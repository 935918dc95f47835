/* A trace whose clocks are known, with its sessions, in files without a name. */
#ifndef BENCH_TRACE_MADE_H
#define BENCH_TRACE_MADE_H

#include <stdint.h>

#include "base/error.h"

enum { MADE_RANKS = 64, MADE_PATH = 32 };

struct made_trace {
    char trace[MADE_PATH], sync[MADE_PATH]; /* paths for opening them */
    int trace_fd, sync_fd;                  /* -1: none */
    uint64_t events;
    double bytes_per_event;
};

/** Makes ten minutes of 64 ranks that send messages to each other, half as many as there are events, as CSV. Their clocks are
 * off by up to a second and 20 ppm, and a session a minute says so. ORDO_E_SYSTEM: there is no room in $TMPDIR or /tmp. */
int made_trace_open(struct made_trace *made, uint64_t events, struct ordo_error *error);
void made_trace_close(struct made_trace *made);

#endif
