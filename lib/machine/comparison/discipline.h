/* The discipline of the system's clocks, according to the kernel and the usual daemons; and the time namespace.
 *
 * A daemon's statements are shown, but nothing relies on them. */
#ifndef ORDO_MACHINE_COMPARISON_DISCIPLINE_H
#define ORDO_MACHINE_COMPARISON_DISCIPLINE_H

#include <stdbool.h>
#include <stdint.h>

/** The answer of adjtimex(2). */
struct ordo_kernel_discipline {
    bool known;           /* the kernel answered */
    bool synchronised;    /* STA_UNSYNC is not set: a program vouches for the time of day */
    int status;           /* STA_* */
    double frequency_ppm; /* the correction of the clock's rate */
    int64_t offset_ns;    /* offset that is still to be slewed away */
    int64_t maxerror_ns, esterror_ns;
    int tai_offset_s; /* 0: not set */
};

/** The answer of `chronyc -c tracking`. */
struct ordo_chrony {
    bool found;
    char reference[64], leap[32];
    int stratum;
    double reference_s; /* when the clock was last updated, s since 1970 */
    double system_offset_s, last_offset_s, rms_offset_s, frequency_ppm, skew_ppm, root_delay_s, root_dispersion_s;
};

/** The answer of `pmc -u -b 0 'GET TIME_STATUS_NP' 'GET CURRENT_DATA_SET'` of linuxptp. */
struct ordo_ptp {
    bool found;
    double master_offset_ns, mean_path_delay_ns;
    int steps_removed;
    bool grandmaster_present;
    char grandmaster[32];
};

/** The time namespace of the calling process. */
struct ordo_time_namespace {
    bool known;
    char name[32];                     /* as the kernel names it: "time:[4026531834]" */
    bool shifted;                      /* `monotonic_ns` or `boottime_ns` is not 0 */
    int64_t monotonic_ns, boottime_ns; /* added to the clocks of these names; monotonic_ns also to monotonic_raw */
};

struct ordo_discipline {
    struct ordo_kernel_discipline kernel;
    struct ordo_chrony chrony;
    struct ordo_ptp ptp;
    struct ordo_time_namespace time_namespace;
};

/** Asks the kernel and all daemons. Takes at most a few seconds, even if a daemon hangs. */
void ordo_discipline_ask(struct ordo_discipline *discipline);

/** Parses one line of `chronyc -c tracking`. True if the text is such a line. */
bool ordo_chrony_parse(const char *text, struct ordo_chrony *chrony);

/** Parses the answer of pmc. True if a port answered. */
bool ordo_ptp_parse(const char *text, struct ordo_ptp *ptp);

/** Parses /proc/self/timens_offsets. True if the text has that form. */
bool ordo_time_namespace_parse(const char *text, struct ordo_time_namespace *time_namespace);

#endif
