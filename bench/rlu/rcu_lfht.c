/* liburcu's hash table, cds_lfht: lock-free and sorted by hash. The number of buckets is the next power of two; the
 * table is not resized. Flavour memb. */
#include <inttypes.h>
#include <stdlib.h>

#include "rlu/multiget.h"
#include "rlu/rcu_user.h"

#include <urcu/rculfhash.h>

struct lfht_node {
    struct cds_lfht_node link;
    uint64_t key;
};

static struct lfht_node *node_of(struct cds_lfht_node *link)
{
    return link ? caa_container_of(link, struct lfht_node, link) : NULL;
}

/* Spreads keys over all bits, because the table chooses buckets by the low bits. */
static unsigned long hash(uint64_t key)
{
    return (unsigned long)(key * UINT64_C(0x9e3779b97f4a7c15) >> 16);
}

static int match(struct cds_lfht_node *link, const void *key)
{
    return node_of(link)->key == *(const uint64_t *)key;
}

static int create_lfht(struct rlu_bench *bench)
{
    unsigned long buckets = 1;
    while (buckets < bench->buckets)
        buckets *= 2;
    bench->set = cds_lfht_new_flavor(buckets, buckets, buckets, 0, &urcu_memb_flavor, NULL);
    return bench->set ? 0 : -1;
}

static struct lfht_node *find_lfht(struct cds_lfht *table, uint64_t key)
{
    struct cds_lfht_iter at;
    cds_lfht_lookup(table, hash(key), match, &key, &at);
    return node_of(cds_lfht_iter_get_node(&at));
}

static int lfht_contains(void *user, uint64_t key)
{
    rcu_read_lock();
    int found = find_lfht(((struct rcu_user *)user)->set, key) != NULL;
    rcu_read_unlock();
    return found;
}

static int lfht_add(void *user, uint64_t key)
{
    struct cds_lfht *table = ((struct rcu_user *)user)->set;
    rcu_read_lock();
    int result = find_lfht(table, key) ? 0 : 1; /* if the key is present, add usually allocates nothing */
    struct lfht_node *node = result ? malloc(sizeof *node) : NULL;
    if (node) {
        cds_lfht_node_init(&node->link);
        node->key = key;
        result = cds_lfht_add_unique(table, hash(key), match, &key, &node->link) == &node->link;
        if (!result)
            free(node);
    } else if (result) {
        result = -1;
    }
    rcu_read_unlock();
    return result;
}

static int lfht_remove(void *user, uint64_t key)
{
    struct cds_lfht *table = ((struct rcu_user *)user)->set;
    rcu_read_lock();
    struct lfht_node *node = find_lfht(table, key);
    int removed = node && cds_lfht_del(table, &node->link) == 0;
    rcu_read_unlock();
    if (removed)
        rcu_user_retire(user, node);
    return removed;
}

/* Looks each key up by itself, so a multi-get may be torn. */
static int lfht_get_many(void *user, const uint64_t *keys, unsigned count)
{
    int found = 0;
    rcu_read_lock();
    for (unsigned i = 0; i < count; i++)
        found += find_lfht(((struct rcu_user *)user)->set, keys[i]) != NULL;
    rcu_read_unlock();
    return found;
}

/* Moves in two steps. Between them the set has neither key; another thread that wants to move the pair then finds
 * nothing to remove, and leaves the pair alone. */
static int lfht_move_one(void *user, uint64_t key, uint64_t other)
{
    if (lfht_remove(user, key))
        return lfht_add(user, other);
    return lfht_remove(user, other) ? lfht_add(user, key) : 0;
}

/* Calls `visit` for every node; `visit` may delete the node. The calling thread must not be a user. */
static int for_each(struct rlu_bench *bench, int (*visit)(struct rlu_bench *, struct lfht_node *, struct ordo_error *),
                    uint64_t *count, struct ordo_error *error)
{
    struct cds_lfht_iter at;
    int code = ORDO_OK;
    rcu_register_thread();
    rcu_read_lock();
    cds_lfht_first(bench->set, &at);
    while (!code && cds_lfht_iter_get_node(&at)) {
        struct lfht_node *node = node_of(cds_lfht_iter_get_node(&at));
        cds_lfht_next(bench->set, &at);
        code = visit(bench, node, error);
        ++*count;
    }
    rcu_read_unlock();
    rcu_unregister_thread();
    return code;
}

/* Checks that the node can be found. The table is not sorted by key, so the order of keys cannot be checked. */
static int check_node(struct rlu_bench *bench, struct lfht_node *node, struct ordo_error *error)
{
    if (node->key < bench->range && find_lfht(bench->set, node->key) == node)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_INVALID, 0, "key %" PRIu64 " is not found, or twice there", node->key);
}

static int audit_lfht(struct rlu_bench *bench, uint64_t *count, struct ordo_error *error)
{
    return for_each(bench, check_node, count, error);
}

static int delete_node(struct rlu_bench *bench, struct lfht_node *node, struct ordo_error *error)
{
    (void)error;
    (void)cds_lfht_del(bench->set, &node->link);
    free(node); /* no other thread runs, so no reader holds the node, and the walk is past it */
    return ORDO_OK;
}

static void destroy_lfht(struct rlu_bench *bench)
{
    uint64_t count = 0;
    (void)for_each(bench, delete_node, &count, NULL);
    (void)cds_lfht_destroy(bench->set, NULL); /* fails only if nodes are left */
}

RLU_WORK(lfht_work, lfht_contains, lfht_add, lfht_remove)
RLU_MULTIGET(lfht_multiget, false, lfht_get_many, lfht_move_one)

const struct rlu_engine rlu_engine_lfht_hash = {.algorithm = "lfht",
                                                .structure = RLU_HASH,
                                                .create = create_lfht,
                                                .destroy = destroy_lfht,
                                                .enter = rcu_user_enter,
                                                .leave = rcu_user_leave,
                                                .add = lfht_add,
                                                .work = lfht_work,
                                                .multiget = &lfht_multiget,
                                                .audit = audit_lfht};
