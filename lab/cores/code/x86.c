/* Instructions of x86-64. */
#include "lab/cores/code/isa.h"

#define RSP 4
#define RBP 5

/* Latencies of Ice Lake less one cycle, of registers of 64 bits for integers and of double precision for others; Intel 64
 * and IA-32 Architectures Optimization Reference Manual, "Instruction Latency and Throughput", and for pause the section
 * "Pause Latency in Skylake Client Microarchitecture" (up to 140 cycles). A locked instruction is an access of
 * lab/cores/cache, the counter has its own cost in the machine, and those that miss here take at most 5 cycles. */
static const struct cores_slow slow[] = {{X86_INS_DIV, 14},
                                         {X86_INS_IDIV, 14},
                                         {X86_INS_DIVSD, 13},
                                         {X86_INS_DIVSS, 10},
                                         {X86_INS_DIVPD, 13},
                                         {X86_INS_DIVPS, 10},
                                         {X86_INS_VDIVSD, 13},
                                         {X86_INS_VDIVSS, 10},
                                         {X86_INS_VDIVPD, 13},
                                         {X86_INS_VDIVPS, 10},
                                         {X86_INS_SQRTSD, 15},
                                         {X86_INS_SQRTSS, 11},
                                         {X86_INS_SQRTPD, 15},
                                         {X86_INS_SQRTPS, 11},
                                         {X86_INS_VSQRTSD, 15},
                                         {X86_INS_VSQRTSS, 11},
                                         {X86_INS_PAUSE, 139},
                                         {X86_INS_FDIV, 14},
                                         {X86_INS_FDIVP, 14},
                                         {X86_INS_FSQRT, 20},
                                         {X86_INS_CPUID, 99},
                                         {X86_INS_FNSTCW, 1},
                                         {0, 0}};

