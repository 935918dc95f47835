#include "cluster/mpi/evidence.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ordo/record.h>

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

static void read_binding(struct ordo_verify_rank *rank)
{
    struct ordo_topology *topology;
    unsigned *cpus = NULL;
    rank->socket = -1;
    if (ordo_topology_open(&topology, NULL, NULL))
        return;
    if (ordo_topology_bound(topology, &cpus, &rank->cpus, NULL) == ORDO_OK) {
        ordo_topology_format_cpus(cpus, rank->cpus, rank->binding, sizeof rank->binding);
        rank->socket = ordo_topology_socket(topology);
    }
    free(cpus);
    ordo_topology_close(topology);
}

/* The library's name and version: its first line begins with both. */
static void read_mpi(struct ordo_verify_rank *rank)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    (void)MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    for (char *tab = text; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    (void)snprintf(rank->mpi, sizeof rank->mpi, "%.*s", (int)sizeof rank->mpi - 1, text);
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
    read_binding(rank);
    read_mpi(rank);
}
