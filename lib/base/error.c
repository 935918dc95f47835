#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int ordo_error_set(struct ordo_error *error, int code, int sys_errno, const char *format, ...)
{
    if (!error)
        return code;
    error->code = code;
    error->sys_errno = sys_errno;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    ordo_error_tidy(error->text);
    return code;
}

int ordo_error_errno(struct ordo_error *error, const char *format, ...)
{
    int sys_errno = errno;
    char object[160];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(object, sizeof object, format, arguments);
    va_end(arguments);
    return ordo_error_set(error, ORDO_E_SYSTEM, sys_errno, "%s: %s", object, strerror(sys_errno));
}
