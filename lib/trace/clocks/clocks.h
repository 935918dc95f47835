/* The clocks of all ranks: what is known of each, and the correction that follows. Rank 0 is the master: its clock is the
 * global one. */
#ifndef ORDO_TRACE_CLOCKS_CLOCKS_H
#define ORDO_TRACE_CLOCKS_CLOCKS_H

#include "trace/method/method.h"

struct ordo_clock {
    struct ordo_fixes fixes;
    struct ordo_correction correction;
    bool made;      /* there is a correction, or `shared` says whose */
    int32_t shared; /* the rank whose clock this one has; -1: its own */
};

struct ordo_clocks {
    struct ordo_clock *of;
    int count; /* ranks 0 to count - 1; those without fixes are unknown */
};

/** Makes room for a rank. ORDO_E_SYSTEM where there is none. */
int ordo_clocks_grow(struct ordo_clocks *clocks, int32_t rank, struct ordo_error *error);
void ordo_clocks_free(struct ordo_clocks *clocks);

/** Reads the exchanges of a sync file: CSV with the columns session, rank, send_ns, master_ns, receive_ns, an exchange a
 * row. ORDO_E_MALFORMED with file and row; ORDO_E_MISSING where it has no exchange. */
int ordo_clocks_read(struct ordo_clocks *clocks, const char *path, struct ordo_error *error);

/** Corrects every clock with fixes, and the master's. */
int ordo_clocks_make(struct ordo_clocks *clocks, const struct ordo_method *method, const struct ordo_declared *declared,
                     struct ordo_error *error);

/** The curve of a rank, or NULL where nothing is known of it. */
struct ordo_curve *ordo_clocks_curve(struct ordo_clocks *clocks, int32_t rank);

#endif
