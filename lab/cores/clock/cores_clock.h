/* The clock of a simulated CPU: its virtual time, with its skew and rate. Every kind of read is ordered as clock.h
 * says, at the cost of the fences that the simulated machine needs for it. */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#define ORDO_CLOCK_ID ORDO_CLOCK_CUSTOM
#define ORDO_CLOCK_NAME "simulated"

#if defined __cplusplus
extern "C" {
#endif
/* The order of a read of the clock: it is after earlier loads, after earlier stores, before all later accesses. */
enum { CORES_AFTER_LOADS = 1, CORES_AFTER_STORES = 2, CORES_BEFORE_ALL = 4 };
uint64_t cores_clock_read(int ordered);
unsigned cores_clock_cpu(void);
void cores_clock_pause(void);
#if defined __cplusplus
}
#endif

static inline uint64_t ordo_clock_relaxed(void)
{
    return cores_clock_read(0);
}

static inline uint64_t ordo_clock_read(void)
{
    return cores_clock_read(CORES_AFTER_LOADS | CORES_BEFORE_ALL);
}

static inline uint64_t ordo_clock_read_full(void)
{
    return cores_clock_read(CORES_AFTER_LOADS | CORES_AFTER_STORES | CORES_BEFORE_ALL);
}

#define ORDO_CLOCK_KNOWS_EXCHANGE
static inline uint64_t ordo_clock_read_after_exchange(void)
{
    return cores_clock_read(CORES_AFTER_LOADS);
}

#define ORDO_CLOCK_KNOWS_SIDES
static inline uint64_t ordo_clock_read_after(void)
{
    return cores_clock_read(CORES_AFTER_LOADS);
}

static inline uint64_t ordo_clock_read_after_full(void)
{
    return cores_clock_read(CORES_AFTER_LOADS | CORES_AFTER_STORES);
}

static inline uint64_t ordo_clock_read_before(void)
{
    return cores_clock_read(CORES_BEFORE_ALL);
}

#define ORDO_CLOCK_KNOWS_CPU
static inline uint64_t ordo_clock_read_cpu(unsigned *cpu)
{
    *cpu = cores_clock_cpu();
    return ordo_clock_read();
}

static inline uint64_t ordo_clock_read_full_cpu(unsigned *cpu)
{
    *cpu = cores_clock_cpu();
    return ordo_clock_read_full();
}

static inline uint64_t ordo_clock_read_after_cpu(unsigned *cpu)
{
    *cpu = cores_clock_cpu();
    return ordo_clock_read_after();
}

static inline uint64_t ordo_clock_read_after_full_cpu(unsigned *cpu)
{
    *cpu = cores_clock_cpu();
    return ordo_clock_read_after_full();
}

static inline void ordo_clock_pause(void)
{
    cores_clock_pause();
}
