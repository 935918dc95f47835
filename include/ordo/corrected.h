/* Corrected clocks: the known part of the clocks' offsets is removed from the times, and the boundary covers only the
 * rest.
 *
 * If sockets came out of reset at different counts, or firmware wrote one counter later than another, the boundary
 * is mostly that offset, although the offset is constant and known. Calibration therefore finds for each CPU c a
 * correction k_c, a whole number of ticks, such that
 *
 *     B' = max over writers i and readers j of  delta_ij + k_j - k_i,   plus granule and margin
 *
 * is as small as corrections can make it: the largest mean of the deltas along any cycle, rounded up (lib/calibrate/
 * bound/cycle.h has the argument). A time is corrected when it is read, t' = t + k_c for the CPU c that read t. If a
 * read Y happens after a read X, the measured deltas guarantee for their corrected times that t'(Y) >= t'(X) - B'.
 *
 *     struct ordo_corrected c;
 *     if (ordo_open_corrected(&c, NULL, NULL) == 0) {
 *         ordo_corrected_time a = ordo_get_time_corrected(&c);
 *         ordo_corrected_time b = ordo_new_time_corrected(&c, a);
 *         assert(ordo_cmp_time_corrected(&c, b, a) == 1);
 *         ordo_close_corrected(&c);
 *     }
 *
 * Why the correction belongs to the CPU that read the clock: RDTSCP delivers the counter and IA32_TSC_AUX in one
 * instruction, and no interrupt, and therefore no migration, comes between the two (Intel SDM vol. 2B, RDTSCP). Linux
 * keeps (node << 12 | cpu) in that register on every CPU whose CPUID offers RDTSCP. Opening a handle checks CPUID, and
 * compares the register with the answer of the system call getcpu. Machines without such an instruction are refused.
 * Reading the CPU's number, then the clock, then the number again would prove nothing, because the thread may have
 * migrated to another CPU for the read of the clock and returned.
 *
 * Never compare a corrected time with a plain time, because they differ by the correction. The two have different
 * types, and the calls for corrected times take a different handle. Pass &c.handle to a component that takes a `const
 * struct ordo *` only to watch the record (the stamps of cc/). The component checks ORDO_FLAG_CORRECTED.
 */
#ifndef ORDO_CORRECTED_H
#define ORDO_CORRECTED_H

#include <ordo/ordo.h>

/** A moment in corrected ticks. */
typedef struct {
    uint64_t ticks;
} ordo_corrected_time;

/** A handle for corrected times. A handle of all zeros orders nothing. The member `handle` is for calls that take no
 * time: ordo_status, ordo_boundary (of corrected times), ordo_flags, ordo_tick_hz, ordo_ticks_to_ns. Never pass
 * `handle` to ordo_get_time, ordo_cmp_time, ordo_new_time or ordo_close. */
struct ordo_corrected {
    struct ordo handle;
};

/** Initialises a handle with a boundary and corrections that the program provides and vouches for: `table` has
 * ORDO_CORRECTED_CPUS entries and lives as long as the handle. The macro checks nothing. */
