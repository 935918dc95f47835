/* The counts of basic blocks, the dependences between values, and the promises of the branch predictor. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "lab/cores/code/code.h"
#include "lab/cores/code/count.h"
#include "lab/cores/code/depend.h"

enum { TEXT = 0x8000, HOOK = 0x9000, READ = 0x9100, LOAD = 0x9200, EXIT = 0x9300 };

static struct cores_hook hook_for_test(uintptr_t address)
{
    return address == HOOK   ? (struct cores_hook){CORES_HOOK_BLOCK, 0}
           : address == READ ? (struct cores_hook){CORES_HOOK_ACCESS, 1}
           : address == LOAD ? (struct cores_hook){CORES_HOOK_ATOMIC, 2}
           : address == EXIT ? (struct cores_hook){CORES_HOOK_EXIT, 0}
                             : (struct cores_hook){CORES_HOOK_NONE, 0};
}

/* Counts the code `bytes` at TEXT, behind the instruction `before`. */
static struct cores_count counted_behind(enum cores_isa isa, const uint8_t *before, size_t before_size,
                                         const uint8_t *bytes, size_t size)
{
    struct cores_counter *counter;
    struct ordo_error error;
    uint8_t all[128];
    cr_assert_eq(cores_counter_open(&counter, isa, &error), ORDO_OK, "%s", error.text);
    memcpy(all, before, before_size);
    memcpy(all + before_size, bytes, size);
    struct cores_text text = {all, TEXT - before_size, before_size + size, hook_for_test};
    struct cores_count count = cores_count_block(counter, &text, TEXT);
    cores_counter_close(counter);
    return count;
}

/* The same behind a call of HOOK. */
static struct cores_count counted(enum cores_isa isa, const uint8_t *bytes, size_t size)
{
    static const uint8_t x86[] = {0xe8, 0, 0x10, 0, 0}, arm64[] = {0x01, 0x04, 0x00, 0x94};
    return isa == CORES_X86_64 ? counted_behind(isa, x86, sizeof x86, bytes, size)
                               : counted_behind(isa, arm64, sizeof arm64, bytes, size);
}
#define COUNTED(isa, ...) counted(isa, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

Test(cores_code, a_hook_and_its_argument_are_not_counted)
{
    /* lea 8(%rbx),%rdi; call READ; mov 8(%rbx),%rbp; test %rbp,%rbp; je +0; call HOOK; add %rax,%rax */
    struct cores_count count = COUNTED(CORES_X86_64, 0x48, 0x8d, 0x7b, 0x08, 0xe8, 0xf7, 0x10, 0, 0, 0x48, 0x8b, 0x6b,
                                       0x08, 0x48, 0x85, 0xed, 0x74, 0, 0xe8, 0xe9, 0x0f, 0, 0, 0x48, 0x01, 0xc0);
    cr_assert_eq(count.instructions, 3, "%d", count.instructions);
    cr_assert_eq(count.calls, 0);
}

Test(cores_code, an_address_in_use_as_a_value_is_counted)
{
    /* lea 8(%rbx),%r12; mov %r12,%rdi; call READ; mov (%r12),%rax; add %r12,%rax; ret */
    struct cores_count count = COUNTED(CORES_X86_64, 0x4c, 0x8d, 0x63, 0x08, 0x4c, 0x89, 0xe7, 0xe8, 0xf4, 0x10, 0, 0,
                                       0x49, 0x8b, 0x04, 0x24, 0x4c, 0x01, 0xe0, 0xc3);
    cr_assert_eq(count.instructions, 4, "%d", count.instructions);
}

Test(cores_code, an_atomic_load_is_one_instruction)
{
    /* mov $5,%esi; mov %rbx,%rdi; call LOAD; mov %rax,%rbx; ret */
    struct cores_count count =
        COUNTED(CORES_X86_64, 0xbe, 5, 0, 0, 0, 0x48, 0x89, 0xdf, 0xe8, 0xf3, 0x11, 0, 0, 0x48, 0x89, 0xc3, 0xc3);
    cr_assert_eq(count.instructions, 2, "%d", count.instructions);
}

