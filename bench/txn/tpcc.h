/* TPC-C, three of its five transactions: NewOrder, Payment and OrderStatus, in the proportions 45 : 43 : 4. */
#ifndef BENCH_TXN_TPCC_H
#define BENCH_TXN_TPCC_H

#include "store.h"
#include "tpcc_random.h"

/** An index from last names to the customers of a district, ordered by first name. A sorted array is enough, because no
 * transaction changes these columns. */
struct tpcc_names {
    uint32_t start[TPCC_LAST_NAMES + 1]; /* start[name]: index of the first customer with this last name */
    uint16_t customers[TPCC_CUSTOMERS];
};

/** Returns the customer that clause 2.5.2.2 selects for a last name: the middle one in the order of first names,
 * rounded up. 0 if no customer has the name. */
uint32_t tpcc_by_last_name(const struct txn_store *store, uint64_t district_key, uint32_t last_name);

int tpcc_load(struct txn_client *client, struct ordo_error *error);

/** Checks the consistency conditions 1 to 4 of clause 3.3.2. */
int tpcc_check(struct txn_client *client, struct ordo_error *error);

int tpcc_new_order(struct txn_client *client);
int tpcc_payment(struct txn_client *client);
int tpcc_order_status(struct txn_client *client);

#endif
