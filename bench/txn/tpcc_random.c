#include "tpcc_random.h"

#include <stdio.h>
#include <string.h>

/* The constants of NURand at run time may be any number in [0, a]. Only the constant for last names is restricted: it
 * must differ from the load's by 65 to 119, but not by 96 or 112 (clause 2.1.6.1). */
#define C_LAST_LOAD 123
#define C_LAST_RUN (C_LAST_LOAD + 85)
#define C_CUSTOMER 259
#define C_ITEM 7911

uint32_t tpcc_nonuniform(struct txn_random *random, uint32_t a, uint32_t c, uint32_t low, uint32_t high)
{
    uint64_t mixed = txn_random_range(random, 0, a) | txn_random_range(random, low, high);
    return (uint32_t)((mixed + c) % (high - low + 1)) + low;
}

uint32_t tpcc_random_customer(struct txn_random *random)
{
    return tpcc_nonuniform(random, 1023, C_CUSTOMER, 1, TPCC_CUSTOMERS);
}

uint32_t tpcc_random_item(struct txn_random *random)
{
    return tpcc_nonuniform(random, 8191, C_ITEM, 1, TPCC_ITEMS);
}

uint32_t tpcc_random_last_name(struct txn_random *random)
{
    return tpcc_nonuniform(random, 255, C_LAST_RUN, 0, TPCC_LAST_NAMES - 1);
}

uint32_t tpcc_load_last_name(struct txn_random *random, uint32_t customer)
{
    return customer <= TPCC_LAST_NAMES ? customer - 1
                                       : tpcc_nonuniform(random, 255, C_LAST_LOAD, 0, TPCC_LAST_NAMES - 1);
}

void tpcc_last_name(uint32_t number, char name[TPCC_LAST_NAME_BYTES])
{
    static const char *const syllables[] = {"BAR", "OUGHT", "ABLE",  "PRI",   "PRES",
                                            "ESE", "ANTI",  "CALLY", "ATION", "EING"};
    memset(name, 0, TPCC_LAST_NAME_BYTES);
    (void)snprintf(name, TPCC_LAST_NAME_BYTES, "%s%s%s", syllables[number / 100 % 10], syllables[number / 10 % 10],
                   syllables[number % 10]);
}

void tpcc_random_text(struct txn_random *random, char *text, size_t size, size_t low, size_t high)
{
    size_t length = txn_random_range(random, low, high);
    for (size_t i = 0; i < length; i++)
        text[i] = (char)('a' + txn_random_range(random, 0, 25));
    memset(text + length, 0, size - length);
}

void tpcc_random_digits(struct txn_random *random, char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        text[i] = (char)('0' + txn_random_range(random, 0, 9));
}
