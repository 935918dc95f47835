/* Snapshots: read-only transactions that read the memory of one moment and never run again. While a snapshot is
 * running, commits save the values that they overwrite. Each stripe has a list of its overwritten values. */
#ifndef ORDO_CC_STM_SNAPSHOT_H
#define ORDO_CC_STM_SNAPSHOT_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <string.h>

#include <ordo/cc/stm/log.h>
#include <ordo/cc/stm/validate.h>
#include <ordo/cc/stm/wait.h>

enum { ORDO_STM_SPARES = 64 }; /* largest number of released values that a thread keeps for its next commits */

/* An entry of the thread's record of saved values. */
struct ordo_stm_saved_at {
    struct ordo_stm_saved **list; /* the list of a stripe */
    uint64_t number;
};

/* ---- commits ---- */

/* Returns the number of snapshots that have begun; 0 if none is running. Call it with all stripes locked. */
static inline uint64_t ordo_stm_snapshots(const struct ordo_stm *stm)
{
    /* Pairs with ordo_stm_snapshot_end. The order of the two loads matters: if a snapshot is running at the second load,
     * `ended` was smaller than `begun` there, and smaller still at the first load. */
    uint64_t ended = __atomic_load_n(&stm->ended, __ATOMIC_SEQ_CST);
    /* C12 count. Pairs with C12 begin: a snapshot with a larger number begins later. */
    uint64_t begun = __atomic_load_n(&stm->begun, __ATOMIC_SEQ_CST);
    return begun != ended ? begun : 0;
}

/* Returns the list of a word's stripe. */
static inline struct ordo_stm_saved **ordo_stm_saved_list(const struct ordo_stm_thread *t, const uint64_t *word)
{
    /* Relaxed: a snapshot has made the lists, or seen them, before it began, and a commit has seen that one has begun. */
    return &__atomic_load_n(&t->stm->saved, __ATOMIC_RELAXED)[ordo_stm_stripe(t, word) - t->stripes];
}

/* True if a commit with the same number has saved an older value of the word. Newer values are of no use then. */
static inline int ordo_stm_is_saved(const struct ordo_stm_saved *newest, const uint64_t *word, uint64_t number)
{
    /* The items are visible to the lock's holder, and an acquire made the newest one visible. */
    for (; newest && newest->number == number; newest = __atomic_load_n(&newest->next, __ATOMIC_ACQUIRE))
        if (newest->word == word)
            return 1;
    return 0;
}

