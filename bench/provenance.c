#include "provenance.h"

#include <jemalloc/jemalloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void describe_kernel(char *text, size_t size)
{
    struct utsname kernel;
    if (uname(&kernel) == 0)
        (void)snprintf(text, size, "%s %s %s", kernel.sysname, kernel.release, kernel.machine);
    else
        (void)snprintf(text, size, "unknown");
}

/* Describes the allocator that is active at run time; it may differ from the linked allocator. */
static void describe_allocator(char *text, size_t size)
{
    const char *version = "of an unknown version";
    size_t bytes = sizeof version;
    (void)mallctl("version", (void *)&version, &bytes, NULL, 0);
    (void)snprintf(text, size, "jemalloc %s", version);
}

/* Returns 1 under a hypervisor, 0 without one, -1 if unknown. On x86 the CPU flags tell. */
static int find_hypervisor(void)
{
    char *line = NULL;
    size_t size = 0;
    int found = -1;
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && found < 0 && getline(&line, &size, file) > 0)
        if (strncmp(line, "flags", 5) == 0)
            found = strstr(line, " hypervisor") != NULL;
    free(line);
    if (file)
        (void)fclose(file);
    return found;
}

static struct ordo_json boundary_json(const struct bench_boundary *boundary)
{
    return boundary->source == BENCH_BOUNDARY_NONE ? ordo_json_null()
                                                   : ordo_json_int((int64_t)ordo_boundary(&boundary->handle));
}

static struct ordo_json cpus_json(const struct bench_machine *machine)
{
    struct ordo_json cpus = ordo_json_array();
    for (int i = 0; i < machine->cpu_count; i++)
        ordo_json_add(&cpus, ordo_json_int(machine->cpus[i]));
    return cpus;
}

struct ordo_json bench_provenance_json(const struct bench_machine *machine, const struct bench_options *options,
                                       const struct bench_boundary *boundary)
{
    char name[160], kernel[256], allocator[128];
    const char *source = bench_boundary_word(boundary->source);
    int hypervisor = find_hypervisor();
    ordo_topology_describe(machine->topology, name, sizeof name);
    describe_kernel(kernel, sizeof kernel);
    describe_allocator(allocator, sizeof allocator);
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "machine", name);
    ordo_json_put(&object, "cpus", cpus_json(machine));
    ordo_json_put_text(&object, "kernel", kernel);
    ordo_json_put_text(&object, "compiler", COMPILER);
    ordo_json_put_text(&object, "compiler_flags", BENCH_FLAGS);
    ordo_json_put_text(&object, "build_type", BENCH_BUILD_TYPE);
    ordo_json_put_text(&object, "allocator", allocator);
    ordo_json_put_text(&object, "clock", ORDO_CLOCK_NAME);
    ordo_json_put(&object, "boundary_ticks", boundary_json(boundary));
    ordo_json_put_text(&object, "boundary_source", source);
    ordo_json_put_text(&object, "boundary_scope", ordo_scope_word(options->scope));
    ordo_json_put_real(&object, "seconds", options->seconds);
    ordo_json_put_int(&object, "runs", options->runs);
    ordo_json_put(&object, "hypervisor", hypervisor < 0 ? ordo_json_null() : ordo_json_bool(hypervisor));
    return object;
}

void bench_provenance_print(const struct bench_machine *machine, const struct bench_options *options,
                            const struct bench_boundary *boundary, FILE *stream)
{
    char name[160], cpus[64], kernel[256];
    ordo_topology_describe(machine->topology, name, sizeof name);
    ordo_topology_format_cpus(machine->cpus, machine->cpu_count, cpus, sizeof cpus);
    describe_kernel(kernel, sizeof kernel);
    fprintf(stream, "%s%s; %s\n", name, find_hypervisor() == 1 ? ", under a hypervisor" : "", kernel);
    fprintf(stream, "%s %s (%s)\n", COMPILER, BENCH_FLAGS, BENCH_BUILD_TYPE);
    if (boundary->source == BENCH_BOUNDARY_NONE)
        fprintf(stream, "clock %s, no boundary; ", ORDO_CLOCK_NAME);
    else
        fprintf(stream, "clock %s, boundary %ju ticks (%s%s%s); ", ORDO_CLOCK_NAME,
                (uintmax_t)ordo_boundary(&boundary->handle), bench_boundary_word(boundary->source),
                options->scope ? ", within one " : "", options->scope ? ordo_scope_word(options->scope) : "");
    fprintf(stream, "CPUs %s, rounds %d, trials of %g s\n", cpus, options->runs, options->seconds);
}
