/* The collectives of a trace, as pairs of readings of two clocks of which one was certainly taken before the other. */
#ifndef ORDO_TRACE_CORRECT_COLLECTIVES_H
#define ORDO_TRACE_CORRECT_COLLECTIVES_H

#include "trace/clocks/clocks.h"
#include "trace/correct/evidence.h"
#include "trace/correct/part.h"
#include "trace/device/devices.h"
#include "trace/event/names.h"

struct ordo_collectives {
    struct ordo_part *all;
    size_t count, room;
    struct ordo_names tracks, groups, names;
    struct ordo_collective_track *of_track;
    uint8_t *waits; /* of each name: enum ordo_event_collective */
    uint32_t track_room, name_room;
    uint32_t *of_rank; /* indices of parts, by rank; those of rank r begin at begins[r] */
    size_t *begins;
    int ranks;
    int64_t shortest_ns; /* the shortest call of a collective of several ranks; 0: not known */
};

void ordo_collectives_free(struct ordo_collectives *all);

/** Takes a begin, an end or a span; ignores events that are no collectives. Returns 0; -1 if out of memory. */
int ordo_collectives_take(struct ordo_collectives *all, const struct ordo_event *event);

/** Moves the kernels of devices whose clocks are corrected to the clocks of their ranks; before ordo_collectives_settle. */
void ordo_collectives_move(struct ordo_collectives *all, const struct ordo_devices *devices);

/** Puts together the parts of each collective, after the last event. Finds the holes and notes them in `evidence`.
 * Ranks are below clocks->count. */
int ordo_collectives_settle(struct ordo_collectives *all, const struct ordo_clocks *clocks, double limit,
                            struct ordo_evidence *evidence, struct ordo_error *error);

/** Called for two readings: `begin_ns` of the clock of `from` was taken before `end_ns` of the clock of `to`. Returns 0
 * or a negative code. */
typedef int ordo_collectives_before(void *context, int32_t from, int32_t to, int64_t begin_ns, int64_t end_ns);

/** Calls `before` for pairs of all collectives. */
int ordo_collectives_pair(const struct ordo_collectives *all, ordo_collectives_before *before, void *context,
                          struct ordo_evidence *evidence);

/** True if the end of `other` is certainly after the begin of `one`, both of one collective and in the trace. */
bool ordo_collectives_wait(const struct ordo_collectives *all, const struct ordo_part *one,
                           const struct ordo_part *other);

/** Estimates the offset of a rank at the ends of its collectives from the ends of ranks whose clocks are known. The
 * caller frees *likely. Returns their number; -1 if out of memory. */
int ordo_collectives_likely(const struct ordo_collectives *all, struct ordo_clocks *clocks, int32_t rank,
                            struct ordo_likely **likely);

#endif
