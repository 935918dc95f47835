/* Ordo: order events on many cores by their hardware clocks.
 *
 * Clocks of different cores disagree, by at most the boundary B that `ordo calibrate` measured and
 * published. After S. Kashyap et al., "A Scalable Ordering Primitive for Multicore Machines", EuroSys 2018.
 *
 *     struct ordo o;
 *     if (ordo_open(&o, NULL) == 0) {
 *         ordo_time a = ordo_get_time(&o);
 *         ordo_time b = ordo_new_time(&o, a);      // every core's clock has passed a
 *         assert(ordo_cmp_time(&o, b, a) == 1);    // 1 later, -1 earlier, 0 cannot be known
 *         ordo_close(&o);
 *     }
 *
 * Everything rests on one lemma: a read that happens after a read x, on any covered CPU, returns at
 * least x - B. Let t be a true clock, and let one CPU's clock show t + s and another's t + s'. |s - s'| <= B for any
 * two CPUs, and t does not run backwards. Therefore the later read shows at least x + s' - s >= x - B.
 *
 * The lemma compares moments of reads. For events it holds only as far as a read is ordered with them:
 *
 *  - A read x that is ordered after an access e of its thread (ordo_get_time, ordo_get_time_after; if e is a store, the
 *    two _full): a read y, anywhere, that happened before e was performed is not certainly later: x >= y - B, because y
 *    happened before e, and e before x. An example is a load e that sees a value stored after y.
 *  - A read x that is ordered before an access f of its thread (ordo_get_time, ordo_get_time_full,
 *    ordo_get_time_before; ordo_get_time_after too if f stores a value made of x): a read y, anywhere, that happens
 *    after f was performed is not certainly earlier: y >= x - B, because x happened before f, and f before y. An
 *    example is a y that is itself ordered after a load that sees the value stored by f.
 *
 * On a side that a read does not order, the corresponding claim does not hold. ordo(3) has a table of uses and the read
 * that each one needs.
 *
 * Any number of threads may read a `struct ordo`; open and close must not be concurrent with other calls on the same
 * handle. A handle keeps its boundary: if ordo_status returns SUPERSEDED, open the new record at a moment when no times
 * are in use. A handle holds for the CPUs that the opening thread could run on.
 *
 * Two more ways to open a record have headers of their own, which this one includes: a smaller boundary for a part of
 * the CPUs (scope.h), and clocks that are corrected by their known offsets (corrected.h).
 */
#ifndef ORDO_ORDO_H
#define ORDO_ORDO_H

#include <poll.h>

#include <ordo/clock.h>
#include <ordo/error.h>
#include <ordo/record.h>
#include <ordo/version.h>

/** A moment, in ticks of the clock that read it; a struct, so that `a < b` does not compile: compare two times of two
 * cores with ordo_cmp_time, or not at all. */
typedef struct {
    uint64_t ticks;
} ordo_time;

/** State of a reader, 64 bytes. If all zero (unopened, refused, closed) it is infinitely uncertain: every comparison
 * returns 0, so it orders nothing. */
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

/** A handle with a boundary compiled in (`ordo calibrate --emit-header FILE` writes one): no file, no open. The program
 * vouches that it runs on the machine of that boundary. A boundary of 0 orders nothing. */
