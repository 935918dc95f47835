/* gzip files and zlib streams: the one door to zlib. */
#include "unpack/unpack.h"

#ifdef ORDO_HAVE_ZLIB
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

static void *gzip_open(void)
{
    enum { ANY_WINDOW = 15, GZIP_OR_ZLIB = 32 };
    z_stream *stream = calloc(1, sizeof *stream);
    if (stream && inflateInit2(stream, ANY_WINDOW + GZIP_OR_ZLIB) == Z_OK)
        return stream;
    free(stream);
    return NULL;
}

static void gzip_close(void *state)
{
    (void)inflateEnd(state);
    free(state);
}

static unsigned at_most(size_t count)
{
    return count < UINT_MAX ? (unsigned)count : UINT_MAX;
}

/* A file may have several streams, one after the other, and zeros behind the last one. */
static enum ordo_unpacked gzip_run(void *state, struct ordo_unpack_step *step)
{
    z_stream *stream = state;
    unsigned count = at_most(step->count), room = at_most(step->room);
    if (stream->total_in == 0) /* between streams */
        while (count > 0 && *step->from == '\0') {
            step->from++;
            step->count--;
            count--;
        }
    if (count == 0 && stream->total_in == 0)
        return ORDO_UNPACKED_WHOLE;
    stream->next_in = (z_const Bytef *)step->from;
    stream->avail_in = count;
    stream->next_out = (Bytef *)step->to;
    stream->avail_out = room;
    int code = inflate(stream, Z_NO_FLUSH);
    step->from += count - stream->avail_in;
    step->count -= count - stream->avail_in;
    step->to += room - stream->avail_out;
    step->room -= room - stream->avail_out;
    if (code == Z_STREAM_END)
        return inflateReset(stream) == Z_OK ? ORDO_UNPACKED_WHOLE : ORDO_UNPACKED_DAMAGED;
    return code == Z_OK || code == Z_BUF_ERROR ? ORDO_UNPACKED_SOME : ORDO_UNPACKED_DAMAGED;
}
#define UNPACKS .open = gzip_open, .run = gzip_run, .close = gzip_close
#else
#define UNPACKS .open = NULL
#endif

const struct ordo_packing ordo_packing_gzip = {
    .name = "gzip", .program = "gunzip", .magic = "\x1f\x8b", .length = 2, UNPACKS};

/* The streams of zlib begin with a byte for the window and a byte for the level. */
const struct ordo_packing ordo_packing_zlib = {
    .name = "zlib", .program = "zlib-flate -uncompress", .magic = "x\x9c", .length = 2, UNPACKS};
const struct ordo_packing ordo_packing_zlib_fast = {
    .name = "zlib", .program = "zlib-flate -uncompress", .magic = "x\x01", .length = 2, UNPACKS};
const struct ordo_packing ordo_packing_zlib_best = {
    .name = "zlib", .program = "zlib-flate -uncompress", .magic = "x\xda", .length = 2, UNPACKS};
