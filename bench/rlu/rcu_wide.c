/* The liburcu baseline in its default flavour, with nodes as large as objects of RLU: what such a node costs by itself. Nobody uses
 * what it has more. jemalloc gives it 32 bytes in place of 16. */
#define RCU_WIDE
#include "rlu/rcu_engine.h"

_Static_assert(RCU_NODE_BYTES == sizeof(struct plain_node) + sizeof(void *),
               "as large as an object of RLU, with its header");
