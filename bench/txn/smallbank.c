/* SmallBank (Alomari, Cahill, Fekete, Roehm, ICDE 2008, with the mix of six transactions of H-Store). The benchmark
 * sums the deposits and withdrawals of the committed transactions. The total of all accounts is therefore known, and
 * reveals every lost, doubled or torn write. */
#include "store.h"

#define CENTS_AT_FIRST 1000000
#define SAVINGS_CENTS 2020
#define PAYMENT_CENTS 500
#define CHECK_CENTS 500
#define DEPOSIT_CENTS CHECK_CENTS /* deposits equal withdrawals, so that the accounts keep their money */
#define OVERDRAFT_CENTS 100

enum { SAVINGS, CHECKING };

enum kind { AMALGAMATE, BALANCE, DEPOSIT, SEND_PAYMENT, TRANSACT_SAVINGS, WRITE_CHECK };

struct account {
    int64_t cents;
};

static int load_smallbank(struct txn_client *client, struct ordo_error *error)
{
    struct txn_store *store = client->store;
    const struct account account = {CENTS_AT_FIRST};
    int code = txn_store_table(store, SAVINGS, sizeof account, store->options->rows, error);
    if (!code)
        code = txn_store_table(store, CHECKING, sizeof account, store->options->rows, error);
    for (uint64_t key = 0; key < store->options->rows && !code; key++) {
        code = txn_load(client, SAVINGS, key, &account, error);
        if (!code)
            code = txn_load(client, CHECKING, key, &account, error);
    }
    return code;
}

static void draw_smallbank(struct txn_client *client)
{
    static const unsigned char until_percent[] = {15, 30, 45, 70, 85, 100}; /* cumulative, by enum kind */
    struct txn_smallbank_input *input = &client->input.smallbank;
    unsigned percent = (unsigned)txn_random_range(&client->random, 0, 99);
    for (input->kind = AMALGAMATE; percent >= until_percent[input->kind];)
        input->kind++;
    input->from = txn_client_key(client);
    do
        input->to = txn_client_key(client);
    while (input->to == input->from);
    client->read_only = input->kind == BALANCE;
}

static int amalgamate(struct txn_client *client, uint64_t from, uint64_t to)
{
    void *savings, *checking, *other;
    int code = txn_update(client, SAVINGS, from, &savings);
    if (!code)
        code = txn_update(client, CHECKING, from, &checking);
    if (!code)
        code = txn_update(client, CHECKING, to, &other);
    if (code)
        return code;
    ((struct account *)other)->cents += ((struct account *)savings)->cents + ((struct account *)checking)->cents;
    ((struct account *)savings)->cents = ((struct account *)checking)->cents = 0;
    return ORDO_OK;
}

static int send_payment(struct txn_client *client, uint64_t from, uint64_t to)
{
    void *payer, *payee;
    int code = txn_update(client, CHECKING, from, &payer);
    if (!code)
        code = txn_update(client, CHECKING, to, &payee);
    if (code)
        return code;
    if (((struct account *)payer)->cents < PAYMENT_CENTS)
        return TXN_ROLLBACK;
    ((struct account *)payer)->cents -= PAYMENT_CENTS;
    ((struct account *)payee)->cents += PAYMENT_CENTS;
    return ORDO_OK;
}

/* Adds `cents` to an account. Savings accounts may not become negative; checking accounts may. */
static int add_cents(struct txn_client *client, int table, uint64_t key, int64_t cents)
{
    void *record;
    int code = txn_update(client, table, key, &record);
    if (code)
        return code;
    struct account *account = record;
    if (table == SAVINGS && account->cents + cents < 0)
        return TXN_ROLLBACK;
    account->cents += cents;
    client->pending.cents = cents;
    return ORDO_OK;
}

static int write_check(struct txn_client *client, uint64_t from)
{
    struct account savings;
    void *checking;
    int code = txn_read(client, SAVINGS, from, &savings);
    if (!code)
        code = txn_update(client, CHECKING, from, &checking);
    if (code)
        return code;
    struct account *account = checking;
    int64_t cents = CHECK_CENTS + (savings.cents + account->cents < CHECK_CENTS ? OVERDRAFT_CENTS : 0);
    account->cents -= cents;
    client->pending.cents = -cents;
    return ORDO_OK;
}

static int execute_smallbank(struct txn_client *client)
{
    const struct txn_smallbank_input *input = &client->input.smallbank;
    struct account account;
    int code;
    switch (input->kind) {
    case AMALGAMATE:
        return amalgamate(client, input->from, input->to);
    case BALANCE:
        code = txn_read(client, SAVINGS, input->from, &account);
        return code ? code : txn_read(client, CHECKING, input->from, &account);
    case DEPOSIT:
        return add_cents(client, CHECKING, input->from, DEPOSIT_CENTS);
    case SEND_PAYMENT:
        return send_payment(client, input->from, input->to);
    case TRANSACT_SAVINGS:
        return add_cents(client, SAVINGS, input->from, input->to % 2 ? SAVINGS_CENTS : -SAVINGS_CENTS);
    default:
        return write_check(client, input->from);
    }
}

static int check_smallbank(struct txn_client *client, struct ordo_error *error)
{
    struct txn_store *store = client->store;
    int64_t total = 0, expected = (int64_t)(2 * store->options->rows) * CENTS_AT_FIRST + store->tally.cents;
    for (int table = SAVINGS; table <= CHECKING; table++)
        for (uint64_t key = 0; key < store->options->rows; key++) {
            struct account account;
            int code = txn_inspect(client, table, key, &account, NULL, error);
            if (code)
                return code;
            total += account.cents;
        }
    if (total == expected)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MEASURE, 0, "the accounts hold %jd cents, the transactions left %jd",
                          (intmax_t)total, (intmax_t)expected);
}

const struct txn_workload txn_smallbank = {
    .name = "smallbank",
    .dense = true,
    .load = load_smallbank,
    .draw = draw_smallbank,
    .execute = execute_smallbank,
    .check = check_smallbank,
};
