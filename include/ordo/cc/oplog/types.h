/* The log of a thread, and the domain. */
#ifndef ORDO_CC_OPLOG_TYPES_H
#define ORDO_CC_OPLOG_TYPES_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <stddef.h>

/* A thread and its log. The memory stays until ordo_oplog_destroy, and another thread may get it later. */
struct ordo_oplog_thread {
    /* The owner writes this line, and synchronisers read it. */
    uint64_t published; /* operations published, ever */
    uint64_t cut;       /* the last number that it loaded */
    uint64_t first;     /* the first operation that loaded it */
    char written_end[128 - 3 * sizeof(uint64_t)];
    /* The holder of the lock writes this line. */
    uint64_t head;  /* operations applied, ever */
    uint64_t limit; /* operations in the present cut, ever */
    uint64_t key;   /* C5 merge: the time of the first operation that is not applied */
    struct ordo_oplog_thread *left, *right;
    char taken_end[128 - 3 * sizeof(uint64_t) - 2 * sizeof(void *)];
    /* Only the owner writes the rest. */
    uint64_t count;     /* same as `published` */
    uint64_t room;      /* operations may be published up to this number */
    uint64_t last;      /* the time of the last operation that has one */
    uint64_t unsettled; /* the same if it may not be settled; otherwise 0 */
    struct ordo_oplog_entry *ring;
    uint64_t mask;
    struct ordo_oplog *oplog;
    int reading;
    uint64_t fulls, boundary_waits; /* statistics: any thread reads them */
    struct ordo_cc_thread common;
    void *ring_memory;
};

ORDO_STATIC_ASSERT(sizeof(void *) != 8 || (offsetof(struct ordo_oplog_thread, head) == 128 &&
                                           offsetof(struct ordo_oplog_thread, count) == 256),
                   "what different threads write is on different lines");

static inline struct ordo_oplog_thread *ordo_oplog_thread_of(const struct ordo_cc_thread *common)
{
    return (struct ordo_oplog_thread *)ordo_cc_thread_around(common, offsetof(struct ordo_oplog_thread, common));
}

/* A domain. */
struct ordo_oplog {
    struct ordo_stamp stamp;
    struct ordo_oplog_options options;
    struct ordo_cc_threads threads;
    char read_only_end[128];
    uint64_t cut; /* the number: written by the holder of the lock, once for each cut */
    char cut_end[128 - sizeof(uint64_t)];
    uint64_t locked;
    uint64_t applied, dropped, cuts, drains; /* statistics */
    char after[128];
};

#endif
