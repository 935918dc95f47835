/* ordo-bench model: projects the throughput of RLU to many threads, from costs measured here. With --machine, it
 * projects to a machine with published transfer times of cache lines. */
#include <stdlib.h>

#include "common/command.h"
#include "model/arguments.h"
#include "model/machines.h"
#include "model/scaling.h"
#include "model/transfer.h"
#include "rlu/figures.h"
#include "rlu/run.h"

#define MOST_THREADS 240 /* the machine of Kashyap et al. */

#define MOST_COUNTS 16

static const int usual_counts[] = {1, 2, 4, 8, 16, 32, 64, 120, 180, MOST_THREADS};
#define USUAL_COUNTS (sizeof usual_counts / sizeof *usual_counts)

/* The machine and the thread counts of the projection. */
struct target {
    const struct model_machine *machine; /* NULL: a machine with more CPUs of the kind used here */
    int threads[MOST_COUNTS];
    size_t count;
};

static const char *const assumptions[] = {
    "the work of an operation is what one thread alone needs here, with any number of threads",
    "every transfer of a cache line costs what it costs between the first two CPUs here, or with --machine the "
    "published "
    "median of all pairs: no packages, no bandwidth",
    "with --machine the boundary is at least the largest published transfer: a calibration there would find no less",
    "a flush marks the other threads one after the other, a transfer each; the next operation of each fetches its line",
    "ordo: a marked thread reads its own clock, and waits for what is left of the boundary",
    "logical: a marked thread reads the counter and a flush increments it; the line serves one thread at a time",
    "elements that others changed are fetched again, as often as fits logical at 2 threads; no aborts",
};
#define ASSUMPTIONS (sizeof assumptions / sizeof *assumptions)

static const char *const published = "Kashyap et al., EuroSys 2018: several algorithms with Ordo 1.2 to 39.7 times as "
                                     "fast, on 32 to 240 hardware threads";

struct projection {
    const struct target *target;
    struct model_costs logical, ordo;
    double measured_logical, measured_ordo; /* operations per second at 2 threads */
};

/* Returns the costs of a stamp, from the measured set. */
static struct model_costs costs_of(const struct rlu_run *run, const struct bench_set *set, const char *name,
                                   double transfer_ns)
{
    const struct bench_cell *cell = bench_find(set, name, 1);
    return (struct model_costs){
        .work_ns = bench_ns_per_op(set, cell),
        .flushes_per_op = (double)cell->counters[RLU_FLUSHES] / (double)cell->ops,
        .transfer_ns = transfer_ns,
        .lines = (double)rlu_elements(&run->options, RLU_HASH) / (double)run->options.buckets / 2 + 2,
    };
}

/* Replaces the transfer time by that of `machine`, and raises the boundary to its largest transfer time. The other
 * costs stay as fitted with the transfer time of this machine. */
static void move_to(struct projection *p, const struct model_machine *machine)
{
    p->logical.transfer_ns = p->ordo.transfer_ns = machine->median_ns;
    if (p->ordo.boundary_ns < machine->most_ns)
        p->ordo.boundary_ns = machine->most_ns;
}

static struct projection project(const struct rlu_run *run, const struct target *target, const struct bench_set *set,
                                 double transfer_ns)
{
    const struct bench_cell *logical = bench_find(set, "rlu/logical", 2), *ordo = bench_find(set, "rlu/ordo", 2);
    struct projection p = {
        .target = target,
        .logical = costs_of(run, set, "rlu/logical", transfer_ns),
        .ordo = costs_of(run, set, "rlu/ordo", transfer_ns),
        .measured_logical = bench_ops_per_s(set, logical).median,
        .measured_ordo = bench_ops_per_s(set, ordo).median,
    };
    p.logical.counter = 1;
    p.logical.stale = model_fit(&p.logical, bench_ns_per_op(set, logical));
    p.ordo.stale = p.logical.stale;
    double added_ns = bench_added_ns(set, bench_find(set, "rlu/logical+clock", 1), bench_find(set, "rlu/logical", 1));
    p.ordo.clock_ns = added_ns > 0 ? added_ns : 0;
    p.ordo.boundary_ns =
        (double)ordo_boundary(&run->boundary.handle) * ((const struct rlu_bench *)ordo->variant->context)->ns_per_tick;
    if (target->machine)
        move_to(&p, target->machine);
    return p;
}

