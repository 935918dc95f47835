/* The program without hooks has no instruction in place of a hook, so the values of its registers pass through the hook. Its own
 * arguments are computed with the program's registers: the address of an access is the first argument.
 *
 * Places of the frame are known by the rest of their offset from the stack pointer, and the registers that a function
 * saves are known when it restores them. A value that passes through other memory is known when its load is. */
#include "lab/cores/code/depend.h"

#include <string.h>

enum { LONGEST = 256, SOURCES = 8, FRAMES = CORES_VALUES - CORES_VALUE_FRAME };

/* Load to use in L1: 4 or 5 cycles on the processors named in x86.c and arm64.c. For loads that the compiler does not
 * announce; they read constants, and variables whose address the program never takes. */
enum { HIT_CYCLES = 4 };

struct segment {
    struct cores_step *steps;
    int count;
    bool announced; /* the next load is that of the hook */
    uint64_t stack;
};

struct cores_hook cores_hook_of(const struct cores_text *text, const struct cores_instruction *instruction)
{
    bool goes = instruction->flow == CORES_FLOW_CALL || instruction->flow == CORES_FLOW_JUMP;
    return goes ? text->hook(instruction->target) : (struct cores_hook){CORES_HOOK_NONE, 0};
}

struct cores_hook cores_hook_before(struct cores_decoder *decoder, enum cores_isa isa, const struct cores_text *text,
                                    uint64_t pc)
{
    struct cores_instruction call;
    uint64_t bytes = isa == CORES_X86_64 ? 5 : 4, end = pc - text->address;
    struct cores_hook none = {CORES_HOOK_NONE, 0};
    if (end < bytes || end > text->size)
        return none;
    if (!cores_decode(decoder, text->bytes + (end - bytes), bytes, pc - bytes, &call) || call.next != pc)
        return none;
    return cores_hook_of(text, &call);
}

static void step_add(struct segment *segment, int to, int from, int also, int cycles)
{
    if (segment->count < CORES_STEPS)
        segment->steps[segment->count++] =
            (struct cores_step){(uint8_t)to, (uint8_t)from, (uint8_t)also, (uint8_t)cycles};
}

/* Writes the members of a set into an array, `first` before all others if it is one; fills up with a known value. */
static int sources_of(uint64_t set, int first, int *sources)
{
    int count = 0;
    if (set >> first & 1)
        sources[count++] = first;
    for (uint64_t left = set & ~(UINT64_C(1) << first); left && count < SOURCES; left &= left - 1)
        sources[count++] = __builtin_ctzll(left);
    for (int i = count; i < 2; i++)
        sources[i] = CORES_VALUE_KNOWN;
    return count;
}

/* The values in `to` are known `cycles` after all those in `from`. */
static void values_set(struct segment *segment, uint64_t to, uint64_t from, int cycles)
{
    int sources[SOURCES];
    to &= ~segment->stack;
    if (!to)
        return;
    int first = __builtin_ctzll(to), count = sources_of(from & ~segment->stack, first, sources);
    step_add(segment, first, sources[0], sources[1], count > 2 ? 0 : cycles);
    for (int i = 2; i < count; i++)
        step_add(segment, first, first, sources[i], i + 1 < count ? 0 : cycles);
    for (uint64_t left = to & (to - 1); left; left &= left - 1)
        step_add(segment, __builtin_ctzll(left), first, CORES_VALUE_KNOWN, 0);
}

static uint64_t value_bit(int value)
{
    return UINT64_C(1) << value;
}

/* Returns the value of a loaded operand. */
static uint64_t operand_load(struct segment *segment, uint64_t bases)
{
    if (!segment->announced)
        values_set(segment, value_bit(CORES_VALUE_LOADED), bases, HIT_CYCLES);
    segment->announced = false;
    return value_bit(CORES_VALUE_LOADED);
}

