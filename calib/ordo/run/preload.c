#include "preload.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libordo-clock.so"

static bool is_here(const char *folder, const char *below, char *path, size_t size)
{
    return (size_t)snprintf(path, size, "%s/%s/" LIBRARY, folder, below) < size && access(path, R_OK) == 0;
}

bool preload_find(char *path, size_t size)
{
    char own[PATH_MAX], found[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0)
        return false;
    own[length] = '\0';
    char *slash = strrchr(own, '/');
    *slash = '\0';
    if (!is_here(own, "../" ORDO_RUN_LIBDIR "/ordo", found, sizeof found) &&
        !is_here(own, "../lib/ordo", found, sizeof found) && !is_here(own, ORDO_RUN_BUILD, found, sizeof found) &&
        !is_here(ORDO_RUN_FULL_LIBDIR, "ordo", found, sizeof found))
        return false;
    char *whole = realpath(found, NULL);
    const bool fits = whole && strlen(whole) < size;
    if (fits)
        (void)strcpy(path, whole);
    free(whole);
    return fits;
}

bool preload_into_environment(const char *library, const struct preload_settings *settings)
{
    char text[PRELOAD_PATH + 200];
    const char *before = getenv("LD_PRELOAD");
    char *preload;
    if (!preload_settings_write(settings, text, sizeof text)) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (asprintf(&preload, before && *before ? "%s:%s" : "%s", library, before) < 0)
        return false;
    const bool done = setenv("LD_PRELOAD", preload, 1) == 0 && setenv(PRELOAD_VARIABLE, text, 1) == 0;
    free(preload);
    return done;
}
