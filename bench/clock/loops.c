#include "loops.h"

#include <string.h>

#include "bare.h"

/* A loop executes ROWS rows of 16 operations between two reads of the stop flag. The costs of the loop and of the flag
 * are then negligible, and equal for all variants. A row is written out, because compilers do not unroll loops with
 * branches. */
#define X4(operation) operation operation operation operation
#define ROW(operation) X4(X4({ operation; }))
#define ROW_OPS 16
#define ROWS 16

/* Makes the compiler compute the value here, in every repetition. */
#define KEEP(value) __asm__ volatile("" : : "r"(value))
/* Like KEEP, and tells the compiler that memory may have changed: the next operation loads its operands from memory
 * again. */
#define KEEP_AND_FORGET(value) __asm__ volatile("" : : "r"(value) : "memory")
/* Hides the variable's value from the compiler, so that nothing is computed in advance. */
#define OPAQUE(variable) __asm__ volatile("" : "+r"(variable))

/* Defines a loop that counts executions of `operation`. `declarations` are executed once, before the loop. */
#define LOOP(name, declarations, operation)                                                                            \
    static uint64_t name(struct bench_worker *worker)                                                                  \
    {                                                                                                                  \
        struct clock_bench *bench = worker->context;                                                                   \
        uint64_t ops = 0;                                                                                              \
        (void)bench;                                                                                                   \
        declarations;                                                                                                  \
        do {                                                                                                           \
            for (int row = 0; row < ROWS; row++) {                                                                     \
                ROW(operation)                                                                                         \
            }                                                                                                          \
            ops += ROWS * ROW_OPS;                                                                                     \
        } while (bench_running(worker));                                                                               \
        return ops;                                                                                                    \
    }

/* The same loop for an operation that waits for the boundary. It reads the stop flag after each operation, because one
 * wait may be long. */
#define WAITING_LOOP(name, declarations, operation)                                                                    \
    static uint64_t name(struct bench_worker *worker)                                                                  \
    {                                                                                                                  \
        struct clock_bench *bench = worker->context;                                                                   \
        uint64_t ops = 0;                                                                                              \
        declarations;                                                                                                  \
        do {                                                                                                           \
            operation;                                                                                                 \
            ops++;                                                                                                     \
        } while (bench_running(worker));                                                                               \
        return ops;                                                                                                    \
    }

/* --- isolated: the operation alone, repeated --- */

LOOP(bare_relaxed, , KEEP(bench_bare_relaxed()))
LOOP(bare_ordered, , KEEP(bench_bare_ordered()))
LOOP(gettime, , KEEP(bench_clock_gettime_ns()))

/* The published time. The barriers of two readings are next to each other here, as in no program. */
LOOP(now, const struct ordo_now_handle *page = &bench->page, {
    struct ordo_now_interval reading = ordo_now(page);
    KEEP(reading.earliest_ns);
    KEEP_AND_FORGET(reading.latest_ns);
})

/* The baseline of cmp_time: compares two integers. */
LOOP(bare_compare, uint64_t a = 2000000; uint64_t b = 1000000, {
    OPAQUE(a);
    OPAQUE(b);
    KEEP((int)(a > b) - (int)(a < b));
})

/* The runtime's calls with two kinds of handle: IN_MEMORY, as in a program that opened a record; and CONSTANT, whose
 * boundary the compiler keeps in a register. */
#define IN_MEMORY const struct ordo *o = &bench->handle
#define CONSTANT                                                                                                       \
    struct ordo constant = {.not_boundary = bench->handle.not_boundary};                                               \
    const struct ordo *o = &constant
/* Corrected times. All corrections are 0, which does not change the cost of reading them. */
#define CORRECTED const struct ordo_corrected *c = &bench->corrected
#define NOW ordo_get_time(o)

LOOP(get_time_corrected_memory, CORRECTED, KEEP_AND_FORGET(ordo_get_time_corrected(c).ticks))
LOOP(get_time_corrected_full_memory, CORRECTED, KEEP_AND_FORGET(ordo_get_time_corrected_full(c).ticks))

/* The clock of a handle whose kind (counter or kernel) the compiler does not know: each read branches on the kind. */
#define ANY const struct ordo_any *a = &bench->any
#define ANY_KERNEL const struct ordo_any *a = &bench->any_kernel

LOOP(get_time_any, ANY, KEEP(ordo_any_get_time(a).ticks))
LOOP(get_time_full_any, ANY, KEEP(ordo_any_get_time_full(a).ticks))
LOOP(get_time_any_kernel, ANY_KERNEL, KEEP(ordo_any_get_time(a).ticks))
LOOP(get_time_full_any_kernel, ANY_KERNEL, KEEP(ordo_any_get_time_full(a).ticks))

