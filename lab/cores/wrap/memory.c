/* The program's memory: an allocator at fixed addresses, so that the same program has the same addresses in each run,
 * and every CPU has slabs of its own, as the usual allocators give each thread. The functions of the C library that
 * copy memory access it on the simulated machine, too. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lab/cores/run/buffer.h"
#include "lab/cores/run/place.h"
#include "lab/cores/run/schedule.h"
#include "lab/cores/wrap/memory.h"

enum {
    SPAN_BITS = 16,
    SPAN = 1 << SPAN_BITS,
    CLASSES = 40, /* 16, 32, 48, 64, then four steps for each power of two up to half a span */
    LEAST = 16,
    CALL_INSTRUCTIONS = 40 /* of a call that finds a free piece in the thread's own cache */
};
#define HERE ((uintptr_t)__builtin_return_address(0))
#define ARENA_BYTES (UINT64_C(1) << 40)
#define ARENA ((unsigned char *)UINT64_C(0x100000000000))
#define SPANS (ARENA_BYTES >> SPAN_BITS)

struct piece {
    struct piece *next;
};

/* What a span holds: pieces of one size, or the beginning of a large block. */
struct span {
    uint8_t class;  /* 0: a large block, or unused */
    uint32_t count; /* spans of the large block that begins here */
    uint64_t bytes; /* asked for, of a large block */
};

static struct span *spans; /* [SPANS] */
static uint64_t span_count;
static struct piece **free_pieces; /* [places * CLASSES] */
static int places;
static struct piece *free_large; /* blocks whose first word links them */

static size_t class_bytes(int class)
{
    if (class <= 4)
        return (size_t) class * LEAST;
    size_t power = (size_t)64 << (class - 5) / 4;
    return power + power / 4 * (size_t)((class - 5) % 4 + 1);
}

static int find_class(size_t bytes)
{
    int class = 1;
    while (class < CLASSES && class_bytes(class) < bytes)
        class ++;
    return class;
}

