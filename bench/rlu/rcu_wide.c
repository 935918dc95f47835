/* The liburcu baseline in its default flavour with nodes as large as objects of RLU, of which it uses as much as before: what such a
 * node costs by itself. */
#include "rlu/plain.h"

#define RCU_WIDE
#define RCU_NODE_BYTES (sizeof(struct plain_node) + sizeof(void *))
#include "rlu/rcu_engine.h"
