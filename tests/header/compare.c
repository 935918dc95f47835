/* Two comparisons side by side, for instructions.sh to count. */
#include <ordo/ordo.h>

int compare_integers(uint64_t a, uint64_t b);
int compare_times(uint64_t a, uint64_t b, uint64_t not_boundary);

int compare_integers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* The word of the handle that matters is in a register. */
int compare_times(uint64_t a, uint64_t b, uint64_t not_boundary)
{
    struct ordo o = {0};
    ordo_time time_a = {a}, time_b = {b};
    o.not_boundary = not_boundary;
    return ordo_cmp_time(&o, time_a, time_b);
}
