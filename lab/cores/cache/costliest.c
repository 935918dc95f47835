#include <stdlib.h>

#include "lab/cores/cache/cache.h"
#include "lab/cores/cache/caches.h"

static struct cores_line line_of(const struct cores_caches *caches, uint32_t number)
{
    const struct cores_entry *entry = cores_directory_entry(&caches->directory, number);
    uint64_t address = cores_directory_line(&caches->directory, number) << caches->line_bits;
    return (struct cores_line){(uintptr_t)address, entry->misses,  entry->transfers, entry->invalidations,
                               entry->writebacks,  entry->wait_ps, entry->queued_ps};
}

/* True if line `a` is listed before line `b`. */
static bool line_before(const struct cores_line *a, const struct cores_line *b)
{
    return a->wait_ps != b->wait_ps ? a->wait_ps > b->wait_ps : a->address < b->address;
}

/* Inserts a line into the sorted list, of which at most `most` remain. Returns their number. */
static int line_insert(struct cores_line *lines, int count, int most, struct cores_line line)
{
    int i = count < most ? count++ : most;
    if (i == most && (!most || !line_before(&line, &lines[--i])))
        return count;
    for (; i > 0 && line_before(&line, &lines[i - 1]); i--)
        lines[i] = lines[i - 1];
    lines[i] = line;
    return count;
}

int cores_caches_costliest(const struct cores_caches *caches, int most, struct cores_line **lines, int *count,
                           struct ordo_error *error)
{
    uint32_t end = cores_directory_end(&caches->directory);
    *count = 0;
    *lines = calloc(most > 0 ? (size_t)most : 1, sizeof **lines);
    if (!*lines)
        return ordo_error_errno(error, "a list of %d lines", most);
    for (uint32_t number = cores_directory_first(&caches->directory); most > 0 && number < end; number++)
        if (cores_directory_entry(&caches->directory, number)->misses)
            *count = line_insert(*lines, *count, most, line_of(caches, number));
    return 0;
}
