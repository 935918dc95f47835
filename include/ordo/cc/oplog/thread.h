/* The threads of a domain. The log of one that has finished stays, and the next thread may take it over. */
#ifndef ORDO_CC_OPLOG_THREAD_H
#define ORDO_CC_OPLOG_THREAD_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <ordo/cc/oplog/memory.h>
#include <ordo/cc/oplog/time.h>

/* Takes a log that no thread has, or makes a new one; NULL: no memory. */
ORDO_OPLOG_SLOW struct ordo_oplog_thread *ordo_oplog_thread_reuse(struct ordo_oplog *oplog)
{
    size_t entries = oplog->options.log_entries;
    struct ordo_oplog_thread *t;
    void *memory, *ring;
    /* Acquire pairs with the push below: the thread is complete. */
    for (t = __atomic_load_n(&oplog->threads, __ATOMIC_ACQUIRE); t; t = t->next) {
        uint64_t unused = 0;
        /* C8 reuse. Acquire pairs with ordo_oplog_thread_finish: the log is as its last owner left it. */
        if (__atomic_compare_exchange_n(&t->used, &unused, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return t;
    }
    t = (struct ordo_oplog_thread *)ordo_oplog_allocate(oplog, sizeof *t, 128, &memory);
    if (!t)
        return NULL;
    t->memory = memory;
    t->ring = (struct ordo_oplog_entry *)ordo_oplog_allocate(oplog, entries * sizeof *t->ring, 128, &ring);
    if (!t->ring) {
        ordo_oplog_release(oplog, memory);
        return NULL;
    }
    t->ring_memory = ring;
    t->mask = entries - 1;
    t->room = entries;
    t->last = 1;
    t->oplog = oplog;
    t->used = 1;
    t->next = __atomic_load_n(&oplog->threads, __ATOMIC_RELAXED);
    /* C8 join. Pairs with ordo_oplog_take: see there. Relaxed on failure: nothing is read through the old head. */
    while (!__atomic_compare_exchange_n(&oplog->threads, &t->next, t, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return t;
}

static inline int ordo_oplog_thread_init(struct ordo_oplog *oplog, struct ordo_oplog_thread **result)
{
    *result = ordo_oplog_thread_reuse(oplog);
    return *result ? ORDO_OK : ORDO_E_SYSTEM;
}

static inline int ordo_oplog_thread_finish(struct ordo_oplog_thread *t)
{
    int code = ordo_oplog_settle(t);
    t->unsettled = 0;
    /* Release pairs with ordo_oplog_thread_reuse: the log is at rest. */
    __atomic_store_n(&t->used, 0, __ATOMIC_RELEASE);
    return code;
}

#endif
