/* The one place where this library speaks: nobody has called a recorder that was preloaded, so there is nobody to return
 * an error to. */
#ifndef ORDO_TRACE_RECORD_COMPLAIN_H
#define ORDO_TRACE_RECORD_COMPLAIN_H

/** One line on stderr: "ordo-trace: rank 3: ...". Any thread. */
void ordo_trace_complain(int rank, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
