/* Coroutines: flows of control of one thread, each on a stack of its own, that switch to each other explicitly. */
#ifndef ORDO_BASE_COROUTINE_H
#define ORDO_BASE_COROUTINE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

struct ordo_coroutine {
    ucontext_t context; /* its entry */
    jmp_buf place;      /* where it was switched away from */
    bool begun;
    void (*body)(void *argument);
    void *argument;
};

/** Makes a coroutine that calls `body` when it is switched to for the first time; the body never returns, but switches
 * away for good. The coroutine may be made anew on the same stack. The flow of control that calls first needs no
 * making: its structure is zeroed, and switched from. */
void ordo_coroutine_make(struct ordo_coroutine *coroutine, void *stack, size_t bytes, void (*body)(void *argument),
                         void *argument);

/** Leaves `from`, which runs, and goes on with `to`; returns when another coroutine switches to `from`. */
void ordo_coroutine_switch(struct ordo_coroutine *from, struct ordo_coroutine *to);

#endif
