/* A writer that never waits for readers: routes move between two trees while a slow reader walks all keys in one
 * section. The section sees each route in exactly one tree, as of its beginning, however many moves it lasts. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <ordo/cc/mvrlu/tree.h>

enum { ROUTES = 512, MOVES = 40000 };

static struct ordo_mvrlu domain; /* one for both trees, because they change together */
static struct ordo_mvrlu_tree active, standby;
static atomic_int moving = 1, moved, refused;

static int move_in(struct ordo_mvrlu_thread *t, struct ordo_mvrlu_tree *from, struct ordo_mvrlu_tree *to, uint64_t key)
{
    int removed = ordo_mvrlu_tree_remove_in(t, from, key);
    return removed == 1 ? ordo_mvrlu_tree_add_in(t, to, key) : removed; /* -1: abort the section, and begin again */
}

static int walk_in(struct ordo_mvrlu_thread *t, int *moves)
{
    int wrong = 0, before = atomic_load(&moved);
    for (uint64_t key = 0; key < ROUTES; key++)
        wrong += ordo_mvrlu_tree_contains_in(t, &active, key) + ordo_mvrlu_tree_contains_in(t, &standby, key) != 1;
    *moves = atomic_load(&moved) - before;
    return wrong;
}

static void *writer(void *unused)
{
    struct ordo_mvrlu_thread *t;
    int result = ordo_mvrlu_thread_init(&domain, &t);
    if (result == ORDO_OK) {
        for (uint64_t i = 0; i < MOVES && result >= 0; i++) {
            int out = i / ROUTES % 2;
            ORDO_MVRLU_SECTION(t, result, move_in(t, out ? &standby : &active, out ? &active : &standby, i % ROUTES));
            atomic_fetch_add(&moved, result == 1);
        }
        ordo_mvrlu_thread_finish(t);
    }
    atomic_store(
        &refused,
        result < 0); /* out of memory; a section lasts too long for the log (ORDO_E_FULL); the record was withdrawn */
    atomic_store(&moving, 0);
    return unused;
}

int main(void)
{
    struct ordo o;
    struct ordo_error error;
    struct ordo_mvrlu_thread *t;
    pthread_t thread;
    int wrong = 0, walks = 0, moves = 0, most = 0, result;
    if (ordo_open_error(&o, NULL, &error))
        return fprintf(stderr, "%s\n", error.text), 1;
    struct ordo_mvrlu_options options = {.boundary_ticks = ordo_boundary(&o), .watch = &o};
    if (ordo_mvrlu_create(&domain, &options) || ordo_mvrlu_thread_init(&domain, &t))
        return 1;
    for (uint64_t key = 0; key < ROUTES; key++)
        wrong += ordo_mvrlu_tree_add(t, &active, key) != 1;
    if (pthread_create(&thread, NULL, writer, NULL))
        return 1;
    for (; atomic_load(&moving) || !walks; walks++) {
        ORDO_MVRLU_SECTION(t, result, walk_in(t, &moves));
        wrong += result != 0;
        most = moves > most ? moves : most;
    }
    pthread_join(thread, NULL);
    ordo_mvrlu_thread_finish(t);
    ordo_mvrlu_rest(&domain); /* all threads have finished: the trees hold the newest versions */
    long long keys = (long long)(ordo_mvrlu_tree_audit(&active) + ordo_mvrlu_tree_audit(&standby));
    printf("%d moves, up to %d within a section; %d sections, %d wrong, %lld keys\n", atomic_load(&moved), most, walks,
           wrong, keys);
    ordo_mvrlu_tree_clear(&domain, &active);
    ordo_mvrlu_tree_clear(&domain, &standby);
    ordo_mvrlu_destroy(&domain);
    return wrong || keys != ROUTES || atomic_load(&refused);
}
