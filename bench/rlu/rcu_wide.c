/* The liburcu baseline in its default flavour, with as much more in a node as an object of RLU has for a header. Nobody uses
 * what it has more. jemalloc gives it 32 bytes in place of 16. */
#define RCU_WIDE
#include "rlu/rcu_engine.h"

_Static_assert(RCU_NODE_BYTES == sizeof(struct plain_node) + sizeof(void *),
               "as large as an object of RLU, with its header");
