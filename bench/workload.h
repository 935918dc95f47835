/* The commands of ordo-bench: the registry of workload/. */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

/** How a command ends. */
enum bench_exit {
    BENCH_OK = 0,
    BENCH_AUDIT_FAILED = 1,
    BENCH_CANNOT_TELL = 2, /* cannot pin, too few CPUs, a record that was asked for is refused */
    BENCH_USAGE = 64,
    BENCH_INTERNAL = 70
};

struct ordo_bench_workload {
    const char *name;                  /* as on the command line */
    const char *title;                 /* one line for people */
    int (*run)(int argc, char **argv); /* argv[0] is "ordo-bench <name>"; returns enum bench_exit */
};

/** All commands, ending with NULL; generated from the files of workload/. */
extern const struct ordo_bench_workload *const ordo_bench_workloads[];

#endif