int cores_memory_open(int cpus, struct ordo_error *error)
{
    void *arena = mmap(ARENA, ARENA_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    void *table =
        mmap(NULL, SPANS * sizeof *spans, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena == MAP_FAILED || table == MAP_FAILED)
        return ordo_error_errno(error, "the memory of the simulated program");
    spans = table;
    places = cpus;
    free_pieces = calloc((size_t)cpus * CLASSES, sizeof *free_pieces);
    return free_pieces ? ORDO_OK : ordo_error_errno(error, "%d CPUs", cpus);
}

static bool is_ours(const void *memory)
{
    return free_pieces && (const unsigned char *)memory >= ARENA && (const unsigned char *)memory < ARENA + ARENA_BYTES;
}

static struct span *span_of(const void *memory)
{
    return &spans[(uint64_t)((const unsigned char *)memory - ARENA) >> SPAN_BITS];
}

static void *take_spans(uint64_t count)
{
    if (span_count + count > SPANS)
        return NULL;
    void *memory = ARENA + (span_count << SPAN_BITS);
    span_count += count;
    return memory;
}

static void *allocate_large(size_t bytes)
{
    uint32_t count = (uint32_t)((bytes + SPAN - 1) >> SPAN_BITS);
    for (struct piece **at = &free_large; *at; at = &(*at)->next)
        if (span_of(*at)->count == count) {
            void *memory = *at;
            *at = (*at)->next;
            span_of(memory)->bytes = bytes;
            return memory;
        }
    void *memory = take_spans(count);
    if (memory)
        *span_of(memory) = (struct span){.count = count, .bytes = bytes};
    return memory;
}

/* Cuts a new span into pieces; the first piece has the lowest address. */
static void cut_span(struct piece **list, int class)
{
    unsigned char *memory = take_spans(1);
    if (!memory)
        return;
    size_t bytes = class_bytes(class);
    *span_of(memory) = (struct span){.class = (uint8_t) class};
    for (size_t i = SPAN / bytes; i-- > 0;) {
        struct piece *piece = (struct piece *)(memory + i * bytes);
        piece->next = *list;
        *list = piece;
    }
}

static void spend_call(void)
{
    if (cores.cpu)
        cores_spend(CALL_INSTRUCTIONS * cores.instruction_ps);
}

static void *allocate(size_t bytes)
{
    spend_call();
    int class = find_class(bytes ? bytes : 1);
    void *memory;
    if (class >= CLASSES || class_bytes(class) > SPAN / 2) {
        memory = allocate_large(bytes);
    } else {
        struct piece **list = &free_pieces[(cores.cpu ? cores.cpu->place : 0) * CLASSES + class];
        if (!*list)
            cut_span(list, class);
        memory = *list;
        *list = *list ? (*list)->next : NULL;
    }
    if (!memory)
        errno = ENOMEM;
    return memory;
}

static size_t size_of(const void *memory)
{
    const struct span *span = span_of(memory);
    return span->class ? class_bytes(span->class) : (size_t)span->count << SPAN_BITS;
}

bool cores_memory_block(uintptr_t address, uintptr_t *block, size_t *bytes)
{
    if (!is_ours((const void *)address))
        return false;
    const struct span *span = span_of((const void *)address);
    while (!span->class && !span->count && span > spans)
        span--;
    *bytes = span->class ? class_bytes(span->class) : (size_t)span->count << SPAN_BITS;
    *block = (uintptr_t)ARENA + ((uintptr_t)(span - spans) << SPAN_BITS);
    if (span->class)
        *block += (address - *block) / *bytes * *bytes;
    return true;
}

/* Allocates, and remembers which instruction asked. */
static void *allocate_for(size_t bytes, uintptr_t pc)
{
    void *memory = allocate(bytes);
    cores_place_allocated(memory, bytes, pc);
    return memory;
}

void *hooked_malloc(size_t bytes)
{
    return free_pieces ? allocate_for(bytes, HERE) : malloc(bytes);
}

void hooked_free(void *memory)
{
    if (!is_ours(memory)) {
        free(memory);
        return;
    }
    spend_call();
    if (cores.cpu)
        cores_buffer_flush((uintptr_t)memory, size_of(memory));
    struct piece *piece = memory, **list = &free_large;
    if (span_of(memory)->class)
        list = &free_pieces[(cores.cpu ? cores.cpu->place : 0) * CLASSES + span_of(memory)->class];
    piece->next = *list;
    *list = piece;
}

void *hooked_calloc(size_t count, size_t bytes)
{
    if (!free_pieces)
        return calloc(count, bytes);
    if (bytes && count > SIZE_MAX / bytes) {
        errno = ENOMEM;
        return NULL;
    }
    void *memory = allocate_for(count * bytes, HERE);
    if (memory)
        memset(memory, 0, count * bytes);
    return memory;
}

void *hooked_realloc(void *memory, size_t bytes)
{
    if (memory && !is_ours(memory))
        return realloc(memory, bytes);
    if (memory && bytes <= size_of(memory) && bytes > 0)
        return memory;
    void *grown = free_pieces ? allocate_for(bytes, HERE) : malloc(bytes);
    if (grown && memory) {
        if (cores.cpu)
            cores_buffer_flush((uintptr_t)memory, size_of(memory));
        memcpy(grown, memory, size_of(memory) < bytes ? size_of(memory) : bytes);
        hooked_free(memory);
    }
    return grown;
}

/* Pieces of a class that is a multiple of the alignment are aligned: spans are. */
void *hooked_aligned_alloc(size_t alignment, size_t bytes)
{
    if (!free_pieces)
        return aligned_alloc(alignment, bytes);
    if (alignment > SPAN) {
        errno = EINVAL;
        return NULL;
    }
    size_t power = alignment > LEAST ? alignment : LEAST;
    while (power < bytes)
        power *= 2;
    return allocate_for(power, HERE);
}

int hooked_posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    *memory = hooked_aligned_alloc(alignment, bytes);
    return *memory ? 0 : ENOMEM;
}

static void access_range(uintptr_t pc, const void *memory, size_t bytes, enum cores_access access)
{
    cores.cpu->pc = pc;
    cores_place_use((uintptr_t)memory, bytes, access != CORES_READ);
    cores_range((uintptr_t)memory, bytes, access);
}

static void copy_range(uintptr_t pc, void *to, const void *from, size_t bytes)
{
    access_range(pc, from, bytes, CORES_READ);
    access_range(pc, to, bytes, CORES_WRITE);
}

void *hooked_memcpy(void *to, const void *from, size_t bytes)
{
    if (cores.cpu)
        copy_range(HERE, to, from, bytes);
    return memcpy(to, from, bytes);
}

void *hooked_memmove(void *to, const void *from, size_t bytes)
{
    if (cores.cpu)
        copy_range(HERE, to, from, bytes);
    return memmove(to, from, bytes);
}

void *hooked_memset(void *to, int byte, size_t bytes)
{
    if (cores.cpu)
        access_range(HERE, to, bytes, CORES_WRITE);
    return memset(to, byte, bytes);
}

int hooked_memcmp(const void *a, const void *b, size_t bytes)
{
    if (cores.cpu) {
        access_range(HERE, a, bytes, CORES_READ);
        access_range(HERE, b, bytes, CORES_READ);
    }
    return memcmp(a, b, bytes);
}
