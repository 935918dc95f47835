#include "base/sorter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/spool.h"

enum { MOST = 1 << 20, RUN_BUFFER = 1 << 18 };

/* The head of a record, in memory and in the spool; the bytes follow, padded to a multiple of 8. */
struct head {
    struct ordo_sorter_key key;
    uint64_t count;
};

/* A sorted run in the spool, with a buffer for its next records. */
struct run {
    off_t at, end; /* of the part that was not read yet */
    char *buffer;
    size_t next, filled, size;
};

struct place {
    struct ordo_sorter_key key;
    size_t at; /* in `arena`; ascends with the order of the records */
};

struct ordo_sorter {
    char *arena;
    size_t filled, size, most;
    struct place *places;
    size_t count, room, next;
    int spool;
    off_t end; /* of the spool */
    struct run *runs;
    size_t run_count, served; /* `served`: 1 + the run of the last record; 0: none */
};

struct ordo_sorter *ordo_sorter_create(size_t run_bytes)
{
    struct ordo_sorter *sorter = calloc(1, sizeof *sorter);
    if (!sorter)
        return NULL;
    sorter->most = run_bytes;
    sorter->spool = -1;
    return sorter;
}

void ordo_sorter_free(struct ordo_sorter *sorter)
{
    if (!sorter)
        return;
    for (size_t i = 0; i < sorter->run_count; i++)
        free(sorter->runs[i].buffer);
    if (sorter->spool >= 0)
        (void)close(sorter->spool);
    free(sorter->runs);
    free(sorter->places);
    free(sorter->arena);
    free(sorter);
}

static size_t padded(size_t count)
{
    return sizeof(struct head) + ((count + 7) & ~(size_t)7);
}

static int compare_keys(const struct ordo_sorter_key *a, const struct ordo_sorter_key *b)
{
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->time < b->time ? -1 : a->time > b->time;
}

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = compare_keys(&x->key, &y->key);
    return order ? order : x->at < y->at ? -1 : x->at > y->at;
}

static int write_run_bytes(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t put = write(fd, bytes, count);
        if (put < 0 && errno != EINTR)
            return -1;
        bytes += put > 0 ? put : 0;
        count -= put > 0 ? (size_t)put : 0;
    }
    return 0;
}

/* Writes the records of the arena to the spool, in order. */
static int write_places(struct ordo_sorter *sorter)
{
    static _Thread_local char room[1 << 17];
    size_t filled = 0;
    for (size_t i = 0; i < sorter->count; i++) {
        const char *from = sorter->arena + sorter->places[i].at;
        struct head head;
        memcpy(&head, from, sizeof head);
        size_t bytes = padded(head.count);
        if (filled + bytes > sizeof room && write_run_bytes(sorter->spool, room, filled))
            return -1;
        filled = filled + bytes > sizeof room ? 0 : filled;
        if (bytes > sizeof room) {
            if (write_run_bytes(sorter->spool, from, bytes))
                return -1;
            continue;
        }
        memcpy(room + filled, from, bytes);
        filled += bytes;
    }
    return write_run_bytes(sorter->spool, room, filled);
}

static void sort_places(struct ordo_sorter *sorter)
{
    if (sorter->count > 0) /* otherwise there may be no memory, and qsort does not take NULL */
        qsort(sorter->places, sorter->count, sizeof *sorter->places, compare_places);
}

/* Makes a run of the records in the arena. */
static int spill(struct ordo_sorter *sorter)
{
    struct run *runs = realloc(sorter->runs, (sorter->run_count + 1) * sizeof *runs);
    if (!runs)
        return -1;
    sorter->runs = runs;
    if (sorter->spool < 0 && (sorter->spool = ordo_spool_open()) < 0)
        return -1;
    sort_places(sorter);
    if (write_places(sorter))
        return -1;
    off_t end = sorter->end + (off_t)sorter->filled;
    runs[sorter->run_count++] = (struct run){.at = sorter->end, .end = end};
    sorter->end = end;
    sorter->count = sorter->filled = 0;
    return 0;
}

static int grow_arena(struct ordo_sorter *sorter, size_t bytes)
{
    if (sorter->filled + bytes > sorter->size) {
        size_t size = sorter->size ? 2 * sorter->size : 2 * (size_t)MOST;
        char *arena = realloc(sorter->arena, size);
        if (!arena)
            return -1;
        sorter->arena = arena;
        sorter->size = size;
    }
    if (sorter->count == sorter->room) {
        size_t room = sorter->room ? 2 * sorter->room : 1024;
        struct place *places = realloc(sorter->places, room * sizeof *places);
        if (!places)
            return -1;
        sorter->places = places;
        sorter->room = room;
    }
    return 0;
}

