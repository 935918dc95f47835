/* The transaction engine that a simulated machine runs, unmodified: ENGINE is HEKATON (the default), OCC, SILO or TICTOC.
 * Its memory is an arena; what is given back, or lies in a pool, is overwritten. Included after machine.h. */
#ifndef ORDO_PROOF_SCHEDULE_ENGINES_H
#define ORDO_PROOF_SCHEDULE_ENGINES_H

/* Behind the header, so that nobody who looks there crashes. */
#define CC_POISON(memory, bytes) memset((char *)(memory) + 32, 0x11, (bytes)-32)
#define CC_UNPOISON(memory, bytes) ((void)(memory), (void)(bytes))

#define HEKATON 1
#define OCC 2
#define SILO 3
#define TICTOC 4
#ifndef ENGINE
#define ENGINE HEKATON
#endif
#if ENGINE == HEKATON
#include "cc/txn/hekaton/engine.h"
static const struct ordo_db_engine engine = HK_ENGINE;
#elif ENGINE == OCC
#include "cc/txn/single/occ.h"
static const struct ordo_db_engine engine = OCC_ENGINE;
#elif ENGINE == SILO
#define ORDO_STAMP_LOGICAL
#include "cc/txn/single/silo.h"
static const struct ordo_db_engine engine = SILO_ENGINE;
#else
#define ORDO_STAMP_LOGICAL
#include "cc/txn/single/tictoc.h"
static const struct ordo_db_engine engine = TICTOC_ENGINE;
#endif

enum { ARENA_BYTES = 1 << 18 };

static struct {
    _Alignas(128) char bytes[ARENA_BYTES];
    size_t used;
} arena;

static void *take_memory(void *context, size_t align, size_t bytes)
{
    (void)context;
    arena.used = (arena.used + align - 1) & ~(align - 1);
    if (arena.used + bytes > ARENA_BYTES)
        return NULL;
    arena.used += bytes;
    return arena.bytes + arena.used - bytes;
}

static void give_memory(void *context, void *memory, size_t bytes)
{
    (void)context;
    memset(memory, 0xee, bytes); /* all is given back at the end of the run */
}

#endif
