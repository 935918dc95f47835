/* A service that needs no administrator: if no record can be opened, it calibrates and publishes one itself.
 *
 * "anew" calibrates in any case; "force" goes on if the kernel rejects the clock, as it does in some virtual machines. */
#include <stdio.h>
#include <string.h>

#include <ordo/calibrate.h>
#include <ordo/ordo.h>

/* A line for each tenth of the work. */
static int say_how_far(void *context, const struct ordo_calibrate_progress *progress)
{
    int *said = context, tenths = (int)(progress->share * 10);
    if (tenths > *said)
        fprintf(stderr, "calibration: %d%%\n", 10 * (*said = tenths));
    return 0; /* anything else would cancel */
}

static void report(const struct ordo_calibration *found)
{
    struct ordo_calibrated_pair pair;
    const char *warning;
    for (int i = 0; (warning = ordo_calibration_warning(found, i)); i++)
        fprintf(stderr, "warning: %s\n", warning);
    for (int i = 0; ordo_calibration_pair(found, i, &pair) == 0; i++)
        fprintf(stderr, "CPU %u and CPU %u (%s): clock %u is ahead by %lld to %lld ticks\n", pair.a, pair.b, pair.share,
                pair.b, (long long)pair.offset_low_ticks, (long long)pair.offset_high_ticks);
    printf("calibrated %d CPUs, generation %llu\n", ordo_calibration_cpus(found),
           (unsigned long long)ordo_calibration_generation(found));
}

/* Measures and publishes at the default place, which ORDO_RECORD may name. */
static int calibrate(int force, struct ordo_error *error)
{
    int said = 0;
    struct ordo_calibrate_options options = {
        .runs = 10000, .sweeps = 2, .force = force, .progress = say_how_far, .progress_context = &said};
    struct ordo_calibration *found;
    int code = ordo_calibrate(&options, &found, error);
    if (!code)
        code = ordo_calibration_publish(found, NULL, error);
    if (!code)
        report(found);
    ordo_calibration_free(found);
    return code;
}

int main(int argc, char **argv)
{
    struct ordo o;
    struct ordo_error error;
    int anew = argc > 1 && strcmp(argv[1], "anew") == 0, force = argc > 1 && strcmp(argv[argc - 1], "force") == 0;
    if (anew || ordo_open_error(&o, NULL, &error) != 0) {
        if (calibrate(force, &error) != 0 || ordo_open_error(&o, NULL, &error) != 0) {
            fprintf(stderr, "%s\n", error.code == ORDO_E_REFUTED ? "these clocks cannot order events:" : "no record:");
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
    }
    ordo_time first = ordo_get_time(&o), second = ordo_new_time(&o, first);
    printf("the second event is %s\n",
           ordo_cmp_time(&o, second, first) == 1 ? "certainly later" : "not known to be later");
    ordo_close(&o);
    return 0;
}