int ordo_sorter_add(struct ordo_sorter *sorter, struct ordo_sorter_key key, const void *bytes, size_t count)
{
    struct head head = {key, count};
    size_t size = padded(count);
    if (count > MOST) {
        errno = EMSGSIZE;
        return -1;
    }
    if (sorter->count > 0 && sorter->filled + size > sorter->most && spill(sorter))
        return -1;
    if (grow_arena(sorter, size))
        return -1;
    char *to = sorter->arena + sorter->filled;
    memcpy(to, &head, sizeof head);
    memset(to + size - 8, 0, 8);
    if (count > 0)
        memcpy(to + sizeof head, bytes, count);
    sorter->places[sorter->count++] = (struct place){key, sorter->filled};
    sorter->filled += size;
    return 0;
}

int ordo_sorter_start(struct ordo_sorter *sorter)
{
    if (sorter->run_count == 0) {
        sort_places(sorter);
        return 0;
    }
    if (sorter->count > 0 && spill(sorter))
        return -1;
    free(sorter->arena);
    sorter->arena = NULL;
    return 0;
}

/* Reads until the buffer has `bytes` bytes from `next` on. Returns 1, or 0 at the end of the run, or -1 with errno. */
static int fill(const struct ordo_sorter *sorter, struct run *run, size_t bytes)
{
    if (run->filled - run->next >= bytes)
        return 1;
    if (run->at == run->end && run->filled == run->next)
        return 0;
    size_t size = bytes > RUN_BUFFER ? bytes : RUN_BUFFER;
    if (size > run->size) {
        char *buffer = realloc(run->buffer, size);
        if (!buffer)
            return -1;
        run->buffer = buffer;
        run->size = size;
    }
    memmove(run->buffer, run->buffer + run->next, run->filled - run->next);
    run->filled -= run->next;
    run->next = 0;
    while (run->filled < bytes) {
        size_t wanted = run->size - run->filled, left = (size_t)(run->end - run->at);
        ssize_t got = pread(sorter->spool, run->buffer + run->filled, wanted < left ? wanted : left, run->at);
        if (got == 0)
            errno = EIO;
        if (got == 0 || (got < 0 && errno != EINTR))
            return -1;
        run->filled += got > 0 ? (size_t)got : 0;
        run->at += got > 0 ? got : 0;
    }
    return 1;
}

/* Reads the next record of a run whole. Returns as `fill`. */
static int fill_record(const struct ordo_sorter *sorter, struct run *run, struct head *head)
{
    int more = fill(sorter, run, sizeof *head);
    if (more != 1)
        return more;
    memcpy(head, run->buffer + run->next, sizeof *head);
    return fill(sorter, run, padded(head->count));
}

static int next_of_runs(struct ordo_sorter *sorter, struct ordo_sorted *sorted)
{
    struct head best = {0}, head;
    size_t chosen = SIZE_MAX;
    if (sorter->served > 0) { /* release the last record, which had to be valid until now */
        struct run *run = &sorter->runs[sorter->served - 1];
        memcpy(&head, run->buffer + run->next, sizeof head);
        run->next += padded(head.count);
    }
    for (size_t i = 0; i < sorter->run_count; i++) {
        int more = fill_record(sorter, &sorter->runs[i], &head);
        if (more < 0)
            return -1;
        if (more == 0 || (chosen != SIZE_MAX && compare_keys(&head.key, &best.key) >= 0))
            continue;
        best = head;
        chosen = i;
    }
    sorter->served = chosen == SIZE_MAX ? 0 : chosen + 1;
    if (chosen == SIZE_MAX)
        return 0;
    struct run *run = &sorter->runs[chosen];
    *sorted = (struct ordo_sorted){best.key, run->buffer + run->next + sizeof best, (size_t)best.count};
    return 1;
}

int ordo_sorter_next(struct ordo_sorter *sorter, struct ordo_sorted *sorted)
{
    struct head head;
    if (sorter->run_count > 0)
        return next_of_runs(sorter, sorted);
    if (sorter->next == sorter->count)
        return 0;
    const char *from = sorter->arena + sorter->places[sorter->next++].at;
    memcpy(&head, from, sizeof head);
    *sorted = (struct ordo_sorted){head.key, from + sizeof head, (size_t)head.count};
    return 1;
}
