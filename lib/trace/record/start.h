/* Begins and ends the recording: starts all parts of the recorder after MPI_Init, and stops them before MPI_Finalize. */
#ifndef ORDO_TRACE_RECORD_START_H
#define ORDO_TRACE_RECORD_START_H

/** Collective, after MPI_Init. Where it cannot record it says so, on one rank, and MPI goes on without. */
void ordo_trace_start(int provided);

/** Collective, before MPI_Finalize. */
void ordo_trace_stop(void);

#endif