int cores_x86_register(unsigned reg)
{
    static const uint8_t numbers[X86_REG_ENDING] = {
#define REGISTER(n, q, d, w, b)                                                                                        \
    [X86_REG_##q] = n + 1, [X86_REG_##d] = n + 1, [X86_REG_##w] = n + 1, [X86_REG_##b] = n + 1
        REGISTER(0, RAX, EAX, AX, AL),
        REGISTER(1, RCX, ECX, CX, CL),
        REGISTER(2, RDX, EDX, DX, DL),
        REGISTER(3, RBX, EBX, BX, BL),
        REGISTER(4, RSP, ESP, SP, SPL),
        REGISTER(5, RBP, EBP, BP, BPL),
        REGISTER(6, RSI, ESI, SI, SIL),
        REGISTER(7, RDI, EDI, DI, DIL),
        REGISTER(8, R8, R8D, R8W, R8B),
        REGISTER(9, R9, R9D, R9W, R9B),
        REGISTER(10, R10, R10D, R10W, R10B),
        REGISTER(11, R11, R11D, R11W, R11B),
        REGISTER(12, R12, R12D, R12W, R12B),
        REGISTER(13, R13, R13D, R13W, R13B),
        REGISTER(14, R14, R14D, R14W, R14B),
        REGISTER(15, R15, R15D, R15W, R15B),
        [X86_REG_EFLAGS] = CORES_FLAGS + 1,
        [X86_REG_AH] = 1,
        [X86_REG_CH] = 2,
        [X86_REG_DH] = 3,
        [X86_REG_BH] = 4,
#undef REGISTER
    };
    return reg < X86_REG_ENDING ? numbers[reg] - 1 : -1;
}

static uint64_t register_bit(unsigned reg)
{
    int number = cores_x86_register(reg);
    return number < 0 ? 0 : UINT64_C(1) << number;
}

static enum cores_flow flow_of(csh handle, const cs_insn *raw)
{
    if (raw->id == X86_INS_JMP)
        return raw->detail->x86.operands[0].type == X86_OP_IMM ? CORES_FLOW_JUMP : CORES_FLOW_END;
    if (cs_insn_group(handle, raw, X86_GRP_CALL))
        return CORES_FLOW_CALL;
    if (cs_insn_group(handle, raw, X86_GRP_RET) || raw->id == X86_INS_UD2 || raw->id == X86_INS_HLT ||
        raw->id == X86_INS_INT3)
        return CORES_FLOW_END;
    return cs_insn_group(handle, raw, X86_GRP_JUMP) ? CORES_FLOW_BRANCH : CORES_FLOW_ON;
}

/* A move of a register or a constant between a register and memory, of any width. */
static enum cores_role role_of_move(const cs_x86 *x86)
{
    const cs_x86_op *to = &x86->operands[0], *from = &x86->operands[1];
    const cs_x86_op *memory = to->type == X86_OP_MEM ? to : from->type == X86_OP_MEM ? from : NULL;
    if (memory && from->type != X86_OP_IMM && memory->mem.index == X86_REG_INVALID &&
        (memory->mem.base == X86_REG_RSP || memory->mem.base == X86_REG_RBP))
        return CORES_ROLE_SPILL;
    if (memory)
        return memory == to ? CORES_ROLE_STORE : CORES_ROLE_LOAD;
    return from->type == X86_OP_IMM ? CORES_ROLE_CONSTANT : CORES_ROLE_COPY;
}

static bool memory_operand(const cs_x86 *x86)
{
    for (int i = 0; i < x86->op_count; i++)
        if (x86->operands[i].type == X86_OP_MEM)
            return true;
    return false;
}

static enum cores_role role_of(const cs_insn *raw)
{
    const cs_x86 *x86 = &raw->detail->x86;
    bool on_stack = x86->op_count && x86->operands[0].type == X86_OP_REG && x86->operands[0].reg == X86_REG_RSP;
    switch (raw->id) {
    case X86_INS_NOP:
    case X86_INS_ENDBR64:
        return CORES_ROLE_NOTHING;
    case X86_INS_PUSH:
    case X86_INS_POP:
    case X86_INS_LEAVE:
        return CORES_ROLE_FRAME;
    case X86_INS_LEA:
        return CORES_ROLE_ADDRESS;
    case X86_INS_ADD:
    case X86_INS_SUB:
        return on_stack ? CORES_ROLE_FRAME : memory_operand(x86) ? CORES_ROLE_LOAD : CORES_ROLE_COMPUTE;
    case X86_INS_XOR: /* of a register with itself */
        return x86->operands[0].type == X86_OP_REG && x86->operands[1].type == X86_OP_REG &&
                       x86->operands[0].reg == x86->operands[1].reg
                   ? CORES_ROLE_CONSTANT
               : memory_operand(x86) ? CORES_ROLE_LOAD
                                     : CORES_ROLE_COMPUTE;
    case X86_INS_MOV:
    case X86_INS_MOVABS:
    case X86_INS_MOVSD:
    case X86_INS_MOVSS:
    case X86_INS_MOVAPS:
    case X86_INS_MOVUPS:
    case X86_INS_MOVQ:
    case X86_INS_MOVDQA:
        return x86->op_count == 2 ? role_of_move(x86) : CORES_ROLE_COMPUTE;
    default:
        return memory_operand(x86) ? CORES_ROLE_LOAD : CORES_ROLE_COMPUTE;
    }
}

/* Removes from the values the registers that stand only in an address. */
static void note_bases(const cs_x86 *x86, struct cores_instruction *instruction)
{
    uint64_t others = 0;
    for (int i = 0; i < x86->op_count; i++) {
        const cs_x86_op *operand = &x86->operands[i];
        if (operand->type == X86_OP_MEM)
            instruction->bases |= register_bit(operand->mem.base) | register_bit(operand->mem.index);
        else if (operand->type == X86_OP_REG && (operand->access & CS_AC_READ))
            others |= register_bit(operand->reg);
    }
    if (instruction->role == CORES_ROLE_ADDRESS)
        instruction->bases = 0;
    instruction->values &= ~instruction->bases | others;
}

/* Multiplications take 3 cycles on all of these processors (Intel's manual above, and AMD's Software Optimization Guides
 * for Zen 2 to Zen 4). A move is renamed, and the shift of an address is a part of the load. */
static uint8_t cycles_of(const cs_insn *raw, enum cores_role role)
{
    switch (raw->id) {
    case X86_INS_IMUL:
    case X86_INS_MUL:
    case X86_INS_MULX:
        return 3;
    case X86_INS_MOV:
    case X86_INS_MOVZX:
    case X86_INS_MOVSX:
    case X86_INS_MOVSXD:
        return 0;
    default:
        return role == CORES_ROLE_COMPUTE || role == CORES_ROLE_LOAD;
    }
}

static int32_t frame_of(const cs_x86 *x86)
{
    for (int i = 0; i < x86->op_count; i++)
        if (x86->operands[i].type == X86_OP_MEM)
            return (int32_t)x86->operands[i].mem.disp;
    return 0;
}

void cores_x86_classify(csh handle, const cs_insn *raw, struct cores_instruction *instruction)
{
    const cs_x86 *x86 = &raw->detail->x86;
    instruction->flow = flow_of(handle, raw);
    if (instruction->flow != CORES_FLOW_ON && x86->op_count && x86->operands[0].type == X86_OP_IMM)
        instruction->target = (uint64_t)x86->operands[0].imm;
    instruction->role = instruction->flow == CORES_FLOW_ON ? role_of(raw) : CORES_ROLE_COMPUTE;
    instruction->latency = cores_slow_latency(slow, raw->id);
    instruction->cycles = cycles_of(raw, instruction->role);
    instruction->frame = frame_of(x86);
    if (instruction->role == CORES_ROLE_CONSTANT)
        instruction->values = 0;
    note_bases(x86, instruction);
}
