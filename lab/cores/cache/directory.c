#include "lab/cores/cache/directory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { PAGE_BITS = 12, HALF_BITS = 18, CHUNK_BITS = 8, CHUNK_PAGES = 1 << CHUNK_BITS };

static_assert(sizeof(struct cores_entry) <= 80, "an entry is small: there is one for each line of the program");

struct cores_chunk {
    struct cores_entry *entry; /* [CHUNK_PAGES << bits of a line's number within its page] */
    uint64_t page[CHUNK_PAGES];
    uint16_t node[CHUNK_PAGES];
};

/* Returns the number of bits that number the lines of a page. */
static int inner_bits(const struct cores_directory *directory)
{
    return PAGE_BITS - directory->line_bits;
}

int cores_directory_open(struct cores_directory *directory, int line_bytes)
{
    memset(directory, 0, sizeof *directory);
    directory->line_bits = __builtin_ctz((unsigned)line_bytes);
    directory->map = calloc((size_t)1 << HALF_BITS, sizeof *directory->map);
    return directory->map ? 0 : ORDO_E_SYSTEM;
}

void cores_directory_close(struct cores_directory *directory)
{
    if (directory->map)
        for (size_t i = 0; i < (size_t)1 << HALF_BITS; i++)
            free(directory->map[i]);
    free(directory->map);
    for (size_t i = 0; i < directory->room; i++)
        if (directory->chunk[i]) {
            free(directory->chunk[i]->entry);
            free(directory->chunk[i]);
        }
    free(directory->chunk);
    memset(directory, 0, sizeof *directory);
}

/* Returns a place for the page's number in the map, or NULL. */
static uint32_t *map_slot(struct cores_directory *directory, uint64_t page)
{
    size_t half = ((size_t)1 << HALF_BITS) - 1;
    uint32_t **table = &directory->map[page >> HALF_BITS & half];
    if (!*table)
        *table = calloc(half + 1, sizeof **table);
    return *table ? &(*table)[page & half] : NULL;
}

static bool chunks_grow(struct cores_directory *directory, size_t chunk)
{
    size_t room = directory->room ? directory->room * 2 : 64;
    struct cores_chunk **more;
    if (chunk < directory->room)
        return true;
    more = realloc(directory->chunk, room * sizeof(struct cores_chunk *));
    if (!more)
        return false;
    memset(more + directory->room, 0, (room - directory->room) * sizeof(struct cores_chunk *));
    directory->chunk = more;
    directory->room = room;
    return true;
}

/* Returns the chunk with this number, or NULL. */
static struct cores_chunk *chunk_make(struct cores_directory *directory, size_t number)
{
    struct cores_chunk *chunk;
    if (!chunks_grow(directory, number))
        return NULL;
    if (directory->chunk[number])
        return directory->chunk[number];
    chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return NULL;
    chunk->entry = calloc((size_t)CHUNK_PAGES << inner_bits(directory), sizeof *chunk->entry);
    if (!chunk->entry) {
        free(chunk);
        return NULL;
    }
    return directory->chunk[number] = chunk;
}

/* Numbers a new page. Returns false if out of memory. */
static bool page_make(struct cores_directory *directory, uint32_t *slot, uint64_t page, int node)
{
    uint32_t number = directory->pages + 1;
    size_t place = number % CHUNK_PAGES, lines = (size_t)1 << inner_bits(directory);
    struct cores_chunk *chunk;
    if (number >= UINT32_MAX >> inner_bits(directory) || !(chunk = chunk_make(directory, number >> CHUNK_BITS)))
        return false;
    chunk->page[place] = page;
    chunk->node[place] = (uint16_t)node;
    for (size_t i = 0; i < lines; i++) {
        struct cores_entry *entry = &chunk->entry[place * lines + i];
        entry->owner = -1;
        entry->asker = -1;
        entry->l3 = entry->l3_modified = CORES_L3_NONE;
    }
    *slot = directory->pages = number;
    return true;
}

uint32_t cores_directory_find(struct cores_directory *directory, uint64_t line, int node)
{
    int bits = inner_bits(directory);
    uint64_t page = line >> bits;
    uint32_t *slot = map_slot(directory, page);
    if (!slot || (!*slot && !page_make(directory, slot, page, node)))
        return 0;
    return *slot << bits | (uint32_t)(line & ((1u << bits) - 1));
}

struct cores_entry *cores_directory_entry(const struct cores_directory *directory, uint32_t number)
{
    int bits = inner_bits(directory) + CHUNK_BITS;
    return &directory->chunk[number >> bits]->entry[number & ((1u << bits) - 1)];
}

int cores_directory_node(const struct cores_directory *directory, uint32_t number)
{
    uint32_t page = number >> inner_bits(directory);
    return directory->chunk[page >> CHUNK_BITS]->node[page % CHUNK_PAGES];
}

uint64_t cores_directory_line(const struct cores_directory *directory, uint32_t number)
{
    int bits = inner_bits(directory);
    uint32_t page = number >> bits;
    return directory->chunk[page >> CHUNK_BITS]->page[page % CHUNK_PAGES] << bits | (number & ((1u << bits) - 1));
}

uint32_t cores_directory_first(const struct cores_directory *directory)
{
    return 1u << inner_bits(directory);
}

uint32_t cores_directory_end(const struct cores_directory *directory)
{
    return (directory->pages + 1) << inner_bits(directory);
}
