/* The tags of one level of cache, for all cores or for all clusters. A set is an array of tags in the order of their
 * last use, most recent first: the first tag is the likely hit, and the last one is the victim. Tag 0 is an empty
 * way; empty ways are behind the others. */
#ifndef ORDO_LAB_CORES_CACHE_TAGS_H
#define ORDO_LAB_CORES_CACHE_TAGS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lab/cores/machine/machine.h"

/* A tag of L1 or L2 is the number of the line times 4, plus the core's permission. */
enum cores_copy {
    CORES_COPY_NONE,
    CORES_COPY_SHARED,    /* read it */
    CORES_COPY_EXCLUSIVE, /* read it, and write it after making it modified; no other core has a copy */
    CORES_COPY_MODIFIED   /* read and write it; no other core has a copy, and memory's is old */
};

struct cores_tags {
    uint64_t *tag;       /* [caches * sets * ways] */
    size_t words, bytes; /* tags of one cache; size of the mapping */
    uint32_t sets, ways;
    uint32_t mask; /* sets - 1 if this is a power of two, else 0 */
    uint32_t hit_ps;
};

/** Maps the empty tags of `caches` caches. Pages that no access touches take no memory. A level of 0 bytes has 0 ways.
 * 0: mapped
 * ORDO_E_INVALID: the level has less than one set
 * ORDO_E_SYSTEM: out of memory */
int cores_tags_open(struct cores_tags *tags, const struct cores_level *level, int caches, int line_bytes,
                    struct ordo_error *error);
void cores_tags_close(struct cores_tags *tags);

/** Empties all caches, and returns their memory. */
void cores_tags_clear(struct cores_tags *tags);

/** Returns the set of a line. A number of sets that is not a power of two takes a hash, as processors do. */
static inline uint64_t *cores_tags_set(const struct cores_tags *tags, int cache, uint64_t line)
{
    uint64_t set = line & tags->mask;
    if (!tags->mask)
        set = ((line * 0x9e3779b97f4a7c15u >> 32) * tags->sets) >> 32;
    return tags->tag + (size_t)cache * tags->words + set * tags->ways;
}

/** Returns the way of a line in a set of L1 or L2, or -1. Compares all ways, because the way is hard to predict. */
static inline int cores_tags_find(const uint64_t *set, uint32_t ways, uint64_t line)
{
    int way = -1;
    for (uint32_t i = 0; i < ways; i++)
        way = set[i] - (line << 2) - 1 < 3 ? (int)i : way;
    return way;
}

/** Makes the tag of way `way` the most recent one, and gives it the value `tag`. */
static inline void cores_tags_front(uint64_t *set, int way, uint64_t tag)
{
    for (int i = way; i > 0; i--)
        set[i] = set[i - 1];
    set[0] = tag;
}

/** Does the same, in a time that does not depend on the way. */
static inline void cores_tags_touch(uint64_t *set, uint32_t ways, int way, uint64_t tag)
{
    uint64_t last = tag;
    for (uint32_t i = 0; i < ways; i++) {
        uint64_t next = set[i];
        set[i] = (int)i <= way ? last : next;
        last = next;
    }
}

/** Puts a new tag into a set. Returns the victim, or 0. */
static inline uint64_t cores_tags_put(uint64_t *set, uint32_t ways, uint64_t tag)
{
    uint64_t victim = set[ways - 1];
    cores_tags_front(set, (int)ways - 1, tag);
    return victim;
}

/** Empties the way `way`. */
static inline void cores_tags_remove(uint64_t *set, uint32_t ways, int way)
{
    memmove(set + way, set + way + 1, (ways - (uint32_t)way - 1) * sizeof *set);
    set[ways - 1] = 0;
}

#endif
