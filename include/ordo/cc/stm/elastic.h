/* Elastic transactions: until it holds, such a transaction keeps only its last two reads. */
#ifndef ORDO_CC_STM_ELASTIC_H
#define ORDO_CC_STM_ELASTIC_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/array.h>
#include <ordo/cc/stm/validate.h>

ORDO_CC_SLOW int ordo_stm_hold(struct ordo_stm_thread *t)
{
    if (t->code || !t->depth || t->keeps != ORDO_STM_KEEPS_LAST)
        return t->code;
    t->keeps = ORDO_STM_KEEPS_ALL;
    /* C13 hold */
    if ((t->read_before && ordo_stm_push(t->stm, &t->reads, t->read_before)) ||
        (t->last_read && ordo_stm_push(t->stm, &t->reads, t->last_read)))
        return ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    return ORDO_OK;
}

#endif
