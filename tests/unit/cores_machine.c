/* The machines that can be simulated: their matrices, what their CPUs share, other sizes, and damaged files. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/cores/machine/machine.h"

static struct ordo_error error;

static struct cores_machine *open_named(const char *name, int cpus)
{
    struct cores_machine *machine;
    cr_assert_eq(cores_machine_open(&machine, name, cpus, &error), ORDO_OK, "%s", error.text);
    return machine;
}

static uint32_t transfer(const struct cores_machine *machine, int from, int to)
{
    return machine->transfer_ps[(size_t)from * (size_t)machine->cpus + (size_t)to];
}

/* Checks each pair of different CPUs of each machine. */
static void check_pairs(bool (*holds)(const struct cores_machine *machine, int i, int j))
{
    for (size_t m = 0; cores_machine_name(m); m++) {
        struct cores_machine *machine = open_named(cores_machine_name(m), 0);
        for (int i = 0; i < machine->cpus; i++)
            for (int j = 0; j < machine->cpus; j++)
                cr_assert(i == j || holds(machine, i, j), "%s: CPUs %d and %d", machine->name, i, j);
        cores_machine_close(machine);
    }
}

static bool is_positive_and_symmetric(const struct cores_machine *machine, int i, int j)
{
    return transfer(machine, i, j) > 0 && transfer(machine, i, j) == transfer(machine, j, i);
}

Test(cores_machine, every_matrix_is_positive_and_symmetric)
{
    check_pairs(is_positive_and_symmetric);
}

static bool shares_in_order(const struct cores_machine *machine, int i, int j)
{
    return (machine->core[i] != machine->core[j] || machine->cluster[i] == machine->cluster[j]) &&
           (machine->cluster[i] != machine->cluster[j] || machine->node[i] == machine->node[j]);
}

Test(cores_machine, a_core_is_in_one_cluster_and_a_cluster_in_one_node)
{
    check_pairs(shares_in_order);
}

/* The least time from CPU i to a CPU of its core, or of another core; 0: there is none. */
static uint32_t nearest(const struct cores_machine *machine, int i, bool same_core)
{
    uint32_t least = 0;
    for (int j = 0; j < machine->cpus; j++)
        if (j != i && (machine->core[i] == machine->core[j]) == same_core &&
            (least == 0 || transfer(machine, i, j) < least))
            least = transfer(machine, i, j);
    return least;
}

Test(cores_machine, no_cpu_is_nearer_than_a_thread_of_the_same_core)
{
    for (size_t m = 0; cores_machine_name(m); m++) {
        struct cores_machine *machine = open_named(cores_machine_name(m), 0);
        int alone = 0;
        for (int i = 0; i < machine->cpus; i++) {
            uint32_t mate = nearest(machine, i, true), other = nearest(machine, i, false);
            alone += mate == 0;
            cr_assert(mate == 0 || mate <= other, "%s: CPU %d: %u ps, %u ps", machine->name, i, mate, other);
        }
        cr_assert(machine->cores == machine->cpus ? alone == machine->cpus : alone < machine->cpus, "%s",
                  machine->name);
        cores_machine_close(machine);
    }
}

Test(cores_machine, the_names_are_in_alphabetical_order_and_have_sources)
{
    for (size_t m = 0; cores_machine_name(m); m++) {
        struct cores_machine *machine = open_named(cores_machine_name(m), 0);
        cr_assert(m == 0 || strcmp(cores_machine_name(m - 1), cores_machine_name(m)) < 0);
        cr_assert_str_eq(machine->name, cores_machine_name(m));
        cr_assert(strstr(machine->source, "transfer: ") && strstr(machine->source, "\nsmt: "));
        cores_machine_close(machine);
    }
}

Test(cores_machine, the_machines_of_the_predictions_have_their_cpus)
{
    static const struct {
        const char *name;
        int cpus, cores, nodes;
    } expected[] = {{"here", 2, 2, 1},          {"graviton", 16, 16, 1},     {"graviton2-16", 16, 16, 1},
                    {"icelake-4", 8, 4, 1},     {"skylake-4", 8, 4, 1},      {"superdome-28", 1568, 784, 28},
                    {"xeon-4114-2", 40, 20, 2}, {"arm-96", 96, 96, 2},       {"xeon-120", 240, 120, 8},
                    {"phi-64", 256, 64, 1},     {"epyc-512", 512, 256, 2},   {"xeon-512", 512, 256, 8},
                    {"arm-512", 512, 512, 8},   {"epyc-7742-2", 256, 128, 2}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct cores_machine *machine = open_named(expected[i].name, 0);
        cr_expect_eq(machine->cpus, expected[i].cpus, "%s", expected[i].name);
        cr_expect_eq(machine->cores, expected[i].cores, "%s", expected[i].name);
        cr_expect_eq(machine->nodes, expected[i].nodes, "%s", expected[i].name);
        cores_machine_close(machine);
    }
}

