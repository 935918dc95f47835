#include "lab/cores/code/code.h"

#include <stdlib.h>
#include <string.h>

#include "lab/cores/code/count.h"

/* The code behind a hook, decoded. The number of a block does not depend on the address of the program: blocks are numbered
 * in the order of their first visits. */
struct known {
    uint64_t offset; /* of the hook's return address in the program, plus 1; 0: empty */
    uint32_t place;  /* 0: of no block */
    uint16_t instructions, latency, calls;
    uint16_t steps;      /* number of steps */
    uint32_t first_step; /* their place in the array of all; they follow each other there */
};

struct cores_code {
    struct known *table; /* open addressing, at most half full */
    uint32_t bits, count, places;
    struct cores_counter *counter;
    struct cores_text text;
    struct cores_step *steps;
    uint32_t step_count, step_room;
};

extern const char text_begin[] __asm__("__executable_start");
extern const char text_end[] __asm__("etext");

#ifdef __aarch64__
#define ISA CORES_ARM64
#else
#define ISA CORES_X86_64
#endif

int cores_code_open(struct cores_code **code, struct ordo_error *error)
{
    struct cores_code *made = calloc(1, sizeof *made);
    if (!made)
        return ordo_error_errno(error, "the table of basic blocks");
    int failed = cores_counter_open(&made->counter, ISA, error);
    made->bits = 13;
    made->places = 1;
    made->table = calloc((size_t)1 << made->bits, sizeof *made->table);
    made->text = (struct cores_text){(const uint8_t *)text_begin, (uintptr_t)text_begin,
                                     (size_t)(text_end - text_begin), cores_hook_at};
    if (!failed && !made->table)
        failed = ordo_error_errno(error, "the table of basic blocks");
    if (failed) {
        cores_code_close(made);
        return failed;
    }
    *code = made;
    return ORDO_OK;
}

void cores_code_close(struct cores_code *code)
{
    if (!code)
        return;
    cores_counter_close(code->counter);
    free(code->table);
    free(code->steps);
    free(code);
}

/* Returns the entry of a block, or the empty entry for it. */
static struct known *known_find(struct known *table, uint32_t bits, uint64_t offset)
{
    uint64_t slot = offset * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits);
    while (table[slot].offset && table[slot].offset != offset)
        slot = (slot + 1) & ((UINT64_C(1) << bits) - 1);
    return &table[slot];
}

/* If there is no memory for a larger table the old one goes on, and is full only after as many blocks again. */
static void table_grow(struct cores_code *code)
{
    struct known *larger = calloc((size_t)2 << code->bits, sizeof *larger);
    if (!larger)
        return;
    for (size_t i = 0; i < (size_t)1 << code->bits; i++)
        if (code->table[i].offset)
            *known_find(larger, code->bits + 1, code->table[i].offset) = code->table[i];
    free(code->table);
    code->table = larger;
    code->bits++;
}

/* Appends the steps of a segment to those of all. Without memory for them the segment has none. */
static void steps_learn(struct cores_code *code, struct known *known, uintptr_t pc)
{
    struct cores_step steps[CORES_STEPS];
    int count = cores_count_depend(code->counter, &code->text, pc, steps);
    if (code->step_count + CORES_STEPS > code->step_room) {
        uint32_t room = 2 * code->step_room + 4096;
        struct cores_step *larger = realloc(code->steps, room * sizeof *larger);
        if (!larger)
            return;
        code->steps = larger;
        code->step_room = room;
    }
    memcpy(code->steps + code->step_count, steps, (size_t)count * sizeof *steps);
    known->first_step = code->step_count;
    known->steps = (uint16_t)count;
    code->step_count += (uint32_t)count;
}

__attribute__((noinline, cold)) static struct known *hook_learn(struct cores_code *code, uint64_t offset, uintptr_t pc)
{
    if (code->count >= (uint32_t)1 << (code->bits - 1))
        table_grow(code);
    struct known *known = known_find(code->table, code->bits, offset);
    *known = (struct known){.offset = offset};
    steps_learn(code, known, pc);
    code->count++;
    return known;
}

__attribute__((noinline, cold)) static void block_learn(struct cores_code *code, struct known *block, uintptr_t pc)
{
    struct cores_count count = cores_count_block(code->counter, &code->text, pc);
    block->place = code->places;
    block->instructions = count.instructions;
    block->latency = count.latency;
    block->calls = count.calls;
    code->places += count.calls + 1u;
}

/* Returns the entry of the hook that returns to `pc`. */
static struct known *hook_entry(struct cores_code *code, uintptr_t pc)
{
    uint64_t offset = pc - code->text.address + 1;
    struct known *known = known_find(code->table, code->bits, offset);
    return __builtin_expect(!known->offset, 0) ? hook_learn(code, offset, pc) : known;
}

struct cores_block cores_code_enter(struct cores_code *code, struct cores_predictor *predictor, uintptr_t pc)
{
    struct known *block = hook_entry(code, pc);
    if (__builtin_expect(!block->place, 0))
        block_learn(code, block, pc);
    bool mispredicted = cores_predictor_enter(predictor, block->place, block->calls);
    return (struct cores_block){
        block->instructions, mispredicted, block->latency, {code->steps + block->first_step, block->steps}};
}

struct cores_steps cores_code_steps(struct cores_code *code, uintptr_t pc)
{
    const struct known *known = hook_entry(code, pc);
    return (struct cores_steps){code->steps + known->first_step, known->steps};
}
