/* Programs on this host that claim to know UTC: the registry of this folder.
 *
 * A source reads the claim of one such program (a daemon's shared memory, a device, an answer on a socket), and states it
 * in one form: an interval of UTC at a reading of a local clock. A source neither judges nor corrects the claim. The
 * referee compares claims with proved intervals, and ordo-timed may count a source as one more reference. */
#ifndef ORDO_NET_SOURCE_SOURCE_H
#define ORDO_NET_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/** The local clock whose reading a claim is about. */
enum ordo_source_clock {
    ORDO_SOURCE_REALTIME, /* CLOCK_REALTIME; the reading is in ns */
    ORDO_SOURCE_RAW,      /* CLOCK_MONOTONIC_RAW; the reading is in ns */
    ORDO_SOURCE_COUNTER   /* the counter of <ordo/clock.h>; the reading is in ticks */
};

/** The state that the program itself reports. */
enum ordo_source_state {
    ORDO_SOURCE_UNKNOWN,      /* it claims nothing at present; earliest_ns and latest_ns are void */
    ORDO_SOURCE_SYNCHRONISED, /* it follows its own references */
    ORDO_SOURCE_FREE,         /* it has lost its references, and widens its claim by itself */
    ORDO_SOURCE_DISRUPTED     /* it withdrew its claim, for example after a live migration */
};

enum ordo_source_leap {
    ORDO_SOURCE_LEAP_UNKNOWN,
    ORDO_SOURCE_LEAP_NONE,
    ORDO_SOURCE_LEAP_ADD,
    ORDO_SOURCE_LEAP_DELETE
};

enum { ORDO_SOURCE_EVIDENCE = 512 };

/** A claim: UTC was in [earliest_ns, latest_ns] when `clock` showed `reading`.
 *
 * The claim is about an instant within the call of `read`, so that a caller can compare it with its own readings from
 * before and after the call. If the program states its interval for an earlier reading, the source widens the interval
 * as the program's own rules demand, and says so in the evidence. All times are in ns since 1970, without leap
 * seconds. */
struct ordo_source_claim {
    enum ordo_source_clock clock;
    uint64_t reading;
    int64_t earliest_ns, latest_ns; /* may be empty or absurd: a claim is not checked */
    /* The program itself counts the claim as void after this time of the local clock CLOCK_MONOTONIC_RAW; INT64_MAX: it
     * states no such time. */
    int64_t void_after_raw_ns;
    int64_t age_ns;   /* time since the program last renewed its claim; -1: it does not say */
    double widen_ppb; /* rate at which the program widens its claim on each side after `reading`; 0: it does not say */
    enum ordo_source_state state;
    enum ordo_source_leap leap;
    bool knows_tai; /* tai_s is stated */
    int32_t tai_s;  /* TAI - UTC */
    bool knows_marker;
    uint64_t marker;                     /* the disruption marker to which the claim belongs, such as that of VMClock */
    char evidence[ORDO_SOURCE_EVIDENCE]; /* one line: the fields that were read, as the program names them */
};

/** The place of a source. */
struct ordo_source_options {
    const char *path;    /* file, device, socket or network interface; NULL: default_path */
    int64_t patience_ns; /* longest time that `read` may wait for an answer; 0: one second */
};

struct ordo_source {
    const char *name;         /* as on the command line */
    const char *title;        /* one line for the list */
    const char *default_path; /* NULL if the source finds its place itself */
    bool waits;               /* `read` asks another program, and may wait for as long as patience_ns says */
    /** Reads the present claim. Thread-safe. Any content of the file, device or socket is untrusted input. Returns 0, or
     *
     * - ORDO_E_MISSING: the program does not run on this host: there is no such file, device or socket;
     * - ORDO_E_MEASURE: the program gave no answer, or changed its page in every attempt to read it;
     * - ORDO_E_OWNER, ORDO_E_WRITABLE: another user could have written the file;
     * - ORDO_E_MALFORMED, ORDO_E_TRUNCATED, ORDO_E_CHECKSUM, ORDO_E_LAYOUT: the program writes no such file, or the file
     *   has a version that this source does not know;
     * - ORDO_E_CLOCK: the claim is about a clock that this process cannot read;
     * - ORDO_E_SYSTEM: a system call failed. */
    int (*read)(const struct ordo_source_options *options, struct ordo_source_claim *claim, struct ordo_error *error);
};

/** All sources, ending with NULL; generated from the files of this folder. */
extern const struct ordo_source *const ordo_sources[];

/** Returns the source of this name, or NULL. */
const struct ordo_source *ordo_source_find(const char *name);

#endif
