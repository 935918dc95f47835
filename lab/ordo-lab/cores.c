#include "lab/ordo-lab/cores.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "common/call.h"
#include "common/result.h"

#define PROGRAM "ordo-bench-cores"

int cores_program_start(char **argv)
{
    static char locale[] = "LC_ALL=C", name[] = PROGRAM;
    char *const environment[] = {locale, NULL};
    const char *caller = argv[0];
    char path[PATH_MAX];
    if (!cli_beside(PROGRAM, path, sizeof path))
        return cli_fail(EXIT_UNKNOWN, caller,
                        "this build has no simulated machines (" PROGRAM
                        "): install libcapstone-dev (Debian), and build with gcc, ordo-bench and no sanitizer");
    argv[0] = name;
    (void)execve(path, argv, environment);
    return cli_failf(EXIT_INTERNAL, caller, "%s: %s", path, strerror(errno));
}
