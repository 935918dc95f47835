/* Baselines with one lock around the whole structure: a mutex or a reader-writer lock. */
#include <pthread.h>

#include "rlu/loop.h"
#include "rlu/multiget.h"
#include "rlu/plain.h"

struct locked_set {
    _Alignas(BENCH_LINE) pthread_mutex_t mutex;
    _Alignas(BENCH_LINE) pthread_rwlock_t rwlock;
    _Alignas(BENCH_LINE) uint64_t buckets; /* from here on only read, except the nodes of the lists */
    struct plain_tree tree;
    struct plain_list lists[]; /* [buckets] */
};

static int create_locked(struct rlu_bench *bench)
{
    uint64_t buckets = bench->engine->structure == RLU_HASH ? bench->buckets : 1;
    struct locked_set *set = rlu_allocate_lines(sizeof *set + buckets * sizeof set->lists[0]);
    if (!set)
        return -1;
    set->buckets = buckets;
    set->tree.root = NULL;
    for (uint64_t i = 0; i < buckets; i++)
        set->lists[i].first = NULL;
    (void)pthread_mutex_init(&set->mutex, NULL); /* on Linux neither fails with default attributes */
    (void)pthread_rwlock_init(&set->rwlock, NULL);
    bench->set = set;
    return 0;
}

static void destroy_locked(struct rlu_bench *bench)
{
    struct locked_set *set = bench->set;
    for (uint64_t i = 0; i < set->buckets; i++)
        plain_list_free(set->lists[i].first);
    plain_tree_free(&set->tree);
    (void)pthread_mutex_destroy(&set->mutex);
    (void)pthread_rwlock_destroy(&set->rwlock);
    free(set);
}

/* Returns the set: a thread needs no data of its own. */
static void *enter_locked(struct rlu_bench *bench)
{
    return bench->set;
}

static void leave_locked(void *user, uint64_t counters[BENCH_COUNTERS])
{
    (void)user;
    (void)counters;
}

static int audit_locked(struct rlu_bench *bench, uint64_t *count, struct ordo_error *error)
{
    const struct locked_set *set = bench->set;
    int code = plain_tree_audit(&set->tree, bench->range, count, error);
    for (uint64_t i = 0; i < set->buckets && !code; i++)
        code = plain_list_audit(set->lists[i].first, bench->range, set->buckets, i, count, error);
    return code;
}

static inline struct plain_list *only_list(struct locked_set *set, uint64_t key)
{
    (void)key;
    return set->lists;
}

static inline struct plain_list *bucket(struct locked_set *set, uint64_t key)
{
    return &set->lists[plain_bucket(key, set->buckets)];
}

static inline struct plain_tree *only_tree(struct locked_set *set, uint64_t key)
{
    (void)key;
    return &set->tree;
}

/* Defines an operation that holds the lock. */
#define LOCKED(name, lock, unlock, operation, part)                                                                    \
    static int name(void *user, uint64_t key)                                                                          \
    {                                                                                                                  \
        struct locked_set *set = user;                                                                                 \
        lock;                                                                                                          \
        int result = operation(part(set, key), key);                                                                   \
        unlock;                                                                                                        \
        return result;                                                                                                 \
    }

#define ENGINE(name, word, kind, plain, part, read, write, unlock, many)                                               \
    LOCKED(name##_contains, read, unlock, plain##_contains, part)                                                      \
    LOCKED(name##_add, write, unlock, plain##_add, part)                                                               \
    LOCKED(name##_remove, write, unlock, plain##_remove, part)                                                         \
    RLU_WORK(name##_work, name##_contains, name##_add, name##_remove)                                                  \
    const struct rlu_engine rlu_engine_##name = {.algorithm = word,                                                    \
                                                 .structure = kind,                                                    \
                                                 .create = create_locked,                                              \
                                                 .destroy = destroy_locked,                                            \
                                                 .enter = enter_locked,                                                \
                                                 .leave = leave_locked,                                                \
                                                 .add = name##_add,                                                    \
                                                 .work = name##_work,                                                  \
                                                 .multiget = many,                                                     \
                                                 .audit = audit_locked};

/* Defines the multi-gets and moves of a hash: each holds the lock. */
#define MULTIGET(name, read, write, unlock)                                                                            \
    static int name##_get_many(void *user, const uint64_t *keys, unsigned count)                                       \
    {                                                                                                                  \
        struct locked_set *set = user;                                                                                 \
        int found = 0;                                                                                                 \
        read;                                                                                                          \
        for (unsigned i = 0; i < count; i++)                                                                           \
            found += plain_list_contains(bucket(set, keys[i]), keys[i]);                                               \
        unlock;                                                                                                        \
        return found;                                                                                                  \
    }                                                                                                                  \
    static int name##_move_one(void *user, uint64_t key, uint64_t other)                                               \
    {                                                                                                                  \
        struct locked_set *set = user;                                                                                 \
        write;                                                                                                         \
        int moved = plain_list_move(bucket(set, key), key, bucket(set, other), other);                                 \
        unlock;                                                                                                        \
        return moved;                                                                                                  \
    }                                                                                                                  \
    RLU_MULTIGET(name##_multiget, true, name##_get_many, name##_move_one)

#define STRUCTURES(name, word, read, write, unlock)                                                                    \
    MULTIGET(name, read, write, unlock)                                                                                \
    ENGINE(name##_list, word, RLU_LIST, plain_list, only_list, read, write, unlock, NULL)                              \
    ENGINE(name##_hash, word, RLU_HASH, plain_list, bucket, read, write, unlock, &name##_multiget)                     \
    ENGINE(name##_tree, word, RLU_TREE, plain_tree, only_tree, read, write, unlock, NULL)

STRUCTURES(mutex, "mutex", pthread_mutex_lock(&set->mutex), pthread_mutex_lock(&set->mutex),
           pthread_mutex_unlock(&set->mutex))
STRUCTURES(rwlock, "rwlock", pthread_rwlock_rdlock(&set->rwlock), pthread_rwlock_wrlock(&set->rwlock),
           pthread_rwlock_unlock(&set->rwlock))
