/* The clocks that a program can choose at run time: the registry of this folder. */
#ifndef ORDO_MACHINE_CLOCK_SOURCE_H
#define ORDO_MACHINE_CLOCK_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct ordo_clock_source {
    const char *name;       /* name on the command line */
    const char *title;      /* description of one line */
    uint64_t unit_hz;       /* units of read() per second; 0 if only a measurement shows it */
    uint64_t granule_units; /* bound on the lag of a reading behind the clock; 0: call ordo_clock_granule */
    bool on_request; /* used only on request: too coarse, a shifted copy of another clock, or not on every machine */
    bool steered;    /* its rate is adjusted (NTP), so it cannot measure another clock's rate */
    bool settable;   /* it is the time of day: setting the time makes it jump */
    uint64_t (*read)(void); /* returns units since the clock's origin; 0 if the clock does not exist */
    uint64_t (*call)(void); /* like `read`, but through the C library, as programs do it; NULL: use `read` */
};

/** Reads the clock as programs do. */
static inline uint64_t ordo_clock_source_call(const struct ordo_clock_source *source)
{
    return source->call ? source->call() : source->read();
}

/** All sources, ending with NULL; generated from the files of this folder. */
extern const struct ordo_clock_source *const ordo_clock_sources[];

/** Returns the source named `name`, or NULL. */
const struct ordo_clock_source *ordo_clock_source_find(const char *name);

/** Returns an upper bound on how far one reading lags behind the clock, in units: the step in which the clock
 * advances. */
uint64_t ordo_clock_granule(const struct ordo_clock_source *source);

/** The longest tick of Linux (CONFIG_HZ=100): a coarse clock lags by at most this. */
#define ORDO_CLOCK_LONGEST_TICK_NS 10000000

/** Reads a kernel clock (CLOCK_*) in nanoseconds by a system call. The kernel reads the counter, so traps or offsets
 * that apply to user mode do not affect the result. Returns 0 if the kernel does not know the clock. */
uint64_t ordo_clock_system_ns(int clock_id);

/** Reads a kernel clock (CLOCK_*) in nanoseconds by clock_gettime of the C library, which need not enter the kernel.
 * Returns 0 if the kernel does not know the clock. */
uint64_t ordo_clock_library_ns(int clock_id);

enum { ORDO_CLOCK_PHC_PATH = 64 };

/** Finds the clock device of `name`: a path, which is copied, or the name of a network interface, such as eth0.
 * ORDO_E_MISSING: there is no such interface, or it has no clock */
int ordo_clock_phc_find(const char *name, char path[ORDO_CLOCK_PHC_PATH], struct ordo_error *error);

/** Chooses the device that the source `phc` reads, such as /dev/ptp1, or the name of a network interface that has a
 * clock; NULL: the first device that exists. Do not call while another thread reads the source.
 * ORDO_E_MISSING: the device does not exist, or is not a hardware clock */
int ordo_clock_phc_open(const char *device, struct ordo_error *error);

/** Chooses the clock that the source `aux` reads, from 0 to 7. Without this call it is the first one that is on. Do not
 * call while another thread reads the source.
 * ORDO_E_MISSING: it is off, or the kernel has no such clocks */
int ordo_clock_aux_choose(int number, struct ordo_error *error);

/** Defines the source that reads one of the kernel's clocks. */
#define ORDO_CLOCK_SOURCE_SYSTEM(stem, id, text, is_steered, is_settable)                                              \
    static uint64_t read_ns(void)                                                                                      \
    {                                                                                                                  \
        return ordo_clock_system_ns(id);                                                                               \
    }                                                                                                                  \
    static uint64_t call_ns(void)                                                                                      \
    {                                                                                                                  \
        return ordo_clock_library_ns(id);                                                                              \
    }                                                                                                                  \
    const struct ordo_clock_source ordo_clock_source_##stem = {.name = #stem,                                          \
                                                               .title = text,                                          \
                                                               .unit_hz = 1000000000,                                  \
                                                               .steered = is_steered,                                  \
                                                               .settable = is_settable,                                \
                                                               .read = read_ns,                                        \
                                                               .call = call_ns}

#endif
