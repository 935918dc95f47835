/* The common part of the stamps that use a shared counter: logical, batch, gv4, gv5 and dctl. They read no
 * clock.
 *
 * Order: the counter is read and changed by sequentially consistent accesses. All of these accesses are in a single
 * order, which agrees with the program order of each thread. A load of the counter, unlike a full read of a clock, may
 * be performed before an earlier store to another word becomes visible. A thread that must be visible to others before
 * it takes a time therefore announces itself by a sequentially consistent access too.
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#define ORDO_STAMP_ANNOUNCE __ATOMIC_SEQ_CST

/* A stamp may define both before it includes this file: the boundary, and what each thread keeps. */
#ifndef ORDO_STAMP_WINDOW
#define ORDO_STAMP_WINDOW 0
struct ordo_stamp_local {
    char nothing; /* unused */
};
#endif

struct ordo_stamp {
    char before[128];
    uint64_t counter;
    char after[128 - sizeof(uint64_t)];
};

static inline int ordo_stamp_init(struct ordo_stamp *stamp, uint64_t boundary_ticks, const struct ordo *watch)
{
    (void)boundary_ticks, (void)watch;
    memset(stamp, 0, sizeof *stamp);
    stamp->counter = 2 * ORDO_STAMP_WINDOW + 1;
    return ORDO_OK;
}

static inline uint64_t ordo_stamp_boundary(const struct ordo_stamp *stamp)
{
    (void)stamp;
    return ORDO_STAMP_WINDOW;
}

static inline ordo_time ordo_stamp_now(const struct ordo_stamp *stamp)
{
    ordo_time now;
    /* Pairs with ordo_stamp_take, ordo_stamp_issue: announcements made before they changed the counter are visible to a
     * thread that reads the new value. */
    now.ticks = __atomic_load_n(&stamp->counter, __ATOMIC_SEQ_CST);
    return now;
}

static inline ordo_time ordo_stamp_take_after_exchange(struct ordo_stamp *stamp)
{
    return ordo_stamp_take(stamp); /* sequentially consistent as well */
}

static inline int ordo_stamp_unsafe(const struct ordo_stamp *stamp)
{
    (void)stamp; /* a counter needs no measured boundary */
    return 0;
}

static inline int ordo_stamp_watched(const struct ordo_stamp *stamp)
{
    (void)stamp;
    return 0;
}

static inline int ordo_stamp_disrupted(const struct ordo_stamp *stamp)
{
    (void)stamp;
    return 0;
}

static inline int ordo_stamp_hopeless(const struct ordo_stamp *stamp, ordo_time now, ordo_time t)
{
    (void)stamp, (void)now, (void)t; /* the counter is never behind a time t that it has returned */
    return 0;
}

static inline int ordo_stamp_raise(struct ordo_stamp *stamp, uint64_t boundary_ticks)
{
    (void)stamp, (void)boundary_ticks; /* the boundary is a constant */
    return ORDO_OK;
}
