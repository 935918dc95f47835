/* Cases about data structures. Each thread counts its additions and removals of each key. At the end the structure must
 * contain exactly the keys with one more addition than removals, in order. Keys below RANGE are added and removed. Of
 * each pair of twins, RANGE + k and 2 RANGE + k, exactly one is present at any time. */
#ifndef TESTS_STRESS_RLU_STRUCTURES_H
#define TESTS_STRESS_RLU_STRUCTURES_H

#include "harness.h"

enum { RANGE = 64, BUCKETS = 7 };

static struct ordo_rlu_list list;
static struct ordo_rlu_hash hash;
static struct ordo_rlu_tree tree;
static _Atomic int balance[RANGE]; /* additions minus removals of each key */

static int list_contains(struct ordo_rlu_thread *t, uint64_t key)
{
    return ordo_rlu_list_contains_in(t, &list, key);
}

static int list_add(struct ordo_rlu_thread *t, uint64_t key)
{
    return ordo_rlu_list_add_in(t, &list, key);
}

static int list_remove(struct ordo_rlu_thread *t, uint64_t key)
{
    return ordo_rlu_list_remove_in(t, &list, key);
}

static int hash_contains(struct ordo_rlu_thread *t, uint64_t key)
{
    return ordo_rlu_hash_contains_in(t, &hash, key);
}

static int hash_add(struct ordo_rlu_thread *t, uint64_t key)
{
    return ordo_rlu_hash_add_in(t, &hash, key);
}

static int hash_remove(struct ordo_rlu_thread *t, uint64_t key)
{
    return ordo_rlu_hash_remove_in(t, &hash, key);
}

static int tree_contains(struct ordo_rlu_thread *t, uint64_t key)
{
    return ordo_rlu_tree_contains_in(t, &tree, key);
}

static int tree_add(struct ordo_rlu_thread *t, uint64_t key)
{
    return ordo_rlu_tree_add_in(t, &tree, key);
}

static int tree_remove(struct ordo_rlu_thread *t, uint64_t key)
{
    return ordo_rlu_tree_remove_in(t, &tree, key);
}

struct set {
    int (*contains)(struct ordo_rlu_thread *, uint64_t);
    int (*add)(struct ordo_rlu_thread *, uint64_t);
    int (*remove)(struct ordo_rlu_thread *, uint64_t);
};
static const struct set set_list = {list_contains, list_add, list_remove},
                        set_hash = {hash_contains, hash_add, hash_remove},
                        set_tree = {tree_contains, tree_add, tree_remove};

/* Removes the present twin and adds the other one. */
static int swap_twins(struct ordo_rlu_thread *t, const struct set *set, uint64_t twin)
{
    int removed = set->remove(t, RANGE + twin), other;
    if (removed < 0)
        return -1;
    other = removed ? set->add(t, 2 * RANGE + twin) : set->remove(t, 2 * RANGE + twin);
    if (other < 0 || (!removed && set->add(t, RANGE + twin) < 0))
        return -1;
    return other;
}

static void check_twins(struct worker *w, const struct set *set, uint64_t twin)
{
    int first;
    ordo_rlu_reader_lock(w->t);
    first = set->contains(w->t, RANGE + twin);
    linger(w);
    first += set->contains(w->t, 2 * RANGE + twin);
    ordo_rlu_reader_unlock(w->t);
    expect(first == 1, "exactly one of two twins is there");
    count_checked();
}

static void step_set(struct worker *w, const struct set *set)
{
    uint64_t key = below(w, RANGE);
    int result;
    switch (below(w, 8)) {
    case 0:
        ORDO_RLU_SECTION(w->t, result, set->add(w->t, key));
        atomic_fetch_add_explicit(&balance[key], result > 0, memory_order_relaxed);
        break;
    case 1:
        ORDO_RLU_SECTION(w->t, result, set->remove(w->t, key));
        atomic_fetch_sub_explicit(&balance[key], result > 0, memory_order_relaxed);
        break;
    case 2:
        ORDO_RLU_SECTION(w->t, result, swap_twins(w->t, set, key));
        expect(result == 1 || result == ORDO_E_FULL,
               "a twin was there to be swapped"); /* or the log is full, because a thread has no CPU */
        break;
    default:
        check_twins(w, set, key);
    }
}

static int begin_set(struct ordo_rlu_thread *t, const struct set *set)
{
    for (uint64_t k = 0; k < RANGE; k++) {
        int result;
        atomic_store(&balance[k], 0);
        ORDO_RLU_SECTION(t, result, set->add(t, RANGE + k));
        if (result != 1)
            return -1;
    }
    return 0;
}

/* Audits a set and compares it with the counts of all threads. */
static void end_set(struct ordo_rlu *rlu, const struct set *set, int64_t audited)
{
    struct ordo_rlu_thread *t;
    int64_t expected = RANGE;
    if (ordo_rlu_thread_init(rlu, &t)) {
        expect(0, "a thread for the audit");
        return;
    }
    ordo_rlu_reader_lock(t);
    for (uint64_t k = 0; k < RANGE; k++) {
        int there = atomic_load(&balance[k]);
        expected += there;
        expect(set->contains(t, k) == there, "what was added and not removed is there");
        expect(set->contains(t, RANGE + k) + set->contains(t, 2 * RANGE + k) == 1, "one of the twins at the end");
    }
    ordo_rlu_reader_unlock(t);
    ordo_rlu_thread_finish(t);
    expect(audited == expected, "the audit finds all keys in order and nothing locked");
}

static int begin_list(struct ordo_rlu_thread *t)
{
    ordo_rlu_list_init(&list);
    return begin_set(t, &set_list);
}

static void step_list(struct worker *w)
{
    step_set(w, &set_list);
}

static void end_list(struct ordo_rlu *rlu)
{
    end_set(rlu, &set_list, ordo_rlu_list_audit(&list));
    ordo_rlu_list_clear(rlu, &list);
}

static int begin_hash(struct ordo_rlu_thread *t)
{
    return ordo_rlu_hash_init(TESTS_DOMAIN(t), &hash, BUCKETS) ? -1 : begin_set(t, &set_hash);
}

static void step_hash(struct worker *w)
{
    step_set(w, &set_hash);
}

static void end_hash(struct ordo_rlu *rlu)
{
    end_set(rlu, &set_hash, ordo_rlu_hash_audit(&hash));
    ordo_rlu_hash_destroy(rlu, &hash);
}

static int begin_tree(struct ordo_rlu_thread *t)
{
    ordo_rlu_tree_init(&tree);
    return begin_set(t, &set_tree);
}

static void step_tree(struct worker *w)
{
    step_set(w, &set_tree);
}

static void end_tree(struct ordo_rlu *rlu)
{
    end_set(rlu, &set_tree, ordo_rlu_tree_audit(&tree));
    ordo_rlu_tree_clear(rlu, &tree);
}

#endif
