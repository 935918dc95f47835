#include "lab/ordo-lab/cores.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "common/call.h"
#include "common/result.h"
#include "lab/cores/missing.h"

int cores_program_start(char **argv)
{
    static char locale[] = "LC_ALL=C", name[] = CORES_PROGRAM;
    char *const environment[] = {locale, NULL};
    const char *caller = argv[0];
    char path[PATH_MAX];
    if (!cli_beside(CORES_PROGRAM, path, sizeof path))
        return cli_fail(EXIT_UNKNOWN, caller, CORES_MISSING);
    argv[0] = name;
    (void)execve(path, argv, environment);
    return cli_failf(EXIT_INTERNAL, caller, "%s: %s", path, strerror(errno));
}
