#include "lab/cores/cache/tags.h"

#include <sys/mman.h>

int cores_tags_open(struct cores_tags *tags, const struct cores_level *level, int caches, int line_bytes,
                    struct ordo_error *error)
{
    uint64_t sets;
    memset(tags, 0, sizeof *tags);
    if (!level->bytes)
        return 0;
    sets = level->ways > 0 ? level->bytes / (uint64_t)line_bytes / (uint64_t)level->ways : 0;
    if (!sets || sets > UINT32_MAX)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "cache: %llu bytes of %d ways make no set of lines: correct the machine's description",
                              (unsigned long long)level->bytes, level->ways);
    tags->sets = (uint32_t)sets;
    tags->ways = (uint32_t)level->ways;
    tags->mask = sets & (sets - 1) ? 0 : (uint32_t)sets - 1;
    tags->hit_ps = level->hit_ps;
    tags->words = tags->sets * (size_t)tags->ways;
    tags->bytes = tags->words * (size_t)caches * sizeof *tags->tag;
    tags->tag = mmap(NULL, tags->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (tags->tag != MAP_FAILED)
        return 0;
    tags->tag = NULL;
    return ordo_error_errno(error, "%zu bytes for the tags of a cache", tags->bytes);
}

void cores_tags_close(struct cores_tags *tags)
{
    if (tags->tag)
        munmap(tags->tag, tags->bytes);
    tags->tag = NULL;
}

void cores_tags_clear(struct cores_tags *tags)
{
    if (tags->tag && madvise(tags->tag, tags->bytes, MADV_DONTNEED))
        memset(tags->tag, 0, tags->bytes);
}