#define CALLS(suffix, HANDLE)                                                                                          \
    LOOP(get_time_##suffix, HANDLE, KEEP(ordo_get_time(o).ticks))                                                      \
    LOOP(get_time_full_##suffix, HANDLE, KEEP(ordo_get_time_full(o).ticks))                                            \
    LOOP(get_time_relaxed_##suffix, HANDLE, KEEP(ordo_get_time_relaxed(o).ticks))                                      \
    LOOP(get_time_after_##suffix, HANDLE, KEEP(ordo_get_time_after(o).ticks))                                          \
    LOOP(get_time_after_full_##suffix, HANDLE, KEEP(ordo_get_time_after_full(o).ticks))                                \
    LOOP(get_time_before_##suffix, HANDLE, KEEP(ordo_get_time_before(o).ticks))                                        \
    LOOP(cmp_time_##suffix, HANDLE; ordo_time b = NOW; ordo_time a = ordo_time_add(b, 1000000), {                      \
        OPAQUE(a.ticks);                                                                                               \
        OPAQUE(b.ticks);                                                                                               \
        KEEP_AND_FORGET(ordo_cmp_time(o, a, b));                                                                       \
    })                                                                                                                 \
    /* Each call waits until the time of the previous call, which was just taken, is certainly over. */                \
    WAITING_LOOP(new_time_##suffix, HANDLE; ordo_time t = NOW, t = ordo_new_time(o, t))                                \
    /* Tries once, without waiting. If the previous time is over, continues from the new time. */                      \
    LOOP(try_new_time_##suffix, HANDLE; ordo_time t = NOW, KEEP_AND_FORGET(ordo_try_new_time(o, t, &t)))

CALLS(memory, IN_MEMORY)
CALLS(constant, CONSTANT)

LOOP(status_memory, IN_MEMORY, KEEP_AND_FORGET(ordo_status(o)))
LOOP(status_constant, CONSTANT, {
    OPAQUE(constant.not_boundary); /* otherwise the status is a constant, and reading it costs nothing */
    KEEP_AND_FORGET(ordo_status(o));
})

/* Relaxed: a counter alone orders nothing, and the loop measures only how long the cache line takes between the
 * cores. */
LOOP(fetch_add_uncontended, _Alignas(BENCH_LINE) uint64_t own[BENCH_LINE / sizeof(uint64_t)] = {0},
     KEEP_AND_FORGET(__atomic_fetch_add(&own[0], 1, __ATOMIC_RELAXED)))
LOOP(fetch_add_contended, , KEEP_AND_FORGET(__atomic_fetch_add(&bench->counter, 1, __ATOMIC_RELAXED)))

/* --- allocation: take a timestamp and store it in a transaction's own memory --- */

#define TRANSACTION                                                                                                    \
    volatile uint64_t begin_ts = 0;                                                                                    \
    (void)begin_ts

LOOP(allocate_ordo, IN_MEMORY; TRANSACTION, begin_ts = ordo_get_time(o).ticks)
/* Acquire and release: each allocation of a number pairs with the allocations of all higher numbers. A thread that gets
 * a number sees every write before the allocation of a lower number, as every logical clock promises. */
LOOP(allocate_logical, TRANSACTION, begin_ts = __atomic_fetch_add(&bench->counter, 1, __ATOMIC_ACQ_REL))

/* --- in context: announce a read section, take a time, follow 8 dependent loads --- */

/* The first load of a section depends on the last load of the previous section, so that the loads take most of the
 * time, and an unordered clock read can overlap with them. The announcement is sequentially consistent, because in an
 * engine it pairs with a writer's scan (absent here): either the scan sees the announcement, or the section's loads see
 * the writes before the scan. */
#define SECTION(name, declarations, time)                                                                              \
    LOOP(name, declarations; const struct clock_node *node = bench->nodes;                                             \
         _Alignas(BENCH_LINE) uint64_t own[BENCH_LINE / sizeof(uint64_t)] = {0}, {                                     \
             KEEP_AND_FORGET(__atomic_fetch_add(&own[0], 1, __ATOMIC_SEQ_CST));                                        \
             time;                                                                                                     \
             node = node->next->next->next->next->next->next->next->next;                                              \
             KEEP(node);                                                                                               \
         })

SECTION(section, , )
SECTION(section_load_counter, , KEEP(__atomic_load_n(&bench->counter, __ATOMIC_RELAXED)))
SECTION(section_bare_relaxed, , KEEP(bench_bare_relaxed()))
SECTION(section_bare_ordered, , KEEP(bench_bare_ordered()))
SECTION(section_get_time, IN_MEMORY, KEEP(ordo_get_time(o).ticks))
SECTION(section_get_time_full, IN_MEMORY, KEEP(ordo_get_time_full(o).ticks))
SECTION(section_get_time_after, IN_MEMORY, KEEP(ordo_get_time_after(o).ticks))
SECTION(section_get_time_after_full, IN_MEMORY, KEEP(ordo_get_time_after_full(o).ticks))
SECTION(section_get_time_before, IN_MEMORY, KEEP(ordo_get_time_before(o).ticks))
SECTION(section_get_time_any, ANY, KEEP(ordo_any_get_time(a).ticks))
SECTION(section_get_time_full_any, ANY, KEEP(ordo_any_get_time_full(a).ticks))
SECTION(section_get_time_corrected, CORRECTED, KEEP(ordo_get_time_corrected(c).ticks))
SECTION(section_get_time_corrected_full, CORRECTED, KEEP(ordo_get_time_corrected_full(c).ticks))
SECTION(section_get_time_corrected_after, CORRECTED, KEEP(ordo_get_time_corrected_after(c).ticks))
SECTION(section_get_time_corrected_after_full, CORRECTED, KEEP(ordo_get_time_corrected_after_full(c).ticks))
SECTION(section_get_time_relaxed, IN_MEMORY, KEEP(ordo_get_time_relaxed(o).ticks))
SECTION(section_gettime, , KEEP(bench_clock_gettime_ns()))
/* Acquire and release, for the reason given at allocate_logical. */
SECTION(section_fetch_add_contended, , KEEP(__atomic_fetch_add(&bench->counter, 1, __ATOMIC_ACQ_REL)))

/* --- all measurements; those to be compared are adjacent --- */

const struct clock_loop clock_isolated[] = {
    {"bare-relaxed", NULL, bare_relaxed, CLOCK_NEEDS_NOTHING},
    {"get_time_relaxed", "ordo", get_time_relaxed_memory, CLOCK_NEEDS_NOTHING},
    {"get_time_relaxed", "constant", get_time_relaxed_constant, CLOCK_NEEDS_RECORD},
    {"bare-ordered", NULL, bare_ordered, CLOCK_NEEDS_NOTHING},
    {"get_time", "ordo", get_time_memory, CLOCK_NEEDS_NOTHING},
    {"get_time", "constant", get_time_constant, CLOCK_NEEDS_RECORD},
    {"get_time", "any", get_time_any, CLOCK_NEEDS_NOTHING},
    {"get_time", "any-kernel", get_time_any_kernel, CLOCK_NEEDS_NOTHING},
    {"get_time", "corrected", get_time_corrected_memory, CLOCK_NEEDS_NOTHING},
    {"get_time_full", "ordo", get_time_full_memory, CLOCK_NEEDS_NOTHING},
    {"get_time_full", "constant", get_time_full_constant, CLOCK_NEEDS_RECORD},
    {"get_time_full", "any", get_time_full_any, CLOCK_NEEDS_NOTHING},
    {"get_time_full", "any-kernel", get_time_full_any_kernel, CLOCK_NEEDS_NOTHING},
    {"get_time_full", "corrected", get_time_corrected_full_memory, CLOCK_NEEDS_NOTHING},
    {"get_time_after", "ordo", get_time_after_memory, CLOCK_NEEDS_NOTHING},
    {"get_time_after", "constant", get_time_after_constant, CLOCK_NEEDS_RECORD},
    {"get_time_after_full", "ordo", get_time_after_full_memory, CLOCK_NEEDS_NOTHING},
    {"get_time_after_full", "constant", get_time_after_full_constant, CLOCK_NEEDS_RECORD},
    {"get_time_before", "ordo", get_time_before_memory, CLOCK_NEEDS_NOTHING},
    {"get_time_before", "constant", get_time_before_constant, CLOCK_NEEDS_RECORD},
    {"bare-compare", NULL, bare_compare, CLOCK_NEEDS_NOTHING},
    {"cmp_time", "ordo", cmp_time_memory, CLOCK_NEEDS_NOTHING},
    {"cmp_time", "constant", cmp_time_constant, CLOCK_NEEDS_RECORD},
    {"new_time", "ordo", new_time_memory, CLOCK_NEEDS_BOUNDARY},
    {"new_time", "constant", new_time_constant, CLOCK_NEEDS_RECORD},
    {"try_new_time", "ordo", try_new_time_memory, CLOCK_NEEDS_BOUNDARY},
    {"try_new_time", "constant", try_new_time_constant, CLOCK_NEEDS_RECORD},
    {"status", "ordo", status_memory, CLOCK_NEEDS_NOTHING},
    {"status", "constant", status_constant, CLOCK_NEEDS_RECORD},
    {"clock_gettime", NULL, gettime, CLOCK_NEEDS_NOTHING},
    {"now", NULL, now, CLOCK_NEEDS_NOTHING},
    {"fetch_add-uncontended", NULL, fetch_add_uncontended, CLOCK_NEEDS_NOTHING},
    {"fetch_add-contended", NULL, fetch_add_contended, CLOCK_NEEDS_NOTHING},
    {0},
};

const struct clock_loop clock_allocation[] = {
    {"allocate", "ordo", allocate_ordo, CLOCK_NEEDS_NOTHING},
    {"allocate", "logical", allocate_logical, CLOCK_NEEDS_NOTHING},
    {"new_time", "ordo", new_time_memory, CLOCK_NEEDS_BOUNDARY},
    {0},
};

const struct clock_loop clock_in_context[] = {
    {"no-clock", NULL, section, CLOCK_NEEDS_NOTHING},
    {"load", "logical", section_load_counter, CLOCK_NEEDS_NOTHING},
    {"fetch_add", "logical", section_fetch_add_contended, CLOCK_NEEDS_NOTHING},
    {"bare-relaxed", NULL, section_bare_relaxed, CLOCK_NEEDS_NOTHING},
    {"get_time_relaxed", "ordo", section_get_time_relaxed, CLOCK_NEEDS_NOTHING},
    {"bare-ordered", NULL, section_bare_ordered, CLOCK_NEEDS_NOTHING},
    {"get_time", "ordo", section_get_time, CLOCK_NEEDS_NOTHING},
    {"get_time_after", "ordo", section_get_time_after, CLOCK_NEEDS_NOTHING},
    {"get_time_before", "ordo", section_get_time_before, CLOCK_NEEDS_NOTHING},
    {"get_time_after_full", "ordo", section_get_time_after_full, CLOCK_NEEDS_NOTHING},
    {"get_time_full", "ordo", section_get_time_full, CLOCK_NEEDS_NOTHING},
    {"get_time", "any", section_get_time_any, CLOCK_NEEDS_NOTHING},
    {"get_time_full", "any", section_get_time_full_any, CLOCK_NEEDS_NOTHING},
    {"get_time", "corrected", section_get_time_corrected, CLOCK_NEEDS_NOTHING},
    {"get_time_after", "corrected", section_get_time_corrected_after, CLOCK_NEEDS_NOTHING},
    {"get_time_after_full", "corrected", section_get_time_corrected_after_full, CLOCK_NEEDS_NOTHING},
    {"get_time_full", "corrected", section_get_time_corrected_full, CLOCK_NEEDS_NOTHING},
    {"clock_gettime", NULL, section_gettime, CLOCK_NEEDS_NOTHING},
    {0},
};

/* Makes a page of the published time, whose interval is valid for ever. */
static void prepare_page(struct clock_bench *bench)
{
    const int64_t year_ns = INT64_C(31556952000000000);
    bench->head = (struct ordo_now_head){.status = ORDO_RECORD_VALID, .count = 1, .capacity = 1};
    bench->slot = (struct ordo_now_slot){.anchor_ticks = ordo_clock_read(),
                                         .earliest_ns = 50 * year_ns,
                                         .latest_ns = 50 * year_ns + 100000,
                                         .void_ticks = UINT64_MAX,
                                         .rate = 2147484,
                                         .sources = 1};
    int64_t tick_ns;
    do {
        tick_ns = ordo_now_tick_ns();
        bench->slot.wall_ns = ordo_now_kernel_ns(5) - tick_ns; /* CLOCK_REALTIME_COARSE */
    } while (ordo_now_tick_ns() != tick_ns);
    bench->slot.seal = ordo_now_seal(&bench->slot, 0);
    bench->page = (struct ordo_now_handle){.head = &bench->head,
                                           .slots = &bench->slot,
                                           .capacity = 1,
                                           .slow_32 = (UINT64_C(1) << 31) - 1000000,
                                           .fast_32 = (UINT64_C(1) << 31) + 1000000};
}

void clock_bench_prepare(struct clock_bench *bench, const struct ordo *handle)
{
    const struct ordo_corrected corrected = ORDO_CORRECTED_INIT(1000, 1000000000, bench->corrections);
    bench->handle = *handle;
    memset(bench->corrections, 0, sizeof bench->corrections);
    bench->corrected = corrected;
    bench->any.handle = bench->any_kernel.handle = *handle;
    bench->any_kernel.handle.flags |= ORDO_FLAG_KERNEL;
    bench->counter = 0;
    prepare_page(bench);
    /* The ring contains every node, because the step is odd and the number of nodes is a power of two. No node leads to
     * an adjacent node. */
    for (int i = 0; i < CLOCK_NODES; i++)
        bench->nodes[i].next = &bench->nodes[(i + 37) % CLOCK_NODES];
}
