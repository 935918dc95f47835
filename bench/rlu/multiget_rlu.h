/* The multi-gets and moves of our RLU and MV-RLU: each is one section. For rlu_engine.h. */
#ifndef RLU
#error "include <rlu/rlu_engine.h>"
#endif

#include "rlu/multiget.h"

static int rlu_get_many(void *argument, const uint64_t *keys, unsigned count)
{
    struct rlu_user *user = argument;
    struct RLU(hash) *hash = &user->set->hash;
    int found = RLU(reader_lock)(user->thread);
    if (found != ORDO_OK)
        return found;
    for (unsigned i = 0; i < count; i++)
        found += RLU(hash_contains_in)(user->thread, hash, keys[i]);
    (void)RLU(reader_unlock)(user->thread);
    return found;
}

static inline int rlu_move_in(struct rlu_user *user, uint64_t key, uint64_t other)
{
    struct RLU(hash) *hash = &user->set->hash;
    uint64_t to = other;
    int removed = RLU(hash_remove_in)(user->thread, hash, key);
    if (removed == 0) {
        to = key;
        removed = RLU(hash_remove_in)(user->thread, hash, other);
    }
    return removed == 1 ? RLU(hash_add_in)(user->thread, hash, to) : removed;
}

static int rlu_move_one(void *argument, uint64_t key, uint64_t other)
{
    struct rlu_user *user = argument;
    int moved;
    do {
        RLU_SECTION(user->thread, moved, rlu_move_in(user, key, other));
    } while (moved == ORDO_E_FULL); /* until a section of another thread ends, which may have no CPU */
    return moved;
}

RLU_MULTIGET(hash_multiget, true, rlu_get_many, rlu_move_one)
