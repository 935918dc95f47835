/* The numbers of collective calls.
 * - Calls that have none in the trace, if counting them in the order of the file would give wrong ones: calls were
 *   dropped, or the calls of a rank are in no order or on several threads.
 * - Calls that consist of several kernels with one number: the call begins with its first one and ends with its last. */
#ifndef ORDO_TRACE_CORRECT_NUMBERING_H
#define ORDO_TRACE_CORRECT_NUMBERING_H

#include "trace/causal/match.h"

/** The begin or the end of a call. */
struct ordo_numbered {
    uint64_t communicator;
    int64_t time_ns;
    int32_t rank;
    uint32_t number;
    uint32_t ends; /* 1: an end */
};

/** `is_used`: the calls without a number are in `all`; else they are counted in the order of the file. `has_numbers`: the
 * calls with a number are in `all` too, because some consist of several kernels or are left out. */
struct ordo_numbering {
    struct ordo_numbered *all;
    size_t count, room;
    bool is_used, has_numbers;
};

/** Adds the begin or the end of a call. Returns 0; -1 if out of memory. */
int ordo_numbering_add(struct ordo_numbering *numbering, const struct ordo_numbered *one);

/** Sorts all begins and ends, after the last one. */
void ordo_numbering_sort(struct ordo_numbering *numbering);

/** Passes an event to ordo_match_take. The begin or end of a call gets the number of the call. If it is not certain which
 * one that is, or if the call has an earlier begin or a later end, the event is no collective. `numbering` may be NULL. */
int ordo_numbering_match(const struct ordo_numbering *numbering, struct ordo_match *match,
                         const struct ordo_event *event, const struct ordo_event_stamp *stamp, uint64_t id,
                         struct ordo_error *error);

#endif
