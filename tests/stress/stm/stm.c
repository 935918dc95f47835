/* stm CASE [key=value...]: one case of transactional memory under races, preemption and skewed clocks. Exit 0: holds,
 * 1: violated, 64: usage.
 *
 * Each thread's clock is ahead of one common clock by 0 or by the skew; with `migrate` this is drawn anew.
 * Interruptions are signals in whose handler a thread sleeps, also in the middle of its commit. Without further
 * arguments, a matrix of settings that must all hold. Keys (one setting): boundary skew threads migrate preempt
 * milliseconds transactions; expect=1: a violation must be found within the time. */
#include <pthread.h>

#include <ordo/cc/stm/hash.h>
#include <ordo/cc/stm/skip.h>
#include <ordo/cc/stm/tree.h>

enum { MAX_THREADS = 16, NUMBERS = 32, OPENING = 1000, KEYS = 256, SHORT_MS = 300 };

struct setting {
    uint64_t boundary;
    int64_t skew;
    int threads, migrate, preempt, milliseconds, until_violated;
    long checks;
};

struct worker {
    struct ordo_stm_thread *t;
    const struct setting *setting;
    int index;
    uint64_t random, clock_random;
    int64_t net; /* number of elements that this thread has added minus the number that it has removed */
    const struct test_case *test;
    pthread_t thread;
};

#include "any_clock.h"
#include "race.h"

struct test_case {
    const char *name;
    void (*begin)(void);
    void (*step)(struct worker *);
    void (*end)(int64_t net);
};

static struct ordo_stm stm;
static _Atomic long given_up;

static uint64_t words[NUMBERS][4]; /* each on a stripe of its own */
static uint64_t shared_box;        /* the address of a box, as a word */
static struct ordo_stm_list list;
static struct ordo_stm_hash hash;
static struct ordo_stm_tree tree;
static struct ordo_stm_skip skip;

static uint64_t *word(uint64_t i)
{
    return &words[i][0];
}

/* pair: two words whose sum is 0. The reads of a transaction that gives up are checked as well. */
static int add_both(struct worker *w, uint64_t a, uint64_t b, uint64_t amount)
{
    uint64_t x, y;
    int code = ordo_stm_read(w->t, word(a), &x);
    if (code || (code = ordo_stm_read(w->t, word(b), &y)) || (code = ordo_stm_write(w->t, word(a), x + amount)))
        return code;
    return ordo_stm_write(w->t, word(b), y - amount);
}

/* Draws the flags of a transaction that only reads. */
static unsigned a_reader(struct worker *w)
{
    static const unsigned flags[] = {0, ORDO_STM_READ_ONLY, ORDO_STM_SNAPSHOT};
    return flags[below(w, 3)];
}

/* Reads both words of a pair and checks their sum at once. */
static int look_at_pair(struct worker *w, uint64_t a)
{
    uint64_t x, y, second = below(w, 2);
    int code = ordo_stm_read(w->t, word(a + second), &x);
    if (code)
        return code;
    linger(w);
    code = ordo_stm_read(w->t, word(a + !second), &y);
    if (code)
        return code;
    expect(x + y == 0, "a pair is read as it was written");
    count_checked();
    if (below(w, 4))
        return 0;
    atomic_fetch_add_explicit(&given_up, 1, memory_order_relaxed); /* gives up after consistent reads */
    return ORDO_E_MISSING;
}

static void step_pair(struct worker *w)
{
    uint64_t a = 2 * below(w, 2);
    int result;
    if (below(w, 4) == 0)
        ORDO_STM_ATOMICALLY(w->t, 0, result, add_both(w, a, a + 1, 1));
    else
        ORDO_STM_ATOMICALLY(w->t, a_reader(w), result, look_at_pair(w, a));
    expect(result == 0 || result == ORDO_E_MISSING, "a transaction fails");
}

static void begin_zero(void)
{
    memset(words, 0, sizeof words);
}

static void end_nothing(int64_t net)
{
    (void)net;
    for (size_t i = 0; i <= stm.mask; i++)
        expect(!(stm.stripes[i] & ORDO_STM_LOCKED), "nothing is locked at the end");
}

/* bank: transfers keep the sum. Some transactions become irrevocable, and must not run again after that. */
static int transfer(struct worker *w, uint64_t a, uint64_t b, int alone, int *ran)
{
    int code;
    expect(!*ran, "an irrevocable transaction runs again");
    if (alone && (code = ordo_stm_irrevocable(w->t)) != 0)
        return code;
    *ran = alone;
    return add_both(w, a, b, below(w, 100));
}

