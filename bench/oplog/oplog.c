/* Our Oplog: an engine for each structure. */
#include <ordo/cc/oplog.h>

#include "oplog/engine.h"

struct keeper {
    struct ordo_oplog oplog;
    struct oplog_state *state;
    struct ordo_oplog_kind kind;
    struct ordo_oplog_object objects[]; /* not changed during a trial */
};

struct user {
    struct ordo_oplog_thread *thread;
    struct keeper *keeper;
    struct oplog_state *state;
    uint64_t fulls, boundary_waits; /* at the beginning: an earlier thread may have used the same log */
};

static int create_oplog(struct oplog_bench *bench)
{
    static const enum ordo_oplog_order orders[] = {ORDO_OPLOG_COMMUTE, ORDO_OPLOG_TIMED, ORDO_OPLOG_ORDERED};
    const struct ordo_oplog_options options = {.boundary_ticks = bench->boundary_ticks,
                                               .log_entries = bench->log_entries,
                                               .watch = bench->watch,
                                               .settle_later = bench->settle_later,
                                               .unsafe_boundary = 1}; /* for --boundary 0 only */
    uint64_t count = oplog_state_objects(bench->engine->structure, &bench->sizes);
    size_t bytes = (sizeof(struct keeper) + count * sizeof(struct ordo_oplog_object) + 127) / 128 * 128;
    struct keeper *keeper = aligned_alloc(128, bytes);
    if (!keeper)
        return -1;
    keeper->state = bench->state;
    keeper->kind = (struct ordo_oplog_kind){orders[oplog_bench_order(bench)], bench->engine->apply, NULL};
    int code = ordo_oplog_create(&keeper->oplog, &options);
    for (uint64_t i = 0; i < count && !code; i++)
        code = ordo_oplog_object_init(&keeper->objects[i], &keeper->kind, keeper);
    if (code) {
        free(keeper);
        return -1;
    }
    bench->keeper = keeper;
    return 0;
}

static void destroy_oplog(struct oplog_bench *bench)
{
    struct keeper *keeper = bench->keeper;
    ordo_oplog_destroy(&keeper->oplog);
    free(keeper);
}

static void *enter_oplog(struct oplog_bench *bench)
{
    struct user *user = aligned_alloc(128, 128);
    if (!user)
        return NULL;
    user->keeper = bench->keeper;
    user->state = bench->state;
    if (ordo_oplog_thread_init(&user->keeper->oplog, &user->thread) != ORDO_OK) {
        free(user);
        return NULL;
    }
    user->fulls = user->thread->fulls;
    user->boundary_waits = user->thread->boundary_waits;
    return user;
}

static void leave_oplog(void *argument, uint64_t counters[BENCH_COUNTERS])
{
    struct user *user = argument;
    struct ordo_oplog_statistics all;
    counters[OPLOG_FULLS] += user->thread->fulls - user->fulls;
    counters[OPLOG_BOUNDARY_WAITS] += user->thread->boundary_waits - user->boundary_waits;
    /* Only one thread adds the counters of the whole Oplog. */
    if (&user->thread->common == ordo_cc_threads_walk(&user->keeper->oplog.threads)) {
        ordo_oplog_statistics_read(&user->keeper->oplog, &all);
        counters[OPLOG_CUTS] += all.cuts;
        counters[OPLOG_DRAINS] += all.drains;
    }
    (void)ordo_oplog_thread_finish(user->thread); /* cannot fail: no clock is watched */
    free(user);
}

static inline void update_oplog(void *argument, uint64_t index, uint64_t op, uint64_t what)
{
    struct user *user = argument;
    /* Cannot fail, because no clock is watched. */
    (void)ordo_oplog_append(user->thread, &user->keeper->objects[index], op, what);
}

static inline void settle_oplog(void *argument)
{
    (void)ordo_oplog_settle(((struct user *)argument)->thread); /* cannot fail: no clock is watched */
}

#define ENGINE(name, which)                                                                                            \
    static void name##_carry_out(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry)               \
    {                                                                                                                  \
        struct keeper *keeper = object->state;                                                                         \
        name##_apply(keeper->state, (uint64_t)(object - keeper->objects), entry->op, entry->argument);                 \
    }                                                                                                                  \
    static inline uint64_t name##_consult(void *argument, uint64_t index, uint64_t what)                               \
    {                                                                                                                  \
        struct user *user = argument;                                                                                  \
        ordo_oplog_read_lock(user->thread);                                                                            \
        uint64_t found = name##_read(user->state, index, what);                                                        \
        ordo_oplog_read_unlock(user->thread);                                                                          \
        return found;                                                                                                  \
    }                                                                                                                  \
    OPLOG_WORK(name##_work, name, update_oplog, name##_consult, settle_oplog)                                          \
    const struct oplog_engine ORDO_STAMPED(oplog_engine, _##name) = {.algorithm = "oplog",                             \
                                                                     .stamp = ORDO_STAMP_NAME,                         \
                                                                     .structure = which,                               \
                                                                     .apply = name##_carry_out,                        \
                                                                     .create = create_oplog,                           \
                                                                     .destroy = destroy_oplog,                         \
                                                                     .enter = enter_oplog,                             \
                                                                     .leave = leave_oplog,                             \
                                                                     .work = name##_work};

ENGINE(map, OPLOG_MAP)
ENGINE(counter, OPLOG_COUNTER)
ENGINE(set, OPLOG_SET)