#define ORDO_INIT(boundary_ticks, tick_hz)                                                                             \
    {                                                                                                                  \
        (boundary_ticks) ? ~(uint64_t)(boundary_ticks) : 0, (tick_hz), 0, 0, NULL, 0, NULL,                            \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

enum ordo_status {
    ORDO_STATUS_CLOSED = 0,     /* unopened or refused: orders nothing */
    ORDO_STATUS_VALID = 1,      /* the record holds */
    ORDO_STATUS_SUPERSEDED = 2, /* a newer record exists: reopen when no times are in use */
    ORDO_STATUS_DISRUPTED = 3,  /* the clocks disagree by more than the boundary, or stood still: stop using it */
    ORDO_STATUS_CONSTANT = 4    /* compiled in: no record is watched */
};

/* Makes one kind of handle of a record: sets the boundary and the other fields of that kind, or refuses the record for
 * the calling thread. */
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

/* Makes one attempt of ordo_open_as. */
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
    /* A record is marked superseded a moment before the new one takes its place: try again, for 20 ms in all. */
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
 * decided for all programs that read it. The handle says so: ordo_flags has ORDO_FLAG_FORCED, and ordo_trust is the
 * class of the clock. A program with another clock to fall back on should check that flag; ordo_open_vouched refuses
 * all classes except one.
 *
 * Returns 0, or the negative code of the first fault of the record, and then `*o` orders nothing. A refused record is
 * never skipped for another. `error` may be NULL. A handle that is open must be closed first. */
ORDO_INLINE int ordo_open_error(struct ordo *o, const char *path, struct ordo_error *error)
{
    return ordo_open_as(o, path, ordo_open_whole, NULL, error);
}

/** Opens as ordo_open_error, for callers that need only the code; ordo_strerror has the remedy. */
ORDO_INLINE int ordo_open(struct ordo *o, const char *path)
{
    return ordo_open_error(o, path, NULL);
}

/* Sets the boundary of all CPUs, of a record whose clock the kernel vouches for. */
static inline int ordo_open_vouched_whole(struct ordo *o, const struct ordo_record_view *view, const void *wish,
                                          struct ordo_error *error)
{
    int trust = ordo_trust_of_flags(view->head.flags);
    if (trust != ORDO_TRUST_VOUCHED)
        return ordo_record_refuse(error, ORDO_E_TRUST, 0, ordo_trust_word(trust));
    return ordo_open_whole(o, view, wish, error);
}

/** Opens as ordo_open_error, for programs that rely on a clock only if the kernel lists it as a clock source.
 *
 * Returns, besides the codes of ordo_open_error,
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

/** Returns the time now. Earlier loads are performed before the clock is read, and nothing later starts before it is
 * read; earlier stores may become visible after it. Within one thread times do not decrease unless the thread migrates
 * to another CPU; then they decrease by at most the boundary. */
ORDO_INLINE ordo_time ordo_get_time(const struct ordo *o)
{
    ordo_time now = {ordo_clock_read()};
    (void)o;
    return now;
}

/** Returns the time now, with earlier loads and stores performed before the clock is read: for a thread that announces
 * itself in memory and then takes its time. (No C11 order has this effect, because a counter read is not an access to
 * memory.) */
ORDO_INLINE ordo_time ordo_get_time_full(const struct ordo *o)
{
    ordo_time now = {ordo_clock_read_full()};
    (void)o;
    return now;
}

/** Returns the time now, ordered after earlier loads only: they are performed before the clock is read. Later accesses
 * may be performed before it is read, except for a store of a value made of the time, and accesses ordered behind that
 * store (by a store-release, say). About half the price of ordo_get_time. Within one thread the time is not less than
 * that of any read before it, unless the thread migrates to another CPU. */
ORDO_INLINE ordo_time ordo_get_time_after(const struct ordo *o)
{
    ordo_time now = {ordo_clock_read_after()};
    (void)o;
    return now;
}

/** Returns ordo_get_time_after, with earlier stores performed before the clock is read, too: for a thread that
 * announces itself in memory, takes its time, and publishes nothing before the store of a value made of this time. */
ORDO_INLINE ordo_time ordo_get_time_after_full(const struct ordo *o)
{
    ordo_time now = {ordo_clock_read_after_full()};
    (void)o;
    return now;
}

/** Returns the time now, ordered before later accesses only: none starts before the clock is read. Earlier accesses may
 * still be under way. The time may therefore be less, by more than the boundary, than a time that this thread has just
 * loaded, and less than that of an ordo_get_time_after just before it. About half the price of ordo_get_time. */
ORDO_INLINE ordo_time ordo_get_time_before(const struct ordo *o)
{
    ordo_time now = {ordo_clock_read_before()};
    (void)o;
    return now;
}

/** Returns the time now, ordered with nothing and uncorrected: for callers that order it themselves. */
ORDO_INLINE ordo_time ordo_get_time_relaxed(const struct ordo *o)
{
    ordo_time now = {ordo_clock_relaxed()};
    (void)o;
    return now;
}

/** Compares two times. 1: a is certainly later than b; -1: certainly earlier; 0: cannot be known.
 *
 * Argument for 1: a - b > B. If b had been read after a, the lemma would give b >= a - B. The times are compared first
 * and subtracted then, so the result is exact over the whole range, sentinels near 0 and 2^64 included. */
ORDO_INLINE int ordo_cmp_time(const struct ordo *o, ordo_time a, ordo_time b)
{
    uint64_t boundary = ~o->not_boundary;
    if (a.ticks > b.ticks)
        return a.ticks - b.ticks > boundary;
    return -(b.ticks - a.ticks > boundary);
}

/** Waits until now > t + B and returns now, which is certainly later than t; every core's clock has then passed t.
 *
 * Argument: now > t + B on this CPU, so every CPU's clock shows at least now - B > t. A later read elsewhere is > t,
 * but not *certainly* later (cmp 1): for certainty wait for now > t + 2B, that is, pass t + B (ordo_time_add). `t` must
 * have been returned by a clock, and the handle must be open: otherwise this waits for ever (ordo_try_new_time does
 * not). For a time of this moment it takes about B, at most 2B. Orders memory as ordo_get_time. */
ORDO_INLINE ordo_time ordo_new_time(const struct ordo *o, ordo_time t)
{
    ordo_time now = ordo_get_time(o);
    while (ordo_cmp_time(o, now, t) != 1) {
        ordo_clock_pause();
        now = ordo_get_time(o);
    }
    return now;
}

/** Returns the time `ticks` after t, saturating at the end of time. */
ORDO_INLINE ordo_time ordo_time_add(ordo_time t, uint64_t ticks)
{
    t.ticks = t.ticks > UINT64_MAX - ticks ? UINT64_MAX : t.ticks + ticks;
    return t;
}

/** Returns whether the handle may still be trusted: enum ordo_status. One load; call it as often as you like. A word
 * that is none of the three known ones counts as DISRUPTED. */
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
 * - ORDO_E_INVALID: ordo_new_time would wait for ever, because the handle is unopened or refused, or because t is more
 *   than 2^32 ticks + B ahead, and no clock can have returned it;
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

/** Returns the class of trust in the clock: enum ordo_trust_class. ORDO_TRUST_NONE for a handle that orders nothing,
 * for a boundary that was compiled in, and for a forced record that does not state its class. FAULTED and INCAPABLE
 * mean that an operator forced the record, as ORDO_FLAG_FORCED does. */
ORDO_INLINE int ordo_trust(const struct ordo *o)
{
    return o->record ? ordo_trust_of_flags(o->flags) : ORDO_TRUST_NONE;
}

/** Returns the ticks per second, as measured; 0 if unknown. For display: ordering does not need it. */
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
