/* The program's provenance, with the simulated machine added. The compiled files call bench_provenance_json, which is here;
 * the function of bench/provenance.c has another name in them. */
#include "lab/cores/wrap/simulated.h"

#include "provenance.h"

struct ordo_json bench_provenance_plain_json(const struct bench_machine *machine, const struct bench_options *options,
                                             const struct bench_boundary *boundary);
void bench_provenance_plain_print(const struct bench_machine *machine, const struct bench_options *options,
                                  const struct bench_boundary *boundary, FILE *stream);

static const struct cores_options *run;

void cores_simulated_open(const struct cores_options *options)
{
    run = options;
}

static struct ordo_json range_json(const struct cores_range *range)
{
    struct ordo_json values = ordo_json_array();
    ordo_json_add(&values, ordo_json_int(range->low));
    ordo_json_add(&values, ordo_json_int(range->likely));
    ordo_json_add(&values, ordo_json_int(range->high));
    return values;
}

static struct ordo_json ranges_json(const struct cores_machine *machine)
{
    struct ordo_json ranges = ordo_json_object();
    ordo_json_put(&ranges, "transfer_percent", range_json(&machine->transfer_percent));
    ordo_json_put(&ranges, "overlap", range_json(&machine->overlap));
    return ranges;
}

static struct ordo_json simulated_json(void)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "machine", run->machine->name);
    ordo_json_put_text(&object, "title", run->machine->title);
    ordo_json_put_int(&object, "cpus", run->machine->cpus);
    ordo_json_put_int(&object, "seed", (int64_t)run->seed);
    ordo_json_put_int(&object, "skew_ticks", (int64_t)run->skew_ticks);
    ordo_json_put_int(&object, "rate_ppb", run->rate_ppb);
    ordo_json_put_real(&object, "stall_ns", (double)run->stall_ps / 1000);
    ordo_json_put_real(&object, "stall_each_ns", (double)run->stall_each_ps / 1000);
    ordo_json_put_real(&object, "quantum_us", (double)run->quantum_ps / 1e6);
    ordo_json_put(&object, "ranges", ranges_json(run->machine));
    ordo_json_put_text(&object, "interval",
                       "over the low, likely and high values of the ranges, not over measured rounds");
    return object;
}

struct ordo_json bench_provenance_json(const struct bench_machine *machine, const struct bench_options *options,
                                       const struct bench_boundary *boundary)
{
    struct ordo_json provenance = bench_provenance_plain_json(machine, options, boundary);
    ordo_json_put(&provenance, "simulated", simulated_json());
    return provenance;
}

void bench_provenance_print(const struct bench_machine *machine, const struct bench_options *options,
                            const struct bench_boundary *boundary, FILE *stream)
{
    const struct cores_range *transfer = &run->machine->transfer_percent, *overlap = &run->machine->overlap;
    fprintf(stream, "SIMULATED on %s, seed %ju, skew %ju ticks: a prediction, no measurement\n", run->machine->name,
            (uintmax_t)run->seed, (uintmax_t)run->skew_ticks);
    fprintf(
        stream,
        "intervals are over the model's ranges (a line is occupied for %u, %u, %u %% of a transfer; %u, %u, %u misses "
        "at once), not over measured rounds\n",
        transfer->low, transfer->likely, transfer->high, overlap->low, overlap->likely, overlap->high);
    bench_provenance_plain_print(machine, options, boundary, stream);
}
