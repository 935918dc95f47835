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
 * On some machines the counter is refused, because the kernel saw it fail or the processor does not promise its rate.
 * `ordo calibrate` therefore measures a second clock everywhere, CLOCK_MONOTONIC as read through the C library
 * (clock/monotonic.h), and publishes a second record, PATH.monotonic next to PATH. An open handle keeps its kind until
 * it is closed: ORDO_ANY_COUNTER, whose ticks are the counter's, or ORDO_ANY_KERNEL, whose ticks are nanoseconds. Each
 * read costs one predictable branch more than a read of ordo.h.
 *
 * The lemma of ordo.h holds for each kind with the boundary of its own record: a read that happens after a read x, on
 * any covered CPU, returns at least x - B. The argument for the counter is in ordo.h. For the kernel's clock let t be
 * the kernel's own time. The kernel promises for CLOCK_MONOTONIC that t does not run backwards. NTP steers t and so
 * changes its rate, but no step of the lemma uses a rate. A CPU's read shows t + s, where s is the error of that CPU's
 * counter, of the vDSO and of the hypervisor. Calibration bounds |s - s'| of any two CPUs by B, with the same exchange
 * of times and the same order of reads as for the counter. If the kernel's source changes to a device that all CPUs
 * share, such as the HPET, then s and s' differ by at most the granule of that device, and a later read of the device
 * never returns less than an earlier read.
 *
 * Never compare times of two kinds. The types ordo_any_time and ordo_time are different, so the compiler rejects a mix
 * of the two. Two handles of one process may be of different kinds if they were opened at different times, or by
 * ordo_any_open_kind. A time does not contain its kind, because the check would cost each comparison an instruction.
 * Therefore pass times between two handles only if ordo_any_same_kind returns 1. A process with a single handle needs
 * no such check. ordo_any_try_new_time refuses times that are far ahead of the handle's clock. It thereby detects most
 * times of the other kind if the other clock shows larger numbers than the handle's clock, and none if it shows smaller
 * numbers. Engines of cc/ (the stamp `any`) take all their times from one handle.
 *
 * Pass &a.handle to a component that takes a `const struct ordo *` only to watch the record (the stamps of cc/). If the
 * component would read the counter, it checks ORDO_FLAG_KERNEL and refuses the handle. The rules of struct ordo for
 * threads and for reopening apply.
 */
#ifndef ORDO_ANY_H
#define ORDO_ANY_H

#include <ordo/ordo.h>

/** The clock that a handle reads. */
enum ordo_any_kind {
    ORDO_ANY_NONE = 0,    /* the handle is not open: it orders nothing */
    ORDO_ANY_COUNTER = 1, /* the clock of clock.h */
    ORDO_ANY_KERNEL = 2   /* CLOCK_MONOTONIC through the C library, in nanoseconds */
};

/** A moment, in ticks of the handle that read it. */
typedef struct {
    uint64_t ticks;
} ordo_any_time;

/** A handle for either clock. A handle of all zeros (unopened, refused or closed) orders nothing. The member `handle`
 * is for calls that take no time: ordo_flags, ordo_trust, ordo_tick_hz. Never pass `handle` to ordo_get_time,
 * ordo_cmp_time, ordo_new_time or ordo_close. */
struct ordo_any {
    struct ordo handle;
};

/** Initialises a handle of this kind with a boundary that is compiled into the program, which vouches for it. With a
 * boundary of 0 the handle orders nothing. */
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

/* Reads the kernel's clock; the caller has executed the barrier that precedes the read. The function is out of line, so
 * that a read of the counter pays only for the branch to this call. */
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
 * If the counter's read consists of a barrier and a read behind it, the flags are loaded between the two, and the
 * counter is read while the load of the flags is in flight. If the flags were loaded before the barrier, the barrier
 * would wait for that load. The barrier orders earlier accesses with either clock. The load of the flags and the branch
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

/* Reads the clock of a handle with these flags, ordered as ordo_clock_read_full. */
static inline uint64_t ordo_any_read_full(const uint64_t *flags)
{
#if defined ORDO_CLOCK_KNOWS_FENCED
    ordo_monotonic_fence_full();
    return ordo_any_is_kernels(flags) ? ordo_any_kernel_fenced() : ordo_clock_read_before();
#else
    return ordo_any_is_kernels(flags) ? ordo_any_kernel_read_full() : ordo_clock_read_full();
#endif
}

