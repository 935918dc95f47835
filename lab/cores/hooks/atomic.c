/* The hooks that replace each atomic operation (-fsanitize=thread). They do the operation, too. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/cores/run/buffer.h"
#include "lab/cores/run/place.h"

typedef uint8_t value8;
typedef uint16_t value16;
typedef uint32_t value32;
typedef uint64_t value64;
typedef unsigned __int128 value128;

#define HERE ((uintptr_t)__builtin_return_address(0))

static bool releases(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static bool acquires(int order)
{
    return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

/* With a weak order, an acquiring load holds later accesses back. With total store order all loads do, as far as other
 * CPUs can tell, at no cost. */
static void acquire(int order)
{
    if (acquires(order) && cores.machine->order == CORES_WEAK)
        cores_drain(false);
}

static void begin_update(uintptr_t pc, const volatile void *address, unsigned size, int order)
{
    if (!cores.cpu)
        return;
    cores_hook_begin(pc);
    cores_place_use((uintptr_t)address, size, true);
    cores_update((uintptr_t)address, size, releases(order));
    acquire(order);
    cores_hook_result(cores.cpu);
    cores_hook_end(pc);
}

#define LOAD(bits)                                                                                                     \
    value##bits __tsan_atomic##bits##_load(const volatile value##bits *address, int order)                             \
    {                                                                                                                  \
        if (!cores.cpu)                                                                                                \
            return *address;                                                                                           \
        value##bits value;                                                                                             \
        cores_hook_begin(HERE);                                                                                        \
        cores_place_use((uintptr_t)address, sizeof value, false);                                                      \
        cores_load((uintptr_t)address, sizeof value);                                                                  \
        cores_buffer_load((uintptr_t)address, sizeof value, &value);                                                   \
        acquire(order);                                                                                                \
        cores_hook_result(cores.cpu);                                                                                  \
        cores_hook_end(HERE);                                                                                          \
        return value;                                                                                                  \
    }

#define STORE(bits)                                                                                                    \
    void __tsan_atomic##bits##_store(volatile value##bits *address, value##bits value, int order)                      \
    {                                                                                                                  \
        if (!cores.cpu) {                                                                                              \
            *address = value;                                                                                          \
            return;                                                                                                    \
        }                                                                                                              \
        cores_hook_begin(HERE);                                                                                        \
        cores_place_use((uintptr_t)address, sizeof value, true);                                                       \
        uint64_t visible_ps = cores_store_atomic((uintptr_t)address, sizeof value, releases(order));                   \
        cores_buffer_store((uintptr_t)address, sizeof value, &value, visible_ps);                                      \
        if (order == __ATOMIC_SEQ_CST)                                                                                 \
            cores_fence();                                                                                             \
        cores_hook_end(HERE);                                                                                          \
    }

#define UPDATE(bits, name, expression)                                                                                 \
    value##bits __tsan_atomic##bits##_##name(volatile value##bits *address, value##bits operand, int order)            \
    {                                                                                                                  \
        begin_update(HERE, address, sizeof operand, order);                                                            \
        value##bits old = *address;                                                                                    \
        *address = (value##bits)(expression);                                                                          \
        return old;                                                                                                    \
    }

#define COMPARE_VALUE(bits)                                                                                            \
    value##bits __tsan_atomic##bits##_compare_exchange_val(volatile value##bits *address, value##bits expected,        \
                                                           value##bits desired, int order, int failed)                 \
    {                                                                                                                  \
        (void)failed;                                                                                                  \
        begin_update(HERE, address, sizeof desired, order);                                                            \
        value##bits old = *address;                                                                                    \
        if (old == expected)                                                                                           \
            *address = desired;                                                                                        \
        return old;                                                                                                    \
    }

#define COMPARE(bits, strength)                                                                                        \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile value##bits *address, value##bits *expected,        \
                                                          value##bits desired, int order, int failed)                  \
    {                                                                                                                  \
        (void)failed;                                                                                                  \
        begin_update(HERE, address, sizeof desired, order);                                                            \
        value##bits old = *address;                                                                                    \
        bool same = old == *expected;                                                                                  \
        if (same)                                                                                                      \
            *address = desired;                                                                                        \
        else                                                                                                           \
            *expected = old;                                                                                           \
        return same;                                                                                                   \
    }

#define ATOMICS(bits)                                                                                                  \
    LOAD(bits)                                                                                                         \
    STORE(bits)                                                                                                        \
    UPDATE(bits, exchange, operand)                                                                                    \
    UPDATE(bits, fetch_add, old + operand)                                                                             \
    UPDATE(bits, fetch_sub, old - operand)                                                                             \
    UPDATE(bits, fetch_and, old &operand)                                                                              \
    UPDATE(bits, fetch_or, old | operand)                                                                              \
    UPDATE(bits, fetch_xor, old ^ operand)                                                                             \
    UPDATE(bits, fetch_nand, ~(old & operand))                                                                         \
    COMPARE(bits, strong)                                                                                              \
    COMPARE(bits, weak)                                                                                                \
    COMPARE_VALUE(bits)

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
ATOMICS(128)

void __tsan_atomic_thread_fence(int order)
{
    if (!cores.cpu)
        return;
    if (order == __ATOMIC_SEQ_CST) {
        cores_fence();
        return;
    }
    acquire(order);
    if (releases(order))
        cores_fence_release();
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}
