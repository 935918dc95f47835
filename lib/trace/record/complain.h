/* The only part of this library that prints: a preloaded recorder has no caller to which it could return an error. */
#ifndef ORDO_TRACE_RECORD_COMPLAIN_H
#define ORDO_TRACE_RECORD_COMPLAIN_H

/** Prints one line on stderr: "ordo-trace: rank 3: ...". Any thread may call it. */
void ordo_trace_complain(int rank, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
