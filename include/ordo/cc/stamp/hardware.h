/* The common part of the stamps of hardware time, ordo, any, corrected and tsc: everything but the boundary.
 *
 * Order: a time is a full read of the clock (clock.h), which is taken after earlier loads have been performed and
 * earlier stores are visible, and before anything later starts. For an announcement, a plain or release store before
 * the read is therefore enough. After an exchange by the caller a cheaper read of the clock is enough
 * (ordo_clock_read_after_exchange), except for corrected times. If the caller needs order on one side only, the clock
 * is read with only that side ordered (clock.h). For corrected times the cheapest read that precedes later accesses is
 * also ordered after earlier loads, but not after earlier stores (corrected.h).
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#define ORDO_STAMP_ANNOUNCE __ATOMIC_RELEASE
#if !defined ORDO_STAMP_CORRECTED
#define ORDO_STAMP_KNOWS_RELAXED /* ordo_stamp_relaxed exists */
#endif

struct ordo_stamp {
    char before[128];
    uint64_t boundary_ticks;     /* unused by tsc; only ordo_stamp_raise changes it */
    uint64_t flags;              /* any only: the flags of the watch; never changes */
    const struct ordo *watch;    /* never changes; NULL: not watched (ordo and tsc only) */
    struct ordo_corrected clock; /* corrected only: has the corrections of the watch, and nothing else; never changes */
    char after[128 - 2 * sizeof(uint64_t) - sizeof(void *) - sizeof(struct ordo_corrected)];
};

struct ordo_stamp_local {
    char nothing; /* unused */
};

/* True if this stamp accepts the watch. Corrected times, times of the kernel's clock and plain times must not be mixed,
 * so each stamp accepts only handles of its own times. */
static inline int ordo_stamp_kind_is_right(const struct ordo *watch)
{
#if defined ORDO_STAMP_CORRECTED
    return watch && (ordo_flags(watch) & ORDO_FLAGS_OTHER_TIMES) == ORDO_FLAG_CORRECTED && watch->corrections;
#elif defined ORDO_STAMP_ANY
    return watch && !(ordo_flags(watch) & ORDO_FLAG_CORRECTED);
#else
    return !watch || !(ordo_flags(watch) & ORDO_FLAGS_OTHER_TIMES);
#endif
}

/* Starts the common part. Refuses a clock that is past half of the limit, because its times might reach the limit. */
static inline int ordo_stamp_start(struct ordo_stamp *stamp, const struct ordo *watch)
{
    memset(stamp, 0, sizeof *stamp);
    stamp->watch = watch;
    if (watch && ordo_status(watch) == ORDO_STATUS_CLOSED)
        return ORDO_E_INVALID;
    if (!ordo_stamp_kind_is_right(watch))
        return ORDO_E_INVALID;
#if defined ORDO_STAMP_CORRECTED
    stamp->clock.handle.corrections = watch->corrections;
#elif defined ORDO_STAMP_ANY
    stamp->flags = ordo_flags(watch);
#endif
    return ordo_clock_relaxed() >= ORDO_STAMP_LIMIT / 2 ? ORDO_E_INVALID : ORDO_OK;
}

#if defined ORDO_STAMP_KNOWS_RELAXED
/* Reads the clock, ordered with no other access. */
static inline ordo_time ordo_stamp_relaxed(const struct ordo_stamp *stamp)
{
    ordo_time now;
#if defined ORDO_STAMP_ANY
    now.ticks = ordo_any_is_kernels(&stamp->flags) ? ordo_any_kernel_fenced() : ordo_clock_relaxed();
#else
    (void)stamp;
    now.ticks = ordo_clock_relaxed();
#endif
    return now;
}
#endif

static inline ordo_time ordo_stamp_now(const struct ordo_stamp *stamp)
{
    ordo_time now;
#if defined ORDO_STAMP_CORRECTED
    now.ticks = ordo_get_time_corrected_full(&stamp->clock).ticks;
#elif defined ORDO_STAMP_ANY
    now.ticks = ordo_any_read_full(&stamp->flags);
#else
    (void)stamp;
    now.ticks = ordo_clock_read_full();
#endif
    return now;
}

