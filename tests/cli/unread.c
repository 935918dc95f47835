/* A preload library: while a file exists, the system has no descriptor left for readers of the record.
 *
 *     ORDO_UNREAD=FILE ORDO_RECORD=RECORD LD_PRELOAD=.../libordo-unread.so program
 *
 * While FILE exists, opening RECORD without O_CLOEXEC, as readers of the record do, fails with ENFILE. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int open(const char *path, int flags, ...)
{
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    const char *record = getenv("ORDO_RECORD"), *sign = getenv("ORDO_UNREAD");
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
    va_end(arguments);
    if (record && sign && !(flags & O_CLOEXEC) && strcmp(path, record) == 0 && access(sign, F_OK) == 0)
        return errno = ENFILE, -1;
    return real(path, flags, mode);
}
