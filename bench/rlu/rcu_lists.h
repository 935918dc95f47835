/* Engines for one sorted list, or a hash of sorted lists, on liburcu. A file includes this header after rlu/plain.h and
 * rlu/rcu_user.h, and defines first:
 *
 *   struct rcu_list                      a list
 *   rcu_list_init, rcu_list_end          make a list empty; end it
 *   rcu_list_first                       returns its first node
 *   rcu_contains, rcu_add, rcu_remove    the operations of an engine (engine.h); rcu_remove also gets the user
 *   RCU_WORD, RCU_ENGINE(structure)      the word of the algorithm, and the name of the engine */
#ifndef RCU_ENGINE
#error "include <rlu/rcu_engine.h>"
#endif

struct rcu_set {
    uint64_t buckets;
    struct rcu_list lists[]; /* [buckets] */
};

static int create_lists(struct rlu_bench *bench)
{
    uint64_t buckets = bench->engine->structure == RLU_HASH ? bench->buckets : 1;
    struct rcu_set *set = rlu_allocate_lines(sizeof *set + buckets * sizeof set->lists[0]);
    if (!set)
        return -1;
    set->buckets = buckets;
    for (uint64_t i = 0; i < buckets; i++)
        rcu_list_init(&set->lists[i]);
    bench->set = set;
    return 0;
}

static void destroy_lists(struct rlu_bench *bench)
{
    struct rcu_set *set = bench->set;
    for (uint64_t i = 0; i < set->buckets; i++) {
        plain_list_free(rcu_list_first(&set->lists[i]));
        rcu_list_end(&set->lists[i]);
    }
    free(set);
}

static int audit_lists(struct rlu_bench *bench, uint64_t *count, struct ordo_error *error)
{
    const struct rcu_set *set = bench->set;
    int code = ORDO_OK;
    for (uint64_t i = 0; i < set->buckets && !code; i++)
        code = plain_list_audit(rcu_list_first(&set->lists[i]), bench->range, set->buckets, i, count, error);
    return code;
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
                                                .create = create_lists,                                                \
                                                .destroy = destroy_lists,                                              \
                                                .enter = rcu_user_enter,                                               \
                                                .leave = rcu_user_leave,                                               \
                                                .add = name##_add,                                                     \
                                                .work = name##_work,                                                   \
                                                .audit = audit_lists};

ENGINE(list, RLU_LIST, 0)
ENGINE(hash, RLU_HASH, plain_bucket(key, set->buckets))