static void print_projection(const struct projection *p, const char *workload)
{
    const struct target *target = p->target;
    printf("\nMODEL of %s%s%s: computed, not measured\n", workload, target->machine ? " on " : "",
           target->machine ? target->machine->name : "");
    printf("cache line %.1f ns, clock in place %.1f ns, boundary %.1f ns, %.4f flushes per operation, stale %.3f\n",
           p->ordo.transfer_ns, p->ordo.clock_ns, p->ordo.boundary_ns, p->ordo.flushes_per_op, p->ordo.stale);
    printf("%7s %17s %14s %13s\n", "threads", "rlu/logical Mop/s", "rlu/ordo Mop/s", "ordo/logical");
    for (size_t i = 0; i < target->count; i++) {
        double logical = model_ops_per_s(&p->logical, target->threads[i]);
        double ordo = model_ops_per_s(&p->ordo, target->threads[i]);
        printf("%7d %17.1f %14.1f %13.2f", target->threads[i], logical / 1e6, ordo / 1e6, ordo / logical);
        if (target->threads[i] == 2 && !target->machine)
            printf("   measured: %.1f, %.1f, %.2f", p->measured_logical / 1e6, p->measured_ordo / 1e6,
                   p->measured_ordo / p->measured_logical);
        printf("\n");
    }
}

/* Returns a projected result. It has the form of a measured result, so that `plot` can draw it, and is marked as a
 * MODEL. */
static struct ordo_json result_json(const struct model_costs *costs, const char *stamp, const char *workload,
                                    int update_percent, int threads)
{
    char name[BENCH_NAME];
    double ops_per_s = model_ops_per_s(costs, threads);
    (void)snprintf(name, sizeof name, "MODEL %s", workload);
    struct ordo_json result = ordo_json_object(), speed = ordo_json_object(), parameters = ordo_json_object();
    ordo_json_put_real(&speed, "median", ops_per_s);
    ordo_json_put_real(&speed, "low", ops_per_s);
    ordo_json_put_real(&speed, "high", ops_per_s);
    ordo_json_put_text(&parameters, "structure", "MODEL hash");
    ordo_json_put_int(&parameters, "update_percent", update_percent);
    ordo_json_put_bool(&result, "model", true);
    ordo_json_put_text(&result, "algorithm", "rlu");
    ordo_json_put_text(&result, "stamp", stamp);
    ordo_json_put_text(&result, "workload", name);
    ordo_json_put_int(&result, "threads", threads);
    ordo_json_put(&result, "ops_per_s", speed);
    ordo_json_put_real(&result, "ns_per_op", threads * 1e9 / ops_per_s);
    ordo_json_put_text(&result, "cpu_share", NULL);
    ordo_json_put_text(&result, "audit", NULL);
    ordo_json_put(&result, "parameters", parameters);
    return result;
}

static struct ordo_json costs_json(const struct projection *p, const char *workload)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "workload", workload);
    ordo_json_put_real(&object, "transfer_ns", p->ordo.transfer_ns);
    ordo_json_put_real(&object, "clock_ns", p->ordo.clock_ns);
    ordo_json_put_real(&object, "boundary_ns", p->ordo.boundary_ns);
    ordo_json_put_real(&object, "flushes_per_op", p->ordo.flushes_per_op);
    ordo_json_put_real(&object, "stale_lines_per_op", p->ordo.stale);
    return object;
}

static void add_projection(struct ordo_json *document, const struct projection *p, const char *workload,
                           int update_percent)
{
    for (size_t i = 0; i < p->target->count; i++) {
        int threads = p->target->threads[i];
        ordo_json_append(document, "results", result_json(&p->ordo, "ordo", workload, update_percent, threads));
        ordo_json_append(document, "results", result_json(&p->logical, "logical", workload, update_percent, threads));
    }
}

