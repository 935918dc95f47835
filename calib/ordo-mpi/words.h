/* What the options of the commands can do about a verification that did not pass. */
#ifndef ORDO_MPI_WORDS_H
#define ORDO_MPI_WORDS_H

#include "cluster/report/words.h"

/** What to do where models of this clock are not to be copied. */
const char *mpi_instead(const struct ordo_verify_result *result, int clock, char *text, size_t size);

#endif
