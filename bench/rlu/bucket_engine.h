/* A hash with a lock for each bucket, on the line of the pointer to the bucket's first node. An operation on several
 * keys locks all their buckets in ascending order, each once, and keeps the locks until it ends (conservative two-phase
 * locking): it is atomic, and cannot deadlock. Include this file with:
 *
 *   BUCKET_WORD, BUCKET_ENGINE     the word of the algorithm, and the name of the engine
 *   BUCKET_SHARED                  defined: readers share a lock; otherwise they exclude each other */
#ifndef BUCKET_WORD
#error "include <rlu/bucket_lock.c> or bucket_rwlock.c, which define the engine"
#endif
#include <sched.h>

#include "rlu/ascending.h"
#include "rlu/loop.h"
#include "rlu/multiget.h"
#include "rlu/plain.h"

#define BUCKET_WRITER 1U           /* bit of a writer */
#define BUCKET_READER 2U           /* one reader */
#define BUCKET_SPINS_PER_YIELD 256 /* a lock may be held as long as a multi-get, or by a thread without a CPU */
#define BUCKET_FEW 16              /* most keys that insertion sorts faster than the bitmap */

struct bucket {
    struct plain_list list;
    atomic_uint lock; /* BUCKET_WRITER, plus BUCKET_READER for each reader */
};

struct bucket_set {
    uint64_t count;
    struct bucket buckets[]; /* [count] */
};

struct bucket_user {
    struct bucket_set *set;
    struct ascending ascending;
    uint32_t locked[RLU_MULTIGET_MOST]; /* the buckets that the thread has locked, in ascending order */
};

static inline void wait_for_bucket(unsigned *spins)
{
    if (++*spins % BUCKET_SPINS_PER_YIELD == 0)
        (void)sched_yield();
}

static inline void lock_bucket(struct bucket *bucket)
{
    unsigned spins = 0, expected = 0;
    /* Acquire pairs with unlock_bucket and unlock_bucket_shared: the holder sees the list as the last holder left it,
     * and changes it after the last reader's reads. */
    while (!atomic_compare_exchange_weak_explicit(&bucket->lock, &expected, BUCKET_WRITER, memory_order_acquire,
                                                  memory_order_relaxed)) {
        while (atomic_load_explicit(&bucket->lock, memory_order_relaxed) != 0)
            wait_for_bucket(&spins);
        expected = 0;
    }
}

static inline void unlock_bucket(struct bucket *bucket)
{
    /* Subtracts, because readers may have announced themselves. Release pairs with lock_bucket and lock_bucket_shared:
     * the next holder sees the changed list. */
    (void)atomic_fetch_sub_explicit(&bucket->lock, BUCKET_WRITER, memory_order_release);
}

#ifdef BUCKET_SHARED
static inline void lock_bucket_shared(struct bucket *bucket)
{
    unsigned spins = 0;
    /* Acquire, here and in the loop, pairs with unlock_bucket: the reader sees the changed list. */
    unsigned before = atomic_fetch_add_explicit(&bucket->lock, BUCKET_READER, memory_order_acquire);
    while (before & BUCKET_WRITER) {
        wait_for_bucket(&spins);
        before = atomic_load_explicit(&bucket->lock, memory_order_acquire);
    }
}

static inline void unlock_bucket_shared(struct bucket *bucket)
{
    /* Release pairs with lock_bucket: the reads are before the next writer's changes. */
    (void)atomic_fetch_sub_explicit(&bucket->lock, BUCKET_READER, memory_order_release);
}
#else
#define lock_bucket_shared lock_bucket
#define unlock_bucket_shared unlock_bucket
#endif

static int create_buckets(struct rlu_bench *bench)
{
    struct bucket_set *set = rlu_allocate_lines(sizeof *set + bench->buckets * sizeof set->buckets[0]);
    if (!set)
        return -1;
    set->count = bench->buckets;
    for (uint64_t i = 0; i < set->count; i++) {
        set->buckets[i].list.first = NULL;
        atomic_init(&set->buckets[i].lock, 0);
    }
    bench->set = set;
    return 0;
}

static void destroy_buckets(struct rlu_bench *bench)
{
    struct bucket_set *set = bench->set;
    for (uint64_t i = 0; i < set->count; i++)
        plain_list_free(set->buckets[i].list.first);
    free(set);
}

static void leave_buckets(void *argument, uint64_t counters[BENCH_COUNTERS])
{
    struct bucket_user *user = argument;
    (void)counters;
    ascending_free(&user->ascending);
    free(user);
}

