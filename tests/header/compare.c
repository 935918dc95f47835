/* Functions whose instructions instructions.sh counts: two comparisons, and reads of the clock. */
#include <ordo/ordo.h>

int compare_integers(uint64_t a, uint64_t b);
int compare_times(uint64_t a, uint64_t b, uint64_t not_boundary);

int compare_integers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Compares two times. `not_boundary` is the only word of the handle that the comparison reads; here it is in a
 * register. */
int compare_times(uint64_t a, uint64_t b, uint64_t not_boundary)
{
    struct ordo o = {0};
    ordo_time time_a = {a}, time_b = {b};
    o.not_boundary = not_boundary;
    return ordo_cmp_time(&o, time_a, time_b);
}

#if defined __x86_64__

/* Copies of the plain reads from before corrected times existed. instructions.sh checks that plain reads have not
 * changed. */
uint64_t frozen_get_time(const struct ordo *o);
uint64_t frozen_get_time_full(const struct ordo *o);
uint64_t frozen_new_time(const struct ordo *o, uint64_t t);
uint64_t plain_get_time(const struct ordo *o);
uint64_t plain_get_time_full(const struct ordo *o);
uint64_t plain_new_time(const struct ordo *o, uint64_t t);
uint64_t corrected_get_time(const struct ordo_corrected *c);
uint64_t side_after(const struct ordo *o);
uint64_t side_after_full(const struct ordo *o);
uint64_t side_before(const struct ordo *o);

static inline uint64_t frozen_read(void)
{
    uint64_t low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return high << 32 | low;
}

uint64_t frozen_get_time(const struct ordo *o)
{
    (void)o;
    return frozen_read();
}

uint64_t frozen_get_time_full(const struct ordo *o)
{
    uint64_t low, high;
    (void)o;
    __asm__ volatile("lock; orl $0, (%%rsp)\n\tlfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "cc", "memory");
    return high << 32 | low;
}

uint64_t frozen_new_time(const struct ordo *o, uint64_t t)
{
    ordo_time now = {frozen_read()}, then = {t};
    while (ordo_cmp_time(o, now, then) != 1) {
        __asm__ volatile("pause" : : : "memory");
        now.ticks = frozen_read();
    }
    return now.ticks;
}

uint64_t plain_get_time(const struct ordo *o)
{
    return ordo_get_time(o).ticks;
}

uint64_t plain_get_time_full(const struct ordo *o)
{
    return ordo_get_time_full(o).ticks;
}

uint64_t plain_new_time(const struct ordo *o, uint64_t t)
{
    ordo_time then = {t};
    return ordo_new_time(o, then).ticks;
}

uint64_t corrected_get_time(const struct ordo_corrected *c)
{
    return ordo_get_time_corrected(c).ticks;
}

/* The reads that are ordered on one side. */
uint64_t side_after(const struct ordo *o)
{
    return ordo_get_time_after(o).ticks;
}

uint64_t side_after_full(const struct ordo *o)
{
    return ordo_get_time_after_full(o).ticks;
}

uint64_t side_before(const struct ordo *o)
{
    return ordo_get_time_before(o).ticks;
}

#endif
