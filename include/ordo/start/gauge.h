/* Measurements of the counter on one CPU: its granule, and its rate against CLOCK_MONOTONIC_RAW, which is not
 * steered. */
#ifndef ORDO_START_GAUGE_H
#define ORDO_START_GAUGE_H

#include <ordo/record.h>
#include <ordo/start/pair.h>

enum { ORDO_START_READINGS = 1001, ORDO_START_BRACKETS = 24 };

/** The granule of the counter, in ticks. */
struct ordo_start_granule {
    uint64_t ticks; /* most frequent step between consecutive unordered readings; part of the boundary */
    int coarse;     /* the counter advances by several ticks at a time: equal times are common */
};

static inline int ordo_start_by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Collects the non-zero steps between `count` readings, and sorts them. If `vary` is not 0, does some work between two
 * readings. Returns the number of steps. */
static inline size_t ordo_start_steps(uint64_t *steps, size_t count, int vary)
{
    uint64_t before = ordo_clock_relaxed(), now;
    size_t i, found = 0;
    for (i = 0; i < count; i++) {
        volatile size_t turn = vary ? i % 16 : 0;
        while (turn > 0)
            turn = turn - 1;
        now = ordo_clock_relaxed();
        if (now > before)
            steps[found++] = now - before;
        before = now;
    }
    qsort(steps, found, sizeof *steps, ordo_start_by_size);
    return found;
}

/** Measures the granule on the CPU of the calling thread, as ordo_granule_measure_by of the calibration does, with
 * fewer readings. */
static inline void ordo_start_granule_measure(struct ordo_start_granule *granule)
{
    enum { FINE = 3 };
    uint64_t steps[ORDO_START_READINGS], apart;
    size_t i, run = 0, longest = 0, found = ordo_start_steps(steps, ORDO_START_READINGS, 0);
    granule->ticks = 1;
    granule->coarse = found < ORDO_START_READINGS;
    for (i = 0; i < found; i++) {
        run = i > 0 && steps[i] == steps[i - 1] ? run + 1 : 1;
        if (run > longest) {
            longest = run;
            granule->ticks = steps[i];
        }
    }
    /* If the counter advances by g ticks at a time, any two different sizes of its steps differ by at least g - 1. */
    found = ordo_start_steps(steps, ORDO_START_READINGS, 1);
    apart = granule->ticks;
    for (i = 1; i < found; i++)
        if (steps[i] - steps[i - 1] > 1 && steps[i] - steps[i - 1] + 1 < apart)
            apart = steps[i] - steps[i - 1] + 1;
    granule->coarse |= apart > FINE;
}

/** The clocks at one moment: two readings of the counter enclose a reading of a kernel clock. */
struct ordo_start_moment {
    struct ordo_record_moment all;
    uint64_t before_ticks, after_ticks;
    int64_t ns; /* CLOCK_MONOTONIC_RAW, or CLOCK_MONOTONIC if CLOCK_MONOTONIC_RAW cannot be read */
};

static inline int ordo_start_moment_read(struct ordo_start_moment *moment)
{
    if (ordo_record_now(&moment->all) != 0)
        return -1;
    moment->before_ticks = moment->all.before_ticks;
    moment->ns = moment->all.raw_ns;
    moment->after_ticks = moment->all.after_ticks;
    if (moment->ns < 0) {
        moment->before_ticks = ordo_clock_read();
        moment->ns = (int64_t)ordo_pair_now_ns();
        moment->after_ticks = ordo_clock_read();
    }
    return 0;
}

/** Takes several moments and keeps the one with the shortest time between its two counter readings, so that a
 * preemption during one moment does no harm. Returns 0, or -1 with errno. */
static inline int ordo_start_moment_take(struct ordo_start_moment *moment)
{
    struct ordo_start_moment one;
    int64_t low_ns, high_ns;
    int i;
    if (ordo_start_moment_read(moment) != 0)
        return -1;
    low_ns = moment->all.suspended_low_ns;
    high_ns = moment->all.suspended_high_ns;
    for (i = 1; i < ORDO_START_BRACKETS; i++) {
        if (ordo_start_moment_read(&one) != 0)
            return -1;
        low_ns = one.all.suspended_low_ns > low_ns ? one.all.suspended_low_ns : low_ns;
        high_ns = one.all.suspended_high_ns < high_ns ? one.all.suspended_high_ns : high_ns;
        if (one.after_ticks - one.before_ticks < moment->after_ticks - moment->before_ticks)
            *moment = one;
    }
    moment->all.suspended_low_ns = low_ns;
    moment->all.suspended_high_ns = high_ns;
    return 0;
}

/** A rate and its error. */
struct ordo_start_rate {
    uint64_t tick_hz;
    uint64_t error_ppb; /* bound on the rate's error, if the kernel's clock is exact */
};

/** Computes the rate between two moments. If the readings may come from different CPUs, `boundary_ticks` is their
 * boundary. False if the counter or the kernel's clock stood still, or if the rate is not between 1 Hz and 18 GHz. */
static inline int ordo_start_rate_between(const struct ordo_start_moment *first, const struct ordo_start_moment *last,
                                          uint64_t boundary_ticks, struct ordo_start_rate *rate)
{
    uint64_t doubt = first->after_ticks - first->before_ticks + last->after_ticks - last->before_ticks + boundary_ticks;
    uint64_t ticks = last->before_ticks - first->before_ticks;
    int64_t ns = last->ns - first->ns;
    double hz;
    if (ns <= 0 || last->before_ticks <= first->before_ticks)
        return 0;
    hz = (double)ticks * 1e9 / (double)ns;
    rate->error_ppb = (uint64_t)(1e9 * ((double)doubt / (double)ticks + 2.0 / (double)ns)) + 1;
    if (ORDO_CLOCK_ID == ORDO_CLOCK_MONOTONIC) { /* 1 GHz by definition; CLOCK_MONOTONIC_RAW is not steered alike */
        hz = 1e9;
        rate->error_ppb = 0;
    }
    rate->tick_hz = (uint64_t)(hz + 0.5);
    return hz >= 1 && hz <= 18e9;
}

#endif
