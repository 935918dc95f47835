#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Selects the CPUs of `list`, or those of the process's affinity if it is NULL. If the list is wrong, the message names
 * the option. */
static int select_cpus(struct bench_machine *machine, const char *list, struct ordo_error *error)
{
    struct ordo_error inner = {0};
    if (!list)
        return ordo_topology_bound(machine->topology, &machine->cpus, &machine->cpu_count, error);
    int code = ordo_topology_select(machine->topology, list, &machine->cpus, &machine->cpu_count, &inner);
    return code ? ordo_error_set(error, code, inner.sys_errno, "--cpus %s", inner.text) : ORDO_OK;
}

static void default_threads(struct bench_options *options, int cpu_count)
{
    int count = 0;
    for (int threads = 1; threads < cpu_count; threads *= 2)
        options->threads[count++] = threads;
    options->threads[count++] = cpu_count;
    options->thread_counts = count;
}

static int check_threads(const struct bench_machine *machine, const struct bench_options *options,
                         struct ordo_error *error)
{
    char cpus[64];
    int most = options->threads[options->thread_counts - 1];
    if (most <= machine->cpu_count || options->oversubscribe)
        return ORDO_OK;
    ordo_topology_format_cpus(machine->cpus, machine->cpu_count, cpus, sizeof cpus);
    return ordo_error_set(
        error, ORDO_E_MEASURE, 0,
        "%d threads: each needs a CPU of its own, and there are only %s: give fewer by --threads, or more by --cpus",
        most, cpus);
}

int bench_machine_open(struct bench_machine *machine, struct bench_options *options, struct ordo_error *error)
{
    memset(machine, 0, sizeof *machine);
    int code = ordo_topology_open(&machine->topology, NULL, error);
    if (!code)
        code = select_cpus(machine, options->cpus, error);
    if (!code) {
        if (options->thread_counts == 0)
            default_threads(options, machine->cpu_count);
        code = check_threads(machine, options, error);
    }
    if (code)
        bench_machine_close(machine);
    return code;
}

void bench_machine_close(struct bench_machine *machine)
{
    ordo_topology_close(machine->topology);
    free(machine->cpus);
    memset(machine, 0, sizeof *machine);
}
