/* Advice on a verification that did not pass, in terms of the commands' options. */
#ifndef ORDO_MPI_WORDS_H
#define ORDO_MPI_WORDS_H

#include "cluster/report/words.h"

/** Writes the alternative if models of this clock must not be copied. */
const char *mpi_instead(const struct ordo_verify_result *result, int clock, char *text, size_t size);

#endif
