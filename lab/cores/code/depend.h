/* The dependences between the values of a program.
 *
 * A segment is the code from the return of a hook to the next call, return or indirect jump. It is a list of steps, each
 * of which says when a value is known: some cycles after two other values are. The simulated CPU executes the steps
 * with times instead of values. Therefore it knows when the address of an access is known, also if it was computed from
 * a loaded value in several steps. */
#ifndef ORDO_LAB_CORES_CODE_DEPEND_H
#define ORDO_LAB_CORES_CODE_DEPEND_H

#include "lab/cores/code/decode.h"
#include "lab/cores/code/hooks.h"

/* Values: the registers as in instruction.h, and others. */
enum {
    CORES_VALUE_LOADED = 33, /* of the access that the hook before the segment announced */
    CORES_VALUE_CONDITION,   /* decides the last branch or indirect jump */
    CORES_VALUE_KNOWN,       /* a constant; no step sets it */
    CORES_VALUE_FRAME,       /* the first of the places in the frame, by the rest of their offset */
    CORES_VALUES = 64
};

/* `to` is known `cycles` after `from` and `also` are. */
struct cores_step {
    uint8_t to, from, also, cycles;
};

struct cores_text {
    const uint8_t *bytes;
    uint64_t address; /* of the first byte, when the program is executed */
    size_t size;
    struct cores_hook (*hook)(uintptr_t address);
};

enum { CORES_STEPS = 96 };

/** Fills the steps of the segment at `pc`; returns their number, at most CORES_STEPS. A longer segment ends there. */
int cores_depend(struct cores_decoder *decoder, enum cores_isa isa, const struct cores_text *text, uint64_t pc,
                 struct cores_step *steps);

/** Returns the hook that an instruction calls, or to which it jumps: the compiler turns a call before a return into a
 * jump. */
struct cores_hook cores_hook_of(const struct cores_text *text, const struct cores_instruction *instruction);

/** Returns the hook whose call returns to `pc`. */
struct cores_hook cores_hook_before(struct cores_decoder *decoder, enum cores_isa isa, const struct cores_text *text,
                                    uint64_t pc);

#endif
