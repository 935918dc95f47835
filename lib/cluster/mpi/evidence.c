#include "cluster/mpi/evidence.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ordo/record.h>

#include "base/cpus.h"
#include "machine/counter/trust.h"
#include "machine/topology/topology.h"

static void read_line(const char *path, char *line, size_t size)
{
    char text[128];
    if (ordo_record_read_text(path, text, sizeof text) < 0)
        text[0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    (void)snprintf(line, size, "%.*s", (int)size - 1, text);
}

static void take_time_namespace(struct ordo_verify_rank *rank)
{
    char text[256];
    const char *monotonic;
    ssize_t length = readlink("/proc/self/ns/time", rank->time_namespace, sizeof rank->time_namespace - 1);
    rank->time_namespace[length > 0 ? length : 0] = '\0';
    if (ordo_record_read_text("/proc/self/timens_offsets", text, sizeof text) > 0 &&
        (monotonic = strstr(text, "monotonic"))) {
        char *rest;
        rank->monotonic_shift_ns = strtoll(monotonic + strlen("monotonic"), &rest, 10) * 1000000000;
        rank->monotonic_shift_ns += strtoll(rest, NULL, 10);
    }
}

/* Asks the kernel for the CPUs, because a launcher may have given hwloc another topology. */
static void read_cpus(struct ordo_verify_rank *rank)
{
    struct ordo_cpus own;
    rank->cpus = ordo_cpus_own(&own) ? ordo_cpus_count(&own) : 0;
    unsigned *cpus = calloc((size_t)rank->cpus + 1, sizeof *cpus);
    int count = 0;
    (void)snprintf(rank->binding, sizeof rank->binding, "not known");
    for (unsigned cpu = 0; cpu < ORDO_CPUS && cpus && count < rank->cpus; cpu++)
        if (ordo_cpus_have(&own, cpu))
            cpus[count++] = cpu;
    if (count > 0)
        ordo_topology_format_cpus(cpus, count, rank->binding, sizeof rank->binding);
    free(cpus);
}

static void read_socket(struct ordo_verify_rank *rank)
{
    struct ordo_topology *topology;
    rank->socket = -1;
    if (ordo_topology_open(&topology, NULL, NULL))
        return;
    rank->socket = ordo_topology_socket(topology);
    ordo_topology_close(topology);
}

/* Copies the first line of the library's version text, which begins with its name and version. */
void ordo_evidence_mpi(char *text, size_t size)
{
    char words[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    (void)MPI_Get_library_version(words, &length);
    words[strcspn(words, ",\n")] = '\0';
    for (char *tab = words; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    (void)snprintf(text, size, "%.*s", (int)size - 1, words);
}

static void take_trust(struct ordo_verify_rank *rank)
{
    struct ordo_trust_verdict verdict;
    (void)ordo_trust_ask(&verdict, NULL);
    rank->trust = verdict.trust;
    (void)snprintf(rank->trust_reason, sizeof rank->trust_reason, "%.159s", verdict.reason);
}

void ordo_evidence_take(struct ordo_verify_rank *rank)
{
    memset(rank, 0, sizeof *rank);
    rank->pid = (int)getpid();
    (void)gethostname(rank->host, sizeof rank->host - 1);
    read_line("/proc/sys/kernel/random/boot_id", rank->boot_id, sizeof rank->boot_id);
    read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", rank->clocksource,
              sizeof rank->clocksource);
    take_trust(rank);
    take_time_namespace(rank);
    read_cpus(rank);
    read_socket(rank);
    ordo_evidence_mpi(rank->mpi, sizeof rank->mpi);
}
