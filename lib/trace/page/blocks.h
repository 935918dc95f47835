/* Records in the page as typed arrays: a block holds up to 16384 records, and its text is the base64 of one column
 * after the other, separated by spaces. Memory does not grow with the number of records. */
#ifndef ORDO_TRACE_PAGE_BLOCKS_H
#define ORDO_TRACE_PAGE_BLOCKS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ORDO_BLOCK_RECORDS = 16384, ORDO_BLOCK_COLUMNS = 16 };

struct ordo_blocks {
    FILE *stream;
    const char *kind;   /* the class of the elements */
    const char *widths; /* a digit for each column: the bytes of a value */
    unsigned char *columns[ORDO_BLOCK_COLUMNS];
    uint32_t count; /* records of the present block */
    uint64_t total; /* records of all blocks */
};

/** Begins blocks. Returns 0, or -1 if out of memory; call ordo_blocks_end in both cases. */
int ordo_blocks_begin(struct ordo_blocks *blocks, FILE *stream, const char *kind, const char *widths);

/** Adds a record: one word for each column, of which the low bytes are taken. Writes the block if it is full. */
void ordo_blocks_put(struct ordo_blocks *blocks, const uint64_t *values);

/** Writes the last block, and frees the memory. */
void ordo_blocks_end(struct ordo_blocks *blocks);

/** Returns a double as a word. */
static inline uint64_t ordo_block_real(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/** Returns a distance >= 0 as the upper half of a float, rounded up: a range in the page never is narrower than it
 * is. */
static inline uint64_t ordo_block_range(int64_t distance_ns)
{
    float value = (float)distance_ns;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (distance_ns <= 0)
        return 0;
    bits += (double)value < (double)distance_ns; /* the float was rounded down: take the next one */
    return (bits + 0xffff) >> 16;
}

#endif
