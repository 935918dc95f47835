#include "trace/otf2/queue.h"

#include <stdlib.h>

static int grow_ring(struct ordo_otf2_queue *queue)
{
    struct ordo_otf2_queue larger = *queue;
    larger.room = queue->room ? 2 * queue->room : 64;
    larger.ring = malloc(larger.room * sizeof *larger.ring);
    if (!larger.ring)
        return -1;
    for (uint64_t i = queue->first; i < queue->next; i++)
        *ordo_otf2_at(&larger, i) = *ordo_otf2_at(queue, i);
    free(queue->ring);
    *queue = larger;
    return 0;
}

struct ordo_otf2_entry *ordo_otf2_push(struct ordo_otf2_queue *queue)
{
    if (queue->next == 0)
        queue->first = queue->next = 1;
    if (queue->next - queue->first == queue->room && grow_ring(queue))
        return NULL;
    struct ordo_otf2_entry *entry = ordo_otf2_at(queue, queue->next++);
    entry->link = entry->number = 0;
    entry->more = NULL;
    entry->words = entry->attributes = 0;
    return entry;
}

void ordo_otf2_pop(struct ordo_otf2_queue *queue)
{
    free(ordo_otf2_at(queue, queue->first)->more);
    queue->first++;
}

void ordo_otf2_queue_free(struct ordo_otf2_queue *queue)
{
    while (queue->first < queue->next)
        ordo_otf2_pop(queue);
    free(queue->ring);
    *queue = (struct ordo_otf2_queue){0};
}
