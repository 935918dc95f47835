/* The structures that the engines keep, the effect of each operation, and the load of a thread. The engine must ensure
 * that one thread at a time applies operations or reads.
 *
 *  map      for each of many files, the processes that map it: the reverse map of the Oplog paper. A fork adds the
 *           mappings of a process one after the other; an exit removes them. Adding and removing commute, because a
 *           mapping counts its additions minus its removals.
 *  counter  one number.
 *  set      an ordered set of keys, in a tree. Adding and removing a key do not commute. Each key is changed by one
 *           thread only, so that the final content is known. */
#ifndef BENCH_OPLOG_LOAD_H
#define BENCH_OPLOG_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "rlu/plain.h"

#define OPLOG_SLOTS 64 /* most processes of a thread at once */

enum oplog_structure { OPLOG_MAP, OPLOG_COUNTER, OPLOG_SET, OPLOG_STRUCTURES };
enum oplog_op { OPLOG_ADD, OPLOG_REMOVE };

struct oplog_sizes {
    uint64_t files; /* number of files of a map */
    uint64_t burst; /* mappings of one process */
    uint64_t range; /* keys of a set are < range */
};

struct oplog_mapping {
    struct oplog_mapping *next, **link; /* position in the list of its file, while count > 0 */
    int64_t count;
    uint64_t file;
};

struct oplog_file {
    _Alignas(64) struct oplog_mapping *first;
};

/** The load of one thread. */
struct oplog_load {
    _Alignas(128) uint64_t random;
    struct oplog_state *state;
    uint64_t index, threads; /* index of the thread, and number of all threads */
    uint64_t slot, at;       /* the next mapping: its process, and its index there */
    bool present[OPLOG_SLOTS];
    bool *keys;                     /* [range]: true for each key of this thread that is in the set */
    struct oplog_mapping *mappings; /* [OPLOG_SLOTS * burst] */
    bool *live;                     /* [OPLOG_SLOTS * burst]: true for each mapping that exists */
};

struct oplog_state {
    struct oplog_sizes sizes;
    struct oplog_file *files;
    _Alignas(128) uint64_t counter;
    _Alignas(128) struct plain_tree tree;
    uint64_t refused; /* operations that failed because the program was out of memory */
    int threads;
    struct oplog_load loads[];
};

/** An operation: the index of the object, the kind of the operation, and its argument. */
struct oplog_step {
    uint64_t index, op, argument;
};

/** Makes a structure and the loads of `threads` threads. Each `seed` gives other loads. Returns NULL if out of
 * memory. */
struct oplog_state *oplog_state_make(enum oplog_structure structure, const struct oplog_sizes *sizes, int threads,
                                     uint64_t seed);

void oplog_state_free(struct oplog_state *state);

/** Returns the number of objects of a structure. */
uint64_t oplog_state_objects(enum oplog_structure structure, const struct oplog_sizes *sizes);

/** Audits the structure after all threads have stopped. Returns ORDO_OK, or a code with a message about a difference
 * between the structure and the effect of `updates`. */
int oplog_state_audit(const struct oplog_state *state, enum oplog_structure structure, uint64_t updates,
                      struct ordo_error *error);

/* The functions *_apply have the effect of an operation. Only a thread that is allowed to apply may call them. */

static inline void map_apply(struct oplog_state *state, uint64_t index, uint64_t op, uint64_t argument)
{
    struct oplog_mapping *m = (struct oplog_mapping *)(uintptr_t)argument;
    struct oplog_file *file = &state->files[index];
    if (op == OPLOG_ADD && m->count++ == 0) {
        m->next = file->first;
        m->link = &file->first;
        if (m->next)
            m->next->link = &m->next;
        file->first = m;
    } else if (op == OPLOG_REMOVE && --m->count == 0) {
        *m->link = m->next;
        if (m->next)
            m->next->link = m->link;
    }
}

static inline uint64_t map_read(const struct oplog_state *state, uint64_t index, uint64_t argument)
{
    uint64_t count = 0;
    (void)argument;
    for (const struct oplog_mapping *m = state->files[index].first; m; m = m->next)
        count++;
    return count;
}

static inline void counter_apply(struct oplog_state *state, uint64_t index, uint64_t op, uint64_t argument)
{
    (void)index, (void)op;
    state->counter += argument;
}

static inline uint64_t counter_read(const struct oplog_state *state, uint64_t index, uint64_t argument)
{
    (void)index, (void)argument;
    return state->counter;
}

static inline void set_apply(struct oplog_state *state, uint64_t index, uint64_t op, uint64_t argument)
{
    (void)index;
    int changed = op == OPLOG_ADD ? plain_tree_add(&state->tree, argument) : plain_tree_remove(&state->tree, argument);
    state->refused += changed < 0;
}

static inline uint64_t set_read(struct oplog_state *state, uint64_t index, uint64_t argument)
{
    (void)index;
    return (uint64_t)plain_tree_contains(&state->tree, argument);
}

/* *_next: draws a thread's next update; returns true if a burst begins with it. *_look: draws its next read. */

static inline uint64_t oplog_below(struct oplog_load *load, uint64_t limit)
{
    return (ordo_random_next(&load->random) >> 32) * limit >> 32;
}

static inline bool map_next(struct oplog_load *load, struct oplog_step *step)
{
    uint64_t burst = load->state->sizes.burst;
    bool begins = load->at == burst;
    if (begins) {
        load->slot = oplog_below(load, OPLOG_SLOTS);
        load->at = 0;
        load->present[load->slot] = !load->present[load->slot];
    }
    uint64_t which = load->slot * burst + load->at++;
    bool add = load->present[load->slot];
    load->live[which] = add;
    *step = (struct oplog_step){load->mappings[which].file, add ? OPLOG_ADD : OPLOG_REMOVE,
                                (uint64_t)(uintptr_t)&load->mappings[which]};
    return begins;
}

static inline void map_look(struct oplog_load *load, struct oplog_step *step)
{
    *step = (struct oplog_step){oplog_below(load, load->state->sizes.files), 0, 0};
}

static inline bool counter_next(struct oplog_load *load, struct oplog_step *step)
{
    bool begins = load->at == load->state->sizes.burst;
    load->at = begins ? 1 : load->at + 1;
    *step = (struct oplog_step){0, OPLOG_ADD, 1};
    return begins;
}

static inline void counter_look(struct oplog_load *load, struct oplog_step *step)
{
    (void)load;
    *step = (struct oplog_step){0, 0, 0};
}

static inline void set_look(struct oplog_load *load, struct oplog_step *step)
{
    *step = (struct oplog_step){0, 0, oplog_below(load, load->state->sizes.range)};
}

static inline bool set_next(struct oplog_load *load, struct oplog_step *step)
{
    uint64_t key = oplog_below(load, load->state->sizes.range / load->threads) * load->threads + load->index;
    bool begins = counter_next(load, step), add = ordo_random_next(&load->random) & 1;
    load->keys[key] = add;
    *step = (struct oplog_step){0, add ? OPLOG_ADD : OPLOG_REMOVE, key};
    return begins;
}

#endif
