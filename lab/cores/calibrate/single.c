/* The measurements on one CPU. */
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ordo/clock.h>

#include "base/random.h"
#include "base/time.h"
#include "lab/cores/calibrate/code.h"
#include "lab/cores/calibrate/measure.h"

enum { ROW = 16, BITS = 16384 };

static _Alignas(4096) uint64_t line[512];
static unsigned char bits[BITS];

#define X4(operation) operation operation operation operation
#define ROW_OF(operation) X4(X4({ operation; }))
#define KEEP(value) __asm__ volatile("" : : "r"(value) : "memory")

/* Defines a loop whose row is written out, so that the loop itself costs nothing. */
#define LOOP(name, operation)                                                                                          \
    static void name(uint64_t rows)                                                                                    \
    {                                                                                                                  \
        for (uint64_t row = 0; row < rows; row++) {                                                                    \
            ROW_OF(operation)                                                                                          \
        }                                                                                                              \
    }

static void run_cycle(uint64_t rows)
{
    uint64_t sum = rows;
    for (uint64_t row = 0; row < rows; row++) {
        ROW_OF(sum += sum; __asm__ volatile("" : "+r"(sum)))
    }
}

static void run_cas(uint64_t rows)
{
    for (uint64_t row = 0; row < rows; row++) {
        ROW_OF(uint64_t seen = __atomic_load_n(line, __ATOMIC_RELAXED);
               KEEP(__atomic_compare_exchange_n(line, &seen, seen + 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)))
    }
}

LOOP(run_add, KEEP(__atomic_fetch_add(line, 1, __ATOMIC_RELAXED)))
LOOP(run_fence, __atomic_thread_fence(__ATOMIC_SEQ_CST))
LOOP(run_clock, KEEP(ordo_clock_relaxed()))
LOOP(run_ordered, KEEP(ordo_clock_read()))
LOOP(run_pause, ordo_clock_pause())
LOOP(run_call, KEEP(syscall(SYS_getppid)))
LOOP(run_yield, KEEP(sched_yield()))
LOOP(run_store, __atomic_store_n(&line[8], row, __ATOMIC_RELAXED))

static const struct {
    enum cores_calibrate_value value;
    void (*run)(uint64_t rows);
    uint64_t rows;
} loops[] = {
    {CORES_CALIBRATE_CYCLE, run_cycle, 20000}, {CORES_CALIBRATE_ADD, run_add, 10000},
    {CORES_CALIBRATE_CAS, run_cas, 10000},     {CORES_CALIBRATE_FENCE, run_fence, 10000},
    {CORES_CALIBRATE_CLOCK, run_clock, 4000},  {CORES_CALIBRATE_CLOCK_ORDERED, run_ordered, 2000},
    {CORES_CALIBRATE_PAUSE, run_pause, 2000},  {CORES_CALIBRATE_CALL, run_call, 500},
    {CORES_CALIBRATE_YIELD, run_yield, 4},     {CORES_CALIBRATE_STORE_HIT, run_store, 20000},
};

/* Returns the time of `rows` rows in which the thread kept its CPU, at most in the last of `tries`. */
static double rows_ns(void (*run)(uint64_t rows), uint64_t rows, int tries)
{
    double ns = 0;
    for (int i = 0; i < tries; i++) {
        long losses = cores_calibrate_losses();
        int64_t start_ns = ordo_raw_ns();
        run(rows);
        ns = (double)(ordo_raw_ns() - start_ns);
        if (losses == cores_calibrate_losses())
            break;
    }
    return ns;
}

/* A thread that yields may lose its CPU in every round. */
static void measure_loops(struct cores_calibrate_machine *machine)
{
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        int tries = loops[i].value == CORES_CALIBRATE_YIELD ? 1 : CORES_CALIBRATE_TRIES;
        double rounds[CORES_CALIBRATE_ROUNDS];
        for (int r = 0; r < CORES_CALIBRATE_ROUNDS; r++)
            rounds[r] = rows_ns(loops[i].run, loops[i].rows, tries) / (double)(loops[i].rows * ROW);
        machine->ns[loops[i].value] = cores_calibrate_interval_of(rounds);
    }
}

/* Branches on one bit after the other; the instructions of both sides are equal. */
static double branch_ns(void)
{
    uint64_t count = 0;
    int64_t start_ns = ordo_raw_ns();
    for (int i = 0; i < BITS; i++)
        if (bits[i])
            __asm__ volatile("" : "+r"(count));
        else
            __asm__ volatile(" " : "+r"(count));
    return (double)(ordo_raw_ns() - start_ns) / BITS;
}

static void fill_bits(uint64_t *random)
{
    for (int i = 0; i < BITS; i++)
        bits[i] = random && (ordo_random_next(random) >> 33 & 1);
}

/* Half of the branches on new random bits are mispredicted, and none on equal bits. */
static void measure_misprediction(struct cores_calibrate_machine *machine)
{
    double rounds[CORES_CALIBRATE_ROUNDS];
    uint64_t random = 1;
    for (int r = 0; r < CORES_CALIBRATE_ROUNDS; r++) {
        fill_bits(NULL);
        (void)branch_ns();
        double steady_ns = branch_ns();
        fill_bits(&random);
        rounds[r] = 2 * (branch_ns() - steady_ns);
    }
    machine->ns[CORES_CALIBRATE_MISPREDICT] = cores_calibrate_interval_of(rounds);
}

static double code_ns(const struct cores_calibrate_code *code, double instructions)
{
    enum { REPEAT = 4000 };
    double rounds[CORES_CALIBRATE_ROUNDS];
    for (int r = 0; r < CORES_CALIBRATE_ROUNDS; r++) {
        int64_t start_ns = ordo_raw_ns();
        KEEP(code->run(REPEAT));
        rounds[r] = (double)(ordo_raw_ns() - start_ns) / REPEAT / instructions;
    }
    return cores_calibrate_interval_of(rounds).median;
}

/* The mean over the loops; the interval is from the fastest to the slowest. */
static int measure_instruction(struct cores_calibrate_machine *machine, struct ordo_error *error)
{
    struct cores_calibrate_interval all = {0, 0, 0};
    int count = 0;
    for (const struct cores_calibrate_code *code = cores_calibrate_codes; code->name; code++, count++) {
        double instructions = cores_calibrate_instructions(code);
        if (instructions <= 0)
            return ordo_error_set(error, ORDO_E_SYSTEM, 0,
                                  "the instructions of a loop cannot be counted: allow ptrace(2)");
        double ns = code_ns(code, instructions);
        all.median += ns;
        all.low = count && all.low < ns ? all.low : ns;
        all.high = all.high > ns ? all.high : ns;
    }
    all.median /= count;
    machine->ns[CORES_CALIBRATE_INSTRUCTION] = all;
    return ORDO_OK;
}

static void measure_clock(struct cores_calibrate_machine *machine)
{
    int64_t start_ns = ordo_raw_ns();
    uint64_t start = ordo_clock_read();
    ordo_sleep_ns(50000000);
    uint64_t ticks = ordo_clock_read() - start;
    machine->clock_hz = (uint64_t)((double)ticks * 1e9 / (double)(ordo_raw_ns() - start_ns));
}

int cores_calibrate_single(struct cores_calibrate_machine *machine, struct ordo_error *error)
{
    measure_loops(machine);
    measure_misprediction(machine);
    measure_clock(machine);
    return measure_instruction(machine, error);
}
