/* The settings that Ordo advises for other programs if there is a valid record. tests/cli/advise.sh tests all machines
 * without a record. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "machine/advice/advice.h"

static struct ordo_situation read_machine(const char *machine, bool recorded)
{
    struct ordo_situation situation;
    struct ordo_error error;
    char root[1024];
    (void)snprintf(root, sizeof root, "%s/%s", ORDO_TESTS_MACHINES, machine);
    cr_assert_eq(ordo_situation_read(&situation, root, &error), ORDO_OK, "%s", error.text);
    situation.recorded = recorded;
    return situation;
}

static const char *setting_of(const struct ordo_situation *situation, const char *program)
{
    static struct ordo_setting setting;
    for (const struct ordo_advised *const *at = ordo_adviseds; *at; at++)
        if (strcmp((*at)->name, program) == 0) {
            (*at)->advise(situation, &setting);
            return setting.setting;
        }
    cr_assert_fail("%s: there is no such program", program);
    return "";
}

Test(advice, a_record_lets_programs_read_a_measured_counter)
{
    struct ordo_situation situation = read_machine("kvm-only-parameter", true);
    cr_assert_eq(ordo_situation_counter(&situation), ORDO_COUNTER_YES);
    cr_assert_str_eq(setting_of(&situation, "kernel"), "remove tsc=unstable");
    cr_assert_str_eq(setting_of(&situation, "postgresql"), "timing_clock_source = 'tsc'");
    cr_assert_str_eq(setting_of(&situation, "fio"), "clocksource=cpu");
    cr_assert_str_eq(setting_of(&situation, "quill"), "ClockSourceType::Tsc");
    cr_assert_str_eq(setting_of(&situation, "java"), "keep");
    situation.recorded = false;
    cr_assert_eq(ordo_situation_counter(&situation), ORDO_COUNTER_AFTER_CALIBRATION);
    cr_assert_str_eq(setting_of(&situation, "postgresql"), "timing_clock_source = 'system'");
}

Test(advice, postgresql_needs_rdtscp)
{
    struct ordo_situation situation = read_machine("firecracker", true);
    cr_assert_str_eq(setting_of(&situation, "fio"), "clocksource=cpu");
    cr_assert_str_eq(setting_of(&situation, "postgresql"), "timing_clock_source = 'system'");
}

Test(advice, a_record_does_not_make_a_faulty_counter_usable)
{
    static const char *const machines[] = {"laptop-cpu0-1600ms", "core2-no-invariant", "arm-a73-untrapped"};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct ordo_situation situation = read_machine(machines[i], true);
        cr_assert_eq(ordo_situation_counter(&situation), ORDO_COUNTER_NO, "%s", machines[i]);
        cr_assert_str_eq(setting_of(&situation, "fio"), "clocksource=clock_gettime");
        cr_assert_str_eq(setting_of(&situation, "quill"), "ClockSourceType::System");
    }
}

Test(advice, no_reason_is_cut_off)
{
    static const char *const machines[] = {"kvm-tsc",        "firecracker",       "two-socket-faulted-forced",
                                           "tsc-nowatchdog", "kvm-invtsc-masked", "operator-parameter-hpet",
                                           "arm-a73-erratum"};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        for (const struct ordo_advised *const *at = ordo_adviseds; *at; at++) {
            struct ordo_situation situation = read_machine(machines[i], false);
            struct ordo_setting setting;
            (*at)->advise(&situation, &setting);
            cr_assert_lt(strlen(setting.reason), sizeof setting.reason - 1, "%s: %s", machines[i], setting.reason);
            cr_assert(setting.setting[0] && setting.reason[0], "%s: %s", machines[i], (*at)->name);
        }
}

Test(advice, the_costs_of_this_machine_are_measured)
{
    struct ordo_situation situation;
    cr_assert_eq(ordo_situation_read(&situation, NULL, NULL), ORDO_OK);
    cr_assert_gt(situation.monotonic_ns, 0);
    cr_assert_gt(situation.counter_ns, 0);
}
