#include "lab/cores/code/decode.h"

#include <stdlib.h>

#include "lab/cores/code/isa.h"

struct cores_decoder {
    csh handle;
    cs_insn *raw;
    enum cores_isa isa;
};

int cores_decoder_open(struct cores_decoder **decoder, enum cores_isa isa, struct ordo_error *error)
{
    struct cores_decoder *made = calloc(1, sizeof *made);
    if (!made)
        return ordo_error_errno(error, "the decoder of instructions");
    made->isa = isa;
    cs_err wrong = isa == CORES_X86_64 ? cs_open(CS_ARCH_X86, CS_MODE_64, &made->handle)
                                       : cs_open(CS_ARCH_ARM64, CS_MODE_ARM, &made->handle);
    if (wrong) {
        free(made);
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "capstone cannot decode this processor's code: %s; install a "
                              "complete libcapstone",
                              cs_strerror(wrong));
    }
    cs_option(made->handle, CS_OPT_DETAIL, CS_OPT_ON);
    made->raw = cs_malloc(made->handle);
    *decoder = made;
    return ORDO_OK;
}

void cores_decoder_close(struct cores_decoder *decoder)
{
    if (!decoder)
        return;
    cs_free(decoder->raw, 1);
    cs_close(&decoder->handle);
    free(decoder);
}

static uint64_t register_set(const struct cores_decoder *decoder, const uint16_t *regs, int count)
{
    uint64_t set = 0;
    for (int i = 0; i < count; i++) {
        int number = decoder->isa == CORES_X86_64 ? cores_x86_register(regs[i]) : cores_arm64_register(regs[i]);
        if (number >= 0)
            set |= UINT64_C(1) << number;
    }
    return set;
}

bool cores_decode(struct cores_decoder *decoder, const uint8_t *bytes, size_t size, uint64_t address,
                  struct cores_instruction *instruction)
{
    cs_regs reads, writes;
    uint8_t read_count, write_count;
    uint64_t next = address;
    *instruction = (struct cores_instruction){.address = address};
    if (!cs_disasm_iter(decoder->handle, &bytes, &size, &next, decoder->raw) ||
        cs_regs_access(decoder->handle, decoder->raw, reads, &read_count, writes, &write_count))
        return false;
    instruction->next = next;
    instruction->writes = register_set(decoder, writes, write_count);
    instruction->values = register_set(decoder, reads, read_count);
    if (decoder->isa == CORES_X86_64)
        cores_x86_classify(decoder->handle, decoder->raw, instruction);
    else
        cores_arm64_classify(decoder->handle, decoder->raw, instruction);
    return true;
}

uint64_t cores_argument_registers(enum cores_isa isa, int count)
{
    static const int x86[] = {7, 6, 2, 1, 8, 9}; /* rdi, rsi, rdx, rcx, r8, r9 */
    uint64_t set = 0;
    for (int i = 0; i < count && i < 6; i++)
        set |= UINT64_C(1) << (isa == CORES_X86_64 ? x86[i] : i);
    return set;
}

uint64_t cores_result_register(enum cores_isa isa)
{
    (void)isa;
    return 1; /* rax and x0 both have the number 0 */
}

uint64_t cores_kept_registers(enum cores_isa isa)
{
    /* rbx, rsp, rbp, r12 to r15; x19 to x29 and sp */
    return isa == CORES_X86_64 ? UINT64_C(0xf038) : UINT64_C(0xbff80000);
}

uint64_t cores_stack_register(enum cores_isa isa)
{
    return UINT64_C(1) << (isa == CORES_X86_64 ? 4 : 31);
}
