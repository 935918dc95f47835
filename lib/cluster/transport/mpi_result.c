#include "cluster/transport/mpi_result.h"

int ordo_mpi_result(int code, const char *call, struct ordo_error *error)
{
    char words[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (code == MPI_SUCCESS)
        return ORDO_OK;
    (void)MPI_Error_string(code, words, &length);
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: %.200s", call, words);
}
