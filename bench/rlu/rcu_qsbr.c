/* The liburcu baseline whose readers do nothing at all: every thread says between two operations that it holds
 * nothing. */
#define _LGPL_SOURCE /* inlined, as the library is meant to be used */
#define URCU_API_MAP
#include <urcu/urcu-qsbr.h>

#define RCU_WORD "rcu-qsbr"
#define RCU_ENGINE(structure) rlu_engine_rcu_qsbr_##structure
#include "rlu/rcu_engine.h"
