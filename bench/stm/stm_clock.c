/* Our transactional memory with the stamp logical. Each commit also reads the clock and ignores the value. This shows
 * the cost of the clock read that a commit with the stamp ordo makes. */
#define ORDO_STAMP_LOGICAL
#include <ordo/cc/stamp.h>

static inline ordo_time clocked_take(struct ordo_stamp *stamp)
{
    uint64_t ticks = ordo_clock_read_after_exchange();
    __asm__ volatile("" : : "r"(ticks));
    return ordo_stamp_take_after_exchange(stamp);
}
#define ordo_stamp_take_after_exchange clocked_take

#define STM_STAMP "logical+clock"
#define STM_ENGINE(structure) stm_engine_clock_##structure
#include "stm/stm_engine.h"
