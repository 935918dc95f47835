/* Synthetic machines: distances, selections and refused operations; the real machine, at any affinity. */
#include <criterion/criterion.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hwloc.h>

#include "machine/topology/topology.h"

static struct ordo_topology *topology;
static struct ordo_error error;

static void open_machine(void)
{
    /* Two packages of two NUMA nodes. Each node has one L3 with two L2s, each L2 has two cores, each core two PUs: 32
     * PUs. */
    cr_assert_eq(ordo_topology_open(&topology, "pack:2 numa:2 l3:1 l2:2 core:2 pu:2", &error), ORDO_OK, "%s",
                 error.text);
}

static void close_machine(void)
{
    ordo_topology_close(topology);
}

Test(topology, every_distance_is_recognised, .init = open_machine, .fini = close_machine)
{
    cr_assert_eq(ordo_topology_distance(topology, 0, 1), ORDO_DISTANCE_CORE);
    cr_assert_eq(ordo_topology_distance(topology, 0, 2), ORDO_DISTANCE_L2);
    cr_assert_eq(ordo_topology_distance(topology, 3, 4), ORDO_DISTANCE_L3);
    cr_assert_eq(ordo_topology_distance(topology, 0, 8), ORDO_DISTANCE_PACKAGE);
    cr_assert_eq(ordo_topology_distance(topology, 0, 16), ORDO_DISTANCE_MACHINE);
    cr_assert_eq(ordo_topology_distance(topology, 31, 0), ordo_topology_distance(topology, 0, 31));
}

Test(topology, a_numa_node_may_contain_packages)
{
    cr_assert_eq(ordo_topology_open(&topology, "numa:1 pack:2 core:1 pu:1", &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_topology_distance(topology, 0, 1), ORDO_DISTANCE_NUMA);
    close_machine();
}

/* n CPUs have about n^2 / 2 pairs, so the cost of one pair must not grow with n. */
Test(topology, the_distances_of_4096_cpus_take_only_seconds, .timeout = 40)
{
    enum { CPUS = 4096 };
    long pairs[ORDO_DISTANCES] = {0};
    cr_assert_eq(ordo_topology_open(&topology, "pack:32 numa:1 l3:4 core:16 pu:2", &error), ORDO_OK, "%s", error.text);
    for (unsigned a = 0; a < CPUS; a++)
        for (unsigned b = a + 1; b < CPUS; b++)
            pairs[ordo_topology_distance(topology, a, b)]++;
    cr_assert_eq(pairs[ORDO_DISTANCE_CORE], CPUS / 2);
    cr_assert_eq(pairs[ORDO_DISTANCE_L3], CPUS * 30 / 2);
    cr_assert_eq(pairs[ORDO_DISTANCE_PACKAGE], CPUS * 96 / 2);
    cr_assert_eq(pairs[ORDO_DISTANCE_MACHINE], CPUS * 3968L / 2);
    close_machine();
}

Test(topology, a_selection_contains_all_or_the_listed_cpus, .init = open_machine, .fini = close_machine)
{
    unsigned *cpus;
    int count;
    cr_assert_eq(ordo_topology_select(topology, NULL, &cpus, &count, &error), ORDO_OK);
    cr_assert_eq(count, 32);
    free(cpus);
    cr_assert_eq(ordo_topology_select(topology, "8,0-2", &cpus, &count, &error), ORDO_OK);
    cr_assert(count == 4 && cpus[0] == 0 && cpus[2] == 2 && cpus[3] == 8);
    free(cpus);
}

Test(topology, bad_lists_of_cpus_are_refused, .init = open_machine, .fini = close_machine)
{
    static const char *const bad[] = {"", "a", "1-", "-1", "3-1", "1,,2", "1,", "0x1", "1 2", "32", "0-99", "1234567"};
    unsigned *cpus;
    int count;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_eq(ordo_topology_select(topology, bad[i], &cpus, &count, &error), ORDO_E_INVALID, "'%s'", bad[i]);
        bool list = strcmp(bad[i], "32") == 0 || strcmp(bad[i], "0-99") == 0; /* the CPUs of these lists do not exist */
        cr_assert(strstr(error.text, list ? "not in the allowed set" : "not a list of CPUs"), "%s", error.text);
    }
    cr_assert_eq(ordo_topology_select(topology, "0,40", &cpus, &count, &error), ORDO_E_INVALID);
    cr_assert_str_eq(error.text, "cpu 40: not in the allowed set 0-31");
}

