/* The predictions. */
#include <string.h>

#include "lab/cores/predictions/predictions.h"

static const int to_16[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0};
static const int to_4[] = {1, 2, 3, 4, 0};
static const int to_40[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 0};
static const int to_1024[] = {1, 28, 56, 112, 224, 448, 896, 1024, 0};

#define LOOP(algorithm, seconds)                                                                                       \
    {                                                                                                                  \
        algorithm, seconds, NULL, NULL                                                                                 \
    }

/* Of one line, the time in a thread and the time of the machine. */
#define LINE(machine, cores, cpus, algorithm, words)                                                                   \
    {machine "-" algorithm,                                                                                            \
     machine,                                                                                                          \
     "Mean time of one operation in a thread, that is elapsed time times threads over operations of all "              \
     "threads, while each of the cores executes one thread that repeats without pause: " words,                        \
     "ns",                                                                                                             \
     "thread_ns_per_op",                                                                                               \
     LOOP(algorithm, "0.0002"),                                                                                        \
     {0},                                                                                                              \
     {0},                                                                                                              \
     0,                                                                                                                \
     0,                                                                                                                \
     0,                                                                                                                \
     cpus,                                                                                                             \
     "0",                                                                                                              \
     "0",                                                                                                              \
     1,                                                                                                                \
     20,                                                                                                               \
     NULL,                                                                                                             \
     cores},                                                                                                           \
    {                                                                                                                  \
        machine "-" algorithm "-machine", machine,                                                                     \
            "Elapsed time over the operations of all threads, while each of the cores executes one thread that "       \
            "repeats "                                                                                                 \
            "without pause: " words,                                                                                   \
            "ns", "machine_ns_per_op", LOOP(algorithm, "0.0002"), {0}, {0}, 0, 0, 0, cpus, "0", "0", 1, 20, NULL,      \
            cores                                                                                                      \
    }

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
    "Time of a transaction without its stamp: measured at one thread of the machine `here`, payment 1086 to 1159 ns "  \
    "and new-order 9535 to 10671 ns with the engines hekaton, silo and occ; half of each: 5.67 us, times 3.69 GHz "    \
    "over 3.2 GHz, the clocks of the two cores. One stamp a transaction; no conflict; threads fill the 28 cores of a " \
    "socket, then their second threads, then the next socket. The interval of a ratio contains another 35 percent "    \
    "for the mix and for the core. Above 56 threads the counter's threads lose random times, so that threads ask in "  \
    "random order: without them, the order of the start remains for the whole run, socket by socket."
#define COUNTER                                                                                                        \
    {                                                                                                                  \
        "add", "0.0002", NULL, NULL                                                                                    \
    }
#define CROWDED                                                                                                        \
    {                                                                                                                  \
        "add", "0.0004", "30000", "60000"                                                                              \
    }

const struct cores_prediction cores_predictions[] = {
    LINES("graviton", to_16, NULL),
    LINES("graviton2-16", to_16, NULL),
    LINES("icelake-4", to_4, "0-3"),
    LINES("skylake-4", to_4, "0,2,4,6"),
    {"superdome-28-ratio",
     "superdome-28",
     "Transactions of all threads per second with stamps from the hardware clock, over the same with stamps from one "
     "shared counter; short transactions without conflicts, half payment and half new-order of TPC-C.",
     "1",
     "ops_per_s",
     {"clock", "0.00003", NULL, NULL},
     COUNTER,
     CROWDED,
     56,
     448,
     56,
     NULL,
     WORK_NS,
     "500",
     1,
     35,
     WORK_SOURCE,
     to_1024},
    {"superdome-28-counter",
     "superdome-28",
     "Stamps that all threads together take from one shared counter by fetch-and-add per second, one for each short "
     "transaction without conflicts, half payment and half new-order of TPC-C.",
     "1/s",
     "ops_per_s",
     COUNTER,
     {0},
     CROWDED,
     56,
     448,
     0,
     NULL,
     WORK_NS,
     "500",
     1,
     20,
     WORK_SOURCE,
     to_1024},
    {"xeon-4114-2-tsc",
     "xeon-4114-2",
     "Mean time of one read of the time-stamp counter without order (RDTSC) in a thread, while each of the CPUs "
     "executes one thread that repeats it without pause.",
     "ns",
     "thread_ns_per_op",
     LOOP("tsc", "0.0001"),
     {0},
     {0},
     0,
     0,
     0,
     NULL,
     "0",
     "0",
     1,
     20,
     NULL,
     to_40},
    {"xeon-4114-2-monotone",
     "xeon-4114-2",
     "Mean time in a thread of one read of the time-stamp counter (RDTSC) that is made monotone by a shared maximum, "
     "which a compare-and-swap raises; each of the CPUs executes one thread that repeats it without pause.",
     "ns",
     "thread_ns_per_op",
     LOOP("monotone", "0.0002"),
     {0},
     {0},
     0,
     0,
     0,
     NULL,
     "0",
     "0",
     1,
     20,
     NULL,
     to_40},
    {"xeon-4114-2-ratio",
     "xeon-4114-2",
     "Time of a monotone read of the time-stamp counter, made so by a shared maximum, over the time of a plain read "
     "(RDTSC), both in a thread, while each of the CPUs executes one thread that repeats it without pause.",
     "1",
     "thread_ns_per_op",
     LOOP("monotone", "0.0002"),
     LOOP("tsc", "0.0001"),
     {0},
     0,
     0,
     0,
     NULL,
     "0",
     "0",
     1,
     20,
     NULL,
     to_40},
    {0},
};

const struct cores_prediction *cores_prediction_find(const char *name)
{
    for (const struct cores_prediction *at = cores_predictions; at->name; at++)
        if (strcmp(at->name, name) == 0)
            return at;
    return NULL;
}
