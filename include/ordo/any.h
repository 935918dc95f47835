/* A clock on every machine: the counter if its record may be used, else the kernel's clock.
 *
 *     struct ordo_any a;
 *     struct ordo_error error;
 *     if (ordo_any_open(&a, NULL, &error) == 0) {
 *         ordo_any_time first = ordo_any_get_time(&a);
 *         ordo_any_time then = ordo_any_new_time(&a, first);
 *         assert(ordo_any_cmp_time(&a, then, first) == 1);
 *         ordo_any_close(&a);
 *     }
 *
 * Some machines refuse the counter: the kernel saw a fault of it, or the processor does not promise its rate. `ordo
 * calibrate` therefore measures a second clock everywhere, CLOCK_MONOTONIC as read through the C library
 * (clock/monotonic.h), and publishes a second record, PATH.monotonic next to PATH. A handle is of one kind until it is
 * closed: ORDO_ANY_COUNTER, whose ticks are the counter's, or ORDO_ANY_KERNEL, whose ticks are nanoseconds. Each read
 * costs one more predictable branch.
 *
 * The lemma of ordo.h holds for each kind with the boundary of its own record: a read that happens after a read x, on
 * any covered CPU, returns at least x - B. The argument for the counter is in ordo.h. For the kernel's clock let t be
 * the kernel's own time. t does not run backwards, because the kernel promises this for CLOCK_MONOTONIC. t is steered
 * (NTP), so its rate changes, but no step of the lemma uses a rate. A CPU's read shows t + s, where s is the error of
 * that CPU's counter, of the vDSO and of the hypervisor. Calibration bounds |s - s'| of any two CPUs by B, with the
 * same exchange of times and the same order of reads as for the counter. If the kernel's source changes to a device
 * that all CPUs share, such as the HPET, then s = s' except for the granule of that device, in which a later read never
 * shows less than an earlier one.
 *
 * Times of two kinds must not meet. An ordo_any_time does not compile in the place of an ordo_time, nor the other way
 * round. Two handles of one process may be of different kinds if they were opened at different times, or by
 * ordo_any_open_kind. A time does not contain its kind, because the check would cost each comparison an instruction.
 * Therefore pass times between two handles only if ordo_any_same_kind returns 1; with one handle for the whole process
 * this is not needed. ordo_any_try_new_time refuses times that are far ahead of the handle's clock; in one direction,
 * most times of the other kind are. Engines of cc/ (the stamp `any`) take all their times from one handle.
 *
 * A part that takes a `const struct ordo *` as a watch (the stamps of cc/) gets &a.handle, and refuses it by
 * ORDO_FLAG_KERNEL if it would read the other clock. Threads and reopening: as for struct ordo.
 */
#ifndef ORDO_ANY_H
#define ORDO_ANY_H

#include <ordo/ordo.h>

/** The clock that a handle reads. */
enum ordo_any_kind {
    ORDO_ANY_NONE = 0,    /* unopened or refused: orders nothing */
    ORDO_ANY_COUNTER = 1, /* the clock of clock.h */
    ORDO_ANY_KERNEL = 2   /* CLOCK_MONOTONIC through the C library, in nanoseconds */
};

/** A moment, in ticks of the handle that read it. */
typedef struct {
    uint64_t ticks;
} ordo_any_time;

/** State of a reader of either clock. If all zero (unopened, refused, closed) it orders nothing. The handle inside is
 * for calls that take no time: ordo_flags, ordo_trust, ordo_tick_hz. Never give it to ordo_get_time, ordo_cmp_time,
 * ordo_new_time or ordo_close. */
struct ordo_any {
    struct ordo handle;
};

/** A handle of this kind with a boundary compiled in, for which the program vouches. With a boundary of 0 it orders
 * nothing. */
