/* Begins and ends the recording: starts all parts of the recorder after MPI_Init, and stops them before
 * MPI_Finalize. */
#ifndef ORDO_TRACE_RECORD_START_H
#define ORDO_TRACE_RECORD_START_H

/** Starts the recording. Collective, after MPI_Init. If it cannot record, one rank says why, and MPI continues without
 * a trace. */
void ordo_trace_start(int provided);

/** Stops the recording and closes the file. Collective, before MPI_Finalize. */
void ordo_trace_stop(void);

#endif
