/* How many instructions of the program a block has. */
#ifndef ORDO_LAB_CORES_CODE_COUNT_H
#define ORDO_LAB_CORES_CODE_COUNT_H

#include "lab/cores/code/decode.h"
#include "lab/cores/code/hooks.h"

struct cores_count {
    uint16_t instructions, latency;
    uint16_t calls; /* of functions that are no hooks */
};

struct cores_text {
    const uint8_t *bytes;
    uint64_t address; /* of the first byte, when the program is executed */
    size_t size;
    struct cores_hook (*hook)(uintptr_t address);
};

/* A decoder, and space for one path: a coroutine's stack may be small. */
struct cores_counter;
int cores_counter_open(struct cores_counter **counter, enum cores_isa isa, struct ordo_error *error);
void cores_counter_close(struct cores_counter *counter);

/** Counts the block whose hook returns to `pc`. A block whose bytes cannot be decoded ends there. */
struct cores_count cores_count_block(struct cores_counter *counter, const struct cores_text *text, uint64_t pc);

#endif
