#include "launcher.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/mpi/evidence.h"

/* Returns the value of the first variable whose value is a number >= 0; -1 if there is none. `names` has the launcher's
 * own variables before those of the scheduler, which may describe helper processes of the launcher. */
static int number_in_environment(const char *const *names)
{
    for (; *names; names++) {
        const char *text = getenv(*names);
        char *end;
        long number = text ? strtol(text, &end, 10) : -1;
        if (number >= 0 && number <= INT_MAX && end != text && *end == '\0')
            return (int)number;
    }
    return -1;
}

/* Returns the value of a launcher's variable. If one launcher was started by another, both have set their variables; so
 * the variable of the launcher of this MPI comes first. */
static int number_by_mpi(const char *openmpi, const char *pmi, const char *other, const char *scheduler)
{
    char library[8];
    ordo_evidence_mpi(library, sizeof library);
    bool open = strncmp(library, "Open", 4) == 0;
    const char *const names[] = {open ? openmpi : pmi, open ? pmi : openmpi, other, scheduler, NULL};
    return number_in_environment(names);
}

int mpi_launcher_rank(void)
{
    return number_by_mpi("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID");
}

int mpi_launcher_local_rank(void)
{
    int rank =
        number_by_mpi("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID");
    return rank >= 0 ? rank : mpi_launcher_rank();
}

int mpi_launcher_size(void)
{
    int size = number_by_mpi("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS");
    return size > 0 ? size : 0;
}

int mpi_launcher_differs(int world_size, int alone, char text[400])
{
    int asked = mpi_launcher_size();
    char library[61];
    if (asked <= world_size && (world_size > 1 || asked == 1 || alone))
        return 0;
    ordo_evidence_mpi(library, sizeof library);
    if (asked > world_size)
        (void)snprintf(
            text, 400,
            "the launcher started %d processes, and MPI_COMM_WORLD has %d: nothing was compared; start it with the "
            "launcher of the MPI it is built for (%s)",
            asked, world_size, library);
    else
        (void)snprintf(
            text, 400,
            "one rank, and no launcher that was asked for one: nothing was compared; start it with mpirun -n N of "
            "the MPI it is built for (%s)",
            library);
    return 1;
}
