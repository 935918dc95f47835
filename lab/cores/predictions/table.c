/* The predictions of one cache line and of clocks, and the search for a prediction. */
#include <string.h>

#include "lab/cores/predictions/predictions.h"

static const int to_16[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0};
static const int to_4[] = {1, 2, 3, 4, 0};
static const int to_40[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 0};
static const int to_1024[] = {1, 28, 56, 112, 224, 448, 896, 1024, 0};

#define LOOP(name, virtual) .algorithm = name, .seconds = virtual

/* Of one line. */
#define LINE_OF(part, suffix, numbers, places, loop, key, words)                                                       \
    {                                                                                                                  \
        .name = part "-" loop suffix, .machine = part, .quantity = words, .unit = "ns", .figure = key,                 \
        .of = {LOOP(loop, "0.0002")}, .cpus = places, .work_ns = "0", .slack_ns = "0", .seeds = 1,                     \
        .spread_percent = 20, .cores = numbers                                                                         \
    }

/* The time in a thread and the time of the machine. */
#define LINE(machine, cores, cpus, algorithm, words)                                                                   \
    LINE_OF(machine, "", cores, cpus, algorithm, "thread_ns_per_op",                                                   \
            "Mean time of one operation in a thread, that is elapsed time times threads over operations of all "       \
            "threads, while each of the cores executes one thread that repeats without pause: " words),                \
        LINE_OF(machine, "-machine", cores, cpus, algorithm, "machine_ns_per_op",                                      \
                "Elapsed time over the operations of all threads, while each of the cores executes one thread that "   \
                "repeats without pause: " words)

#define LINES(machine, cores, cpus)                                                                                    \
    LINE(machine, cores, cpus, "add", "an atomic fetch-and-add on one shared variable."),                              \
        LINE(machine, cores, cpus, "cas",                                                                              \
             "an increment of one shared variable by a load and a compare-and-swap, which is repeated until it "       \
             "succeeds."),                                                                                             \
        LINE(machine, cores, cpus, "mutex",                                                                            \
             "lock a shared POSIX mutex, increment a variable on its cache line, unlock."),                            \
        LINE(machine, cores, cpus, "ticket",                                                                           \
             "lock a shared ticket lock, whose waiters spin with a pause, increment a variable on its cache line, "    \
             "unlock.")

/* Half payment and half new-order. */
#define WORK_NS "6540"
#define WORK_SOURCE                                                                                                    \
    "Time of a transaction without its stamp: measured at one thread of a guest of Zen 4, payment 1086 to 1159 ns "    \
    "and new-order 9535 to 10671 ns with the engines hekaton, silo and occ; half of each: 5.67 us, times 3.69 GHz "    \
    "over 3.2 GHz, the clocks of the two cores. One stamp a transaction; no conflict; threads fill the 28 cores of a " \
    "socket, then their second threads, then the next socket. The interval of a ratio contains another 35 percent "    \
    "for the mix and for the core. Above 56 threads the counter's threads lose random times, so that threads ask in "  \
    "random order: without them, the order of the start remains for the whole run, socket by socket."
#define COUNTER LOOP("add", "0.0002")
/* 5% of the time, which the threads with the clock do not lose. */
#define CROWDED LOOP("add", "0.0004"), .stall_ns = "3000", .stall_each_ns = "60000"

#define SUPERDOME(suffix, measured, key, spread, words, ...)                                                           \
    {                                                                                                                  \
        .name = "superdome-28-" suffix, .machine = "superdome-28", .quantity = words, .unit = measured, .figure = key, \
        .crowded = {CROWDED}, .crowded_above = 56, .saturated_above = 448, .work_ns = WORK_NS, .slack_ns = "500",      \
        .seeds = 1, .spread_percent = spread, .inputs = WORK_SOURCE, .cores = to_1024, __VA_ARGS__                     \
    }

#define XEON(suffix, measured, words, ...)                                                                             \
    {                                                                                                                  \
        .name = "xeon-4114-2-" suffix, .machine = "xeon-4114-2", .quantity = words, .unit = measured,                  \
        .figure = "thread_ns_per_op", .work_ns = "0", .slack_ns = "0", .seeds = 1, .spread_percent = 20,               \
        .cores = to_40, __VA_ARGS__                                                                                    \
    }

const struct cores_prediction cores_loop_predictions[] = {
    LINES("graviton", to_16, NULL),
    LINES("graviton2-16", to_16, NULL),
    LINES("icelake-4", to_4, "0-3"),
    LINES("skylake-4", to_4, "0,2,4,6"),
    SUPERDOME(
        "ratio", "1", "ops_per_s", 35,
        "Transactions of all threads per second with stamps from the hardware clock, over the same with stamps "
        "from one shared counter; short transactions without conflicts, half payment and half new-order of TPC-C.",
        .of = {LOOP("clock", "0.00003")}, .over = {COUNTER}, .alone_above = 56),
    SUPERDOME("counter", "1/s", "ops_per_s", 20,
              "Stamps that all threads together take from one shared counter by fetch-and-add per second, one for each "
              "short transaction without conflicts, half payment and half new-order of TPC-C.",
              .of = {COUNTER}),
    XEON("tsc", "ns",
         "Mean time of one read of the time-stamp counter without order (RDTSC) in a thread, while each of the CPUs "
         "executes one thread that repeats it without pause.",
         .of = {LOOP("tsc", "0.0001")}),
    XEON(
        "monotone", "ns",
        "Mean time in a thread of one read of the time-stamp counter (RDTSC) that is made monotone by a shared "
        "maximum, which a compare-and-swap raises; each of the CPUs executes one thread that repeats it without pause.",
        .of = {LOOP("monotone", "0.0002")}),
    XEON(
        "ratio", "1",
        "Time of a monotone read of the time-stamp counter, made so by a shared maximum, over the time of a plain read "
        "(RDTSC), both in a thread, while each of the CPUs executes one thread that repeats it without pause.",
        .of = {LOOP("monotone", "0.0002")}, .over = {LOOP("tsc", "0.0001")}),
    {0},
};

/* Returns the number of rows before the last, which has no name. */
static int table_count(const struct cores_prediction *table)
{
    int count = 0;
    while (table[count].name)
        count++;
    return count;
}

const struct cores_prediction *cores_prediction_at(int index)
{
    int loops = table_count(cores_loop_predictions), engines = table_count(cores_engine_predictions);
    if (index < loops)
        return &cores_loop_predictions[index];
    return index < loops + engines ? &cores_engine_predictions[index - loops] : NULL;
}

const struct cores_prediction *cores_prediction_find(const char *name)
{
    const struct cores_prediction *at;
    for (int i = 0; (at = cores_prediction_at(i)); i++)
        if (strcmp(at->name, name) == 0)
            return at;
    return NULL;
}
