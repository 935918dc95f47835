#include "lab/cores/machine/places.h"

#include <stdlib.h>
#include <string.h>

enum { THREAD, CORE, CLUSTER, NODE, DIGITS };

/* How many there are of each, within the next larger one; or the position of one CPU. */
struct digits {
    int64_t of[DIGITS];
};

static int digit_index(const struct ordo_json_value *digit)
{
    static const char *const words[] = {"thread", "core", "cluster", "node"};
    const char *word = ordo_json_word(digit, "each");
    int index = 0;
    while (index < NODE && strcmp(words[index], word) != 0)
        index++;
    return index;
}

static int64_t digit_count(const struct ordo_json_value *list, size_t i)
{
    return ordo_json_whole(ordo_json_item(list, i), "count", 1);
}

/* Splits the number of a CPU; with the number -1 returns the radices instead. */
static struct digits digits_of(const struct ordo_json_value *list, int64_t number)
{
    struct digits position = {{0}}, radix = {{1, 1, 1, 1}};
    for (size_t i = 0; i < ordo_json_count(list); i++) {
        int index = digit_index(ordo_json_item(list, i));
        int64_t count = digit_count(list, i);
        position.of[index] += number < 0 ? 0 : number % count * radix.of[index];
        radix.of[index] *= count;
        number = number < 0 ? number : number / count;
    }
    return number < 0 ? radix : position;
}

static int64_t list_size(const struct ordo_json_value *list)
{
    int64_t size = 1;
    for (size_t i = 0; i < ordo_json_count(list) && size < INT32_MAX; i++)
        size *= digit_count(list, i);
    return size;
}