Test(cores_machine, a_superdome_has_the_published_times_of_memory)
{
    struct cores_machine *machine = open_named("superdome-28", 0);
    cr_assert_eq(machine->memory_ps[0], 97000);
    cr_assert_eq(machine->memory_ps[1], 226000);
    cr_assert_eq(machine->memory_ps[2], 259000);
    cr_assert_eq(machine->memory_ps[4 * 28 + 5], 226000);
    cr_assert(machine->memory_ps[4] > 370000 && machine->memory_ps[4] < 390000);
    cores_machine_close(machine);
}

Test(cores_machine, an_enlarged_machine_keeps_its_distances)
{
    struct cores_machine *small = open_named("xeon-6242-2", 0), *large = open_named("xeon-6242-2", 150);
    cr_assert_eq(large->cpus, 150);
    cr_assert_eq(large->nodes, 5);
    for (int i = 0; i < small->cpus; i++)
        for (int j = 0; j < small->cpus; j++)
            cr_assert_eq(transfer(small, i, j), transfer(large, i, j));
    /* CPU 64 is a copy of CPU 0, CPU 65 of CPU 1. */
    cr_assert_eq(transfer(large, 64, 65), transfer(small, 0, 1));
    cr_assert_eq(transfer(large, 0, 64), transfer(large, 1, 149));
    cr_assert_gt(transfer(large, 0, 64), 130000);
    cr_assert_eq(large->memory_ps[0 * 5 + 4], 140000);
    cores_machine_close(small);
    cores_machine_close(large);
}

Test(cores_machine, a_reduced_machine_has_the_first_cpus)
{
    struct cores_machine *all = open_named("graviton2", 0), *some = open_named("graviton2", 16);
    cr_assert_eq(some->cores, 16);
    cr_assert_eq(some->clusters, 1);
    for (int i = 0; i < 16; i++)
        cr_assert_eq(transfer(all, i, 3), transfer(some, i, 3));
    cores_machine_close(all);
    cores_machine_close(some);
}

static void refuse(const char *name, int cpus, const char *a, const char *b)
{
    struct cores_machine *machine;
    cr_assert_eq(cores_machine_open(&machine, name, cpus, &error), ORDO_E_INVALID);
    cr_assert_null(machine);
    cr_assert(strstr(error.text, a) && strstr(error.text, b) && !strchr(error.text, '\n'), "%s", error.text);
}

Test(cores_machine, an_unknown_name_is_refused_with_the_command_that_lists_the_names)
{
    refuse("pdp-11", 0, "pdp-11: ", "ordo-lab cores --list");
}

Test(cores_machine, a_size_that_no_machine_has_is_refused)
{
    refuse("graviton2", 5000, "5000 CPUs", "give 1 to 4096");
    refuse("graviton2", -1, "-1 CPUs", "give 1 to 4096");
    refuse("skylake-4", 16, "16 CPUs", "give 1 to 8");
}

