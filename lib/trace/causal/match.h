/* Matches the sends and receives of a trace, and the begins and ends of its collectives. Counts the messages and
 * collectives whose effect comes before its cause, once by the ranks' own clocks and once in global time.
 *
 * Memory grows with the number of messages of which only one side, send or receive, has been read so far, and with the
 * number of collectives: of all collectives, or of those of MPI_COMM_WORLD only the ones that some rank has not left
 * yet, if the number of ranks is known. It does not grow with the number of messages in the trace. */
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
    uint64_t before, after; /* received before sent: `before` by uncorrected clocks, `after` in global time */
    uint64_t certain;       /* messages whose latest possible receive is before their earliest possible send */
    uint64_t collectives;   /* number of collectives that at least two ranks have entered */
    uint64_t collectives_before, collectives_after;
};

struct ordo_match;

/** Called for each message. Returns 0 or a negative code. */
typedef int ordo_match_pair(void *context, const struct ordo_event *send_or_recv, const struct ordo_end *send,
                            const struct ordo_end *recv);

/** Called for each begin of a collective that other ranks wait for, and for each end of a rank that waits for others.
 * `shared` points to a word of the collective: all calls for one collective get the same word, which is 0 at first.
 * Returns 0 or a negative code. */
typedef int ordo_match_join(void *context, const struct ordo_event *begin_or_end, uint64_t id, uint64_t *shared);

/** Called for each begin and end of a prefix reduction. Each rank of a reduction has a word, which is 0 at first. `own`
 * points to the word of the event's rank. `lower` points to the word of the next lower rank; for the lowest rank it is
 * NULL. Returns 0 or a negative code. */
typedef int ordo_match_follow(void *context, const struct ordo_event *begin_or_end, uint64_t id, uint64_t *lower,
                              uint64_t *own);

/** Creates a matcher. `pair` and `join` may be NULL. `join` is also called for every begin and end of a prefix
 * reduction. Returns NULL if out of memory. */
struct ordo_match *ordo_match_create(ordo_match_pair *pair, ordo_match_join *join, void *context);
void ordo_match_free(struct ordo_match *match);
void ordo_match_set_follow(struct ordo_match *match, ordo_match_follow *follow);

/** States the number of ranks that have events. A collective of MPI_COMM_WORLD that all of them have left is then
 * forgotten, in the order of the numbers of collectives. Each rank takes part in it once: further events of a forgotten
 * collective are ignored. 0: not known. */
void ordo_match_set_ranks(struct ordo_match *match, uint32_t ranks);

/** Takes an event. Ignores all kinds except send, recv, and begin and end of collectives. A span is taken by two calls:
 * ordo_match_half makes its begin and its end. */
int ordo_match_take(struct ordo_match *match, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                    uint64_t id, struct ordo_error *error);

/** Returns the begin of a span, or its end. */
static inline struct ordo_event ordo_match_half(const struct ordo_event *span, bool begins)
{
    struct ordo_event half = *span;
    half.kind = begins ? ORDO_EVENT_BEGIN : ORDO_EVENT_END;
    half.time_ns += begins ? 0 : span->duration_ns;
    half.duration_ns = 0;
    return half;
}

/** Returns the number of the message whose end was taken last: the number that the event states, or else a number that
 * no other message without a stated number has. Both ends of a message get the same number. */
uint64_t ordo_match_number(const struct ordo_match *match, const struct ordo_event *event);

/** Returns the counts, after the last event. */
struct ordo_causality ordo_match_result(const struct ordo_match *match);

#endif
