/* Matches the ends of messages and collectives of a trace, and counts those whose effect comes before its cause: by the
 * ranks' own clocks, and in global time. Memory grows with the messages and collectives under way, and not with the
 * trace, if the two ends of a message are not far apart in the order of the events. */
#ifndef ORDO_TRACE_CAUSAL_MATCH_H
#define ORDO_TRACE_CAUSAL_MATCH_H

#include "base/error.h"
#include "trace/event/event.h"

/** One end of a message. */
struct ordo_end {
    int64_t time_ns; /* by the rank's own clock */
    struct ordo_event_stamp stamp;
    uint64_t id; /* chosen by the caller */
};

struct ordo_causality {
    uint64_t messages, unmatched;
    uint64_t before, after; /* messages received before they were sent: by uncorrected clocks, and in global time */
    uint64_t certain;       /* messages received before they were sent at any times within the bounds */
    uint64_t collectives;   /* with two ranks or more */
    uint64_t collectives_before, collectives_after;
};

struct ordo_match;

/** Called for each message. Returns 0 or a negative code. */
typedef int ordo_match_pair(void *context, const struct ordo_event *send_or_recv, const struct ordo_end *send,
                            const struct ordo_end *recv);

/** Called for each begin of a collective that bounds ends of other ranks, and for each end that is bounded. `shared` is
 * the same word for all of one collective, at first 0. Returns 0 or a negative code. */
typedef int ordo_match_join(void *context, const struct ordo_event *begin_or_end, uint64_t id, uint64_t *shared);

/** Called for each begin and end of a prefix reduction. `own` is a word of the event's rank in this reduction; `lower`
 * is the word of the next lower rank, or NULL for the lowest rank. Both words are at first 0. Returns 0 or a negative
 * code. */
typedef int ordo_match_follow(void *context, const struct ordo_event *begin_or_end, uint64_t id, uint64_t *lower,
                              uint64_t *own);

/** Returns NULL if out of memory. `pair` and `join` may be NULL. `join` is called for prefix reductions too. */
struct ordo_match *ordo_match_create(ordo_match_pair *pair, ordo_match_join *join, void *context);
void ordo_match_free(struct ordo_match *match);
void ordo_match_set_follow(struct ordo_match *match, ordo_match_follow *follow);

/** Takes an event. Ignores all kinds except send, recv, and begin and end of collectives. */
int ordo_match_take(struct ordo_match *match, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                    uint64_t id, struct ordo_error *error);

/** Numbers an end of a message among those of its channel, so that both ends of a message have the same number. Memory
 * grows with the number of channels. */
int ordo_match_number(struct ordo_match *match, const struct ordo_event *event, uint64_t *number,
                      struct ordo_error *error);

/** Returns the counts, after the last event. */
struct ordo_causality ordo_match_result(const struct ordo_match *match);

#endif
