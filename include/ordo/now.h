/* The time of day as an interval in shared memory: [earliest, latest] contains the reference time (UTC).
 *
 *     struct ordo_now_handle h;
 *     struct ordo_error error;
 *     if (ordo_now_open(&h, NULL, &error) == 0) {
 *         struct ordo_now_interval now = ordo_now(&h);            // now.earliest_ns <= the reference time <= now.latest_ns
 *         if (ordo_now_before(&h, lease_end_ns))         // certainly not over yet
 *             serve();
 *         if (ordo_commit_wait(&h, now.latest_ns) == 0)  // this time is now past, on every host
 *             acknowledge();
 *         ordo_now_close(&h);
 *     }
 *
 * `ordo-timed publish` writes the page, by default /run/ordo/time. It proves the interval by probes to reference hosts.
 * A read makes no system call if the C library reads the clocks in user space (vDSO), as on x86-64, arm64 and riscv64.
 *
 * The page is one file, published by rename: a sealed head, and slots of 64 bytes. The writer fills each slot once, and
 * then increments `count`, so that a slot never changes while a reader can see it: readers need no lock and no retry. In
 * a full file the writer sets the status to SUPERSEDED after the next file has the name. Until the last slot is void,
 * the old file stays true, only wide: reopen at leisure. All fields are in the machine's byte order.
 *
 *     0  magic           "ORDOTIM\n"
 *     8  checksum        ordo_record_fold of bytes 40 .. 16384
 *    16  status          ORDO_RECORD_VALID, _SUPERSEDED or _DISRUPTED; only this word and `count` ever change
 *    24  layout          1. Magic, status and this field have the offsets of a boundary record
 *    28  zero            0
 *    32  count           number of filled slots, at least 1
 *    40  total_bytes     the file's size: 16384 + 64 * capacity
 *    48  generation      1 + the generation of the replaced file
 *    56  capacity        number of slots
 *    64  tick_hz         rate of the clock, for people
 *    72  tick_ns_32      ns per tick, in units of 2^-32, rounded down
 *    80  boot_id         of the kernel, 16 bytes
 *    96  as_of_ns        CLOCK_BOOTTIME when the file was made
 *   104  boundary        generation of the boundary record of the clock; 0: the operator promised the boundary
 *   112  boundary_ns     bound on the difference of the clock's readings between CPUs, contained in every slot
 *   120  clock           enum ordo_clock_id
 *   124  flags           ORDO_NOW_FLAG_*
 *   128  tool_version    of the writer, 16 bytes, NUL-padded
 *   144  vmclock         path of VMClock's page, 64 bytes, NUL-padded; empty: there is none
 *   208  reserved        0
 *  8192  cpus            bitmap of the covered CPUs: CPU c is bit c % 8 of byte c / 8
 * 16384  slots           struct ordo_now_slot
 *
 * Slot n (the first is 0): UTC is in [earliest_ns, latest_ns] when the clock of any covered CPU shows anchor_ticks.
 *
 *     0  anchor_ticks    reading of the clock
 *     8  earliest_ns     } UTC, ns since 1970 as CLOCK_REALTIME counts them
 *    16  latest_ns       }
 *    24  void_ticks      reading of the clock after which the slot says nothing
 *    32  wall_ns         CLOCK_REALTIME - CLOCK_MONOTONIC, outside of any time namespace
 *    40  rate            promised bound on |d (UTC - clock) / d clock|, in units of 2^-32, rounded up; equal in all slots
 *                        of a file
 *    44  sources         number of references that contributed
 *    48  marker          VMClock's disruption marker
 *    56  seal            ordo_now_seal of the words above, and of n
 *
 * Why a read is right, if the promises of the writer are kept (reference errors, liars, the clock's rate):
 *
 *   [T1] The slot is loaded before the clock is read, so that the reading x is not before the anchor, except by the
 *        difference of two CPUs' clocks, which the slot contains. In d nanoseconds of the clock since the anchor UTC
 *        advances by d (1 - rate) to d (1 + rate). A handle has the two products of these factors and of the duration of
 *        a tick. Rounding is outward.
 *   [T2] This needs a clock that ran on. In a suspend a counter may stop, and CLOCK_MONOTONIC_RAW does. The kernel adds
 *        the duration to CLOCK_REALTIME - CLOCK_MONOTONIC before any thread of a program runs again. NTP does not change
 *        this difference by steering; only a suspend, a step of CLOCK_REALTIME and another time namespace do. The two
 *        coarse clocks change at the same tick, so that their difference is exact if no tick came between the reads. A
 *        suspend needs an interrupt of this thread, which no execution out of order straddles. So it comes before x,
 *        and the check after x (in the order of the program) sees it; or after the check, and x is a moment within the
 *        call; or between, and the check sees it too. After a step the writer adds a slot with the new difference;
 *        until then the time is unknown. After a suspend it begins a new file.
 *        A step and a suspend also advance the coarse clocks, off the ticks. So while CLOCK_MONOTONIC_COARSE shows the
 *        value of an earlier check of this file, that check still holds: `tick_ns` remembers the value. With the
 *        kernel's clock, which a time namespace shifts, every read checks the difference itself.
 *   [T3] If a hypervisor stopped or moved the guest, it changes VMClock's marker before the guest runs again (the virtual
 *        machine clock of the kernel's uapi, vmclock-abi.h). Without VMClock no guest can see a pause in which its
 *        counter stops: the host must promise that it does not.
 *   [T4] Void after void_ticks, so that a killed writer is found out by the reader itself.
 *   [T5] The first barrier of the read orders it after earlier loads, and the last one before all later accesses.
 *
 * Any number of threads may read one handle. Open, reopen and close must not be concurrent with other calls on it. */
