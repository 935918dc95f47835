/* Coroutines: flows of control of one thread, each on a stack of its own, that switch to each other explicitly. */
#ifndef ORDO_BASE_COROUTINE_H
#define ORDO_BASE_COROUTINE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

struct ordo_coroutine {
    ucontext_t context; /* the entry: used for the first switch to the coroutine */
    jmp_buf place;      /* state saved by the last switch away */
    bool begun;
    void (*body)(void *argument);
    void *argument;
};

/** Makes a coroutine. The first switch to it calls `body`, which must never return; to end, it switches to another
 * coroutine. Afterwards the coroutine may be made again on the same stack. The thread's original flow of control needs
 * no call of this function: zero its structure, and pass it as `from`. */
void ordo_coroutine_make(struct ordo_coroutine *coroutine, void *stack, size_t bytes, void (*body)(void *argument),
                         void *argument);

/** Suspends `from`, the running coroutine, and continues `to`. Returns when another coroutine switches to `from`. */
void ordo_coroutine_switch(struct ordo_coroutine *from, struct ordo_coroutine *to);

#endif
