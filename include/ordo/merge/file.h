/* Streams of events in files, to be merged later: a simple format, the same on every machine.
 *
 * All numbers have their lowest byte first.
 *
 *     0  magic           "ORDOMRG\n"
 *     8  layout          1, of 32 bits
 *    12  clock           enum ordo_clock_id, of 32 bits
 *    16  count           number of events
 *    24  boundary_ticks  of the clock that was read for the times
 *    32  tick_hz         0 if unknown
 *    40  boot_id         of the kernel, 16 bytes; 0 for a boundary that was compiled in
 *    56  sum             of all events (ordo_merge_file_sum)
 *    64  zero
 *    72  checksum        CRC-64/XZ of bytes 0 .. 72
 *    80  events          of 16 bytes: the time in ticks, below 2^62 and non-decreasing, and the word of data
 *
 * The reader reads a file from its beginning to its end and never maps it. If another process truncates or writes the
 * file meanwhile, the worst result is therefore that the reader refuses the file. A file without ordo_merge_file_end
 * has no head, and is refused. The checksums detect damage, not forgery: a process that may write the file can choose
 * its contents.
 *
 * One thread uses a file at a time.
 */
#ifndef ORDO_MERGE_FILE_H
#define ORDO_MERGE_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ordo/merge.h>

#define ORDO_MERGE_FILE_MAGIC "ORDOMRG\n"
#define ORDO_MERGE_FILE_LAYOUT 1u

enum { ORDO_MERGE_FILE_HEAD = 80, ORDO_MERGE_FILE_EVENT = 16, ORDO_MERGE_FILE_CHUNK = 4096 };

struct ordo_merge_head {
    uint32_t layout, clock;
    uint64_t count, boundary_ticks, tick_hz;
    unsigned char boot_id[16];
    uint64_t sum;
};

/** A file that is being read or written. */
struct ordo_merge_file {
    struct ordo_merge_head head;
    struct ordo_error error; /* reason of the last failure */
    const char *path;
    uint64_t left; /* number of events not yet read */
    uint64_t sum;  /* checksum of the events so far */
    uint64_t last_ticks;
    int fd;
};

/* ---- bytes ---- */

