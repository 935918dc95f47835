/* The result of `ordo-lab testbed`, as a table, CSV and JSON. */
#ifndef ORDO_LAB_TESTBED_RESULT_H
#define ORDO_LAB_TESTBED_RESULT_H

#include "lab/net/testbed/testbed.h"

enum { TESTBED_PROTOCOLS = 2 };

struct testbed {
    double seconds;
    uint64_t seed;
    struct ordo_net_testbed_row rows[ORDO_NET_TESTBED_ROWS];
    struct ordo_net_testbed_traffic traffic[TESTBED_PROTOCOLS][ORDO_NET_TESTBED_CLIENTS];
};

/** The names of the protocols, by the first index of `traffic`. */
extern const char *const testbed_protocols[TESTBED_PROTOCOLS];

void testbed_print_table(const struct testbed *testbed);
void testbed_print_csv(const struct testbed *testbed);

/** Prints the result as JSON. Returns 0, or -1 if out of memory or if stdout cannot be written. */
int testbed_print_json(const struct testbed *testbed);

#endif