static int add_up(struct worker *w)
{
    uint64_t sum = 0, value, first = below(w, NUMBERS);
    for (uint64_t i = 0; i < NUMBERS; i++) {
        int code = ordo_stm_read(w->t, word((first + i) % NUMBERS), &value);
        if (code)
            return code;
        sum += value;
    }
    expect(sum == NUMBERS * OPENING, "transfers keep the sum");
    count_checked();
    return 0;
}

static void begin_bank(void)
{
    for (uint64_t i = 0; i < NUMBERS; i++)
        *word(i) = OPENING;
}

static void step_bank(struct worker *w)
{
    uint64_t a = below(w, NUMBERS), b = below(w, NUMBERS - 1);
    int result, ran = 0, alone = below(w, 16) == 0;
    b += b >= a;
    if (below(w, 3) == 0)
        ORDO_STM_ATOMICALLY(w->t, 0, result, transfer(w, a, b, alone, &ran));
    else
        ORDO_STM_ATOMICALLY(w->t, below(w, 2) ? ORDO_STM_SNAPSHOT : ORDO_STM_READ_ONLY, result, add_up(w));
    expect(result == 0, "a transaction fails");
}

/* private: some threads change a box of two words in place; others take the box away and use it as plain memory. */
struct box {
    uint64_t word[2];
};

static struct box *new_box(uint64_t value)
{
    struct box *box = malloc(sizeof *box);
    if (box)
        box->word[0] = box->word[1] = value;
    return box;
}

static void begin_private(void)
{
    shared_box = (uintptr_t)new_box(0);
}

static void end_private(int64_t net)
{
    free((void *)(uintptr_t)shared_box);
    end_nothing(net);
}

static int look_in_box(struct worker *w, int changes)
{
    uint64_t at, x, y;
    struct box *box;
    int code = ordo_stm_read(w->t, &shared_box, &at);
    if (code)
        return code;
    box = (struct box *)(uintptr_t)at;
    linger(w);
    if ((code = ordo_stm_read(w->t, &box->word[0], &x)) || (code = ordo_stm_read(w->t, &box->word[1], &y)))
        return code;
    expect(x == y, "private memory is seen");
    count_checked();
    if (!changes || (code = ordo_stm_write(w->t, &box->word[0], x + 1)) != 0)
        return code;
    return ordo_stm_write(w->t, &box->word[1], x + 1);
}

static int take_box(struct worker *w, struct box *fresh, struct box **taken)
{
    uint64_t at;
    int code = ordo_stm_read(w->t, &shared_box, &at);
    *taken = (struct box *)(uintptr_t)at;
    return code ? code : ordo_stm_write(w->t, &shared_box, (uintptr_t)fresh);
}

static void step_private(struct worker *w)
{
    struct box *fresh, *taken = NULL;
    int result;
    if (below(w, 8)) {
        int changes = below(w, 3) == 0;
        ORDO_STM_ATOMICALLY(w->t, changes ? 0 : a_reader(w), result, look_in_box(w, changes));
        return;
    }
    fresh = new_box(below(w, 1000));
    ORDO_STM_ATOMICALLY(w->t, ORDO_STM_QUIESCE, result, take_box(w, fresh, &taken));
    for (uint64_t i = 0; i < 20; i++) {
        taken->word[0] = i; /* plain writes; for a while the words differ */
        linger(w);
        expect(taken->word[0] == i, "private memory is written");
        taken->word[1] = i;
    }
    free(taken);
}

/* Sets: keys below KEYS, half of them present, are added and removed. At the end, the number of elements of a set must
 * equal the additions of all threads minus their removals. */
