/* Ordo: order events on many cores by their hardware clocks.
 *
 * Clocks of different cores differ by at most the boundary B, which `ordo calibrate` measured and published. After S.
 * Kashyap et al., "A Scalable Ordering Primitive for Multicore Machines", EuroSys 2018.
 *
 *     struct ordo o;
 *     if (ordo_open(&o, NULL) == 0) {
 *         ordo_time a = ordo_get_time(&o);
 *         ordo_time b = ordo_new_time(&o, a);      // every core's clock has passed a
 *         assert(ordo_cmp_time(&o, b, a) == 1);    // 1 later, -1 earlier, 0 cannot be known
 *         ordo_close(&o);
 *     }
 *
 * Everything rests on one lemma: a read that happens after a read x, on any covered CPU, returns at least x - B. Proof:
 * let t be the true time, which does not run backwards. Let x = t + s be read on one CPU, and let the clock of the CPU
 * of the later read show t + s'. For any two CPUs |s - s'| <= B. Therefore the later read returns at least x + s' - s,
 * and this is >= x - B.
 *
 * The lemma compares moments of reads. For memory accesses it holds only if the reads are ordered with the accesses:
 *
 * - Let x be a read that is ordered after an access e of its thread (ordo_get_time, ordo_get_time_after; if e is a
 *   store, one of the two _full). If a read y on any CPU happened before e was performed, then x >= y - B, because y
 *   happened before e, and e before x. Example: e is a load that sees a value stored after y.
 * - Let x be a read that is ordered before an access f of its thread (ordo_get_time, ordo_get_time_full,
 *   ordo_get_time_before; also ordo_get_time_after if f stores a value made of x). If a read y on any CPU happens after
 *   f was performed, then y >= x - B, because x happened before f, and f before y. Example: y is itself ordered after a
 *   load that sees the value stored by f.
 *
 * If a read does not order one of these sides, the claim about that side does not hold. ordo(3) has a table of uses and
 * the read that each one needs.
 *
 * Any number of threads may read a `struct ordo`; open and close must not be concurrent with other calls on the same
 * handle. A handle never changes its boundary: if ordo_status returns SUPERSEDED, open the new record at a moment when
 * no times are in use. A handle is valid on the CPUs on which the opening thread was allowed to run.
 *
 * This header includes two headers with other kinds of handles: handles with a smaller boundary for a part of the CPUs
 * (scope.h), and handles for clocks that are corrected by their known offsets (corrected.h).
 */
#ifndef ORDO_ORDO_H
#define ORDO_ORDO_H

#include <poll.h>

#include <ordo/clock.h>
#include <ordo/error.h>
#include <ordo/record.h>
#include <ordo/version.h>

/** A moment, in ticks of the clock that read it. It is a struct so that `a < b` does not compile: compare times of
 * different cores only with ordo_cmp_time. */
typedef struct {
    uint64_t ticks;
} ordo_time;

/** A handle of a record, 64 bytes. A handle of all zeros (unopened, refused or closed) is infinitely uncertain: every
 * comparison returns 0, so it orders nothing. */
struct ordo {
    uint64_t not_boundary; /* complement of the boundary in ticks: 0 means an infinite boundary */
    uint64_t tick_hz;
    uint64_t flags;
    uint64_t generation;
    const struct ordo_record *record; /* mapped; NULL for a constant boundary */
    uint64_t record_bytes;
    const int64_t *corrections; /* NULL, except in a struct ordo_corrected (corrected.h) */
    uint64_t reserved[1];
#ifdef __cplusplus
    class clock; /* <ordo/ordo.hpp>, C++20 */
    class time;
    class error;
#endif
};
ORDO_STATIC_ASSERT(sizeof(void *) != 8 || sizeof(struct ordo) == 64, "one cache line");

/** Initialises a handle with a boundary that is compiled in, without a file and without opening (`ordo calibrate
 * --emit-header FILE` writes such a boundary). The program vouches that it runs on the machine of that boundary. With a
 * boundary of 0 the handle orders nothing. */
