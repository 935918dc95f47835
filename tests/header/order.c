/* The ordered reads of the clock, each a function of its own, for order.sh. */
#include <ordo/clock.h>

uint64_t ordered_read(void);
uint64_t ordered_read_full(void);

uint64_t ordered_read(void)
{
    return ordo_clock_read();
}

uint64_t ordered_read_full(void)
{
    return ordo_clock_read_full();
}
