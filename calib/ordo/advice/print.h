/* The output of `ordo advise`, as text and as JSON. */
#ifndef ORDO_CALIB_ADVICE_PRINT_H
#define ORDO_CALIB_ADVICE_PRINT_H

#include <stdio.h>

#include "machine/advice/advice.h"
#include "record.h"

struct advice {
    const char *machine; /* a folder that describes another machine; NULL: this machine */
    struct ordo_situation situation;
    struct advice_record record;
};

/** Returns the next command to run: "ordo calibrate", "ordo watch", or "none". */
const char *advice_next(const struct advice *advice);

/** Writes the advice as text of at most 40 lines and 100 columns, so that it fits on one screen. */
void advice_write_text(const struct advice *advice, FILE *stream);

/** Writes the advice as a document of schema ordo-advise/1. Returns 0, or -1 if writing failed. */
int advice_write_json(const struct advice *advice, FILE *stream);

#endif
