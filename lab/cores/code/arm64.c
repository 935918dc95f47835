/* Instructions of the 64-bit ARM architecture. */
#include "lab/cores/code/isa.h"

#define SP 31

/* Upper ends of the latencies of doubles, and the middle of those of integers, less one cycle: Arm Neoverse N1 Software
 * Optimization Guide, chapter 3. `yield` and `isb` have no entry there; isb empties the pipeline. */
static const struct cores_slow slow[] = {{ARM64_INS_UDIV, 11},  {ARM64_INS_SDIV, 11}, {ARM64_INS_FDIV, 14},
                                         {ARM64_INS_FSQRT, 16}, {ARM64_INS_ISB, 29},  {0, 0}};

int cores_arm64_register(unsigned reg)
{
    if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
        return (int)(reg - ARM64_REG_X0);
    if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
        return (int)(reg - ARM64_REG_W0);
    switch (reg) {
    case ARM64_REG_X29:
        return 29;
    case ARM64_REG_X30:
        return 30;
    case ARM64_REG_SP:
        return SP;
    case ARM64_REG_NZCV:
        return CORES_FLAGS;
    default:
        return -1;
    }
}

static uint64_t arm64_bit(unsigned reg)
{
    int number = cores_arm64_register(reg);
    return number < 0 ? 0 : UINT64_C(1) << number;
}

static enum cores_flow arm64_flow(csh handle, const cs_insn *raw)
{
    switch (raw->id) {
    case ARM64_INS_BL:
    case ARM64_INS_BLR:
        return CORES_FLOW_CALL;
    case ARM64_INS_B:
        return raw->detail->arm64.cc == ARM64_CC_INVALID || raw->detail->arm64.cc == ARM64_CC_AL ? CORES_FLOW_JUMP
                                                                                                 : CORES_FLOW_BRANCH;
    case ARM64_INS_BR:
    case ARM64_INS_RET:
    case ARM64_INS_BRK:
        return CORES_FLOW_END;
    default:
        return cs_insn_group(handle, raw, ARM64_GRP_JUMP) ? CORES_FLOW_BRANCH : CORES_FLOW_ON;
    }
}

static enum cores_role arm64_memory_role(const cs_insn *raw, const cs_arm64_op *memory)
{
    bool frame = memory->mem.base == ARM64_REG_SP || memory->mem.base == ARM64_REG_X29;
    bool pair = raw->id == ARM64_INS_STP || raw->id == ARM64_INS_LDP;
    if (frame && pair)
        return CORES_ROLE_FRAME;
    if (frame && (raw->id == ARM64_INS_STR || raw->id == ARM64_INS_LDR))
        return CORES_ROLE_SPILL;
    return raw->mnemonic[0] == 's' ? CORES_ROLE_STORE : CORES_ROLE_LOAD;
}

static enum cores_role arm64_role(const cs_insn *raw)
{
    const cs_arm64 *arm64 = &raw->detail->arm64;
    for (int i = 0; i < arm64->op_count; i++)
        if (arm64->operands[i].type == ARM64_OP_MEM)
            return arm64_memory_role(raw, &arm64->operands[i]);
    bool on_stack =
        arm64->op_count && arm64->operands[0].type == ARM64_OP_REG && arm64->operands[0].reg == ARM64_REG_SP;
    switch (raw->id) {
    case ARM64_INS_NOP:
    case ARM64_INS_HINT:
        return CORES_ROLE_NOTHING;
    case ARM64_INS_MOV:
    case ARM64_INS_MOVZ:
        return arm64->operands[1].type == ARM64_OP_IMM ? CORES_ROLE_CONSTANT : CORES_ROLE_COPY;
    case ARM64_INS_ADRP:
    case ARM64_INS_ADR:
        return CORES_ROLE_ADDRESS;
    case ARM64_INS_ADD:
        return on_stack ? CORES_ROLE_FRAME : CORES_ROLE_ADDRESS;
    case ARM64_INS_SUB:
        return on_stack ? CORES_ROLE_FRAME : CORES_ROLE_COMPUTE;
    default:
        return CORES_ROLE_COMPUTE;
    }
}

static void arm64_note_bases(const cs_arm64 *arm64, struct cores_instruction *instruction)
{
    uint64_t others = 0;
    for (int i = 0; i < arm64->op_count; i++) {
        const cs_arm64_op *operand = &arm64->operands[i];
        if (operand->type == ARM64_OP_MEM)
            instruction->bases |= arm64_bit(operand->mem.base) | arm64_bit(operand->mem.index);
        else if (operand->type == ARM64_OP_REG && (operand->access & CS_AC_READ))
            others |= arm64_bit(operand->reg);
    }
    instruction->values &= ~instruction->bases | others;
}

/* Multiplications of the Neoverse N1 take 2 cycles for 32 bits, and 4 for 64 (its guide, chapter 3). */
static uint8_t arm64_cycles(const cs_insn *raw, enum cores_role role)
{
    switch (raw->id) {
    case ARM64_INS_MUL:
    case ARM64_INS_MADD:
    case ARM64_INS_MSUB:
        return 4;
    case ARM64_INS_LDR:
    case ARM64_INS_LDRB:
    case ARM64_INS_LDRH:
    case ARM64_INS_LDP:
    case ARM64_INS_LDUR:
        return 0;
    default:
        return role == CORES_ROLE_COMPUTE;
    }
}

static int32_t arm64_frame(const cs_arm64 *arm64)
{
    for (int i = 0; i < arm64->op_count; i++)
        if (arm64->operands[i].type == ARM64_OP_MEM)
            return arm64->operands[i].mem.disp;
    return 0;
}

/* Capstone 4 says that a comparison sets its first operand. */
static void arm64_mend_comparison(const cs_insn *raw, struct cores_instruction *instruction)
{
    uint64_t flags = UINT64_C(1) << CORES_FLAGS;
    if (raw->id != ARM64_INS_CMP && raw->id != ARM64_INS_CMN && raw->id != ARM64_INS_TST)
        return;
    instruction->values |= instruction->writes & ~flags;
    instruction->writes = flags;
}

void cores_arm64_classify(csh handle, const cs_insn *raw, struct cores_instruction *instruction)
{
    const cs_arm64 *arm64 = &raw->detail->arm64;
    instruction->flow = arm64_flow(handle, raw);
    for (int i = 0; instruction->flow != CORES_FLOW_ON && i < arm64->op_count; i++)
        if (arm64->operands[i].type == ARM64_OP_IMM)
            instruction->target = (uint64_t)arm64->operands[i].imm; /* the last: tbz has a number of a bit first */
    instruction->role = instruction->flow == CORES_FLOW_ON ? arm64_role(raw) : CORES_ROLE_COMPUTE;
    instruction->latency = cores_slow_latency(slow, raw->id);
    instruction->cycles = arm64_cycles(raw, instruction->role);
    instruction->frame = arm64_frame(arm64);
    arm64_note_bases(arm64, instruction);
    arm64_mend_comparison(raw, instruction);
}
