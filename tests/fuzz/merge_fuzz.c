/* Damaged and forged files of events (merge/file.h). Usage: merge_fuzz [--seed N] [--count N]
 *
 * For any content of a file, reading ends: either with an error code and a line that names the file, or with exactly
 * the number of events in the head, in order and in range. A damaged file is refused; a forged file, whose checksum is
 * right again, may be accepted. Each file is merged with a sound file, and if both are accepted, no event of the sound
 * file is lost. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ordo/merge/file.h>

enum { LARGEST = 8192, SOUND = 40 };

static void fail(const char *what)
{
    printf("%s\n", what);
    abort();
}

static int file_of(const unsigned char *bytes, size_t count)
{
    int fd = memfd_create("events", 0);
    if (fd < 0 || write(fd, bytes, count) != (ssize_t)count || lseek(fd, 0, SEEK_SET) != 0)
        fail("no file");
    return fd;
}

/* Makes a sound file of `count` events. Returns its size in bytes. */
static size_t make(unsigned char *bytes, uint64_t first, uint64_t step, uint64_t count)
{
    static const struct ordo o = ORDO_INIT(300, 1000000000);
    struct ordo_merge_file f;
    int fd = memfd_create("events", 0);
    if (fd < 0 || ordo_merge_file_begin(&f, fd, "made", &o))
        fail("no file");
    for (uint64_t i = 0; i < count; i++) {
        struct ordo_merge_event event = {{first + i * step}, i};
        if (ordo_merge_file_write(&f, &event, 1))
            fail(f.error.text);
    }
    if (ordo_merge_file_end(&f))
        fail(f.error.text);
    ssize_t size = pread(fd, bytes, LARGEST, 0);
    close(fd);
    return (size_t)size;
}

/* Merges the rest of the two files. Returns the final code; `seen` gets the number of merged events of each file. */
static int merge_both(struct ordo_merge_file *files, uint64_t *seen)
{
    static char memory[16384];
    struct ordo_merge_options options = {.ring_events = 16};
    struct ordo_merge *m;
    struct ordo_merge_out out[64];
    uint64_t last = 0;
    uint32_t count = 1;
    int code = ordo_merge_file_join(files, 2, &options);
    if (code)
        return code;
    if (ordo_merge_create(&m, memory, sizeof memory, &options))
        fail("no merger of files that join");
    for (uint32_t k = 0; k < 2; k++)
        (void)ordo_merge_attach_source(m, k, ordo_merge_file_fill, &files[k]);
    while ((code = ordo_merge_pull(m, out, 64, &count)) == ORDO_OK && count > 0)
        for (uint32_t i = 0; i < count; i++) {
            if (out[i].time.ticks < last || out[i].time.ticks >= ORDO_MERGE_TIMES)
                fail("out of order, or out of range");
            last = out[i].time.ticks;
            seen[out[i].producer]++;
        }
    return code;
}

static int check(const unsigned char *bytes, size_t count)
{
    static unsigned char sound[LARGEST];
    uint64_t seen[2] = {0};
    struct ordo_merge_file files[2];
    size_t sound_bytes = make(sound, 100, 10, SOUND);
    int fds[2] = {file_of(sound, sound_bytes), file_of(bytes, count)};
    int code = ordo_merge_file_read(&files[0], fds[0], "sound");
    if (code)
        fail("a sound file is refused");
    code = ordo_merge_file_read(&files[1], fds[1], "tried");
    if (code && strncmp(files[1].error.text, "tried: ", 7) != 0)
        fail("the line does not name the file");
    if (!code)
        code = merge_both(files, seen);
    if (!code && (seen[0] != SOUND || seen[1] != files[1].head.count))
        fail("accepted, and events are missing");
    close(fds[0]);
    close(fds[1]);
    return code;
}

#ifdef ORDO_FUZZ_LIBFUZZER

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count);

/* Corrects the checksum of the input, so that the fuzzer reaches the code behind the check of the checksum. */
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count)
{
    unsigned char copy[LARGEST];
    if (count > sizeof copy)
        return 0;
    memcpy(copy, bytes, count);
    if (count >= ORDO_MERGE_FILE_HEAD) {
        memcpy(copy, ORDO_MERGE_FILE_MAGIC, 8);
        ordo_merge_file_put(copy + 72, ordo_record_checksum(copy, 72), 8);
    }
    (void)check(copy, count);
    return 0;
}

#else

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
}

static size_t mutate(unsigned char *bytes, size_t count)
{
    static const uint64_t extremes[] = {0, 1, UINT64_MAX, UINT64_C(1) << 62, UINT32_MAX, UINT64_C(1) << 32};
    size_t at = draw(count);
    switch (draw(4)) {
    case 0:
        bytes[at] ^= (unsigned char)(1u << draw(8));
        break;
    case 1:
        if (count >= 8)
            ordo_merge_file_put(bytes + draw(count / 8) * 8, extremes[draw(6)], 8);
        break;
    case 2:
        return at + 1;
    default:
        memset(bytes + count, (int)draw(256), 40);
        return count + 1 + draw(40);
    }
    return count;
}

/* Corrects the sum of the events and the checksum, as a forger would. */
static void seal(unsigned char *bytes, size_t count)
{
    uint64_t sum = 0;
    for (size_t at = ORDO_MERGE_FILE_HEAD; at + ORDO_MERGE_FILE_EVENT <= count; at += ORDO_MERGE_FILE_EVENT) {
        struct ordo_merge_event event = {{ordo_merge_file_get(bytes + at, 8)}, ordo_merge_file_get(bytes + at + 8, 8)};
        sum = ordo_merge_file_sum(sum, &event);
    }
    if (count < ORDO_MERGE_FILE_HEAD)
        return;
    if (draw(4))
        ordo_merge_file_put(bytes + 16, (count - ORDO_MERGE_FILE_HEAD) / ORDO_MERGE_FILE_EVENT, 8);
    ordo_merge_file_put(bytes + 56, sum, 8);
    ordo_merge_file_put(bytes + 72, ordo_record_checksum(bytes, 72), 8);
}

int main(int argc, char **argv)
{
    static unsigned char bytes[LARGEST], original[LARGEST];
    uint64_t seed = 1;
    long count = 10000, forged = 0, accepted = 0, wrong = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--count") == 0)
            count = strtol(argv[i + 1], NULL, 0);
    }
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (long i = 0; i < count; i++) {
        size_t size = make(original, 90 + draw(30), draw(20), draw(100)), before = size;
        memcpy(bytes, original, sizeof bytes);
        for (uint64_t mutations = 1 + draw(3); mutations > 0; mutations--)
            size = mutate(bytes, size);
        if (i % 2) {
            seal(bytes, size);
            forged++;
            accepted += check(bytes, size) == ORDO_OK;
        } else {
            int same = size == before && memcmp(bytes, original, size) == 0;
            wrong += (check(bytes, size) == ORDO_OK) != same;
        }
    }
    printf("%ld files: %ld damaged ones wrongly judged, %ld of %ld forged ones well-formed\n", count, wrong, accepted,
           forged);
    return wrong > 0 || accepted == 0 || accepted == forged;
}

#endif
