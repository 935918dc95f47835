#include "trace/correct/numbering.h"

#include <stdlib.h>

int ordo_numbering_add(struct ordo_numbering *numbering, const struct ordo_numbered *one)
{
    if (numbering->count == numbering->room) {
        size_t room = numbering->room ? 2 * numbering->room : 256;
        struct ordo_numbered *all = realloc(numbering->all, room * sizeof *all);
        if (!all)
            return -1;
        numbering->all = all;
        numbering->room = room;
    }
    numbering->all[numbering->count++] = *one;
    return 0;
}

/* By communicator, rank, side and time. */
static int by_numbered_call(const void *a, const void *b)
{
    const struct ordo_numbered *x = a, *y = b;
    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->ends != y->ends)
        return x->ends < y->ends ? -1 : 1;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

void ordo_numbering_sort(struct ordo_numbering *numbering)
{
    if (numbering->count > 0)
        qsort(numbering->all, numbering->count, sizeof *numbering->all, by_numbered_call);
}

/* True if the numbering decides which call an event belongs to. */
static bool decides(const struct ordo_numbering *numbering, const struct ordo_event *event)
{
    bool used = numbering && (event->number == ORDO_EVENT_UNCOUNTED ? numbering->is_used : numbering->has_numbers);
    return used && event->collective && (event->kind == ORDO_EVENT_BEGIN || event->kind == ORDO_EVENT_END);
}

int ordo_numbering_match(const struct ordo_numbering *numbering, struct ordo_match *match,
                         const struct ordo_event *event, const struct ordo_event_stamp *stamp, uint64_t id,
                         struct ordo_error *error)
{
    if (!decides(numbering, event))
        return ordo_match_take(match, event, stamp, id, error);
    struct ordo_event numbered = *event;
    const struct ordo_numbered key = {event->communicator, event->time_ns, event->rank, 0,
                                      event->kind == ORDO_EVENT_END};
    const struct ordo_numbered *found =
        numbering->count > 0 ? bsearch(&key, numbering->all, numbering->count, sizeof *numbering->all, by_numbered_call)
                             : NULL;
    if (found)
        numbered.number = found->number;
    else
        numbered.collective = ORDO_COLLECTIVE_NONE;
    return ordo_match_take(match, &numbered, stamp, id, error);
}
