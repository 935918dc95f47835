/* The liburcu baseline in its default flavour, with nodes enlarged by an unused member of the size of RLU's header.
 * jemalloc then allocates 32 bytes for a node instead of 16, as it does for RLU. */
#define RCU_WIDE
#include "rlu/rcu_engine.h"

_Static_assert(RCU_NODE_BYTES == sizeof(struct plain_node) + sizeof(void *),
               "as large as an object of RLU, with its header");
