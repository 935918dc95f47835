/* The file into which processes count their readings, for `ordo run --measure`: shared memory. */
#ifndef ORDO_PRELOAD_TALLY_H
#define ORDO_PRELOAD_TALLY_H

#include <stdint.h>

#include "preload/slot.h"

enum preload_function { PRELOAD_GETTIME, PRELOAD_TIMEOFDAY, PRELOAD_TIMESPEC, PRELOAD_FUNCTIONS };

enum {
    PRELOAD_OTHER = PRELOAD_CLOCKS, /* a clock that is not served */
    PRELOAD_COUNTED,
    PRELOAD_LANES = 64
};

#define PRELOAD_TALLY_MAGIC UINT64_C(0x796c6c61746f6472) /* "rdotally" */

/* The counts of some threads; each thread has one lane, which it may share. */
struct preload_lane {
    uint64_t count[PRELOAD_FUNCTIONS][PRELOAD_COUNTED];
} __attribute__((aligned(PRELOAD_LINE_BYTES)));

struct preload_tally {
    uint64_t magic;
    uint64_t processes; /* programs that loaded the preload */
    uint64_t threads;   /* lanes that were handed out */
    uint64_t unused[5];
    struct preload_lane lanes[PRELOAD_LANES];
};

#endif
