/* The engines of our RLU, or of our MV-RLU if RLU_MULTI is defined, with one stamp. Include this file once for each
 * stamp. It defines RLU_ENGINE(list), RLU_ENGINE(hash) and RLU_ENGINE(tree). Reports call the stamp RLU_STAMP if that
 * is defined, otherwise by its own name. */
#ifndef RLU_ENGINE
#define RLU_ENGINE(structure) rlu_engine_##structure
#endif
#ifndef RLU_STAMP
#define RLU_STAMP ORDO_STAMP_NAME
#endif

#ifdef RLU_MULTI
#include <ordo/cc/mvrlu.h>
#define RLU_ALGORITHM "mvrlu"
#define RLU(name) ordo_mvrlu_##name
#define RLU_DOMAIN ordo_mvrlu
#define RLU_SECTION ORDO_MVRLU_SECTION
#else
#include <ordo/cc/rlu.h>
#define RLU_ALGORITHM "rlu"
#define RLU(name) ordo_rlu_##name
#define RLU_DOMAIN ordo_rlu
#define RLU_SECTION ORDO_RLU_SECTION
#endif

#ifdef RLU_CLOCK_IN_PLACE
#include "clock/bare.h"

/* Begins a section, reads the bare ordered clock and ignores the value. This shows the cost of the read at this
 * point. */
static inline int clocked_reader_lock(struct ordo_rlu_thread *t)
{
    uint64_t ticks;
    int code = ordo_rlu_reader_lock(t);
    ticks = bench_bare_ordered();
    __asm__ volatile("" : : "r"(ticks));
    return code;
}
#define ordo_rlu_reader_lock clocked_reader_lock
#endif

#ifdef RLU_MULTI
#include <ordo/cc/mvrlu/hash.h>
#include <ordo/cc/mvrlu/list.h>
#include <ordo/cc/mvrlu/tree.h>
#else
#include <ordo/cc/rlu/hash.h>
#include <ordo/cc/rlu/list.h>
#include <ordo/cc/rlu/tree.h>
#endif

#include "rlu/loop.h"

_Static_assert(RLU_DEFER_AUTO == ORDO_RLU_DEFER_AUTO, "passed on as it is");

struct rlu_set {
    struct RLU_DOMAIN rlu;
    struct RLU(list) list; /* one of list, hash and tree is used */
    struct RLU(hash) hash;
    struct RLU(tree) tree;
};

struct rlu_user {
    struct RLU(thread) * thread;
    struct rlu_set *set;
    struct RLU(statistics) before; /* values at the beginning: an earlier thread may have used the same memory */
    uint64_t run;                  /* value at the beginning */
};

static void *enter_rlu(struct rlu_bench *bench)
{
    struct rlu_user *user = rlu_allocate_lines(sizeof *user);
    if (!user)
        return NULL;
    user->set = bench->set;
    if (RLU(thread_init)(&user->set->rlu, &user->thread) != ORDO_OK) {
        free(user);
        return NULL;
    }
    user->before = user->thread->statistics;
    user->run = user->thread->run;
    return user;
}

/* Adds the counters of both algorithms, and those of the algorithm that is compiled. */
static void count(const struct RLU(statistics) * now, const struct RLU(statistics) * before, uint64_t *counters)
{
    counters[RLU_COMMITS] += now->commits - before->commits;
    counters[RLU_ABORTS] += now->aborts - before->aborts;
    counters[RLU_STEALS] += now->steals - before->steals;
    counters[RLU_HELPS] += now->helps - before->helps;
    counters[RLU_YIELDS] += now->yields - before->yields;
    counters[RLU_SLEEPS] += now->sleeps - before->sleeps;
    counters[RLU_FLUSHES] += now->flushes - before->flushes;
#ifdef RLU_MULTI
    counters[RLU_FULLS] += now->fulls - before->fulls;
    counters[RLU_WRITTEN_BACK] += now->written_back - before->written_back;
#else
    counters[RLU_CLOCK_READS] += now->clock_reads - before->clock_reads;
    counters[RLU_BOUNDARY_WAITS] += now->boundary_waits - before->boundary_waits;
    counters[RLU_BOUNDARY_WAIT_TICKS] += now->boundary_wait_ticks - before->boundary_wait_ticks;
    counters[RLU_READER_WAITS] += now->reader_waits - before->reader_waits;
    counters[RLU_READER_WAIT_TICKS] += now->reader_wait_ticks - before->reader_wait_ticks;
#endif
}

