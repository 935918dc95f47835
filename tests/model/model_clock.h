/* The clock of a simulated machine: CPUs whose clocks disagree as the test says, and a true time that only the test
 * can see. */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#define ORDO_CLOCK_ID ORDO_CLOCK_CUSTOM
#define ORDO_CLOCK_NAME "model"

enum { MODEL_CPUS = 8 };

struct model_machine {
    uint64_t true_time;
    uint64_t step;             /* true time that passes after every read */
    uint64_t skew[MODEL_CPUS]; /* the clock of CPU c shows true_time + skew[c] */
    int cpu;                   /* the one the program runs on */
    uint64_t read_at;          /* the true time of the last read */
};
extern struct model_machine model;

static inline uint64_t ordo_clock_relaxed(void)
{
    model.read_at = model.true_time;
    model.true_time += model.step;
    return model.read_at + model.skew[model.cpu];
}

static inline uint64_t ordo_clock_read(void)
{
    return ordo_clock_relaxed();
}

static inline uint64_t ordo_clock_read_full(void)
{
    return ordo_clock_relaxed();
}

static inline void ordo_clock_pause(void)
{
}
