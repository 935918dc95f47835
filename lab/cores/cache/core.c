#include "lab/cores/cache/core.h"

enum cores_copy cores_core_copy(const struct cores_caches *caches, int core, uint64_t line)
{
    const uint64_t *set = cores_tags_set(&caches->l2, core, line);
    int way = cores_tags_find(set, caches->l2.ways, line);
    return way < 0 ? CORES_COPY_NONE : (enum cores_copy)(set[way] & 3);
}

static void tag_change(const struct cores_tags *tags, int core, uint64_t line, enum cores_copy copy)
{
    uint64_t *set = cores_tags_set(tags, core, line);
    int way = cores_tags_find(set, tags->ways, line);
    if (way >= 0)
        set[way] = line << 2 | copy;
}

static void tag_drop(const struct cores_tags *tags, int core, uint64_t line)
{
    uint64_t *set = cores_tags_set(tags, core, line);
    int way = cores_tags_find(set, tags->ways, line);
    if (way >= 0)
        cores_tags_remove(set, tags->ways, way);
}

void cores_core_change(struct cores_caches *caches, int core, uint64_t line, enum cores_copy copy)
{
    tag_change(&caches->l1, core, line, copy);
    tag_change(&caches->l2, core, line, copy);
}

void cores_core_drop(struct cores_caches *caches, int core, uint64_t line)
{
    tag_drop(&caches->l1, core, line);
    tag_drop(&caches->l2, core, line);
}

/* Puts a line in front of its set. Returns the tag that had to leave, or 0. */
static uint64_t tag_take(const struct cores_tags *tags, int core, uint64_t line, enum cores_copy copy)
{
    uint64_t *set = cores_tags_set(tags, core, line);
    int way = cores_tags_find(set, tags->ways, line);
    if (way < 0)
        return cores_tags_put(set, tags->ways, line << 2 | copy);
    cores_tags_front(set, way, line << 2 | copy);
    return 0;
}

uint64_t cores_core_take(struct cores_caches *caches, int core, uint64_t line, enum cores_copy copy)
{
    uint64_t victim = tag_take(&caches->l2, core, line, copy);
    if (victim)
        tag_drop(&caches->l1, core, victim >> 2);
    (void)tag_take(&caches->l1, core, line, copy); /* a victim of L1 is still in L2 */
    return victim;
}