Test(topology, a_list_of_cpus_is_printed_as_ranges)
{
    unsigned cpus[] = {0, 1, 2, 3, 8, 10, 11};
    char text[64], small[10];
    ordo_topology_format_cpus(cpus, 7, text, sizeof text);
    cr_assert_str_eq(text, "0-3,8,10-11");
    ordo_topology_format_cpus(cpus, 7, small, sizeof small);
    cr_assert_str_eq(small, "0-3,8...");
    ordo_topology_format_cpus(cpus, 7, small, 7);
    cr_assert_str_eq(small, "0-3...", "the note about omitted CPUs always fits");
}

Test(topology, no_thread_can_be_pinned_on_a_synthetic_machine, .init = open_machine, .fini = close_machine)
{
    cr_assert_eq(ordo_topology_pin(topology, 0, &error), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "synthetic"));
}

Test(topology, a_processors_name_loses_trailing_blanks)
{
    cr_assert_eq(ordo_topology_model_length("Some Processor  7            "), 17);
    cr_assert_eq(ordo_topology_model_length("Some Processor"), 14);
    cr_assert_eq(ordo_topology_model_length("     "), 0);
    cr_assert_eq(ordo_topology_model_length(""), 0);
}

Test(topology, a_malformed_description_is_refused)
{
    cr_assert_eq(ordo_topology_open(&topology, "pack:x", &error), ORDO_E_INVALID);
    cr_assert_null(topology);
}

