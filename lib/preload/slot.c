#include "preload/slot.h"

uint64_t preload_ring_copy(const struct preload_ring *ring, struct preload_slot *copy)
{
    uint64_t index;
    do {
        index = preload_ring_current(ring);
        const uint64_t *from = (const uint64_t *)preload_ring_slot(ring, index);
        uint64_t *to = (uint64_t *)copy;
        for (unsigned long i = 0; i < sizeof *copy / sizeof *to; i++)
            to[i] = PRELOAD_WORD(from[i]);
    } while (!preload_ring_holds(ring, index));
    return index;
}

void preload_ring_publish(struct preload_ring *ring, const struct preload_slot *slot)
{
    const uint64_t next = __atomic_load_n(&ring->current, __ATOMIC_RELAXED) + 1;
    const uint64_t *from = (const uint64_t *)slot;
    uint64_t *to = (uint64_t *)&ring->slots[next % PRELOAD_SLOTS];
    /* Release, pairs with preload_ring_copy and preload_serve: a reader that sees this word sees the `current` that was
     * published before [R2]. */
    for (unsigned long i = 0; i < sizeof *slot / sizeof *to; i++)
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELEASE);
    /* Sequentially consistent, pairs with preload_ring_current: all words of the slot [R1]. */
    __atomic_store_n(&ring->current, next, __ATOMIC_SEQ_CST);
}

void preload_slot_take(struct preload_slot *slot, enum preload_track track, const struct preload_line *line)
{
    slot->run[track] =
        (struct preload_run){line->rate, (uint64_t)line->start & UINT32_MAX, (uint64_t)preload_ns_of(line->start)};
}

void preload_slot_split(struct preload_slot *slot)
{
    for (int i = 0; i < PRELOAD_CLOCKS; i++) {
        const uint64_t ns = slot->run[preload_track_of((enum preload_which)i)].ns + (uint64_t)slot->offset_ns[i];
        slot->at[i] = (struct preload_split){ns / 1000000000, ns % 1000000000};
    }
}

uint64_t preload_floor_raise(uint64_t *floor_ns, uint64_t ns)
{
    uint64_t floor = __atomic_load_n(floor_ns, __ATOMIC_SEQ_CST);
    while (floor < ns && !__atomic_compare_exchange_n(floor_ns, &floor, ns, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    return floor < ns ? ns : floor;
}
