/* The clock of a simulated machine on which a thread that waits yields. */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#define ORDO_CLOCK_ID ORDO_CLOCK_CUSTOM
#define ORDO_CLOCK_NAME "model"

uint64_t model_clock(void); /* takes a step */
uint64_t model_clock_before(void);
uint64_t model_time(void); /* takes no step; for statistics */
void model_pause(void);    /* lets the other thread run, and advances time */

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

#define ORDO_CLOCK_KNOWS_SIDES /* a step is complete at once, so no later access comes before the read */
static inline uint64_t ordo_clock_read_after(void)
{
    return model_clock();
}

static inline uint64_t ordo_clock_read_after_full(void)
{
    return model_clock();
}

static inline uint64_t ordo_clock_read_before(void)
{
    return model_clock_before();
}

static inline void ordo_clock_pause(void)
{
    model_pause();
}
