#include "trace/causal/match.h"

#include <stdlib.h>
#include <string.h>

#include "trace/causal/prefix.h"

enum { NIL = 0, FIRST_SLOTS = 1024 };

/* The key of a slot. Its values depend on `sort`:
 * - MESSAGES: the values that both ends of a message have in common;
 * - COLLECTIVES: the values that all ranks of a collective have in common;
 * - COUNTER: the communicator, the rank and the thread whose collectives are counted.
 * Keys are compared as bytes, so they have no padding. */
struct key {
    uint64_t communicator;
    int32_t a, b;
    uint32_t c, d;
    uint64_t sort; /* enum sort */
};

_Static_assert(sizeof(struct key) == 32, "a key has no padding");

enum sort { EMPTY, MESSAGES, COLLECTIVES, COUNTER };

struct collective {
    /* The latest begin that other ranks wait for, and the earliest end of a rank that waits: `before` by uncorrected
     * clocks, `after` in global time. */
    int64_t begin_before, end_before;
    int64_t begin_after, end_after;
    uint64_t shared;
    struct ordo_prefix *prefix; /* NULL: the collective is no prefix reduction, or has no event yet */
    uint32_t ranks;
    uint32_t begun, ended; /* events of MPI_COMM_WORLD, whether other ranks wait for them or not */
};

struct slot {
    struct key key;
    union {
        struct {
            uint32_t first, last; /* indices into `nodes`; `first` is NIL if the queue is empty */
            bool sent;            /* the waiting ends are sends */
        } queue;
        struct collective collective;
        struct {
            uint32_t begun, ended;
        } counter;
    };
};

struct node {
    struct ordo_end end;
    uint64_t number; /* of the message */
    uint32_t next;
};

struct ordo_match {
    struct slot *slots;
    size_t size, used; /* number of slots, a power of two; number of used slots */
    struct node *nodes;
    uint32_t room, free;
    uint64_t numbers; /* of messages so far */
    uint64_t number;  /* of the message whose end was taken last */
    uint32_t ranks;   /* see ordo_match_set_ranks */
    uint32_t done;    /* collectives of MPI_COMM_WORLD below this number are forgotten */
    struct ordo_causality result;
    ordo_match_pair *pair;
    ordo_match_join *join;
    ordo_match_follow *follow;
    void *context;
};

struct ordo_match *ordo_match_create(ordo_match_pair *pair, ordo_match_join *join, void *context)
{
    struct ordo_match *match = calloc(1, sizeof *match);
    if (!match)
        return NULL;
    match->slots = calloc(FIRST_SLOTS, sizeof *match->slots);
    match->size = FIRST_SLOTS;
    match->pair = pair;
    match->join = join;
    match->context = context;
    if (match->slots)
        return match;
    free(match);
    return NULL;
}

static void free_prefix(struct collective *of)
{
    if (of->prefix)
        ordo_prefix_free(of->prefix);
    free(of->prefix);
    of->prefix = NULL;
}

void ordo_match_free(struct ordo_match *match)
{
    if (match) {
        for (size_t i = 0; i < match->size; i++)
            if (match->slots[i].key.sort == COLLECTIVES)
                free_prefix(&match->slots[i].collective);
        free(match->slots);
        free(match->nodes);
    }
    free(match);
}

void ordo_match_set_follow(struct ordo_match *match, ordo_match_follow *follow)
{
    match->follow = follow;
}

void ordo_match_set_ranks(struct ordo_match *match, uint32_t ranks)
{
    match->ranks = ranks;
}

static size_t hash(const struct key *key)
{
    uint64_t x = ((uint64_t)(uint32_t)key->a << 32 | (uint32_t)key->b) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x = (x + ((uint64_t)key->c << 32 | key->d)) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ x >> 32) + (key->communicator << 3 ^ key->sort);
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(x ^ x >> 32);
}

static struct slot *place_of_key(const struct ordo_match *match, const struct key *key)
{
    size_t at = hash(key) & (match->size - 1);
    while (match->slots[at].key.sort != EMPTY && memcmp(&match->slots[at].key, key, sizeof *key) != 0)
        at = (at + 1) & (match->size - 1);
    return &match->slots[at];
}

static int grow_slots(struct ordo_match *match)
{
    struct ordo_match larger = *match;
    larger.size = 2 * match->size;
    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots)
        return -1;
    for (size_t i = 0; i < match->size; i++)
        if (match->slots[i].key.sort != EMPTY)
            *place_of_key(&larger, &match->slots[i].key) = match->slots[i];
    free(match->slots);
    match->slots = larger.slots;
    match->size = larger.size;
    return 0;
}

/* Returns the slot of a key; the content of a new slot is 0. Returns NULL if out of memory. */
static struct slot *slot_of(struct ordo_match *match, const struct key *key)
{
    if (match->used * 2 >= match->size && grow_slots(match))
        return NULL;
    struct slot *slot = place_of_key(match, key);
    if (slot->key.sort == EMPTY) {
        memset(slot, 0, sizeof *slot);
        slot->key = *key;
        match->used++;
    }
    return slot;
}

