/* A domain from its creation to its end, and its counters. */
#ifndef ORDO_CC_OPLOG_DOMAIN_H
#define ORDO_CC_OPLOG_DOMAIN_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <string.h>

#include <ordo/cc/oplog/cut.h>
#include <ordo/cc/oplog/memory.h>

static inline int ordo_oplog_create(struct ordo_oplog *oplog, const struct ordo_oplog_options *options)
{
    size_t entries = options->log_entries ? options->log_entries : 1024;
    int code;
    memset(oplog, 0, sizeof *oplog);
    oplog->options = *options;
    oplog->options.log_entries = entries;
    if (entries & (entries - 1) || entries > (size_t)1 << 24)
        return ORDO_E_INVALID;
    oplog->cut = 1;
    code = ordo_stamp_init(&oplog->stamp, options->boundary_ticks, options->watch);
    if (code == ORDO_OK && ordo_stamp_unsafe(&oplog->stamp) && !options->unsafe_boundary) /* C1 given */
        code = ORDO_E_INVALID;
    return code;
}

static inline int ordo_oplog_raise(struct ordo_oplog *oplog, uint64_t boundary_ticks)
{
    const struct ordo_oplog_thread *t;
    /* Acquire pairs with ordo_oplog_thread_reuse: the thread is complete. */
    for (t = __atomic_load_n(&oplog->threads, __ATOMIC_ACQUIRE); t; t = t->next)
        if (t->reading || t->unsettled)
            return ORDO_E_INVALID;
    return ordo_stamp_raise(&oplog->stamp, boundary_ticks);
}

static inline void ordo_oplog_destroy(struct ordo_oplog *oplog)
{
    struct ordo_oplog_thread *t, *next;
    ordo_oplog_take(oplog);
    for (t = oplog->threads; t; t = next) {
        next = t->next;
        ordo_oplog_release(oplog, t->ring_memory);
        ordo_oplog_release(oplog, t->memory);
    }
    oplog->threads = NULL;
}

static inline void ordo_oplog_statistics_read(struct ordo_oplog *oplog, struct ordo_oplog_statistics *sum)
{
    const struct ordo_oplog_thread *t;
    memset(sum, 0, sizeof *sum);
    /* Relaxed, as in ordo_oplog_count; acquire pairs with ordo_oplog_thread_reuse: the thread is complete. */
    sum->applied = __atomic_load_n(&oplog->applied, __ATOMIC_RELAXED);
    sum->dropped = __atomic_load_n(&oplog->dropped, __ATOMIC_RELAXED);
    sum->cuts = __atomic_load_n(&oplog->cuts, __ATOMIC_RELAXED);
    sum->drains = __atomic_load_n(&oplog->drains, __ATOMIC_RELAXED);
    for (t = __atomic_load_n(&oplog->threads, __ATOMIC_ACQUIRE); t; t = t->next) {
        sum->appends += __atomic_load_n(&t->published, __ATOMIC_RELAXED);
        sum->fulls += __atomic_load_n(&t->fulls, __ATOMIC_RELAXED);
        sum->boundary_waits += __atomic_load_n(&t->boundary_waits, __ATOMIC_RELAXED);
    }
}

#endif
