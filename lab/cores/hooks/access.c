/* The hooks that the compiler puts before each plain access, and at each basic block (-fsanitize=thread,
 * -fsanitize-coverage=trace-pc). Their names and arguments are an interface of GCC and Clang; the compiler's own
 * runtimes are not linked. */
#include <stddef.h>
#include <stdint.h>

#include "lab/cores/hooks/prefetch.h"
#include "lab/cores/run/place.h"

#define HERE ((uintptr_t)__builtin_return_address(0))

void __sanitizer_cov_trace_pc(void)
{
    if (cores.cpu)
        cores_block(HERE);
}

#define ACCESS(name, call, size)                                                                                       \
    void name(const void *address)                                                                                     \
    {                                                                                                                  \
        if (cores.cpu) {                                                                                               \
            cores_hook_begin(HERE);                                                                                    \
            cores_place_use((uintptr_t)address, size, call == cores_store_plain);                                      \
            call((uintptr_t)address, size);                                                                            \
            cores_hook_end(HERE);                                                                                      \
        }                                                                                                              \
    }
#define ACCESSES(size)                                                                                                 \
    ACCESS(__tsan_read##size, cores_load_plain, size)                                                                  \
    ACCESS(__tsan_write##size, cores_store_plain, size)                                                                \
    ACCESS(__tsan_unaligned_read##size, cores_load_plain, size)                                                        \
    ACCESS(__tsan_unaligned_write##size, cores_store_plain, size)                                                      \
    ACCESS(__tsan_volatile_read##size, cores_load_plain, size)                                                         \
    ACCESS(__tsan_volatile_write##size, cores_store_plain, size)                                                       \
    ACCESS(__tsan_unaligned_volatile_read##size, cores_load_plain, size)                                               \
    ACCESS(__tsan_unaligned_volatile_write##size, cores_store_plain, size)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(const void *address, size_t bytes)
{
    if (cores.cpu) {
        cores_hook_begin(HERE);
        cores_place_use((uintptr_t)address, bytes, false);
        cores_range((uintptr_t)address, bytes, CORES_READ);
        cores_hook_end(HERE);
    }
}

void __tsan_write_range(const void *address, size_t bytes)
{
    if (cores.cpu) {
        cores_hook_begin(HERE);
        cores_place_use((uintptr_t)address, bytes, true);
        cores_range((uintptr_t)address, bytes, CORES_WRITE);
        cores_hook_end(HERE);
    }
}

void __tsan_init(void)
{
}

void __tsan_func_entry(const void *caller)
{
    (void)caller;
    if (cores.cpu) {
        cores_predictor_call(cores.cpu->predictor);
        cores_hook_end(HERE);
    }
}

void __tsan_func_exit(void)
{
    if (cores.cpu) {
        cores_predictor_return(cores.cpu->predictor);
        cores_hook_end(HERE);
    }
}

void cores_hook_prefetch(const void *address, int writes)
{
    if (cores.cpu) {
        cores_hook_begin(HERE);
        cores_prefetch((uintptr_t)address, writes ? CORES_WRITE : CORES_READ);
        cores_hook_end(HERE);
    }
}