#define ORDO_ANY_INIT(boundary_ticks, tick_hz, kind)                                                                   \
    {                                                                                                                  \
        {                                                                                                              \
            (boundary_ticks) ? ~(uint64_t)(boundary_ticks) : 0, (tick_hz),                                             \
                (kind) == ORDO_ANY_KERNEL ? ORDO_FLAG_KERNEL : 0, 0, NULL, 0, NULL,                                    \
            {                                                                                                          \
                0                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

/* Reads the kernel's clock behind a barrier of the caller's. Out of line: a reader of the counter pays only for the
 * branch that leads here. */
static __attribute__((noinline, cold, unused)) uint64_t ordo_any_kernel_fenced(void)
{
    uint64_t ns = ordo_monotonic_relaxed();
    ordo_monotonic_fence();
    return ns;
}

/* Reads the kernel's clock with both barriers, ordered as ordo_clock_read_full. */
static __attribute__((noinline, cold, unused)) uint64_t ordo_any_kernel_read_full(void)
{
    return ordo_monotonic_read_full();
}

/* True if a handle with these flags reads the kernel's clock. */
static inline int ordo_any_is_kernels(const uint64_t *flags)
{
    return (int)__builtin_expect((*flags & ORDO_FLAG_KERNEL) != 0, 0);
}

/* Reads the clock of a handle with these flags, ordered as ordo_clock_read.
 *
 * If the counter's read consists of a barrier and a read behind it, the flags are loaded between the two: the counter
 * is then read while the load of the flags is in flight. Before the barrier, the flags would be one of the earlier
 * loads for which it waits. The barrier orders earlier accesses with either clock. The load of the flags and the branch
 * need no order, because the flags never change. */
static inline uint64_t ordo_any_read(const uint64_t *flags)
{
#if defined ORDO_CLOCK_KNOWS_FENCED
    ordo_monotonic_fence();
    return ordo_any_is_kernels(flags) ? ordo_any_kernel_fenced() : ordo_clock_read_before();
#else
    return ordo_any_is_kernels(flags) ? ordo_any_kernel_read_full() : ordo_clock_read();
#endif
}

/* The same, ordered as ordo_clock_read_full. */
static inline uint64_t ordo_any_read_full(const uint64_t *flags)
{
#if defined ORDO_CLOCK_KNOWS_FENCED
    ordo_monotonic_fence_full();
    return ordo_any_is_kernels(flags) ? ordo_any_kernel_fenced() : ordo_clock_read_before();
#else
    return ordo_any_is_kernels(flags) ? ordo_any_kernel_read_full() : ordo_clock_read_full();
#endif
}

/* The same, ordered as ordo_clock_read_after_exchange. */
static inline uint64_t ordo_any_read_after_exchange(const uint64_t *flags)
{
#if defined ORDO_CLOCK_KNOWS_FENCED && defined ORDO_CLOCK_KNOWS_EXCHANGE
    ordo_monotonic_fence();
    return ordo_any_is_kernels(flags) ? ordo_any_kernel_fenced() : ordo_clock_relaxed();
#else
    return ordo_any_is_kernels(flags) ? ordo_any_kernel_read_full() : ordo_clock_read_after_exchange();
#endif
}

/* ordo_open_kind of the kernel's clock: refuses a record of another clock. */
static inline int ordo_any_open_kernel(struct ordo *o, const struct ordo_record_view *view, const void *wish,
                                       struct ordo_error *error)
{
    (void)wish;
    o->not_boundary = ~view->head.boundary_ticks;
    o->flags |= ORDO_FLAG_KERNEL;
    return ordo_record_applies_by(view, ORDO_CLOCK_MONOTONIC, error);
}

/* Opens the record of the kernel's clock next to the one at `path`. */
static inline int ordo_any_open_beside(struct ordo_any *a, const char *path, struct ordo_error *error)
{
    char beside[1100];
    int length = snprintf(beside, sizeof beside, "%s%s", path, ORDO_RECORD_MONOTONIC);
    if (length < 0 || (size_t)length >= sizeof beside)
        return ordo_record_refuse(error, ORDO_E_INVALID, 0, path);
    return ordo_open_as(&a->handle, beside, ordo_any_open_kernel, NULL, error);
}

/* Searches for the record of the kernel's clock: next to the record at `path`, or in the order of ordo_record_find. */
static inline int ordo_any_find_beside(struct ordo_any *a, const char *path, struct ordo_error *error)
{
    char buffer[1024];
    return ordo_any_open_beside(a, ordo_record_find_suffixed(path, ORDO_RECORD_MONOTONIC, buffer, sizeof buffer),
                                error);
}

/** True if, after this refusal of the counter's record, the record of the kernel's clock is used: there is no record of
 * the counter, or it is about a counter that cannot be relied on.
 *
 * Any other code says that the file is not as calibration left it: another user may have written it (OWNER, WRITABLE),
 * it was damaged (MALFORMED, TRUNCATED, CHECKSUM), it needs another program (LAYOUT, SECTION), this thread may run on
 * CPUs that were not measured (CPUS, UNMEASURED), or it could not be read (SYSTEM). The record next to it shares the
 * directory and the CPUs, so it is no better, and an operator must learn of the fault. No choice can make an order
 * wrong, because the second record has to pass the same checks as the first. By removing the first record from its
 * directory an attacker can make programs slower, but could as well remove both. */
static inline int ordo_any_gives_way(int code)
{
    return code == ORDO_E_MISSING || code == ORDO_E_BOOT || code == ORDO_E_CLOCK || code == ORDO_E_RATE ||
           code == ORDO_E_EXPIRED || code == ORDO_E_SUPERSEDED || code == ORDO_E_DISRUPTED || code == ORDO_E_TRUST;
}

/* Makes ordo_any_open, with this kind of handle for the counter. */
static inline int ordo_any_open_either(struct ordo_any *a, const char *path, ordo_open_kind *counter,
                                       struct ordo_error *error)
{
    struct ordo_error first, second;
    int code = ordo_open_as(&a->handle, path, counter, NULL, &first), other;
    if (!code)
        return ORDO_OK;
    if (!ordo_any_gives_way(code)) {
        if (error)
            *error = first;
        return code;
    }
    other = ordo_any_find_beside(a, path, &second);
    if (!other)
        return ORDO_OK;
    if (code == ORDO_E_MISSING)
        code = other;
    if (error) {
        error->code = code;
        error->sys_errno = code == other ? second.sys_errno : first.sys_errno;
        (void)snprintf(error->text, sizeof error->text, "counter: %.104s; kernel's clock: %.104s", first.text,
                       second.text);
    }
    return code;
}

/** Opens the record of the counter, as ordo_open_error does; if that gives way (ordo_any_gives_way), opens the record
 * of the kernel's clock next to it, PATH.monotonic. `error` may be NULL; it names both reasons if both records are
 * refused. A handle that is open must be closed first.
 *
 * Returns 0, or the code of the counter's refusal; if there is no record of the counter, the code of the refusal of the
 * kernel's clock. */
ORDO_INLINE int ordo_any_open(struct ordo_any *a, const char *path, struct ordo_error *error)
{
    return ordo_any_open_either(a, path, ordo_open_whole, error);
}

/** Opens as ordo_any_open, but takes the counter only if the kernel vouches for it (ordo_open_vouched). */
ORDO_INLINE int ordo_any_open_vouched(struct ordo_any *a, const char *path, struct ordo_error *error)
{
    return ordo_any_open_either(a, path, ordo_open_vouched_whole, error);
}

/** Opens the record of one kind, ORDO_ANY_COUNTER or ORDO_ANY_KERNEL, and no other. Returns 0, the codes of
 * ordo_open_error, or
 *
 * - ORDO_E_INVALID: `kind` is neither of the two. */
ORDO_INLINE int ordo_any_open_kind(struct ordo_any *a, const char *path, int kind, struct ordo_error *error)
{
    if (kind == ORDO_ANY_COUNTER)
        return ordo_open_as(&a->handle, path, ordo_open_whole, NULL, error);
    if (kind == ORDO_ANY_KERNEL)
        return ordo_any_find_beside(a, path, error);
    memset(a, 0, sizeof *a);
    return ordo_record_refuse(error, ORDO_E_INVALID, 0, "ordo_any_open_kind");
}

/** Releases the record. The handle orders nothing afterwards; closing it again does nothing. */
ORDO_INLINE void ordo_any_close(struct ordo_any *a)
{
    ordo_close(&a->handle);
}

/** Returns the kind of clock that the handle reads: enum ordo_any_kind. */
ORDO_INLINE int ordo_any_kind(const struct ordo_any *a)
{
    if (a->handle.not_boundary == 0)
        return ORDO_ANY_NONE;
    return a->handle.flags & ORDO_FLAG_KERNEL ? ORDO_ANY_KERNEL : ORDO_ANY_COUNTER;
}

/** True if times of one handle may be compared by the other: both are open, and of one kind. If their boundaries differ
 * (of a record and of the one that superseded it), compare by the handle with the larger one. */
ORDO_INLINE int ordo_any_same_kind(const struct ordo_any *a, const struct ordo_any *b)
{
    return ordo_any_kind(a) != ORDO_ANY_NONE && ordo_any_kind(a) == ordo_any_kind(b);
}

/** Returns ordo_get_time of the handle's clock: earlier loads are performed first, and nothing later starts before. */
ORDO_INLINE ordo_any_time ordo_any_get_time(const struct ordo_any *a)
{
    ordo_any_time now = {ordo_any_read(&a->handle.flags)};
    return now;
}

/** Returns ordo_get_time_full of the handle's clock: earlier stores are visible first as well. */
ORDO_INLINE ordo_any_time ordo_any_get_time_full(const struct ordo_any *a)
{
    ordo_any_time now = {ordo_any_read_full(&a->handle.flags)};
    return now;
}

/** Compares as ordo_cmp_time. 1: x is certainly later than y; -1: certainly earlier; 0: cannot be known. */
ORDO_INLINE int ordo_any_cmp_time(const struct ordo_any *a, ordo_any_time x, ordo_any_time y)
{
    uint64_t boundary = ~a->handle.not_boundary;
    if (x.ticks > y.ticks)
        return x.ticks - y.ticks > boundary;
    return -(y.ticks - x.ticks > boundary);
}

/** Waits, as ordo_new_time, until every covered CPU's clock has passed t, and returns a time certainly later than t.
 * `t` must have been returned by a clock of the handle's kind, and the handle must be open: otherwise this may wait for
 * ever. */
ORDO_INLINE ordo_any_time ordo_any_new_time(const struct ordo_any *a, ordo_any_time t)
{
    ordo_any_time now = ordo_any_get_time(a);
    while (ordo_any_cmp_time(a, now, t) != 1) {
        ordo_clock_pause();
        now = ordo_any_get_time(a);
    }
    return now;
}

/** Returns ORDO_BOUNDARY in ticks of the handle's clock; UINT64_MAX for a handle that orders nothing. */
ORDO_INLINE uint64_t ordo_any_boundary(const struct ordo_any *a)
{
    return ordo_boundary(&a->handle);
}

/** Returns the status of the record that was opened: enum ordo_status. One load. */
ORDO_INLINE int ordo_any_status(const struct ordo_any *a)
{
    return ordo_status(&a->handle);
}

/** Makes one step of ordo_any_new_time, without waiting. Returns
 *
 * - 0: `*out` is certainly later than t;
 * - ORDO_LATER: call again;
 * - ORDO_E_INVALID, ORDO_E_DISRUPTED: as ordo_try_new_time. */
ORDO_INLINE int ordo_any_try_new_time(const struct ordo_any *a, ordo_any_time t, ordo_any_time *out)
{
    uint64_t boundary = ordo_any_boundary(a);
    int status = ordo_any_status(a);
    ordo_any_time now;
    if (status == ORDO_STATUS_CLOSED)
        return ORDO_E_INVALID;
    if (status == ORDO_STATUS_DISRUPTED)
        return ORDO_E_DISRUPTED;
    now = ordo_any_get_time(a);
    if (ordo_any_cmp_time(a, now, t) == 1) {
        *out = now;
        return ORDO_OK;
    }
    if (t.ticks > now.ticks && t.ticks - now.ticks > boundary && t.ticks - now.ticks - boundary > UINT64_C(1) << 32)
        return ORDO_E_INVALID;
    return ORDO_LATER;
}

/** Returns the nanoseconds in a span of `ticks`, rounded down, saturating; 0 if the rate is unknown. */
ORDO_INLINE uint64_t ordo_any_ticks_to_ns(const struct ordo_any *a, uint64_t ticks)
{
    return ordo_ticks_to_ns(&a->handle, ticks);
}

#endif
