#include "lab/cores/cache/shelf.h"

static uint64_t shelf_tag(const struct cores_caches *caches, uint32_t number)
{
    return (uint64_t)number << 32 | cores_directory_entry(&caches->directory, number)->version;
}

/* Returns the way that has this line in any version, or -1. */
static int shelf_find(const uint64_t *set, uint32_t ways, uint32_t number)
{
    for (uint32_t i = 0; i < ways; i++)
        if (set[i] >> 32 == number)
            return (int)i;
    return -1;
}

bool cores_shelf_have(struct cores_caches *caches, int cluster, uint32_t number)
{
    uint64_t *set;
    int way;
    if (!caches->l3.ways || cores_directory_entry(&caches->directory, number)->l3 == CORES_L3_NONE)
        return false;
    set = cores_tags_set(&caches->l3, cluster, number);
    way = shelf_find(set, caches->l3.ways, number);
    if (way < 0 || set[way] != shelf_tag(caches, number))
        return false;
    cores_tags_front(set, way, set[way]);
    return true;
}

/* Notes that the L3 of a cluster had to give up a line. */
static void shelf_evicted(struct cores_caches *caches, int cluster, uint64_t tag)
{
    struct cores_entry *entry;
    if (!tag || tag != shelf_tag(caches, (uint32_t)(tag >> 32)))
        return;
    entry = cores_directory_entry(&caches->directory, (uint32_t)(tag >> 32));
    if (entry->l3_modified == cluster) {
        entry->l3_modified = CORES_L3_NONE;
        entry->writebacks++;
    }
    if (entry->l3 == cluster)
        entry->l3 = CORES_L3_NONE;
}

void cores_shelf_put(struct cores_caches *caches, int cluster, uint32_t number, bool modified)
{
    struct cores_entry *entry = cores_directory_entry(&caches->directory, number);
    uint64_t *set;
    int way;
    entry->writebacks += modified;
    if (!caches->l3.ways)
        return;
    set = cores_tags_set(&caches->l3, cluster, number);
    way = shelf_find(set, caches->l3.ways, number);
    if (way >= 0)
        cores_tags_front(set, way, shelf_tag(caches, number));
    else
        shelf_evicted(caches, cluster, cores_tags_put(set, caches->l3.ways, shelf_tag(caches, number)));
    if (modified)
        entry->l3_modified = (int16_t)cluster;
    if (entry->l3 == CORES_L3_NONE)
        entry->l3 = (int16_t)cluster;
    else if (entry->l3 != cluster)
        entry->l3 = CORES_L3_SEVERAL;
}

void cores_shelf_drop(struct cores_caches *caches, uint32_t number)
{
    struct cores_entry *entry = cores_directory_entry(&caches->directory, number);
    entry->version++;
    entry->l3 = entry->l3_modified = CORES_L3_NONE;
}