static void spill_step(struct segment *segment, const struct cores_instruction *at)
{
    int place = CORES_VALUE_FRAME + (int)((uint32_t)at->frame / 8 % FRAMES);
    if (at->writes & ~segment->stack)
        values_set(segment, at->writes, value_bit(place), 0);
    else
        values_set(segment, value_bit(place), at->values, 0);
}

static void flow_step(struct segment *segment, const struct cores_instruction *at)
{
    uint64_t from = at->values & ~segment->stack, bases = at->bases & ~segment->stack;
    if (at->flow == CORES_FLOW_JUMP || (at->flow == CORES_FLOW_CALL && at->target))
        return;
    if (bases)
        from |= operand_load(segment, bases);
    values_set(segment, value_bit(CORES_VALUE_CONDITION), from, 0);
}

static void instruction_step(struct segment *segment, const struct cores_instruction *at)
{
    switch (at->role) {
    case CORES_ROLE_NOTHING:
        return;
    case CORES_ROLE_CONSTANT:
    case CORES_ROLE_FRAME:
        values_set(segment, at->writes, 0, 0);
        return;
    case CORES_ROLE_SPILL:
        spill_step(segment, at);
        return;
    case CORES_ROLE_STORE:
        segment->announced = false;
        return;
    case CORES_ROLE_LOAD:
        values_set(segment, at->writes, at->values | operand_load(segment, at->bases), at->cycles);
        return;
    case CORES_ROLE_COMPUTE:
    case CORES_ROLE_COPY:
    case CORES_ROLE_ADDRESS:
        values_set(segment, at->writes, at->values, at->cycles);
    }
}

/* Removes the steps whose values no later step uses, if only the values in `live` are used behind the segment. */
static void steps_prune(struct segment *segment, uint64_t live)
{
    int kept = segment->count;
    for (int i = segment->count - 1; i >= 0; i--) {
        struct cores_step step = segment->steps[i];
        if (!(live >> step.to & 1))
            continue;
        live = (live & ~value_bit(step.to)) | value_bit(step.from) | value_bit(step.also);
        segment->steps[--kept] = step;
    }
    segment->count -= kept;
    memmove(segment->steps, segment->steps + kept, (size_t)segment->count * sizeof *segment->steps);
}

/* Returns the values that are used behind the last instruction. The callee of a hook may change all registers but those
 * that a function keeps. */
static uint64_t values_behind(const struct cores_text *text, enum cores_isa isa, const struct cores_instruction *last)
{
    struct cores_hook hook = cores_hook_of(text, last);
    uint64_t others = ~UINT64_C(0) << CORES_VALUE_CONDITION;
    if (hook.kind == CORES_HOOK_NONE)
        return ~value_bit(CORES_VALUE_LOADED);
    return cores_kept_registers(isa) | cores_argument_registers(isa, hook.arguments) | others;
}

int cores_depend(struct cores_decoder *decoder, enum cores_isa isa, const struct cores_text *text, uint64_t pc,
                 struct cores_step *steps)
{
    enum cores_hook_kind before = cores_hook_before(decoder, isa, text, pc).kind;
    struct cores_instruction at = {.flow = CORES_FLOW_END};
    struct segment segment = {steps, 0, before == CORES_HOOK_ACCESS || before == CORES_HOOK_ATOMIC,
                              cores_stack_register(isa)};
    for (int i = 0; i < LONGEST && pc - text->address < text->size && segment.count < CORES_STEPS; i++) {
        uint64_t offset = pc - text->address;
        if (!cores_decode(decoder, text->bytes + offset, text->size - offset, pc, &at))
            break;
        if (at.flow == CORES_FLOW_ON)
            instruction_step(&segment, &at);
        else
            flow_step(&segment, &at);
        if (at.flow == CORES_FLOW_CALL || at.flow == CORES_FLOW_END || cores_hook_of(text, &at).kind)
            break;
        pc = at.flow == CORES_FLOW_JUMP ? at.target : at.next;
    }
    steps_prune(&segment, values_behind(text, isa, &at));
    return segment.count;
}