int64_t cores_places_count(const struct ordo_json_value *lists)
{
    int64_t count = 0;
    for (size_t i = 0; i < ordo_json_count(lists); i++)
        count += list_size(ordo_json_item(lists, i));
    return count;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Places the CPUs of one list, the first of which is `first`. */
static void place_list(struct cores_machine *machine, const struct ordo_json_value *list, int first)
{
    struct digits radix = digits_of(list, -1);
    int cores = machine->cores;
    for (int i = 0; i < (int)list_size(list); i++) {
        struct digits at = digits_of(list, i);
        int64_t cluster = at.of[NODE] * radix.of[CLUSTER] + at.of[CLUSTER];
        machine->core[first + i] = cores + (int)(cluster * radix.of[CORE] + at.of[CORE]);
        machine->cluster[first + i] = (int)cluster;
        machine->node[first + i] = (int)at.of[NODE];
    }
    machine->cores = cores + (int)(radix.of[NODE] * radix.of[CLUSTER] * radix.of[CORE]);
    machine->clusters = larger(machine->clusters, (int)(radix.of[NODE] * radix.of[CLUSTER]));
    machine->nodes = larger(machine->nodes, (int)radix.of[NODE]);
}

static int allocate_places(struct cores_machine *machine)
{
    size_t cpus = (size_t)machine->cpus;
    machine->core = calloc(cpus, sizeof *machine->core);
    machine->cluster = calloc(cpus, sizeof *machine->cluster);
    machine->node = calloc(cpus, sizeof *machine->node);
    return machine->core && machine->cluster && machine->node ? ORDO_OK : ORDO_E_SYSTEM;
}

int cores_places_read(struct cores_machine *machine, const struct ordo_json_value *lists)
{
    if (cores_places_count(lists) != machine->cpus)
        return ORDO_E_INVALID;
    if (allocate_places(machine))
        return ORDO_E_SYSTEM;
    machine->cores = machine->clusters = machine->nodes = 0;
    int first = 0;
    for (size_t i = 0; i < ordo_json_count(lists); i++) {
        place_list(machine, ordo_json_item(lists, i), first);
        first += (int)list_size(ordo_json_item(lists, i));
    }
    return ORDO_OK;
}

/* Numbers the cores, clusters or nodes of the chosen CPUs in the order of their old numbers, copy by copy. Returns
 * their count; -1 if out of memory. */
static int number_chosen(const struct cores_choice *choices, int count, const int *old, int olds, int *fresh)
{
    int copies = 0, numbers = 0;
    for (int i = 0; i < count; i++)
        copies = larger(copies, choices[i].copy + 1);
    int *number = calloc((size_t)copies * (size_t)olds, sizeof *number);
    if (!number)
        return -1;
    for (int i = 0; i < count; i++)
        number[choices[i].copy * olds + old[choices[i].cpu]] = 1;
    for (int i = 0; i < copies * olds; i++)
        number[i] = number[i] ? numbers++ : -1;
    for (int i = 0; i < count; i++)
        fresh[i] = number[choices[i].copy * olds + old[choices[i].cpu]];
    free(number);
    return numbers;
}

static void fill_transfers(struct cores_machine *to, const struct cores_machine *from,
                           const struct cores_choice *choices, const struct cores_boards *boards)
{
    for (int i = 0; i < to->cpus; i++)
        for (int j = 0; j < to->cpus; j++) {
            const struct cores_choice a = choices[i], b = choices[j];
            to->transfer_ps[(size_t)i * (size_t)to->cpus + (size_t)j] =
                a.copy == b.copy ? from->transfer_ps[(size_t)a.cpu * (size_t)from->cpus + (size_t)b.cpu]
                                 : cores_boards_apart(boards, a.copy, b.copy);
        }
}

static void fill_memory(struct cores_machine *to, const struct cores_machine *from, const struct cores_choice *choices,
                        uint32_t far_ps)
{
    for (int i = 0; i < to->cpus; i++)
        for (int j = 0; j < to->cpus; j++) {
            const struct cores_choice a = choices[i], b = choices[j];
            to->memory_ps[to->node[i] * to->nodes + to->node[j]] =
                a.copy == b.copy ? from->memory_ps[from->node[a.cpu] * from->nodes + from->node[b.cpu]] : far_ps;
        }
}

/* Makes the arrays of the new machine `to`, which has the constants of `from`. */
static int allocate_chosen(struct cores_machine *to, const struct cores_machine *from,
                           const struct cores_choice *choices)
{
    size_t cpus = (size_t)to->cpus;
    to->transfer_ps = calloc(cpus * cpus, sizeof *to->transfer_ps);
    if (allocate_places(to) || !to->transfer_ps)
        return ORDO_E_SYSTEM;
    to->cores = number_chosen(choices, to->cpus, from->core, from->cores, to->core);
    to->clusters = number_chosen(choices, to->cpus, from->cluster, from->clusters, to->cluster);
    to->nodes = number_chosen(choices, to->cpus, from->node, from->nodes, to->node);
    if (to->cores < 0 || to->clusters < 0 || to->nodes < 0)
        return ORDO_E_SYSTEM;
    if (from->memory_ps)
        to->memory_ps = calloc((size_t)to->nodes * (size_t)to->nodes, sizeof *to->memory_ps);
    return from->memory_ps && !to->memory_ps ? ORDO_E_SYSTEM : ORDO_OK;
}

static void free_arrays(const struct cores_machine *machine)
{
    free(machine->core);
    free(machine->cluster);
    free(machine->node);
    free(machine->transfer_ps);
    free(machine->memory_ps);
}

int cores_places_choose(struct cores_machine *machine, const struct cores_choice *choices, int count,
                        const struct cores_boards *boards, uint32_t memory_far_ps, struct ordo_error *error)
{
    struct cores_machine chosen = *machine;
    chosen.core = chosen.cluster = chosen.node = NULL;
    chosen.transfer_ps = chosen.memory_ps = NULL;
    chosen.cpus = count;
    if (allocate_chosen(&chosen, machine, choices)) {
        free_arrays(&chosen);
        return ordo_error_errno(error, "a machine of %d CPUs", count);
    }
    fill_transfers(&chosen, machine, choices, boards);
    if (chosen.memory_ps)
        fill_memory(&chosen, machine, choices, memory_far_ps);
    free_arrays(machine);
    *machine = chosen;
    return ORDO_OK;
}
