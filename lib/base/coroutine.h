/* Coroutines: flows of control of one thread that take turns where they say so, each on a stack of its own. */
#ifndef ORDO_BASE_COROUTINE_H
#define ORDO_BASE_COROUTINE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

struct ordo_coroutine {
    ucontext_t context; /* where it begins */
    jmp_buf place;      /* where it goes on */
    bool begun;
    void (*body)(void *argument);
    void *argument;
};

/** A coroutine that calls `body` when it is switched to for the first time; the body never returns, but switches away for
 * good. It may be made anew on the same stack. What called first needs no making: it is zeroed, and switched from. */
void ordo_coroutine_make(struct ordo_coroutine *coroutine, void *stack, size_t bytes, void (*body)(void *argument),
                         void *argument);

/** Leaves `from`, which runs, and goes on with `to`; returns when somebody switches to `from`. */
void ordo_coroutine_switch(struct ordo_coroutine *from, struct ordo_coroutine *to);

#endif