static void *enter_buckets(struct rlu_bench *bench)
{
    uint64_t counters[BENCH_COUNTERS];
    struct bucket_user *user = rlu_allocate_lines(sizeof *user);
    if (!user)
        return NULL;
    user->set = bench->set;
    if (ascending_init(&user->ascending, bench->buckets)) {
        leave_buckets(user, counters);
        return NULL;
    }
    return user;
}

static int audit_buckets(struct rlu_bench *bench, uint64_t *count, struct ordo_error *error)
{
    const struct bucket_set *set = bench->set;
    int code = ORDO_OK;
    for (uint64_t i = 0; i < set->count && !code; i++) {
        if (atomic_load(&set->buckets[i].lock) != 0)
            return ordo_error_set(error, ORDO_E_INVALID, 0, "a bucket is still locked");
        code = plain_list_audit(set->buckets[i].list.first, bench->range, set->count, i, count, error);
    }
    return code;
}

static inline struct bucket *bucket_of(const struct bucket_user *user, uint64_t key)
{
    return &user->set->buckets[plain_bucket(key, user->set->count)];
}

#define OPERATION(name, lock, unlock)                                                                                  \
    static int bucket_##name(void *user, uint64_t key)                                                                 \
    {                                                                                                                  \
        struct bucket *bucket = bucket_of(user, key);                                                                  \
        lock(bucket);                                                                                                  \
        int result = plain_list_##name(&bucket->list, key);                                                            \
        unlock(bucket);                                                                                                \
        return result;                                                                                                 \
    }

OPERATION(contains, lock_bucket_shared, unlock_bucket_shared)
OPERATION(add, lock_bucket, unlock_bucket)
OPERATION(remove, lock_bucket, unlock_bucket)
RLU_WORK(bucket_work, bucket_contains, bucket_add, bucket_remove)

/* Inserts a number into a sorted array without duplicates. Returns the new count. */
static inline unsigned insert_sorted(uint32_t *numbers, unsigned count, uint32_t number)
{
    unsigned at = count;
    while (at > 0 && numbers[at - 1] > number)
        at--;
    if (at > 0 && numbers[at - 1] == number)
        return count;
    for (unsigned i = count; i > at; i--)
        numbers[i] = numbers[i - 1];
    numbers[at] = number;
    return count + 1;
}

/* Sets user->locked to the buckets of some keys, in ascending order. Returns the number of buckets. */
static inline unsigned order_buckets(struct bucket_user *user, const uint64_t *keys, unsigned count)
{
    unsigned few = 0;
    if (count > BUCKET_FEW) {
        for (unsigned i = 0; i < count; i++)
            ascending_mark(&user->ascending, plain_bucket(keys[i], user->set->count));
        return ascending_take(&user->ascending, user->locked);
    }
    for (unsigned i = 0; i < count; i++)
        few = insert_sorted(user->locked, few, (uint32_t)plain_bucket(keys[i], user->set->count));
    return few;
}

static int bucket_get_many(void *argument, const uint64_t *keys, unsigned count)
{
    struct bucket_user *user = argument;
    struct bucket *buckets = user->set->buckets;
    unsigned locked = order_buckets(user, keys, count);
    int found = 0;
    for (unsigned i = 0; i < locked; i++)
        lock_bucket_shared(&buckets[user->locked[i]]);
    for (unsigned i = 0; i < count; i++)
        found += plain_list_contains(&bucket_of(user, keys[i])->list, keys[i]);
    for (unsigned i = 0; i < locked; i++)
        unlock_bucket_shared(&buckets[user->locked[i]]);
    return found;
}

static int bucket_move(void *user, uint64_t key, uint64_t other)
{
    struct bucket *of_key = bucket_of(user, key), *of_other = bucket_of(user, other);
    struct bucket *first = of_key < of_other ? of_key : of_other, *second = of_key < of_other ? of_other : of_key;
    lock_bucket(first);
    if (second != first)
        lock_bucket(second);
    int moved = plain_list_move(&of_key->list, key, &of_other->list, other);
    if (second != first)
        unlock_bucket(second);
    unlock_bucket(first);
    return moved;
}

RLU_MULTIGET(bucket_multiget, true, bucket_get_many, bucket_move)

const struct rlu_engine BUCKET_ENGINE = {.algorithm = BUCKET_WORD,
                                         .structure = RLU_HASH,
                                         .create = create_buckets,
                                         .destroy = destroy_buckets,
                                         .enter = enter_buckets,
                                         .leave = leave_buckets,
                                         .add = bucket_add,
                                         .work = bucket_work,
                                         .multiget = &bucket_multiget,
                                         .audit = audit_buckets};