/* Records that a value could not be saved. */
static inline void ordo_stm_lose(struct ordo_stm *stm, uint64_t number)
{
    uint64_t lost = __atomic_load_n(&stm->lost, __ATOMIC_RELAXED); /* relaxed: the exchange decides */
    /* Release pairs with ordo_stm_snapshot_take. The unlock, or the next saved value of the word, follows. */
    while (lost < number &&
           !__atomic_compare_exchange_n(&stm->lost, &lost, number, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        continue;
}

/* Puts memory into the thread's reserve. */
static inline void ordo_stm_spare(struct ordo_stm_thread *t, struct ordo_stm_saved *item)
{
    item->next = t->spare;
    t->spare = item;
    t->spares++;
}

/* Takes memory for a saved value: if possible from the thread's reserve, because the stripes are locked. NULL: out of
 * memory. */
static inline struct ordo_stm_saved *ordo_stm_saved_new(struct ordo_stm_thread *t)
{
    struct ordo_stm_saved *item = t->spare;
    if (ordo_stm_array_room(t->stm, &t->saves, sizeof(struct ordo_stm_saved_at)))
        return NULL;
    if (!item)
        return (struct ordo_stm_saved *)ordo_cc_allocate(&t->stm->options.memory, sizeof *item);
    t->spare = item->next;
    t->spares--;
    return item;
}

/* Fills the reserve for the values that the commit may have to save. If memory is exhausted, the reserve stays small. */
ORDO_CC_SLOW void ordo_stm_saved_reserve(struct ordo_stm_thread *t)
{
    while (t->saves.capacity < t->saves.count + t->writes.count)
        if (ordo_stm_array_grow(t->stm, &t->saves, sizeof(struct ordo_stm_saved_at)))
            return;
    while (t->spares < t->writes.count) {
        struct ordo_stm_saved *item = (struct ordo_stm_saved *)ordo_cc_allocate(&t->stm->options.memory, sizeof *item);
        if (!item)
            return;
        ordo_stm_spare(t, item);
    }
}

/* Saves the present value of a word whose stripe this commit has locked. */
static inline void ordo_stm_save(struct ordo_stm_thread *t, const uint64_t *word, uint64_t number)
{
    struct ordo_stm_saved **list = ordo_stm_saved_list(t, word), *item;
    /* Acquire pairs with C12 save of an earlier holder of the lock. */
    struct ordo_stm_saved *newest = __atomic_load_n(list, __ATOMIC_ACQUIRE);
    struct ordo_stm_saved_at *save;
    if (ordo_stm_is_saved(newest, word, number))
        return;
    /* The lock's holder is the only one that adds to the list. */
    ORDO_INVARIANT("stm", "C12", !newest || newest->number <= number, "the numbers of a list go up", t, number,
                   newest ? newest->number : 0);
    item = ordo_stm_saved_new(t);
    if (!item) {
        ordo_stm_lose(t->stm, number);
        return;
    }
    item->word = word;
    item->value = __atomic_load_n(word, __ATOMIC_RELAXED); /* only the lock's holder writes it */
    item->number = number;
    do
        item->next = newest;
    /* C12 save. Release pairs with C12 search. Fails if another thread trims the list. */
    while (!__atomic_compare_exchange_n(list, &newest, item, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    save = (struct ordo_stm_saved_at *)t->saves.items + t->saves.count++;
    save->list = list;
    save->number = number;
    ordo_cc_count(&t->statistics.saved, 1);
}

/* Saves the present values of all words of the write set. */
ORDO_CC_SLOW void ordo_stm_save_all(struct ordo_stm_thread *t, uint64_t number)
{
    const struct ordo_stm_entry *entries = (const struct ordo_stm_entry *)t->writes.items;
    size_t i;
    for (i = 0; i < t->writes.count; i++)
        ordo_stm_save(t, entries[i].word, number);
}

/* ---- trimming: removes the values that no snapshot can need ---- */

/* Returns a number up to which no saved value is needed any more. */
static inline uint64_t ordo_stm_unneeded(const struct ordo_stm *stm)
{
    /* C12 scan. Pairs with C12 announce: a snapshot that this scan does not find begins later. */
    uint64_t limit = __atomic_load_n(&stm->begun, __ATOMIC_SEQ_CST);
    const struct ordo_cc_thread *common;
    for (common = ordo_cc_threads_scan(&stm->threads); common; common = common->next) {
        /* C12 scan. Pairs with ordo_stm_snapshot_end as well: the reads of a snapshot that has ended are done. */
        uint64_t number = __atomic_load_n(&ordo_stm_thread_of(common)->snapshot, __ATOMIC_SEQ_CST);
        if (number && number - 1 < limit)
            limit = number - 1;
    }
    return limit;
}

/* Puts values that this thread has removed from a stripe in line to be released. */
static inline void ordo_stm_saved_retire(struct ordo_stm_thread *t, struct ordo_stm_saved *item)
{
    /* As C10 retire: the values cannot be reached any more. */
    uint64_t epoch = __atomic_load_n(&t->stm->epoch, __ATOMIC_SEQ_CST);
    while (item) {
        /* Each link is taken once, also if two threads trim the list: each of the two releases other values. */
        struct ordo_stm_saved *next = __atomic_exchange_n(&item->next, NULL, __ATOMIC_ACQ_REL);
        item->epoch = epoch;
        item->removed = NULL;
        *(t->removed_first ? &t->removed_last->removed : &t->removed_first) = item;
        t->removed_last = item;
        t->removed++;
        item = next;
    }
}

/* Removes the unneeded values of a list: all from the first unneeded one on, because numbers go down. */
static inline void ordo_stm_trim_list(struct ordo_stm_thread *t, struct ordo_stm_saved **list, uint64_t unneeded)
{
    struct ordo_stm_saved **link = list, *item;
    /* Acquire pairs with C12 save. */
    while ((item = __atomic_load_n(link, __ATOMIC_ACQUIRE)) != NULL && item->number > unneeded)
        link = &item->next;
    /* C12 trim. Fails if a commit has saved a value meanwhile, or another thread has trimmed the list; then the list is
     * left to them. Relaxed on failure: nothing is read. */
    if (item && __atomic_compare_exchange_n(link, &item, NULL, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        ordo_stm_saved_retire(t, item);
}

/* Trims the lists in which this thread has saved values. Call it in a transaction that is announced. */
ORDO_CC_SLOW void ordo_stm_trim(struct ordo_stm_thread *t)
{
    struct ordo_stm_saved_at *saves = (struct ordo_stm_saved_at *)t->saves.items;
    uint64_t unneeded = ordo_stm_unneeded(t->stm);
    size_t i = t->saves_start;
    for (; i < t->saves.count && saves[i].number <= unneeded; i++)
        ordo_stm_trim_list(t, saves[i].list, unneeded);
    t->saves_start = i;
    if (2 * i >= t->saves.count) {
        if (i < t->saves.count)
            memmove(saves, saves + i, (t->saves.count - i) * sizeof *saves);
        t->saves.count -= i;
        t->saves_start = 0;
    }
    t->trim_at = 2 * (t->saves.count - t->saves_start) + 64;
}

/* Trims now and then while there are snapshots, and at once if there are none. While removed values wait for their
 * release, every 64th commit collects. */
static inline void ordo_stm_trim_if_due(struct ordo_stm_thread *t, uint64_t number)
{
    if (__builtin_expect(t->removed != 0, 0) && t->collect_at)
        t->collect_at--;
    if (__builtin_expect(t->saves.count != 0, 0) && (!number || t->saves.count - t->saves_start >= t->trim_at))
        ordo_stm_trim(t);
}

/* Releases the reserve. */
static inline void ordo_stm_spares_release(struct ordo_stm_thread *t)
{
    struct ordo_stm_saved *item;
    while ((item = t->spare) != NULL) {
        t->spare = item->next;
        ordo_cc_release(&t->stm->options.memory, item);
    }
    t->spares = 0;
}

/* Releases removed values whose epoch is at least 3 before this one. */
ORDO_CC_SLOW void ordo_stm_saved_release(struct ordo_stm_thread *t, uint64_t epoch)
{
    struct ordo_stm_saved *item;
    while ((item = t->removed_first) != NULL && epoch >= item->epoch + 3) { /* C10 free */
        t->removed_first = item->removed;
        t->removed--;
        if (t->spares < ORDO_STM_SPARES)
            ordo_stm_spare(t, item);
        else
            ordo_cc_release(&t->stm->options.memory, item);
    }
}

/* ---- snapshots ---- */

/* Makes the lists of overwritten values, if there are none yet. Returns 0, or -1: out of memory. */
ORDO_CC_SLOW int ordo_stm_saved_make(struct ordo_stm *stm)
{
    struct ordo_stm_saved **lists, **none = NULL;
    size_t bytes = (stm->mask + 1) * sizeof *lists;
    if (__atomic_load_n(&stm->saved, __ATOMIC_ACQUIRE)) /* pairs with the exchange below: the lists are empty */
        return 0;
    lists = (struct ordo_stm_saved **)ordo_cc_allocate(&stm->options.memory, bytes);
    if (!lists)
        return -1;
    memset(lists, 0, bytes);
    /* Release and acquire: see above. A commit sees the lists because it sees that a snapshot has begun. */
    if (!__atomic_compare_exchange_n(&stm->saved, &none, lists, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ordo_cc_release(&stm->options.memory, lists);
    return 0;
}

/* Makes the transaction that begins a snapshot. Returns 0, or -1: out of memory. */
ORDO_CC_SLOW int ordo_stm_snapshot_begin(struct ordo_stm_thread *t)
{
    struct ordo_stm *stm = t->stm;
    if (ordo_stm_saved_make(stm))
        return -1;
    /* C12 announce. Pairs with C12 scan. The snapshot's number is this one or a larger one. Relaxed: as the number only
     * grows, an old value is only too small. */
    (void)__atomic_exchange_n(&t->snapshot, __atomic_load_n(&stm->begun, __ATOMIC_RELAXED) + 1, __ATOMIC_SEQ_CST);
    /* C12 begin. Pairs with C12 count. This is the moment of the snapshot. */
    t->number = __atomic_fetch_add(&stm->begun, 1, __ATOMIC_SEQ_CST) + 1;
    ordo_cc_count(&t->statistics.snapshots, 1);
    return 0;
}

static inline void ordo_stm_snapshot_end(struct ordo_stm_thread *t)
{
    if (__builtin_expect(t->number == 0, 1))
        return;
    t->number = 0;
    /* Release pairs with C12 scan, and the addition with ordo_stm_snapshots: the reads of this snapshot are done. */
    __atomic_store_n(&t->snapshot, 0, __ATOMIC_RELEASE);
    (void)__atomic_fetch_add(&t->stm->ended, 1, __ATOMIC_SEQ_CST);
}

/* Returns the oldest value of a word that was overwritten after the snapshot began: the word's value in the snapshot.
 * NULL: it has not been overwritten, as far as this thread sees. */
static inline const struct ordo_stm_saved *ordo_stm_snapshot_find(const struct ordo_stm_thread *t, const uint64_t *word)
{
    /* C12 search. Acquire pairs with C12 save: the value, and all earlier values of the stripe, are visible. */
    const struct ordo_stm_saved *item = __atomic_load_n(ordo_stm_saved_list(t, word), __ATOMIC_ACQUIRE), *oldest = NULL;
    for (; item && item->number >= t->number; item = __atomic_load_n(&item->next, __ATOMIC_ACQUIRE)) /* as above */
        if (item->word == word)
            oldest = item;
    return oldest;
}

/* Returns the value of a word in the snapshot, unless a value has been lost. */
static inline int ordo_stm_snapshot_take(struct ordo_stm_thread *t, uint64_t value, uint64_t *result)
{
    /* Acquire pairs with ordo_stm_lose: if a value of this word was lost, the loss precedes the read. */
    if (__atomic_load_n(&t->stm->lost, __ATOMIC_ACQUIRE) >= t->number)
        return ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    *result = value;
    return ORDO_OK;
}

/* Reads a word in a snapshot, if ordo_stm_read found its stripe locked, too new, or changed between the two loads. */
ORDO_CC_SLOW int ordo_stm_snapshot_read(struct ordo_stm_thread *t, const uint64_t *word, uint64_t *value)
{
    uint64_t *stripe = ordo_stm_stripe(t, word), version, read;
    const struct ordo_stm_saved *saved;
    unsigned looks = 0;
    t->last_read = stripe;
    while (!t->code) {
        /* C12 look. Acquire pairs with C4 unlock: if the stripe is unlocked, no commit before the snapshot still has it. */
        version = __atomic_load_n(stripe, __ATOMIC_ACQUIRE);
        /* C12 load. Acquire pairs with C4 store: if the value is newer than the snapshot, the search finds its
         * predecessor. */
        read = __atomic_load_n(word, __ATOMIC_ACQUIRE);
        saved = ordo_stm_snapshot_find(t, word);
        if (saved) {
            ordo_cc_count(&t->statistics.reads_saved, 1);
            return ordo_stm_snapshot_take(t, saved->value, value);
        }
        if (!(version & ORDO_STM_LOCKED))
            return ordo_stm_snapshot_take(t, read, value);
        if (++looks < ORDO_STM_SPINS)
            ordo_clock_pause();
        else
            ordo_stm_wait_turn(t, looks - ORDO_STM_SPINS);
    }
    return t->code;
}

#endif