/* Reads the clock of a handle with these flags, ordered as ordo_clock_read_after_exchange. */
static inline uint64_t ordo_any_read_after_exchange(const uint64_t *flags)
{
#if defined ORDO_CLOCK_KNOWS_FENCED && defined ORDO_CLOCK_KNOWS_EXCHANGE
    ordo_monotonic_fence();
    return ordo_any_is_kernels(flags) ? ordo_any_kernel_fenced() : ordo_clock_relaxed();
#else
    return ordo_any_is_kernels(flags) ? ordo_any_kernel_read_full() : ordo_clock_read_after_exchange();
#endif
}

/* The ordo_open_kind of the kernel's clock; refuses a record of any other clock. */
static inline int ordo_any_open_kernel(struct ordo *o, const struct ordo_record_view *view, const void *wish,
                                       struct ordo_error *error)
{
    (void)wish;
    o->not_boundary = ~view->head.boundary_ticks;
    o->flags |= ORDO_FLAG_KERNEL;
    return ordo_record_applies_by(view, ORDO_CLOCK_MONOTONIC, error);
}

/* Opens the record of the kernel's clock next to the record at `path`. */
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

/** True if the record of the kernel's clock may be used after the counter's record was refused with `code`: there is no
 * record of the counter, or the counter is unreliable.
 *
 * Any other code reports a fault of the file or of its use: another user may have written it (OWNER, WRITABLE), it was
 * damaged (MALFORMED, TRUNCATED, CHECKSUM), it needs another program (LAYOUT, SECTION), this thread may run on CPUs
 * that were not measured (CPUS, UNMEASURED), or it could not be read (SYSTEM). The kernel clock's record is in the same
 * directory and covers the same CPUs, so it probably has the same fault, and an operator must learn of the fault.
 * Neither choice can make an order wrong, because the kernel clock's record has to pass the same checks. An attacker
 * who removes the counter's record makes programs slower, but could also remove both records. */
static inline int ordo_any_gives_way(int code)
{
    return code == ORDO_E_MISSING || code == ORDO_E_BOOT || code == ORDO_E_CLOCK || code == ORDO_E_RATE ||
           code == ORDO_E_EXPIRED || code == ORDO_E_SUPERSEDED || code == ORDO_E_DISRUPTED || code == ORDO_E_TRUST;
}

/* Does the work of ordo_any_open; `counter` opens the counter's record. */
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

/** Opens the record of the counter, as ordo_open_error does. If that fails with a code for which ordo_any_gives_way is
 * true, opens the record of the kernel's clock next to it, PATH.monotonic. `error` may be NULL; if both records are
 * refused, it contains both reasons. Close an open handle before you open it again.
 *
 * Returns 0, or the code with which the counter's record was refused. If there is no record of the counter, returns the
 * code with which the record of the kernel's clock was refused. */
ORDO_INLINE int ordo_any_open(struct ordo_any *a, const char *path, struct ordo_error *error)
{
    return ordo_any_open_either(a, path, ordo_open_whole, error);
}

/** Opens as ordo_any_open, but uses the counter only if the kernel vouches for it (ordo_open_vouched). */
ORDO_INLINE int ordo_any_open_vouched(struct ordo_any *a, const char *path, struct ordo_error *error)
{
    return ordo_any_open_either(a, path, ordo_open_vouched_whole, error);
}

/** Opens the record of the given kind, ORDO_ANY_COUNTER or ORDO_ANY_KERNEL, and never the record of the other kind.
 * Returns 0, the codes of ordo_open_error, or
 *
 * - ORDO_E_INVALID: `kind` is neither ORDO_ANY_COUNTER nor ORDO_ANY_KERNEL. */
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

/** True if times of one handle may be compared with the other handle: both are open and have the same kind. If their
 * boundaries differ, because a new record superseded the one of the older handle, compare with the handle that has the
 * larger boundary. */
ORDO_INLINE int ordo_any_same_kind(const struct ordo_any *a, const struct ordo_any *b)
{
    return ordo_any_kind(a) != ORDO_ANY_NONE && ordo_any_kind(a) == ordo_any_kind(b);
}

/** Returns the time of the handle's clock, ordered as ordo_get_time: after earlier loads, and before all later
 * accesses. */
ORDO_INLINE ordo_any_time ordo_any_get_time(const struct ordo_any *a)
{
    ordo_any_time now = {ordo_any_read(&a->handle.flags)};
    return now;
}

/** Returns the time of the handle's clock, ordered as ordo_get_time_full: after earlier loads and stores, and before
 * all later accesses. */
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
 * `t` must have been returned by a clock of the handle's kind, and the handle must be open; otherwise the call may wait
 * forever. */
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

/** Returns the status of the opened record: enum ordo_status. Costs one load. */
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
