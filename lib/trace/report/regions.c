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

/* By rank and thread, in their order. */
static int find(const struct ordo_regions *regions, const struct ordo_event *event)
{
    int low = 0, high = regions->count;
    while (low < high) {
        int middle = (low + high) / 2;
        const struct ordo_regions_stack *stack = &regions->stacks[middle];
        if (stack->rank != event->rank ? stack->rank < event->rank : stack->thread < event->thread)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct ordo_regions_stack *stack_of(struct ordo_regions *regions, const struct ordo_event *event, bool make)
{
    if (regions->last < regions->count && is_of(&regions->stacks[regions->last], event))
        return &regions->stacks[regions->last];
    int at = find(regions, event);
    if (at < regions->count && is_of(&regions->stacks[at], event)) {
        regions->last = at;
        return &regions->stacks[at];
    }
    if (!make)
        return NULL;
    if (regions->count == regions->room) {
        int room = regions->room ? 2 * regions->room : 16;
        struct ordo_regions_stack *stacks = realloc(regions->stacks, (size_t)room * sizeof *stacks);
        if (!stacks)
            return NULL;
        regions->stacks = stacks;
        regions->room = room;
    }
    for (int i = regions->count++; i > at; i--)
        regions->stacks[i] = regions->stacks[i - 1];
    regions->stacks[at] = (struct ordo_regions_stack){.rank = event->rank, .thread = event->thread};
    regions->last = at;
    return &regions->stacks[at];
}

int ordo_regions_begin(struct ordo_regions *regions, const struct ordo_event *event, uint32_t name,
                       const struct ordo_stamp *stamp)
{
    struct ordo_regions_stack *stack = stack_of(regions, event, true);
    if (!stack)
        return -1;
    if (stack->depth == DEPTH_MOST) /* ends are missing: what is outermost is no region */
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
                     const struct ordo_stamp *stamp, struct ordo_region *region)
{
    struct ordo_regions_stack *stack = stack_of(regions, event, false);
    int at = stack ? stack->depth - 1 : -1;
    while (at >= 0 && stack->open[at].name != name &&
           event->name.length > 0) /* an end without a name is of the innermost */
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
    *regions = (struct ordo_regions){0};
}
