/* The random inputs that TPC-C prescribes (clauses 2.1.6 and 4.3.2). */
#ifndef BENCH_TXN_TPCC_RANDOM_H
#define BENCH_TXN_TPCC_RANDOM_H

#include <stddef.h>

#include "random.h"
#include "tpcc_rows.h"

#define TPCC_LAST_NAME_BYTES 16 /* bytes of the longest last name, with its terminator */

/** Returns NURand(A, x, y) of clause 2.1.6, with the constant `c` in [0, a]. */
uint32_t tpcc_nonuniform(struct txn_random *random, uint32_t a, uint32_t c, uint32_t low, uint32_t high);

/** Return a random customer of a district, item, and number of a last name, with the distributions of the
 * transactions. */
uint32_t tpcc_random_customer(struct txn_random *random);
uint32_t tpcc_random_item(struct txn_random *random);
uint32_t tpcc_random_last_name(struct txn_random *random);

/** Returns the number of a customer's last name at load time: customers 1 to 1000 have all different names, the others
 * a random name. */
uint32_t tpcc_load_last_name(struct txn_random *random, uint32_t customer);

/** Writes a last name (clause 4.3.2.3): a syllable for each of the three digits of `number`, which is below
 * TPCC_LAST_NAMES. The rest of `name` is zero. */
void tpcc_last_name(uint32_t number, char name[TPCC_LAST_NAME_BYTES]);

/** Fills `text` with between `low` and `high` random letters, and the rest of `size` with zero bytes. */
void tpcc_random_text(struct txn_random *random, char *text, size_t size, size_t low, size_t high);

/** Fills all of `size` with random digits. */
void tpcc_random_digits(struct txn_random *random, char *text, size_t size);

#endif
