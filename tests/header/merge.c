/* <ordo/merge.h> with every compiler and on every architecture: an array, a ring and a file are merged into one
 * stream. */
#include <stdio.h>

#include <ordo/merge/file.h>

enum { EVENTS = 1000 };

static struct ordo_merge_event events[2][EVENTS];
static const struct ordo o = ORDO_INIT(100, 0);
static char memory[400000];

static int file_of(struct ordo_merge_file *f, const struct ordo_merge_event *from)
{
    char path[64];
    int fd;
    (void)snprintf(path, sizeof path, "/tmp/ordo-header-merge-%ld", (long)getpid());
    fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    return fd < 0 || unlink(path) != 0 || ordo_merge_file_begin(f, fd, "a file", &o) ||
           ordo_merge_file_write(f, from, EVENTS) || ordo_merge_file_end(f) || lseek(fd, 0, SEEK_SET) != 0 ||
           ordo_merge_file_read(f, fd, "a file");
}

int main(void)
{
    struct ordo_merge_options options = {0};
    struct ordo_merge_file file;
    struct ordo_merge *m;
    struct ordo_merge_producer *p;
    struct ordo_merge_out out[64];
    uint64_t last = 0, seen = 0;
    uint32_t count, i;
    for (i = 0; i < EVENTS; i++) {
        events[0][i].time.ticks = 3 * (uint64_t)i;
        events[1][i].time.ticks = 5 * (uint64_t)i;
    }
    options.boundary_ticks = 100, options.producers = 3, options.ring_events = 1024;
    if (ordo_merge_create(&m, memory, sizeof memory, &options) || file_of(&file, events[1]) ||
        ordo_merge_attach_array(m, 0, events[0], EVENTS) || ordo_merge_attach_source(m, 1, ordo_merge_file_fill, &file))
        return 1;
    p = ordo_merge_producer_of(m, 2);
    for (i = 0; i < EVENTS && p; i++) {
        ordo_time t = {7 * (uint64_t)i};
        if (ordo_merge_append(p, t, i))
            return 1;
    }
    if (p)
        ordo_merge_close(p);
    while (ordo_merge_pull(m, out, 64, &count) == ORDO_OK && count > 0)
        for (i = 0; i < count; i++, seen++) {
            if (out[i].time.ticks < last)
                return 1;
            last = out[i].time.ticks;
        }
    printf("%lu events\n", (unsigned long)seen);
    return seen != 3 * EVENTS || !ordo_merge_over(m);
}
