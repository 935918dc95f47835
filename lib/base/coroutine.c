/* swapcontext saves and sets the signal mask with two system calls for each switch; these cost more than the switch
 * itself. Therefore a context is used only for the first switch to a new stack. Later switches use _setjmp and
 * _longjmp, which do not change the mask (Engelschall, "Portable Multithreading", USENIX 2000). With a sanitizer every
 * switch uses swapcontext, because sanitizers do not follow these jumps. */
#undef _FORTIFY_SOURCE /* the fortified _longjmp refuses to jump to another stack */

#include "base/coroutine.h"

#include <stdint.h>

/* Takes the pointer in two halves, because makecontext passes ints only. */
static void begin_coroutine(unsigned high, unsigned low)
{
    struct ordo_coroutine *coroutine = (struct ordo_coroutine *)((uintptr_t)high << 16 << 16 | low);
    coroutine->body(coroutine->argument);
}

void ordo_coroutine_make(struct ordo_coroutine *coroutine, void *stack, size_t bytes, void (*body)(void *argument),
                         void *argument)
{
    uintptr_t pointer = (uintptr_t)coroutine;
    coroutine->begun = false;
    coroutine->body = body;
    coroutine->argument = argument;
    (void)getcontext(&coroutine->context); /* cannot fail */
    coroutine->context.uc_stack.ss_sp = stack;
    coroutine->context.uc_stack.ss_size = bytes;
    coroutine->context.uc_link = NULL;
    makecontext(&coroutine->context, (void (*)(void))begin_coroutine, 2, (unsigned)(pointer >> 16 >> 16),
                (unsigned)pointer);
}

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
void ordo_coroutine_switch(struct ordo_coroutine *from, struct ordo_coroutine *to)
{
    (void)swapcontext(&from->context, &to->context);
}
#else
void ordo_coroutine_switch(struct ordo_coroutine *from, struct ordo_coroutine *to)
{
    from->begun = true;
    if (_setjmp(from->place))
        return;
    if (to->begun)
        _longjmp(to->place, 1);
    (void)setcontext(&to->context);
}
#endif