static inline ordo_time ordo_stamp_take(struct ordo_stamp *stamp)
{
    return ordo_stamp_now(stamp);
}

static inline ordo_time ordo_stamp_take_after_exchange(struct ordo_stamp *stamp)
{
#if defined ORDO_STAMP_CORRECTED
    return ordo_stamp_take(stamp);
#else
    ordo_time now;
#if defined ORDO_STAMP_ANY
    now.ticks = ordo_any_read_after_exchange(&stamp->flags);
#else
    (void)stamp;
    now.ticks = ordo_clock_read_after_exchange();
#endif
    return now;
#endif
}

#define ORDO_STAMP_KNOWS_SIDES
static inline ordo_time ordo_stamp_now_before(const struct ordo_stamp *stamp)
{
    ordo_time now;
#if defined ORDO_STAMP_CORRECTED
    now.ticks = ordo_get_time_corrected(&stamp->clock).ticks;
#elif defined ORDO_STAMP_ANY
    now.ticks = ordo_any_is_kernels(&stamp->flags) ? ordo_any_kernel_fenced() : ordo_clock_read_before();
#else
    (void)stamp;
    now.ticks = ordo_clock_read_before();
#endif
    return now;
}

static inline ordo_time ordo_stamp_take_after(struct ordo_stamp *stamp)
{
    ordo_time now;
#if defined ORDO_STAMP_CORRECTED
    now.ticks = ordo_get_time_corrected_after(&stamp->clock).ticks;
#elif defined ORDO_STAMP_ANY
    now.ticks = ordo_any_is_kernels(&stamp->flags) ? ordo_any_kernel_read_full() : ordo_clock_read_after();
#else
    (void)stamp;
    now.ticks = ordo_clock_read_after();
#endif
    return now;
}

static inline int ordo_stamp_later(struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    return ordo_stamp_wait(stamp, t, now);
}

static inline int ordo_stamp_commit(struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    return ordo_stamp_wait(stamp, t, now);
}

static inline int ordo_stamp_issue(struct ordo_stamp *stamp, struct ordo_stamp_local *local, ordo_time t,
                                   ordo_time *now)
{
    (void)local;
    return ordo_stamp_wait(stamp, t, now);
}

static inline void ordo_stamp_move_on(struct ordo_stamp *stamp)
{
    (void)stamp; /* time passes by itself */
}

static inline int ordo_stamp_watched(const struct ordo_stamp *stamp)
{
    return stamp->watch != NULL;
}

static inline int ordo_stamp_disrupted(const struct ordo_stamp *stamp)
{
    return stamp->watch && ordo_status(stamp->watch) == ORDO_STATUS_DISRUPTED;
}

static inline int ordo_stamp_hopeless(const struct ordo_stamp *stamp, ordo_time now, ordo_time t)
{
    uint64_t ahead = t.ticks > now.ticks ? t.ticks - now.ticks : 0, boundary = ordo_stamp_boundary(stamp);
    return ordo_stamp_disrupted(stamp) || (ahead > boundary && ahead - boundary > UINT64_C(1) << 32);
}

/* Continues an ordo_stamp_later_before that did not end at its first read of the clock. */
static __attribute__((noinline, cold, unused)) int ordo_stamp_later_before_on(const struct ordo_stamp *stamp,
                                                                              ordo_time t, ordo_time *now)
{
    do {
        if (ordo_stamp_hopeless(stamp, *now, t))
            return ORDO_E_DISRUPTED;
        ordo_clock_pause();
        *now = ordo_stamp_now_before(stamp);
    } while (!ordo_stamp_after(stamp, *now, t));
    return ORDO_OK;
}

static inline int ordo_stamp_later_before(struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    *now = ordo_stamp_now_before(stamp);
    return __builtin_expect(ordo_stamp_after(stamp, *now, t), 1) ? ORDO_OK : ordo_stamp_later_before_on(stamp, t, now);
}
