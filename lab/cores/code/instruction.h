/* One instruction of a processor, as far as the count of a block needs it. */
#ifndef ORDO_LAB_CORES_CODE_INSTRUCTION_H
#define ORDO_LAB_CORES_CODE_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cores_flow {
    CORES_FLOW_ON,     /* the next instruction follows */
    CORES_FLOW_CALL,   /* a call, which returns */
    CORES_FLOW_JUMP,   /* an unconditional jump to `target` */
    CORES_FLOW_BRANCH, /* a conditional jump */
    CORES_FLOW_END     /* a return, an indirect jump, or a trap */
};

enum cores_role {
    CORES_ROLE_COMPUTE,  /* all others */
    CORES_ROLE_COPY,     /* a register to a register */
    CORES_ROLE_CONSTANT, /* a constant to a register */
    CORES_ROLE_ADDRESS,  /* computes an address: lea, adrp, add to a pointer */
    CORES_ROLE_LOAD,     /* reads memory that is not in the frame */
    CORES_ROLE_STORE,    /* writes such memory */
    CORES_ROLE_SPILL,    /* moves a register to the frame of the function or back */
    CORES_ROLE_FRAME,    /* push, pop, or an addition to the stack pointer */
    CORES_ROLE_NOTHING   /* no operation */
};

enum { CORES_FLAGS = 32 }; /* the register of flags */

/* Registers are bits of a set: bit n is the general register n as the processor numbers it, or the flags. Others are not
 * noted. */
struct cores_instruction {
    uint64_t address, next, target; /* target: 0 if it is not a constant */
    enum cores_flow flow;
    enum cores_role role;
    uint64_t writes;  /* registers that it sets */
    uint64_t values;  /* registers whose values it uses other than in the address of an operand in memory */
    uint64_t bases;   /* registers in the address of an operand in memory */
    uint16_t latency; /* cycles beyond those of a simple instruction */
    uint8_t cycles;   /* from its operands to its result, without a load; at most those of a multiplication */
    int32_t frame;    /* ROLE_SPILL: place in the frame, in bytes from the stack pointer */
};

enum cores_isa { CORES_X86_64, CORES_ARM64 };

#endif
