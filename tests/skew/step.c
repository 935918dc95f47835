/* A preload library that sets the time of day while a program runs: from a given moment on, it adds to CLOCK_REALTIME.
 *
 *     ORDO_STEP=NS:AFTER_MS:FILE LD_PRELOAD=.../libordo-step.so program
 *
 * Every clock_gettime(CLOCK_REALTIME) that begins at least AFTER_MS after the start of the program returns a time that
 * is larger by NS (may be negative). The moment of the step is written to FILE, in ns of CLOCK_MONOTONIC_RAW. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int (*real)(clockid_t, struct timespec *);
static int64_t step_ns, at_ns = INT64_MAX;

static int64_t raw_ns(void)
{
    struct timespec now = {0};
    (void)real(CLOCK_MONOTONIC_RAW, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("ORDO_STEP");
    char path[256];
    long long by, after_ms;
    real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    if (!real || !text || sscanf(text, "%lld:%lld:%255s", &by, &after_ms, path) != 3)
        _exit(64);
    step_ns = by;
    at_ns = raw_ns() + after_ms * 1000000;
    FILE *file = fopen(path, "w");
    if (!file || fprintf(file, "%lld\n", (long long)at_ns) < 0 || fclose(file) != 0)
        _exit(64);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int stepped = real && clock == CLOCK_REALTIME && raw_ns() >= at_ns;
    int code = real ? real(clock, now) : -1;
    if (code != 0 || !stepped)
        return code;
    int64_t ns = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec + step_ns;
    now->tv_sec = (time_t)(ns / 1000000000);
    now->tv_nsec = (long)(ns % 1000000000);
    return 0;
}
