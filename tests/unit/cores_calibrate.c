/* The file of a calibrated machine. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/cores/calibrate/code.h"
#include "lab/cores/calibrate/measure.h"
#include "lab/cores/machine/machine.h"

static struct ordo_error error;

/* A machine whose values are 1.5, 2.5, 3.5, ... ns, with intervals of 10 percent, and some set by a test. */
static struct cores_calibrate_machine make_measured(void)
{
    struct cores_calibrate_machine measured = {.page_bytes = 4096,
                                               .first_pages = 64,
                                               .second_pages = 1536,
                                               .l1_bytes = 32768,
                                               .l2_bytes = 1048576,
                                               .l3_bytes = 33554432,
                                               .l1_ways = 8,
                                               .l2_ways = 8,
                                               .l3_ways = 16,
                                               .line_bytes = 64,
                                               .clock_hz = 2500000000,
                                               .title = "AMD processor"};
    for (int i = 0; i < CORES_CALIBRATE_VALUES; i++)
        measured.ns[i] = (struct cores_calibrate_interval){1.5 + i, 0.9 * (1.5 + i), 1.1 * (1.5 + i)};
    return measured;
}

static struct cores_machine *open_measured(const struct cores_calibrate_machine *measured)
{
    char path[] = "cores-XXXXXX.json", *text = cores_calibrate_text(measured);
    struct cores_machine *machine = NULL;
    int file = mkstemps(path, 5);
    cr_assert(text && file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    (void)close(file);
    int code = cores_machine_open(&machine, path, 0, &error);
    (void)unlink(path);
    free(text);
    cr_assert_eq(code, ORDO_OK, "%s", error.text);
    return machine;
}

Test(cores_calibrate, the_file_opens_as_a_machine_with_the_measured_times)
{
    struct cores_calibrate_machine measured = make_measured();
    struct cores_machine *machine = open_measured(&measured);
    cr_assert_eq(machine->cpus, 2);
    cr_assert_eq(machine->protocol, CORES_MOESI);
    cr_assert_eq(machine->cycle_ps, 1500);
    cr_assert_eq(machine->l1.hit_ps, 3500);
    cr_assert_eq(machine->memory_ps[0], 6500);
    cr_assert_eq(machine->tlb.first, 64);
    cr_assert_eq(machine->tlb.second, 1536);
    cr_assert_eq(machine->tlb.walk_ps, 9500);
    cr_assert_eq(machine->call_ps, 17500);
    cr_assert_eq(machine->clock_hz, 2500000000);
    cores_machine_close(machine);
}

Test(cores_calibrate, without_large_pages_the_file_has_no_tlb)
{
    struct cores_calibrate_machine measured = make_measured();
    measured.first_pages = 0;
    struct cores_machine *machine = open_measured(&measured);
    cr_assert_eq(machine->tlb.first, 0);
    cores_machine_close(machine);
}

Test(cores_calibrate, the_load_that_an_operation_waits_for_is_not_counted_twice)
{
    struct cores_calibrate_machine measured = make_measured();
    measured.ns[CORES_CALIBRATE_L1].median = 1;
    measured.ns[CORES_CALIBRATE_ADD].median = 2.25;
    measured.ns[CORES_CALIBRATE_MISPREDICT].median = 7;
    struct cores_machine *machine = open_measured(&measured);
    cr_assert_eq(machine->update_ps, 1250);
    cr_assert_eq(machine->mispredict_ps, 6000);
    cores_machine_close(machine);
}

Test(cores_calibrate, the_calls_of_a_switch_and_of_a_wake_up_are_not_counted_twice)
{
    struct cores_calibrate_machine measured = make_measured();
    measured.ns[CORES_CALIBRATE_CALL].median = 150;
    measured.ns[CORES_CALIBRATE_WAKE].median = 3000;
    measured.ns[CORES_CALIBRATE_WAKE_CALL].median = 1000;
    measured.ns[CORES_CALIBRATE_SWITCH].median = 1800;
    struct cores_machine *machine = open_measured(&measured);
    cr_assert_eq(machine->wake_ps, 3000000);
    cr_assert_eq(machine->wake_call_ps, 850000);
    cr_assert_eq(machine->switch_ps, 1500000);
    cores_machine_close(machine);
}

Test(cores_calibrate, a_far_transfer_separates_the_clusters)
{
    struct cores_calibrate_machine measured = make_measured();
    measured.ns[CORES_CALIBRATE_L3].median = 15;
    measured.ns[CORES_CALIBRATE_TRANSFER].median = 44;
    struct cores_machine *machine = open_measured(&measured);
    cr_assert_eq(machine->clusters, 1);
    cores_machine_close(machine);
    measured.ns[CORES_CALIBRATE_TRANSFER].median = 46;
    machine = open_measured(&measured);
    cr_assert_eq(machine->clusters, 2);
    cr_assert_eq(machine->transfer_ps[1], 46000);
    cores_machine_close(machine);
}

Test(cores_calibrate, the_share_of_a_transfer_follows_from_two_adders)
{
    struct cores_calibrate_machine measured = make_measured();
    measured.ns[CORES_CALIBRATE_ADD].median = 2;
    measured.ns[CORES_CALIBRATE_TWO_ADDERS] = (struct cores_calibrate_interval){4, 2.5, 8};
    struct cores_machine *machine = open_measured(&measured);
    cr_assert_eq(machine->transfer_percent.low, 75);
    cr_assert_eq(machine->transfer_percent.likely, 100);
    cr_assert_eq(machine->transfer_percent.high, 130);
    cores_machine_close(machine);
}

Test(cores_calibrate, the_instructions_of_each_loop_are_counted)
{
    for (const struct cores_calibrate_code *code = cores_calibrate_codes; code->name; code++) {
        double instructions = cores_calibrate_instructions(code);
        if (instructions == 0)
            cr_skip("ptrace(2) is not allowed");
        cr_assert(instructions > 5 && instructions < 300, "%s: %f", code->name, instructions);
    }
}
