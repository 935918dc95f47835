#include "trace/page/blocks.h"

#include <stdlib.h>

static size_t width_of(const struct ordo_blocks *blocks, size_t column)
{
    return (size_t)(blocks->widths[column] - '0');
}

int ordo_blocks_begin(struct ordo_blocks *blocks, FILE *stream, const char *kind, const char *widths)
{
    *blocks = (struct ordo_blocks){.stream = stream, .kind = kind, .widths = widths};
    for (size_t i = 0; widths[i]; i++) {
        blocks->columns[i] = malloc(ORDO_BLOCK_RECORDS * width_of(blocks, i));
        if (!blocks->columns[i])
            return -1;
    }
    return 0;
}

/* Writes bytes as base64 (RFC 4648, section 4). */
static void write_base64(FILE *stream, const unsigned char *bytes, size_t count)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        uint32_t word = (uint32_t)bytes[i] << 16;
        word |= i + 1 < count ? (uint32_t)bytes[i + 1] << 8 : 0;
        word |= i + 2 < count ? bytes[i + 2] : 0;
        char text[4] = {letters[word >> 18], letters[word >> 12 & 63], i + 1 < count ? letters[word >> 6 & 63] : '=',
                        i + 2 < count ? letters[word & 63] : '='};
        fwrite(text, 1, sizeof text, stream);
    }
}

static void write_block(struct ordo_blocks *blocks)
{
    if (blocks->count == 0)
        return;
    fprintf(blocks->stream, "<script type=\"text/plain\" class=\"%s\" data-count=\"%u\">", blocks->kind, blocks->count);
    for (size_t i = 0; blocks->widths[i]; i++) {
        if (i > 0)
            putc(' ', blocks->stream);
        write_base64(blocks->stream, blocks->columns[i], blocks->count * width_of(blocks, i));
    }
    fputs("</script>\n", blocks->stream);
    blocks->count = 0;
}

void ordo_blocks_put(struct ordo_blocks *blocks, const uint64_t *values)
{
    for (size_t i = 0; blocks->widths[i]; i++) {
        size_t width = width_of(blocks, i);
        unsigned char *at = blocks->columns[i] + blocks->count * width;
        for (size_t k = 0; k < width; k++)
            at[k] = (unsigned char)(values[i] >> 8 * k);
    }
    blocks->total++;
    if (++blocks->count == ORDO_BLOCK_RECORDS)
        write_block(blocks);
}

void ordo_blocks_end(struct ordo_blocks *blocks)
{
    if (blocks->stream)
        write_block(blocks);
    for (size_t i = 0; i < ORDO_BLOCK_COLUMNS; i++)
        free(blocks->columns[i]);
    *blocks = (struct ordo_blocks){0};
}
