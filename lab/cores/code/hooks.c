#include "lab/cores/code/hooks.h"

#include <stddef.h>

/* The names are weak: a program need not have all hooks. They are declared as data under other names, because the compiler
 * knows these functions itself. */
#define DECLARED(name) extern const char hook_##name[] __asm__("__tsan_" #name) __attribute__((weak));
#define ROW(name, hook_kind, hook_arguments) {hook_##name, {hook_kind, hook_arguments}},

#define SIZED(one, name, kind, arguments)                                                                              \
    one(name##1, kind, arguments) one(name##2, kind, arguments) one(name##4, kind, arguments)                          \
        one(name##8, kind, arguments) one(name##16, kind, arguments)
#define ACCESSES(one)                                                                                                  \
    SIZED(one, read, CORES_HOOK_ACCESS, 1)                                                                             \
    SIZED(one, write, CORES_HOOK_ACCESS, 1)                                                                            \
    SIZED(one, unaligned_read, CORES_HOOK_ACCESS, 1)                                                                   \
    SIZED(one, unaligned_write, CORES_HOOK_ACCESS, 1)                                                                  \
    SIZED(one, volatile_read, CORES_HOOK_ACCESS, 1)                                                                    \
    SIZED(one, volatile_write, CORES_HOOK_ACCESS, 1)                                                                   \
    SIZED(one, unaligned_volatile_read, CORES_HOOK_ACCESS, 1)                                                          \
    SIZED(one, unaligned_volatile_write, CORES_HOOK_ACCESS, 1)                                                         \
    one(read_range, CORES_HOOK_ACCESS, 2) one(write_range, CORES_HOOK_ACCESS, 2)                                       \
        one(vptr_update, CORES_HOOK_ACCESS, 2) one(vptr_read, CORES_HOOK_ACCESS, 1)
#define ATOMICS(one, bits)                                                                                             \
    one(atomic##bits##_load, CORES_HOOK_ATOMIC, 2) one(atomic##bits##_store, CORES_HOOK_ATOMIC, 3)                     \
        one(atomic##bits##_exchange, CORES_HOOK_ATOMIC, 3) one(atomic##bits##_fetch_add, CORES_HOOK_ATOMIC, 3)         \
            one(atomic##bits##_fetch_sub, CORES_HOOK_ATOMIC, 3) one(atomic##bits##_fetch_and, CORES_HOOK_ATOMIC, 3)    \
                one(atomic##bits##_fetch_or, CORES_HOOK_ATOMIC, 3) one(atomic##bits##_fetch_xor, CORES_HOOK_ATOMIC, 3) \
                    one(atomic##bits##_fetch_nand, CORES_HOOK_ATOMIC, 3)                                               \
                        one(atomic##bits##_compare_exchange_strong, CORES_HOOK_ATOMIC, 5)                              \
                            one(atomic##bits##_compare_exchange_weak, CORES_HOOK_ATOMIC, 5)                            \
                                one(atomic##bits##_compare_exchange_val, CORES_HOOK_ATOMIC, 5)
#define HOOKS(one)                                                                                                     \
    ACCESSES(one)                                                                                                      \
    ATOMICS(one, 8)                                                                                                    \
    ATOMICS(one, 16)                                                                                                   \
    ATOMICS(one, 32)                                                                                                   \
    ATOMICS(one, 64)                                                                                                   \
    ATOMICS(one, 128)                                                                                                  \
    one(atomic_thread_##fence, CORES_HOOK_ATOMIC, 1) one(atomic_signal_fence, CORES_HOOK_ACCESS, 1)                    \
        one(func_entry, CORES_HOOK_ACCESS, 1) one(func_exit, CORES_HOOK_EXIT, 0)

#define DECLARED_ROW(name, kind, arguments) DECLARED(name)
HOOKS(DECLARED_ROW)
extern const char hook_block[] __asm__("__sanitizer_cov_trace_pc") __attribute__((weak));

static const struct {
    const char *address;
    struct cores_hook hook;
} hooks[] = {{hook_block, {CORES_HOOK_BLOCK, 0}}, HOOKS(ROW)};

struct cores_hook cores_hook_at(uintptr_t address)
{
    for (size_t i = 0; address && i < sizeof hooks / sizeof *hooks; i++)
        if ((uintptr_t)hooks[i].address == address)
            return hooks[i].hook;
    return (struct cores_hook){CORES_HOOK_NONE, 0};
}
