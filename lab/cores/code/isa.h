/* What a file of one architecture gives to the decoder. */
#ifndef ORDO_LAB_CORES_CODE_ISA_H
#define ORDO_LAB_CORES_CODE_ISA_H

#include <capstone/capstone.h>

#include "lab/cores/code/instruction.h"

/* An instruction with a latency of more than a few cycles, in cycles beyond the first. */
struct cores_slow {
    unsigned id; /* of capstone */
    uint16_t latency;
};

/* Number of the general register of which a register of capstone is all or a part; -1: it is none. */
int cores_x86_register(unsigned reg);
int cores_arm64_register(unsigned reg);

/* Fill flow, target, role and bases; the decoder itself fills addresses and the other registers. */
void cores_x86_classify(csh handle, const cs_insn *raw, struct cores_instruction *instruction);
void cores_arm64_classify(csh handle, const cs_insn *raw, struct cores_instruction *instruction);

/* Returns the latency in a table that ends with the number 0. */
static inline uint16_t cores_slow_latency(const struct cores_slow *table, unsigned id)
{
    while (table->id && table->id != id)
        table++;
    return table->latency;
}

#endif
