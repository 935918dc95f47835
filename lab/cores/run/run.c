#include "lab/cores/run/run.h"

#include "base/random.h"
#include "lab/cores/run/cpu.h"
#include "lab/cores/run/schedule.h"

struct cores_state cores = {.visible_ps = UINT64_MAX};

static int (*program)(int argc, char **argv);
static int program_argc, program_result;
static char **program_argv;

static int select_value(const struct cores_range *range, int step)
{
    return (int)(step == 0 ? range->low : step == 1 ? range->likely : range->high);
}

void cores_step(int step)
{
    cores_caches_step(cores.caches, step);
    cores.overlap = select_value(&cores.machine->overlap, 2 - step); /* more overlap: less time */
    if (cores.overlap > CORES_MISSES)
        cores.overlap = CORES_MISSES;
}

static void *run_program(void *argument)
{
    (void)argument;
    program_result = program(program_argc, program_argv);
    return NULL;
}

/* Gives each CPU a clock: its skew is drawn from 0, the largest skew, and all between them. */
static void set_clocks(const struct cores_options *options)
{
    uint64_t random = options->seed ^ UINT64_C(0x5851f42d4c957f2d);
    for (int i = 0; i < options->machine->cpus; i++) {
        struct cores_cpu *cpu = cores_cpu_at(i);
        uint64_t kind = ordo_random_next(&random), between = ordo_random_next(&random);
        cpu->skew_ticks = (int64_t)(kind % 3 == 0   ? 0
                                    : kind % 3 == 1 ? options->skew_ticks
                                                    : between % (options->skew_ticks + 1));
        if (options->rate_ppb)
            cpu->rate_ppb = (int64_t)(ordo_random_next(&random) % (uint64_t)(options->rate_ppb + 1));
    }
}

static int open_parts(const struct cores_options *options, struct ordo_error *error)
{
    const struct cores_machine *machine = options->machine;
    cores.machine = machine;
    cores.slack_ps = options->slack_ps;
    cores.stall_ps = options->stall_ps;
    cores.stall_each_ps = options->stall_ps ? options->stall_each_ps : 0; /* a stall of no time is none */
    cores.counts_lines = options->counts_lines;
    cores.instruction_ps = machine->instruction_ps;
    cores.reorder_ps = CORES_REORDER * cores.instruction_ps;
    int code = cores_code_open(&cores.code, error);
    if (!code)
        code = cores_caches_open(&cores.caches, machine, 1, error);
    if (!code)
        code = cores_tlb_open(&cores.tlb, machine, error);
    if (!code)
        code = cores_schedule_open(machine, options->quantum_ps, options->seed, error);
    return code;
}

int cores_run(const struct cores_options *options, int (*main)(int argc, char **argv), int argc, char **argv,
              int *result, struct ordo_error *error)
{
    int code = open_parts(options, error);
    if (code)
        return code;
    set_clocks(options);
    cores_step(1);
    program = main;
    program_argc = argc;
    program_argv = argv;
    struct cores_thread *thread = cores_thread_make(run_program, NULL);
    if (!thread)
        return ordo_error_errno(error, "the program's stack");
    cores_schedule_run(thread);
    *result = program_result;
    return ORDO_OK;
}
