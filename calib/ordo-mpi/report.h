/* A verification as a table for people, as JSON, and as a line per node. */
#ifndef ORDO_MPI_REPORT_H
#define ORDO_MPI_REPORT_H

#include "words.h"

/** What is published for the hardware clock of a node, as its leader sees it; 0 for nothing. */
double mpi_boundary_ns(const struct mpi_result *result, int node);

void mpi_report_text(const struct mpi_result *result, FILE *stream);

/** Schema ordo-verify/1. 0, or -1 where memory ran out or the stream failed. */
int mpi_report_json(const struct mpi_result *result, const struct ordo_clock_source *required, FILE *stream);

/** "OK host: ...", "ERROR host: ..." or "UNKNOWN host: ..."; about the required clock, or all. */
void mpi_report_nhc(const struct mpi_result *result, const struct ordo_clock_source *required, FILE *stream);

/** Whether an interval of the hardware clock, of two ranks or two CPUs, lies wholly outside the published boundary. */
bool mpi_exceeds(const struct mpi_result *result, int node, int clock);

#endif
