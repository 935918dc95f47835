#include "lab/ordo-lab/cores.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/result.h"

#define PROGRAM "ordo-bench-cores"

/* Writes the path of PROGRAM in a folder that is named relative to the folder of this program. True if it is there. */
static bool is_beside(const char *folder, char path[PATH_MAX])
{
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0)
        return false;
    own[length] = '\0';
    char *slash = strrchr(own, '/');
    int end = slash ? (int)(slash - own) : 0;
    return snprintf(path, PATH_MAX, "%.*s/%s/" PROGRAM, end, own, folder) < PATH_MAX && access(path, X_OK) == 0;
}

int cores_program_start(char **argv)
{
    static char locale[] = "LC_ALL=C", name[] = PROGRAM;
    char *const environment[] = {locale, NULL};
    const char *caller = argv[0];
    char path[PATH_MAX];
    if (!is_beside(".", path) && !is_beside(CORES_FOLDER, path))
        return cli_fail(EXIT_UNKNOWN, caller,
                        "this build has no simulated machines (" PROGRAM
                        "): install libcapstone-dev (Debian), and build with gcc, ordo-bench and no sanitizer");
    argv[0] = name;
    (void)execve(path, argv, environment);
    return cli_failf(EXIT_INTERNAL, caller, "%s: %s", path, strerror(errno));
}
