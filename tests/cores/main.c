/* cores-oracle MACHINE ORACLE [key=value...]: runs an oracle on a simulated machine in exact order (no slack): txn, rlu,
 * mvrlu, stm, oplog or merge.
 *
 * Keys: cpus threads hz (of the counter) skew boundary (ticks) stall stall-each pause slack (ns) rounds each items seed
 * engine stamp expect. `pause` is the duration of the processor's hint in a loop that waits: a longer one changes no
 * order, and such loops take less of this machine's time. Exit 0: no anomaly, or with expect=1 one was found; 1: violated; 64: usage. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/cores/run/run.h"
#include "lab/cores/run/schedule.h"
#include "lab/cores/wrap/memory.h"
#include "oracle.h"

enum { USAGE = 64, QUANTUM_PS = 1000000000, SPARE_TICKS = 2 };

struct oracle_plan oracle_plan = {.engine = "occ", .stamp = "ordo", .rounds = 2, .each = 20, .items = 512, .seed = 1};
struct oracle_result oracle_result;

static const struct {
    const char *name;
    int (*run)(void);
} oracles[] = {{"txn", oracle_txn}, {"rlu", oracle_rlu},     {"mvrlu", oracle_mvrlu},
               {"stm", oracle_stm}, {"oplog", oracle_oplog}, {"merge", oracle_merge}};

static struct cores_options options = {.quantum_ps = QUANTUM_PS};
static uint64_t rest_ps, pause_ns, cpus, hz, threads;
static uint64_t round_number;
static int arrived;

/* Threads are spread over the machine. */
void oracle_pin(int number)
{
    cores_thread_pin((int)((int64_t)number * options.machine->cpus / oracle_plan.threads));
}

void oracle_blame(const char *text)
{
    if (!oracle_result.anomalies++)
        (void)snprintf(oracle_result.first, sizeof oracle_result.first, "%s", text);
}

uint64_t oracle_now_ps(void)
{
    cores_fence();
    return cores.cpu->front_ps;
}

bool oracle_is_over(void)
{
    return round_number >= oracle_plan.rounds || oracle_result.anomalies;
}

void oracle_rest(void (*judge)(void))
{
    cores_fence();
    if (++arrived < oracle_plan.threads) {
        (void)cores_wait(&arrived, UINT64_MAX);
        return;
    }
    cores_sleep_until(cores.cpu->front_ps + rest_ps);
    struct cores_cpu *cpu = cores.cpu;
    arrived = 0;
    round_number++;
    cores.cpu = NULL;
    judge();
    cores.cpu = cpu;
    (void)cores_wake(&arrived, INT_MAX);
}

static int run_oracle(int argc, char **argv)
{
    (void)argc;
    for (size_t i = 0; i < sizeof oracles / sizeof *oracles; i++)
        if (strcmp(oracles[i].name, argv[0]) == 0)
            return oracles[i].run();
    return -1;
}

static bool take_word(const char *key, char *value)
{
    bool is_engine = strcmp(key, "engine") == 0;
    if (is_engine)
        oracle_plan.engine = value;
    else if (strcmp(key, "stamp") == 0)
        oracle_plan.stamp = value;
    else
        return false;
    return true;
}

static bool take_number(const char *key, uint64_t value)
{
    const struct {
        const char *key;
        uint64_t *to;
    } numbers[] = {{"cpus", &cpus},
                   {"threads", &threads},
                   {"hz", &hz},
                   {"skew", &options.skew_ticks},
                   {"boundary", &oracle_plan.boundary},
                   {"stall", &options.stall_ps},
                   {"stall-each", &options.stall_each_ps},
                   {"slack", &options.slack_ps},
                   {"pause", &pause_ns},
                   {"rounds", &oracle_plan.rounds},
                   {"each", &oracle_plan.each},
                   {"items", &oracle_plan.items},
                   {"seed", &oracle_plan.seed}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(numbers[i].key, key) == 0) {
            *numbers[i].to = value;
            return true;
        }
    oracle_plan.expect = value;
    return strcmp(key, "expect") == 0;
}

static bool parse(char **words)
{
    for (; *words; words++) {
        char *value = strchr(*words, '=');
        if (!value)
            return false;
        *value++ = 0;
        if (!take_word(*words, value) && !take_number(*words, strtoull(value, NULL, 10)))
            return false;
    }
    options.stall_ps *= 1000;
    options.stall_each_ps *= 1000;
    options.slack_ps *= 1000;
    return true;
}

static int report(void)
{
    bool has_engine = strcmp(oracle_plan.oracle, "txn") == 0;
    printf("%s %s/%s, %d threads, skew %llu, boundary %llu: %llu operations, %s\n", oracle_plan.oracle,
           has_engine ? oracle_plan.engine : "-", oracle_plan.stamp, oracle_plan.threads,
           (unsigned long long)options.skew_ticks, (unsigned long long)oracle_plan.boundary,
           (unsigned long long)oracle_result.operations, oracle_result.anomalies ? "an anomaly:" : "no anomaly");
    if (oracle_result.anomalies)
        printf("%s\n", oracle_result.first);
    return (oracle_result.anomalies > 0) == oracle_plan.expect && oracle_result.operations > 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct ordo_error error = {0};
    struct cores_machine *machine = NULL;
    int result = 0;
    if (argc < 3 || !parse(argv + 3)) {
        fprintf(stderr, "cores-oracle MACHINE ORACLE [key=value...]\n");
        return USAGE;
    }
    if (cores_machine_open(&machine, argv[1], (int)cpus, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return USAGE;
    }
    machine->clock_hz = hz ? hz : machine->clock_hz;
    machine->pause_ps = pause_ns ? pause_ns * 1000 : machine->pause_ps;
    oracle_plan.oracle = argv[2];
    oracle_plan.threads = threads ? (int)threads : machine->cpus;
    options.machine = machine;
    options.seed = oracle_plan.seed;
    rest_ps = (options.skew_ticks + oracle_plan.boundary + SPARE_TICKS) * (1000000000000 / machine->clock_hz);
    if (cores_memory_open(machine->cpus, &error) || cores_run(&options, run_oracle, 1, argv + 2, &result, &error) ||
        result) {
        fprintf(stderr, "the oracle could not run: %s\n", error.text);
        return 1;
    }
    return report();
}
