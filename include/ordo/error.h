/* Error codes, and a sentence for each.
 *
 * A call returns 0 or one of the negative codes below. A call that does I/O also fills an optional `struct ordo_error`,
 * whose text names the object ("cpu 7: not in the allowed set 0-3"). */
#ifndef ORDO_ERROR_H
#define ORDO_ERROR_H

/* lib/ordo.c turns every public function of these headers into a symbol by defining ORDO_INLINE. */
#ifndef ORDO_INLINE
#define ORDO_INLINE static inline
#endif

enum ordo_code {
    ORDO_OK = 0,
    ORDO_LATER = 1, /* not an error: call ordo_try_new_time again */
    ORDO_E_MISSING = -1,
    ORDO_E_TRUNCATED = -2,
    ORDO_E_MALFORMED = -3,
    ORDO_E_CHECKSUM = -4,
    ORDO_E_LAYOUT = -5,
    ORDO_E_SECTION = -6,
    ORDO_E_WRITABLE = -7,
    ORDO_E_OWNER = -8,
    ORDO_E_BOOT = -9,
    ORDO_E_CLOCK = -10,
    ORDO_E_RATE = -11,
    ORDO_E_EXPIRED = -12,
    ORDO_E_SUPERSEDED = -13,
    ORDO_E_DISRUPTED = -14,
    ORDO_E_BOUNDARY = -15,
    ORDO_E_CPUS = -16,
    ORDO_E_INVALID = -17,
    ORDO_E_SYSTEM = -18,
    ORDO_E_MEASURE = -19,
    ORDO_E_UNVERIFIED = -20,
    ORDO_E_REFUTED = -21,
    ORDO_E_CANCELLED = -22,
    ORDO_E_UNMEASURED = -23,
    ORDO_E_FULL = -24,
    ORDO_E_TRUST = -25
};

struct ordo_error {
    int code;       /* enum ordo_code */
    int sys_errno;  /* errno of the failed system call; 0 if no system call failed */
    char text[240]; /* one line, no newline, naming the object */
};

/* Returns the number of bytes of the UTF-8 character at `text`, 1 for ASCII; 0 if no character begins there, or if it
 * is cut short, overlong, a surrogate or above U+10FFFF. */
static inline int ordo_error_letter(const unsigned char *text)
{
    unsigned char first = text[0], second;
    int bytes = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0, i;
    for (i = 1; i < bytes; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    second = bytes > 2 ? text[1] : 0xa0;
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) || (first == 0xf0 && second < 0x90) ||
        (first == 0xf4 && second >= 0x90))
        return 0;
    return bytes;
}

/** Replaces control characters (in UTF-8 also U+0080 to U+009F), and bytes that belong to no UTF-8 character, by '?'.
 * Messages contain file names and other untrusted input, and a control character could end a message's line or control
 * the terminal. */
static inline void ordo_error_tidy(char *text)
{
    while (*text) {
        const unsigned char *at = (const unsigned char *)text;
        int bytes = ordo_error_letter(at);
        if (bytes == 0 || at[0] < 0x20 || at[0] == 0x7f)
            *text++ = '?';
        else if (at[0] == 0xc2 && at[1] < 0xa0) {
            *text++ = '?';
            *text++ = '?';
        } else
            text += bytes;
    }
}

/** Returns one line with the meaning of `code` and a remedy. The result is never NULL. Thread-safe. */
ORDO_INLINE const char *ordo_strerror(int code)
{
    switch (code) {
    case ORDO_OK:
        return "success";
    case ORDO_LATER:
        return "the clock has not passed that time yet: ask again";
    case ORDO_E_MISSING:
        return "there is no boundary record: run 'ordo calibrate'";
    case ORDO_E_TRUNCATED:
        return "it is shorter or longer than it says: make it anew, a boundary record by 'ordo calibrate'";
    case ORDO_E_MALFORMED:
        return "it is not well-formed, or not in order: make it anew, a boundary record by 'ordo calibrate'";
    case ORDO_E_CHECKSUM:
        return "its checksum is wrong, it was damaged: make it anew, a boundary record by 'ordo calibrate'";
    case ORDO_E_LAYOUT:
        return "it has another layout version: make it anew by this program's version, a boundary record by its 'ordo "
               "calibrate'";
    case ORDO_E_SECTION:
        return "the record needs a newer reader: rebuild this program against a newer Ordo";
    case ORDO_E_WRITABLE:
        return "others than its owner may write the record: chmod go-w it";
    case ORDO_E_OWNER:
        return "the record belongs neither to root nor to this user: calibrate as either; mount a host's read-only "
               "into "
               "a container";
    case ORDO_E_BOOT:
        return "the record is from another boot, or this container has a boot id of its own: run 'ordo calibrate' here";
    case ORDO_E_CLOCK:
        return "the record is about another clock: run the 'ordo calibrate' built for this machine";
    case ORDO_E_RATE:
        return "the clock has not run at the record's rate (restored guest, suspend): run 'ordo "
               "calibrate'";
    case ORDO_E_EXPIRED:
        return "the record has expired: run 'ordo calibrate'";
    case ORDO_E_SUPERSEDED:
        return "the record was superseded: open the new one";
    case ORDO_E_DISRUPTED:
        return "the record was marked disrupted, the clocks cannot be trusted: run 'ordo calibrate'";
    case ORDO_E_BOUNDARY:
        return "the record's boundary is 0, which no measurement gives: run 'ordo calibrate'";
    case ORDO_E_CPUS:
        return "the record does not cover every CPU this thread may run on: calibrate them all, or "
               "restrict the thread's affinity";
    case ORDO_E_INVALID:
        return "invalid argument: an unopened handle, or a time no clock has returned";
    case ORDO_E_SYSTEM:
        return "the operating system refused: see errno";
    case ORDO_E_MEASURE:
        return "the measurement could not be made or contradicts itself: see its message";
    case ORDO_E_UNVERIFIED:
        return "the ranks were not shown to read one clock: verify, or let their offsets be measured";
    case ORDO_E_REFUTED:
        return "measured: the clocks of this machine cannot order events: see its message";
    case ORDO_E_CANCELLED:
        return "the caller cancelled it";
    case ORDO_E_UNMEASURED:
        return "the record has no measurement of it: run 'ordo calibrate' on these CPUs";
    case ORDO_E_FULL:
        return "the log is full, since a section goes on and on: end it, or give a larger log";
    case ORDO_E_TRUST:
        return "the kernel does not vouch for the clock of the record: accept a measured clock, or boot with the clock "
               "listed";
    default:
        return "unknown code";
    }
}

#endif
