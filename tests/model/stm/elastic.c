/* elastic [RUNS [SEED]]: runs elastic transactions on a list, on a simulated machine, one random schedule after another.
 * Exit 0: the promises held; 1: one was violated.
 *
 * The headers are unmodified, as in stm.c. Threads add, remove and look for keys, in elastic transactions and in others.
 * Checked:
 *  - The operations on each key are linearizable: they have one order, in agreement with real time, in which each has
 *    the result that it returned; the last one explains whether the list has the key at the end.
 *  - Of the last two keys at most one is in the list: who adds one searches for the other in the same transaction,
 *    and then holds.
 *  - Released nodes are poisoned, and never used again, so an operation that reads one has a wrong result.
 * Every schedule ends; then no word is locked, and the list is in order. */
#include "machine.h"

#include <ordo/cc/stm/list.h>

enum {
    OPERATIONS = 8,
    KEYS = 4,      /* keys whose operations are linearizable */
    NODES = 65536, /* made in a schedule, at most; attempts included */
    POISON = 0x5a5a5a
};

enum kind { CONTAINS, ADD, REMOVE, KINDS };

struct operation {
    enum kind kind;
    int result;
    uint64_t begun, ended;
};

static struct ordo_stm stm;
static struct ordo_stm_list list;
static struct ordo_stm_list_node nodes[NODES];
static int node_count;
static struct operation operations[KEYS][THREADS][OPERATIONS];
static int counts[KEYS][THREADS], initial[KEYS];

static void *allocate(void *context, size_t bytes)
{
    (void)context;
    if (bytes != sizeof(struct ordo_stm_list_node))
        return malloc(bytes);
    return node_count < NODES ? &nodes[node_count++] : NULL;
}

static void release(void *context, void *memory)
{
    struct ordo_stm_list_node *node = memory;
    (void)context;
    if (node < nodes || node >= nodes + NODES) {
        free(memory);
        return;
    }
    expect(node->key != POISON, "a node is freed twice");
    node->key = POISON;
    node->next = 0;
}

/* Removes a key, and becomes irrevocable between the last two reads and the writes. */
static int remove_alone_in(struct ordo_stm_thread *t, uint64_t key)
{
    struct ordo_stm_list_node *node;
    uint64_t *link, next;
    int code = ordo_stm_list_seek(t, &list, key, &link, &node);
    if (code || !node || node->key != key)
        return code;
    if ((code = ordo_stm_read(t, &node->next, &next)) || (code = ordo_stm_irrevocable(t)) ||
        (code = ordo_stm_write(t, link, next)) || (code = ordo_stm_write(t, &node->next, next)) ||
        (code = ordo_stm_free(t, node)))
        return code;
    return 1;
}

/* Runs an operation on a key: in an elastic transaction, or in another. Returns its result. */
static int apply(struct ordo_stm_thread *t, enum kind kind, uint64_t key)
{
    int elastic = model_random(3) != 0, alone = model_random(8) == 0, result;
    if (kind == CONTAINS)
        return elastic ? ordo_stm_list_contains_elastic(t, &list, key) : ordo_stm_list_contains(t, &list, key);
    if (kind == ADD)
        return elastic ? ordo_stm_list_add_elastic(t, &list, key) : ordo_stm_list_add(t, &list, key);
    ORDO_STM_ATOMICALLY(t, elastic ? ORDO_STM_ELASTIC : 0, result,
                        alone ? remove_alone_in(t, key) : ordo_stm_list_remove_elastic_in(t, &list, key));
    return result;
}

static void operate(struct ordo_stm_thread *t)
{
    uint64_t key = model_random(KEYS);
    int *count = &counts[key][machine.running];
    struct operation *operation = &operations[key][machine.running][(*count)++];
    operation->kind = (enum kind)model_random(KINDS);
    operation->begun = machine.true_time;
    operation->result = apply(t, operation->kind, key);
    operation->ended = machine.true_time;
    expect(operation->result == 0 || operation->result == 1, "an operation fails");
}

/* Adds a key unless the other is there. The search for the other is the end of the elastic part; or it is a nested
 * transaction that is not elastic. An irrevocable transaction holds as well. */
static int add_unless_in(struct ordo_stm_thread *t, uint64_t key, uint64_t other, int way)
{
    int code;
    if (way == 2) {
        if ((code = ordo_stm_list_contains(t, &list, other)) != 0)
            return code < 0 ? code : 0;
    } else {
        if ((code = ordo_stm_list_contains_in(t, &list, other)) != 0)
            return code < 0 ? code : 0;
        if ((code = way ? ordo_stm_irrevocable(t) : ordo_stm_hold(t)) != 0)
            return code;
    }
    return ordo_stm_list_add_in(t, &list, key);
}

