/* Messages and collectives of a trace, and whether cause comes before effect: by the ranks' own clocks, and in global time.
 * Memory grows with what is under way, not with the trace, where a message's two ends are not far apart in the order of
 * the events. */
#ifndef ORDO_TRACE_CAUSAL_MATCH_H
#define ORDO_TRACE_CAUSAL_MATCH_H

#include "base/error.h"
#include "trace/event/event.h"

/** One end of a message. */
struct ordo_end {
    int64_t time_ns; /* by the rank's own clock */
    struct ordo_event_stamp stamp;
    uint64_t id; /* whatever the caller calls the event */
};

struct ordo_causality {
    uint64_t messages, unmatched;
    uint64_t before, after; /* messages received before they were sent, by the clocks as they are, and corrected */
    uint64_t certain;       /* that were, whatever the bounds allow */
    uint64_t collectives;   /* with two ranks or more */
    uint64_t collectives_before, collectives_after;
};

struct ordo_match;

/** Whoever wants to know of each message; returns 0 or a negative code. */
typedef int ordo_match_pair(void *context, const struct ordo_event *send_or_recv, const struct ordo_end *send,
                            const struct ordo_end *recv);

/** Whoever wants to know of each begin and end of a collective that has to do with the others': `shared` is the same word
 * for all of them, at first 0. Returns 0 or a negative code. */
typedef int ordo_match_join(void *context, const struct ordo_event *begin_or_end, uint64_t id, uint64_t *shared);

/** Whoever wants to know of each begin and end of a prefix reduction: `own` is a word of the event's rank in it, `lower` that of
 * the next lower rank, NULL of the lowest; both at first 0. Returns 0 or a negative code. */
typedef int ordo_match_follow(void *context, const struct ordo_event *begin_or_end, uint64_t id, uint64_t *lower,
                              uint64_t *own);

/** NULL where memory runs out. `pair` and `join` may be NULL. Prefix reductions are joined too. */
struct ordo_match *ordo_match_create(ordo_match_pair *pair, ordo_match_join *join, void *context);
void ordo_match_free(struct ordo_match *match);
void ordo_match_set_follow(struct ordo_match *match, ordo_match_follow *follow);

/** Takes an event; of no other kinds than send, recv, and begin and end of collectives does it make anything. */
int ordo_match_take(struct ordo_match *match, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                    uint64_t id, struct ordo_error *error);

/** Which of the messages of its channel an end of a message is, so that both ends have the same number. Memory grows with
 * the channels. */
int ordo_match_number(struct ordo_match *match, const struct ordo_event *event, uint64_t *number,
                      struct ordo_error *error);

/** At the end. */
struct ordo_causality ordo_match_result(const struct ordo_match *match);

#endif
