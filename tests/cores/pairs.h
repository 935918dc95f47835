/* Torn snapshots of RLU, and with TESTS_MVRLU of MV-RLU: pairs of numbers whose sum is 0. A section changes both numbers of a
 * pair; other sections read them in either order. */
#include <stdlib.h>

#include "../rlu_names.h"

#ifndef TESTS_MVRLU
#include <ordo/cc/rlu/hash.h>
#endif

#include "oracle.h"

struct number {
    uint64_t value;
};

static struct ordo_rlu domain;
static struct number **numbers; /* [2 * items] */

static struct number *lock_number(struct ordo_rlu_thread *t, uint64_t i)
{
    return ordo_rlu_try_lock(t, numbers[i], sizeof *numbers[i]);
}

static int change_pair(struct ordo_rlu_thread *t, uint64_t pair)
{
    struct number *first = lock_number(t, 2 * pair), *second = first ? lock_number(t, 2 * pair + 1) : NULL;
    if (!second)
        return -1;
    first->value++;
    second->value--;
    return 0;
}

static uint64_t see_number(struct ordo_rlu_thread *t, uint64_t i)
{
    const struct number *number = ordo_rlu_dereference(t, numbers[i]);
    return number->value;
}

static void read_pair(struct ordo_rlu_thread *t, uint64_t pair, uint64_t second)
{
    if (ordo_rlu_reader_lock(t)) {
        oracle_blame("a section could not begin");
        return;
    }
    uint64_t sum = see_number(t, 2 * pair + second);
    sum += see_number(t, 2 * pair + !second);
    if (ordo_rlu_reader_unlock(t) == 0 && sum)
        oracle_blame("a section has read a torn pair");
}

static void judge_nothing(void)
{
    oracle_result.operations += (uint64_t)oracle_plan.threads * oracle_plan.each;
}

static void work_on_pairs(int thread)
{
    struct ordo_rlu_thread *t;
    uint64_t random = oracle_plan.seed + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(thread + 1);
    int result;
    if (ordo_rlu_thread_init(&domain, &t))
        abort();
    do {
        for (uint64_t i = 0; i < oracle_plan.each; i++) {
            uint64_t pair = oracle_draw(&random) % oracle_plan.items;
            if (oracle_draw(&random) % 4)
                read_pair(t, pair, oracle_draw(&random) % 2);
            else
                ORDO_RLU_SECTION(t, result, change_pair(t, pair));
        }
        oracle_rest(judge_nothing);
    } while (!oracle_is_over());
    (void)result;
    ordo_rlu_thread_finish(t);
}

static int run_pairs(void)
{
    struct ordo_rlu_options options = {
        .boundary_ticks = oracle_plan.boundary,
        .unsafe_boundary = 1,
#ifdef TESTS_MVRLU
        .own_clock = true, /* otherwise its sections take their times from one word, and skews do not matter */
#endif
    };
    struct ordo_rlu_thread *t;
    numbers = calloc(2 * oracle_plan.items, sizeof *numbers);
    if (!numbers || ordo_rlu_create(&domain, &options) || ordo_rlu_thread_init(&domain, &t))
        return -1;
    for (uint64_t i = 0; i < 2 * oracle_plan.items; i++) {
        numbers[i] = ordo_rlu_alloc(t, sizeof *numbers[i]);
        if (!numbers[i])
            return -1;
        numbers[i]->value = 0;
    }
    ordo_rlu_thread_finish(t);
    oracle_run_threads(work_on_pairs);
    return 0;
}
