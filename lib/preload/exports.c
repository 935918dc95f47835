/* The functions of the C library that this library replaces, and its start.
 *
 * time() and clock_getres() are left alone: time() reads the kernel's coarse clock for 3 ns, and agrees with the time
 * stamps of files. */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <ordo/record.h>

#include "preload/answer.h"
#include "preload/count.h"
#include "preload/kernel.h"

#define PRELOAD_EXPORT __attribute__((visibility("default")))

struct preload_state preload_state;

/* Returns the clock that is served; -1: none. */
static int which_of(clockid_t clock)
{
    static const signed char table[] = {[CLOCK_REALTIME] = 1 + PRELOAD_REALTIME,
                                        [CLOCK_MONOTONIC] = 1 + PRELOAD_MONOTONIC,
                                        [CLOCK_MONOTONIC_RAW] = 1 + PRELOAD_RAW,
                                        [CLOCK_BOOTTIME] = 1 + PRELOAD_BOOTTIME,
                                        [CLOCK_TAI] = 1 + PRELOAD_TAI};
    return (size_t)clock < sizeof table ? table[clock] - 1 : -1;
}

/* Returns the kernel's result as the C library does. */
static int result_of(int code)
{
    if (code >= 0)
        return code;
    errno = -code;
    return -1;
}

static int read_which(enum preload_which which, struct timespec *time)
{
    return preload_serve(&preload_state, which, time) ? 0 : preload_answer(&preload_state, which, time);
}

PRELOAD_EXPORT int clock_gettime(clockid_t clock, struct timespec *time)
{
    const int which = which_of(clock);
    if (__builtin_expect(preload_tally != NULL, 0))
        preload_count(PRELOAD_GETTIME, which);
    if (__builtin_expect(which < 0, 0))
        return result_of(preload_kernel_gettime(clock, time));
    if (__builtin_expect(preload_serve(&preload_state, (enum preload_which)which, time), 1))
        return 0;
    return result_of(preload_answer(&preload_state, (enum preload_which)which, time));
}

/* A NULL is allowed here, although the headers of glibc declare that there is none. The compiler would rely on it. */
static int read_timeofday(struct timeval *time, void *zone)
{
    struct timespec now;
    __asm__("" : "+r"(time));
    if (!time)
        return result_of(preload_kernel_timeofday(time, zone));
    int code = zone ? preload_kernel_timeofday(NULL, zone) : 0;
    if (code == 0)
        code = read_which(PRELOAD_REALTIME, &now);
    if (code == 0) {
        time->tv_sec = now.tv_sec;
        time->tv_usec = now.tv_nsec / 1000;
    }
    return result_of(code);
}

PRELOAD_EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    if (preload_tally)
        preload_count(PRELOAD_TIMEOFDAY, PRELOAD_REALTIME);
    return read_timeofday(time, zone);
}

/* A program may be linked with a C library that has no dlsym. */
extern void *dlsym(void *restrict handle, const char *restrict name) __attribute__((weak));

/* Asks the C library for a base other than TIME_UTC. Returns 0, as timespec_get does, if it has none. */
static int other_timespec(struct timespec *time, int base)
{
    int (*next)(struct timespec *, int) = NULL;
    void *found = dlsym ? dlsym((void *)-1L, "timespec_get") : NULL; /* -1: RTLD_NEXT, in both C libraries */
    memcpy(&next, &found, sizeof found);
    return next ? next(time, base) : 0;
}

PRELOAD_EXPORT int timespec_get(struct timespec *time, int base)
{
    if (preload_tally)
        preload_count(PRELOAD_TIMESPEC, base == TIME_UTC ? PRELOAD_REALTIME : -1);
    if (base != TIME_UTC)
        return other_timespec(time, base);
    return read_which(PRELOAD_REALTIME, time) == 0 ? base : 0;
}

/* For tests and debuggers: returns the number of slots that were published. It grows while readings are served. */
PRELOAD_EXPORT uint64_t ordo_clock_lines(void);
uint64_t ordo_clock_lines(void)
{
    return preload_ring_current(&preload_state.ring);
}

/* Sets the path of the record if the settings have none. */
static bool find_record(struct preload_settings *settings)
{
    char buffer[PRELOAD_PATH];
    if (*settings->record)
        return true;
    const char *path = ordo_record_find(NULL, buffer, sizeof buffer);
    if (strlen(path) >= sizeof settings->record)
        return false;
    (void)strcpy(settings->record, path);
    return true;
}

/* Reads the settings, and begins to serve or to count. Whatever fails, the kernel answers: a preload has no one to tell
 * (`ordo run` does that before the start). */
__attribute__((constructor)) static void begin_preload(void)
{
    struct preload_state *state = &preload_state;
    const int saved = errno;
    preload_kernel_open();
    if (preload_settings_read(getenv(PRELOAD_VARIABLE), &state->settings)) {
        if (*state->settings.count)
            (void)preload_count_open(state->settings.count);
        else if (preload_kernel_allows_counter() && find_record(&state->settings) &&
                 preload_warrant_open(&state->warrant, &state->settings, NULL) == 0)
            (void)preload_begin(state);
    }
    errno = saved;
}
