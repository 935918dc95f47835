/* Who steers the system's clocks, as the kernel and the usual daemons tell; and the time namespace.
 *
 * What a daemon tells is shown, and believed for nothing else. */
#ifndef ORDO_MACHINE_COMPARISON_DISCIPLINE_H
#define ORDO_MACHINE_COMPARISON_DISCIPLINE_H

#include <stdbool.h>
#include <stdint.h>

/** adjtimex(2). */
struct ordo_kernel_discipline {
    bool known;           /* the kernel answered */
    bool synchronised;    /* STA_UNSYNC is not set: something vouches for the time of day */
    int status;           /* STA_* */
    double frequency_ppm; /* by which the clock's rate is corrected */
    int64_t offset_ns;    /* that is being slewed away */
    int64_t maxerror_ns, esterror_ns;
    int tai_offset_s; /* 0: not set */
};

/** `chronyc -c tracking`. */
struct ordo_chrony {
    bool found;
    char reference[64], leap[32];
    int stratum;
    double system_offset_s, last_offset_s, rms_offset_s, frequency_ppm, skew_ppm, root_delay_s, root_dispersion_s;
};

/** `pmc -u -b 0 'GET TIME_STATUS_NP' 'GET CURRENT_DATA_SET'` of linuxptp. */
struct ordo_ptp {
    bool found;
    double master_offset_ns, mean_path_delay_ns;
    int steps_removed;
    bool grandmaster_present;
    char grandmaster[32];
};

/** Of the calling process. */
struct ordo_time_namespace {
    bool known;
    char name[32];                     /* as the kernel names it: "time:[4026531834]" */
    bool shifted;                      /* one of the two is not 0 */
    int64_t monotonic_ns, boottime_ns; /* what is added to the clocks of this name; monotonic also to monotonic_raw */
};

struct ordo_discipline {
    struct ordo_kernel_discipline kernel;
    struct ordo_chrony chrony;
    struct ordo_ptp ptp;
    struct ordo_time_namespace time_namespace;
};

/** Asks all of them; takes at most a few seconds, whatever they do. */
void ordo_discipline_ask(struct ordo_discipline *discipline);

/** One line of `chronyc -c tracking`. Whether it was one. */
bool ordo_chrony_parse(const char *text, struct ordo_chrony *chrony);

/** The answer of pmc. Whether a port answered. */
bool ordo_ptp_parse(const char *text, struct ordo_ptp *ptp);

/** /proc/self/timens_offsets. Whether it was that. */
bool ordo_time_namespace_parse(const char *text, struct ordo_time_namespace *time_namespace);

#endif
