/* Sorted list and hash on liburcu whose writers lock the nodes that they change, as those of RLU do, and nothing else: a lazy
 * list (Heller et al., OPODIS 2005). A node is as large as an object of RLU. Nothing is copied, nothing has a time, and a
 * reader takes no notice of locks: what RLU and MV-RLU are slower than this is for one state of several nodes at once. */
#include "rlu/plain.h"
#include "rlu/rcu_user.h"

struct lazy_node {
    struct plain_node plain;
    uint64_t locked; /* stays 1 in a node that was removed: it is found locked, and so not in the list */
};

struct lazy_set {
    uint64_t buckets;
    struct lazy_node heads[]; /* [buckets]; their keys mean nothing */
};

static int create(struct rlu_bench *bench)
{
    uint64_t buckets = bench->engine->structure == RLU_HASH ? bench->buckets : 1;
    struct lazy_set *set = rlu_allocate_lines(sizeof *set + buckets * sizeof set->heads[0]);
    if (!set)
        return -1;
    set->buckets = buckets;
    for (uint64_t i = 0; i < buckets; i++)
        set->heads[i] = (struct lazy_node){.locked = 0};
    bench->set = set;
    return 0;
}

static void destroy(struct rlu_bench *bench)
{
    struct lazy_set *set = bench->set;
    for (uint64_t i = 0; i < set->buckets; i++)
        plain_list_free(set->heads[i].plain.next);
    free(set);
}

static int audit(struct rlu_bench *bench, uint64_t *count, struct ordo_error *error)
{
    const struct lazy_set *set = bench->set;
    int code = ORDO_OK;
    for (uint64_t i = 0; i < set->buckets && !code; i++)
        code = plain_list_audit(set->heads[i].plain.next, bench->range, set->buckets, i, count, error);
    return code;
}

/* In a section: the last node before `key`, and the one behind it. */
static inline struct plain_node *lazy_find(struct lazy_node *head, uint64_t key, struct plain_node **node)
{
    struct plain_node *before = &head->plain;
    while ((*node = rcu_dereference(before->next)) != NULL && (*node)->key < key)
        before = *node;
    return before;
}

static inline bool lazy_try_lock(struct plain_node *node)
{
    uint64_t no = 0;
    /* Acquire pairs with lazy_unlock: the node is as the last holder left it. */
    return __atomic_compare_exchange_n(&((struct lazy_node *)node)->locked, &no, 1, 0, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

static inline void lazy_unlock(struct plain_node *node)
{
    __atomic_store_n(&((struct lazy_node *)node)->locked, 0, __ATOMIC_RELEASE);
}

/* Locks `before`, which is in the list then, if `node` still follows it. */
static inline bool lazy_lock_before(struct plain_node *before, const struct plain_node *node)
{
    if (!lazy_try_lock(before))
        return false;
    if (before->next == node)
        return true;
    lazy_unlock(before);
    return false;
}

static inline int lazy_contains(struct lazy_node *head, uint64_t key)
{
    struct plain_node *node;
    rcu_read_lock();
    (void)lazy_find(head, key, &node);
    int found = node && node->key == key;
    rcu_read_unlock();
    return found;
}

/* Beside the results of engine.h: somebody else was faster. */
enum { LAZY_AGAIN = 2 };

static inline int lazy_try_add(struct lazy_node *head, uint64_t key)
{
    struct plain_node *node, *before = lazy_find(head, key, &node);
    if (node && node->key == key)
        return 0;
    if (!lazy_lock_before(before, node))
        return LAZY_AGAIN;
    struct lazy_node *added = malloc(sizeof *added);
    if (added) {
        *added = (struct lazy_node){.plain = {key, node}};
        rcu_assign_pointer(before->next, &added->plain);
    }
    lazy_unlock(before);
    return added ? 1 : -1;
}

static inline int lazy_try_remove(struct lazy_node *head, uint64_t key, struct plain_node **removed)
{
    struct plain_node *before = lazy_find(head, key, removed), *node = *removed;
    if (!node || node->key != key)
        return 0;
    if (!lazy_lock_before(before, node))
        return LAZY_AGAIN;
    bool locked = lazy_try_lock(node);
    if (locked)
        rcu_assign_pointer(before->next, node->next);
    lazy_unlock(before);
    return locked ? 1 : LAZY_AGAIN;
}

static inline int lazy_add(struct lazy_node *head, uint64_t key)
{
    int result;
    do {
        rcu_read_lock();
        result = lazy_try_add(head, key);
        rcu_read_unlock();
    } while (result == LAZY_AGAIN);
    return result;
}

static inline int lazy_remove(struct rcu_user *user, struct lazy_node *head, uint64_t key)
{
    struct plain_node *removed;
    int result;
    do {
        rcu_read_lock();
        result = lazy_try_remove(head, key, &removed);
        rcu_read_unlock();
    } while (result == LAZY_AGAIN);
    if (result == 1)
        rcu_user_retire(user, removed);
    return result;
}

#define ENGINE(name, kind, bucket)                                                                                     \
    static int name##_contains(void *user, uint64_t key)                                                               \
    {                                                                                                                  \
        struct lazy_set *set = ((struct rcu_user *)user)->set;                                                         \
        return lazy_contains(&set->heads[bucket], key);                                                                \
    }                                                                                                                  \
    static int name##_add(void *user, uint64_t key)                                                                    \
    {                                                                                                                  \
        struct lazy_set *set = ((struct rcu_user *)user)->set;                                                         \
        return lazy_add(&set->heads[bucket], key);                                                                     \
    }                                                                                                                  \
    static int name##_remove(void *user, uint64_t key)                                                                 \
    {                                                                                                                  \
        struct lazy_set *set = ((struct rcu_user *)user)->set;                                                         \
        return lazy_remove(user, &set->heads[bucket], key);                                                            \
    }                                                                                                                  \
    RLU_WORK(name##_work, name##_contains, name##_add, name##_remove)                                                  \
    const struct rlu_engine rlu_engine_rcu_lazy_##name = {.algorithm = "rcu-lazy",                                     \
                                                          .structure = kind,                                           \
                                                          .create = create,                                            \
                                                          .destroy = destroy,                                          \
                                                          .enter = rcu_user_enter,                                     \
                                                          .leave = rcu_user_leave,                                     \
                                                          .add = name##_add,                                           \
                                                          .work = name##_work,                                         \
                                                          .audit = audit};

ENGINE(list, RLU_LIST, 0)
ENGINE(hash, RLU_HASH, plain_bucket(key, set->buckets))