static void leave_rlu(void *argument, uint64_t counters[BENCH_COUNTERS])
{
    struct rlu_user *user = argument;
    RLU(flush)(user->thread);
    count(&user->thread->statistics, &user->before, counters);
#ifdef RLU_MULTI
    if (user->thread->own_clock) /* each section reads the clock once, and increments `run` twice */
        counters[RLU_CLOCK_READS] += (user->thread->run - user->run) / 2;
#endif
    RLU(thread_finish)(user->thread);
    free(user);
}

/* Copies all latest versions back to their objects, which the audit and the destruction need. */
static void rest(struct rlu_set *set)
{
#ifdef RLU_MULTI
    ordo_mvrlu_rest(&set->rlu);
#else
    (void)set;
#endif
}

static int create_rlu(struct rlu_bench *bench)
{
    const struct RLU(options) options = {.boundary_ticks = bench->boundary_ticks,
                                         .unsafe_boundary = 1, /* for --boundary 0 only */
#ifdef RLU_MULTI
                                         .own_clock = bench->own_clock,
#endif
                                         .defer_commits = bench->defer,
                                         .watch = bench->watch};
    struct rlu_set *set = rlu_allocate_lines(sizeof *set);
    if (!set)
        return -1;
    int code = RLU(create)(&set->rlu, &options);
    RLU(list_init)(&set->list);
    RLU(tree_init)(&set->tree);
    if (!code)
        code =
            RLU(hash_init)(&set->rlu, &set->hash, bench->engine->structure == RLU_HASH ? (uint32_t)bench->buckets : 1);
    if (code) {
        free(set);
        return -1;
    }
    bench->set = set;
    return 0;
}

static void destroy_rlu(struct rlu_bench *bench)
{
    struct rlu_set *set = bench->set;
    rest(set);
    RLU(list_clear)(&set->rlu, &set->list);
    RLU(hash_destroy)(&set->rlu, &set->hash);
    RLU(tree_clear)(&set->rlu, &set->tree);
    RLU(destroy)(&set->rlu);
    free(set);
}

static int audit_rlu(struct rlu_bench *bench, uint64_t *count, struct ordo_error *error)
{
    struct rlu_set *set = bench->set;
    rest(set);
    int64_t list = RLU(list_audit)(&set->list), hash = RLU(hash_audit)(&set->hash), tree = RLU(tree_audit)(&set->tree);
    if (list < 0 || hash < 0 || tree < 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "the %s is out of order, or a node is still locked",
                              rlu_structure_words[bench->engine->structure]);
    *count = (uint64_t)(list + hash + tree);
    return ORDO_OK;
}

#include "rlu/multiget_rlu.h"

#define OPERATION(structure, operation)                                                                                \
    static int structure##_##operation(void *user, uint64_t key)                                                       \
    {                                                                                                                  \
        struct rlu_set *set = ((struct rlu_user *)user)->set;                                                          \
        return RLU(structure##_##operation)(((struct rlu_user *)user)->thread, &set->structure, key);                  \
    }

#define ENGINE(name, kind, many)                                                                                       \
    OPERATION(name, contains)                                                                                          \
    OPERATION(name, add)                                                                                               \
    OPERATION(name, remove)                                                                                            \
    RLU_WORK(name##_work, name##_contains, name##_add, name##_remove)                                                  \
    const struct rlu_engine RLU_ENGINE(name) = {.algorithm = RLU_ALGORITHM,                                            \
                                                .stamp = RLU_STAMP,                                                    \
                                                .structure = kind,                                                     \
                                                .create = create_rlu,                                                  \
                                                .destroy = destroy_rlu,                                                \
                                                .enter = enter_rlu,                                                    \
                                                .leave = leave_rlu,                                                    \
                                                .add = name##_add,                                                     \
                                                .work = name##_work,                                                   \
                                                .multiget = many,                                                      \
                                                .audit = audit_rlu};

ENGINE(list, RLU_LIST, NULL)
ENGINE(hash, RLU_HASH, &hash_multiget)
ENGINE(tree, RLU_TREE, NULL)
