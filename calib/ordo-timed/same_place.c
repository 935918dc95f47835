#include "ordo-timed/same_place.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Splits a path into the real path of its folder, and its last part. NULL: there is no such folder. */
static const char *resolve_folder(const char *path, char folder[PATH_MAX])
{
    char parent[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash)
        return realpath(".", folder) ? path : NULL;
    if (slash - path >= PATH_MAX - 1)
        return NULL;
    (void)snprintf(parent, sizeof parent, "%.*s", (int)(slash - path) + 1, path); /* with the '/', for the root */
    return realpath(parent, folder) ? slash + 1 : NULL;
}

static bool resolve(const char *path, char place[PATH_MAX])
{
    char folder[PATH_MAX], target[PATH_MAX], beside[2 * PATH_MAX];
    const char *name;
    if (realpath(path, place))
        return true;
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length > 0) { /* a link whose file is not there yet */
        target[length] = '\0';
        const char *slash = strrchr(path, '/');
        int lead = target[0] == '/' || !slash ? 0 : (int)(slash - path) + 1;
        (void)snprintf(beside, sizeof beside, "%.*s%s", lead, path, target);
        path = beside;
    }
    return (name = resolve_folder(path, folder)) != NULL &&
           snprintf(place, PATH_MAX, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name) < PATH_MAX;
}

bool same_place(const char *path, const char *other)
{
    char place[PATH_MAX], other_place[PATH_MAX];
    return strcmp(path, other) == 0 ||
           (resolve(path, place) && resolve(other, other_place) && strcmp(place, other_place) == 0);
}
