#include "trace/report/regions.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 4096, SPANS_MOST = 32, EARLY_MOST = 64 };

/* An end whose begin was not yet read. */
struct early {
    uint32_t name;
    bool has_name;
    struct ordo_event_stamp stamp;
};

/* A list of at most `most` items. */
struct list {
    void *all;
    int count, room;
};

struct ordo_regions_stack {
    int32_t rank;
    uint32_t thread;
    struct ordo_region *open;
    int depth, room;
    struct list spans; /* the ends of the spans around the present time, the outermost first */
    struct list early; /* the last ends that were read without a begin */
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
    stack->open[stack->depth] =
        (struct ordo_region){event->rank, event->thread, name, stack->depth, *stamp, *stamp, event->is_open};
    stack->depth++;
    return 0;
}

/* Returns the index of the open region that an end closes; -1: none. An end without a name closes the innermost region.
 */
static int region_of_end(const struct ordo_regions_stack *stack, const struct ordo_event *event, uint32_t name)
{
    int at = stack->depth - 1;
    while (at >= 0 && (stack->open[at].is_open || (stack->open[at].name != name && event->name.length > 0)))
        at--;
    return at;
}

int ordo_regions_end(struct ordo_regions *regions, const struct ordo_event *event, uint32_t name,
                     const struct ordo_event_stamp *stamp, struct ordo_region *region)
{
    struct ordo_regions_stack *stack = stack_of(regions, event, false);
    int at = -1;
    if (stack)
        at = region_of_end(stack, event, name);
    if (at < 0)
        return 0;
    *region = stack->open[at];
    region->end = *stamp;
    stack->depth = at;
    return 1;
}

/* Makes room for another item. Returns -1 if out of memory. */
static int grow_list(struct list *list, size_t item)
{
    if (list->count < list->room)
        return 0;
    int room = list->room ? 2 * list->room : 4;
    void *all = realloc(list->all, (size_t)room * item);
    if (!all)
        return -1;
    list->all = all;
    list->room = room;
    return 0;
}

/* Keeps an end for a begin that comes later in the file. */
static int keep_early(struct ordo_regions *regions, const struct ordo_event *event, uint32_t name,
                      const struct ordo_event_stamp *stamp)
{
    struct ordo_regions_stack *stack = stack_of(regions, event, true);
    if (!stack || grow_list(&stack->early, sizeof(struct early)))
        return -1;
    struct early *all = stack->early.all;
    if (stack->early.count == EARLY_MOST)
        memmove(all, all + 1, (size_t)--stack->early.count * sizeof *all);
    all[stack->early.count++] = (struct early){name, event->name.length > 0, *stamp};
    return 0;
}

/* Removes the earliest kept end that is after a begin and of its name. Returns false if there is none. */
static bool take_early(struct ordo_regions_stack *stack, uint32_t name, const struct ordo_event_stamp *begin,
                       struct ordo_event_stamp *end)
{
    struct early *all = stack->early.all;
    int found = -1;
    for (int i = 0; i < stack->early.count; i++) {
        const struct early *early = &all[i];
        if ((!early->has_name || early->name == name) && early->stamp.global_ns > begin->global_ns &&
            (found < 0 || early->stamp.global_ns < all[found].stamp.global_ns))
            found = i;
    }
    if (found < 0)
        return false;
    *end = all[found].stamp;
    memmove(all + found, all + found + 1, (size_t)(--stack->early.count - found) * sizeof *all);
    return true;
}

/* Drops the spans that have ended. Returns the number of spans around a time. */
static int spans_around(struct list *spans, int64_t global_ns)
{
    const struct ordo_event_stamp *all = spans->all;
    while (spans->count > 0 && all[spans->count - 1].global_ns <= global_ns)
        spans->count--;
    return spans->count;
}