/* Writes a machine of three CPUs, in which `from` is replaced by `to`, and its matrix. */
static void write_machine(const char *from, const char *to, const char *matrix)
{
    static char folder[] = "/tmp/cores-machine-XXXXXX";
    static bool made;
    static const char text[] =
        "{\"schema\": \"ordo-machine/1\", \"title\": \"three CPUs\", \"matrix\": {\"file\": \"m.csv\", \"rows_ns\": "
        "null,"
        " \"levels_ns\": null, \"pick\": null, \"threads\": null}, \"cpus\": [[{\"each\": \"core\", \"count\": 3}]],"
        " \"packages\": {\"count\": 1, \"board\": 1, \"near_ns\": []}, \"memory\": {\"local_ns\": 80, \"board\": 1,"
        " \"near_ns\": []}, \"far\": {\"transfer_ns\": 0, \"memory_ns\": 0}, \"line_bytes\": 64, \"protocol\": "
        "\"MESI\","
        " \"order\": \"TSO\", \"l1\": {\"bytes\": 32768, \"ways\": 8, \"hit_ps\": 1000},"
        " \"l2\": {\"bytes\": 0, \"ways\": 0, \"hit_ps\": 0}, \"l3\": {\"bytes\": 0, \"ways\": 0, \"hit_ps\": 0},"
        " \"tlb\": {\"first\": 64, \"second\": 1536, \"page_bytes\": 4096, \"second_ps\": 2000, \"walk_ps\": 9000},"
        " \"transfer_percent\": [35, 65, 100], \"overlap\": [2, 4, 8], \"store_entries\": 40, \"cycle_ps\": 400,"
        " \"instruction_ps\": 200, \"wake_ps\": 3000000, \"wake_call_ps\": 1500000, \"switch_ps\": 1500000, "
        "\"pause_ps\": 3000,"
        " \"mispredict_ps\": 5000, \"call_ps\": 90000, \"update_ps\": 6000, \"fence_ps\": 9000, \"clock_ps\": 8000,"
        " \"clock_load_ps\": 2000, \"smt_percent\": 100, \"clock_hz\": 1000000000, \"sources\": {"
        "\"transfer\": \"a test only\", \"numbering\": \"a test only\", \"memory\": \"a test only\","
        " \"caches\": \"a test only\", \"protocol\": \"a test only\", \"overlap\": \"a test only\","
        " \"code\": \"a test only\", \"atomics\": \"a test only\", \"clock\": \"a test only\","
        " \"call\": \"a test only\", \"wake\": \"a test only\", \"pause\": \"a test only\","
        " \"smt\": \"a test only\"}}";
    cr_assert(made || mkdtemp(folder));
    made = true;
    cr_assert_eq(chdir(folder), 0);
    const char *at = strstr(text, from);
    cr_assert_not_null(at);
    FILE *file = fopen("m.json", "w");
    (void)fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    (void)fclose(file);
    file = fopen("m.csv", "w");
    (void)fputs(matrix, file);
    (void)fclose(file);
}

static const char three[] = ",,\n50,,\n60.5,70.1234,\n";

Test(cores_machine, a_path_opens_a_file_and_a_matrix_of_the_same_folder)
{
    write_machine("three", "three", three);
    struct cores_machine *machine = open_named("./m.json", 0);
    cr_assert_eq(transfer(machine, 2, 0), 60500);
    cr_assert_eq(transfer(machine, 1, 2), 70123);
    cr_assert_eq(machine->tlb.second, 1536);
    cr_assert_eq(machine->tlb.walk_ps, 9000);
    cores_machine_close(machine);
    cr_assert_eq(unlink("m.json") + unlink("m.csv"), 0);
}

Test(cores_machine, a_damaged_file_is_refused_with_one_line)
{
    static const struct {
        const char *from, *to, *matrix, *found;
    } faults[] = {
        {"\"update_ps\": 6000,", "", three, "lacks the key \"update_ps\""},
        {"\"update_ps\": 6000", "\"update_ps\": -1", three, "-1, and not 1 to"},
        {"\"line_bytes\": 64", "\"line_bytes\": 96", three, "96, and not a power of 2"},
        {"\"line_bytes\": 64", "\"line_bytes\": 32", three, "32, and not 64 to 256"},
        {"\"page_bytes\": 4096", "\"page_bytes\": 5000", three, "5000, and not a power of 2"},
        {"\"first\": 64", "\"first\": 1", three, "1, and not 8 to"},
        {"\"store_entries\": 40", "\"store_entries\": 257", three, "257, and not 1 to 256"},
        {"\"count\": 3", "\"count\": 4096", three, "4096 CPUs, and the matrix has 3"},
        {"\"count\": 3", "\"count\": 5000", three, "5000, and not 1 to 4096"},
        {"[35, 65, 100]", "[35, 25, 100]", three, "not low, likely, high"},
        {"m.csv", "none.csv", three, "none.csv is neither in the folder of the file nor built in"},
        {"m.csv", "../../dev/zero", three, "../../dev/zero is neither in the folder of the file nor built in"},
        {"three", "three", ",,\n50,,\n60.5,", "line 3 of 3"},
        {"three", "three", ",,\n50,,\n60.5,-70,\n", "line 3 of 3"},
        {"three", "three", ",,\n50,,\n60.5,2000000,\n", "no time from 0.001 to 1000000 ns"},
        {"three", "three", ",,\n50,,\n", "line 1 of 2"},
        {"three", "three", "", "0 lines"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        write_machine(faults[i].from, faults[i].to, faults[i].matrix);
        refuse("./m.json", 0, "m.", faults[i].found);
    }
    cr_assert_eq(unlink("m.json") + unlink("m.csv"), 0);
}
