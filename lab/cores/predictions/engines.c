/* Predictions of engines: the speed with the hardware clock over the speed with a counter. The workloads are those of
 * lab/figures/ordo, and the machines are of the three kinds that the publication measured. */
#include "lab/cores/predictions/predictions.h"

/* One socket of the ARM machine has 48 cores. */
static const int to_96[] = {1, 8, 16, 32, 48, 64, 96, 0};
static const int to_240[] = {1, 8, 16, 32, 64, 120, 240, 0};
static const int to_256[] = {1, 8, 16, 32, 64, 128, 256, 0};
/* A simulation of real transactions takes minutes. */
static const int few_to_96[] = {1, 32, 96, 0};
static const int few_to_240[] = {1, 32, 120, 240, 0};
static const int few_to_256[] = {1, 32, 64, 256, 0};

#define SECONDS "0.0001"
#define SPREAD 10
#define SOURCES                                                                                                        \
    "The boundary is an assumption: the largest offset of two clocks that lab/figures/ordo/machines.c recalls; the "   \
    "simulated clocks agree. One thread on each core as long as there are cores, in the order of the sockets. The "    \
    "interval contains another 10 percent for the constants that have no range."
#define SOURCES_STAMPS                                                                                                 \
    SOURCES                                                                                                            \
    " The time of a transaction is simulated on one CPU with the engine of this project, which takes no stamp "        \
    "for a transaction that only reads. Taking a stamp from the clock waits for no boundary."

#define TXN(engine, options) "txn --engine " engine " --rows 16384 --stamp ordo,logical " options
/* What a transaction takes on one CPU. */
#define ALONE(options)                                                                                                 \
    "txn --rows 16384 --stamp logical --threads 1 --seconds 0.0003 --runs 3 --boundary 1 --json " options

#define ROW(part_of, suffix, boundary, list, words, program, first, second, count, worker, alone, from)                \
    {                                                                                                                  \
        .name = part_of "-" suffix, .machine = part_of, .quantity = words, .unit = "1", .figure = "ratio",             \
        .spread_percent = SPREAD, .inputs = from, .cores = list,                                                       \
        .ratio =                                                                                                       \
            &(const struct cores_predicted_ratio){program, first, second, SECONDS, boundary, count, worker, alone},    \
    }

#define ENGINE(machine, suffix, boundary, list, words, program, of, over)                                              \
    ROW(machine, suffix, boundary, list,                                                                               \
        "Throughput of " words ", with the hardware clock (Ordo) over the same with a shared counter.", program, of,   \
        over, 0, NULL, NULL, SOURCES)

/* The engine of the publication's kind. */
#define LIKE(machine, suffix, boundary, list, name, stamps, worker, requests)                                          \
    ROW(machine, suffix, boundary, list,                                                                               \
        "Throughput of " name " as published, YCSB, only reads, " requests                                             \
        " requests a transaction, with the hardware clock (Ordo) over the same with a shared counter; also a "         \
        "transaction that only reads takes its stamps. Computed from a loop that works for the time of a transaction " \
        "of this project's engine, and takes the stamps.",                                                             \
        "contention --algorithm add,clock", "clock", "add", stamps, worker,                                            \
        ALONE("--engine " worker " --workload ycsb-c --requests " requests), SOURCES_STAMPS)

#define OURS(machine, suffix, boundary, list, few, engine, name)                                                       \
    ENGINE(machine, suffix "-ours", boundary, few,                                                                     \
           "this project's " name ", which takes no stamp from the counter for a transaction that only reads: YCSB, "  \
           "only reads, 2 requests",                                                                                   \
           TXN(engine, "--workload ycsb-c --requests 2"), engine "/ordo", engine "/logical"),                          \
        ENGINE(machine, suffix "-ours-updates", boundary, few,                                                         \
               "this project's " name ": YCSB, half reads and half updates, 2 requests, uniform keys",                 \
               TXN(engine, "--workload ycsb-a --requests 2 --theta 0"), engine "/ordo", engine "/logical")

#define RLU(machine, suffix, boundary, list, percent)                                                                  \
    ENGINE(machine, suffix, boundary, list, "RLU: hash of 10000 elements, " percent "% updates",                       \
           "rlu --algorithm rlu --structure hash --update-percent " percent " --stamp ordo,logical --baseline none",   \
           "rlu/ordo", "rlu/logical")

#define TL2(machine, suffix, boundary, list, counter, words)                                                           \
    ENGINE(machine, suffix, boundary, list, "TL2: hash of 10000 elements, 20% updates, over a counter " words,         \
           "stm --structure hash --update-percent 20 --stamp ordo,logical,gv4 --baseline none", "stm/ordo",            \
           "stm/" counter)

#define MACHINE(machine, boundary, list, few)                                                                          \
    RLU(machine, "rlu", boundary, list, "2"), RLU(machine, "rlu-20", boundary, list, "20"),                            \
        TL2(machine, "tl2", boundary, list, "logical", "(GV1)"),                                                       \
        TL2(machine, "tl2-gv4", boundary, list, "gv4", "that failed increments share (GV4)"),                          \
        ENGINE(machine, "oplog", boundary, list, "Oplog: reverse map, 0.1% reads",                                     \
               "oplog --structure map --read-permille 1 --stamp ordo,logical,batch --baseline none", "oplog/ordo",     \
               "oplog/logical"),                                                                                       \
        LIKE(machine, "occ", boundary, list, "OCC (one stamp a transaction)", 1, "occ", "2"),                          \
        LIKE(machine, "occ-16", boundary, list, "OCC (one stamp a transaction)", 1, "occ", "16"),                      \
        LIKE(machine, "hekaton", boundary, list, "Hekaton (two stamps a transaction)", 2, "hekaton", "2"),             \
        LIKE(machine, "hekaton-16", boundary, list, "Hekaton (two stamps a transaction)", 2, "hekaton", "16"),         \
        OURS(machine, "occ", boundary, list, few, "occ", "OCC"),                                                       \
        OURS(machine, "hekaton", boundary, list, few, "hekaton", "Hekaton")

const struct cores_prediction cores_engine_predictions[] = {
    MACHINE("arm-96", 1100, to_96, few_to_96),
    MACHINE("xeon-120", 276, to_240, few_to_240),
    MACHINE("phi-64", 270, to_256, few_to_256),
    {0},
};
