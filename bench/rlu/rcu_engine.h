/* Sorted list and hash on liburcu: readers hold nothing, writers a lock for each list. Included once for each flavour
 * (rcu_user.h); defines the engines rlu_engine_rcu_<flavour>_list and _hash. */
#include <pthread.h>

#include "rlu/plain.h"
#include "rlu/rcu_user.h"

#ifdef RCU_QSBR
#define RCU_WORD "rcu-qsbr"
#define RCU_ENGINE(structure) rlu_engine_rcu_qsbr_##structure
#else
#define RCU_WORD "rcu-memb"
#define RCU_ENGINE(structure) rlu_engine_rcu_memb_##structure
#endif

/* A spinning lock: it shares a line with what its holder reads and writes, and pinned threads do not lose their CPU. */
struct rcu_list {
    struct plain_node *first;
    pthread_spinlock_t lock;
};

struct rcu_set {
    uint64_t buckets;
    struct rcu_list lists[]; /* [buckets] */
};

static int create(struct rlu_bench *bench)
{
    uint64_t buckets = bench->engine->structure == RLU_HASH ? bench->buckets : 1;
    struct rcu_set *set = rlu_allocate_lines(sizeof *set + buckets * sizeof set->lists[0]);
    if (!set)
        return -1;
    set->buckets = buckets;
    for (uint64_t i = 0; i < buckets; i++) {
        set->lists[i].first = NULL;
        (void)pthread_spin_init(&set->lists[i].lock, PTHREAD_PROCESS_PRIVATE);
    }
    bench->set = set;
    return 0;
}

static void destroy(struct rlu_bench *bench)
{
    struct rcu_set *set = bench->set;
    for (uint64_t i = 0; i < set->buckets; i++) {
        plain_list_free(set->lists[i].first);
        (void)pthread_spin_destroy(&set->lists[i].lock);
    }
    free(set);
}

static int audit(struct rlu_bench *bench, uint64_t *count, struct ordo_error *error)
{
    const struct rcu_set *set = bench->set;
    int code = ORDO_OK;
    for (uint64_t i = 0; i < set->buckets && !code; i++)
        code = plain_list_audit(set->lists[i].first, bench->range, set->buckets, i, count, error);
    return code;
}

/* In a section, or with the list's lock: the place that points to the first node whose key is not below `key`, and that
 * node. */
static inline struct plain_node **rcu_find(struct rcu_list *list, uint64_t key, struct plain_node **node)
{
    struct plain_node **at = &list->first;
    for (*node = rcu_dereference(*at); *node && (*node)->key < key; *node = rcu_dereference(*at))
        at = &(*node)->next;
    return at;
}

static inline int rcu_contains(struct rcu_list *list, uint64_t key)
{
    struct plain_node *node;
    rcu_read_lock();
    (void)rcu_find(list, key, &node);
    int found = node && node->key == key;
    rcu_read_unlock();
    rcu_quiescent_state(); /* nothing, but for QSBR */
    return found;
}

/* The lock keeps everybody from changing the list: what is found stays. */
static inline int rcu_add(struct rcu_list *list, uint64_t key)
{
    struct plain_node *node, *added = NULL;
    int result = 0;
    (void)pthread_spin_lock(&list->lock);
    struct plain_node **at = rcu_find(list, key, &node);
    if (!node || node->key != key) {
        added = malloc(sizeof *added);
        result = added ? 1 : -1;
    }
    if (added) {
        *added = (struct plain_node){key, node};
        rcu_assign_pointer(*at, added);
    }
    (void)pthread_spin_unlock(&list->lock);
    rcu_quiescent_state();
    return result;
}

static inline int rcu_remove(struct rcu_user *user, struct rcu_list *list, uint64_t key)
{
    struct plain_node *node;
    (void)pthread_spin_lock(&list->lock);
    struct plain_node **at = rcu_find(list, key, &node);
    int found = node && node->key == key;
    if (found)
        rcu_assign_pointer(*at, node->next);
    (void)pthread_spin_unlock(&list->lock);
    if (found)
        rcu_user_retire(user, node);
    rcu_quiescent_state();
    return found;
}

#define ENGINE(name, kind, bucket)                                                                                     \
    static int name##_contains(void *user, uint64_t key)                                                               \
    {                                                                                                                  \
        struct rcu_set *set = ((struct rcu_user *)user)->set;                                                          \
        return rcu_contains(&set->lists[bucket], key);                                                                 \
    }                                                                                                                  \
    static int name##_add(void *user, uint64_t key)                                                                    \
    {                                                                                                                  \
        struct rcu_set *set = ((struct rcu_user *)user)->set;                                                          \
        return rcu_add(&set->lists[bucket], key);                                                                      \
    }                                                                                                                  \
    static int name##_remove(void *user, uint64_t key)                                                                 \
    {                                                                                                                  \
        struct rcu_set *set = ((struct rcu_user *)user)->set;                                                          \
        return rcu_remove(user, &set->lists[bucket], key);                                                             \
    }                                                                                                                  \
    RLU_WORK(name##_work, name##_contains, name##_add, name##_remove)                                                  \
    const struct rlu_engine RCU_ENGINE(name) = {.algorithm = RCU_WORD,                                                 \
                                                .structure = kind,                                                     \
                                                .create = create,                                                      \
                                                .destroy = destroy,                                                    \
                                                .enter = rcu_user_enter,                                               \
                                                .leave = rcu_user_leave,                                               \
                                                .add = name##_add,                                                     \
                                                .work = name##_work,                                                   \
                                                .audit = audit};

ENGINE(list, RLU_LIST, 0)
ENGINE(hash, RLU_HASH, plain_bucket(key, set->buckets))
