#include <criterion/criterion.h>

#include "base/coroutine.h"

enum { COUNT = 3, BYTES = 65536, TURNS = 5 };

static char stacks[COUNT][BYTES];
static struct ordo_coroutine test, coroutines[COUNT];
static int turns[COUNT * TURNS], taken;

/* Counts, on its own stack, and switches to the next coroutine; the last coroutine switches to the test. */
static void count(void *argument)
{
    struct ordo_coroutine *self = argument;
    int me = (int)(self - coroutines);
    for (int i = 0;; i++) {
        turns[taken++] = i * COUNT + me;
        ordo_coroutine_switch(self, me + 1 < COUNT ? self + 1 : &test);
    }
}

static void make_all(void)
{
    for (int i = 0; i < COUNT; i++)
        ordo_coroutine_make(&coroutines[i], stacks[i], BYTES, count, &coroutines[i]);
    taken = 0;
}

Test(coroutine, each_coroutine_resumes_after_its_switch)
{
    make_all();
    for (int i = 0; i < TURNS; i++)
        ordo_coroutine_switch(&test, coroutines);
    cr_assert_eq(taken, COUNT * TURNS);
    for (int i = 0; i < taken; i++)
        cr_assert_eq(turns[i], i);
}

Test(coroutine, the_stack_of_a_coroutine_can_be_reused)
{
    for (int i = 0; i < 2; i++) {
        make_all();
        ordo_coroutine_switch(&test, coroutines);
        cr_assert_eq(taken, COUNT);
        cr_assert_eq(turns[0], 0);
    }
}
