#include "lab/cores/machine/matrix.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MATRIX_REMEDY "copy the published matrix again"

int cores_matrix_make(struct cores_matrix *matrix, int cpus, struct ordo_error *error)
{
    matrix->cpus = cpus;
    matrix->ps = calloc((size_t)cpus * (size_t)cpus, sizeof *matrix->ps);
    return matrix->ps ? ORDO_OK : ordo_error_errno(error, "a matrix of %d CPUs", cpus);
}

void cores_matrix_free(struct cores_matrix *matrix)
{
    free(matrix->ps);
    *matrix = (struct cores_matrix){0};
}

/* Reads nanoseconds with a decimal point, as picoseconds, and moves `*at` behind the number. Digits below a picosecond
 * are cut off. Returns 0 if no number from 1 ps to 1 ms is there. */
static uint32_t ps_of_field(const char **at)
{
    uint64_t ps = 0;
    int decimals = -1, digits = 0;
    for (;; (*at)++) {
        if (**at == '.' && decimals < 0) {
            decimals = 0;
        } else if (**at >= '0' && **at <= '9') {
            if (decimals < 3 && ps < 1000000000)
                ps = 10 * ps + (uint64_t)(**at - '0');
            decimals += decimals >= 0 && decimals < 3;
            digits++;
        } else {
            break;
        }
    }
    for (int i = decimals < 0 ? 0 : decimals; i < 3; i++)
        ps *= 10;
    return digits > 0 && ps <= 1000000000 ? (uint32_t)ps : 0;
}

static const char *line_end(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

/* Counts the lines that are not empty. */
static int count_rows(const char *text, const char *end)
{
    int rows = 0;
    for (const char *at = text; at < end; at = line_end(at, end) + 1)
        rows += line_end(at, end) > at && *at != '\r';
    return rows;
}

/* Reads line `row`; returns NULL, or the fault. */
static const char *read_matrix_row(struct cores_matrix *matrix, int row, const char *at, const char *end)
{
    for (int column = 0; column < matrix->cpus; column++) {
        if (column < row) {
            uint32_t ps = ps_of_field(&at);
            if (ps == 0)
                return "a field is no time from 0.001 to 1000000 ns";
            *cores_matrix_at(matrix, row, column) = *cores_matrix_at(matrix, column, row) = ps;
        }
        if (column + 1 < matrix->cpus && (at >= end || *at++ != ','))
            return "a field is missing, or a field on or above the diagonal is not empty";
    }
    at += at < end && *at == '\r';
    return at == end ? NULL : "there are more fields than lines";
}

int cores_matrix_read(struct cores_matrix *matrix, const char *file, const char *text, size_t bytes,
                      struct ordo_error *error)
{
    const char *end = text + bytes;
    int rows = count_rows(text, end), row = 0;
    *matrix = (struct cores_matrix){0};
    if (rows < 1 || rows > CORES_CPUS_MOST)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: %d lines, and not 1 to %d: " MATRIX_REMEDY, file, rows,
                              CORES_CPUS_MOST);
    int failed = cores_matrix_make(matrix, rows, error);
    for (const char *at = text; at < end && row < rows && !failed; at = line_end(at, end) + 1) {
        const char *fault = read_matrix_row(matrix, row++, at, line_end(at, end));
        if (fault)
            failed = ordo_error_set(error, ORDO_E_INVALID, 0, "%s: line %d of %d: %s: " MATRIX_REMEDY, file, row, rows,
                                    fault);
    }
    if (failed)
        cores_matrix_free(matrix);
    return failed;
}

int cores_matrix_pick(struct cores_matrix *matrix, const int *pick, int count, struct ordo_error *error)
{
    struct cores_matrix picked;
    int failed = cores_matrix_make(&picked, count, error);
    if (failed)
        return failed;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            *cores_matrix_at(&picked, i, j) = *cores_matrix_at(matrix, pick[i], pick[j]);
    cores_matrix_free(matrix);
    *matrix = picked;
    return ORDO_OK;
}

int cores_matrix_thread(struct cores_matrix *matrix, int threads, uint32_t ps, struct ordo_error *error)
{
    struct cores_matrix wide;
    int cores = matrix->cpus, cpus = cores * threads, failed = cores_matrix_make(&wide, cpus, error);
    if (failed)
        return failed;
    for (int i = 0; i < cpus; i++)
        for (int j = 0; j < cpus; j++)
            *cores_matrix_at(&wide, i, j) = i == j                   ? 0
                                            : i % cores == j % cores ? ps
                                                                     : *cores_matrix_at(matrix, i % cores, j % cores);
    cores_matrix_free(matrix);
    *matrix = wide;
    return ORDO_OK;
}
