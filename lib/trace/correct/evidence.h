/* The evidence about clocks in a trace without sessions: the numbers of bounds from messages and from collectives, from
 * above and from below, and the calls that were left out. */
#ifndef ORDO_TRACE_CORRECT_EVIDENCE_H
#define ORDO_TRACE_CORRECT_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/correct/numbering.h"

enum ordo_evidence_kind { ORDO_EVIDENCE_MESSAGES, ORDO_EVIDENCE_COLLECTIVES, ORDO_EVIDENCE_KINDS };
enum ordo_evidence_side { ORDO_EVIDENCE_ABOVE, ORDO_EVIDENCE_BELOW, ORDO_EVIDENCE_SIDES };

/** The bounds of one rank's offset, by kind and side. */
struct ordo_evidence_rank {
    uint64_t bounds[ORDO_EVIDENCE_KINDS][ORDO_EVIDENCE_SIDES];
    uint64_t tightest[ORDO_EVIDENCE_KINDS][ORDO_EVIDENCE_SIDES]; /* sessions whose tightest bound is of this kind */
};

struct ordo_evidence {
    struct ordo_evidence_rank *ranks; /* of rank 0 up to `count` - 1; NULL: the clocks came from sessions */
    int count;
    int32_t reference;    /* the rank whose clock is global time: 0; the lowest rank with events if 0 has none */
    bool is_short;        /* it leaves a clock open, and contradicts nothing */
    uint64_t messages;    /* messages between ranks that joined two clocks */
    uint64_t collectives; /* that several ranks took part in and that were used */
    uint64_t rootless;    /* not used, because the trace does not state the root or the places */
    uint64_t holes;       /* calls that a rank lacks between its first and its last one in a communicator */
    uint64_t skipped;     /* calls that were left out, because it is not certain which calls belong together */
    struct ordo_numbering numbering;
    char told[224]; /* the first hole or the first call left out, in words; "": none */
};

#endif
