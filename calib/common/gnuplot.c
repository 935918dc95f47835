#include "common/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void gnuplot_quote(FILE *script, const char *text)
{
    (void)fputc('\'', script);
    for (; *text; text++) {
        if (*text == '\'')
            (void)fputc('\'', script);
        (void)fputc((unsigned char)*text < ' ' ? ' ' : *text, script);
    }
    (void)fputc('\'', script);
}

/* Runs gnuplot on a script, with `picture` as its standard output. */
static int run_gnuplot(FILE *script, FILE *picture, struct ordo_error *error)
{
    char *arguments[] = {"gnuplot", "-", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int status = 0;
    rewind(script);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, fileno(picture), STDOUT_FILENO);
    int failed = posix_spawnp(&child, "gnuplot", &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return ordo_error_set(error, failed == ENOENT ? ORDO_E_MISSING : ORDO_E_SYSTEM, failed,
                              "gnuplot: %s: install it, on Debian the package gnuplot-nox", strerror(failed));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "gnuplot: failed, and has said why above");
    return ORDO_OK;
}

static int copy(FILE *from, FILE *to, struct ordo_error *error)
{
    char bytes[4096];
    size_t count;
    rewind(from);
    while ((count = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, count, to) != count)
            return ordo_error_errno(error, "the picture");
    return fflush(to) == 0 && !ferror(from) ? ORDO_OK : ordo_error_errno(error, "the picture");
}

int gnuplot_draw(FILE *script, FILE *output, struct ordo_error *error)
{
    FILE *picture = tmpfile();
    int code = picture ? ORDO_OK : ordo_error_errno(error, "a temporary file");
    if (!code)
        code = fflush(script) == 0 ? run_gnuplot(script, picture, error) : ordo_error_errno(error, "the script");
    if (!code)
        code = copy(picture, output, error);
    if (picture)
        (void)fclose(picture);
    return code;
}
