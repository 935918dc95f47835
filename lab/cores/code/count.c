/* How well the count agrees: total of the counts over the instructions of the same program without hooks (callgrind,
 * without those of the C library), GCC 12, one thread, stamp "logical":
 *
 *                      rlu list  rlu hash  rlu tree  stm hash  stm tree  hekaton
 *     both -O3            1.006     0.983     1.014     0.935     0.973    0.933
 *     both -O2            1.006     0.961     1.019     0.967     0.905    0.985
 *
 * occ and silo have 1.52 and 1.58, because lib/cc/txn/copy.h copies records by words under ThreadSanitizer, and by memcpy
 * otherwise; without hooks but by words (CC_COPY_BY_WORDS) the ratios are 1.07 and 1.11.
 *
 * A conditional jump falls through because almost all blocks of GCC's intermediate code have a hook, so that the next
 * instruction is one. The others come from the expansion of switches and copies of blocks in the compiler's last passes.
 * The prologue of a function precedes its hook and is not counted; its epilogue is. The functions of libraries are
 * not decoded: a call of one is one instruction. */
#include "lab/cores/code/count.h"

#include <stdlib.h>

enum { LONGEST = 2048, NEAR = 16 };

/* A path of instructions from the hook of a block to the next hook. */
struct path {
    int length;
    struct cores_instruction step[LONGEST];
    struct cores_hook hook[LONGEST];
    bool out[LONGEST]; /* the program without hooks does not have this instruction */
};

/* Follows the program from `pc` to the next block's hook, return or indirect jump; a conditional jump falls through. A
 * jump to a hook is the last step: the hook returns for the function. */
static void path_walk(struct cores_decoder *decoder, const struct cores_text *text, uint64_t pc, struct path *path)
{
    for (path->length = 0; path->length < LONGEST && pc - text->address < text->size; path->length++) {
        struct cores_instruction *at = &path->step[path->length];
        uint64_t offset = pc - text->address;
        if (!cores_decode(decoder, text->bytes + offset, text->size - offset, pc, at))
            return;
        path->out[path->length] = false;
        struct cores_hook hook = path->hook[path->length] = cores_hook_of(text, at);
        if (hook.kind == CORES_HOOK_BLOCK)
            return;
        pc = at->flow == CORES_FLOW_JUMP ? at->target : at->next;
        if (at->flow == CORES_FLOW_END || (at->flow == CORES_FLOW_JUMP && hook.kind != CORES_HOOK_NONE)) {
            path->length++;
            return;
        }
    }
}

/* True if an instruction only computes a value, so that it is superfluous if the value is. */
static bool only_computes(const struct cores_instruction *step)
{
    return step->flow == CORES_FLOW_ON && step->role != CORES_ROLE_LOAD && step->role != CORES_ROLE_STORE &&
           step->role != CORES_ROLE_FRAME;
}

/* Leaves out the instructions that compute one argument of the hook at `call`, from the last on. */
static void leave_argument(struct path *path, int call, uint64_t argument)
{
    for (int i = call - 1; i >= 0 && i >= call - NEAR; i--) {
        const struct cores_instruction *step = &path->step[i];
        if (step->flow == CORES_FLOW_CALL)
            return;
        if (!(step->writes & argument)) {
            if ((step->values | step->bases) & argument)
                return;
            continue;
        }
        if (!only_computes(step))
            return;
        path->out[i] = true;
        if (!(step->values & argument))
            return;
    }
}

static void leave_arguments(struct path *path, enum cores_isa isa)
{
    for (int i = 0; i < path->length; i++) {
        uint64_t all = cores_argument_registers(isa, path->hook[i].arguments);
        for (uint64_t left = all; path->hook[i].kind != CORES_HOOK_NONE && left; left &= left - 1)
            leave_argument(path, i, left & -left);
    }
}

/* True if the value that step `from` sets serves only as the address of accesses, and of their hooks. */
static bool only_an_address(const struct path *path, int from)
{
    uint64_t set = path->step[from].writes;
    for (int i = from + 1; i < path->length; i++) {
        if (!path->out[i] && (path->step[i].values & set))
            return false;
        if (path->step[i].writes & set)
            return true;
    }
    return true;
}

/* An address that an access of the program would have in its operand, and which the hook needs in a register. */
static void leave_addresses(struct path *path)
{
    for (int i = path->length - 1; i >= 0; i--)
        if (path->step[i].role == CORES_ROLE_ADDRESS && only_an_address(path, i))
            path->out[i] = true;
}

/* The result of an atomic load is in the register that the program wants. */
static void leave_results(struct path *path, enum cores_isa isa)
{
    for (int i = 0; i + 1 < path->length; i++)
        if (path->hook[i].kind == CORES_HOOK_ATOMIC && path->step[i + 1].role == CORES_ROLE_COPY &&
            (path->step[i + 1].values & cores_result_register(isa)))
            path->out[i + 1] = true;
}

/* Number of instructions of the program for one step. A jump to a hook is the program's return, too. */
static unsigned instructions_of(const struct path *path, int i)
{
    enum cores_role role = path->step[i].role;
    enum cores_hook_kind hook = path->hook[i].kind;
    if (path->out[i] || role == CORES_ROLE_SPILL || role == CORES_ROLE_NOTHING)
        return 0;
    if (hook == CORES_HOOK_NONE)
        return 1;
    return (hook == CORES_HOOK_ATOMIC) + (path->step[i].flow == CORES_FLOW_JUMP);
}

static uint16_t at_most_16_bits(unsigned value)
{
    return value < UINT16_MAX ? (uint16_t)value : UINT16_MAX;
}

struct cores_counter {
    struct cores_decoder *decoder;
    enum cores_isa isa;
    struct path path;
};

int cores_counter_open(struct cores_counter **counter, enum cores_isa isa, struct ordo_error *error)
{
    struct cores_counter *made = calloc(1, sizeof *made);
    if (!made)
        return ordo_error_errno(error, "the counter of instructions");
    int code = cores_decoder_open(&made->decoder, isa, error);
    if (code) {
        free(made);
        return code;
    }
    made->isa = isa;
    *counter = made;
    return ORDO_OK;
}

void cores_counter_close(struct cores_counter *counter)
{
    if (!counter)
        return;
    cores_decoder_close(counter->decoder);
    free(counter);
}

/* A function that is only `jmp` to a block's hook: the hook returns to the function's caller, whose call precedes `pc`. The
 * rest of the caller's block is counted with the caller; of the function, one return is left. */
static const struct cores_count only_a_return = {.instructions = 1};

int cores_count_depend(struct cores_counter *counter, const struct cores_text *text, uint64_t pc,
                       struct cores_step *steps)
{
    return cores_depend(counter->decoder, counter->isa, text, pc, steps);
}

struct cores_count cores_count_block(struct cores_counter *counter, const struct cores_text *text, uint64_t pc)
{
    struct path *path = &counter->path;
    unsigned instructions = 0, latency = 0, calls = 0;
    if (cores_hook_before(counter->decoder, counter->isa, text, pc).kind != CORES_HOOK_BLOCK)
        return only_a_return;
    path_walk(counter->decoder, text, pc, path);
    leave_arguments(path, counter->isa);
    leave_addresses(path);
    leave_results(path, counter->isa);
    for (int i = 0; i < path->length; i++) {
        instructions += instructions_of(path, i);
        latency += path->step[i].latency;
        calls += path->step[i].flow == CORES_FLOW_CALL && path->hook[i].kind == CORES_HOOK_NONE;
    }
    return (struct cores_count){at_most_16_bits(instructions), at_most_16_bits(latency), at_most_16_bits(calls)};
}
