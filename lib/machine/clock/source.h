/* The clocks a program can read, chosen at run time: the registry of this folder. */
#ifndef ORDO_MACHINE_CLOCK_SOURCE_H
#define ORDO_MACHINE_CLOCK_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct ordo_clock_source {
    const char *name;  /* as on a command line */
    const char *title; /* one line for people */
    uint64_t unit_hz;  /* units of read() per second; 0 where only a measurement can tell */
    uint64_t
        granule_units; /* what a reading may lag behind the clock, where that is known; 0: ask ordo_clock_granule */
    bool on_request;   /* not looked at unasked: too coarse, a shifted copy of another, or not on every machine */
    bool steered;      /* its rate is adjusted (NTP): no measure of another clock's rate */
    bool settable;     /* it is the time of day: setting that steps it */
    uint64_t (*read)(void); /* units since an origin of its own; 0 where the clock does not exist */
    uint64_t (*call)(void); /* the same as programs call it, by the C library; NULL: as `read` does */
};

/** Reads the clock as programs do. */
static inline uint64_t ordo_clock_source_call(const struct ordo_clock_source *source)
{
    return source->call ? source->call() : source->read();
}

/** All sources, ending with NULL; generated from the files of this folder. */
extern const struct ordo_clock_source *const ordo_clock_sources[];

/** The source of this name, or NULL. */
const struct ordo_clock_source *ordo_clock_source_find(const char *name);

/** An upper bound of what one reading may lag behind the clock, in units: the step in which it advances. */
uint64_t ordo_clock_granule(const struct ordo_clock_source *source);

/** No Linux ticks more slowly (CONFIG_HZ=100): what a coarse clock may lag. */
#define ORDO_CLOCK_LONGEST_TICK_NS 10000000

/** A kernel clock (CLOCK_*) in nanoseconds by a system call, which reads the counter in the kernel: what is done to the
 * counter in user mode does not touch it. 0 where the kernel does not know the clock. */
uint64_t ordo_clock_system_ns(int clock_id);

/** The same clock by clock_gettime of the C library, which need not enter the kernel. 0 where the kernel does not know
 * the clock. */
uint64_t ordo_clock_library_ns(int clock_id);

/** Chooses the device that the source `phc` reads, such as /dev/ptp1; NULL: the first that there is. Not concurrent
 * with reading it. ORDO_E_MISSING: there is none, or it is no hardware clock. */
int ordo_clock_phc_open(const char *device, struct ordo_error *error);

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
