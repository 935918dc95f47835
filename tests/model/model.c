#include "model.h"

struct model_machine model;

struct ordo model_handle(uint64_t boundary)
{
    struct ordo o = ORDO_INIT(boundary, 1000000000);
    return o;
}

ordo_time model_read(const struct ordo *o, int cpu, uint64_t true_time)
{
    model.cpu = cpu;
    model.true_time = true_time;
    return ordo_get_time(o);
}

ordo_time model_shows(int cpu)
{
    return (ordo_time){model.read_at + model.skew[cpu]};
}

/* SplitMix64. */
uint64_t model_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
