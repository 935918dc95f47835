/* The log of a thread, and the domain. */
#ifndef ORDO_CC_OPLOG_TYPES_H
#define ORDO_CC_OPLOG_TYPES_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <stddef.h>

/* A thread and its log. Their memory stays until ordo_oplog_destroy; another thread may get it later. */
struct ordo_oplog_thread {
    /* The owner writes this line, and synchronisers read it. */
    uint64_t published; /* number of operations published since the creation of the log */
    uint64_t cut;       /* the last number of a cut that the owner loaded */
    uint64_t first;     /* the first operation that loaded this number */
    char written_end[128 - 3 * sizeof(uint64_t)];
    /* The holder of the lock writes this line. */
    uint64_t head;                          /* number of operations applied since the creation of the log */
    uint64_t limit;                         /* the first operation that is not in the present cut */
    uint64_t key;                           /* C5 merge: the time of the first operation that is not applied */
    struct ordo_oplog_thread *left, *right; /* children in the heap of ordo_oplog_merge */
    char taken_end[128 - 3 * sizeof(uint64_t) - 2 * sizeof(void *)];
    /* Only the owner writes the rest. */
    uint64_t count;     /* a copy of `published` for the owner */
    uint64_t room;      /* the log is full when `count` reaches this number, unless `head` has grown */
    uint64_t last;      /* the time of the last operation with a time */
    uint64_t unsettled; /* the same time if it may not be settled yet; otherwise 0 */
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
    uint64_t cut; /* the number of the cut; the holder of the lock increments it for each cut */
    char cut_end[128 - sizeof(uint64_t)];
    uint64_t locked;
    uint64_t applied, dropped, cuts, drains; /* statistics */
    char after[128];
};

#endif