Test(cores_code, a_jump_is_followed_and_a_division_is_slow)
{
    /* jmp +1; ud2's first byte; div %rcx; pause; mov 8(%rsp),%rax; call 0xa000; ret */
    struct cores_count count = COUNTED(CORES_X86_64, 0xeb, 1, 0x0f, 0x48, 0xf7, 0xf1, 0xf3, 0x90, 0x48, 0x8b, 0x44,
                                       0x24, 8, 0xe8, 0, 0x20, 0, 0, 0xc3);
    cr_assert_eq(count.instructions, 5, "%d", count.instructions);
    cr_assert_eq(count.latency, 14 + 139, "%d", count.latency);
    cr_assert_eq(count.calls, 1);
}

Test(cores_code, a_jump_to_the_hook_of_an_exit_is_the_return_behind_it)
{
    /* add %rbx,%rax; call EXIT; pop %rbx; ret */
    struct cores_count called = COUNTED(CORES_X86_64, 0x48, 0x01, 0xd8, 0xe8, 0xf8, 0x12, 0, 0, 0x5b, 0xc3);
    /* add %rbx,%rax; pop %rbx; jmp EXIT; then the next function: add %rcx,%rax; ret */
    struct cores_count jumped =
        COUNTED(CORES_X86_64, 0x48, 0x01, 0xd8, 0x5b, 0xe9, 0xf7, 0x12, 0, 0, 0x48, 0x01, 0xc8, 0xc3);
    cr_assert_eq(called.instructions, 3, "%d", called.instructions);
    cr_assert_eq(jumped.instructions, 3, "%d", jumped.instructions);
    cr_assert_eq(jumped.calls, 0);
}

Test(cores_code, a_jump_to_a_hook_ends_the_function)
{
    /* A hook whose code is in the text, as that of the simulator is. nop; jmp EXIT; EXIT: add %rcx,%rax; ret */
    uint8_t bytes[0x1304] = {0x90, 0xe9, 0xfa, 0x12, 0, 0}, before[] = {0xe8, 0, 0x10, 0, 0};
    uint8_t *all = calloc(1, sizeof before + sizeof bytes);
    struct cores_counter *counter;
    memcpy(all, before, sizeof before);
    memcpy(all + sizeof before, bytes, sizeof bytes);
    memcpy(all + sizeof before + 0x1300, (const uint8_t[]){0x48, 0x01, 0xc8, 0xc3}, 4);
    cr_assert_eq(cores_counter_open(&counter, CORES_X86_64, NULL), ORDO_OK);
    struct cores_text text = {all, TEXT - sizeof before, sizeof before + sizeof bytes, hook_for_test};
    cr_assert_eq(cores_count_block(counter, &text, TEXT).instructions, 1);
    cores_counter_close(counter);
    free(all);
}

Test(cores_code, a_jump_to_the_hook_of_a_block_is_only_a_return)
{
    /* The hook returns to the caller of the function: call 0xa000; then add %rbx,%rax; add %rbx,%rax; ret */
    static const uint8_t call[] = {0xe8, 0, 0x20, 0, 0}, indirect[] = {0xff, 0xd0};
    static const uint8_t caller[] = {0x48, 0x01, 0xd8, 0x48, 0x01, 0xd8, 0xc3};
    cr_assert_eq(counted_behind(CORES_X86_64, call, sizeof call, caller, sizeof caller).instructions, 1);
    cr_assert_eq(counted_behind(CORES_X86_64, indirect, sizeof indirect, caller, sizeof caller).instructions, 1);
}

Test(cores_code, an_endless_loop_without_hooks_has_an_end)
{
    cr_assert_gt(COUNTED(CORES_X86_64, 0xeb, 0xfe).instructions, 0);
}

Test(cores_code, blocks_of_arm64_are_counted)
{
    /* add x0,x19,#8; bl READ; ldr x20,[x19,#8]; udiv x1,x2,x3; cbz x20,+8; bl HOOK; nop */
    struct cores_count count =
        COUNTED(CORES_ARM64, 0x60, 0x22, 0x00, 0x91, 0x3f, 0x04, 0x00, 0x94, 0x74, 0x06, 0x40, 0xf9, 0x41, 0x08, 0xc3,
                0x9a, 0x54, 0x00, 0x00, 0xb4, 0xfb, 0x03, 0x00, 0x94, 0x1f, 0x20, 0x03, 0xd5);
    cr_assert_eq(count.instructions, 3, "%d", count.instructions);
    cr_assert_eq(count.latency, 11, "%d", count.latency);
}

/* Follows the steps of `bytes` at TEXT, behind a call of READ whose load is done at 100 cycles. All other values are known
 * at 0 cycles at first; `known` keeps them from one segment to the next. */
