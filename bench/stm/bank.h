/* A bank: an update transfers money between two accounts, a query adds all balances. The sum never changes. */
#ifndef BENCH_STM_BANK_H
#define BENCH_STM_BANK_H

#include <ordo/cc/stm.h>

enum { BANK_OPENING = 1000 };

struct bank {
    uint64_t accounts;
    uint64_t *balance; /* [accounts], accessed by transactions */
};

static inline int bank_transfer_in(struct ordo_stm_thread *t, struct bank *bank, uint64_t from, uint64_t to,
                                   uint64_t amount)
{
    uint64_t balance;
    int code = ordo_stm_read(t, &bank->balance[from], &balance);
    if (code || balance < amount || (code = ordo_stm_write(t, &bank->balance[from], balance - amount)) ||
        (code = ordo_stm_read(t, &bank->balance[to], &balance)))
        return code;
    return ordo_stm_write(t, &bank->balance[to], balance + amount);
}

static inline int bank_sum_in(struct ordo_stm_thread *t, struct bank *bank, uint64_t *sum)
{
    uint64_t balance;
    *sum = 0;
    for (uint64_t i = 0; i < bank->accounts; i++) {
        int code = ordo_stm_read(t, &bank->balance[i], &balance);
        if (code)
            return code;
        *sum += balance;
    }
    return 0;
}

#endif
