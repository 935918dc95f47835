/* How many instructions of the program a block has. */
#ifndef ORDO_LAB_CORES_CODE_COUNT_H
#define ORDO_LAB_CORES_CODE_COUNT_H

#include "lab/cores/code/depend.h"

struct cores_count {
    uint16_t instructions, latency;
    uint16_t calls; /* of functions that are no hooks */
};

/* A decoder, and space for one path: a coroutine's stack may be small. */
struct cores_counter;
int cores_counter_open(struct cores_counter **counter, enum cores_isa isa, struct ordo_error *error);
void cores_counter_close(struct cores_counter *counter);

/** Counts the block whose hook returns to `pc`. A block whose bytes cannot be decoded ends there. */
struct cores_count cores_count_block(struct cores_counter *counter, const struct cores_text *text, uint64_t pc);

/** Fills the steps of the segment at `pc`; see cores_depend. */
int cores_count_depend(struct cores_counter *counter, const struct cores_text *text, uint64_t pc,
                       struct cores_step *steps);

#endif