/* Removes a slot, and moves up the following slots that would no longer be found (Knuth, The Art of Computer
 * Programming 3, section 6.4, algorithm R). */
static void forget_slot(struct ordo_match *match, const struct slot *slot)
{
    size_t mask = match->size - 1, hole = (size_t)(slot - match->slots), at = hole;
    for (;;) {
        at = (at + 1) & mask;
        if (match->slots[at].key.sort == EMPTY)
            break;
        if (((at - hash(&match->slots[at].key)) & mask) >= ((at - hole) & mask)) {
            match->slots[hole] = match->slots[at];
            hole = at;
        }
    }
    match->slots[hole].key.sort = EMPTY;
    match->used--;
}

static uint32_t new_node(struct ordo_match *match)
{
    if (match->free == NIL) {
        uint32_t room = match->room ? 2 * match->room : 1024;
        struct node *nodes = realloc(match->nodes, (size_t)room * sizeof *nodes);
        if (!nodes)
            return NIL;
        match->nodes = nodes;
        for (uint32_t i = match->room ? match->room : 1; i < room; i++) {
            nodes[i].next = match->free;
            match->free = i;
        }
        match->room = room;
    }
    uint32_t node = match->free;
    match->free = match->nodes[node].next;
    return node;
}

static int note_pair(struct ordo_match *match, const struct ordo_event *event, const struct ordo_end *send,
                     const struct ordo_end *recv)
{
    match->result.messages++;
    match->result.unmatched--;
    match->result.before += recv->time_ns < send->time_ns;
    match->result.after += recv->stamp.global_ns < send->stamp.global_ns;
    match->result.certain += recv->stamp.latest_ns < send->stamp.earliest_ns;
    return match->pair ? match->pair(match->context, event, send, recv) : 0;
}

static int append_end(struct ordo_match *match, struct slot *slot, const struct ordo_end *end)
{
    uint32_t node = new_node(match);
    if (node == NIL)
        return -1;
    match->number = match->numbers++;
    match->nodes[node] = (struct node){*end, match->number, NIL};
    if (slot->queue.first == NIL)
        slot->queue.first = node;
    else
        match->nodes[slot->queue.last].next = node;
    slot->queue.last = node;
    match->result.unmatched++;
    return 0;
}

/* Matches a send with the receive that has waited longest, or a receive with the send that has waited longest. In MPI,
 * messages with one sender, receiver, tag and communicator do not overtake each other. */
static int take_message(struct ordo_match *match, const struct ordo_event *event, const struct ordo_end *end)
{
    bool sent = event->kind == ORDO_EVENT_SEND;
    struct key key = {event->communicator,
                      sent ? event->rank : event->peer,
                      sent ? event->peer : event->rank,
                      (uint32_t)event->tag,
                      event->number,
                      MESSAGES};
    struct slot *slot = slot_of(match, &key);
    if (!slot)
        return -1;
    if (slot->queue.first == NIL)
        slot->queue.sent = sent;
    if (slot->queue.sent == sent)
        return append_end(match, slot, end);
    uint32_t node = slot->queue.first;
    struct ordo_end other = match->nodes[node].end;
    match->number = match->nodes[node].number;
    slot->queue.first = match->nodes[node].next;
    match->nodes[node].next = match->free;
    match->free = node;
    if (slot->queue.first == NIL)
        forget_slot(match, slot);
    return note_pair(match, event, sent ? end : &other, sent ? &other : end);
}

static void widen(int64_t *most, int64_t value, bool up)
{
    if (up ? value > *most : value < *most)
        *most = value;
}

static bool is_bad(int64_t begin_ns, int64_t end_ns)
{
    return begin_ns != INT64_MIN && end_ns != INT64_MAX && end_ns < begin_ns;
}

/* Sets *number to the number that the event states. If it states none, numbers the collective by counting the
 * collectives of its thread on its communicator. */
static int number_of_collective(struct ordo_match *match, const struct ordo_event *event, uint32_t *number)
{
    struct key key = {event->communicator, event->rank, 0, event->thread, 0, COUNTER};
    *number = event->number;
    if (*number != ORDO_EVENT_UNCOUNTED)
        return 0;
    struct slot *slot = slot_of(match, &key);
    if (!slot)
        return -1;
    *number = event->kind == ORDO_EVENT_BEGIN ? slot->counter.begun++ : slot->counter.ended++;
    return 0;
}

