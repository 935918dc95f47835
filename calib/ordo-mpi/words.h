/* Advice if a verification did not pass: the options of the commands that help. */
#ifndef ORDO_MPI_WORDS_H
#define ORDO_MPI_WORDS_H

#include "cluster/report/words.h"

/** Writes and returns the advice if models of this clock must not be copied. */
const char *mpi_instead(const struct ordo_verify_result *result, int clock, char *text, size_t size);

#endif
