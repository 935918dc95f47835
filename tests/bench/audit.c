/* The audit finds and reports a damaged structure, and the command then fails. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "merge/streams.h"
#include "report.h"
#include "rlu/ascending.h"
#include "rlu/multiget.h"
#include "rlu/plain.h"

static const struct rlu_engine *find_engine(const char *algorithm, enum rlu_structure structure)
{
    for (const struct rlu_engine *const *engine = rlu_engines; *engine; engine++)
        if (strcmp((*engine)->algorithm, algorithm) == 0 && (*engine)->structure == structure)
            return *engine;
    return NULL;
}

/* Adds keys without counting them, so that the structure becomes larger than the expected size. */
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

/* Runs a variant in the harness. Returns the exit code of the command; `text` gets its output. */
static int report_of_threads(const struct bench_variant *variant, int threads, bool json, char *text, size_t size)
{
    struct bench_options options = {.threads = {threads},
                                    .thread_counts = 1,
                                    .seconds = threads > 1 ? 0.02 : 0.001,
                                    .runs = 1,
                                    .json = json,
                                    .oversubscribe = threads > 1};
    struct bench_boundary boundary = {.source = BENCH_BOUNDARY_NONE};
    struct bench_machine machine;
    struct bench_report report;
    struct bench_set set;
    struct ordo_error error;
    FILE *stream = fmemopen(text, size, "w");
    cr_assert_eq(bench_machine_open(&machine, &options, &error), ORDO_OK, "%s", error.text);
    bench_report_begin(&report, stream, "rlu", &machine, &options, &boundary);
    cr_assert_eq(bench_measure(&set, variant, 1, &machine, &options, &error), ORDO_OK, "%s", error.text);
    bench_report_set(&report, &set, NULL);
    int code = bench_report_end(&report);
    bench_free(&set);
    bench_machine_close(&machine);
    (void)fclose(stream);
    return code;
}

static int report_of(const struct bench_variant *variant, bool json, char *text, size_t size)
{
    return report_of_threads(variant, 1, json, text, size);
}

/* Runs `work` on a list in the harness, as report_of does. */
static int list_report_of(uint64_t (*work)(struct bench_worker *), bool json, char *text, size_t size)
{
    struct rlu_bench bench = {.engine = find_engine("mutex", RLU_LIST), .range = 20, .buckets = 1, .elements = 10};
    struct bench_variant variant = rlu_variant(&bench, NULL, "list");
    variant.work = work;
    return report_of(&variant, json, text, size);
}

Test(audit, an_unexpected_size_makes_the_command_fail)
{
    char text[8192];
    cr_expect_eq(list_report_of(add_and_not_say, false, text, sizeof text), EXIT_FAILS);
    cr_expect(strstr(text, "FAILED"));
    cr_expect_eq(list_report_of(add_and_not_say, true, text, sizeof text), EXIT_FAILS);
    cr_expect(strstr(text, "\"audit\": \"failed\""));
}

Test(audit, the_expected_size_passes)
{
    char text[8192];
    cr_expect_eq(list_report_of(do_nothing, false, text, sizeof text), EXIT_OK);
    cr_expect_not(strstr(text, "FAILED"));
    cr_expect_eq(list_report_of(do_nothing, true, text, sizeof text), EXIT_OK);
    cr_expect(strstr(text, "\"audit\": \"ok\""));
}

/* Runs multi-gets of 1000 keys and moves of 10 pairs in two threads. */
static int multiget_report_of(const struct rlu_engine *engine)
{
    char text[8192];
    struct rlu_bench bench = {.engine = engine,
                              .range = 20,
                              .buckets = 4,
                              .elements = 10,
                              .update_percent = 50,
                              .multiget_keys = RLU_MULTIGET_MOST};
    struct bench_variant variant = rlu_variant(&bench, NULL, "hash");
    return report_of_threads(&variant, 2, false, text, sizeof text);
}

Test(audit, torn_multi_gets_make_the_command_fail_if_the_engine_claims_to_be_atomic)
{
    enum { TRIES = 100 }; /* nothing is torn if one thread has no CPU during a whole trial */
    struct rlu_engine claims = *find_engine("lfht", RLU_HASH);
    struct rlu_multiget claimed = *claims.multiget;
    int code = EXIT_OK;
    cr_expect_eq(multiget_report_of(&claims), EXIT_OK);
    claimed.atomic = true;
    claims.multiget = &claimed;
    for (int i = 0; i < TRIES && code == EXIT_OK; i++)
        code = multiget_report_of(&claims);
    cr_expect_eq(code, EXIT_FAILS);
    cr_expect_eq(multiget_report_of(find_engine("bucket-lock", RLU_HASH)), EXIT_OK);
    cr_expect_eq(multiget_report_of(find_engine("bucket-rwlock", RLU_HASH)), EXIT_OK);
}

Test(audit, the_buckets_of_a_multi_get_are_in_ascending_order_without_duplicates)
{
    enum { NUMBERS = 1000, LIMIT = 300000 };
    static bool marked[LIMIT];
    uint32_t numbers[NUMBERS];
    struct ascending set;
    uint64_t state = 1;
    unsigned distinct = 0;
    cr_assert_eq(ascending_init(&set, LIMIT), 0);
    for (int round = 0; round < 2; round++) {
        distinct = 0;
        memset(marked, 0, sizeof marked);
        for (int i = 0; i < NUMBERS; i++) {
            uint64_t number = i == 0 ? LIMIT - 1 : ordo_random_next(&state) % (i % 2 ? LIMIT : 100);
            distinct += !marked[number];
            marked[number] = true;
            ascending_mark(&set, number);
        }
        cr_assert_eq(ascending_take(&set, numbers), distinct);
        for (unsigned i = 0; i < distinct; i++)
            cr_assert(marked[numbers[i]] && (i == 0 || numbers[i - 1] < numbers[i]));
    }
    cr_expect_eq(ascending_take(&set, numbers), 0);
    ascending_free(&set);
}

