/* The clocks of a trace of Perfetto. A packet states its time by some clock; a snapshot has readings of several clocks at
 * one instant. All times become those of the trace's clock.
 *
 * [P1] Let two snapshots show a1 and a2 by a clock, and b1 and b2 by the trace's clock. A time t between a1 and a2 is,
 *      counted from the first snapshot, b1 + (t - a1), and from the second, b2 - (a2 - t). If the two clocks have run
 *      apart steadily, or only ever in one direction, the time is between these two. It is taken on the straight line
 *      from (a1, b1) to (a2, b2), which is between them, and which keeps the order of the times of one clock if b2 >= b1.
 * [P2] Before the first and behind the last snapshot, times count from this snapshot.
 * [P3] A clock of a sequence (64 to 127) is made anew by each snapshot of its sequence, perhaps with another origin, so
 *      its times count from the last snapshot before the packet. */
#ifndef ORDO_TRACE_PERFETTO_TIMELINES_H
#define ORDO_TRACE_PERFETTO_TIMELINES_H

#include "base/map.h"
#include "trace/perfetto/packets.h"

/** A time by a clock, and by the trace's clock. */
struct ordo_clock_pair {
    int64_t own_ns, trace_ns;
    uint32_t clock;
};

/** A clock of a sequence. */
struct ordo_sequence_clock {
    int64_t last_ns;  /* of a clock whose packets state differences: its last time */
    int64_t apart_ns; /* the other clock's time minus its own */
    int64_t unit_ns;
    uint32_t other; /* a clock of the trace */
    bool is_incremental;
};

struct ordo_timelines {
    struct ordo_clock_pair *pairs; /* sorted by ordo_timelines_settle: by clock, then by `own_ns` */
    size_t count, room;
    struct ordo_map own; /* sequence and clock: 1 + the index of its clock */
    struct ordo_sequence_clock *of_sequences;
    size_t own_count, own_room;
    uint32_t main; /* the trace's clock; 0: not stated */
    bool some;     /* there are snapshots */
};

enum ordo_time_known { ORDO_TIME_KNOWN, ORDO_TIME_APART, ORDO_TIME_UNKNOWN, ORDO_TIME_FAR };

/** Learns from a snapshot, except its clocks of a sequence. Returns 0; -1 if out of memory; -2 if there are millions. */
int ordo_timelines_learn(struct ordo_timelines *timelines, struct ordo_text snapshot);
void ordo_timelines_settle(struct ordo_timelines *timelines);

/** Learns the clocks of a sequence from a snapshot. Returns as ordo_timelines_learn. */
int ordo_timelines_learn_own(struct ordo_timelines *timelines, struct ordo_text snapshot, uint32_t sequence);

/** Sets the time of a packet by the trace's clock; `clock` is the packet's, or that of its sequence, or 0.
 *   ORDO_TIME_KNOWN: it is set
 *   ORDO_TIME_APART: it is set, and the snapshots around it differ by more than 1 ms
 *   ORDO_TIME_UNKNOWN: no snapshot relates its clock with the trace's
 *   ORDO_TIME_FAR: it is more than 73 years from 0 */
enum ordo_time_known ordo_timelines_time(struct ordo_timelines *timelines, const struct ordo_packet *packet,
                                         uint32_t clock, int64_t *time_ns);

/** Forgets the clocks of the sequences. */
void ordo_timelines_reset(struct ordo_timelines *timelines);
void ordo_timelines_free(struct ordo_timelines *timelines);

#endif
