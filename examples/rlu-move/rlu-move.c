/* Keys move between two trees while readers walk both: in every section a key is in exactly one of them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <ordo/cc/rlu/tree.h>

enum { KEYS = 64, MOVES = 20000, MOVERS = 2 };

static struct ordo_rlu rlu; /* one for both trees, because they change together */
static struct ordo_rlu_tree left, right;
static atomic_int moving = MOVERS;
static atomic_int failures;

static int move_in(struct ordo_rlu_thread *t, struct ordo_rlu_tree *from, struct ordo_rlu_tree *to, uint64_t key)
{
    int removed = ordo_rlu_tree_remove_in(t, from, key);
    return removed == 1 ? ordo_rlu_tree_add_in(t, to, key) : removed; /* -1: another thread is there, begin again */
}

static int places_in(struct ordo_rlu_thread *t, uint64_t key)
{
    return ordo_rlu_tree_contains_in(t, &left, key) + ordo_rlu_tree_contains_in(t, &right, key);
}

static void *mover(void *seed)
{
    struct ordo_rlu_thread *t;
    int moved = 0, result;
    if (ordo_rlu_thread_init(&rlu, &t))
        return atomic_fetch_add(&failures, 1), atomic_fetch_sub(&moving, 1), NULL;
    for (uint64_t i = (uintptr_t)seed; moved < MOVES; i += 7) {
        ORDO_RLU_SECTION(t, result, move_in(t, &left, &right, i % KEYS));
        moved += result == 1;
        ORDO_RLU_SECTION(t, result, move_in(t, &right, &left, (i + 3) % KEYS));
        moved += result == 1;
    }
    ordo_rlu_thread_finish(t);
    atomic_fetch_sub(&moving, 1);
    return NULL;
}

int main(void)
{
    struct ordo o;
    struct ordo_error error;
    struct ordo_rlu_options options = {0};
    struct ordo_rlu_thread *t;
    pthread_t movers[MOVERS];
    uint64_t sections = 0, wrong = 0;
    int result;
    if (ordo_open_error(&o, NULL, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    options.boundary_ticks = ordo_boundary(&o), options.watch = &o;
    if (ordo_rlu_create(&rlu, &options) || ordo_rlu_thread_init(&rlu, &t))
        return 1;
    for (uint64_t key = 0; key < KEYS; key++)
        wrong += ordo_rlu_tree_add(t, &left, key) != 1;
    for (uintptr_t i = 0; i < MOVERS; i++)
        if (pthread_create(&movers[i], NULL, mover, (void *)i))
            return 1;
    for (; atomic_load(&moving) || !sections; sections++) {
        ORDO_RLU_SECTION(t, result, places_in(t, sections % KEYS));
        wrong += result != 1;
        if (ordo_status(&o) == ORDO_STATUS_DISRUPTED) /* the clocks are farther apart than the boundary: all bets off */
            return fprintf(stderr, "the record was withdrawn\n"), 1;
    }
    for (int i = 0; i < MOVERS; i++)
        pthread_join(movers[i], NULL);
    int64_t keys = ordo_rlu_tree_audit(&left) + ordo_rlu_tree_audit(&right);
    printf("%d moves, %llu sections, %llu wrong, %lld keys\n", MOVERS * MOVES, (unsigned long long)sections,
           (unsigned long long)wrong, (long long)keys);
    ordo_rlu_thread_finish(t);
    ordo_rlu_tree_clear(&rlu, &left);
    ordo_rlu_tree_clear(&rlu, &right);
    ordo_rlu_destroy(&rlu);
    return wrong || keys != KEYS || atomic_load(&failures);
}
