/* Functions of the programs that a command line reaches only on some machines: suggestions for an unknown word, and the
 * check that a new record leaves out no CPU that is online. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include <ordo/record.h>

#include "base/file.h"
#include "calibrate/record/publish.h"
#include "calibrate/session/coverage.h"
#include "common/calibrate.h"
#include "common/nearest.h"
#include "common/options.h"
#include "common/result.h"

/* ---- nearest ---- */

static const char *meant(const char *word, const char *const *candidates)
{
    struct nearest nearest = nearest_to(word);
    for (; *candidates; candidates++)
        nearest_try(&nearest, *candidates);
    return nearest.found ? nearest.found : "nothing";
}

Test(nearest, only_similar_words_are_suggested)
{
    static const char *const words[] = {"calibrate", "check", "show", "topology", "clocks", NULL};
    static const char *const of[][2] = {
        {"calibarte", "calibrate"}, /* two letters swapped */
        {"clibrte", "calibrate"},   /* two letters left out */
        {"clbrte", "nothing"},      /* three letters left out */
        {"chekcs", "check"},        /* two letters swapped, one added */
        {"shwo", "show"},           /* one change in a short word */
        {"shxy", "nothing"},        /* two changes in a short word */
        {"cal", "calibrate"},       /* abbreviated */
        {"topo", "topology"},
        {"t", "nothing"}, /* too short for a suggestion */
        {"", "nothing"},
        {"ab", "nothing"},
        {"topologi=5", "topology"}, /* the word ends at '=' */
        {"cl", "clocks"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        cr_expect_str_eq(meant(of[i][0], words), of[i][1], "'%s': %s", of[i][0], meant(of[i][0], words));
}

Test(nearest, the_nearest_word_is_suggested_unless_it_is_too_long)
{
    static const char *const near[] = {"runt", "runs", "rund", NULL};
    static const char *const swapped[] = {"abxxe", "abdce", NULL};
    char word[200], candidate[200];
    const char *const same[] = {candidate, NULL};
    cr_expect_str_eq(meant("runs", near), "runs");
    cr_expect_str_eq(meant("rune", near), "runt", "the first of several");
    cr_expect_str_eq(meant("abcde", swapped), "abdce", "a swap is one change");
    for (size_t length = 31; length < sizeof word; length++) {
        memset(word, 'a', length);
        memset(candidate, 'a', length);
        word[length] = candidate[length] = '\0';
        word[length - 1] = 'b';
        cr_expect_str_eq(meant(word, same), length <= 32 ? candidate : "nothing", "%zu letters", length);
    }
}

/* ---- numbers and failures ---- */

Test(numbers, a_list_of_numbers_is_sorted)
{
    int numbers[4];
    cr_expect_eq(cli_numbers(NULL, "--threads", "8,1,4", 1, 64, numbers, 4), 3);
    cr_expect(numbers[0] == 1 && numbers[1] == 4 && numbers[2] == 8);
    cr_expect_eq(cli_number(NULL, "--runs", "007", 1, 64), 7);
}

Test(result, two_failures_print_one_json_document)
{
    FILE *was = stdout;
    char *text = NULL;
    size_t bytes = 0;
    stdout = open_memstream(&text, &bytes);
    cr_assert_not_null(stdout);
    cli_json("ordo-test/1");
    int code = cli_fail(EXIT_UNKNOWN, "test", "the first");
    bool owes = cli_owes_json() != NULL;
    int second = cli_fail(EXIT_USAGE, "test", "the second");
    (void)fclose(stdout);
    stdout = was;
    cr_expect(code == EXIT_UNKNOWN && second == EXIT_USAGE && !owes);
    cr_expect(strstr(text, "the first") && strstr(text, "ordo-test/1"), "%s", text);
    cr_expect_null(strstr(text, "the second"), "%s", text);
    free(text);
}

/* ---- coverage ---- */

static char directory[] = "/tmp/ordo-parts-XXXXXX", path[64];
static struct ordo_topology *topology;
static unsigned *cpus;
static int count;
static struct ordo_error error;

static void make(void)
{
    cr_assert_not_null(mkdtemp(directory));
    (void)snprintf(path, sizeof path, "%s/boundary", directory);
    cr_assert_eq(ordo_topology_open(&topology, NULL, &error), ORDO_OK);
    cr_assert_eq(ordo_topology_select(topology, NULL, &cpus, &count, &error), ORDO_OK);
}

static void drop(void)
{
    (void)unlink(path);
    (void)rmdir(directory);
    free(cpus);
    ordo_topology_close(topology);
}

/* Writes a record for the first `of_cpus` CPUs and for CPU `another`, with this status; `other_boot`: it is of another
 * boot. */
static void put_record(int of_cpus, unsigned another, uint64_t status, bool other_boot)
{
    struct ordo_calibration *calibration = ordo_calibration_new(of_cpus + 1);
    struct ordo_record head;
    void *bytes;
    size_t size;
    cr_assert_not_null(calibration);
    memcpy(calibration->cpus, cpus, (size_t)of_cpus * sizeof *cpus);
    calibration->cpus[of_cpus] = another ? another : cpus[of_cpus - 1];
    calibration->boundary_ticks = 100;
    calibration->tick_hz = 1e9;
    cr_assert_eq(ordo_record_build(calibration, &bytes, &size, &error), ORDO_OK);
    memcpy(&head, bytes, sizeof head);
    head.status = status;
    head.boot_id[3] ^= other_boot;
    memcpy(bytes, &head, sizeof head);
    head.checksum = ordo_record_checksum((unsigned char *)bytes + ORDO_RECORD_SEALED, size - ORDO_RECORD_SEALED);
    memcpy(bytes, &head, sizeof head);
    cr_assert_eq(ordo_file_replace(path, bytes, size, 0644, &error), ORDO_OK);
    free(bytes);
    ordo_calibration_free(calibration);
}

static int cover(int of_cpus)
{
    return ordo_coverage_check(topology, path, cpus, of_cpus, &error);
}

Test(coverage, a_new_record_must_cover_the_online_cpus_of_the_old, .init = make, .fini = drop)
{
    static const uint64_t states[] = {ORDO_RECORD_VALID, ORDO_RECORD_SUPERSEDED, ORDO_RECORD_DISRUPTED};
    char name[24];
    if (count < 2)
        cr_skip_test("one CPU: none can be left out");
    (void)snprintf(name, sizeof name, "cpu %u: ", cpus[count - 1]);
    cr_expect_eq(cover(1), ORDO_OK, "there is no record");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        put_record(count, 0, states[i], false);
        cr_expect_eq(cover(count), ORDO_OK);
        cr_expect_eq(cover(count - 1), ORDO_E_CPUS, "that it is void does not make it smaller");
        cr_expect_eq(strncmp(error.text, name, strlen(name)), 0, "%s", error.text);
    }
    put_record(count - 1, 0, ORDO_RECORD_VALID, false);
    cr_expect_eq(cover(count - 1), ORDO_OK);
    cr_expect_eq(cover(count), ORDO_OK, "more than before");
    put_record(count, 0, ORDO_RECORD_VALID, true);
    cr_expect_eq(cover(count - 1), ORDO_OK, "of another boot");
    put_record(count, 0, 12345, false);
    cr_expect_eq(cover(count - 1), ORDO_OK, "malformed");
}

Test(coverage, a_new_record_may_omit_offline_cpus_of_the_old, .init = make, .fini = drop)
{
    enum { NONE = 4000 };
    if (ordo_topology_online(topology, NONE))
        cr_skip_test("this machine has it");
    put_record(count, NONE, ORDO_RECORD_VALID, false);
    cr_expect_eq(cover(count), ORDO_OK, "%s", error.text);
}

/* ---- calibrate ---- */

/* A calibration sets a progress bar in its options, and must reset it, because the next calibration uses the same
 * options. */
Test(calibrate, a_calibration_restores_its_options)
{
    struct ordo_calibrate_options options = {.runs = 1, .sweeps = 2}, before = options;
    struct ordo_calibration *result;
    struct ordo_error why;
    cr_expect_eq(cli_calibrate(&options, true, &result, &why), EXIT_USAGE);
    cr_expect_eq(cli_calibrate_kernel_clock(&options, true, &result, &why), EXIT_USAGE);
    cr_expect(options.progress == before.progress && options.progress_context == before.progress_context);
}
