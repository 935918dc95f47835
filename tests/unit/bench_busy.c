/* The share of CPU time that a benchmark got. A thread that waits for a CPU shows that another program uses it; a
 * sleeping thread does not. */
#include <criterion/criterion.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"
#include "harness.h"
#include "machine.h"

Test(busy, a_sleeping_thread_does_not_count_as_another_load)
{
    struct bench_cell cell = {.threads = 1, .wall_s = 10, .cpu_s = 1, .waited_s = 0.1};
    const struct bench_set set = {.cells = &cell, .cell_count = 1};
    cr_expect_float_eq(bench_least_cpu_share(&set, 2), 0.99, 1e-9);
    cell.waited_s = 4;
    cr_expect_float_eq(bench_least_cpu_share(&set, 2), 0.6, 1e-9);
    cell.threads = 4; /* four threads on two CPUs: each gets half of the time */
    cell.waited_s = 5;
    cr_expect_float_eq(bench_least_cpu_share(&set, 2), 1, 1e-9);
}

static uint64_t spin(struct bench_worker *worker)
{
    uint64_t ops = 0;
    while (bench_running(worker))
        ops++;
    return ops;
}

/* A process spins on the same CPU, so the benchmark gets half of the time; on a busy machine less, but never much
 * more. */
Test(busy, a_process_on_the_same_cpu_counts_as_another_load)
{
    const struct bench_variant variant = {.algorithm = "spin", .workload = "alone", .work = spin};
    struct bench_options options = {.runs = 3, .seconds = 0.2, .threads = {1}, .thread_counts = 1};
    struct bench_machine machine;
    struct bench_set set;
    struct ordo_error error;
    cr_assert_eq(bench_machine_open(&machine, &options, &error), ORDO_OK, "%s", error.text);
    pid_t other = fork();
    if (other == 0) {
        cr_assert_eq(ordo_topology_pin(machine.topology, machine.cpus[0], &error), ORDO_OK);
        for (volatile int i = 0;; i++)
            ;
    }
    ordo_sleep_ns(50000000);
    cr_assert_eq(bench_measure(&set, &variant, 1, &machine, &options, &error), ORDO_OK, "%s", error.text);
    cr_expect_lt(bench_least_cpu_share(&set, machine.cpu_count), 0.9);
    (void)kill(other, SIGKILL);
    (void)waitpid(other, NULL, 0);
    bench_free(&set);
    bench_machine_close(&machine);
}