#ifndef ORDO_NOW_H
#define ORDO_NOW_H

#include <poll.h>

#include <ordo/clock.h>
#include <ordo/error.h>
#include <ordo/record.h>
#include <ordo/version.h>

#define ORDO_NOW_MAGIC "ORDOTIM\n"
#define ORDO_NOW_LAYOUT 1u
#define ORDO_NOW_PATH "/run/ordo/time"
#define ORDO_NOW_USER_PATH "/ordo/time" /* below $XDG_RUNTIME_DIR */
#define ORDO_NOW_HEAD_BYTES 16384u
#define ORDO_NOW_MOST_SLOTS 65536u
#define ORDO_NOW_VMCLOCK_MAGIC 0x4b4c4356u /* "VCLK", little-endian */

#define ORDO_NOW_FLAG_VMCLOCK 1u /* critical: a reader must watch the marker of the page `vmclock` */
#define ORDO_NOW_FLAGS_UNDERSTOOD ORDO_NOW_FLAG_VMCLOCK

/** The head of a page. */
struct ordo_now_head {
    unsigned char magic[8];
    uint64_t checksum;
    uint64_t status;
    uint32_t layout;
    uint32_t zero;
    uint64_t count;
    uint64_t total_bytes;
    uint64_t generation;
    uint64_t capacity;
    uint64_t tick_hz;
    uint64_t tick_ns_32;
    unsigned char boot_id[16];
    uint64_t as_of_ns;
    uint64_t boundary;
    uint64_t boundary_ns;
    uint32_t clock;
    uint32_t flags;
    char tool_version[16];
    char vmclock[64];
    unsigned char reserved[8192 - 208];
    unsigned char cpus[8192];
};

struct ordo_now_slot {
    uint64_t anchor_ticks;
    int64_t earliest_ns;
    int64_t latest_ns;
    uint64_t void_ticks;
    int64_t wall_ns;
    uint32_t rate;
    uint32_t sources;
    uint64_t marker;
    uint64_t seal;
};

ORDO_STATIC_ASSERT(sizeof(struct ordo_now_head) == ORDO_NOW_HEAD_BYTES, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_now_head, status) == 16, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_now_head, count) == 32, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_now_head, boot_id) == 80, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_now_head, clock) == 120, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_now_head, cpus) == 8192, "the layout is frozen");
ORDO_STATIC_ASSERT(sizeof(struct ordo_now_slot) == 64, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_now_slot, seal) == 56, "the layout is frozen");

