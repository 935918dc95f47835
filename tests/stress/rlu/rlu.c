/* rlu CASE [key=value...]: one case of RLU under races, preemption and skewed clocks. Exit 0: holds, 1: violated, 64:
 * usage.
 *
 * Without further arguments, a matrix of settings that must all hold. Keys (one setting): boundary skew threads migrate
 * preempt defer (-1: each thread chooses; see harness.h) churn milliseconds sections; expect=1: a violation must be
 * found within the time. */
#include "invariants.h"
#include "multiget.h"

static const struct test_case cases[] = {
    {"pair", 0, begin_zero, step_pair, end_numbers}, {"order", 0, begin_zero, step_order, end_numbers},
    {"fork", 1, begin_fork, step_fork, end_numbers}, {"bank", 0, begin_bank, step_bank, end_numbers},
    {"list", 0, begin_list, step_list, end_list},    {"hash", 0, begin_hash, step_hash, end_hash},
    {"tree", 0, begin_tree, step_tree, end_tree},    {"multiget", 0, begin_hash, step_multiget, end_hash},
};

#ifndef STRESS_MS
#define STRESS_MS 100 /* for each setting */
#endif

#ifdef ORDO_STAMP_LOGICAL
enum { BOUNDARIES = 1 }; /* this stamp never waits for a boundary, so a second boundary would only repeat the test */
#else
enum { BOUNDARIES = 2 };
#endif

/* Returns `defer` (harness.h) for a setting: 1 if not `deferred`; otherwise a value that varies with the setting. */
static int deferral(int setting, int deferred)
{
#ifdef TESTS_MVRLU
    static const int values[] = {8, -1, 8, -8, 8};
#else
    static const int values[] = {8, -1, 8, -1, 8};
#endif
    return deferred ? values[setting] : 1;
}

/* Runs the case with settings whose skew is at most the boundary, in both directions; threads stay or migrate. */
static int run_matrix(const struct test_case *test, int milliseconds)
{
    static const uint64_t boundaries[] = {5000, 400};
    int failed = 0;
    for (int b = 0; b < BOUNDARIES; b++) {
        int64_t boundary = (int64_t)boundaries[b], skews[] = {0, boundary * 9 / 10, boundary, -boundary, boundary};
        for (int s = 0; s < 5; s++)
            for (int deferred = 0; deferred < 2; deferred++) {
                struct setting setting = {.boundary = boundaries[b],
                                          .skew = skews[s],
                                          .threads = (s + deferred + b) % 3 == 2 ? 8 : 3,
                                          .migrate = s == 4,
                                          .preempt = (s + deferred) % 2 == 0,
                                          .defer = deferral(s, deferred),
                                          .churn = (s + b) % 3 == 0,
                                          .milliseconds = milliseconds};
                if (!test->alone || !defers(&setting))
                    failed |= run(test, &setting);
            }
    }
    return failed;
}

static int set_key(struct setting *setting, int *expected, const char *argument)
{
    static const char *const names[] = {"boundary", "skew",  "threads",      "migrate", "preempt",
                                        "defer",    "churn", "milliseconds", "expect",  "sections"};
    const char *equal = strchr(argument, '=');
    size_t length = equal ? (size_t)(equal - argument) : 0;
    long value = equal ? strtol(equal + 1, NULL, 10) : 0;
    int i = 0;
    while (i < 10 && (strlen(names[i]) != length || strncmp(names[i], argument, length) != 0))
        i++;
    switch (i) {
    case 0:
        setting->boundary = (uint64_t)value;
        break;
    case 1:
        setting->skew = value;
        break;
    case 2:
        setting->threads = value > 0 && value <= MAX_THREADS ? (int)value : 1;
        break;
    case 3:
        setting->migrate = value != 0;
        break;
    case 4:
        setting->preempt = (int)value;
        break;
    case 5:
        setting->defer = (int)value;
        break;
    case 6:
        setting->churn = value != 0;
        break;
    case 7:
        setting->milliseconds = (int)value;
        break;
    case 8:
        *expected = setting->until_violated = value != 0;
        break;
    case 9:
        setting->checks = value;
        break;
    default:
        fprintf(stderr, "unknown: %s\n", argument);
        return -1;
    }
    return 0;
}

/* Repeats short runs. A thread's clock and CPU are decided at the start, and determine how likely a violation is:
 * many short runs find violations that one long run may never meet. */
static int run_until_violated(const struct test_case *test, const struct setting *setting)
{
    enum { SHORT_MS = 300 };
    struct setting brief = *setting;
    int failed = 0;
    brief.milliseconds = SHORT_MS;
    for (int left = setting->milliseconds; left > 0 && !failed && !atomic_load(&violations); left -= SHORT_MS)
        failed = run(test, &brief);
    return failed;
}

int main(int argc, char **argv)
{
    struct setting setting = {.boundary = 5000, .threads = 3, .preempt = 1, .defer = 1, .milliseconds = STRESS_MS};
    const struct test_case *test = NULL;
    int expected = 0, failed = 0;
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0)
            test = &cases[i];
    for (int i = 2; i < argc; i++)
        failed |= set_key(&setting, &expected, argv[i]);
    if (!test || failed)
        return 64;
    if (setting.until_violated)
        failed = run_until_violated(test, &setting);
    else
        failed = argc > 2 ? run(test, &setting) : run_matrix(test, setting.milliseconds);
    printf("%ld sections checked, %ld violations\n", atomic_load(&checked), atomic_load(&violations));
    if (expected)
        return failed || atomic_load(&violations) == 0;
    return failed || atomic_load(&violations) || !atomic_load(&checked);
}
