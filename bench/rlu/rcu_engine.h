/* Sorted list and hash on liburcu: readers take no lock, writers take the lock of a list. Defines the engines
 * rlu_engine_rcu_<name>_list and _hash. <name> is a flavour of liburcu (rcu_user.h), or "wide". */
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

/* A spin lock. It shares a line with the data that its holder accesses. Spinning is cheap, because pinned threads are
 * rarely descheduled. */
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

/* Returns the address of the pointer to the first node whose key is >= `key`, and that node in `*node`. Call it in a
 * section or with the list's lock. */
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
    rcu_quiescent_state(); /* a no-op except with QSBR */
    return found;
}

/* Adds a key. While the lock is held no other thread changes the list, so a position that was found remains valid. */
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
