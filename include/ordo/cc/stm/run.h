/* Runs a body in a transaction until the transaction commits or is given up for good. */
#ifndef ORDO_CC_STM_RUN_H
#define ORDO_CC_STM_RUN_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/begin.h>
#include <ordo/cc/stm/commit.h>

static inline int ordo_stm_finish(struct ordo_stm_thread *t, int result)
{
    int code;
    if (result >= 0) {
        code = ordo_stm_commit(t);
        return code ? code : result;
    }
    return ordo_stm_give_up(t, result, &t->statistics.aborts_asked), ordo_stm_abort(t);
}

static inline int ordo_stm_run(struct ordo_stm_thread *t, unsigned flags, int (*body)(struct ordo_stm_thread *, void *),
                               void *argument)
{
    int result;
    ORDO_STM_ATOMICALLY(t, flags, result, body(t, argument));
    return result;
}

#endif
