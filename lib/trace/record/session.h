/* Sessions: rank 0 exchanges messages with each rank that has a clock of its own, in rounds of one exchange with each
 * rank, until SYNC_MAX_MESSAGES or SYNC_MAX_DURATION is reached. */
#ifndef ORDO_TRACE_RECORD_SESSION_H
#define ORDO_TRACE_RECORD_SESSION_H

/** Holds one session, and records it as a region. Collective over MPI_COMM_WORLD. Returns 0, or ORDO_E_SYSTEM. */
int ordo_trace_session(void);

/** Holds a session if SYNC_PERIODIC says that one is due. Collective; call before a blocking collective operation over
 * MPI_COMM_WORLD. Rank 0 alone decides, by its clock; each time, it also broadcasts the number of operations after
 * which the ranks ask it again. */
void ordo_trace_session_periodic(void);

#endif
