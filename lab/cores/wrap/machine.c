/* The machine that the program sees, and the rounds of its measurement. */
#include <stdbool.h>
#include <stdio.h>

#include "common/progress.h"
#include "lab/cores/run/place.h"
#include "lab/cores/run/run.h"
#include "lab/cores/run/schedule.h"
#include "lab/cores/wrap/time.h"
#include "machine/topology/topology.h"

enum { STEPS = 3, WARM_UP_HURRY = 4 };

int hooked_ordo_topology_open(struct ordo_topology **topology, const char *description, struct ordo_error *error);
int hooked_ordo_topology_pin(const struct ordo_topology *topology, unsigned cpu, struct ordo_error *error);
int hooked_ordo_topology_check_pinned(const struct ordo_topology *topology, unsigned cpu, struct ordo_error *error);
void hooked_ordo_topology_describe(const struct ordo_topology *topology, char *text, size_t size);
void hooked_progress_show(struct progress *progress, double share, const char *words);

int hooked_ordo_topology_open(struct ordo_topology **topology, const char *description, struct ordo_error *error)
{
    char made[40];
    (void)snprintf(made, sizeof made, "core:%d pu:1", cores.machine->cpus);
    return ordo_topology_open(topology, description ? description : made, error);
}

int hooked_ordo_topology_pin(const struct ordo_topology *topology, unsigned cpu, struct ordo_error *error)
{
    (void)topology;
    (void)error;
    cores_thread_pin((int)cpu);
    return ORDO_OK;
}

int hooked_ordo_topology_check_pinned(const struct ordo_topology *topology, unsigned cpu, struct ordo_error *error)
{
    (void)topology;
    (void)cpu;
    (void)error;
    return ORDO_OK;
}

void hooked_ordo_topology_describe(const struct ordo_topology *topology, char *text, size_t size)
{
    (void)topology;
    (void)snprintf(text, size, "%s", cores.machine->title);
}

/* The program shows its progress once before each round of trials. The first round warms up and is dropped; then the
 * rounds take the low, likely and high values of the machine's ranges in turn, so that the program's own interval over
 * the rounds is the interval of the prediction. */
void hooked_progress_show(struct progress *progress, double share, const char *words)
{
    static int round;
    (void)progress;
    (void)words;
    round = share > 0 ? round + 1 : 0;
    cores_place_count(round > 0);
    cores_step(round == 0 ? 1 : (round - 1) % STEPS);
    cores_time_hurry(round == 0 ? WARM_UP_HURRY : 1);
}
