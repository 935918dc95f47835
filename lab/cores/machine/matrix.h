/* Square matrices of transfer times, in picoseconds. */
#ifndef ORDO_LAB_CORES_MATRIX_H
#define ORDO_LAB_CORES_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { CORES_CPUS_MOST = 4096 };

struct cores_matrix {
    int cpus;
    uint32_t *ps; /* [cpus * cpus]; the diagonal is 0 */
};

/** Reads the published form: line i has the times in nanoseconds between CPU i and the CPUs 0 to i - 1, then empty
 * fields. ORDO_E_INVALID: `error` names the file and the line. ORDO_E_SYSTEM: out of memory. */
int cores_matrix_read(struct cores_matrix *matrix, const char *file, const char *text, size_t bytes,
                      struct ordo_error *error);

/** Makes a matrix of zeros. */
int cores_matrix_make(struct cores_matrix *matrix, int cpus, struct ordo_error *error);

void cores_matrix_free(struct cores_matrix *matrix);

static inline uint32_t *cores_matrix_at(const struct cores_matrix *matrix, int row, int column)
{
    return &matrix->ps[(size_t)row * (size_t)matrix->cpus + (size_t)column];
}

/** Replaces the matrix by its rows and columns of the CPUs `pick`. */
int cores_matrix_pick(struct cores_matrix *matrix, const int *pick, int count, struct ordo_error *error);

/** Replaces each CPU by `threads` CPUs: CPU t * cpus + c is a thread of the core c. Threads of one core are `ps` apart;
 * all others have the distance of their cores. */
int cores_matrix_thread(struct cores_matrix *matrix, int threads, uint32_t ps, struct ordo_error *error);

#endif
