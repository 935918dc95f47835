/* The recorder of an MPI program, from within: a program's own regions, and sessions. Link with libordo-trace, or call
 * these functions from a program into which `ordo-trace run` preloads it; see ordo_trace(3).
 *
 *     ordo_trace_begin("assemble");
 *     ...
 *     ordo_trace_end("assemble");
 *     ordo_trace_timesync();                                   // collective, now and then
 *
 * MPI calls are recorded automatically, from MPI_Init to MPI_Finalize. Nothing is recorded before or after. */
#ifndef ORDO_TRACE_H
#define ORDO_TRACE_H

#include <ordo/error.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* the functions of the library */

/** Local: this thread enters, or leaves, a region. Regions nest, as calls do. A name of more than 255 letters is
 * truncated, and bytes of it that are no letter of UTF-8 become '?'. Any thread; but not while MPI_Finalize runs, nor
 * in a signal handler. Calls with NULL, and calls within a call of MPI (by a user-defined operation), are ignored. */
void ordo_trace_begin(const char *name);
void ordo_trace_end(const char *name);

/** Collective over MPI_COMM_WORLD: the ranks exchange their clocks (VT_timesync of the Intel Trace Collector). The more
 * often, the narrower the bounds of the corrected times in between. Returns 0, or
 *
 * - ORDO_E_INVALID: nothing is recorded;
 * - ORDO_E_SYSTEM: a message was lost. */
int ordo_trace_timesync(void);

/** Local: writes the recorded events of all threads so far, so that they can be read even if this rank fails. Returns
 * 0, or
 *
 * - ORDO_E_INVALID: nothing is recorded, or the policy is not `flush`;
 * - ORDO_E_SYSTEM: the file cannot be written. */
int ordo_trace_flush(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
