/* Compressed files, which are unpacked while they are read: memory does not grow with the unpacked text. The form is
 * known by its first bytes and not by the file's name. Each library has one file: gzip.c has zlib, zstd.c libzstd. */
#ifndef ORDO_UNPACK_UNPACK_H
#define ORDO_UNPACK_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

/** What a step of unpacking has come to. */
enum ordo_unpacked {
    ORDO_UNPACKED_SOME,  /* more may follow */
    ORDO_UNPACKED_WHOLE, /* a stream is complete; another one may follow */
    ORDO_UNPACKED_DAMAGED
};

/** The two ends of a step: packed bytes that are taken, and room that is filled. */
struct ordo_unpack_step {
    const char *from;
    size_t count;
    char *to;
    size_t room;
};

/** A form of compression. */
struct ordo_packing {
    const char *name;
    const char *program; /* unpacks a file of this form; for messages */
    const char *magic;   /* its first `length` bytes */
    size_t length;
    void *(*open)(void); /* NULL: this build cannot unpack it. Returns NULL if out of memory */
    enum ordo_unpacked (*run)(void *state, struct ordo_unpack_step *step);
    void (*close)(void *state);
};

/** The forms that this build can unpack; `open` is NULL if it was built without the library. */
extern const struct ordo_packing ordo_packing_gzip, ordo_packing_zlib, ordo_packing_zlib_fast, ordo_packing_zlib_best,
    ordo_packing_zstd;

enum { ORDO_PACKING_MAGIC_MOST = 6 };

/** Returns the form of compression that begins with these bytes; NULL: the bytes are not compressed. */
const struct ordo_packing *ordo_packing_find(const char *bytes, size_t count);

#endif
