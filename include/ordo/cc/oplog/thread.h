/* The threads of a domain. The log of a finished thread remains, and the next thread may take it over. */
#ifndef ORDO_CC_OPLOG_THREAD_H
#define ORDO_CC_OPLOG_THREAD_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <ordo/cc/oplog/time.h>

/* Makes a thread with its log. NULL: out of memory. */
ORDO_CC_SLOW struct ordo_oplog_thread *ordo_oplog_thread_make(struct ordo_oplog *oplog)
{
    const struct ordo_cc_memory *memory = &oplog->options.memory;
    size_t entries = oplog->options.log_entries;
    struct ordo_cc_thread *common =
        ordo_cc_thread_make(memory, sizeof(struct ordo_oplog_thread), offsetof(struct ordo_oplog_thread, common));
    struct ordo_oplog_thread *t;
    if (!common)
        return NULL;
    t = ordo_oplog_thread_of(common);
    t->ring =
        (struct ordo_oplog_entry *)ordo_cc_allocate_aligned(memory, entries * sizeof *t->ring, 128, &t->ring_memory);
    if (!t->ring) {
        ordo_cc_thread_discard(memory, common);
        return NULL;
    }
    t->mask = entries - 1;
    t->room = entries;
    t->last = 1;
    t->oplog = oplog;
    ordo_cc_thread_join(&oplog->threads, common); /* C8 join: D3 */
    return t;
}

/* Takes over the log of a finished thread, or makes a new thread with its log. NULL: out of memory. */
static inline struct ordo_oplog_thread *ordo_oplog_thread_reuse(struct ordo_oplog *oplog)
{
    struct ordo_cc_thread *common = ordo_cc_thread_reuse(&oplog->threads); /* C8 reuse: D2 */
    return common ? ordo_oplog_thread_of(common) : ordo_oplog_thread_make(oplog);
}

static inline int ordo_oplog_thread_init(struct ordo_oplog *oplog, struct ordo_oplog_thread **result)
{
    *result = ordo_oplog_thread_reuse(oplog);
    /* Only this thread uses the log. */
    ORDO_INVARIANT("oplog", "C8", !*result || (!(*result)->reading && (*result)->count == (*result)->published),
                   "a log is taken over as its last thread left it", *result, (*result)->count, (*result)->published);
    return *result ? ORDO_OK : ORDO_E_SYSTEM;
}

static inline int ordo_oplog_thread_finish(struct ordo_oplog_thread *t)
{
    int code = ordo_oplog_settle(t);
    ORDO_INVARIANT("oplog", "use", !t->reading, "a thread does not finish while it reads", t, t->reading, t->count);
    t->unsettled = 0;
    ordo_cc_thread_leave(&t->common);
    return code;
}

#endif
