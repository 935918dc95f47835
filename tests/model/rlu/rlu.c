/* rlu [RUNS [SEED]]: RLU on a simulated machine, one random schedule after the other. Exit 0 holds, 1 violated.
 *
 * The unmodified header, with a step before each of its atomic accesses and clock reads: see machine.h.
 *
 * There are two pairs of numbers. A commit adds 1 to both of a pair. At any time a section must find the numbers of a
 * pair equal; find the same if it looks again; see what was returned before it began; and what any two sections see
 * must be nested. Every schedule ends, and then everything is unlocked and counted. */
#include "machine.h"

#include <ordo/cc/rlu.h>

enum { SECTIONS = 8, PAIRS = 2, SEEN = THREADS * (SECTIONS + 1) };

struct number {
    uint64_t value;
};

static struct ordo_rlu rlu;
static struct number *numbers[PAIRS][2];
static uint64_t committed[PAIRS], returned[PAIRS];
static uint64_t seen[SEEN][PAIRS];
static int seen_count, deferred;

static int write_pair(struct ordo_rlu_thread *t, int pair)
{
    int first = (int)model_random(2), i;
    for (i = 0; i < 2; i++) {
        struct number *n = ordo_rlu_try_lock(t, numbers[pair][(first + i) % 2], sizeof *n);
        if (!n)
            return -1;
        n->value++;
    }
    return 0;
}

static void update(struct ordo_rlu_thread *t)
{
    int pair = (int)model_random(PAIRS), result, attempts = 0;
    do {
        ordo_rlu_reader_lock(t);
        result = write_pair(t, pair);
        if (result == 0)
            ordo_rlu_reader_unlock(t);
        else
            (void)ordo_rlu_abort(t);
    } while (result && ++attempts < 3);
    committed[pair] += result == 0;
    returned[pair] += result == 0;
}

static void read_all(struct ordo_rlu_thread *t)
{
    const struct number *at[PAIRS][2];
    uint64_t before[PAIRS], value[PAIRS][2];
    int start = (int)model_random(2 * PAIRS);
    memcpy(before, returned, sizeof before);
    ordo_rlu_reader_lock(t);
    for (int k = 0; k < 2 * PAIRS; k++) {
        int i = (start + k) % (2 * PAIRS);
        at[i / 2][i % 2] = ordo_rlu_dereference(t, numbers[i / 2][i % 2]);
        model_step();
        value[i / 2][i % 2] = at[i / 2][i % 2]->value;
    }
    for (int p = 0; p < PAIRS; p++) {
        expect(value[p][0] == value[p][1], "a pair is torn");
        expect(value[p][0] == at[p][0]->value && value[p][1] == at[p][1]->value, "what was read has changed");
        expect(deferred || value[p][0] >= before[p], "a commit that has returned is not seen");
        seen[seen_count][p] = value[p][0];
    }
    seen_count++;
    ordo_rlu_reader_unlock(t);
}

static void run_thread(void)
{
    struct ordo_rlu_thread *t;
    if (ordo_rlu_thread_init(&rlu, &t))
        expect(0, "no memory");
    for (int i = 0; i < SECTIONS && !violated; i++) {
        if (model_random(8) == 0) {
            ordo_rlu_thread_finish(t);
            (void)ordo_rlu_thread_init(&rlu, &t);
        }
        if (model_random(2))
            update(t);
        else
            read_all(t);
    }
    ordo_rlu_thread_finish(t);
}

static void check_end(void)
{
    for (int p = 0; p < PAIRS; p++)
        for (int i = 0; i < 2; i++) {
            expect(ordo_rlu_header_of(numbers[p][i])->copy == NULL, "locked at the end");
            expect(numbers[p][i]->value == committed[p], "a commit is lost");
        }
    for (int a = 0; !deferred && a < seen_count; a++)
        for (int b = 0; b < a; b++)
            expect((seen[a][0] <= seen[b][0] && seen[a][1] <= seen[b][1]) ||
                       (seen[a][0] >= seen[b][0] && seen[a][1] >= seen[b][1]),
                   "what two sections see is not nested");
}

static void run_schedule(uint64_t seed)
{
    struct ordo_rlu_options options = {.boundary_ticks = BOUNDARY};
    struct ordo_rlu_thread *t;
    model_begin(seed);
    seen_count = 0;
    deferred = model_random(3) == 0;
    options.defer_commits = deferred ? 3 : 1;
    if (ordo_rlu_create(&rlu, &options) || ordo_rlu_thread_init(&rlu, &t)) {
        expect(0, "no memory");
        return;
    }
    for (int p = 0; p < PAIRS; p++) {
        committed[p] = returned[p] = 0;
        for (int i = 0; i < 2; i++)
            *(numbers[p][i] = ordo_rlu_alloc(t, sizeof(struct number))) = (struct number){0};
    }
    ordo_rlu_thread_finish(t);
    model_run(run_thread);
    if (!violated)
        check_end();
    for (int i = 0; i < 2 * PAIRS; i++)
        ordo_rlu_discard(&rlu, numbers[i / 2][i % 2]);
    ordo_rlu_destroy(&rlu);
}

int main(int argc, char **argv)
{
    return model_main(argc, argv, 10000, run_schedule);
}
