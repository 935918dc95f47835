/* The ordered reads of the clock, each a function of its own, for order.sh. */
#include <ordo/clock.h>

uint64_t ordered_read(void);
uint64_t ordered_read_full(void);
uint64_t ordered_cpu(unsigned *cpu);
uint64_t ordered_full_cpu(unsigned *cpu);

uint64_t ordered_read(void)
{
    return ordo_clock_read();
}

uint64_t ordered_read_full(void)
{
    return ordo_clock_read_full();
}

#if defined ORDO_CLOCK_KNOWS_CPU
uint64_t ordered_cpu(unsigned *cpu)
{
    return ordo_clock_read_cpu(cpu);
}

uint64_t ordered_full_cpu(unsigned *cpu)
{
    return ordo_clock_read_full_cpu(cpu);
}
#endif
