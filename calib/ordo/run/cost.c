#include "cost.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int gettime(clockid_t clock, struct timespec *time);

int run_clock_id(int which)
{
    static const int ids[PRELOAD_CLOCKS] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_TAI,
                                            CLOCK_MONOTONIC_RAW};
    return ids[which];
}

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Returns the time of a reading in ns: the least of many batches, because other programs interrupt some of them, or
 * use the other half of the core. */
static double time_reading(gettime *read, int clock)
{
    enum { BATCHES = 200, READINGS = 1000 };
    struct timespec time;
    double least = 1;
    for (int batch = 0; batch < BATCHES; batch++) {
        const double begin = seconds_now();
        for (int i = 0; i < READINGS; i++)
            (void)read(clock, &time);
        const double took = (seconds_now() - begin) / READINGS;
        least = took < least ? took : least;
    }
    return least * 1e9;
}

/* Loads the library for readings of this process alone: its symbols replace none. */
static gettime *load_reading(const char *library, const struct preload_settings *settings)
{
    char text[PRELOAD_PATH + 200];
    gettime *read = NULL;
    if (!preload_settings_write(settings, text, sizeof text) || setenv(PRELOAD_VARIABLE, text, 1) != 0)
        return NULL;
    void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *found = opened ? dlsym(opened, "clock_gettime") : NULL;
    memcpy(&read, &found, sizeof found);
    return read;
}

void run_cost_measure(const char *library, const struct preload_settings *settings, bool served, struct run_cost *cost)
{
    gettime *read = served ? load_reading(library, settings) : NULL;
    cost->served = read != NULL;
    for (int i = 0; i < PRELOAD_CLOCKS; i++) {
        cost->kernel_ns[i] = time_reading(clock_gettime, run_clock_id(i));
        cost->counter_ns[i] = read ? time_reading(read, run_clock_id(i)) : 0;
    }
}
