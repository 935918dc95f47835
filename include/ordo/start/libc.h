/* Functions of the C library that a strictly conforming program does not see declared: for threads on a chosen CPU,
 * signal masks, condition variables with timeouts on the monotonic clock, and anonymous memory. This header declares
 * the library's symbols under other names, as record.h does. */
#ifndef ORDO_START_LIBC_H
#define ORDO_START_LIBC_H

#include <ordo/record.h>

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>

#if defined __linux__

#ifdef __cplusplus
extern "C" {
#endif
extern int ordo_start_setaffinity(int, size_t, const void *) __asm__("sched_setaffinity");
extern int ordo_start_thread_setaffinity(pthread_t, size_t, const void *) __asm__("pthread_setaffinity_np");
extern int ordo_start_sigfillset(void *) __asm__("sigfillset");
extern int ordo_start_sigmask(int, const void *, void *) __asm__("pthread_sigmask");
extern int ordo_start_condattr_setclock(pthread_condattr_t *, int) __asm__("pthread_condattr_setclock");
extern int ordo_start_madvise(void *, size_t, int) __asm__("madvise");
#ifdef __cplusplus
}
#endif

#else /* never called, because ordo_record_allowed refuses such a system first */

static inline int ordo_start_setaffinity(int thread, size_t bytes, const void *set)
{
    (void)thread, (void)bytes, (void)set;
    errno = ENOSYS;
    return -1;
}

static inline int ordo_start_thread_setaffinity(pthread_t thread, size_t bytes, const void *set)
{
    (void)thread, (void)bytes, (void)set;
    return ENOSYS;
}

static inline int ordo_start_sigfillset(void *set)
{
    (void)set;
    return -1;
}

static inline int ordo_start_sigmask(int how, const void *set, void *old)
{
    (void)how, (void)set, (void)old;
    return ENOSYS;
}

static inline int ordo_start_condattr_setclock(pthread_condattr_t *attributes, int clock)
{
    (void)attributes, (void)clock;
    return ENOSYS;
}

static inline int ordo_start_madvise(void *map, size_t bytes, int advice)
{
    (void)map, (void)bytes, (void)advice;
    return -1;
}

#endif

enum {
    ORDO_START_MONOTONIC = 1, /* CLOCK_MONOTONIC in Linux's ABI */
    ORDO_START_DONTFORK = 10  /* MADV_DONTFORK in Linux's ABI */
};

#if defined SIG_SETMASK
#define ORDO_START_SETMASK SIG_SETMASK
#elif defined __mips__ || defined __alpha__
#define ORDO_START_SETMASK 3
#else
#define ORDO_START_SETMASK 2
#endif

/* A set of signals, at least as large as that of any C library. */
struct ordo_start_signals {
    unsigned long words[128 / sizeof(unsigned long)];
};

/* Blocks all signals for the calling thread; `old` is for ordo_start_signals_restore. */
static inline void ordo_start_signals_block(struct ordo_start_signals *old)
{
    struct ordo_start_signals all;
    memset(&all, 0, sizeof all);
    memset(old, 0, sizeof *old);
    (void)ordo_start_sigfillset(all.words);
    (void)ordo_start_sigmask(ORDO_START_SETMASK, all.words, old->words);
}

static inline void ordo_start_signals_restore(const struct ordo_start_signals *old)
{
    (void)ordo_start_sigmask(ORDO_START_SETMASK, old->words, NULL);
}

/* Maps `bytes` bytes of private zeroed memory, which a fork copies. Returns NULL, with errno, on failure. */
static inline void *ordo_start_map(size_t bytes)
{
#if defined MAP_ANONYMOUS
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#elif defined __linux__ && !defined __mips__ && !defined __alpha__ && !defined __hppa__ && !defined __xtensa__
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20, -1, 0); /* MAP_ANONYMOUS in Linux's ABI */
#else
    void *map;
    int fd = open("/dev/zero", O_RDWR);
    if (fd < 0)
        return NULL;
    map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    (void)close(fd);
#endif
    return map == MAP_FAILED ? NULL : map;
}

/* Excludes a mapping from the children of a fork. If the kernel refuses, a child gets a copy. */
static inline void ordo_start_keep_from_children(void *map, size_t bytes)
{
    (void)ordo_start_madvise(map, bytes, ORDO_START_DONTFORK);
}

/* Writes the code, errno and a line of text into `error`, which may be NULL. Returns the code. */
__attribute__((format(printf, 4, 5))) static inline int ordo_start_refuse(struct ordo_error *error, int code,
                                                                          int sys_errno, const char *format, ...)
{
    va_list arguments;
    if (error) {
        error->code = code;
        error->sys_errno = sys_errno;
        va_start(arguments, format);
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        ordo_error_tidy(error->text);
    }
    return code;
}

#endif
