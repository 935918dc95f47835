/* The write set: the written words with their values, and, if there are more than a few, a hash index of the words. */
#ifndef ORDO_CC_STM_LOG_H
#define ORDO_CC_STM_LOG_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <string.h>

#include <ordo/cc/stm/array.h>
#include <ordo/cc/stm/stripe.h>

enum { ORDO_STM_FEW = 8 }; /* a write set of at most this number of words is searched without the index */

/* A word that the transaction wrote. */
struct ordo_stm_entry {
    uint64_t *word;
    uint64_t value;
    size_t slot; /* the word's slot in the index, if the index is in use */
};

static inline uint64_t ordo_stm_mix(const void *word)
{
    return ((uintptr_t)word >> 3) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint64_t ordo_stm_bit(const void *word)
{
    return UINT64_C(1) << (ordo_stm_mix(word) >> 58);
}

/* Returns the slot of a word in the index, or a free slot for the word. A free slot exists, because at most half of the
 * slots are taken.
 */
static inline size_t ordo_stm_slot(const struct ordo_stm_thread *t, const uint64_t *word)
{
    const struct ordo_stm_entry *entries = (const struct ordo_stm_entry *)t->writes.items;
    size_t slots = 2 * t->writes.capacity, slot = (size_t)(ordo_stm_mix(word) >> 20) & (slots - 1);
    while (t->index[slot] && entries[t->index[slot] - 1].word != word)
        slot = (slot + 1) & (slots - 1);
    return slot;
}

/* Puts the words of the write set into the index, from the entry `first` on. The index is in use if there are more than
 * ORDO_STM_FEW words; otherwise it is empty. */
ORDO_CC_SLOW void ordo_stm_index(struct ordo_stm_thread *t, size_t first)
{
    struct ordo_stm_entry *entries = (struct ordo_stm_entry *)t->writes.items;
    size_t i;
    for (i = first; i < t->writes.count; i++) {
        entries[i].slot = ordo_stm_slot(t, entries[i].word);
        t->index[entries[i].slot] = i + 1;
    }
}

/* As ordo_stm_written, for a write set of few words: compares them one by one, the newest first. */
static inline struct ordo_stm_entry *ordo_stm_written_few(const struct ordo_stm_thread *t, const uint64_t *word)
{
    struct ordo_stm_entry *entries = (struct ordo_stm_entry *)t->writes.items;
    size_t i;
    for (i = t->writes.count; i > 0; i--)
        if (entries[i - 1].word == word)
            return &entries[i - 1];
    return NULL;
}

/* Returns the entry of a word in the write set; NULL: the word is not in it. */
static inline struct ordo_stm_entry *ordo_stm_written(const struct ordo_stm_thread *t, const uint64_t *word)
{
    size_t place;
    if (!(t->filter & ordo_stm_bit(word)))
        return NULL;
    if (t->writes.count <= ORDO_STM_FEW)
        return ordo_stm_written_few(t, word);
    place = t->index[ordo_stm_slot(t, word)];
    return place ? (struct ordo_stm_entry *)t->writes.items + place - 1 : NULL;
}

/* Makes room for one more word in the write set, in its index and in the locks of a commit. Returns 0, or -1: out of
 * memory. */
ORDO_CC_SLOW int ordo_stm_writes_grow(struct ordo_stm_thread *t)
{
    const struct ordo_stm *stm = t->stm;
    size_t *index, slots;
    if (t->locks.capacity <= t->writes.capacity && /* false if `locks` grew in an earlier call that failed later */
        ordo_stm_array_grow(stm, &t->locks, sizeof(struct ordo_stm_lock)))
        return -1;
    slots = 4 * (t->writes.capacity ? t->writes.capacity : 32);
    index = slots <= SIZE_MAX / 4 / sizeof *index
                ? (size_t *)ordo_cc_allocate(&stm->options.memory, slots * sizeof *index)
                : NULL;
    if (!index || ordo_stm_array_grow(stm, &t->writes, sizeof(struct ordo_stm_entry))) {
        ordo_cc_release(&stm->options.memory, index);
        return -1;
    }
    ordo_cc_release(&stm->options.memory, t->index);
    t->index = index;
    memset(index, 0, slots * sizeof *index);
    ordo_stm_index(t, 0); /* the set was empty, or so large that the index is in use */
    return 0;
}

/* Empties the write set. */
static inline void ordo_stm_forget(struct ordo_stm_thread *t)
{
    const struct ordo_stm_entry *entries = (const struct ordo_stm_entry *)t->writes.items;
    size_t i;
    for (i = 0; t->writes.count > ORDO_STM_FEW && i < t->writes.count; i++)
        t->index[entries[i].slot] = 0;
    t->writes.count = 0;
    t->filter = 0;
}

#endif
