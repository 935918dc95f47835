#include "trace/record/complain.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void ordo_trace_complain(int rank, const char *format, ...)
{
    char line[512];
    va_list arguments;
    int length = snprintf(line, sizeof line, "ordo-trace: rank %d: ", rank);
    va_start(arguments, format);
    length += vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
    va_end(arguments);
    if (length > (int)sizeof line - 2)
        length = (int)sizeof line - 2;
    line[length++] = '\n';
    ssize_t written = write(STDERR_FILENO, line, (size_t)length); /* an error here cannot be reported */
    (void)written;
}
