/* Predictions: the table, and a point that is computed twice. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/call.h"
#include "lab/cores/machine/machine.h"
#include "lab/cores/predictions/predictions.h"

static struct ordo_error error;

static struct cores_predicted predict(const char *name, int cores)
{
    char path[4096];
    struct cores_predicted point;
    const struct cores_prediction *prediction = cores_prediction_find(name);
    if (!cli_beside("ordo-bench-cores", path, sizeof path))
        cr_skip_test("ordo-bench-cores is not built");
    cr_assert_not_null(prediction);
    cr_assert_eq(cores_predict_point(prediction, cores, &point, &error), ORDO_OK, "%s", error.text);
    return point;
}

Test(cores_predictions, each_name_occurs_once)
{
    const struct cores_prediction *at;
    for (int i = 0; (at = cores_prediction_at(i)); i++)
        cr_expect_eq(cores_prediction_find(at->name), at, "%s", at->name);
    cr_expect_null(cores_prediction_find("nothing"));
}

Test(cores_predictions, each_number_of_cores_is_greater_than_the_one_before_and_fits_the_machine)
{
    const struct cores_prediction *at;
    for (int i = 0; (at = cores_prediction_at(i)); i++) {
        struct cores_machine *machine;
        int before = 0;
        cr_assert_eq(cores_machine_open(&machine, at->machine, 0, &error), ORDO_OK, "%s", error.text);
        for (const int *cores = at->cores; *cores; before = *cores++)
            cr_expect(before < *cores && *cores <= machine->cpus, "%s: %d cores", at->name, *cores);
        cr_expect_gt(before, 0);
        cores_machine_close(machine);
    }
}

Test(cores_predictions, a_prediction_repeats_exactly)
{
    struct cores_predicted first = predict("skylake-4-add", 2), second = predict("skylake-4-add", 2);
    cr_expect_eq(memcmp(&first, &second, sizeof first), 0);
}

Test(cores_predictions, contention_costs_time)
{
    struct cores_predicted alone = predict("skylake-4-add", 1), both = predict("skylake-4-add", 2);
    cr_expect(0 < alone.low && alone.low < alone.likely && alone.likely < alone.high);
    cr_expect(both.low < both.likely && both.likely < both.high);
    cr_expect_gt(both.low, alone.high);
}

Test(cores_predictions, the_machine_needs_a_fraction_of_the_time_of_a_thread)
{
    struct cores_predicted thread = predict("skylake-4-add", 4), machine = predict("skylake-4-add-machine", 4);
    cr_expect_float_eq(thread.likely / machine.likely, 4, 0.01);
}

Test(cores_predictions, two_reads_of_a_clock_cost_the_same_on_one_cpu_and_on_twenty)
{
    struct cores_predicted one = predict("xeon-4114-2-tsc", 1), twenty = predict("xeon-4114-2-tsc", 20);
    cr_expect_float_eq(one.likely / twenty.likely, 1, 0.01);
}

Test(cores_predictions, an_engine_gains_by_the_clock_only_with_many_threads)
{
    struct cores_predicted alone = predict("arm-96-occ", 1), many = predict("arm-96-occ", 64);
    cr_expect(alone.low < 1 && 1 < alone.high);
    cr_expect_gt(many.low, alone.high);
}
