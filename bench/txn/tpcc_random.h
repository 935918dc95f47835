/* The random inputs that TPC-C prescribes (clauses 2.1.6 and 4.3.2). */
#ifndef BENCH_TXN_TPCC_RANDOM_H
#define BENCH_TXN_TPCC_RANDOM_H

#include <stddef.h>

#include "random.h"
#include "tpcc_rows.h"

#define TPCC_LAST_NAME_BYTES 16 /* that hold any last name, with its end */

/** NURand(A, x, y) of clause 2.1.6, with the constant `c` in [0, a]. */
uint32_t tpcc_nonuniform(struct txn_random *random, uint32_t a, uint32_t c, uint32_t low, uint32_t high);

/** A customer of a district, an item, and the number of a last name, as the transactions choose them. */
uint32_t tpcc_random_customer(struct txn_random *random);
uint32_t tpcc_random_item(struct txn_random *random);
uint32_t tpcc_random_last_name(struct txn_random *random);

/** The number of a customer's last name at load time: the first thousand have one each, the rest as chance has it. */
uint32_t tpcc_load_last_name(struct txn_random *random, uint32_t customer);

/** Clause 4.3.2.3: three syllables for the three digits of `number`, below TPCC_LAST_NAMES; padded with zero bytes. */
void tpcc_last_name(uint32_t number, char name[TPCC_LAST_NAME_BYTES]);

/** Fills `text` with between `low` and `high` random letters, and the rest of `size` with zero bytes. */
void tpcc_random_text(struct txn_random *random, char *text, size_t size, size_t low, size_t high);

/** The same with digits, all of `size`. */
void tpcc_random_digits(struct txn_random *random, char *text, size_t size);

#endif
