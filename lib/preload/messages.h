/* Whether an ordered read of the counter alone keeps the order of readings: the rule of the order `ordered`. */
#ifndef ORDO_PRELOAD_MESSAGES_H
#define ORDO_PRELOAD_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ordo/record.h>

/** True if a message between any two CPUs takes longer than their clocks differ, in both directions.
 *
 * The delta of a direction is the smallest difference, over all runs, between the reader's clock and the time that the
 * writer sent over a cache line. So a delta is the latency of the fastest message plus the offset of the clocks. Let
 * l and m be these latencies for the two directions of a pair, and s the offset: the deltas are l + s and m - s. A
 * message that takes x makes the later reading smaller only if x < -s, that is x < l - delta. This check demands that
 * each delta is at least `eighths` eighths of the sum l + m of both deltas. With 2, such a message would have to be
 * faster than the fastest of all measured messages by a quarter of a round trip. A cache line that a program reads is
 * transferred in the same way as the measured one, and a thread that migrates needs a message between the CPUs too.
 *
 * A hypervisor may later move two virtual CPUs to one core, where messages are faster than all measured ones. The caller
 * demands 3 there: a message may then take as little as a quarter of the measured mean (l + m) / 2. */
static inline bool preload_messages_are_slower(const int64_t *deltas, size_t count, int64_t eighths)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            const int64_t there = deltas[i * count + j], back = deltas[j * count + i];
            if (there == ORDO_DELTA_UNMEASURED || back == ORDO_DELTA_UNMEASURED || there <= 0 || back <= 0)
                return false;
            const int64_t least = (int64_t)(((uint64_t)there + (uint64_t)back) / 8) * eighths;
            if (there < least || back < least)
                return false;
        }
    return true;
}

#endif
