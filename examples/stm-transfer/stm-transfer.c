/* Plain words of memory, changed in transactions: two tellers move money between accounts while the main thread adds
 * all of them up. Every sum is that of one moment, so it never changes. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <ordo/cc/stm.h>

enum { ACCOUNTS = 256, EACH = 100, TRANSFERS = 50000, TELLERS = 2 };

static struct ordo_stm stm; /* one domain for all words that a transaction may change together */
static uint64_t accounts[ACCOUNTS];
static atomic_int working = TELLERS, failures;

/* Returns 1 if the money has moved, 0 if there is too little, or the code of a call that ended the attempt. */
static int move_in(struct ordo_stm_thread *t, uint64_t *from, uint64_t *to, uint64_t amount)
{
    uint64_t payer, payee;
    int code;
    if ((code = ordo_stm_read(t, from, &payer)) || (code = ordo_stm_read(t, to, &payee)))
        return code;
    if (payer < amount)
        return 0;
    if ((code = ordo_stm_write(t, from, payer - amount)) || (code = ordo_stm_write(t, to, payee + amount)))
        return code;
    return 1;
}

static int add_up_in(struct ordo_stm_thread *t, uint64_t *sum)
{
    int code = ORDO_OK;
    uint64_t balance = *sum = 0; /* an attempt may be the second one */
    for (int i = 0; i < ACCOUNTS && code == ORDO_OK; i++, *sum += balance)
        code = ordo_stm_read(t, &accounts[i], &balance);
    return code;
}

static void *teller(void *first)
{
    struct ordo_stm_thread *t;
    int code = ordo_stm_thread_init(&stm, &t);
    if (code == ORDO_OK) {
        for (uint64_t i = 0, at = (uintptr_t)first; i < TRANSFERS && code >= 0; i++, at = at * 31 + 17)
            ORDO_STM_ATOMICALLY(t, 0, code, /* again and again until it need not be run again */
                                move_in(t, &accounts[at % ACCOUNTS], &accounts[(at + 1) % ACCOUNTS], at % 10));
        ordo_stm_thread_finish(t);
    }
    atomic_fetch_add(&failures, code < 0); /* out of memory, or the record was withdrawn */
    atomic_fetch_sub(&working, 1);
    return NULL;
}

int main(void)
{
    struct ordo o;
    struct ordo_error error;
    struct ordo_stm_thread *t;
    pthread_t tellers[TELLERS];
    uint64_t sums = 0, wrong = 0, sum = 0;
    int code;
    if (ordo_open_error(&o, NULL, &error))
        return fprintf(stderr, "%s\n", error.text), 1;
    struct ordo_stm_options options = {.boundary_ticks = ordo_boundary(&o), .watch = &o};
    if (ordo_stm_create(&stm, &options) || ordo_stm_thread_init(&stm, &t))
        return 1;
    for (int i = 0; i < ACCOUNTS; i++)
        accounts[i] = EACH; /* no transaction has begun: plain writes */
    for (uintptr_t i = 0; i < TELLERS; i++)
        if (pthread_create(&tellers[i], NULL, teller, (void *)i))
            return 1;
    for (; atomic_load(&working) || !sums; sums++, wrong += code != ORDO_OK || sum != ACCOUNTS * EACH)
        ORDO_STM_ATOMICALLY(t, ORDO_STM_READ_ONLY, code, add_up_in(t, &sum));
    for (int i = 0; i < TELLERS; i++)
        pthread_join(tellers[i], NULL);
    printf("%ju sums, %ju wrong, total %ju\n", (uintmax_t)sums, (uintmax_t)wrong, (uintmax_t)sum);
    ordo_stm_thread_finish(t);
    ordo_stm_destroy(&stm);
    return wrong || atomic_load(&failures);
}
