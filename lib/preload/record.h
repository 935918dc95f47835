/* The record that warrants the counter, as the preload watches it. */
#ifndef ORDO_PRELOAD_RECORD_H
#define ORDO_PRELOAD_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <ordo/error.h>

#include "preload/settings.h"

struct preload_warrant {
    const void *record; /* mapped; NULL: none */
    uint64_t record_bytes;
    uint64_t boundary_ticks, tick_hz;
    int64_t void_monotonic_ns; /* the record's end, as CLOCK_MONOTONIC of this process */
    bool ordered;              /* a message between two CPUs takes longer than their clocks differ (record.c) */
};

enum preload_standing { PRELOAD_STANDS, PRELOAD_REPLACED, PRELOAD_WITHDRAWN };

/** Opens the record as ordo_open does, and checks it against the settings. Returns 0, or a negative code with a reason
 * in `error`, which may be NULL. The path must be in the settings. Uses only system calls on files, and no lock. One
 * thread at a time. */
int preload_warrant_open(struct preload_warrant *warrant, const struct preload_settings *settings,
                         struct ordo_error *error);

/** Judges the record, as ordo_status does, and by its end. Makes no system call. */
enum preload_standing preload_warrant_judge(const struct preload_warrant *warrant, int64_t monotonic_ns);

/** Returns the order that the record allows: `raised` in place of `ordered` if it does not suffice for that. */
static inline enum preload_order preload_order_effective(enum preload_order order,
                                                         const struct preload_warrant *warrant)
{
    return order == PRELOAD_ORDERED && !warrant->ordered ? PRELOAD_RAISED : order;
}

/** Releases the record. */
void preload_warrant_close(struct preload_warrant *warrant);

#endif
