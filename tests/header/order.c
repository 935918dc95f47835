/* The ordered reads of the clock, each a function of its own, for order.sh. */
#include <ordo/any.h>

uint64_t ordered_read(void);
uint64_t ordered_read_full(void);
uint64_t ordered_after_exchange(uint64_t *word);
uint64_t ordered_side_after(void);
uint64_t ordered_side_after_full(void);
uint64_t ordered_side_before(void);
uint64_t ordered_any(const struct ordo_any *a);
uint64_t ordered_any_full(const struct ordo_any *a);
uint64_t ordered_cpu(unsigned *cpu);
uint64_t ordered_full_cpu(unsigned *cpu);
uint64_t ordered_side_after_cpu(unsigned *cpu);
uint64_t ordered_side_after_full_cpu(unsigned *cpu);

uint64_t ordered_read(void)
{
    return ordo_clock_read();
}

uint64_t ordered_read_full(void)
{
    return ordo_clock_read_full();
}

uint64_t ordered_after_exchange(uint64_t *word)
{
#if defined ORDO_CLOCK_KNOWS_EXCHANGE /* elsewhere the read is a full read, and needs no exchange */
    uint64_t expected = 1;
    (void)__atomic_compare_exchange_n(word, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
#else
    (void)word;
#endif
    return ordo_clock_read_after_exchange();
}

uint64_t ordered_side_after(void)
{
    return ordo_clock_read_after();
}

uint64_t ordered_side_after_full(void)
{
    return ordo_clock_read_after_full();
}

uint64_t ordered_side_before(void)
{
    return ordo_clock_read_before();
}

/* Reads by a handle of <ordo/any.h>: the hardware's clock is read inline, the kernel's clock in a function of its
 * own. */
uint64_t ordered_any(const struct ordo_any *a)
{
    return ordo_any_get_time(a).ticks;
}

uint64_t ordered_any_full(const struct ordo_any *a)
{
    return ordo_any_get_time_full(a).ticks;
}

#if defined ORDO_CLOCK_KNOWS_CPU
uint64_t ordered_side_after_cpu(unsigned *cpu)
{
    return ordo_clock_read_after_cpu(cpu);
}

uint64_t ordered_side_after_full_cpu(unsigned *cpu)
{
    return ordo_clock_read_after_full_cpu(cpu);
}

uint64_t ordered_cpu(unsigned *cpu)
{
    return ordo_clock_read_cpu(cpu);
}

uint64_t ordered_full_cpu(unsigned *cpu)
{
    return ordo_clock_read_full_cpu(cpu);
}
#endif
