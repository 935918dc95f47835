/* The recorder of an MPI program, from within: regions of one's own, and sessions. Link with libordo-trace, or call these
 * from a program that `ordo-trace run` preloads it into; see ordo_trace(3).
 *
 *     ordo_trace_begin("assemble");
 *     ...
 *     ordo_trace_end("assemble");
 *     ordo_trace_timesync();                                   // collective, now and then
 *
 * MPI calls are recorded by themselves, from MPI_Init to MPI_Finalize. Nothing is recorded outside of these. */
#ifndef ORDO_TRACE_H
#define ORDO_TRACE_H

#include <ordo/error.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library offers */

/** Local: this thread enters, or leaves, a region. Regions nest, as calls do. A name of more than 255 letters is cut, and
 * what is no letter of UTF-8 in it becomes '?'. Any thread; not while MPI_Finalize runs, nor in a signal handler. NULL,
 * and what is called within a call of MPI (by an operation of one's own), is passed over. */
void ordo_trace_begin(const char *name);
void ordo_trace_end(const char *name);

/** Collective over MPI_COMM_WORLD: the ranks exchange their clocks (VT_timesync of the Intel Trace Collector). The more
 * often, the narrower the bounds of the corrected times between. Returns 0; ORDO_E_INVALID, nothing is recorded;
 * ORDO_E_SYSTEM, a message was lost. */
int ordo_trace_timesync(void);

/** Local: writes what all threads have recorded so far, so that it can be read whatever becomes of this rank. Returns 0;
 * ORDO_E_INVALID, nothing is recorded, or the policy is not `flush`; ORDO_E_SYSTEM, the file cannot be written. */
int ordo_trace_flush(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
