#include "unpack/unpack.h"

#include <string.h>

static const struct ordo_packing xz = {.name = "xz",
                                       .program = "unxz",
                                       .magic = "\xfd"
                                                "7zXZ",
                                       .length = 6};
static const struct ordo_packing bzip2 = {.name = "bzip2", .program = "bunzip2", .magic = "BZh91A", .length = 6};
static const struct ordo_packing lz4 = {.name = "lz4", .program = "unlz4", .magic = "\x04\x22\x4d\x18", .length = 4};
static const struct ordo_packing zip = {.name = "zip", .program = "unzip", .magic = "PK\x03\x04", .length = 4};

const struct ordo_packing *ordo_packing_find(const char *bytes, size_t count)
{
    static const struct ordo_packing *const all[] = {&ordo_packing_gzip,
                                                     &ordo_packing_zlib,
                                                     &ordo_packing_zlib_fast,
                                                     &ordo_packing_zlib_best,
                                                     &ordo_packing_zstd,
                                                     &xz,
                                                     &bzip2,
                                                     &lz4,
                                                     &zip};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (count >= all[i]->length && memcmp(bytes, all[i]->magic, all[i]->length) == 0)
            return all[i];
    return NULL;
}