/** What a reading says of itself. In all states but VALID and SUPERSEDED the time is unknown. */
enum ordo_now_status {
    ORDO_NOW_CLOSED = 0,     /* the handle is not open */
    ORDO_NOW_VALID = 1,      /* the interval contains the reference time */
    ORDO_NOW_SUPERSEDED = 2, /* likewise, but a newer file has narrower intervals: reopen */
    ORDO_NOW_DISRUPTED = 3,  /* the writer withdrew the page: a promise was broken. Reopen later */
    ORDO_NOW_VOID = 4,       /* the writer has not renewed the interval in time */
    ORDO_NOW_MOVED = 5,      /* the machine was suspended, or CLOCK_REALTIME was stepped, or this is another time
                              * namespace than at the opening */
    ORDO_NOW_MARKED = 6      /* VMClock's marker changed: a hypervisor moved or restored this guest */
};

/** The reference time, in ns since 1970. Unknown: [INT64_MIN, INT64_MAX], which orders nothing. */
struct ordo_now_interval {
    int64_t earliest_ns, latest_ns;
    int status; /* enum ordo_now_status */
};

/** A handle of a page. All zeros: closed. */
struct ordo_now_handle {
    const struct ordo_now_head *head; /* mapped; NULL: closed */
    const struct ordo_now_slot *slots;
    const unsigned char *vmclock; /* mapped; NULL: no VMClock */
    uint64_t bytes, vmclock_bytes;
    uint64_t capacity;
    uint64_t slow_32, fast_32; /* [T1] least and most ns of UTC per tick, in units of 2^-32 */
    int64_t shift_ns;          /* offset of this time namespace's CLOCK_MONOTONIC */
    uint64_t generation;
    uint64_t kernel;  /* not 0: the clock is CLOCK_MONOTONIC_RAW */
    uint64_t special; /* not 0: every reading makes all checks, because of the kernel's clock or of VMClock */
    int64_t tick_ns;  /* [T2] CLOCK_MONOTONIC_COARSE at the last check; 0: none. Any reader may set it */
    uint64_t checked; /* value of `count` whose last slot has been found sealed; 0: none. Any reader may set it */
};

/* Returns w rotated by `bits`, from 1 to 63. */
static inline uint64_t ordo_now_turn(uint64_t w, int bits)
{
    return w << bits | w >> (64 - bits);
}

/** Returns the seal of slot `number`. A change of a single word never escapes it. */
static inline uint64_t ordo_now_seal(const struct ordo_now_slot *slot, uint64_t number)
{
    uint64_t widths = (uint64_t)slot->rate << 32 | slot->sources;
    return (UINT64_C(0x6f72646f2d6e6f77) + number) ^ slot->anchor_ticks ^
           ordo_now_turn((uint64_t)slot->earliest_ns, 9) ^ ordo_now_turn((uint64_t)slot->latest_ns, 18) ^
           ordo_now_turn(slot->void_ticks, 27) ^ ordo_now_turn((uint64_t)slot->wall_ns, 36) ^
           ordo_now_turn(widths, 45) ^ ordo_now_turn(slot->marker, 54);
}

/* Returns ticks * tick_ns_32 / 2^32, rounded down; exact for every result below 2^63. */
static inline uint64_t ordo_now_ticks_to_ns(uint64_t ticks, uint64_t tick_ns_32)
{
    uint64_t high = tick_ns_32 >> 32, low = tick_ns_32 & 0xffffffffu;
    return ticks * high + (ticks >> 32) * low + ((ticks & 0xffffffffu) * low >> 32);
}