static void followed(enum cores_isa isa, uint64_t *known, const uint8_t *bytes, size_t size)
{
    static const uint8_t x86[] = {0xe8, 0, 0x11, 0, 0}, arm64[] = {0x41, 0x04, 0x00, 0x94};
    size_t call = isa == CORES_X86_64 ? sizeof x86 : sizeof arm64;
    struct cores_step steps[CORES_STEPS];
    struct cores_decoder *decoder;
    uint8_t all[128];
    memcpy(all, isa == CORES_X86_64 ? x86 : arm64, call);
    memcpy(all + call, bytes, size);
    cr_assert_eq(cores_decoder_open(&decoder, isa, NULL), ORDO_OK);
    struct cores_text text = {all, TEXT - call, call + size, hook_for_test};
    int count = cores_depend(decoder, isa, &text, TEXT, steps);
    known[CORES_VALUE_LOADED] = 100;
    for (int i = 0; i < count; i++) {
        uint64_t from = known[steps[i].from], also = known[steps[i].also];
        known[steps[i].to] = (from > also ? from : also) + steps[i].cycles;
    }
    cores_decoder_close(decoder);
}
#define FOLLOWED(isa, known, ...)                                                                                      \
    followed(isa, known, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

enum { RAX = 0, RDX = 2, RDI = 7 };

Test(cores_depend, an_address_waits_for_the_load_that_it_was_computed_from)
{
    uint64_t known[CORES_VALUES] = {0};
    FOLLOWED(CORES_X86_64, known, 0x48, 0x8b, 0x3b); /* mov (%rbx),%rdi */
    cr_assert_eq(known[RDI], 100);
    FOLLOWED(CORES_X86_64, known, 0x48, 0x8b, 0x03, 0xbf, 5, 0, 0, 0); /* mov (%rbx),%rax; mov $5,%edi */
    cr_assert_eq(known[RAX], 100);
    cr_assert_eq(known[RDI], 0);
    FOLLOWED(CORES_X86_64, known, 0x48, 0x0f, 0xaf, 0xf8); /* imul %rax,%rdi */
    cr_assert_eq(known[RDI], 103);
}

Test(cores_depend, an_index_waits_for_the_comparison_with_a_loaded_key)
{
    /* mov (%rbx),%rax; xor %ecx,%ecx; cmp %rax,%r12; seta %cl; lea 8(%rbx,%rcx,8),%rdi */
    uint64_t known[CORES_VALUES] = {0}, arm64[CORES_VALUES] = {0};
    FOLLOWED(CORES_X86_64, known, 0x48, 0x8b, 0x03, 0x31, 0xc9, 0x49, 0x39, 0xc4, 0x0f, 0x97, 0xc1, 0x48, 0x8d, 0x7c,
             0xcb, 0x08);
    cr_assert_eq(known[RDI], 102, "%d", (int)known[RDI]);
    /* ldr x8,[x19]; cmp x8,x20; cset x9,hi; add x0,x19,x9,lsl #3 */
    FOLLOWED(CORES_ARM64, arm64, 0x68, 0x02, 0x40, 0xf9, 0x1f, 0x01, 0x14, 0xeb, 0xe9, 0x97, 0x9f, 0x9a, 0x60, 0x0e,
             0x09, 0x8b);
    cr_assert_eq(arm64[0], 102, "%d", (int)arm64[0]);
}

Test(cores_depend, a_branch_waits_for_its_comparison)
{
    uint64_t known[CORES_VALUES] = {0};
    FOLLOWED(CORES_X86_64, known, 0x48, 0x8b, 0x03, 0x49, 0x39, 0xc4, 0x74, 0); /* mov (%rbx),%rax; cmp %rax,%r12; je */
    cr_assert_eq(known[CORES_VALUE_CONDITION], 101);
    FOLLOWED(CORES_X86_64, known, 0x48, 0x85, 0xd2, 0x74, 0); /* test %rdx,%rdx; je */
    cr_assert_eq(known[CORES_VALUE_CONDITION], 1);
}

Test(cores_depend, a_value_passes_through_the_frame)
{
    /* mov (%rbx),%rax; mov %rax,0x18(%rsp); then mov 0x18(%rsp),%rdi; then mov 0x20(%rsp),%rdi */
    uint64_t known[CORES_VALUES] = {0};
    FOLLOWED(CORES_X86_64, known, 0x48, 0x8b, 0x03, 0x48, 0x89, 0x44, 0x24, 0x18);
    FOLLOWED(CORES_X86_64, known, 0x48, 0x8b, 0x7c, 0x24, 0x18);
    cr_assert_eq(known[RDI], 100);
    FOLLOWED(CORES_X86_64, known, 0x48, 0x8b, 0x7c, 0x24, 0x20);
    cr_assert_eq(known[RDI], 0);
}

Test(cores_depend, a_second_load_is_not_the_announced_one)
{
    /* mov (%rbx),%rdi; mov 0x2000(%rip),%rdx */
    uint64_t known[CORES_VALUES] = {0};
    FOLLOWED(CORES_X86_64, known, 0x48, 0x8b, 0x3b, 0x48, 0x8b, 0x15, 0, 0x20, 0, 0);
    cr_assert_eq(known[RDI], 100);
    cr_assert_eq(known[RDX], 4);
}

Test(cores_depend, unused_values_behind_a_hook_have_no_steps)
{
    /* mov (%rbx),%rax; add %rax,%rdx; mov %rbx,%rdi; call READ */
    uint64_t known[CORES_VALUES] = {0};
    FOLLOWED(CORES_X86_64, known, 0x48, 0x8b, 0x03, 0x48, 0x01, 0xc2, 0x48, 0x89, 0xdf, 0xe8, 0xf2, 0x10, 0, 0);
    cr_assert_eq(known[RAX], 0);
    cr_assert_eq(known[RDX], 0);
}

static struct cores_predictor *open_predictor(void)
{
    struct cores_predictor *predictor;
    cr_assert_eq(cores_predictor_open(&predictor, NULL), ORDO_OK);
    return predictor;
}

Test(cores_predictor, blocks_with_one_successor_are_always_predicted_after_their_first_visit)
{
    struct cores_predictor *predictor = open_predictor();
    for (int round = 0; round < 100; round++)
        for (uint32_t place = 1; place < 4000; place++)
            cr_assert(!cores_predictor_enter(predictor, place, 0) || round < 2);
    cores_predictor_close(predictor);
}

Test(cores_predictor, loops_of_up_to_30_rounds_are_learned)
{
    for (int trips = 2; trips <= 30; trips++) {
        struct cores_predictor *predictor = open_predictor();
        int wrong = 0;
        for (int round = 0; round < 1000; round++) {
            for (int trip = 0; trip < trips; trip++)
                wrong += cores_predictor_enter(predictor, 1, 0) && round >= 500;
            wrong += cores_predictor_enter(predictor, 2, 0) && round >= 500;
        }
        cr_assert_lt(wrong, 5, "%d rounds: %d of 500", trips, wrong);
        cores_predictor_close(predictor);
    }
}

/* Share of wrong predictions of a branch that goes one way in `percent` of 100 cases. */
static double wrong_share(unsigned percent)
{
    enum { COUNT = 200000 };
    struct cores_predictor *predictor = open_predictor();
    uint64_t seed = 5;
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        cores_predictor_enter(predictor, 1, 0);
        wrong += cores_predictor_enter(predictor, 2 + ((ordo_random_next(&seed) >> 32) % 100 < percent), 0);
    }
    cores_predictor_close(predictor);
    return (double)wrong / COUNT;
}

