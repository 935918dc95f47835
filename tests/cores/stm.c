/* Opacity of the transactional memory: pairs of words whose sum is 0, which a transaction checks between its reads, also if it
 * gives up later. */
#include <ordo/cc/stm.h>
#include <stdlib.h>

#include "oracle.h"

enum { APART = 16 }; /* words from one to the next: each has a line of its own */

static struct ordo_stm stm;
static uint64_t *words; /* [2 * items * APART] */

static uint64_t *word_at(uint64_t i)
{
    return &words[i * APART];
}

static int change_words(struct ordo_stm_thread *t, uint64_t pair)
{
    uint64_t x, y;
    int code = ordo_stm_read(t, word_at(2 * pair), &x);
    code = code ? code : ordo_stm_read(t, word_at(2 * pair + 1), &y);
    if (!code && x + y)
        oracle_blame("a transaction has read a torn pair");
    code = code ? code : ordo_stm_write(t, word_at(2 * pair), x + 1);
    return code ? code : ordo_stm_write(t, word_at(2 * pair + 1), y - 1);
}

static int read_words(struct ordo_stm_thread *t, uint64_t pair, uint64_t second)
{
    uint64_t x, y;
    int code = ordo_stm_read(t, word_at(2 * pair + second), &x);
    code = code ? code : ordo_stm_read(t, word_at(2 * pair + !second), &y);
    if (!code && x + y)
        oracle_blame("a transaction has read a torn pair");
    return code;
}

static void count_transactions(void)
{
    oracle_result.operations += (uint64_t)oracle_plan.threads * oracle_plan.each;
}

static void work_on_words(int thread)
{
    struct ordo_stm_thread *t;
    uint64_t random = oracle_plan.seed + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(thread + 1);
    int result = 0;
    if (ordo_stm_thread_init(&stm, &t))
        abort();
    do {
        for (uint64_t i = 0; i < oracle_plan.each; i++) {
            uint64_t pair = oracle_draw(&random) % oracle_plan.items, second = oracle_draw(&random) % 2;
            if (oracle_draw(&random) % 4)
                ORDO_STM_ATOMICALLY(t, second ? ORDO_STM_READ_ONLY : 0, result, read_words(t, pair, second));
            else
                ORDO_STM_ATOMICALLY(t, 0, result, change_words(t, pair));
            if (result)
                oracle_blame("a transaction has failed");
        }
        oracle_rest(count_transactions);
    } while (!oracle_is_over());
    ordo_stm_thread_finish(t);
}

int oracle_stm(void)
{
    struct ordo_stm_options options = {.boundary_ticks = oracle_plan.boundary, .unsafe_boundary = 1};
    words = calloc(2 * oracle_plan.items * APART, sizeof *words);
    if (!words || ordo_stm_create(&stm, &options))
        return -1;
    oracle_run_threads(work_on_words);
    return 0;
}