#define ORDO_INIT(boundary_ticks, tick_hz)                                                                             \
    {                                                                                                                  \
        (boundary_ticks) ? ~(uint64_t)(boundary_ticks) : 0, (tick_hz), 0, 0, NULL, 0, NULL,                            \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

enum ordo_status {
    ORDO_STATUS_CLOSED = 0,     /* the handle is not open: it orders nothing */
    ORDO_STATUS_VALID = 1,      /* the record is valid */
    ORDO_STATUS_SUPERSEDED = 2, /* a newer record exists: reopen when no times are in use */
    ORDO_STATUS_DISRUPTED = 3,  /* the clocks differ by more than the boundary, or stood still: stop using it */
    ORDO_STATUS_CONSTANT = 4    /* the boundary is compiled in: no record is watched */
};

/* A function that makes one kind of handle from a record: it sets the boundary and the other fields of that kind, or
 * refuses the record for the calling thread. */
typedef int ordo_open_kind(struct ordo *o, const struct ordo_record_view *view, const void *wish,
                           struct ordo_error *error);

/* Sets the boundary of all CPUs of the record, for a thread that runs on these CPUs only. */
static inline int ordo_open_whole(struct ordo *o, const struct ordo_record_view *view, const void *wish,
                                  struct ordo_error *error)
{
    (void)wish;
    o->not_boundary = ~view->head.boundary_ticks;
    return ordo_record_applies(view, error);
}

/* Makes one attempt to open a record, for ordo_open_as. */
static inline int ordo_open_once(struct ordo *o, const char *path, ordo_open_kind *kind, const void *wish,
                                 struct ordo_error *error)
{
    const void *bytes = NULL;
    size_t count = 0;
    struct ordo_record_view view;
    int code = ordo_record_map(path, &bytes, &count, error);
    if (code)
        return code;
    code = ordo_record_parse(bytes, count, &view);
    if (code) {
        (void)ordo_record_refuse(error, code, 0, path);
    } else {
        o->tick_hz = view.head.tick_hz;
        o->flags = view.head.flags;
        o->generation = view.head.generation;
        o->record = (const struct ordo_record *)bytes;
        o->record_bytes = count;
        code = kind(o, &view, wish, error);
    }
    if (code) {
        (void)munmap((void *)(uintptr_t)bytes, count);
        memset(o, 0, sizeof *o);
    }
    return code;
}

/* Opens a record as this kind of handle. */
static inline int ordo_open_as(struct ordo *o, const char *path, ordo_open_kind *kind, const void *wish,
                               struct ordo_error *error)
{
    enum { ATTEMPTS = 20 };
    char buffer[1024];
    int code = ORDO_E_SUPERSEDED, attempt;
    memset(o, 0, sizeof *o);
    path = ordo_record_find(path, buffer, sizeof buffer);
    /* A publisher marks a record superseded a moment before the new record replaces it. Therefore try again, for 20 ms
     * in all. */
    for (attempt = 0; attempt < ATTEMPTS && code == ORDO_E_SUPERSEDED; attempt++) {
        if (attempt > 0)
            (void)poll(NULL, 0, 1);
        code = ordo_open_once(o, path, kind, wish, error);
    }
    return code;
}

/** Reads the boundary record (`path`, or NULL to search: see ordo_record_find) into `*o`.
 *
 * A record that an operator forced (`ordo calibrate --force`) is opened like any other, because the operator has
 * decided for all programs that read it. In such a handle ordo_flags contains ORDO_FLAG_FORCED, and ordo_trust returns
 * the class of the clock. A program that can fall back on another clock should check that flag. ordo_open_vouched
 * refuses all classes except ORDO_TRUST_VOUCHED.
 *
 * Returns 0, or the negative code of the first fault of the record; `*o` then orders nothing. If a record is refused,
 * the search does not continue with another record. `error` may be NULL. Close an open handle before you open it
 * again. */
ORDO_INLINE int ordo_open_error(struct ordo *o, const char *path, struct ordo_error *error)
{
    return ordo_open_as(o, path, ordo_open_whole, NULL, error);
}

/** Opens as ordo_open_error, for callers that need only the code. ordo_strerror returns its meaning and a remedy. */
ORDO_INLINE int ordo_open(struct ordo *o, const char *path)
{
    return ordo_open_error(o, path, NULL);
}

/* Sets the boundary of all CPUs if the kernel vouches for the record's clock. */
static inline int ordo_open_vouched_whole(struct ordo *o, const struct ordo_record_view *view, const void *wish,
                                          struct ordo_error *error)
{
    int trust = ordo_trust_of_flags(view->head.flags);
    if (trust != ORDO_TRUST_VOUCHED)
        return ordo_record_refuse(error, ORDO_E_TRUST, 0, ordo_trust_word(trust));
    return ordo_open_whole(o, view, wish, error);
}

/** Opens as ordo_open_error, but only if the kernel lists the record's clock as a clock source. Returns 0, the codes of
 * ordo_open_error, or
 *
 * - ORDO_E_TRUST: the record's class is not ORDO_TRUST_VOUCHED; the error's text names the class. */
ORDO_INLINE int ordo_open_vouched(struct ordo *o, const char *path, struct ordo_error *error)
{
    return ordo_open_as(o, path, ordo_open_vouched_whole, NULL, error);
}

/** Releases the record. The handle orders nothing afterwards; closing it again does nothing. */
ORDO_INLINE void ordo_close(struct ordo *o)
{
    if (o->record)
        (void)munmap((void *)(uintptr_t)o->record, (size_t)o->record_bytes);
    memset(o, 0, sizeof *o);
}

/** Returns the time now. Earlier loads are performed before the clock is read, and later accesses after it; earlier
 * stores may become visible after the clock is read. The times of one thread do not decrease, except when the thread
 * migrates to another CPU; then they decrease by at most the boundary. */
ORDO_INLINE ordo_time ordo_get_time(const struct ordo *o)
{
    ordo_time now = {ordo_clock_read()};
    (void)o;
    return now;
}

/** Returns the time now, ordered as ordo_get_time, but earlier stores are also performed before the clock is read. Use
 * it in a thread that announces itself in memory and then reads the clock. (No C11 order has this effect, because a
 * counter read is not an access to memory.) */
ORDO_INLINE ordo_time ordo_get_time_full(const struct ordo *o)
{
    ordo_time now = {ordo_clock_read_full()};
    (void)o;
    return now;
}

/** Returns the time now, ordered after earlier loads only: they are performed before the clock is read. Later accesses
 * may be performed before it is read, except a store of a value made of the time, and accesses ordered behind that
 * store (for example by a store-release). Costs about half as much as ordo_get_time. The time is not less than any
 * earlier time of the same thread, unless the thread migrates to another CPU. */
ORDO_INLINE ordo_time ordo_get_time_after(const struct ordo *o)
{
    ordo_time now = {ordo_clock_read_after()};
    (void)o;
    return now;
}

/** Returns the time now, ordered as ordo_get_time_after, but earlier stores are also performed before the clock is
 * read. Use it in a thread that announces itself in memory, reads the clock, and then publishes nothing before it
 * stores a value made of this time. */
ORDO_INLINE ordo_time ordo_get_time_after_full(const struct ordo *o)
{
    ordo_time now = {ordo_clock_read_after_full()};
    (void)o;
    return now;
}

/** Returns the time now, ordered before later accesses only: they start after the clock is read. Earlier accesses may
 * still be in flight. The time may therefore be less, by more than the boundary, than a time that this thread has just
 * loaded. It may also be less than the result of a preceding ordo_get_time_after. Costs about half as much as
 * ordo_get_time. */
ORDO_INLINE ordo_time ordo_get_time_before(const struct ordo *o)
{
    ordo_time now = {ordo_clock_read_before()};
    (void)o;
    return now;
}

/** Returns the time now, uncorrected, and ordered with no access: for callers that order the read themselves. */
ORDO_INLINE ordo_time ordo_get_time_relaxed(const struct ordo *o)
{
    ordo_time now = {ordo_clock_relaxed()};
    (void)o;
    return now;
}

/** Compares two times. 1: a is certainly later than b; -1: certainly earlier; 0: cannot be known.
 *
 * Why 1 is correct: a - b > B. If b had been read after a, the lemma would give b >= a - B, a contradiction. The times
 * are compared before they are subtracted, so the result is exact over the whole range, sentinels near 0 and 2^64
 * included. */
ORDO_INLINE int ordo_cmp_time(const struct ordo *o, ordo_time a, ordo_time b)
{
    uint64_t boundary = ~o->not_boundary;
    if (a.ticks > b.ticks)
        return a.ticks - b.ticks > boundary;
    return -(b.ticks - a.ticks > boundary);
}

/** Waits until now > t + B and returns now, which is certainly later than t; every core's clock has then passed t.
 *
 * Argument: now > t + B on this CPU, so every CPU's clock shows at least now - B > t. A later read on another CPU
 * returns more than t, but ordo_cmp_time may return 0 for this read and t. If it must return 1, pass t + B
 * (ordo_time_add) instead of t, so that the call waits until now > t + 2B.
 *
 * `t` must have been returned by a clock, and the handle must be open; otherwise the call waits forever
 * (ordo_try_new_time does not). If `t` is the current time, the call takes about B, at most 2B. Orders memory as
 * ordo_get_time. */
ORDO_INLINE ordo_time ordo_new_time(const struct ordo *o, ordo_time t)
{
    ordo_time now = ordo_get_time(o);
    while (ordo_cmp_time(o, now, t) != 1) {
        ordo_clock_pause();
        now = ordo_get_time(o);
    }
    return now;
}

/** Returns t + `ticks`; the largest time if the sum does not fit. */
ORDO_INLINE ordo_time ordo_time_add(ordo_time t, uint64_t ticks)
{
    t.ticks = t.ticks > UINT64_MAX - ticks ? UINT64_MAX : t.ticks + ticks;
    return t;
}

/** Returns the status of the record, which says whether the handle may still be trusted: enum ordo_status. It costs one
 * load, so call it as often as you like. A status word with an unknown value counts as DISRUPTED. */
ORDO_INLINE int ordo_status(const struct ordo *o)
{
    uint64_t word;
    if (!o->record)
        return o->not_boundary ? ORDO_STATUS_CONSTANT : ORDO_STATUS_CLOSED;
    /* Relaxed: the word carries no other data with it. */
    word = __atomic_load_n(&o->record->status, __ATOMIC_RELAXED);
    return word == ORDO_RECORD_VALID        ? ORDO_STATUS_VALID
           : word == ORDO_RECORD_SUPERSEDED ? ORDO_STATUS_SUPERSEDED
                                            : ORDO_STATUS_DISRUPTED;
}

/** Makes one step of ordo_new_time, without waiting. Returns
 *
 * - 0: `*out` is certainly later than t;
 * - ORDO_LATER: call again;
 * - ORDO_E_INVALID: ordo_new_time would wait forever, because the handle is not open, or because t is more than 2^32
 *   ticks + B ahead, so that no clock can have returned it;
 * - ORDO_E_DISRUPTED: the record was withdrawn. */
ORDO_INLINE int ordo_try_new_time(const struct ordo *o, ordo_time t, ordo_time *out)
{
    uint64_t boundary = ~o->not_boundary;
    int status = ordo_status(o);
    ordo_time now;
    if (status == ORDO_STATUS_CLOSED)
        return ORDO_E_INVALID;
    if (status == ORDO_STATUS_DISRUPTED)
        return ORDO_E_DISRUPTED;
    now = ordo_get_time(o);
    if (ordo_cmp_time(o, now, t) == 1) {
        *out = now;
        return ORDO_OK;
    }
    if (t.ticks > now.ticks && t.ticks - now.ticks > boundary && t.ticks - now.ticks - boundary > UINT64_C(1) << 32)
        return ORDO_E_INVALID;
    return ORDO_LATER;
}

/** Returns ORDO_BOUNDARY in ticks; UINT64_MAX, an infinite boundary, for a handle that orders nothing. */
ORDO_INLINE uint64_t ordo_boundary(const struct ordo *o)
{
    return ~o->not_boundary;
}

/** Returns ORDO_FLAG_* of the record. */
ORDO_INLINE uint64_t ordo_flags(const struct ordo *o)
{
    return o->flags;
}

/** Returns the class of trust in the clock: enum ordo_trust_class. The class is ORDO_TRUST_NONE if the handle orders
 * nothing, if its boundary is compiled in, or if its record was forced and does not state a class. The classes FAULTED
 * and INCAPABLE imply that an operator forced the record, as ORDO_FLAG_FORCED does. */
ORDO_INLINE int ordo_trust(const struct ordo *o)
{
    return o->record ? ordo_trust_of_flags(o->flags) : ORDO_TRUST_NONE;
}

/** Returns the measured ticks per second; 0 if unknown. For display only: ordering does not need the rate. */
ORDO_INLINE uint64_t ordo_tick_hz(const struct ordo *o)
{
    return o->tick_hz;
}

/** Returns the nanoseconds in a span of `ticks`, rounded down, saturating; 0 if the rate is unknown. */
ORDO_INLINE uint64_t ordo_ticks_to_ns(const struct ordo *o, uint64_t ticks)
{
    return ordo_record_ticks_to_ns(ticks, o->tick_hz);
}

/** Returns the ticks that cover a span of `ns`, rounded up, saturating; 0 if the rate is unknown. */
ORDO_INLINE uint64_t ordo_ns_to_ticks(const struct ordo *o, uint64_t ns)
{
    uint64_t seconds = ns / 1000000000u;
    uint64_t rest = (ns % 1000000000u * o->tick_hz + 999999999u) / 1000000000u;
    if (o->tick_hz && seconds > (UINT64_MAX - rest) / o->tick_hz)
        return UINT64_MAX;
    return seconds * o->tick_hz + rest;
}

#include <ordo/scope.h>

#include <ordo/corrected.h>

#endif
