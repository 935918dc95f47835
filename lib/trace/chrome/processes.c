#include "trace/chrome/processes.h"

#include <stdlib.h>

#include "trace/input/number.h"

/* Returns the place of a pid's rank, which holds -1 if the pid is new; NULL if out of memory. */
static int32_t *place_of_process(struct ordo_processes *processes, struct ordo_text pid)
{
    uint32_t name = ordo_names_number(&processes->names, pid);
    if (name == UINT32_MAX)
        return NULL;
    if (name >= processes->room) {
        uint32_t room = 2 * name + 16;
        int32_t *ranks = realloc(processes->ranks, room * sizeof *ranks);
        if (!ranks)
            return NULL;
        for (uint32_t i = processes->room; i < room; i++)
            ranks[i] = -1;
        processes->ranks = ranks;
        processes->room = room;
    }
    return &processes->ranks[name];
}

int ordo_processes_declare(struct ordo_processes *processes, struct ordo_text pid, int32_t rank)
{
    int32_t *place = place_of_process(processes, pid);
    if (place)
        *place = rank;
    return place ? 0 : -1;
}

/* Returns the rank of a pid that is none: the next one from the highest rank down. When half of all ranks are used, all
 * further pids share one. */
static int32_t distant_rank(struct ordo_processes *processes)
{
    if (processes->distant < ORDO_PROCESSES_RANKS / 2)
        processes->distant++;
    return ORDO_PROCESSES_RANKS - (int32_t)processes->distant;
}

int32_t ordo_processes_rank(struct ordo_processes *processes, struct ordo_text pid, int32_t otherwise)
{
    int64_t number = 0;
    bool is_rank = pid.length == 0 || ordo_text_within(pid, 0, ORDO_PROCESSES_RANKS - 1, &number);
    if (processes->names.count == 0 && (is_rank || otherwise >= 0))
        return otherwise >= 0 ? otherwise : (int32_t)number;
    int32_t *place = place_of_process(processes, pid);
    if (!place)
        return -1;
    if (*place < 0)
        *place = otherwise >= 0 ? otherwise : is_rank ? (int32_t)number : distant_rank(processes);
    return *place;
}

void ordo_processes_free(struct ordo_processes *processes)
{
    ordo_names_free(&processes->names);
    free(processes->ranks);
    *processes = (struct ordo_processes){0};
}