#define ORDO_CORRECTED_INIT(boundary_ticks, tick_hz, table)                                                            \
    {                                                                                                                  \
        {                                                                                                              \
            (boundary_ticks) ? ~(uint64_t)(boundary_ticks) : 0, (tick_hz), ORDO_FLAG_CORRECTED, 0, NULL, 0, (table),   \
            {                                                                                                          \
                0                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

/* Checks that the clock's CPU number equals the kernel's. Reads the number before and after the system call, and tries
 * again if the three numbers are not equal, because the thread may have migrated in between. */
static inline int ordo_corrected_check_cpu(struct ordo_error *error)
{
#if defined ORDO_CLOCK_KNOWS_CPU && defined ORDO_CLOCK_GETCPU
    enum { TRIES = 100 };
    unsigned before = 0, after = 0, kernel = 0, tries;
    char object[96];
    if (!ordo_clock_names_cpu())
        return ordo_record_refuse(error, ORDO_E_CLOCK, 0,
                                  ORDO_CLOCK_NAME ": CPUID offers no RDTSCP: no corrected times here");
    for (tries = 0; tries < TRIES; tries++) {
        (void)ordo_clock_read_cpu(&before);
        if (ordo_clock_getcpu(ORDO_CLOCK_GETCPU, &kernel, NULL, NULL) != 0)
            return ordo_record_refuse(error, ORDO_E_SYSTEM, errno, "getcpu");
        (void)ordo_clock_read_cpu(&after);
        if (before == after && before == kernel)
            return ORDO_OK;
    }
    (void)snprintf(object, sizeof object, "rdtscp names cpu %u where getcpu says cpu %u: no corrected times here",
                   before, kernel);
    return ordo_record_refuse(error, ORDO_E_CLOCK, 0, object);
#elif defined ORDO_CLOCK_KNOWS_CPU
    (void)error; /* an embedder's clock: the embedder vouches for it */
    return ORDO_OK;
#else
    return ordo_record_refuse(error, ORDO_E_CLOCK, 0,
                              ORDO_CLOCK_NAME ": no instruction reads it together with the CPU's number");
#endif
}

/* Finds the corrections in a record. Checks that the clock can deliver the number of every covered CPU. */
static inline int ordo_corrected_find(const struct ordo_record_view *view, const struct ordo_corrections **found)
{
    const void *part = NULL;
    size_t bytes = 0, i;
    int code = ordo_record_part(view, ORDO_PART_CORRECTIONS, &part, &bytes);
    *found = (const struct ordo_corrections *)part;
    if (code)
        return code;
    if (bytes != sizeof **found || !ordo_record_all_zero((*found)->zero, sizeof(*found)->zero) ||
        (*found)->boundary_ticks >> 62)
        return ORDO_E_MALFORMED;
    for (i = 0; i < ORDO_CORRECTED_CPUS; i++)
        if ((*found)->ticks[i] < 0 || (*found)->ticks[i] >> 62)
            return ORDO_E_MALFORMED;
    return (*found)->boundary_ticks ? ORDO_OK : ORDO_E_BOUNDARY;
}

/* The ordo_open_kind of corrected times. */
static inline int ordo_corrected_open(struct ordo *o, const struct ordo_record_view *view, const void *wish,
                                      struct ordo_error *error)
{
    const struct ordo_corrections *found = NULL;
    int code = ordo_record_applies(view, error);
    (void)wish;
    if (code)
        return code;
    code = ordo_corrected_find(view, &found);
    if (code)
        return ordo_record_refuse(error, code, 0, "the corrections of the record");
    o->not_boundary = ~found->boundary_ticks;
    o->flags |= ORDO_FLAG_CORRECTED;
    o->corrections = found->ticks;
    return ordo_corrected_check_cpu(error);
}

/** Opens a record for corrected times, as ordo_open_error does for plain times. Returns 0, or a code of
 * ordo_open_error, or
 *
 * - ORDO_E_CLOCK: no instruction of this machine reads the clock together with the CPU's number (on x86-64 CPUID offers
 *   no RDTSCP), or the number differs from the kernel's;
 * - ORDO_E_UNMEASURED: the record has no corrections: not all pairs were measured, or a CPU's number is above 4095;
 * - ORDO_E_SYSTEM: getcpu is refused (a sandbox). */
ORDO_INLINE int ordo_open_corrected(struct ordo_corrected *c, const char *path, struct ordo_error *error)
{
    return ordo_open_as(&c->handle, path, ordo_corrected_open, NULL, error);
}

/** Releases the record. The handle orders nothing afterwards; closing it again does nothing. */
ORDO_INLINE void ordo_close_corrected(struct ordo_corrected *c)
{
    ordo_close(&c->handle);
}

/* Returns the time of this handle for a reading of the clock. A handle that is not open corrects nothing, and orders
 * nothing. */
static inline ordo_corrected_time ordo_corrected_of(const struct ordo *o, uint64_t ticks, unsigned cpu)
{
    ordo_corrected_time now;
    now.ticks = o->corrections ? ticks + (uint64_t)o->corrections[cpu] : ticks;
    return now;
}

/** Returns the corrected time now, ordered as ordo_get_time. The times of one thread do not decrease, except when the
 * thread migrates to another CPU; then they decrease by at most the boundary of corrected times. */
ORDO_INLINE ordo_corrected_time ordo_get_time_corrected(const struct ordo_corrected *c)
{
    unsigned cpu = 0;
#if defined ORDO_CLOCK_KNOWS_CPU
    uint64_t ticks = ordo_clock_read_cpu(&cpu);
#else
    uint64_t ticks = ordo_clock_read(); /* no correction: without _cpu reads no handle can be open */
#endif
    return ordo_corrected_of(&c->handle, ticks, cpu);
}

/** Returns the corrected time now, ordered as ordo_get_time_full. */
ORDO_INLINE ordo_corrected_time ordo_get_time_corrected_full(const struct ordo_corrected *c)
{
    unsigned cpu = 0;
#if defined ORDO_CLOCK_KNOWS_CPU
    uint64_t ticks = ordo_clock_read_full_cpu(&cpu);
#else
    uint64_t ticks = ordo_clock_read_full();
#endif
    return ordo_corrected_of(&c->handle, ticks, cpu);
}

/** Returns the corrected time now, ordered as ordo_get_time_after. There is no corrected ordo_get_time_before, because
 * RDTSCP waits for earlier loads by itself; ordo_get_time_corrected adds only the order of later accesses. */
ORDO_INLINE ordo_corrected_time ordo_get_time_corrected_after(const struct ordo_corrected *c)
{
    unsigned cpu = 0;
#if defined ORDO_CLOCK_KNOWS_CPU
    uint64_t ticks = ordo_clock_read_after_cpu(&cpu);
#else
    uint64_t ticks = ordo_clock_read_after();
#endif
    return ordo_corrected_of(&c->handle, ticks, cpu);
}

/** Returns the corrected time now, ordered as ordo_get_time_after_full. */
ORDO_INLINE ordo_corrected_time ordo_get_time_corrected_after_full(const struct ordo_corrected *c)
{
    unsigned cpu = 0;
#if defined ORDO_CLOCK_KNOWS_CPU
    uint64_t ticks = ordo_clock_read_after_full_cpu(&cpu);
#else
    uint64_t ticks = ordo_clock_read_after_full();
#endif
    return ordo_corrected_of(&c->handle, ticks, cpu);
}

/** Compares corrected times as ordo_cmp_time. 1: a is certainly later than b; -1: certainly earlier; 0: cannot be
 * known. */
ORDO_INLINE int ordo_cmp_time_corrected(const struct ordo_corrected *c, ordo_corrected_time a, ordo_corrected_time b)
{
    uint64_t boundary = ~c->handle.not_boundary;
    if (a.ticks > b.ticks)
        return a.ticks - b.ticks > boundary;
    return -(b.ticks - a.ticks > boundary);
}

/** Waits, as ordo_new_time, until every core's corrected clock has passed t. `t` must have been returned by a corrected
 * clock, and the handle must be open; otherwise the call waits forever. */
ORDO_INLINE ordo_corrected_time ordo_new_time_corrected(const struct ordo_corrected *c, ordo_corrected_time t)
{
    ordo_corrected_time now = ordo_get_time_corrected(c);
    while (ordo_cmp_time_corrected(c, now, t) != 1) {
        ordo_clock_pause();
        now = ordo_get_time_corrected(c);
    }
    return now;
}

#endif
