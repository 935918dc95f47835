#include "preload/count.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct preload_tally *preload_tally;

/* 1 + the thread's lane; 0: the thread has none yet. */
static __thread uint64_t own_lane;

/* Others must not be able to make the mapping end early, so the file is regular and has its full size. */
static bool is_tally(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == (off_t)sizeof(struct preload_tally);
}

bool preload_count_open(const char *path)
{
    const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    void *map = MAP_FAILED;
    if (is_tally(fd))
        map = mmap(NULL, sizeof(struct preload_tally), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    (void)close(fd);
    if (map == MAP_FAILED)
        return false;
    struct preload_tally *tally = map;
    if (tally->magic != PRELOAD_TALLY_MAGIC) {
        (void)munmap(map, sizeof *tally);
        return false;
    }
    preload_tally = tally;
    (void)__atomic_fetch_add(&tally->processes, 1, __ATOMIC_RELAXED);
    return true;
}

void preload_count(enum preload_function function, int which)
{
    struct preload_tally *tally = preload_tally;
    /* Relaxed: the counts are read when the processes have ended. */
    if (own_lane == 0)
        own_lane = 1 + __atomic_fetch_add(&tally->threads, 1, __ATOMIC_RELAXED) % PRELOAD_LANES;
    uint64_t *count = &tally->lanes[own_lane - 1].count[function][which < 0 ? PRELOAD_OTHER : which];
    (void)__atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}