Test(audit, the_list_audit_finds_wrong_keys)
{
    struct plain_node nodes[] = {{1, &nodes[1]}, {5, &nodes[2]}, {3, NULL}};
    struct ordo_error error;
    uint64_t count = 0;
    cr_expect_eq(plain_list_audit(nodes, 10, 1, 0, &count, &error), ORDO_E_INVALID);
    cr_expect_str_eq(error.text, "key 3 is out of order in list 0");
    nodes[2].key = 5; /* a duplicate */
    cr_expect_eq(plain_list_audit(nodes, 10, 1, 0, &count, &error), ORDO_E_INVALID);
    nodes[2].key = 10; /* above the range of keys */
    cr_expect_eq(plain_list_audit(nodes, 10, 1, 0, &count, &error), ORDO_E_INVALID);
    nodes[2].key = 9;
    count = 0;
    cr_expect_eq(plain_list_audit(nodes, 10, 1, 0, &count, &error), ORDO_OK);
    cr_expect_eq(count, 3);
    nodes[0].next = NULL; /* the list is key 1 alone; first it stands in the wrong bucket */
    cr_expect_eq(plain_list_audit(nodes, 10, 2, !plain_bucket(1, 2), &count, &error), ORDO_E_INVALID);
    cr_expect_eq(plain_list_audit(nodes, 10, 2, plain_bucket(1, 2), &count, &error), ORDO_OK);
}

Test(audit, a_tree_contains_the_same_keys_as_a_reference_array)
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

/* Returns two streams of 300 numbered events each, which is more than a ring receives in one refill. The second stream
 * was a later part of the first, so its events get new numbers. */
static struct merge_streams small_streams(void)
{
    struct merge_streams set;
    struct ordo_error error;
    cr_assert_eq(merge_streams_make(&set, 2, 100, &error), ORDO_OK);
    set.each = 300;
    for (uint64_t i = 0; i < set.each; i++)
        set.events[set.each + i].data = i;
    set.span_ticks = set.events[2 * set.each - 1].time.ticks + 1;
    return set;
}

/* Returns the audit's result after one trial of a variant. The stop flag is set before the trial begins. */
static int audit_of(const struct bench_variant *variant, struct ordo_error *error)
{
    atomic_bool stop = true;
    struct bench_worker worker = {.stop = &stop, .context = variant->context, .threads = 1};
    cr_assert_eq(variant->enter(&worker, error), ORDO_OK);
    cr_expect_gt(variant->work(&worker), 1);
    variant->leave(&worker);
    return variant->audit(variant->context, error);
}

/* Expects that the audit of every variant of merging finds lost events if and only if `some_lost`, and duplicated
 * events if and only if `some_twice`. */
static void all_find(struct merge_streams *set, bool some_lost, bool some_twice)
{
    struct bench_variant variants[MERGE_VARIANTS];
    merge_streams_variants(set, variants);
    for (int v = 0; v < MERGE_VARIANTS; v++) {
        unsigned long long inverted = 0, lost = 0, twice = 0;
        struct ordo_error error = {0};
        int code = audit_of(&variants[v], &error);
        (void)sscanf(error.text, "%llu events were delivered before an earlier one, %llu never, %llu twice", &inverted,
                     &lost, &twice);
        cr_expect_eq(code, some_lost || some_twice ? ORDO_E_MEASURE : ORDO_OK, "%s", variants[v].algorithm);
        cr_expect(inverted == 0 && (lost > 0) == some_lost && (twice > 0) == some_twice, "%s: %s",
                  variants[v].algorithm, error.text);
    }
}

Test(audit, the_audit_finds_lost_and_duplicate_events)
{
    struct merge_streams set = small_streams();
    all_find(&set, false, false);
    set.events[50].data = 49;
    all_find(&set, true, true);
    for (uint64_t i = 50; i < set.each; i++)
        set.events[i].data = i + 1;
    all_find(&set, true, false);
    merge_streams_free(&set);
}

Test(audit, the_command_fails_if_the_merger_loses_events)
{
    char text[8192];
    struct merge_streams set = small_streams();
    struct bench_variant variants[MERGE_VARIANTS];
    merge_streams_variants(&set, variants);
    cr_expect_eq(report_of(&variants[0], false, text, sizeof text), EXIT_OK);
    set.events[50].data = 49;
    cr_expect_eq(report_of(&variants[0], false, text, sizeof text), EXIT_FAILS);
    merge_streams_free(&set);
}

/* Moves keys to other pairs. */
static uint64_t misplace_keys(struct bench_worker *worker)
{
    const struct rlu_bench *bench = worker->context;
    for (uint64_t key = 0; key + 1 < bench->elements; key++)
        (void)bench->engine->multiget->move(worker->own, key, key + 1);
    return bench->elements;
}

Test(audit, a_pair_without_exactly_one_key_is_found)
{
    struct rlu_bench bench = {.engine = find_engine("bucket-rwlock", RLU_HASH),
                              .range = 20,
                              .buckets = 4,
                              .elements = 10,
                              .multiget_keys = 2};
    struct bench_variant variant = rlu_variant(&bench, NULL, "hash");
    struct ordo_error error = {0};
    variant.work = misplace_keys;
    cr_assert_eq(variant.prepare(&bench, 1, &error), ORDO_OK);
    cr_expect_eq(audit_of(&variant, &error), ORDO_E_INVALID);
    cr_expect(strstr(error.text, "found, 1 expected"), "%s", error.text);
}