static int look_at_both_in(struct ordo_stm_thread *t)
{
    int first = ordo_stm_list_contains_in(t, &list, KEYS), second;
    if (first < 0)
        return first;
    second = ordo_stm_list_contains_in(t, &list, KEYS + 1);
    if (second < 0)
        return second;
    expect(!(first && second), "both of two keys are in the list that exclude each other");
    return 0;
}

static void exclude(struct ordo_stm_thread *t)
{
    uint64_t which = model_random(2), key = KEYS + which, other = KEYS + !which;
    int way = (int)model_random(3), result;
    switch (model_random(3)) {
    case 0:
        ORDO_STM_ATOMICALLY(t, 0, result, look_at_both_in(t));
        break;
    case 1:
        result = ordo_stm_list_remove_elastic(t, &list, key);
        break;
    default:
        ORDO_STM_ATOMICALLY(t, ORDO_STM_ELASTIC, result, add_unless_in(t, key, other, way));
    }
    expect(result >= 0, "an operation fails");
}

static void run_thread(void)
{
    struct ordo_stm_thread *t;
    if (ordo_stm_thread_init(&stm, &t))
        expect(0, "no memory");
    for (int i = 0; i < OPERATIONS && !violated; i++) {
        if (model_random(4))
            operate(t);
        else
            exclude(t);
        ordo_stm_collect(t); /* more often than the thread does by itself */
    }
    ordo_stm_thread_finish(t);
}

/* ---- linearizability, for one key ---- */

struct search {
    int key, last, done[THREADS];
    char seen[OPERATIONS + 1][OPERATIONS + 1][OPERATIONS + 1][OPERATIONS + 1][2];
};

/* Returns the result of an operation on a set that has the key if `*there`, and updates `*there`. */
static int expected(enum kind kind, int *there)
{
    int was = *there;
    if (kind != CONTAINS)
        *there = kind == ADD;
    return kind == ADD ? !was : was;
}

/* True if the operation that thread i makes next can be the next of all: none has ended before it began. */
static int can_be_next(const struct search *search, int i)
{
    const struct operation *next = &operations[search->key][i][search->done[i]];
    for (int k = 0; k < THREADS; k++)
        if (search->done[k] < counts[search->key][k] && operations[search->key][k][search->done[k]].ended < next->begun)
            return 0;
    return 1;
}

/* True if the rest of the operations has an order. */
static int has_order(struct search *search, int there)
{
    int *done = search->done, left = 0;
    char *seen = &search->seen[done[0]][done[1]][done[2]][done[3]][there];
    if (*seen)
        return 0;
    *seen = 1;
    for (int i = 0; i < THREADS; i++) {
        int after = there;
        if (done[i] == counts[search->key][i])
            continue;
        left = 1;
        const struct operation *next = &operations[search->key][i][done[i]];
        if (!can_be_next(search, i) || expected(next->kind, &after) != next->result)
            continue;
        done[i]++;
        if (has_order(search, after))
            return 1;
        done[i]--;
    }
    return !left && there == search->last;
}

_Static_assert(THREADS == 4, "struct search has one dimension for each thread");

static int is_there(uint64_t key)
{
    for (const struct ordo_stm_list_node *node = ordo_stm_list_at(list.first); node;
         node = ordo_stm_list_at(node->next))
        if (node->key == key)
            return 1;
    return 0;
}

static void check_end(void)
{
    static struct search search;
    expect(ordo_stm_list_audit(&list) >= 0, "the list is out of order");
    for (size_t i = 0; i <= stm.mask; i++)
        expect(!(stm.stripes[i] & ORDO_STM_LOCKED), "locked at the end");
    for (int key = 0; key < KEYS; key++) {
        memset(&search, 0, sizeof search);
        search.key = key;
        search.last = is_there((uint64_t)key);
        expect(has_order(&search, initial[key]), "the operations on a key have no order");
    }
}

static void fill(void)
{
    struct ordo_stm_thread *t;
    if (ordo_stm_thread_init(&stm, &t))
        return;
    for (int key = 0; key < KEYS; key++) {
        initial[key] = (int)model_random(2);
        if (initial[key])
            (void)ordo_stm_list_add(t, &list, (uint64_t)key);
    }
    ordo_stm_thread_finish(t);
}

static void run_schedule(uint64_t seed)
{
    struct ordo_stm_options options = {
        .boundary_ticks = BOUNDARY, .stripes = 64, .memory = {.allocate = allocate, .release = release}};
    model_begin(seed);
    machine.granule = model_random(3) ? 1 : 40;
    node_count = 0;
    list.first = 0;
    memset(counts, 0, sizeof counts);
    if (ordo_stm_create(&stm, &options)) {
        expect(0, "no memory");
        return;
    }
    fill();
    model_run(run_thread);
    if (!violated)
        check_end();
    ordo_stm_destroy(&stm);
}

int main(int argc, char **argv)
{
    return model_main(argc, argv, 4000, run_schedule);
}