static int take_prefix(struct ordo_match *match, const struct ordo_event *event, const struct ordo_end *end,
                       struct collective *of)
{
    bool failed;
    if (!of->prefix && !(of->prefix = calloc(1, sizeof *of->prefix)))
        return -1;
    struct ordo_prefix *prefix = of->prefix;
    if (event->place < prefix->from) /* the place is settled, so this event is a repetition */
        return 0;
    struct ordo_prefix_place *own = ordo_prefix_at(prefix, event->place, &failed);
    if (!own)
        return -1;
    uint64_t *lower = event->place > 0 ? &ordo_prefix_at(prefix, event->place - 1, &failed)->shared : NULL;
    if (match->follow && match->follow(match->context, event, end->id, lower, &own->shared))
        return -1;
    bool bad[2] = {prefix->bad[0], prefix->bad[1]};
    ordo_prefix_take(prefix, event->place, event->kind == ORDO_EVENT_BEGIN, end->time_ns, end->stamp.global_ns);
    match->result.collectives_before += prefix->bad[0] && !bad[0];
    match->result.collectives_after += prefix->bad[1] && !bad[1];
    return 0;
}

/* Takes an event into its collective. */
static int join_collective(struct ordo_match *match, const struct ordo_event *event, const struct ordo_end *end,
                           struct collective *of)
{
    bool begins = event->kind == ORDO_EVENT_BEGIN, root = event->rank == event->root;
    of->ranks += begins;
    match->result.collectives += begins && of->ranks == 2;
    if (event->collective == ORDO_COLLECTIVE_PREFIX) {
        if (match->join && match->join(match->context, event, end->id, &of->shared))
            return -1;
        return take_prefix(match, event, end, of);
    }
    bool counts = event->collective == ORDO_COLLECTIVE_ALL_TO_ALL ||
                  (event->collective == ORDO_COLLECTIVE_ONE_TO_ALL ? root || !begins : root || begins);
    if (!counts)
        return 0;
    match->result.collectives_before -= is_bad(of->begin_before, of->end_before);
    match->result.collectives_after -= is_bad(of->begin_after, of->end_after);
    widen(begins ? &of->begin_before : &of->end_before, end->time_ns, begins);
    widen(begins ? &of->begin_after : &of->end_after, end->stamp.global_ns, begins);
    match->result.collectives_before += is_bad(of->begin_before, of->end_before);
    match->result.collectives_after += is_bad(of->begin_after, of->end_after);
    return match->join ? match->join(match->context, event, end->id, &of->shared) : 0;
}

/* True if the key of an event's collective can be forgotten: those of MPI_COMM_WORLD, if the number of ranks is known. */
static bool is_forgettable(const struct ordo_match *match, const struct ordo_event *event)
{
    return match->ranks > 0 && event->communicator == 0;
}

/* Forgets the collectives of MPI_COMM_WORLD that all ranks have left, up to the first one that some rank has not. */
static void forget_left(struct ordo_match *match)
{
    for (;; match->done++) {
        const struct key key = {0, 0, 0, match->done, 0, COLLECTIVES};
        struct slot *slot = place_of_key(match, &key);
        if (slot->key.sort == EMPTY || slot->collective.begun < match->ranks || slot->collective.ended < match->ranks)
            return;
        free_prefix(&slot->collective);
        forget_slot(match, slot);
    }
}

static int take_collective(struct ordo_match *match, const struct ordo_event *event, const struct ordo_end *end)
{
    bool begins = event->kind == ORDO_EVENT_BEGIN, forgets = is_forgettable(match, event);
    uint32_t number;
    if (number_of_collective(match, event, &number))
        return -1;
    bool prefix = event->collective == ORDO_COLLECTIVE_PREFIX;
    bool binds = prefix ? event->place >= 0 : event->collective == ORDO_COLLECTIVE_ALL_TO_ALL || event->root >= 0;
    if (!(binds || forgets) || (forgets && number < match->done))
        return 0;
    struct key key = {event->communicator, 0, 0, number, 0, COLLECTIVES};
    struct slot *slot = slot_of(match, &key);
    if (!slot)
        return -1;
    struct collective *of = &slot->collective;
    if (of->ranks == 0 && of->end_after == 0)
        *of = (struct collective){INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX, 0, NULL, 0, 0, 0};
    of->begun += begins;
    of->ended += !begins;
    int failed = binds ? join_collective(match, event, end, of) : 0;
    if (!failed && forgets && !begins && number == match->done)
        forget_left(match);
    return failed;
}

int ordo_match_take(struct ordo_match *match, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                    uint64_t id, struct ordo_error *error)
{
    struct ordo_end end = {event->time_ns, *stamp, id};
    int failed = 0;
    if (event->kind == ORDO_EVENT_SEND || event->kind == ORDO_EVENT_RECV)
        failed = take_message(match, event, &end);
    else if (event->collective && (event->kind == ORDO_EVENT_BEGIN || event->kind == ORDO_EVENT_END))
        failed = take_collective(match, event, &end);
    return failed ? ordo_error_set(error, ORDO_E_SYSTEM, 0, "messages under way: out of memory") : ORDO_OK;
}

uint64_t ordo_match_number(const struct ordo_match *match, const struct ordo_event *event)
{
    return event->number != ORDO_EVENT_UNCOUNTED ? event->number : match->number;
}

struct ordo_causality ordo_match_result(const struct ordo_match *match)
{
    return match->result;
}
