/* The clock of a simulated machine, read between two steps of its threads. */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#define ORDO_CLOCK_ID ORDO_CLOCK_CUSTOM
#define ORDO_CLOCK_NAME "model"

uint64_t model_clock(void); /* takes a step */
uint64_t model_time(void);  /* takes no step; for statistics */

static inline uint64_t ordo_clock_relaxed(void)
{
    return model_time();
}

static inline uint64_t ordo_clock_read(void)
{
    return model_clock();
}

static inline uint64_t ordo_clock_read_full(void)
{
    return model_clock();
}

#define ORDO_CLOCK_KNOWS_EXCHANGE /* an exchange takes a step, and is complete at once */
static inline uint64_t ordo_clock_read_after_exchange(void)
{
    return model_clock();
}

static inline void ordo_clock_pause(void)
{
}
