/* Sorted list and hash on liburcu: readers hold nothing, writers a lock for each list. Defines the
 * engines rlu_engine_rcu_<name>_list and _hash; the name is that of a flavour (rcu_user.h), or "wide". */
#include <pthread.h>

#include "rlu/plain.h"
#include "rlu/rcu_user.h"

#ifdef RCU_QSBR
#define RCU_WORD "rcu-qsbr"
#define RCU_ENGINE(structure) rlu_engine_rcu_qsbr_##structure
#elif defined RCU_WIDE
#define RCU_WORD "rcu-wide"
#define RCU_ENGINE(structure) rlu_engine_rcu_wide_##structure
#define RCU_NODE_BYTES (sizeof(struct plain_node) + sizeof(void *))
#else
#define RCU_WORD "rcu-memb"
#define RCU_ENGINE(structure) rlu_engine_rcu_memb_##structure
#endif

#ifndef RCU_NODE_BYTES
#define RCU_NODE_BYTES sizeof(struct plain_node)
#endif

/* A spinning lock: it shares a line with what its holder reads and writes, and pinned threads do not lose their CPU. */
struct rcu_list {
    struct plain_node *first;
    pthread_spinlock_t lock;
};

static inline void rcu_list_init(struct rcu_list *list)
{
    list->first = NULL;
    (void)pthread_spin_init(&list->lock, PTHREAD_PROCESS_PRIVATE);
}

static inline void rcu_list_end(struct rcu_list *list)
{
    (void)pthread_spin_destroy(&list->lock);
}

static inline struct plain_node *rcu_list_first(const struct rcu_list *list)
{
    return list->first;
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

/* Under the lock no other thread changes the list, so a found position stays valid. */
static inline int rcu_add(struct rcu_list *list, uint64_t key)
{
    struct plain_node *node, *added = NULL;
    int result = 0;
    (void)pthread_spin_lock(&list->lock);
    struct plain_node **at = rcu_find(list, key, &node);
    if (!node || node->key != key) {
        added = malloc(RCU_NODE_BYTES);
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

#include "rlu/rcu_lists.h"
