/* Creates and destroys a domain, raises its boundary, and reads its counters. */
#ifndef ORDO_CC_OPLOG_DOMAIN_H
#define ORDO_CC_OPLOG_DOMAIN_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <string.h>

#include <ordo/cc/oplog/cut.h>

static inline int ordo_oplog_create(struct ordo_oplog *oplog, const struct ordo_oplog_options *options)
{
    size_t entries = options->log_entries ? options->log_entries : 1024;
    memset(oplog, 0, sizeof *oplog);
    oplog->options = *options;
    oplog->options.log_entries = entries;
    if (entries & (entries - 1) || entries > (size_t)1 << 24)
        return ORDO_E_INVALID;
    oplog->cut = 1;
    return ordo_cc_boundary_begin(&oplog->stamp, options->boundary_ticks, options->unsafe_boundary,
                                  options->watch); /* C1 given */
}

/* True if the thread reads, or has not settled. Plain loads: the caller of ordo_oplog_raise has ordered it after all
 * earlier calls. */
static inline int ordo_oplog_is_busy(const struct ordo_cc_thread *common)
{
    const struct ordo_oplog_thread *t = ordo_oplog_thread_of(common);
    return t->reading || t->unsettled;
}

static inline int ordo_oplog_raise(struct ordo_oplog *oplog, uint64_t boundary_ticks)
{
    return ordo_cc_boundary_raise(&oplog->stamp, &oplog->threads, ordo_oplog_is_busy, boundary_ticks);
}

static inline void ordo_oplog_thread_empty(struct ordo_cc_thread *common)
{
    const struct ordo_oplog_thread *t = ordo_oplog_thread_of(common);
    ordo_cc_release(&t->oplog->options.memory, t->ring_memory);
}

static inline void ordo_oplog_destroy(struct ordo_oplog *oplog)
{
    ordo_oplog_take(oplog);
    ordo_cc_threads_destroy(&oplog->threads, &oplog->options.memory, ordo_oplog_thread_empty);
}

static inline void ordo_oplog_add(const struct ordo_cc_thread *common, void *sum)
{
    const struct ordo_oplog_thread *t = ordo_oplog_thread_of(common);
    struct ordo_oplog_statistics *to = (struct ordo_oplog_statistics *)sum;
    to->appends += ordo_cc_counted(&t->published);
    to->fulls += ordo_cc_counted(&t->fulls);
    to->boundary_waits += ordo_cc_counted(&t->boundary_waits);
}

static inline void ordo_oplog_statistics_read(struct ordo_oplog *oplog, struct ordo_oplog_statistics *sum)
{
    ordo_cc_threads_count(&oplog->threads, sum, sizeof *sum, ordo_oplog_add);
    sum->applied = ordo_cc_counted(&oplog->applied);
    sum->dropped = ordo_cc_counted(&oplog->dropped);
    sum->cuts = ordo_cc_counted(&oplog->cuts);
    sum->drains = ordo_cc_counted(&oplog->drains);
}

#endif
