/* Calibration by the public header alone, as a program that embeds it calls it. */
#include <criterion/criterion.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ordo/calibrate.h>
#include <ordo/ordo.h>

static struct ordo_error error;

static struct ordo_calibrate_options quick(void)
{
    return (struct ordo_calibrate_options){.runs = 400, .sweeps = 2, .force = 1};
}

/* Writes two CPUs that this process may use, as a list. Returns false if there is only one. */
static bool two_cpus(char list[32])
{
    cpu_set_t set;
    int found = 0, first = 0;
    cr_assert_eq(sched_getaffinity(0, sizeof set, &set), 0);
    for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; cpu++)
        if (CPU_ISSET(cpu, &set) && found++ == 0)
            first = cpu;
        else if (CPU_ISSET(cpu, &set))
            snprintf(list, 32, "%d,%d", first, cpu);
    return found == 2;
}

Test(calibrate, options_out_of_range_are_named)
{
    static const struct {
        const char *name;
        struct ordo_calibrate_options options;
    } wrong[] = {
        {"sweeps", {.sweeps = 1}},
        {"sweeps", {.sweeps = -3}},
        {"sweeps", {.sweeps = 1001}},
        {"runs", {.runs = 1}},
        {"runs", {.runs = 1000000001}},
        {"settle", {.settle = UINT64_MAX}},
        {"valid_days", {.valid_days = -1}},
        {"valid_days", {.valid_days = 36501}},
        {"margin_ticks", {.margin_ticks = UINT64_MAX}},
        {"margin_ns", {.margin_ns = (UINT64_C(1) << 40) + 1}},
        {"cpu 99999", {.cpus = "99999"}},
        {"not a list", {.cpus = "zero"}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct ordo_calibration *result = (void *)&error;
        cr_assert_eq(ordo_calibrate(&wrong[i].options, &result, &error), ORDO_E_INVALID, "%s: %s", wrong[i].name,
                     error.text);
        cr_assert(strstr(error.text, wrong[i].name), "%s: %s", wrong[i].name, error.text);
        cr_assert_null(result);
        cr_assert_eq(ordo_calibrate(&wrong[i].options, &result, NULL), ORDO_E_INVALID);
    }
}

struct listener {
    int calls, cancel_at;
    double share;
    int sweep;
};

static int listen(void *context, const struct ordo_calibrate_progress *progress)
{
    struct listener *listener = context;
    cr_assert(progress->share >= listener->share && progress->share <= 1, "%f after %f", progress->share,
              listener->share);
    cr_assert(progress->sweep >= listener->sweep && progress->sweep <= progress->sweeps);
    listener->share = progress->share;
    listener->sweep = progress->sweep;
    return ++listener->calls == listener->cancel_at;
}

Test(calibrate, the_progress_ascends_to_1)
{
    struct listener listener = {0};
    struct ordo_calibrate_options options = quick();
    struct ordo_calibration *result;
    char list[32];
    if (!two_cpus(list))
        cr_skip_test("one CPU");
    options.cpus = list;
    options.progress = listen;
    options.progress_context = &listener;
    cr_assert_eq(ordo_calibrate(&options, &result, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(listener.calls, 2, "one pair has two sweeps");
    cr_assert(listener.share == 1 && listener.sweep == 2);
    ordo_calibration_free(result);
}

Test(calibrate, the_progress_callback_may_cancel)
{
    struct listener listener = {.cancel_at = 1};
    struct ordo_calibrate_options options = quick();
    struct ordo_calibration *result = (void *)&error;
    char list[32];
    if (!two_cpus(list))
        cr_skip_test("one CPU");
    options.cpus = list;
    options.progress = listen;
    options.progress_context = &listener;
    cr_assert_eq(ordo_calibrate(&options, &result, &error), ORDO_E_CANCELLED, "%s", error.text);
    cr_assert_eq(error.code, ORDO_E_CANCELLED);
    cr_assert_eq(listener.calls, 1);
    cr_assert_null(result);
}

/* Expects that the numbers of a result agree with each other. */
static void check_result(const struct ordo_calibration *result, uint64_t margin_ticks)
{
    struct ordo_calibrated_pair pair = {0};
    int64_t largest = INT64_MIN;
    cr_assert_eq(ordo_calibration_cpus(result), 2);
    cr_assert_eq(ordo_calibration_pairs(result), 1);
    cr_assert_eq(ordo_calibration_pair(result, 0, &pair), ORDO_OK);
    cr_assert_eq(ordo_calibration_pair(result, 1, &pair), ORDO_E_INVALID);
    cr_assert_eq(ordo_calibration_pair(result, -1, &pair), ORDO_E_INVALID);
    cr_assert(ordo_calibration_cpu(result, 0) == (long)pair.a && ordo_calibration_cpu(result, 1) == (long)pair.b);
    cr_assert(ordo_calibration_cpu(result, 2) == -1 && ordo_calibration_cpu(result, -1) == -1);
    cr_assert(pair.a < pair.b && pair.share && *pair.share && pair.offset_low_ticks <= pair.offset_high_ticks);
    largest = pair.delta_ab_ticks > pair.delta_ba_ticks ? pair.delta_ab_ticks : pair.delta_ba_ticks;
    cr_assert_eq(ordo_calibration_margin_ticks(result), margin_ticks);
    cr_assert_eq((int64_t)ordo_calibration_boundary_ticks(result),
                 largest + (int64_t)(ordo_calibration_granule_ticks(result) + margin_ticks));
    double ns = (double)ordo_calibration_boundary_ticks(result) * 1e9 / ordo_calibration_tick_hz(result);
    cr_assert_float_eq(ordo_calibration_boundary_ns(result), ns, 1e-3);
    cr_assert_null(ordo_calibration_warning(result, 1000));
    cr_assert_null(ordo_calibration_warning(result, -1));
}

/* Measures the boundary, publishes it twice, and opens the record as any program does. */
Test(calibrate, a_published_record_can_be_opened)
{
    char directory[] = "/tmp/ordo-calibrate-XXXXXX", path[64], lock[80], list[32];
    struct ordo_calibrate_options options = quick();
    struct ordo_calibration *result;
    struct ordo o;
    cpu_set_t before, after, pinned;
    if (!two_cpus(list))
        cr_skip_test("one CPU");
    cr_assert(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/boundary", directory);
    snprintf(lock, sizeof lock, "%s.lock", path);
    cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
    options.cpus = list;
    options.margin_ticks = 7;
    cr_assert_eq(ordo_calibrate(&options, &result, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(sched_getaffinity(0, sizeof after, &after), 0);
    cr_assert(CPU_EQUAL(&before, &after), "the caller was moved");
    check_result(result, 7);
    cr_assert_eq(ordo_calibration_generation(result), 0);
    for (uint64_t generation = 1; generation <= 2; generation++) {
        cr_assert_eq(ordo_calibration_publish(result, path, &error), ORDO_OK, "%s", error.text);
        cr_assert_eq(ordo_calibration_generation(result), generation);
    }
    CPU_ZERO(&pinned);
    CPU_SET((size_t)ordo_calibration_cpu(result, 0), &pinned);
    cr_assert_eq(sched_setaffinity(0, sizeof pinned, &pinned), 0);
    cr_assert_eq(ordo_open_error(&o, path, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_boundary(&o), ordo_calibration_boundary_ticks(result));
    ordo_close(&o);
    ordo_calibration_free(result);
    unlink(path);
    unlink(lock);
    rmdir(directory);
}

Test(calibrate, the_margins_in_ns_and_in_ticks_are_added)
{
    struct ordo_calibrate_options options = quick();
    struct ordo_calibration *result;
    char list[32];
    if (!two_cpus(list))
        cr_skip_test("one CPU");
    options.cpus = list;
    options.margin_ticks = 1000;
    options.margin_ns = 500;
    cr_assert_eq(ordo_calibrate(&options, &result, &error), ORDO_OK, "%s", error.text);
    double margin_ns = ordo_calibration_ns(result, (int64_t)ordo_calibration_margin_ticks(result) - 1000);
    cr_assert(margin_ns >= 500 && margin_ns < 500 + ordo_calibration_ns(result, 1) + 1e-6, "%f", margin_ns);
    ordo_calibration_free(result);
}

Test(calibrate, a_missing_file_is_an_error)
{
    cr_assert_eq(ordo_calibration_publish(NULL, "/nowhere", &error), ORDO_E_INVALID);
    ordo_calibration_free(NULL);
}
