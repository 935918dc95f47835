/* The clock of a simulated machine, read between two steps of its threads. */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#define ORDO_CLOCK_ID ORDO_CLOCK_CUSTOM
#define ORDO_CLOCK_NAME "model"

uint64_t model_clock(void); /* takes a step */
uint64_t model_clock_after_exchange(void);
uint64_t model_clock_after(void);
uint64_t model_clock_after_full(void);
uint64_t model_clock_before(void);
uint64_t model_time(void); /* takes no step; for statistics */

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

#define ORDO_CLOCK_KNOWS_EXCHANGE
static inline uint64_t ordo_clock_read_after_exchange(void)
{
    return model_clock_after_exchange();
}

#define ORDO_CLOCK_KNOWS_SIDES
static inline uint64_t ordo_clock_read_after(void)
{
    return model_clock_after();
}

static inline uint64_t ordo_clock_read_after_full(void)
{
    return model_clock_after_full();
}

static inline uint64_t ordo_clock_read_before(void)
{
    return model_clock_before();
}

static inline void ordo_clock_pause(void)
{
}