Test(topology, a_thread_can_be_pinned_to_each_cpu)
{
    unsigned *cpus;
    int count;
    cr_assert_eq(ordo_topology_open(&topology, NULL, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_topology_select(topology, NULL, &cpus, &count, &error), ORDO_OK);
    for (int i = 0; i < count; i++) {
        cr_assert_eq(ordo_topology_pin(topology, cpus[i], &error), ORDO_OK, "%s", error.text);
        cr_assert_eq(ordo_topology_check_pinned(topology, cpus[i], &error), ORDO_OK, "%s", error.text);
        if (count > 1)
            cr_assert_eq(ordo_topology_check_pinned(topology, cpus[(i + 1) % count], &error), ORDO_E_MEASURE);
    }
    cr_assert_neq(ordo_topology_pin(topology, 100000, &error), ORDO_OK, "no such CPU exists");
    free(cpus);
    close_machine();
}

/* A launcher or taskset may restrict the affinity of this process to fewer CPUs than the allowed ones. */
Test(topology, the_allowed_cpus_do_not_depend_on_the_affinity)
{
    unsigned *all, *bound, *listed;
    int count, bound_count, listed_count;
    char list[16];
    cpu_set_t one, after;
    cr_assert_eq(ordo_topology_open(&topology, NULL, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_topology_select(topology, NULL, &all, &count, &error), ORDO_OK);
    close_machine();
    if (count < 2)
        cr_skip("a machine of one CPU has no other CPU to bind to");
    CPU_ZERO(&one);
    CPU_SET(all[0], &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);

    cr_assert_eq(ordo_topology_open(&topology, NULL, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(sched_getaffinity(0, sizeof after, &after), 0);
    cr_assert(CPU_EQUAL(&one, &after), "opening must not change the affinity");
    cr_assert_eq(ordo_topology_bound(topology, &bound, &bound_count, &error), ORDO_OK);
    cr_assert(bound_count == 1 && bound[0] == all[0]);
    cr_assert_eq(ordo_topology_select(topology, NULL, &listed, &listed_count, &error), ORDO_OK);
    cr_assert_eq(listed_count, count);
    free(listed);
    (void)snprintf(list, sizeof list, "%u", all[1]);
    cr_assert_eq(ordo_topology_select(topology, list, &listed, &listed_count, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_topology_pin(topology, listed[0], &error), ORDO_OK, "%s", error.text);
    cr_assert(ordo_topology_online(topology, all[1]));
    cr_assert_not(ordo_topology_online(topology, 100000));
    free(all);
    free(bound);
    free(listed);
    close_machine();
}

static char file_of_launcher[] = "/tmp/ordo-topology-XXXXXX";

/* Writes this machine's topology to a file, as a launcher does, with the host name `host`; NULL: the name of this
 * host. */
static void launch_with_topology_of(const char *host)
{
    hwloc_topology_t machine;
    char *xml;
    int length;
    cr_assert_eq(hwloc_topology_init(&machine), 0);
    cr_assert_eq(hwloc_topology_load(machine), 0);
    cr_assert_eq(hwloc_topology_export_xmlbuffer(machine, &xml, &length, 0), 0);
    FILE *file = fdopen(mkstemp(file_of_launcher), "w");
    const char *name = strstr(xml, "\"HostName\" value=\"");
    cr_assert(file && name);
    name += strlen("\"HostName\" value=\"");
    if (host)
        fprintf(file, "%.*s%s%s", (int)(name - xml), xml, host, strchr(name, '"'));
    else
        fputs(xml, file);
    cr_assert_eq(fclose(file), 0);
    hwloc_free_xmlbuffer(machine, xml);
    hwloc_topology_destroy(machine);
    setenv("HWLOC_XMLFILE", file_of_launcher, 1);
}

Test(topology, a_launchers_topology_file_of_this_host_is_used)
{
    unsigned *cpus, *before;
    int count, count_before;
    cr_assert_eq(ordo_topology_open(&topology, NULL, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_topology_bound(topology, &before, &count_before, &error), ORDO_OK);
    close_machine();
    launch_with_topology_of(NULL);
    cr_expect_eq(ordo_topology_open(&topology, NULL, &error), ORDO_OK, "%s", error.text);
    cr_assert(topology);
    cr_assert_eq(ordo_topology_bound(topology, &cpus, &count, &error), ORDO_OK);
    cr_expect(count == count_before && memcmp(cpus, before, (size_t)count * sizeof *cpus) == 0);
    for (int i = 0; i < count; i++)
        cr_expect_eq(ordo_topology_pin(topology, cpus[i], &error), ORDO_OK, "%s", error.text);
    close_machine();
    free(cpus);
    free(before);
    (void)remove(file_of_launcher);
}

Test(topology, a_topology_file_of_another_host_is_refused)
{
    launch_with_topology_of("another-host");
    cr_expect_eq(ordo_topology_open(&topology, NULL, &error), ORDO_E_SYSTEM);
    cr_expect(strstr(error.text, "unset HWLOC_XMLFILE"), "%s", error.text);
    (void)remove(file_of_launcher);
}

/* The file has this host's name and this machine's number of CPUs, but each CPU is in its own package. */
Test(topology, a_topology_file_with_other_packages_is_refused)
{
    hwloc_topology_t machine;
    char host[256] = "", description[32], *xml;
    int length;
    cr_assert_eq(ordo_topology_open(&topology, NULL, &error), ORDO_OK, "%s", error.text);
    unsigned *cpus;
    cr_assert_eq(ordo_topology_select(topology, NULL, &cpus, &length, &error), ORDO_OK);
    close_machine();
    free(cpus);
    if (length < 2)
        cr_skip("one CPU has one package");
    (void)gethostname(host, sizeof host - 1);
    (void)snprintf(description, sizeof description, "pack:%d core:1 pu:1", length);
    cr_assert_eq(hwloc_topology_init(&machine), 0);
    cr_assert_eq(hwloc_topology_set_synthetic(machine, description), 0);
    cr_assert_eq(hwloc_topology_load(machine), 0);
    cr_assert_eq(hwloc_obj_add_info(hwloc_get_root_obj(machine), "HostName", host), 0);
    int file = mkstemp(file_of_launcher);
    cr_assert_eq(hwloc_topology_export_xmlbuffer(machine, &xml, &length, 0), 0);
    cr_assert_eq(write(file, xml, (size_t)length - 1), length - 1);
    (void)close(file);
    hwloc_free_xmlbuffer(machine, xml);
    hwloc_topology_destroy(machine);
    setenv("HWLOC_XMLFILE", file_of_launcher, 1);
    cr_expect_eq(ordo_topology_open(&topology, NULL, &error), ORDO_E_SYSTEM);
    (void)remove(file_of_launcher);
}
