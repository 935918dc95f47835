/* Compressed traces: a file is known by its content, is unpacked while it is read, and a cut or damaged one is refused. */
#include "trace_files.h"

#include "unpack/unpack.h"

/* "rank,time_ns\n1,5\n2,7\n": as two members of gzip, as a stream of zlib, and as a frame of zstd. */
static const char gzip[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\x4a\xcc\xcb\xd6\x29\xc9\xcc\x4d\x8d\xcf\x2b\xe6\x32"
    "\xd4\x01\x00\xb3\x53\xc8\x8f\x0f\x00\x00\x00\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\xe5\x32"
    "\xd2\x31\xe7\x02\x00\x98\xe9\x62\xb4\x06\x00\x00\x00";
static const char zlib[] =
    "\x78\x9c\x2b\x4a\xcc\xcb\xd6\x29\xc9\xcc\x4d\x8d\xcf\x2b\xe6\x32\xd4\x31\xe5\x32\xd2\x31\xe7\x02"
    "\x00\x50\x13\x06\x0d";
static const char zstd[] =
    "\x28\xb5\x2f\xfd\x04\x58\xa9\x00\x00\x72\x61\x6e\x6b\x2c\x74\x69\x6d\x65\x5f\x6e\x73\x0a\x31\x2c"
    "\x35\x0a\x32\x2c\x37\x0a\x27\xb4\xd8\xae";

/* Reads events. Returns a code, 0 for none; *events is the number of events. */
static int read_events(const char *bytes, size_t size, bool partial, int *events, struct ordo_error *error)
{
    struct file file = file_of_bytes(bytes, size);
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_reader reader;
    struct ordo_event event;
    *events = 0;
    int code = ordo_reader_open(&reader, file.path, NULL, &columns, error);
    if (!code) {
        reader.partial = partial;
        for (int pass = 0; !code && pass < 2; pass++) {
            *events = 0;
            while ((code = ordo_reader_next(&reader, &event, error)) == 1)
                ++*events;
            if (!code)
                code = ordo_reader_rewind(&reader, error);
        }
        ordo_reader_close(&reader);
    }
    file_close(&file);
    return code;
}

static const struct {
    const struct ordo_packing *packing;
    const char *bytes;
    size_t size;
} packed[] = {{&ordo_packing_gzip, gzip, sizeof gzip - 1},
              {&ordo_packing_zlib, zlib, sizeof zlib - 1},
              {&ordo_packing_zstd, zstd, sizeof zstd - 1}};

enum { PACKED = sizeof packed / sizeof *packed };

Test(trace_unpack, a_compressed_trace_is_read_twice_like_any_other)
{
    struct ordo_error error = {0};
    int events;
    for (int i = 0; i < PACKED; i++) {
        if (!packed[i].packing->open)
            continue;
        cr_assert_eq(read_events(packed[i].bytes, packed[i].size, false, &events, &error), 0, "%s", error.text);
        cr_assert_eq(events, 2);
    }
}

Test(trace_unpack, other_bytes_behind_a_packed_file_are_left_out_only_if_the_whole_part_is_wanted)
{
    char bytes[600];
    struct ordo_error error = {0};
    int events;
    for (int i = 0; i < PACKED; i++) {
        if (!packed[i].packing->open)
            continue;
        memcpy(bytes, packed[i].bytes, packed[i].size);
        memcpy(bytes + packed[i].size, "other bytes", 11);
        cr_assert_eq(read_events(bytes, packed[i].size + 11, false, &events, &error), ORDO_E_TRUNCATED);
        cr_assert(strstr(error.text, "has other bytes behind its compressed data"), "%s", error.text);
        cr_assert_eq(read_events(bytes, packed[i].size + 11, true, &events, &error), 0, "%s", error.text);
        cr_assert_eq(events, 2);
    }
}

Test(trace_unpack, zeros_behind_a_file_of_gzip_are_left_out)
{
    char bytes[sizeof gzip + 600] = {0};
    struct ordo_error error = {0};
    int events;
    memcpy(bytes, gzip, sizeof gzip - 1);
    if (!ordo_packing_gzip.open)
        return;
    cr_assert_eq(read_events(bytes, sizeof bytes, false, &events, &error), 0, "%s", error.text);
    cr_assert_eq(events, 2);
}

Test(trace_unpack, a_cut_file_is_refused_and_its_whole_part_can_be_had)
{
    struct ordo_error error = {0};
    int events;
    for (int i = 0; i < PACKED; i++) {
        if (!packed[i].packing->open)
            continue;
        cr_assert_eq(read_events(packed[i].bytes, packed[i].size - 3, false, &events, &error), ORDO_E_TRUNCATED);
        cr_assert(strstr(error.text, "its compressed data end too early") && strstr(error.text, "--partial"), "%s",
                  error.text);
        cr_assert_eq(read_events(packed[i].bytes, packed[i].size - 3, true, &events, &error), 0, "%s", error.text);
        cr_assert_eq(events, 2);
    }
}

Test(trace_unpack, damaged_data_are_refused_by_the_name_of_their_compression)
{
    struct ordo_error error = {0};
    int events;
    for (int i = 0; i < PACKED; i++) {
        char bytes[200];
        if (!packed[i].packing->open)
            continue;
        memcpy(bytes, packed[i].bytes, packed[i].size);
        bytes[packed[i].size - 2] ^= 0x55; /* in the checksum */
        cr_assert_eq(read_events(bytes, packed[i].size, true, &events, &error), ORDO_E_CHECKSUM, "%d: %s", i,
                     error.text);
        cr_assert(strstr(error.text, packed[i].packing->name) && strstr(error.text, "damaged"), "%s", error.text);
    }
}

Test(trace_unpack, a_compression_that_cannot_be_read_is_named_with_its_program)
{
    struct ordo_error error = {0};
    int events;
    cr_assert_eq(read_events("\xfd"
                             "7zXZ\0\0\0",
                             8, false, &events, &error),
                 ORDO_E_MALFORMED);
    cr_assert(strstr(error.text, "is compressed by xz") && strstr(error.text, "unxz"), "%s", error.text);
    for (int i = 0; i < PACKED; i++) {
        if (packed[i].packing->open)
            continue;
        cr_assert_eq(read_events(packed[i].bytes, packed[i].size, false, &events, &error), ORDO_E_MALFORMED);
        cr_assert(strstr(error.text, packed[i].packing->name) && strstr(error.text, packed[i].packing->program), "%s",
                  error.text);
    }
}

Test(trace_unpack, a_byte_order_mark_is_left_out)
{
    static const char text[] = "\xef\xbb\xbfrank,time_ns\n1,5\n";
    struct ordo_error error = {0};
    int events;
    cr_assert_eq(read_events(text, sizeof text - 1, false, &events, &error), 0, "%s", error.text);
    cr_assert_eq(events, 1);
}

/* The last row lacks a field, and its end. */
Test(trace_unpack, a_row_that_is_cut_is_refused_and_the_rows_before_it_can_be_had)
{
    static const char *const texts[] = {"rank,time_ns,kind\n1,5,begin\n2,7",
                                        "{\"rank\":1,\"time_ns\":5}\n{\"rank\":2,\"ti"};
    struct ordo_error error = {0};
    int events;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(read_events(texts[i], strlen(texts[i]), false, &events, &error), ORDO_E_MALFORMED);
        cr_assert_eq(read_events(texts[i], strlen(texts[i]), true, &events, &error), 0, "%s", error.text);
        cr_assert_eq(events, 1);
    }
    const char *whole = "rank,time_ns,kind\n1,5,begin\n2,7\n"; /* this row has its end, so it is wrong */
    cr_assert_eq(read_events(whole, strlen(whole), true, &events, &error), ORDO_E_MALFORMED);
}
