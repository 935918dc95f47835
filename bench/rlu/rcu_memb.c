/* The liburcu baseline in its default flavour: readers announce themselves without a fence, and a writer that waits has
 * the kernel put one into every thread (membarrier). */
#include "rlu/rcu_engine.h"

/* ThreadSanitizer calls this function. It does not see liburcu's barriers, which are inline assembly, and would report every
 * node. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
    return "race:rlu/rcu_\nrace:oplog/queue\n";
}
