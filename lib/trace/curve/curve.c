#include "trace/curve/curve.h"

#include <stdlib.h>

int ordo_curve_create(struct ordo_curve *curve, int count, struct ordo_error *error)
{
    *curve = (struct ordo_curve){.pieces = calloc((size_t)count, sizeof *curve->pieces), .count = count};
    return curve->pieces ? ORDO_OK
                         : ordo_error_set(error, ORDO_E_SYSTEM, 0, "a curve of %d pieces: out of memory", count);
}

void ordo_curve_free(struct ordo_curve *curve)
{
    free(curve->pieces);
    *curve = (struct ordo_curve){0};
}

int ordo_curve_identity(struct ordo_curve *curve, struct ordo_error *error)
{
    return ordo_curve_create(curve, 1, error);
}
