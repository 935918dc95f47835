/* The liburcu baseline QSBR: a read section costs nothing. Instead, every thread announces a quiescent state between
 * two operations. */
#define RCU_QSBR
#include "rlu/rcu_engine.h"
