/* Waiting for the ranks of a node, which a thread and some numbers simulate: the length of the wait, the report of the
 * missing rank, and the events that end the wait. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <time.h>

#include "base/time.h"
#include "cluster/verify/node_wait.h"

enum { RANKS = 4, ME = 1, MISSING = 3 };

static const int64_t ms = 1000000, patience_ns = 100000000;

static struct ordo_node_life life;
static _Atomic unsigned beats[RANKS];
static _Atomic bool over;
static int idle_calls;

static bool be_idle(void *answer)
{
    idle_calls++;
    return answer != NULL;
}

static struct ordo_node_waiter waiter(void)
{
    return (struct ordo_node_waiter){
        .life = &life, .beats = beats, .rank = ME, .size = RANKS, .patience_ns = patience_ns};
}

/* Counts heartbeats for every rank except this one and the missing one, because the other ranks wait too. With an
 * argument, some rank also makes progress. */
static void *show_life(void *gets_on)
{
    while (!over) {
        for (int rank = 0; rank < RANKS; rank++)
            if (rank != ME && rank != MISSING)
                beats[rank]++;
        if (gets_on)
            life.steps++;
        (void)nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    return gets_on;
}

static pthread_t begin_life(bool gets_on)
{
    pthread_t thread;
    over = false;
    cr_assert_eq(pthread_create(&thread, NULL, show_life, gets_on ? &life : NULL), 0);
    return thread;
}

static void end_life(pthread_t thread)
{
    over = true;
    (void)pthread_join(thread, NULL);
}

/* Naps until the rank gives up, or for `most_ns`. Returns the length of the wait. */
static int64_t nap_for(struct ordo_node_waiter *one, int64_t most_ns, bool *given_up)
{
    int64_t begin_ns = ordo_raw_ns(), took_ns = 0;
    ordo_node_wait_begin(one);
    *given_up = false;
    while (!*given_up && (took_ns = ordo_raw_ns() - begin_ns) < most_ns)
        *given_up = !ordo_node_nap(one, ms);
    return took_ns;
}

/* True if the rank gives up and names only the missing rank. If the thread that simulates the other ranks has no CPU
 * during the whole patience, these ranks are silent too; the test then tries again with more patience. */
static bool gives_up(int64_t patient_ns)
{
    struct ordo_node_waiter one = waiter();
    bool given_up;
    one.patience_ns = patient_ns;
    life = (struct ordo_node_life){.steps = 5}; /* progress from before the wait */
    beats[ME] = 0;
    pthread_t thread = begin_life(false);
    int64_t took_ns = nap_for(&one, 300 * patient_ns, &given_up);
    end_life(thread);
    cr_expect(given_up && took_ns >= patient_ns && life.gave_up, "after %lld ns", (long long)took_ns);
    cr_expect_neq(life.silent, 1 + ME, "the rank names itself");
    return life.silent == 1 + MISSING && beats[ME] > 20;
}

Test(wait, a_waiter_without_progress_names_the_silent_ranks, .timeout = 600)
{
    int64_t patient_ns = patience_ns;
    while (!gives_up(patient_ns) && patient_ns < 5000 * ms)
        patient_ns *= 2;
    cr_expect_eq(life.silent, 1 + MISSING, "a waiting rank is named: %d", life.silent);
    cr_expect_gt(beats[ME], 20, "this rank shows that it waits");
    struct ordo_node_waiter other = waiter();
    cr_expect(!ordo_node_nap(&other, ms), "all ranks give up together");
    cr_expect(!ordo_node_sleep(&other, ordo_raw_ns() + 10000 * ms));
    life.silent = 3;
    life.gave_up = 0;
    other.patience_ns = -1;
    cr_expect(!ordo_node_nap(&other, ms) && life.gave_up);
    cr_expect_eq(life.silent, 3, "the rank that was named first is no longer named: %d", life.silent);
}

/* True if the rank continues to wait. As above, a thread without a CPU may look like a lack of progress. */
static bool goes_on(int64_t patient_ns)
{
    struct ordo_node_waiter one = waiter();
    bool given_up;
    one.patience_ns = patient_ns;
    life = (struct ordo_node_life){0};
    pthread_t thread = begin_life(true);
    int64_t took_ns = nap_for(&one, 3 * patient_ns, &given_up);
    end_life(thread);
    return !given_up && !life.gave_up && life.silent == 0 && took_ns >= 3 * patient_ns;
}

Test(wait, a_waiter_continues_while_any_rank_makes_progress, .timeout = 600)
{
    int64_t patient_ns = 500 * ms;
    while (patient_ns < 10000 * ms && !goes_on(patient_ns))
        patient_ns *= 2;
    cr_expect_lt(patient_ns, 10000 * ms, "the rank gives up although others make progress");
}

Test(wait, each_wait_begins_with_full_patience, .timeout = 60)
{
    struct ordo_node_waiter one = waiter();
    for (int i = 0; i < 4; i++) {
        ordo_node_wait_begin(&one);
        cr_expect(ordo_node_nap(&one, patience_ns + 10 * ms));
    }
    cr_expect(!life.gave_up);
}

Test(wait, a_waiter_calls_its_idle_function_periodically, .timeout = 60)
{
    struct ordo_node_waiter one = waiter();
    bool given_up;
    one.idle = be_idle;
    one.context = &life;
    one.patience_ns = INT64_MAX;
    int64_t took_ns = nap_for(&one, 200 * ms, &given_up);
    cr_expect(!given_up && idle_calls > 0 && idle_calls <= 1 + took_ns / (10 * ms), "%d calls", idle_calls);
    idle_calls = 0;
    int64_t begin_ns = ordo_raw_ns();
    cr_expect(ordo_node_sleep(&one, begin_ns + 100 * ms));
    cr_expect_geq(ordo_raw_ns(), begin_ns + 100 * ms, "the rank sleeps until then");
    cr_expect_gt(idle_calls, 0, "the rank calls `idle` meanwhile");
    one.context = NULL;
    one.idle_ns = 0;
    cr_expect(!ordo_node_nap(&one, ms), "`idle` may end the wait");
    cr_expect(life.gave_up && life.silent == 0);
}
