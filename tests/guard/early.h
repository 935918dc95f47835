/* Functions that end a program early so that the end looks like success. */
#ifndef TESTS_GUARD_EARLY_H
#define TESTS_GUARD_EARLY_H

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static inline void leave_by_exit(void)
{
    exit(EXIT_SUCCESS);
}

static inline void leave_by_underscore(void)
{
    _exit(EXIT_SUCCESS);
}

static inline void leave_by_kernel(void)
{
    (void)syscall(SYS_exit_group, EXIT_SUCCESS);
}

static inline void leave_by_exec(void)
{
    (void)execl("/bin/true", "true", (char *)NULL);
}

static inline void leave_by_thread(void)
{
    pthread_exit(NULL);
}

static inline void return_at_once(void)
{
}

static inline void leave_by_coroutine(void)
{
    static ucontext_t context;
    static char stack[64 * 1024];
    (void)getcontext(&context);
    context.uc_stack.ss_sp = stack;
    context.uc_stack.ss_size = sizeof stack;
    context.uc_link = NULL;
    makecontext(&context, return_at_once, 0);
    (void)setcontext(&context);
}

static inline void leave_by_signal(void)
{
    (void)kill(getpid(), SIGKILL);
}

#endif
