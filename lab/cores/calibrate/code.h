/* Loops of ordinary integer code whose operands are in L1, for the mean time of an instruction. The rounds of a loop do not
 * depend on each other, so that a core executes several at once: the time that a value takes from one instruction to
 * the next is simulated (lab/cores/code/depend.h), and must not be in the mean a second time. */
#ifndef ORDO_LAB_CORES_CALIBRATE_CODE_H
#define ORDO_LAB_CORES_CALIBRATE_CODE_H

#include <stdint.h>

struct cores_calibrate_code {
    const char *name;
    uint64_t (*run)(uint64_t rounds); /* the same path in each round; returns a value that depends on all of them */
};

/* Ends with a NULL name. */
extern const struct cores_calibrate_code cores_calibrate_codes[];

/** Returns the number of instructions that one round executes: a child executes 64 and 192 rounds one instruction at a
 * time. 0: the system does not allow it. */
double cores_calibrate_instructions(const struct cores_calibrate_code *code);

#endif
