#include "launcher.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "common/child.h"

enum launcher_kind launcher_kind(const char *name)
{
    const int64_t most_ns = 10000000000;
    char path[PATH_MAX], text[4096];
    if (!cli_search_program(name, path, sizeof path))
        return LAUNCHER_OTHER;
    const char *const words[] = {path, "--version", NULL};
    if (ordo_output_of(words, most_ns, text, sizeof text) < 0)
        return LAUNCHER_OTHER;
    if (strcasestr(text, "open mpi") || strcasestr(text, "open-mpi") || strcasestr(text, "openrte"))
        return LAUNCHER_OPENMPI;
    return strcasestr(text, "hydra") || strcasestr(text, "mpich") ? LAUNCHER_MPICH : LAUNCHER_OTHER;
}

bool launcher_library(enum launcher_kind kind, char *path, size_t size)
{
    static const char *const files[] = {ORDO_TRACE_FOR_OPENMPI, ORDO_TRACE_FOR_MPICH, ORDO_TRACE_FOR_ANY};
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (!*files[kind] || length <= 0)
        return false;
    own[length] = '\0';
    const char *folder = dirname(own);
    static const char *const places[] = {"../" ORDO_TRACE_LIBDIR, "../lib"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if ((size_t)snprintf(path, size, "%s/%s/%s", folder, places[i], files[kind]) < size && access(path, R_OK) == 0)
            return true;
    return (size_t)snprintf(path, size, "%s/%s", ORDO_TRACE_FULL_LIBDIR, files[kind]) < size && access(path, R_OK) == 0;
}

/* Adds the words that load the recorder. The caller frees the result by free_words(). Open MPI passes only the
 * variables that "-x" names to other hosts. */
static char **add_words(enum launcher_kind kind, char *preload, char **words)
{
    size_t count = 0, variables = 0, at = 1;
    while (words[count])
        count++;
    for (char **variable = environ; *variable; variable++)
        variables += strncmp(*variable, "ORDO_TRACE_", 11) == 0;
    char **all = calloc(count + 2 * variables + 5, sizeof *all), *setting;
    if (!all)
        return NULL;
    all[0] = words[0];
    if (kind == LAUNCHER_OPENMPI) {
        if (asprintf(&setting, "LD_PRELOAD=%s", preload) < 0) {
            free(all);
            return NULL;
        }
        all[at++] = "-x";
        all[at++] = setting;
        for (char **variable = environ; *variable; variable++)
            if (strncmp(*variable, "ORDO_TRACE_", 11) == 0) {
                all[at++] = "-x";
                all[at++] = strndup(*variable, strcspn(*variable, "="));
            }
    } else if (kind == LAUNCHER_MPICH) {
        all[at++] = "-genv";
        all[at++] = "LD_PRELOAD";
        all[at++] = preload;
    }
    memcpy(all + at, words + 1, (count - 1) * sizeof *all);
    return all;
}

/* Frees the words that add_words() made: the words after each "-x". The words of the user, `words`, follow them. */
static void free_words(enum launcher_kind kind, char **all, char **words)
{
    for (size_t at = 1; all && kind == LAUNCHER_OPENMPI && all[at] != words[1]; at += 2)
        free(all[at + 1]);
    free(all);
}

int launcher_run(enum launcher_kind kind, const char *library, char **words)
{
    const char *before = getenv("LD_PRELOAD");
    char *preload;
    if (asprintf(&preload, before && *before ? "%s:%s" : "%s", library, before) < 0)
        return -1;
    char **all = add_words(kind, preload, words);
    bool ready = all && (kind != LAUNCHER_OTHER || setenv("LD_PRELOAD", preload, 1) == 0);
    int code = ready ? cli_run_child(all) : -1, saved = errno;
    free_words(kind, all, words);
    free(preload);
    errno = saved;
    return code;
}
