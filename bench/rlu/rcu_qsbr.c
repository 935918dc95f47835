/* The liburcu baseline whose readers do nothing at all: every thread says between two operations that it holds
 * nothing. */
#define RCU_QSBR
#include "rlu/rcu_engine.h"
