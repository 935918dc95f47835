/* Sorted list and hash on liburcu as a lazy list (Heller et al., OPODIS 2005). Like RLU's writers, writers lock only
 * the nodes that they change. The lock of a node takes as much memory as the header of an object of RLU. Nodes are not
 * copied and have no timestamps, and readers ignore locks; a section may therefore see different nodes in different
 * states. */
#include "rlu/plain.h"
#include "rlu/rcu_user.h"

#define RCU_WORD "rcu-lazy"
#define RCU_ENGINE(structure) rlu_engine_rcu_lazy_##structure

struct lazy_node {
    struct plain_node plain;
    uint64_t locked; /* remains 1 in a removed node: a writer cannot lock it and searches again */
};

struct rcu_list {
    struct lazy_node head; /* its key is not used */
};

static inline void rcu_list_init(struct rcu_list *list)
{
    list->head = (struct lazy_node){.locked = 0};
}

static inline void rcu_list_end(struct rcu_list *list)
{
    (void)list;
}

static inline struct plain_node *rcu_list_first(const struct rcu_list *list)
{
    return list->head.plain.next;
}

/* Returns the last node whose key is < `key`, and its successor in `*node`. Call it in a section. */
static inline struct plain_node *lazy_find(struct rcu_list *list, uint64_t key, struct plain_node **node)
{
    struct plain_node *before = &list->head.plain;
    while ((*node = rcu_dereference(before->next)) != NULL && (*node)->key < key)
        before = *node;
    return before;
}

static inline bool lazy_try_lock(struct plain_node *node)
{
    uint64_t no = 0;
    /* Acquire pairs with lazy_unlock: the thread sees the node as the last holder left it. */
    return __atomic_compare_exchange_n(&((struct lazy_node *)node)->locked, &no, 1, 0, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

static inline void lazy_unlock(struct plain_node *node)
{
    __atomic_store_n(&((struct lazy_node *)node)->locked, 0, __ATOMIC_RELEASE);
}

/* Locks `before` if `node` still follows it. A node that could be locked is in the list. */
static inline bool lazy_lock_before(struct plain_node *before, const struct plain_node *node)
{
    if (!lazy_try_lock(before))
        return false;
    if (before->next == node)
        return true;
    lazy_unlock(before);
    return false;
}

static inline int rcu_contains(struct rcu_list *list, uint64_t key)
{
    struct plain_node *node;
    rcu_read_lock();
    (void)lazy_find(list, key, &node);
    int found = node && node->key == key;
    rcu_read_unlock();
    return found;
}

/* A further result of an operation: another thread was faster, try again. */
enum { LAZY_AGAIN = 2 };

static inline int lazy_try_add(struct rcu_list *list, uint64_t key)
{
    struct plain_node *node, *before = lazy_find(list, key, &node);
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

static inline int lazy_try_remove(struct rcu_list *list, uint64_t key, struct plain_node **removed)
{
    struct plain_node *before = lazy_find(list, key, removed), *node = *removed;
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

static inline int rcu_add(struct rcu_list *list, uint64_t key)
{
    int result;
    do {
        rcu_read_lock();
        result = lazy_try_add(list, key);
        rcu_read_unlock();
    } while (result == LAZY_AGAIN);
    return result;
}

static inline int rcu_remove(struct rcu_user *user, struct rcu_list *list, uint64_t key)
{
    struct plain_node *removed;
    int result;
    do {
        rcu_read_lock();
        result = lazy_try_remove(list, key, &removed);
        rcu_read_unlock();
    } while (result == LAZY_AGAIN);
    if (result == 1)
        rcu_user_retire(user, removed);
    return result;
}

#include "rlu/rcu_lists.h"
