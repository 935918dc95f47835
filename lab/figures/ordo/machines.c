/* Four machines of the kinds that the document measured, and clocks as its abstract describes them: those of an Intel and
 * of an ARM machine are not synchronised. Counters with such offsets are made, and go through the calibration of this
 * project (bound/boundary.h).
 *
 * The sizes of the offsets are assumed, because Table 1 was not available: no number is compared. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "calibrate/bound/boundary.h"
#include "calibrate/bound/conclude.h"
#include "lab/figures/ordo/ordo.h"

enum { MACHINES = 4, SWEEPS = 2, SECOND = 2000000000 };

static const struct machine {
    const char *name;
    int sockets, cpus;   /* cpus: hardware threads of each socket */
    int near_ns, far_ns; /* the time of a message within and between sockets */
    int late_ns;         /* by how much the clock of the last socket is late */
    double ghz;
} machines[MACHINES] = {
    {"Intel Xeon", 8, 30, 70, 150, 126, 2.4},
    {"Intel Xeon Phi", 1, 256, 90, 270, 0, 1.3},
    {"AMD", 8, 4, 93, 203, 0, 2.8},
    {"ARM", 2, 48, 100, 200, 900, 2.0},
};

struct table {
    uint64_t boundary, corrected, largest_offset;
    int64_t proved, least, most;
};

/* Returns the time of a message. In a machine of one socket the distance grows with the distance of the numbers. */
static double latency_ns(const struct machine *machine, int a, int b)
{
    if (machine->sockets > 1)
        return a / machine->cpus == b / machine->cpus ? machine->near_ns : machine->far_ns;
    return machine->near_ns + (machine->far_ns - machine->near_ns) * (abs(a - b) - 1.0) / (machine->cpus - 2.0);
}

static int64_t clock_of(const struct machine *machine, int cpu)
{
    bool late = machine->late_ns && cpu / machine->cpus == machine->sockets - 1;
    return late ? -llround(machine->late_ns * machine->ghz) : 0;
}

/* Makes the visits of all pairs: the smallest delta is the time of a message, plus the offset, plus up to 2 ticks. */
static void make_visits(const struct machine *machine, int count, uint64_t random, struct ordo_visit *visits)
{
    for (int k = 0; k < SWEEPS; k++)
        for (int a = 0; a < count; a++)
            for (int b = a + 1; b < count; b++) {
                int64_t offset = clock_of(machine, b) - clock_of(machine, a);
                int64_t ticks = llround(latency_ns(machine, a, b) * machine->ghz);
                uint64_t at = (uint64_t)(k + 1) * SECOND;
                visits[(k * count + a) * count + b] =
                    ordo_visit_plain(ticks + offset + (int64_t)(ordo_random_next(&random) % 3),
                                     ticks - offset + (int64_t)(ordo_random_next(&random) % 3), at, at);
            }
}

static void describe(const struct machine *machine, const struct ordo_calibration *made, struct table *table)
{
    int count = made->count, a, b;
    *table = (struct table){.boundary = made->boundary_ticks, .corrected = made->corrected_boundary_ticks};
    table->proved = ordo_calibration_worst_offset(made, &a, &b);
    table->least = INT64_MAX;
    for (a = 0; a < count; a++)
        for (b = 0; b < count; b++) {
            if (a == b)
                continue;
            int64_t there = made->delta_ticks[a * count + b], back = made->delta_ticks[b * count + a];
            uint64_t apart = (uint64_t)llabs(clock_of(machine, a) - clock_of(machine, b));
            int64_t smaller = there < back ? there : back;
            table->least = smaller < table->least ? smaller : table->least;
            table->most = there > table->most ? there : table->most;
            table->largest_offset = apart > table->largest_offset ? apart : table->largest_offset;
        }
}

static int calibrate_machine(const struct machine *machine, uint64_t seed, struct table *table,
                             struct ordo_error *error)
{
    int count = machine->sockets * machine->cpus;
    struct ordo_calibration *made = ordo_calibration_new(count);
    struct ordo_visit *visits = calloc((size_t)SWEEPS * (size_t)count * (size_t)count, sizeof *visits);
    int code = made && visits ? ORDO_OK : ordo_error_errno(error, "%s", machine->name);
    if (!code) {
        for (int i = 0; i < count; i++)
            made->cpus[i] = (unsigned)i;
        made->granule_ticks = made->step_ticks = 1;
        made->tick_hz = machine->ghz * 1e9;
        make_visits(machine, count, seed, visits);
        code = ordo_boundary_compute(made, visits, SWEEPS, error);
    }
    if (!code)
        code = ordo_boundary_conclude(made, error);
    if (!code)
        describe(machine, made, table);
    free(visits);
    ordo_calibration_free(made);
    return code;
}

static void claim_offsets(struct ordo_figure_run *run, const struct table *tables)
{
    bool covered = true;
    for (int i = 0; i < MACHINES; i++)
        covered &= tables[i].boundary >= tables[i].largest_offset;
    ordo_figure_claim(run, covered, "on all four machines the boundary is at least the largest offset of two clocks");
    ordo_figure_claim(run, tables[0].largest_offset && tables[3].largest_offset && tables[3].proved > 0,
                      "the offset of the ARM machine is larger than the time of a message, and is proved");
    ordo_figure_claim(run, tables[3].least < 0,
                      "ARM: a difference in one direction is negative; the minimum of both would order events wrongly");
    ordo_figure_claim(run, tables[1].proved == 0 && tables[2].proved == 0,
                      "the clocks of the Xeon Phi and of the AMD machine are not shown to differ");
    ordo_figure_claim(run, tables[0].corrected < tables[0].boundary && tables[3].corrected < tables[3].boundary / 2,
                      "corrected clocks have a smaller boundary on Intel and ARM");
}

int ordo_paper_machines(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct table tables[MACHINES];
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "offsets of four machines", "machine", "offset, ns", ORDO_FIGURE_LINEAR);
    for (int i = 0; i < MACHINES; i++) {
        int code = calibrate_machine(&machines[i], ordo_figure_seed(run), &tables[i], error);
        if (code)
            return code;
        struct ordo_figure_curve *curve = ordo_figure_curve(panel, machines[i].name, ORDO_FIGURE_POINTS);
        ordo_figure_range(curve, i + 1, (double)tables[i].boundary / machines[i].ghz,
                          (double)tables[i].least / machines[i].ghz, (double)tables[i].most / machines[i].ghz);
    }
    claim_offsets(run, tables);
    return ORDO_OK;
}
