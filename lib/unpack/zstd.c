/* zstd files: the one door to libzstd. A file that needs a window of more than 128 MiB is refused as damaged, which is
 * the library's own limit. */
#include "unpack/unpack.h"

#ifdef ORDO_HAVE_ZSTD
#include <zstd.h>

static void *zstd_open(void)
{
    return ZSTD_createDStream();
}

static void zstd_close(void *state)
{
    (void)ZSTD_freeDStream(state);
}

static enum ordo_unpacked zstd_run(void *state, struct ordo_unpack_step *step)
{
    ZSTD_inBuffer in = {step->from, step->count, 0};
    ZSTD_outBuffer out = {step->to, step->room, 0};
    size_t code = ZSTD_decompressStream(state, &out, &in);
    step->from += in.pos;
    step->count -= in.pos;
    step->to += out.pos;
    step->room -= out.pos;
    if (ZSTD_isError(code))
        return ORDO_UNPACKED_DAMAGED;
    return code == 0 ? ORDO_UNPACKED_WHOLE : ORDO_UNPACKED_SOME;
}
#define UNPACKS .open = zstd_open, .run = zstd_run, .close = zstd_close
#else
#define UNPACKS .open = NULL
#endif

const struct ordo_packing ordo_packing_zstd = {
    .name = "zstd", .program = "unzstd", .magic = "\x28\xb5\x2f\xfd", .length = 4, UNPACKS};
