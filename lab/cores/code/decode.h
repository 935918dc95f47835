/* Decodes instructions of x86-64 and of the 64-bit ARM architecture. */
#ifndef ORDO_LAB_CORES_CODE_DECODE_H
#define ORDO_LAB_CORES_CODE_DECODE_H

#include "base/error.h"
#include "lab/cores/code/instruction.h"

struct cores_decoder;
int cores_decoder_open(struct cores_decoder **decoder, enum cores_isa isa, struct ordo_error *error);
void cores_decoder_close(struct cores_decoder *decoder);

/** Decodes the instruction in bytes[0..size) that is executed at `address`. False: the bytes are no instruction. */
bool cores_decode(struct cores_decoder *decoder, const uint8_t *bytes, size_t size, uint64_t address,
                  struct cores_instruction *instruction);

/** The registers of the first `count` arguments of a function. */
uint64_t cores_argument_registers(enum cores_isa isa, int count);

/** The register of a function's result. */
uint64_t cores_result_register(enum cores_isa isa);

/** The registers that a function leaves as they were. */
uint64_t cores_kept_registers(enum cores_isa isa);

/** The stack pointer. */
uint64_t cores_stack_register(enum cores_isa isa);

#endif