#define SET(name)                                                                                                      \
    static void step_##name(struct worker *w)                                                                          \
    {                                                                                                                  \
        uint64_t key = below(w, KEYS), kind = below(w, 8);                                                             \
        int result;                                                                                                    \
        if (kind == 0)                                                                                                 \
            w->net += result = ordo_stm_##name##_add(w->t, &name, key);                                                \
        else if (kind == 1)                                                                                            \
            w->net -= result = ordo_stm_##name##_remove(w->t, &name, key);                                             \
        else                                                                                                           \
            result = ordo_stm_##name##_contains(w->t, &name, key);                                                     \
        expect(result == 0 || result == 1, "an operation fails");                                                      \
        count_checked();                                                                                               \
    }                                                                                                                  \
    static void finish_##name(int64_t net)                                                                             \
    {                                                                                                                  \
        expect(ordo_stm_##name##_audit(&name) == net, "the set has what was added and not removed");                   \
        end_nothing(net);                                                                                              \
    }

SET(list)
SET(hash)
SET(tree)
SET(skip)

/* elastic: the list, by elastic operations and by others. Half of the keys may be anywhere; of each pair of the other keys
 * at most one is present. */
static int add_one_of_two(struct worker *w, uint64_t key)
{
    int code = ordo_stm_list_contains_in(w->t, &list, key ^ 1);
    if (code || (code = ordo_stm_hold(w->t)) != 0)
        return code < 0 ? code : 0;
    return ordo_stm_list_add_in(w->t, &list, key);
}

static int look_at_two(struct worker *w, uint64_t key)
{
    int first = ordo_stm_list_contains_in(w->t, &list, key), second;
    if (first < 0)
        return first;
    linger(w);
    second = ordo_stm_list_contains_in(w->t, &list, key ^ 1);
    if (second >= 0)
        expect(!(first && second), "one of two keys is present");
    return second;
}

static void step_elastic(struct worker *w)
{
    uint64_t key = below(w, KEYS), kind = below(w, 8);
    int result;
    if (kind == 0 && key < KEYS / 2)
        w->net += result =
            below(w, 2) ? ordo_stm_list_add_elastic(w->t, &list, key) : ordo_stm_list_add(w->t, &list, key);
    else if (kind == 0) {
        ORDO_STM_ATOMICALLY(w->t, ORDO_STM_ELASTIC, result, add_one_of_two(w, key));
        w->net += result;
    } else if (kind == 1)
        w->net -= result = ordo_stm_list_remove_elastic(w->t, &list, key);
    else if (kind == 2 && key >= KEYS / 2)
        ORDO_STM_ATOMICALLY(w->t, a_reader(w), result, look_at_two(w, key));
    else
        result = ordo_stm_list_contains_elastic(w->t, &list, key);
    expect(result == 0 || result == 1, "an operation fails");
    count_checked();
}

static void begin_hash(void)
{
    (void)ordo_stm_hash_init(&stm, &hash, 16);
}

static void end_list(int64_t net)
{
    finish_list(net);
    ordo_stm_list_clear(&stm, &list);
}

static void end_hash(int64_t net)
{
    finish_hash(net);
    ordo_stm_hash_destroy(&stm, &hash);
}

static void end_tree(int64_t net)
{
    finish_tree(net);
    ordo_stm_tree_clear(&stm, &tree);
}

static void end_skip(int64_t net)
{
    finish_skip(net);
    ordo_stm_skip_clear(&stm, &skip);
}

static const struct test_case cases[] = {
    {"pair", begin_zero, step_pair, end_nothing},
    {"bank", begin_bank, step_bank, end_nothing},
    {"private", begin_private, step_private, end_private},
    {"list", NULL, step_list, end_list},
    {"elastic", NULL, step_elastic, end_list},
    {"hash", begin_hash, step_hash, end_hash},
    {"tree", NULL, step_tree, end_tree},
    {"skip", NULL, step_skip, end_skip},
};

static void *work(void *argument)
{
    struct worker *w = argument;
    place(w);
    if (ordo_stm_thread_init(&stm, &w->t))
        return NULL;
    self = w;
    while (!atomic_load_explicit(&over, memory_order_relaxed)) {
        if (w->setting->migrate)
            place(w);
        w->test->step(w);
    }
    self = NULL; /* no interruption after the end */
    ordo_stm_thread_finish(w->t);
    return w;
}

static void report(const struct test_case *test, const struct setting *setting)
{
    struct ordo_stm_statistics sum;
    ordo_stm_statistics_read(&stm, &sum);
    printf(
        "%-7s %-7s B %5llu skew %6lld%s threads %d%s: %9llu commits %8llu updates, aborts %6llu locked %7llu changed "
        "%7llu newer %7llu uncertain, %7llu extensions %6llu snapshots %7llu saved %6llu read, %5llu alone %5llu "
        "quiesces %6llu yields %4llu sleeps\n",
        test->name, ORDO_STAMP_NAME, (unsigned long long)setting->boundary, (long long)setting->skew,
        setting->migrate ? " migrating" : "", setting->threads, setting->preempt ? " preempted" : "",
        (unsigned long long)sum.commits, (unsigned long long)sum.updates, (unsigned long long)sum.aborts_locked,
        (unsigned long long)sum.aborts_changed, (unsigned long long)sum.aborts_newer,
        (unsigned long long)sum.aborts_uncertain, (unsigned long long)sum.extensions, (unsigned long long)sum.snapshots,
        (unsigned long long)sum.saved, (unsigned long long)sum.reads_saved, (unsigned long long)sum.irrevocable,
        (unsigned long long)sum.quiesces, (unsigned long long)sum.yields, (unsigned long long)sum.sleeps);
}

/* Runs a case. Returns 0, or -1 if it could not be run. */
static int run(const struct test_case *test, const struct setting *setting)
{
    struct ordo_stm_options options = {
        .boundary_ticks = setting->boundary, .unsafe_boundary = 1, .stripes = 1024, .watch = any_clock()};
    struct worker workers[MAX_THREADS];
    struct sigaction action = {.sa_handler = sleep_a_while, .sa_flags = SA_RESTART};
    int64_t net = 0;
    int failed = 0;
    if (sigaction(SIGUSR1, &action, NULL) || ordo_stm_create(&stm, &options))
        return -1;
    if (test->begin)
        test->begin();
    atomic_store(&over, 0);
    for (int i = 0; i < setting->threads; i++) {
        workers[i] = (struct worker){.setting = setting,
                                     .index = i,
                                     .random = 88172645463325252u + (uint64_t)i * 977,
                                     .clock_random = 1 + (uint64_t)i * 7919,
                                     .test = test};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
            return -1;
    }
    interrupt(workers, setting);
    for (int i = 0; i < setting->threads; i++) {
        void *result;
        pthread_join(workers[i].thread, &result);
        failed |= result == NULL;
        net += workers[i].net;
    }
    report(test, setting);
    test->end(net);
    ordo_stm_destroy(&stm);
    return failed ? -1 : 0;
}

#ifndef STRESS_MS
#define STRESS_MS 100 /* for each setting */
#endif

/* Runs the case with settings whose skew is at most the boundary, in both directions; threads stay or migrate. */
static int run_matrix(const struct test_case *test)
{
    static const int64_t boundaries[] = {5000, 400};
    int failed = 0;
    for (int b = 0; b < 2; b++) {
        int64_t boundary = boundaries[b], skews[] = {0, boundary, -boundary, boundary};
        for (int s = 0; s < 4; s++) {
            struct setting setting = {.boundary = (uint64_t)boundary,
                                      .skew = skews[s],
                                      .threads = (s + b) % 2 ? 8 : 4,
                                      .migrate = s == 3,
                                      .preempt = s % 3 == 0 ? 1
                                                 : s == 1   ? 20000
                                                            : 0,
                                      .milliseconds = STRESS_MS};
            failed |= run(test, &setting);
        }
    }
    return failed;
}

static int set_key(struct setting *setting, int *expected, const char *argument)
{
    const char *equal = strchr(argument, '=');
    size_t length = equal ? (size_t)(equal - argument) : 0;
    long value = equal ? strtol(equal + 1, NULL, 10) : 0;
#define KEY(name) (length == sizeof name - 1 && strncmp(argument, name, length) == 0)
    if (KEY("boundary"))
        setting->boundary = (uint64_t)value;
    else if (KEY("skew"))
        setting->skew = value;
    else if (KEY("threads"))
        setting->threads = value > 0 && value <= MAX_THREADS ? (int)value : 1;
    else if (KEY("migrate"))
        setting->migrate = value != 0;
    else if (KEY("preempt"))
        setting->preempt = (int)value;
    else if (KEY("milliseconds"))
        setting->milliseconds = (int)value;
    else if (KEY("transactions"))
        setting->checks = value;
    else if (KEY("expect"))
        *expected = setting->until_violated = value != 0;
    else
        return fprintf(stderr, "unknown: %s\n", argument), -1;
    return 0;
}

/* Repeats short runs. A thread's clock and CPU are decided at the start, and determine how likely a violation is:
 * many short runs find violations that one long run may never meet. */
static int run_until_violated(const struct test_case *test, const struct setting *setting)
{
    struct setting brief = *setting;
    int failed = 0;
    brief.milliseconds = SHORT_MS;
    for (int left = setting->milliseconds; left > 0 && !failed && !atomic_load(&violations); left -= SHORT_MS)
        failed = run(test, &brief);
    return failed;
}

int main(int argc, char **argv)
{
    struct setting setting = {.boundary = 5000, .threads = 4, .preempt = 1, .milliseconds = STRESS_MS};
    const struct test_case *test = NULL;
    int expected = 0, failed = 0;
    skewed_clock_agree = 1;
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
        failed = argc > 2 ? run(test, &setting) : run_matrix(test);
    printf("%ld checked, of them %ld given up, %ld violations\n", atomic_load(&checked), atomic_load(&given_up),
           atomic_load(&violations));
    if (expected)
        return failed || atomic_load(&violations) == 0;
    return failed || atomic_load(&violations) || !atomic_load(&checked);
}
