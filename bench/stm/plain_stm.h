/* The interface of <ordo/cc/stm.h> for a baseline, which isolates threads by other means. The structures are compiled
 * with plain accesses, and ORDO_STM_ATOMICALLY is defined by the engine. All engines therefore run the same source.
 *
 * The engine defines STM_ATOMICALLY(t, flags, result, call) before it includes this file. */
#ifndef BENCH_STM_PLAIN_STM_H
#define BENCH_STM_PLAIN_STM_H

#define ORDO_CC_STM_H /* keeps <ordo/cc/stm.h> from being included */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/cc/domain/slow.h>
#include <ordo/error.h>

enum { ORDO_STM_READ_ONLY = 1, ORDO_STM_QUIESCE = 2, ORDO_STM_SNAPSHOT = 4 | ORDO_STM_READ_ONLY, ORDO_STM_ELASTIC = 8 };

struct ordo_stm {
    char nothing; /* a struct needs a member */
};

struct stm_shared;

struct ordo_stm_thread {
    struct stm_shared *shared;
    int code;
};

ORDO_CC_FAST int ordo_stm_read(struct ordo_stm_thread *t, const uint64_t *word, uint64_t *value)
{
    (void)t;
    *value = *word;
    return 0;
}

enum { ORDO_STM_KEEPS_NONE, ORDO_STM_KEEPS_ALL, ORDO_STM_KEEPS_LAST };

struct ordo_stm_view {
    int nothing;
};

ORDO_CC_FAST void ordo_stm_view_begin(const struct ordo_stm_thread *t, struct ordo_stm_view *view)
{
    (void)t;
    view->nothing = 0;
}

#define ordo_stm_keeps(t) ((void)(t), ORDO_STM_KEEPS_NONE)
/* Macros, because GCC does not inline an empty function into a transaction. */
#define ordo_stm_view_end(t, view, keeps) ((void)(t), (void)(view), (void)(keeps))

ORDO_CC_FAST int ordo_stm_read_by(struct ordo_stm_thread *t, struct ordo_stm_view *view, int keeps,
                                  const uint64_t *word, uint64_t *value)
{
    (void)view, (void)keeps;
    return ordo_stm_read(t, word, value);
}

ORDO_CC_FAST int ordo_stm_write(struct ordo_stm_thread *t, uint64_t *word, uint64_t value)
{
    (void)t;
    *word = value;
    return 0;
}

ORDO_CC_FAST void *ordo_stm_alloc(struct ordo_stm_thread *t, size_t bytes)
{
    (void)t;
    return malloc(bytes);
}

ORDO_CC_FAST int ordo_stm_free(struct ordo_stm_thread *t, void *object)
{
    (void)t;
    free(object);
    return 0;
}

ORDO_CC_FAST void *ordo_stm_allocate(const struct ordo_stm *stm, size_t bytes)
{
    (void)stm;
    return malloc(bytes);
}

ORDO_CC_FAST void ordo_stm_discard(struct ordo_stm *stm, void *object)
{
    (void)stm;
    free(object);
}

#define ORDO_STM_ATOMICALLY(t, flags, result, call) STM_ATOMICALLY(t, flags, result, call)

#endif
