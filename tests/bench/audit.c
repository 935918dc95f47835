/* A structure that is not what it should be must be noticed, said, and fail the command. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "report.h"
#include "rlu/engine.h"
#include "rlu/plain.h"

static const struct rlu_engine *find_engine(const char *algorithm, enum rlu_structure structure)
{
    for (const struct rlu_engine *const *engine = rlu_engines; *engine; engine++)
        if (strcmp((*engine)->algorithm, algorithm) == 0 && (*engine)->structure == structure)
            return *engine;
    return NULL;
}

/* Adds keys behind the back of the size that is expected. */
static uint64_t add_and_not_say(struct bench_worker *worker)
{
    const struct rlu_bench *bench = worker->context;
    for (uint64_t key = 0; key < bench->range; key++)
        (void)bench->engine->add(worker->own, key);
    return bench->range;
}

static uint64_t do_nothing(struct bench_worker *worker)
{
    (void)worker;
    return 1;
}

/* Runs `work` on a list in the harness; how the command would end, and what it would print. */
static int report_of(uint64_t (*work)(struct bench_worker *), bool json, char *text, size_t size)
{
    struct rlu_bench bench = {.engine = find_engine("mutex", RLU_LIST), .range = 20, .buckets = 1, .elements = 10};
    struct bench_variant variant = rlu_variant(&bench, NULL, "list");
    struct bench_options options = {.threads = {1}, .thread_counts = 1, .seconds = 0.001, .runs = 1, .json = json};
    struct bench_boundary boundary = {.source = BENCH_BOUNDARY_NONE};
    struct bench_machine machine;
    struct bench_report report;
    struct bench_set set;
    struct ordo_error error;
    FILE *stream = fmemopen(text, size, "w");
    variant.work = work;
    cr_assert_eq(bench_machine_open(&machine, &options, &error), ORDO_OK, "%s", error.text);
    bench_report_begin(&report, stream, "rlu", &machine, &options, &boundary);
    cr_assert_eq(bench_measure(&set, &variant, 1, &machine, &options, &error), ORDO_OK, "%s", error.text);
    bench_report_set(&report, &set, NULL);
    int code = bench_report_end(&report);
    bench_free(&set);
    bench_machine_close(&machine);
    (void)fclose(stream);
    return code;
}

Test(audit, size_that_is_not_expected)
{
    char text[8192];
    cr_expect_eq(report_of(add_and_not_say, false, text, sizeof text), EXIT_FAILS);
    cr_expect(strstr(text, "FAILED"));
    cr_expect_eq(report_of(add_and_not_say, true, text, sizeof text), EXIT_FAILS);
    cr_expect(strstr(text, "\"audit\": \"failed\""));
}

Test(audit, size_that_is_expected)
{
    char text[8192];
    cr_expect_eq(report_of(do_nothing, false, text, sizeof text), EXIT_OK);
    cr_expect_not(strstr(text, "FAILED"));
    cr_expect_eq(report_of(do_nothing, true, text, sizeof text), EXIT_OK);
    cr_expect(strstr(text, "\"audit\": \"ok\""));
}

Test(audit, list_out_of_order)
{
    struct plain_node nodes[] = {{1, &nodes[1]}, {5, &nodes[2]}, {3, NULL}};
    struct ordo_error error;
    uint64_t count = 0;
    cr_expect_eq(plain_list_audit(nodes, 10, 1, 0, &count, &error), ORDO_E_INVALID);
    cr_expect_str_eq(error.text, "key 3 is out of order in list 0");
    nodes[2].key = 5; /* twice */
    cr_expect_eq(plain_list_audit(nodes, 10, 1, 0, &count, &error), ORDO_E_INVALID);
    nodes[2].key = 10; /* not a key */
    cr_expect_eq(plain_list_audit(nodes, 10, 1, 0, &count, &error), ORDO_E_INVALID);
    nodes[2].key = 9;
    count = 0;
    cr_expect_eq(plain_list_audit(nodes, 10, 1, 0, &count, &error), ORDO_OK);
    cr_expect_eq(count, 3);
    nodes[0].next = NULL; /* alone, in a bucket that is not its own */
    cr_expect_eq(plain_list_audit(nodes, 10, 2, !plain_bucket(1, 2), &count, &error), ORDO_E_INVALID);
    cr_expect_eq(plain_list_audit(nodes, 10, 2, plain_bucket(1, 2), &count, &error), ORDO_OK);
}

Test(audit, tree_against_a_table)
{
    enum { RANGE = 64 };
    struct plain_tree tree = {NULL};
    bool there[RANGE] = {false};
    struct ordo_error error;
    uint64_t expected = 0;
    srand(1);
    for (int i = 0; i < 20000; i++) {
        uint64_t key = (uint64_t)rand() % RANGE, count = 0;
        bool adds = rand() % 2;
        cr_assert_eq(plain_tree_contains(&tree, key), there[key]);
        int changed = adds ? plain_tree_add(&tree, key) : plain_tree_remove(&tree, key);
        cr_assert_eq(changed, there[key] != adds);
        expected += (uint64_t)changed * (adds ? 1 : -1);
        there[key] = adds;
        cr_assert_eq(plain_tree_audit(&tree, RANGE, &count, &error), ORDO_OK);
        cr_assert_eq(count, expected);
    }
    tree.root->key = RANGE;
    uint64_t count = 0;
    cr_expect_eq(plain_tree_audit(&tree, RANGE, &count, &error), ORDO_E_INVALID);
    plain_tree_free(&tree);
}
