/* Cases in which an invariant joins a few numbers. */
#ifndef TESTS_STRESS_RLU_INVARIANTS_H
#define TESTS_STRESS_RLU_INVARIANTS_H

#include "harness.h"

struct number {
    uint64_t value;
};

enum { NUMBERS = 32, OPENING = 1000 };

static struct number *numbers[NUMBERS];
static _Atomic uint64_t returned[NUMBERS]; /* for each number, the value of the last commit that has returned */

static int begin_numbers(struct ordo_rlu_thread *t, uint64_t value)
{
    for (int i = 0; i < NUMBERS; i++) {
        numbers[i] = ordo_rlu_alloc(t, sizeof *numbers[i]);
        if (!numbers[i])
            return -1;
        numbers[i]->value = value;
        atomic_store(&returned[i], value);
    }
    return 0;
}

static int begin_zero(struct ordo_rlu_thread *t)
{
    return begin_numbers(t, 0);
}

static void end_numbers(struct ordo_rlu *rlu)
{
    for (int i = 0; i < NUMBERS; i++) {
        expect(ordo_rlu_header_of(numbers[i])->copy == NULL, "nothing is locked at the end");
        ordo_rlu_discard(rlu, numbers[i]);
    }
}

static uint64_t see(struct worker *w, int i)
{
    const struct number *n = ordo_rlu_dereference(w->t, numbers[i]);
    return n->value;
}

/* Adds to a number in this section. Returns 0, or -1 if the section must abort. */
static int add(struct worker *w, int i, uint64_t amount)
{
    struct number *n = ordo_rlu_try_lock(w->t, numbers[i], sizeof *n);
    if (!n)
        return -1;
    n->value += amount;
    return 0;
}

static int add_both(struct worker *w, int a, int b, uint64_t amount)
{
    if (add(w, a, amount))
        return -1;
    linger(w);
    return add(w, b, 0 - amount);
}

/* pair: two numbers whose sum is 0, read and written in either order. */
static void step_pair(struct worker *w)
{
    int a = 2 * (int)below(w, 2), result;
    uint64_t sum;
    if (below(w, 4) == 0) {
        ORDO_RLU_SECTION(w->t, result, add_both(w, a, a + 1, 1));
        return;
    }
    ordo_rlu_reader_lock(w->t);
    int second = (int)below(w, 2);
    sum = see(w, a + second);
    linger(w);
    sum += see(w, a + !second);
    ordo_rlu_reader_unlock(w->t);
    expect(sum == 0, "a pair is read as it was written");
    count_checked();
}

/* order: each thread writes its own two numbers in two sections, one after the other. A section that sees the second
 * write also sees the first, and a section that starts after a commit has returned sees this commit. */
static void step_order(struct worker *w)
{
    int own = 2 * w->index, other = 2 * (int)below(w, (uint64_t)w->setting->threads), result;
    uint64_t first, second, before;
    if (below(w, 4) == 0) {
        for (int i = own; i <= own + 1; i++) {
            ORDO_RLU_SECTION(w->t, result, add(w, i, 1));
            atomic_fetch_add(&returned[i], 1);
        }
        return;
    }
    before = atomic_load(&returned[other]);
    ordo_rlu_reader_lock(w->t);
    second = see(w, other + 1);
    linger(w);
    first = see(w, other);
    ordo_rlu_reader_unlock(w->t);
    expect(first - second <= 1, "who sees the second sees the first");
    expect(defers(w->setting) || first >= before, "a commit that has returned is seen");
    count_checked();
}

/* fork: each thread counts in its own number. Of the states that two sections see, one contains the other, so equal
 * sums imply equal numbers. */
enum { SEEN = 1 << 16 };
static _Atomic uint64_t seen[SEEN];
static uint64_t last[MAX_THREADS]
                    [MAX_THREADS]; /* the values of each number that each thread has seen; they never decrease */

static int begin_fork(struct ordo_rlu_thread *t)
{
    for (int i = 0; i < SEEN; i++)
        atomic_store_explicit(&seen[i], 0, memory_order_relaxed);
    memset(last, 0, sizeof last);
    return begin_numbers(t, 0);
}

static void step_fork(struct worker *w)
{
    int first = (int)below(w, (uint64_t)w->setting->threads), result;
    uint64_t sum = 0, hash = 0, entry, old;
    if (below(w, 4) == 0)
        ORDO_RLU_SECTION(w->t, result, add(w, w->index, 1));
    ordo_rlu_reader_lock(w->t);
    for (int k = 0; k < w->setting->threads; k++) {
        int i = (first + k) % w->setting->threads;
        uint64_t value = see(w, i);
        expect(value >= last[w->index][i], "what a thread has seen it does not lose");
        last[w->index][i] = value;
        sum += value;
        hash += (value + 1) * (2 * (uint64_t)i + 3) * UINT64_C(0x9e3779b97f4a7c15);
        linger(w);
    }
    ordo_rlu_reader_unlock(w->t);
    entry = sum << 32 | hash >> 32;
    old = atomic_exchange(&seen[sum % SEEN], entry);
    expect(old >> 32 != (entry >> 32) || old == entry || old == 0, "what two sections see is nested");
    count_checked();
}

/* bank: transfers keep the sum. */
static int begin_bank(struct ordo_rlu_thread *t)
{
    return begin_numbers(t, OPENING);
}

static uint64_t sum_of_accounts(struct worker *w)
{
    uint64_t sum = 0;
    int first = (int)below(w, NUMBERS);
    for (int i = 0; i < NUMBERS; i++)
        sum += see(w, (first + i) % NUMBERS);
    return sum;
}

static void step_bank(struct worker *w)
{
    int a = (int)below(w, NUMBERS), b = (int)below(w, NUMBERS - 1), result;
    uint64_t sum;
    b += b >= a;
    if (below(w, 3) == 0) {
        ORDO_RLU_SECTION(w->t, result, add_both(w, a, b, below(w, 100)));
        return;
    }
    ordo_rlu_reader_lock(w->t);
    sum = sum_of_accounts(w);
    ordo_rlu_reader_unlock(w->t);
    expect(sum == NUMBERS * OPENING, "transfers keep the sum");
    count_checked();
}

#endif
