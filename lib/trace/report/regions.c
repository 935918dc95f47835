#include "trace/report/regions.h"

#include <stdlib.h>

enum { DEPTH_MOST = 4096 };

struct ordo_regions_stack {
    int32_t rank;
    uint32_t thread;
    struct ordo_region *open;
    int depth, room;
};

static bool is_of(const struct ordo_regions_stack *stack, const struct ordo_event *event)
{
    return stack->rank == event->rank && stack->thread == event->thread;
}

/* Returns the slot of a thread. */
static size_t place_of_region(const struct ordo_regions *regions, int32_t rank, uint32_t thread)
{
    uint64_t hash = ((uint64_t)(uint32_t)rank << 32 | thread) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(hash ^ hash >> 32) & (regions->size - 1);
    for (; regions->slots[at]; at = (at + 1) & (regions->size - 1)) {
        const struct ordo_regions_stack *stack = &regions->stacks[regions->slots[at] - 1];
        if (stack->rank == rank && stack->thread == thread)
            break;
    }
    return at;
}

static int grow_regions(struct ordo_regions *regions)
{
    int room = regions->room ? 2 * regions->room : 16;
    struct ordo_regions_stack *stacks = realloc(regions->stacks, (size_t)room * sizeof *stacks);
    if (!stacks)
        return -1;
    regions->stacks = stacks;
    int *slots = calloc(2 * (size_t)room, sizeof *slots);
    if (!slots)
        return -1;
    free(regions->slots);
    regions->slots = slots;
    regions->size = 2 * (size_t)room;
    regions->room = room;
    for (int i = 0; i < regions->count; i++)
        regions->slots[place_of_region(regions, stacks[i].rank, stacks[i].thread)] = i + 1;
    return 0;
}

static struct ordo_regions_stack *stack_of(struct ordo_regions *regions, const struct ordo_event *event, bool make)
{
    if (regions->last < regions->count && is_of(&regions->stacks[regions->last], event))
        return &regions->stacks[regions->last];
    if (make && regions->count == regions->room && grow_regions(regions))
        return NULL;
    if (regions->size == 0)
        return NULL;
    size_t at = place_of_region(regions, event->rank, event->thread);
    if (!regions->slots[at]) {
        if (!make)
            return NULL;
        regions->stacks[regions->count] = (struct ordo_regions_stack){.rank = event->rank, .thread = event->thread};
        regions->slots[at] = ++regions->count;
    }
    regions->last = regions->slots[at] - 1;
    return &regions->stacks[regions->last];
}

int ordo_regions_begin(struct ordo_regions *regions, const struct ordo_event *event, uint32_t name,
                       const struct ordo_event_stamp *stamp)
{
    struct ordo_regions_stack *stack = stack_of(regions, event, true);
    if (!stack)
        return -1;
    if (stack->depth == DEPTH_MOST) /* ends are missing: drop the open begins */
        stack->depth = 0;
    if (stack->depth == stack->room) {
        int room = stack->room ? 2 * stack->room : 8;
        struct ordo_region *open = realloc(stack->open, (size_t)room * sizeof *open);
        if (!open)
            return -1;
        stack->open = open;
        stack->room = room;
    }
    stack->open[stack->depth] = (struct ordo_region){event->rank, event->thread, name, stack->depth, *stamp, *stamp};
    stack->depth++;
    return 0;
}

int ordo_regions_end(struct ordo_regions *regions, const struct ordo_event *event, uint32_t name,
                     const struct ordo_event_stamp *stamp, struct ordo_region *region)
{
    struct ordo_regions_stack *stack = stack_of(regions, event, false);
    int at = stack ? stack->depth - 1 : -1;
    while (at >= 0 && stack->open[at].name != name &&
           event->name.length > 0) /* an end without a name closes the innermost region */
        at--;
    if (at < 0)
        return 0;
    *region = stack->open[at];
    region->end = *stamp;
    stack->depth = at;
    return 1;
}

const struct ordo_region *ordo_regions_inner(struct ordo_regions *regions, const struct ordo_event *event)
{
    struct ordo_regions_stack *stack = stack_of(regions, event, false);
    return stack && stack->depth > 0 ? &stack->open[stack->depth - 1] : NULL;
}

void ordo_regions_free(struct ordo_regions *regions)
{
    for (int i = 0; i < regions->count; i++)
        free(regions->stacks[i].open);
    free(regions->stacks);
    free(regions->slots);
    *regions = (struct ordo_regions){0};
}
