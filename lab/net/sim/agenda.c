#include "lab/net/sim/agenda.h"

#include <stdlib.h>

enum { WIDTH_BITS = 15, BUCKETS = 1 << 15 }; /* a bucket has 33 ns, and a turn of the calendar 1.07 ms */

bool ordo_net_agenda_make(struct ordo_net_agenda *agenda)
{
    *agenda = (struct ordo_net_agenda){.room = 1024};
    agenda->bucket = calloc(BUCKETS, sizeof *agenda->bucket);
    agenda->later = calloc(agenda->room, sizeof *agenda->later);
    if (agenda->bucket && agenda->later)
        return true;
    ordo_net_agenda_free(agenda);
    return false;
}

void ordo_net_agenda_free(struct ordo_net_agenda *agenda)
{
    free(agenda->bucket);
    free(agenda->later);
    agenda->bucket = agenda->later = NULL;
}

static bool before(const struct ordo_net_event *a, const struct ordo_net_event *b)
{
    return a->at_ps != b->at_ps ? a->at_ps < b->at_ps : a->order < b->order;
}

static void put_near(struct ordo_net_agenda *agenda, struct ordo_net_event *event)
{
    struct ordo_net_event **at = &agenda->bucket[(event->at_ps >> WIDTH_BITS) & (BUCKETS - 1)];
    while (*at && before(*at, event))
        at = &(*at)->next;
    event->next = *at;
    *at = event;
    agenda->near++;
}

static bool put_later(struct ordo_net_agenda *agenda, struct ordo_net_event *event)
{
    if (agenda->far == agenda->room) {
        struct ordo_net_event **larger = realloc(agenda->later, 2 * agenda->room * sizeof(struct ordo_net_event *));
        if (!larger)
            return false;
        agenda->later = larger;
        agenda->room *= 2;
    }
    size_t place = agenda->far++;
    for (; place > 0 && before(event, agenda->later[(place - 1) / 2]); place = (place - 1) / 2)
        agenda->later[place] = agenda->later[(place - 1) / 2];
    agenda->later[place] = event;
    return true;
}

static struct ordo_net_event *take_later(struct ordo_net_agenda *agenda)
{
    struct ordo_net_event *first = agenda->later[0], *last = agenda->later[--agenda->far];
    size_t place = 0;
    for (size_t child = 1; child < agenda->far; child = 2 * place + 1) {
        child += child + 1 < agenda->far && before(agenda->later[child + 1], agenda->later[child]);
        if (!before(agenda->later[child], last))
            break;
        agenda->later[place] = agenda->later[child];
        place = child;
    }
    agenda->later[place] = last;
    return first;
}

bool ordo_net_agenda_put(struct ordo_net_agenda *agenda, struct ordo_net_event *event)
{
    event->order = agenda->order++;
    if ((event->at_ps >> WIDTH_BITS) >= agenda->at + BUCKETS)
        return put_later(agenda, event);
    put_near(agenda, event);
    return true;
}

/* Moves the events that are now within one turn of `at` from the heap into the buckets. A bucket therefore holds events
 * of one turn of the calendar only. */
static void draw_near(struct ordo_net_agenda *agenda)
{
    if (agenda->near == 0 && agenda->far > 0 && agenda->at < agenda->later[0]->at_ps >> WIDTH_BITS)
        agenda->at = agenda->later[0]->at_ps >> WIDTH_BITS;
    while (agenda->far > 0 && (agenda->later[0]->at_ps >> WIDTH_BITS) < agenda->at + BUCKETS)
        put_near(agenda, take_later(agenda));
}

struct ordo_net_event *ordo_net_agenda_take(struct ordo_net_agenda *agenda)
{
    for (draw_near(agenda); agenda->near > 0; agenda->at++, draw_near(agenda)) {
        struct ordo_net_event **at = &agenda->bucket[agenda->at & (BUCKETS - 1)], *event = *at;
        if (!event)
            continue;
        *at = event->next;
        agenda->near--;
        return event;
    }
    return NULL;
}