#if defined ORDO_RECORD_GETTIME
/* Returns the kernel's clock with this number of Linux's ABI. */
static inline int64_t ordo_now_kernel_ns(int clock)
{
    struct timespec now = {0, 0};
    (void)ORDO_RECORD_GETTIME(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + (int64_t)now.tv_nsec;
}
#else /* no such clocks: ordo_now_open refuses */
static inline int64_t ordo_now_kernel_ns(int clock)
{
    return clock;
}
#endif

/* Reads CLOCK_MONOTONIC_RAW, after earlier loads, as outside of any time namespace. Out of line, so that a read of the
 * counter pays only for the branch. */
static __attribute__((noinline, cold, unused)) uint64_t ordo_now_raw(const struct ordo_now_handle *h)
{
    ordo_monotonic_fence();
    return (uint64_t)(ordo_now_kernel_ns(4) - h->shift_ns);
}

/* Reads the page's clock, after earlier loads. */
static inline uint64_t ordo_now_ticks(const struct ordo_now_handle *h)
{
    return __builtin_expect(h->kernel != 0, 0) ? ordo_now_raw(h) : ordo_clock_read_after();
}

/* Returns CLOCK_MONOTONIC_COARSE. */
static inline int64_t ordo_now_tick_ns(void)
{
    return ordo_now_kernel_ns(6);
}

/* Checks [T2] itself: true if CLOCK_REALTIME - CLOCK_MONOTONIC is not the slot's. Remembers the tick of a success. */
static __attribute__((noinline, cold, unused)) int ordo_now_has_moved(const struct ordo_now_handle *h, int64_t wall_ns)
{
    int64_t tick_ns, real_ns;
    int attempt;
    for (attempt = 0; attempt < 8; attempt++) {
        tick_ns = ordo_now_tick_ns();
        real_ns = ordo_now_kernel_ns(5); /* CLOCK_REALTIME_COARSE */
        if (ordo_now_tick_ns() != tick_ns)
            continue; /* a tick came between */
        if (real_ns - tick_ns != wall_ns - h->shift_ns)
            return 1;
        /* Relaxed: the value alone is what readers compare [T2]. */
        __atomic_store_n((int64_t *)(uintptr_t)&h->tick_ns, tick_ns, __ATOMIC_RELAXED);
        return 0;
    }
    return 1;
}

/* Returns VMClock's disruption marker, as the device wrote it. */
static inline uint64_t ordo_now_marker(const unsigned char *vmclock)
{
    /* Relaxed: the marker carries no other data [T3]. */
    return __atomic_load_n((const uint64_t *)(const void *)(vmclock + 16), __ATOMIC_RELAXED);
}

static inline struct ordo_now_interval ordo_now_unknown(int status)
{
    struct ordo_now_interval now;
    now.earliest_ns = INT64_MIN;
    now.latest_ns = INT64_MAX;
    now.status = status;
    return now;
}

/* Makes all checks of a reading x of slot `count` - 1, and remembers those that succeed. Returns the status. */
static __attribute__((noinline, cold, unused)) int ordo_now_check(const struct ordo_now_handle *h, uint64_t count,
                                                                  uint64_t status, uint64_t x)
{
    const struct ordo_now_slot *slot = &h->slots[count - 1];
    if ((status != ORDO_RECORD_VALID && status != ORDO_RECORD_SUPERSEDED) ||
        slot->seal != ordo_now_seal(slot, count - 1))
        return ORDO_NOW_DISRUPTED;
    if (h->vmclock && ordo_now_marker(h->vmclock) != slot->marker)
        return ORDO_NOW_MARKED;
    if (x > slot->void_ticks)
        return ORDO_NOW_VOID;
    if (ordo_now_has_moved(h, slot->wall_ns))
        return ORDO_NOW_MOVED;
    /* Relaxed: the value alone is what readers compare; the slot is immutable. */
    __atomic_store_n((uint64_t *)(uintptr_t)&h->checked, count, __ATOMIC_RELAXED);
    return status == ORDO_RECORD_VALID ? ORDO_NOW_VALID : ORDO_NOW_SUPERSEDED;
}

/** Returns the reference time at a moment within this call. Earlier loads are performed before that moment, and later
 * accesses after it. Thread-safe and wait-free. */
ORDO_INLINE struct ordo_now_interval ordo_now(const struct ordo_now_handle *h)
{
    const struct ordo_now_slot *slot;
    struct ordo_now_interval now;
    uint64_t count, x, status, passed;
    int remembered;
    if (!h->head)
        return ordo_now_unknown(ORDO_NOW_CLOSED);
    /* Acquire: pairs with ordo_timed_page_add: the slot's words [T1]. */
    count = __atomic_load_n(&h->head->count, __ATOMIC_ACQUIRE);
    if (count - 1 >= h->capacity)
        return ordo_now_unknown(ORDO_NOW_DISRUPTED);
    slot = &h->slots[count - 1];
    x = ordo_now_ticks(h);
    /* All relaxed: none of these words carries other data. */
    status = __atomic_load_n(&h->head->status, __ATOMIC_RELAXED);
    remembered = status == ORDO_RECORD_VALID && x <= slot->void_ticks && !h->special &&
                 count == __atomic_load_n(&h->checked, __ATOMIC_RELAXED) &&
                 ordo_now_tick_ns() == __atomic_load_n(&h->tick_ns, __ATOMIC_RELAXED);
    ordo_monotonic_fence(); /* [T5] */
    now.status = __builtin_expect(remembered, 1) ? ORDO_NOW_VALID : ordo_now_check(h, count, status, x);
    if (__builtin_expect(now.status > ORDO_NOW_SUPERSEDED, 0))
        return ordo_now_unknown(now.status);
    passed = x > slot->anchor_ticks ? x - slot->anchor_ticks : 0;
    now.earliest_ns = slot->earliest_ns + (int64_t)ordo_now_ticks_to_ns(passed, h->slow_32) - 1;
    now.latest_ns = slot->latest_ns + (int64_t)ordo_now_ticks_to_ns(passed, h->fast_32) + 2;
    return now;
}

/** True if the reference time is certainly before t_ns. */
ORDO_INLINE int ordo_now_before(const struct ordo_now_handle *h, int64_t t_ns)
{
    return ordo_now(h).latest_ns < t_ns;
}

/** True if the reference time is certainly after t_ns, on every host. */
ORDO_INLINE int ordo_now_after(const struct ordo_now_handle *h, int64_t t_ns)
{
    return ordo_now(h).earliest_ns > t_ns;
}

/** Returns the word for a status: "closed", "valid", "superseded", "disrupted", "void", "moved" or "marked". */
static inline const char *ordo_now_word(int status)
{
    return status == ORDO_NOW_VALID        ? "valid"
           : status == ORDO_NOW_SUPERSEDED ? "superseded"
           : status == ORDO_NOW_DISRUPTED  ? "disrupted"
           : status == ORDO_NOW_VOID       ? "void"
           : status == ORDO_NOW_MOVED      ? "moved"
           : status == ORDO_NOW_MARKED     ? "marked"
                                           : "closed";
}

/* Returns the code of an unknown time. */
static inline int ordo_now_code(int status)
{
    return status == ORDO_NOW_VOID     ? ORDO_E_EXPIRED
           : status == ORDO_NOW_MOVED  ? ORDO_E_RATE
           : status == ORDO_NOW_CLOSED ? ORDO_E_INVALID
                                       : ORDO_E_DISRUPTED;
}

#if defined __linux__
/* Strict C does not declare nanosleep. */
#ifdef __cplusplus
extern "C" int ordo_now_nanosleep(const struct timespec *, struct timespec *) __asm__("nanosleep");
#else
extern int ordo_now_nanosleep(const struct timespec *, struct timespec *) __asm__("nanosleep");
#endif
#endif

/* Sleeps for `ns` nanoseconds at most, or only pauses if they are too few for a sleep. A signal ends the sleep. */
static inline void ordo_now_doze(int64_t ns)
{
    const int64_t least_ns = 100000, most_ns = 50000000;
#if defined __linux__
    struct timespec span;
    span.tv_sec = 0;
    span.tv_nsec = (long)(ns < most_ns ? ns - least_ns / 2 : most_ns);
    if (ns > least_ns) {
        (void)ordo_now_nanosleep(&span, NULL);
        return;
    }
#else
    if (ns > 2000000) {
        (void)poll(NULL, 0, (int)(ns < most_ns ? ns / 2000000 : 50));
        return;
    }
    (void)least_ns;
#endif
    ordo_clock_pause();
}

/** Waits until the reference time is certainly after t_ns: no clock of any host that keeps its promises then shows t_ns
 * or less as its latest time. `t_ns` is usually the latest_ns of an ordo_now in this commit; the call then takes about
 * the width of the interval. Sleeps while more than 0.1 ms remain. Returns
 *
 * - 0: the time is past;
 * - ORDO_E_INVALID: the handle is closed, or t_ns is more than 10 s ahead;
 * - ORDO_E_EXPIRED, ORDO_E_RATE, ORDO_E_DISRUPTED: the time became unknown (ORDO_NOW_VOID, ORDO_NOW_MOVED; the others).
 *   Nothing is known about t_ns. Reopen the handle, and call again. */
ORDO_INLINE int ordo_commit_wait(const struct ordo_now_handle *h, int64_t t_ns)
{
    for (;;) {
        struct ordo_now_interval now = ordo_now(h);
        if (now.earliest_ns > t_ns)
            return ORDO_OK;
        if (now.status != ORDO_NOW_VALID && now.status != ORDO_NOW_SUPERSEDED)
            return ordo_now_code(now.status);
        if (t_ns > now.latest_ns && t_ns - now.latest_ns > INT64_C(10000000000))
            return ORDO_E_INVALID;
        ordo_now_doze(t_ns - now.earliest_ns);
    }
}

/* Fills `error` with a remedy for a page. Returns the code. */
static inline int ordo_now_refuse(struct ordo_error *error, int code, int sys_errno, const char *object)
{
    const char *reason =
        code == ORDO_E_MISSING      ? "no such page: run 'ordo-timed publish'"
        : code == ORDO_E_OWNER      ? "the page belongs neither to root nor to this user: let root link to it"
        : code == ORDO_E_WRITABLE   ? "others than its owner may write it: chmod go-w it"
        : code == ORDO_E_BOOT       ? "the page is from another boot: restart ordo-timed"
        : code == ORDO_E_EXPIRED    ? "the page was not renewed in time: see whether ordo-timed runs"
        : code == ORDO_E_RATE       ? "the machine was suspended, or the clock was set: wait for ordo-timed"
        : code == ORDO_E_DISRUPTED  ? "the page was withdrawn: see the messages of ordo-timed"
        : code == ORDO_E_SUPERSEDED ? "the page was superseded: open the new one"
        : code == ORDO_E_CPUS       ? "this thread may run on CPUs that were not measured: calibrate them all"
        : code == ORDO_E_LAYOUT || code == ORDO_E_SECTION
            ? "the page has another layout: use one version of ordo-timed and of this program"
        : code == ORDO_E_CLOCK  ? "this program cannot read the clock of the page"
        : code == ORDO_E_SYSTEM ? strerror(sys_errno)
                                : "the page is damaged: restart ordo-timed";
    if (error) {
        error->code = code;
        error->sys_errno = sys_errno;
        (void)snprintf(error->text, sizeof error->text, "%.120s: %.110s", object, reason);
        ordo_error_tidy(error->text);
    }
    return code;
}

/** Returns the path of the page that a reader opens, the first of
 *
 * 1. the path given;
 * 2. $ORDO_TIME;
 * 3. $XDG_RUNTIME_DIR/ordo/time if it exists and that directory is this user's, except for root;
 * 4. /run/ordo/time.
 *
 * A program with more rights than its caller ignores the environment. */
static inline const char *ordo_now_find(const char *path, char *buffer, size_t size)
{
    const char *named = ordo_record_own_environment() ? getenv("ORDO_TIME") : NULL, *own;
    if (path)
        return path;
    if (named && *named)
        return named;
    own = ordo_record_own_place(buffer, size);
    if (own && strlen(buffer) > 8) {
        (void)strcpy(buffer + strlen(buffer) - 8, "time"); /* instead of "boundary" */
        if (ordo_record_exists(buffer, ""))
            return buffer;
    }
    return ORDO_NOW_PATH;
}

/* Checks the words of a head that `count` bytes follow. The bytes may be untrusted. */
static inline int ordo_now_parse(const struct ordo_now_head *head, size_t count)
{
    if (count < ORDO_NOW_HEAD_BYTES + sizeof(struct ordo_now_slot))
        return ORDO_E_TRUNCATED;
    if (memcmp(head->magic, ORDO_NOW_MAGIC, sizeof head->magic) != 0)
        return ORDO_E_MALFORMED;
    if (head->layout != ORDO_NOW_LAYOUT)
        return ORDO_E_LAYOUT;
    if (head->capacity == 0 || head->capacity > ORDO_NOW_MOST_SLOTS || head->total_bytes != count ||
        count != ORDO_NOW_HEAD_BYTES + head->capacity * sizeof(struct ordo_now_slot))
        return ORDO_E_TRUNCATED;
    if (head->checksum != ordo_record_fold((const unsigned char *)head + 40, ORDO_NOW_HEAD_BYTES - 40))
        return ORDO_E_CHECKSUM;
    if (head->flags & ~ORDO_NOW_FLAGS_UNDERSTOOD)
        return ORDO_E_SECTION;
    if (head->zero || head->tick_ns_32 == 0 || head->tick_ns_32 >> 45 || head->vmclock[sizeof head->vmclock - 1] ||
        !head->vmclock[0] != !(head->flags & ORDO_NOW_FLAG_VMCLOCK))
        return ORDO_E_MALFORMED;
    return ORDO_OK;
}

/* Checks that the page holds on this boot, on the CPUs of this thread, and that this program reads its clock. */
static inline int ordo_now_applies(const struct ordo_now_head *head, struct ordo_error *error)
{
    struct ordo_record_view view;
    unsigned char boot_id[16];
    struct ordo_error cpus;
    int code;
    if (ordo_record_boot_id(boot_id) != 0)
        return ordo_now_refuse(error, ORDO_E_SYSTEM, errno, "/proc/sys/kernel/random/boot_id");
    if (memcmp(boot_id, head->boot_id, sizeof boot_id) != 0)
        return ordo_now_refuse(error, ORDO_E_BOOT, 0, "boot id");
#if !defined ORDO_RECORD_GETTIME
    return ordo_now_refuse(error, ORDO_E_CLOCK, 0, "this C library has no coarse clocks");
#endif
    if (head->clock != ORDO_CLOCK_ID && head->clock != ORDO_CLOCK_MONOTONIC_RAW)
        return ordo_now_refuse(error, ORDO_E_CLOCK, 0, "clock");
    memset(&view, 0, sizeof view);
    view.cpus = head->cpus;
    view.cpus_bytes = sizeof head->cpus;
    code = ordo_record_check_cpus(&view, &cpus);
    return code ? ordo_now_refuse(error, code, cpus.sys_errno, cpus.text) : ORDO_OK;
}

/* Maps VMClock's page, which the head names. */
static inline int ordo_now_map_vmclock(struct ordo_now_handle *h, struct ordo_error *error)
{
    const char *path = h->head->vmclock;
    struct stat info;
    uint32_t magic = 0;
    void *map = MAP_FAILED;
    int fd, failed;
    if (!path[0])
        return ORDO_OK;
    if (stat(path, &info) != 0)
        return ordo_now_refuse(error, ORDO_E_SYSTEM, errno, path);
    /* The page may be that of a user for whom root vouches. Opening another device could have an effect. */
    if (!S_ISREG(info.st_mode) && (strncmp(path, "/dev/vmclock", 12) != 0 || strchr(path + 12, '/')))
        return ordo_now_refuse(error, ORDO_E_CLOCK, 0, path);
    fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
    /* A page needs 24 bytes for the marker; a regular file that is shorter would end the program by SIGBUS. */
    if (fd >= 0 && fstat(fd, &info) == 0 && !(S_ISREG(info.st_mode) && info.st_size < 24))
        map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    failed = errno;
    if (fd >= 0)
        (void)close(fd);
    if (map == MAP_FAILED)
        return ordo_now_refuse(error, ORDO_E_SYSTEM, failed, path);
    h->vmclock = (const unsigned char *)map;
    h->special = 1;
    h->vmclock_bytes = 4096;
    memcpy(&magic, map, sizeof magic);
    return magic == ORDO_NOW_VMCLOCK_MAGIC ? ORDO_OK : ordo_now_refuse(error, ORDO_E_CLOCK, 0, path);
}

/* Releases the mappings. */
ORDO_INLINE void ordo_now_close(struct ordo_now_handle *h)
{
    if (h->head)
        (void)munmap((void *)(uintptr_t)h->head, (size_t)h->bytes);
    if (h->vmclock)
        (void)munmap((void *)(uintptr_t)h->vmclock, (size_t)h->vmclock_bytes);
    memset(h, 0, sizeof *h);
}

/* Fills a handle from mapped bytes. */
static inline int ordo_now_take(struct ordo_now_handle *h, const void *bytes, size_t count, const char *path,
                                struct ordo_error *error)
{
    const struct ordo_now_head *head = (const struct ordo_now_head *)bytes;
    char offsets[256];
    struct ordo_now_interval now;
    int code = ordo_now_parse(head, count);
    if (code)
        return ordo_now_refuse(error, code, 0, path);
    h->slots = (const struct ordo_now_slot *)(const void *)((const unsigned char *)bytes + ORDO_NOW_HEAD_BYTES);
    h->capacity = head->capacity;
    if (h->slots[0].rate >> 31 || h->slots[0].seal != ordo_now_seal(&h->slots[0], 0))
        return ordo_now_refuse(error, ORDO_E_DISRUPTED, 0, path);
    /* tick_ns_32 is below 2^45, and the rate below a half [T1]. */
    h->slow_32 = head->tick_ns_32 - ordo_now_ticks_to_ns(head->tick_ns_32, h->slots[0].rate) - 1;
    h->fast_32 = head->tick_ns_32 + ordo_now_ticks_to_ns(head->tick_ns_32, h->slots[0].rate) + 1;
    h->generation = head->generation;
    h->special = h->kernel = head->clock == ORDO_CLOCK_MONOTONIC_RAW;
    if (ordo_record_read_text("/proc/self/timens_offsets", offsets, sizeof offsets) >= 0)
        h->shift_ns = ordo_record_namespace_ns(offsets, "monotonic");
    code = ordo_now_applies(head, error);
    if (!code)
        code = ordo_now_map_vmclock(h, error);
    if (code)
        return code;
    now = ordo_now(h);
    if (now.status == ORDO_NOW_SUPERSEDED)
        return ordo_now_refuse(error, ORDO_E_SUPERSEDED, 0, path);
    return now.status == ORDO_NOW_VALID ? ORDO_OK : ordo_now_refuse(error, ordo_now_code(now.status), 0, path);
}

/** Opens the page (`path`, or NULL to search: see ordo_now_find). Makes system calls. `error` may be NULL. Close an open
 * handle before you open it again.
 *
 * A page must belong to root or to this user, as a boundary record (ordo_record_map). In addition root can vouch for the
 * page of an unprivileged daemon, by a link: a symbolic link to the page, in a directory that only root can change. The
 * page must then belong to the owner of its own directory, which no group and no others may write.
 *
 * Returns 0; the codes of ordo_open_error for a page; or
 *
 * - ORDO_E_EXPIRED, ORDO_E_RATE, ORDO_E_DISRUPTED: the time is unknown at present (ordo_commit_wait). */
ORDO_INLINE int ordo_now_open(struct ordo_now_handle *h, const char *path, struct ordo_error *error)
{
    enum { ATTEMPTS = 20 };
    char buffer[1024];
    int code = ORDO_E_SUPERSEDED, attempt;
    memset(h, 0, sizeof *h);
    path = ordo_now_find(path, buffer, sizeof buffer);
    for (attempt = 0; attempt < ATTEMPTS && code == ORDO_E_SUPERSEDED; attempt++) {
        const void *bytes = NULL;
        size_t count = 0;
        struct ordo_error reason;
        if (attempt > 0)
            (void)poll(NULL, 0, 1);
        code = ordo_record_map_vouched(path, &bytes, &count, &reason);
        if (code) {
            code = ordo_now_refuse(error, code, reason.sys_errno, path);
            break;
        }
        h->head = (const struct ordo_now_head *)bytes;
        h->bytes = count;
        code = ordo_now_take(h, bytes, count, path, error);
        if (code)
            ordo_now_close(h);
    }
    return code;
}

/** Opens the page anew if that may help: the handle is closed, its page is superseded, or its time is unknown. If the new
 * page cannot be opened, a handle with a superseded page stays as it is. Costs one ordo_now if nothing is to be done. Not
 * concurrent with other calls on the handle. Returns 0 if the time is known, or a code of ordo_now_open. */
ORDO_INLINE int ordo_now_refresh(struct ordo_now_handle *h, const char *path, struct ordo_error *error)
{
    struct ordo_now_handle fresh;
    struct ordo_now_interval now = ordo_now(h);
    int code;
    if (now.status == ORDO_NOW_VALID)
        return ORDO_OK;
    code = ordo_now_open(&fresh, path, error);
    if (code)
        return now.status == ORDO_NOW_SUPERSEDED ? ORDO_OK : code;
    ordo_now_close(h);
    *h = fresh;
    return ORDO_OK;
}

#endif
