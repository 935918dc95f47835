/* The clock of a simulated machine. The test chooses how far the clocks of the CPUs disagree; only the test sees true
 * time. */
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
    int cpu;                   /* the CPU on which the program runs */
    uint64_t read_at;          /* the true time of the last read */
    uint64_t late, early;      /* ticks by which a read that is ordered on one side moves on the other side */
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

static inline uint64_t model_clock_at(uint64_t moment)
{
    (void)ordo_clock_relaxed();
    model.read_at = moment;
    return moment + model.skew[model.cpu];
}

#define ORDO_CLOCK_KNOWS_SIDES
static inline uint64_t ordo_clock_read_after(void)
{
    return model_clock_at(model.true_time + model.late);
}

static inline uint64_t ordo_clock_read_after_full(void)
{
    return ordo_clock_read_after();
}

static inline uint64_t ordo_clock_read_before(void)
{
    return model_clock_at(model.true_time - model.early);
}

static inline void ordo_clock_pause(void)
{
}
