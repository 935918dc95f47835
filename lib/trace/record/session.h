/* Sessions: the ranks whose clocks are their own exchange messages with rank 0, one with each in turn, and again, until
 * SYNC_MAX_MESSAGES or SYNC_MAX_DURATION. */
#ifndef ORDO_TRACE_RECORD_SESSION_H
#define ORDO_TRACE_RECORD_SESSION_H

/** Collective over MPI_COMM_WORLD: one session, recorded as a region. Returns 0, or ORDO_E_SYSTEM. */
int ordo_trace_session(void);

/** Collective, before a blocking collective operation over MPI_COMM_WORLD: a session where SYNC_PERIODIC says that it is
 * time. Rank 0 alone looks at its clock; the ranks ask it after so many operations as it told them the last time. */
void ordo_trace_session_periodic(void);

#endif