static inline void ordo_merge_file_put(unsigned char *to, uint64_t value, int bytes)
{
    int i;
    for (i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static inline uint64_t ordo_merge_file_get(const unsigned char *from, int bytes)
{
    uint64_t value = 0;
    int i;
    for (i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

/** Returns the sum after one more event. Each word is added, and the result is multiplied and folded, so that the sum
 * depends on the order of the events. */
static inline uint64_t ordo_merge_file_sum(uint64_t sum, const struct ordo_merge_event *event)
{
    sum = (sum + event->time.ticks) * UINT64_C(0x9e3779b97f4a7c15);
    sum = ((sum ^ sum >> 32) + event->data) * UINT64_C(0xd6e8feb86659fd93);
    return sum ^ sum >> 29;
}

static inline int ordo_merge_file_refuse(struct ordo_merge_file *f, int code, int sys_errno, const char *what)
{
    f->error.code = code;
    f->error.sys_errno = sys_errno;
    (void)snprintf(f->error.text, sizeof f->error.text, "%.90s: %.140s", f->path,
                   sys_errno ? strerror(sys_errno) : what);
    ordo_error_tidy(f->error.text);
    return code;
}

/* ---- writing ---- */

static inline int ordo_merge_file_send(struct ordo_merge_file *f, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t sent = write(f->fd, bytes, count);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return ordo_merge_file_refuse(f, ORDO_E_SYSTEM, sent < 0 ? errno : EIO, "");
        bytes += sent;
        count -= (size_t)sent;
    }
    return ORDO_OK;
}

/** Begins a file in `fd`, an empty, seekable file that is open for writing. The caller still owns `fd`. `path` is for
 * messages and must not move. To make the file appear as a whole, write it under another name, end it, and rename it.
 * Returns 0, or, with the reason in `f->error`,
 *
 * - ORDO_E_INVALID: the handle orders nothing, or is a handle for corrected times or for the kernel's clock, which the
 *   format cannot state;
 * - ORDO_E_SYSTEM: the file could not be written. */
static inline int ordo_merge_file_begin(struct ordo_merge_file *f, int fd, const char *path, const struct ordo *o)
{
    static const unsigned char nothing[ORDO_MERGE_FILE_HEAD] = {0};
    memset(f, 0, sizeof *f);
    f->fd = fd;
    f->path = path;
    if (ordo_boundary(o) >= ORDO_MERGE_TIMES / 8)
        return ordo_merge_file_refuse(f, ORDO_E_INVALID, 0, "the handle orders nothing: open a record first");
    if (ordo_flags(o) & ORDO_FLAGS_OTHER_TIMES)
        return ordo_merge_file_refuse(f, ORDO_E_INVALID, 0, "the handle is of corrected times: open the record itself");
    f->head.clock = ORDO_CLOCK_ID;
    f->head.boundary_ticks = ordo_boundary(o);
    f->head.tick_hz = ordo_tick_hz(o);
    if (o->record)
        memcpy(f->head.boot_id, o->record->boot_id, sizeof f->head.boot_id);
    return ordo_merge_file_send(f, nothing, sizeof nothing);
}

/** Writes `count` more events. Returns 0, or, with the reason in `f->error`,
 *
 * - ORDO_E_INVALID: an event is earlier than its predecessor, or its time is not below ORDO_MERGE_TIMES; some events of
 *   this call may have been written;
 * - ORDO_E_SYSTEM: the file could not be written. */
static inline int ordo_merge_file_write(struct ordo_merge_file *f, const struct ordo_merge_event *events,
                                        uint64_t count)
{
    unsigned char bytes[ORDO_MERGE_FILE_CHUNK];
    size_t used = 0;
    uint64_t i;
    int code = ORDO_OK;
    for (i = 0; i < count && !code; i++) {
        uint64_t ticks = events[i].time.ticks;
        if (ticks < f->last_ticks || ticks >= ORDO_MERGE_TIMES)
            return ordo_merge_file_refuse(f, ORDO_E_INVALID, 0, "an event is earlier than the one before it");
        f->last_ticks = ticks;
        f->sum = ordo_merge_file_sum(f->sum, &events[i]);
        ordo_merge_file_put(bytes + used, ticks, 8);
        ordo_merge_file_put(bytes + used + 8, events[i].data, 8);
        used += ORDO_MERGE_FILE_EVENT;
        if (used == sizeof bytes || i + 1 == count) {
            code = ordo_merge_file_send(f, bytes, used);
            used = 0;
        }
    }
    f->head.count += count;
    return code;
}

/** Ends a file: writes its head, without which a reader refuses it. Returns 0, or
 *
 * - ORDO_E_SYSTEM: see `f->error`. */
static inline int ordo_merge_file_end(struct ordo_merge_file *f)
{
    unsigned char bytes[ORDO_MERGE_FILE_HEAD] = {0};
    memcpy(bytes, ORDO_MERGE_FILE_MAGIC, 8);
    ordo_merge_file_put(bytes + 8, ORDO_MERGE_FILE_LAYOUT, 4);
    ordo_merge_file_put(bytes + 12, f->head.clock, 4);
    ordo_merge_file_put(bytes + 16, f->head.count, 8);
    ordo_merge_file_put(bytes + 24, f->head.boundary_ticks, 8);
    ordo_merge_file_put(bytes + 32, f->head.tick_hz, 8);
    memcpy(bytes + 40, f->head.boot_id, sizeof f->head.boot_id);
    ordo_merge_file_put(bytes + 56, f->sum, 8);
    ordo_merge_file_put(bytes + 72, ordo_record_checksum(bytes, 72), 8);
    if (lseek(f->fd, 0, SEEK_SET) != 0)
        return ordo_merge_file_refuse(f, ORDO_E_SYSTEM, errno, "");
    return ordo_merge_file_send(f, bytes, sizeof bytes);
}

/* ---- reading ---- */

/* Reads `count` bytes. Returns the number of bytes read, or -1. The number is less than `count` only at the end of the
 * file. */
static inline ssize_t ordo_merge_file_receive(struct ordo_merge_file *f, unsigned char *bytes, size_t count)
{
    size_t used = 0;
    while (used < count) {
        ssize_t received = read(f->fd, bytes + used, count - used);
        if (received < 0 && errno == EINTR)
            continue;
        if (received < 0)
            return -1;
        if (received == 0)
            break;
        used += (size_t)received;
    }
    return (ssize_t)used;
}

/* Checks a head of ORDO_MERGE_FILE_HEAD bytes. */
static inline int ordo_merge_file_parse(struct ordo_merge_file *f, const unsigned char *bytes)
{
    struct ordo_merge_head *head = &f->head;
    if (memcmp(bytes, ORDO_MERGE_FILE_MAGIC, 8) != 0)
        return ordo_merge_file_refuse(f, ORDO_E_MALFORMED, 0, "not a file of events, or one that was not ended");
    if (ordo_merge_file_get(bytes + 72, 8) != ordo_record_checksum(bytes, 72))
        return ordo_merge_file_refuse(f, ORDO_E_CHECKSUM, 0, "the head was damaged: record the events again");
    head->layout = (uint32_t)ordo_merge_file_get(bytes + 8, 4);
    head->clock = (uint32_t)ordo_merge_file_get(bytes + 12, 4);
    head->count = ordo_merge_file_get(bytes + 16, 8);
    head->boundary_ticks = ordo_merge_file_get(bytes + 24, 8);
    head->tick_hz = ordo_merge_file_get(bytes + 32, 8);
    memcpy(head->boot_id, bytes + 40, sizeof head->boot_id);
    head->sum = ordo_merge_file_get(bytes + 56, 8);
    if (head->layout != ORDO_MERGE_FILE_LAYOUT)
        return ordo_merge_file_refuse(f, ORDO_E_LAYOUT, 0, "another layout: read it with the version that wrote it");
    if (head->boundary_ticks == 0 || head->boundary_ticks >= ORDO_MERGE_TIMES / 8)
        return ordo_merge_file_refuse(f, ORDO_E_BOUNDARY, 0, "a boundary that no measurement gives");
    if (head->count >= ORDO_MERGE_TIMES || ordo_merge_file_get(bytes + 64, 8) != 0)
        return ordo_merge_file_refuse(f, ORDO_E_MALFORMED, 0, "the head has a number that cannot be");
    f->left = head->count;
    return ORDO_OK;
}

/** Reads the head of the file in `fd`. `fd` is at the beginning of the file and may be a pipe; the caller still owns
 * it. `path` is for messages and must not move. Returns 0, or ORDO_E_TRUNCATED, _MALFORMED, _CHECKSUM, _LAYOUT,
 * _BOUNDARY or _SYSTEM, with the reason in `f->error`. */
static inline int ordo_merge_file_read(struct ordo_merge_file *f, int fd, const char *path)
{
    unsigned char bytes[ORDO_MERGE_FILE_HEAD];
    ssize_t count;
    memset(f, 0, sizeof *f);
    f->fd = fd;
    f->path = path;
    count = ordo_merge_file_receive(f, bytes, sizeof bytes);
    if (count < 0)
        return ordo_merge_file_refuse(f, ORDO_E_SYSTEM, errno, "");
    if (count < (ssize_t)sizeof bytes)
        return ordo_merge_file_refuse(f, ORDO_E_TRUNCATED, 0, "too short for a file of events");
    return ordo_merge_file_parse(f, bytes);
}

/* Checks, after the last event was read, that the file ends there, and that the events have the checksum of the
 * head. */
static inline int ordo_merge_file_finish(struct ordo_merge_file *f)
{
    unsigned char more;
    ssize_t count = ordo_merge_file_receive(f, &more, 1);
    if (count < 0)
        return ordo_merge_file_refuse(f, ORDO_E_SYSTEM, errno, "");
    if (count > 0)
        return ordo_merge_file_refuse(f, ORDO_E_TRUNCATED, 0, "longer than its head says");
    if (f->sum != f->head.sum)
        return ordo_merge_file_refuse(f, ORDO_E_CHECKSUM, 0, "the events were damaged: record them again");
    return ORDO_OK;
}

/* Takes `count` events out of `bytes`. Refuses the file if they are not in order or not in range. */
static inline int ordo_merge_file_take(struct ordo_merge_file *f, const unsigned char *bytes, size_t count,
                                       struct ordo_merge_event *events)
{
    size_t i;
    for (i = 0; i < count; i++) {
        events[i].time.ticks = ordo_merge_file_get(bytes + i * ORDO_MERGE_FILE_EVENT, 8);
        events[i].data = ordo_merge_file_get(bytes + i * ORDO_MERGE_FILE_EVENT + 8, 8);
        if (events[i].time.ticks < f->last_ticks || events[i].time.ticks >= ORDO_MERGE_TIMES)
            return ordo_merge_file_refuse(f, ORDO_E_MALFORMED, 0, "an event is earlier than the one before it");
        f->last_ticks = events[i].time.ticks;
        f->sum = ordo_merge_file_sum(f->sum, &events[i]);
    }
    f->left -= count;
    return ORDO_OK;
}

/** Reads the next events of a file. This is an ordo_merge_fill for ordo_merge_attach_source; `file` is a struct
 * ordo_merge_file. Damaged events are detected only after the last event was read. Returns the codes of
 * ordo_merge_fill; a negative code is ORDO_E_TRUNCATED, _MALFORMED, _CHECKSUM or _SYSTEM, with the reason in the file's
 * error. */
static inline int ordo_merge_file_fill(void *file, struct ordo_merge_event *events, uint64_t room, uint64_t *count,
                                       uint64_t *progress)
{
    struct ordo_merge_file *f = (struct ordo_merge_file *)file;
    unsigned char bytes[ORDO_MERGE_FILE_CHUNK];
    uint64_t wanted = sizeof bytes / ORDO_MERGE_FILE_EVENT;
    ssize_t received;
    (void)progress;
    wanted = room < wanted ? room : wanted;
    wanted = f->left < wanted ? f->left : wanted;
    *count = wanted;
    if (wanted == 0)
        return ordo_merge_file_finish(f);
    received = ordo_merge_file_receive(f, bytes, (size_t)wanted * ORDO_MERGE_FILE_EVENT);
    if (received < 0)
        return ordo_merge_file_refuse(f, ORDO_E_SYSTEM, errno, "");
    if ((uint64_t)received < wanted * ORDO_MERGE_FILE_EVENT)
        return ordo_merge_file_refuse(f, ORDO_E_TRUNCATED, 0, "shorter than its head says");
    return ordo_merge_file_take(f, bytes, (size_t)wanted, events);
}

/** Prepares a merger of `count` files: checks that their times are of one clock and one boot, and writes the number of
 * files and their largest boundary into `options`. Returns 0, or
 *
 * - ORDO_E_CLOCK, ORDO_E_BOOT: the clock or the boot of a file differs from that of the first file; the differing
 *   file's error says so;
 * - ORDO_E_INVALID: `count` is 0. */
static inline int ordo_merge_file_join(struct ordo_merge_file *files, uint32_t count,
                                       struct ordo_merge_options *options)
{
    uint32_t i;
    if (count == 0)
        return ORDO_E_INVALID;
    options->clock = NULL;
    options->producers = count;
    options->boundary_ticks = 0;
    for (i = 0; i < count; i++) {
        const struct ordo_merge_head *head = &files[i].head, *first = &files[0].head;
        if (head->clock != first->clock || head->tick_hz != first->tick_hz)
            return ordo_merge_file_refuse(&files[i], ORDO_E_CLOCK, 0, "of another clock than the first file");
        if (memcmp(head->boot_id, first->boot_id, sizeof head->boot_id) != 0)
            return ordo_merge_file_refuse(&files[i], ORDO_E_BOOT, 0, "of another boot than the first file");
        if (head->boundary_ticks > options->boundary_ticks)
            options->boundary_ticks = head->boundary_ticks;
    }
    return ORDO_OK;
}

#endif
