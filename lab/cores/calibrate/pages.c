/* What a load costs if the core does not hold the translation of its page: one pointer in each page, compared with as many
 * pointers in neighbouring lines. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lab/cores/calibrate/walk.h"

enum {
    FEW = 256,   /* more pages than the first level of a TLB has, and fewer than the second one has */
    MANY = 6144, /* more pages than the second level has; their lines fit into L2 */
};

static int measure_lines(size_t count, size_t step, bool large, struct cores_calibrate_interval *ns,
                         struct ordo_error *error)
{
    struct cores_walk walk;
    int failed = cores_walk_open(&walk, count * step, step, large, error);
    if (failed)
        return failed;
    *ns = cores_walk_measure(&walk, 1, true);
    cores_walk_close(&walk);
    return ORDO_OK;
}

/* Measures the time that `count` pages add to a load, at least 0. A pointer is in another line of each page. */
static int measure_pages(const struct cores_calibrate_machine *machine, int count, struct cores_calibrate_interval *ns,
                         struct ordo_error *error)
{
    struct cores_calibrate_interval lines;
    size_t line = (size_t)machine->line_bytes;
    int failed = measure_lines((size_t)count, line, true, &lines, error);
    if (!failed)
        failed = measure_lines((size_t)count, (size_t)machine->page_bytes + line, false, ns, error);
    if (failed)
        return failed;
    ns->median = ns->median > lines.median ? ns->median - lines.median : 0;
    ns->low = ns->low > lines.high ? ns->low - lines.high : 0;
    ns->high = ns->high > lines.low ? ns->high - lines.low : 0;
    return ORDO_OK;
}

/* Finds the largest number of pages, a power of two or 1.5 times one, that adds less than `most_ns`. */
static int find_entries(const struct cores_calibrate_machine *machine, int from, int to, double most_ns, int *entries,
                        struct ordo_error *error)
{
    struct cores_calibrate_interval ns;
    *entries = from;
    for (int power = from; power < to; power *= 2)
        for (int count = power + power / 2; count <= 2 * power; count += power / 2) {
            int failed = measure_pages(machine, count, &ns, error);
            if (failed || ns.median >= most_ns)
                return failed;
            *entries = count;
        }
    return ORDO_OK;
}

/* True if the rings of the caches may be in large pages. If they are not, their times contain the translations, so that
 * the machine must not have a TLB as well. */
static bool large_pages_are_granted(void)
{
    char text[64] = "";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
    if (file && !fgets(text, sizeof text, file))
        text[0] = '\0';
    if (file)
        (void)fclose(file);
    return text[0] && !strstr(text, "[never]") && sysconf(_SC_PAGESIZE) == 4096;
}

int cores_calibrate_pages(struct cores_calibrate_machine *machine, struct ordo_error *error)
{
    struct cores_calibrate_interval *second = &machine->ns[CORES_CALIBRATE_SECOND],
                                    *walk = &machine->ns[CORES_CALIBRATE_WALK];
    if (!large_pages_are_granted())
        return ORDO_OK;
    machine->page_bytes = (int)sysconf(_SC_PAGESIZE);
    int failed = measure_pages(machine, FEW, second, error);
    if (!failed)
        failed = measure_pages(machine, MANY, walk, error);
    if (!failed)
        failed = find_entries(machine, 16, FEW, second->median / 2, &machine->first_pages, error);
    if (!failed)
        failed = find_entries(machine, FEW, 4096, (second->median + walk->median) / 2, &machine->second_pages, error);
    return failed;
}
