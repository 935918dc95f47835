/* The liburcu baseline in its default flavour, memb: readers announce themselves without a fence, and a waiting writer
 * makes the kernel execute a fence in every thread (membarrier). */
#include "rlu/rcu_engine.h"

/* Called by ThreadSanitizer. The suppression is needed because liburcu's barriers are inline assembly: ThreadSanitizer
 * cannot see them, and would report a race on every node. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
    return "race:rlu/rcu_\nrace:oplog/queue\n";
}
