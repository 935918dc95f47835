/* The hash of our transactional memory: a multi-get is a read-only transaction, and a move is a transaction. */
#include <ordo/cc/stm/hash.h>

#include "rlu/loop.h"
#include "rlu/multiget.h"

struct stm_set {
    struct ordo_stm stm;
    struct ordo_stm_hash hash;
};

struct stm_user {
    struct ordo_stm_thread *thread;
    struct stm_set *set;
    struct ordo_stm_statistics before; /* values at the beginning: an earlier thread may have used the same memory */
};

static int create_stm_hash(struct rlu_bench *bench)
{
    const struct ordo_stm_options options = {.boundary_ticks = bench->boundary_ticks,
                                             .unsafe_boundary = 1, /* for --boundary 0 only */
                                             .watch = bench->watch};
    struct stm_set *set = rlu_allocate_lines(sizeof *set);
    if (!set || ordo_stm_create(&set->stm, &options)) {
        free(set);
        return -1;
    }
    if (ordo_stm_hash_init(&set->stm, &set->hash, (uint32_t)bench->buckets)) {
        ordo_stm_destroy(&set->stm);
        free(set);
        return -1;
    }
    bench->set = set;
    return 0;
}

static void destroy_stm_hash(struct rlu_bench *bench)
{
    struct stm_set *set = bench->set;
    ordo_stm_hash_destroy(&set->stm, &set->hash);
    ordo_stm_destroy(&set->stm);
    free(set);
}

static void *enter_stm_hash(struct rlu_bench *bench)
{
    struct stm_user *user = rlu_allocate_lines(sizeof *user);
    if (!user)
        return NULL;
    user->set = bench->set;
    if (ordo_stm_thread_init(&user->set->stm, &user->thread)) {
        free(user);
        return NULL;
    }
    user->before = user->thread->statistics;
    return user;
}

static uint64_t aborts_of(const struct ordo_stm_statistics *statistics)
{
    return statistics->aborts_locked + statistics->aborts_changed + statistics->aborts_newer +
           statistics->aborts_uncertain;
}

static void leave_stm_hash(void *argument, uint64_t counters[BENCH_COUNTERS])
{
    struct stm_user *user = argument;
    const struct ordo_stm_statistics *now = &user->thread->statistics, *before = &user->before;
    counters[RLU_COMMITS] += now->updates - before->updates;
    counters[RLU_ABORTS] += aborts_of(now) - aborts_of(before);
    counters[RLU_CLOCK_READS] += now->clock_reads - before->clock_reads;
    counters[RLU_YIELDS] += now->yields - before->yields;
    counters[RLU_SLEEPS] += now->sleeps - before->sleeps;
    ordo_stm_thread_finish(user->thread);
    free(user);
}

static int audit_stm_hash(struct rlu_bench *bench, uint64_t *count, struct ordo_error *error)
{
    int64_t audited = ordo_stm_hash_audit(&((struct stm_set *)bench->set)->hash);
    if (audited < 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "the hash is out of order");
    *count = (uint64_t)audited;
    return ORDO_OK;
}

#define OPERATION(name)                                                                                                \
    static int stm_##name(void *argument, uint64_t key)                                                                \
    {                                                                                                                  \
        struct stm_user *user = argument;                                                                              \
        return ordo_stm_hash_##name(user->thread, &user->set->hash, key);                                              \
    }

OPERATION(contains)
OPERATION(add)
OPERATION(remove)
RLU_WORK(stm_work, stm_contains, stm_add, stm_remove)

static inline int stm_get_in(struct stm_user *user, const uint64_t *keys, unsigned count)
{
    struct ordo_stm_hash *hash = &user->set->hash;
    int found = 0;
    for (unsigned i = 0; i < count; i++) {
        int there = ordo_stm_list_contains_in(user->thread, ordo_stm_hash_list(hash, keys[i]), keys[i]);
        if (there < 0)
            return there;
        found += there;
    }
    return found;
}

static int stm_get_many(void *argument, const uint64_t *keys, unsigned count)
{
    struct stm_user *user = argument;
    int found;
    ORDO_STM_ATOMICALLY(user->thread, ORDO_STM_READ_ONLY, found, stm_get_in(user, keys, count));
    return found;
}

static inline int stm_move_in(struct stm_user *user, uint64_t key, uint64_t other)
{
    struct ordo_stm_hash *hash = &user->set->hash;
    uint64_t to = other;
    int removed = ordo_stm_list_remove_in(user->thread, ordo_stm_hash_list(hash, key), key);
    if (removed == 0) {
        to = key;
        removed = ordo_stm_list_remove_in(user->thread, ordo_stm_hash_list(hash, other), other);
    }
    return removed == 1 ? ordo_stm_list_add_in(user->thread, ordo_stm_hash_list(hash, to), to) : removed;
}

static int stm_move(void *argument, uint64_t key, uint64_t other)
{
    struct stm_user *user = argument;
    int moved;
    ORDO_STM_ATOMICALLY(user->thread, 0, moved, stm_move_in(user, key, other));
    return moved;
}

RLU_MULTIGET(stm_multiget, true, stm_get_many, stm_move)

const struct rlu_engine ORDO_STAMPED(rlu_engine_stm, _hash) = {.algorithm = "stm",
                                                               .stamp = ORDO_STAMP_NAME,
                                                               .structure = RLU_HASH,
                                                               .create = create_stm_hash,
                                                               .destroy = destroy_stm_hash,
                                                               .enter = enter_stm_hash,
                                                               .leave = leave_stm_hash,
                                                               .add = stm_add,
                                                               .work = stm_work,
                                                               .multiget = &stm_multiget,
                                                               .audit = audit_stm_hash};
