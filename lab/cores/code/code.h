/* The time of instructions that touch no memory: the compiler calls a hook at each basic block; this module says what
 * the block costs, whether a processor would have predicted the branch to it, and what its values wait for. */
#ifndef ORDO_LAB_CORES_CODE_H
#define ORDO_LAB_CORES_CODE_H

#include <stdint.h>

#include "base/error.h"
#include "lab/cores/code/depend.h"
#include "lab/cores/code/predictor.h"

struct cores_code;

/** Decodes nothing yet: a block is decoded from the program's own text when it is entered for the first time. */
int cores_code_open(struct cores_code **code, struct ordo_error *error);
void cores_code_close(struct cores_code *code);

/* What the instructions behind a hook wait for, until the next call or hook. Valid until the next call of a function of
 * this module. */
struct cores_steps {
    const struct cores_step *first;
    int count;
};

struct cores_block {
    uint16_t instructions; /* of the program: without hooks, their arguments, and spills around them */
    uint16_t mispredicted; /* 1: the branch to this block was mispredicted */
    uint16_t latency;      /* extra cycles of divisions and other slow instructions */
    struct cores_steps steps;
};

/** The block whose hook returns to `pc`; `predictor` is of the CPU that enters it. Deterministic; called very often, so
 * that a block which was decoded costs a few nanoseconds. */
struct cores_block cores_code_enter(struct cores_code *code, struct cores_predictor *predictor, uintptr_t pc);

/** The steps behind any hook, for which no block is entered. */
struct cores_steps cores_code_steps(struct cores_code *code, uintptr_t pc);

/* The values that hold a hook's first argument, and a function's result, on this host. */
#ifdef __aarch64__
enum { CORES_VALUE_ARGUMENT = 0, CORES_VALUE_RESULT = 0 };
#else
enum { CORES_VALUE_ARGUMENT = 7, CORES_VALUE_RESULT = 0 };
#endif

#endif
