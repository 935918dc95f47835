/* The liburcu baseline in its default flavour: readers announce themselves without a fence, and a writer that waits has
 * the kernel put one into every thread (membarrier). */
#include "rlu/rcu_engine.h"

/* ThreadSanitizer asks for this where a program is built with it. liburcu's barriers are inline assembly, which it does
 * not see: it would report every node. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
    return "race:rlu/rcu_\nrace:oplog/queue\n";
}
