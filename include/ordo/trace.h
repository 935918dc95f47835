/* Calls of an MPI program to its recorder: they mark the program's own regions and exchange clocks. Link with
 * libordo-trace, or run the program with `ordo-trace run`, which preloads the library; see ordo_trace(3).
 *
 *     ordo_trace_begin("assemble");
 *     ...
 *     ordo_trace_end("assemble");
 *     ordo_trace_timesync();                                   // collective, from time to time
 *
 * The library records MPI calls automatically. It records nothing before MPI_Init or after MPI_Finalize.
 * Programs in Fortran call the same names as subroutines (ordo_trace(3)). */
#ifndef ORDO_TRACE_H
#define ORDO_TRACE_H

#include <ordo/error.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* the functions of the library */

/** Local: records that this thread enters a region (ordo_trace_begin) or leaves it (ordo_trace_end). Regions nest, as
 * calls do. A name is truncated to 255 letters, and its bytes that are not valid UTF-8 become '?'. Any thread may call
 * it, except while MPI_Finalize runs or in a signal handler. Calls with NULL, and calls within a call of MPI (by a
 * user-defined operation), are ignored. */
void ordo_trace_begin(const char *name);
void ordo_trace_end(const char *name);

/** Collective over MPI_COMM_WORLD: the ranks exchange their clocks, as in VT_timesync of the Intel Trace Collector.
 * More frequent calls give narrower bounds for the corrected times between them. Returns 0, or
 *
 * - ORDO_E_INVALID: nothing is recorded;
 * - ORDO_E_SYSTEM: a message was lost. */
int ordo_trace_timesync(void);

/** Local: writes all events that the threads have recorded so far, so that they can be read even if this rank fails
 * later. Returns 0, or
 *
 * - ORDO_E_INVALID: nothing is recorded, or the policy is not `flush`;
 * - ORDO_E_SYSTEM: the file cannot be written. */
int ordo_trace_flush(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