static int take_span(struct ordo_regions *regions, struct ordo_region *region, const struct ordo_event *event,
                     ordo_regions_each *each, void *context)
{
    struct ordo_regions_stack *stack = stack_of(regions, event, true);
    if (!stack)
        return -1;
    int around = spans_around(&stack->spans, region->begin.global_ns);
    region->depth = stack->depth + around;
    if (around < SPANS_MOST) {
        if (grow_list(&stack->spans, sizeof region->end))
            return -1;
        ((struct ordo_event_stamp *)stack->spans.all)[stack->spans.count++] = region->end;
    }
    return each(context, region);
}

static int take_begin(struct ordo_regions *regions, struct ordo_region *region, const struct ordo_event *event,
                      ordo_regions_each *each, void *context)
{
    struct ordo_regions_stack *stack = stack_of(regions, event, true);
    if (!stack)
        return -1;
    region->depth = stack->depth;
    if (event->is_open && spans_around(&stack->spans, region->begin.global_ns) > 0) {
        region->end = ((struct ordo_event_stamp *)stack->spans.all)[stack->spans.count - 1];
        region->depth += stack->spans.count;
        return each(context, region);
    }
    if (!event->is_open && take_early(stack, region->name, &region->begin, &region->end))
        return each(context, region);
    return ordo_regions_begin(regions, event, region->name, &region->begin);
}

/* Ends the regions on top of a stack, down to `depth`, that have no end of their own. */
static int end_open(struct ordo_regions_stack *stack, int depth, const struct ordo_event_stamp *end,
                    ordo_regions_each *each, void *context)
{
    int code = 0;
    for (int at = stack->depth - 1; !code && at >= depth; at--)
        if (stack->open[at].is_open) {
            stack->open[at].end = *end;
            code = each(context, &stack->open[at]);
        }
    return code;
}

static int take_end(struct ordo_regions *regions, struct ordo_region *region, const struct ordo_event *event,
                    ordo_regions_each *each, void *context)
{
    struct ordo_regions_stack *stack = stack_of(regions, event, false);
    int at = stack ? region_of_end(stack, event, region->name) : -1;
    if (at < 0)
        return keep_early(regions, event, region->name, &region->begin);
    struct ordo_event_stamp end = region->begin;
    int code = end_open(stack, at + 1, &end, each, context);
    if (code || ordo_regions_end(regions, event, region->name, &end, region) != 1)
        return code;
    return each(context, region);
}

int ordo_regions_take(struct ordo_regions *regions, const struct ordo_event *event, uint32_t name,
                      const struct ordo_event_stamp *stamp, const struct ordo_event_stamp *end, ordo_regions_each *each,
                      void *context)
{
    struct ordo_region region = {event->rank, event->thread, name, 0, *stamp, *end, event->is_open};
    switch (event->kind) {
    case ORDO_EVENT_BEGIN:
        return take_begin(regions, &region, event, each, context);
    case ORDO_EVENT_END:
        return take_end(regions, &region, event, each, context);
    case ORDO_EVENT_SPAN:
        return take_span(regions, &region, event, each, context);
    default:
        return 0;
    }
}

int ordo_regions_finish(struct ordo_regions *regions, const struct ordo_event_stamp *end, ordo_regions_each *each,
                        void *context)
{
    int code = 0;
    for (int i = 0; !code && i < regions->count; i++)
        code = end_open(&regions->stacks[i], 0, end, each, context);
    return code;
}

const struct ordo_region *ordo_regions_inner(struct ordo_regions *regions, const struct ordo_event *event)
{
    struct ordo_regions_stack *stack = stack_of(regions, event, false);
    return stack && stack->depth > 0 ? &stack->open[stack->depth - 1] : NULL;
}

void ordo_regions_free(struct ordo_regions *regions)
{
    for (int i = 0; i < regions->count; i++) {
        free(regions->stacks[i].open);
        free(regions->stacks[i].spans.all);
        free(regions->stacks[i].early.all);
    }
    free(regions->stacks);
    free(regions->slots);
    *regions = (struct ordo_regions){0};
}