Test(cores_predictor, a_random_branch_is_mispredicted_in_half_of_all_cases)
{
    double share = wrong_share(50);
    cr_assert(share > 0.48 && share < 0.52, "%g", share);
}

Test(cores_predictor, a_biased_branch_is_mispredicted_little_more_often_than_it_is_rare)
{
    double share = wrong_share(90);
    cr_assert(share > 0.09 && share < 0.15, "%g", share);
}

/* A function (place 100) is called from 8 blocks in random order. Behind it each block has one successor. */
Test(cores_predictor, a_return_is_predicted_by_its_call)
{
    struct cores_predictor *predictor = open_predictor();
    uint64_t seed = 7;
    int wrong = 0;
    for (int i = 0; i < 10000; i++) {
        uint32_t caller = 10 + 4 * (uint32_t)((ordo_random_next(&seed) >> 32) % 8);
        cores_predictor_enter(predictor, caller, 1);
        cores_predictor_call(predictor);
        wrong += cores_predictor_enter(predictor, 100, 0);
        cores_predictor_return(predictor);
        wrong += cores_predictor_enter(predictor, caller + 2, 0);
        cores_predictor_enter(predictor, 1, 0);
    }
    cr_assert_leq(wrong, 16, "%d", wrong);
    cores_predictor_close(predictor);
}
