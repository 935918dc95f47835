/* The events of a location that were read from the archive and not yet sent. Reading runs ahead, because two kinds of
 * events have their meaning behind them: the communicator of a collective is in the record of its end, and the channel
 * of a receive that was posted early is in the record of its completion. */
#ifndef ORDO_TRACE_OTF2_QUEUE_H
#define ORDO_TRACE_OTF2_QUEUE_H

#include "trace/otf2/kinds.h"
#include "trace/otf2/library.h"

enum { ORDO_OTF2_INLINE = 12 };

struct ordo_otf2_entry {
    uint64_t time;
    uint64_t link;   /* of a begin of a collective: its end; of a posted receive: its completion; 0: none */
    uint64_t number; /* of a completed receive: its number in its channel, plus 1; 0: none yet */
    uint64_t *more;  /* the values, if they are more than ORDO_OTF2_INLINE; otherwise NULL */
    uint16_t kind, words, attributes;
    uint64_t values[ORDO_OTF2_INLINE];
};

/** Entries have the indices 1, 2, 3 ... in the order of reading. */
struct ordo_otf2_queue {
    struct ordo_otf2_entry *ring;
    uint64_t room;        /* 0 or a power of two */
    uint64_t first, next; /* indices: of the first entry, and of the entry that is added next */
    uint64_t begun;       /* the last begin of a collective without its end; 0: none */
};

/** Returns the entry with an index from `first` to `next` - 1. */
static inline struct ordo_otf2_entry *ordo_otf2_at(const struct ordo_otf2_queue *queue, uint64_t index)
{
    return &queue->ring[index & (queue->room - 1)];
}

static inline bool ordo_otf2_holds(const struct ordo_otf2_queue *queue, uint64_t index)
{
    return index >= queue->first && index < queue->next;
}

/** Returns a new last entry, without values; NULL if out of memory. */
struct ordo_otf2_entry *ordo_otf2_push(struct ordo_otf2_queue *queue);

/** Removes the first entry. */
void ordo_otf2_pop(struct ordo_otf2_queue *queue);
void ordo_otf2_queue_free(struct ordo_otf2_queue *queue);

#endif
