/* Stripes: the versioned locks. Each word belongs to one stripe. */
#ifndef ORDO_CC_STM_STRIPE_H
#define ORDO_CC_STM_STRIPE_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/types.h>

#define ORDO_STM_LOCKED (UINT64_C(1) << 63)
enum { ORDO_STM_SPINS = 256 }; /* number of loads of a locked stripe before a read gives up or, in a snapshot, sleeps */

#define ORDO_STM_STRIPE_SHIFT 5 /* 32 adjacent bytes share a stripe: often the words of one node */

static inline uint64_t *ordo_stm_stripe(const struct ordo_stm_thread *t, const void *word)
{
    return &t->stripes[((uintptr_t)word >> ORDO_STM_STRIPE_SHIFT) & t->mask];
}

/* A stripe that the commit has locked. */
struct ordo_stm_lock {
    uint64_t *stripe;
    uint64_t version; /* the version before the stripe was locked */
};

#endif