/* Projects one share of updates. The costs are added to `model`, the part of the document about the model. */
static int model_updates(struct rlu_run *run, const struct target *target, int update_percent, double transfer_ns,
                         struct ordo_json *model, struct ordo_error *error)
{
    struct bench_set set;
    int code = rlu_run_measure(run, RLU_HASH, update_percent, &set, error);
    if (!code) {
        bench_report_set(&run->report, &set, rlu_extras);
        struct projection p = project(run, target, &set, transfer_ns);
        if (run->report.json) {
            add_projection(&run->report.document, &p, run->workload, update_percent);
            ordo_json_append(model, "costs", costs_json(&p, run->workload));
        } else {
            print_projection(&p, run->workload);
        }
        if (!run->report.json)
            bench_report_print_busy(&run->report);
    }
    bench_free(&set);
    return code;
}

static struct ordo_json machine_json(const struct model_machine *machine)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "name", machine->name);
    ordo_json_put_int(&object, "cpus", machine->cpus);
    ordo_json_put_real(&object, "median_ns", machine->median_ns);
    ordo_json_put_real(&object, "most_ns", machine->most_ns);
    ordo_json_put_text(&object, "source", machine->source);
    return object;
}

static void print_assumptions(const struct model_machine *machine)
{
    printf("\nThe MODEL assumes:\n");
    for (size_t i = 0; i < ASSUMPTIONS; i++)
        printf("  - %s\n", assumptions[i]);
    if (machine)
        printf("Transfers of %s, %d CPUs: median %.1f ns, at most %.1f ns (%s)\n", machine->name, machine->cpus,
               machine->median_ns, machine->most_ns, machine->source);
    printf("Published, for comparison: %s\n", published);
}

static struct ordo_json model_json(const struct model_machine *machine)
{
    struct ordo_json model = ordo_json_object(), list = ordo_json_array();
    for (size_t i = 0; i < ASSUMPTIONS; i++)
        ordo_json_add(&list, ordo_json_text(assumptions[i]));
    ordo_json_put(&model, "assumptions", list);
    ordo_json_put_text(&model, "published", published);
    if (machine)
        ordo_json_put(&model, "machine", machine_json(machine));
    ordo_json_put(&model, "costs", ordo_json_array());
    return model;
}

static int model_all(struct rlu_run *run, const struct target *target, struct ordo_error *error)
{
    const struct rlu_options *options = &run->options;
    double transfer_ns = 0, cpu_share = 1;
    int code = model_measure_transfer(&transfer_ns, &cpu_share, &run->machine, &options->common, error);
    run->report.least_cpu_share = cpu_share;
    if (!code && !run->report.json)
        print_assumptions(target->machine);
    struct ordo_json model = run->report.json ? model_json(target->machine) : (struct ordo_json){0};
    for (int i = 0; i < options->update_count && !code; i++)
        code = model_updates(run, target, options->updates[i], transfer_ns, &model, error);
    if (!code && run->report.json) {
        ordo_json_put_bool(&model, "busy", bench_report_busy(&run->report));
        ordo_json_put(&run->report.document, "model", model);
    } else {
        ordo_json_drop(&model);
    }
    return code;
}

/* Chooses 1, 2, 4, ... and the number of all CPUs if there is a target machine; otherwise the usual thread counts. */
static void choose_threads(struct target *target)
{
    target->count = 0;
    if (!target->machine)
        for (; target->count < USUAL_COUNTS; target->count++)
            target->threads[target->count] = usual_counts[target->count];
    for (int threads = 1; target->machine && threads < target->machine->cpus; threads *= 2)
        target->threads[target->count++] = threads;
    if (target->machine)
        target->threads[target->count++] = target->machine->cpus;
}

static int run_model(int argc, char **argv)
{
    struct ordo_error error = {0};
    struct target target = {0};
    int result;
    struct rlu_run *run = calloc(1, sizeof *run);
    if (run) {
        target.machine = model_options_parse(&run->options, argc, argv);
        choose_threads(&target);
        int code = rlu_run_open(run, "model", &error);
        if (!code)
            code = model_all(run, &target, &error);
        result = rlu_run_close(run, "model", code, &error);
    } else {
        result = cli_fail(EXIT_INTERNAL, argv[0], "out of memory");
    }
    free(run);
    return result;
}

const struct command command_model = {
    .name = "model",
    .title = "MODEL of our RLU on up to 512 threads, from costs measured here and published transfer times",
    .schema = "ordo-bench/1",
    .run = run_model,
};
