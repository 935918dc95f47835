/* The calls of <ordo/trace.h> as Fortran makes them, without an interface: `call ordo_trace_begin('solve')` calls
 * ordo_trace_begin_ with the text and its length, and the functions become subroutines whose last argument is the code.
 * VT_timesync and `call VTTIMESYNC(ierr)` are the names of the Intel Trace Collector. */
#include <ordo/trace.h>

#include <string.h>

#include "trace/file/layout.h"
#include "trace/record/call.h"

void ordo_trace_begin_(const char *name, size_t length);
void ordo_trace_end_(const char *name, size_t length);
void ordo_trace_timesync_(int *code);
void ordo_trace_flush_(int *code);
void vttimesync_(int *code);
int VT_timesync(void);

/* Longer than a name in the file, so that ordo_trace_begin cuts the name, and cuts it between two letters. */
enum { TEXT = ORDO_TRACE_NAME_MOST + 16 };

/* Copies a text of Fortran, without the blanks at its end, into `to`. */
static const char *text_of_fortran(const char *name, size_t length, char to[TEXT + 1])
{
    while (length > 0 && name[length - 1] == ' ')
        length--;
    length = length < TEXT ? length : TEXT;
    memcpy(to, name, length);
    to[length] = '\0';
    return to;
}

ORDO_TRACE_WRAPPER void ordo_trace_begin_(const char *name, size_t length)
{
    char text[TEXT + 1];
    ordo_trace_begin(text_of_fortran(name, length, text));
}

ORDO_TRACE_WRAPPER void ordo_trace_end_(const char *name, size_t length)
{
    char text[TEXT + 1];
    ordo_trace_end(text_of_fortran(name, length, text));
}

ORDO_TRACE_WRAPPER void ordo_trace_timesync_(int *code)
{
    *code = ordo_trace_timesync();
}

ORDO_TRACE_WRAPPER void ordo_trace_flush_(int *code)
{
    *code = ordo_trace_flush();
}

ORDO_TRACE_WRAPPER void vttimesync_(int *code)
{
    *code = ordo_trace_timesync();
}

ORDO_TRACE_WRAPPER int VT_timesync(void)
{
    return ordo_trace_timesync();
}
