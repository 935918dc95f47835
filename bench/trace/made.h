/* A generated trace with known clocks, and its synchronisation sessions, in files without a name. */
#ifndef BENCH_TRACE_MADE_H
#define BENCH_TRACE_MADE_H

#include <stdint.h>

#include "base/error.h"

enum { MADE_RANKS = 64, MADE_PATH = 32 };

struct made_trace {
    char trace[MADE_PATH], sync[MADE_PATH]; /* paths that open the files */
    int trace_fd, sync_fd;                  /* descriptors; -1: not open */
    uint64_t events;
    double bytes_per_event;
};

/** Makes a trace of 64 ranks and ten minutes, as CSV. Half of the `events` are sends, half are receives. The clocks
 * have offsets of up to 1 s and skews of up to 20 ppm; a session each minute measures them. ORDO_E_SYSTEM: no space in
 * $TMPDIR or /tmp. */
int made_trace_open(struct made_trace *made, uint64_t events, struct ordo_error *error);
void made_trace_close(struct made_trace *made);

#endif
