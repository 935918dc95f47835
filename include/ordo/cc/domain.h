/* The common floor of the concurrency controls in this folder: memory, threads, waiting, counters, the boundary.
 *
 * For the author of an engine; a program includes the engine. A *domain* is one instance of an engine: the objects that
 * are changed together, and the threads that change them. Each room holds one idea:
 *
 *   domain/slow.h      the attribute of a function that runs rarely
 *   domain/memory.h    the caller's functions for memory, and memory that starts on a line
 *   domain/threads.h   the registry of a domain's threads
 *   domain/turn.h      waiting for another thread by turns: spin, yield, sleep
 *   domain/counters.h  statistics that the owner writes and any thread reads
 *   domain/boundary.h  a forgotten boundary is refused, a larger one taken; the record that is watched
 *   domain/invariant.h a check that is made if ORDO_DEBUG is 1, and is no code otherwise
 *
 * An engine embeds the common part in its own thread, on a rarely written line: a scan then finds `next` in its cache,
 * and can overlap the loads of the lines that threads write. If `next` were on such a line, each load would wait for
 * the one before.
 *
 *     struct engine_thread {
 *         uint64_t run;
 *         ...
 *         char owned_end[128];
 *         struct ordo_cc_thread common;
 *         char common_end[128];
 *     };
 *     struct engine {
 *         struct ordo_stamp stamp;
 *         struct ordo_cc_memory memory;
 *         struct ordo_cc_threads threads;
 *     };
 *
 *     struct ordo_cc_thread *common = ordo_cc_thread_reuse(&engine->threads);
 *     if (common == NULL) {                                             // no thread is out of use
 *         common = ordo_cc_thread_make(&engine->memory, sizeof(struct engine_thread),
 *                                      offsetof(struct engine_thread, common));
 *         ...                                                           // NULL: out of memory; else fill it in
 *         ordo_cc_thread_join(&engine->threads, common);
 *     }
 *     ...
 *     ordo_cc_thread_leave(common);                                     // another thread may get it afterwards
 *
 * WHY A THREAD CAN BE USED AGAIN
 *
 * S is the single order of the sequentially consistent accesses.
 *
 *  D1  A walk finds complete threads only: a thread is filled in before it is put in front of the list [D1 join], and a
 *      walk acquires the head of the list [D1 walk]. No thread is taken out before the domain ends, and no `next`
 *      changes once its thread can be found: hence a walk visits every thread that joined before it began.
 *
 *  D2  A thread has one owner at a time: of several threads that try to exchange `used` from 0 to 1 one succeeds
 *      [D2 reuse], and only the owner sets it to 0 [D2 leave]. The exchange acquires the state that the last owner
 *      released: the next owner finds the thread as the last one left it.
 *
 *  D3  An engine may have to know what follows if a scan does not find a thread. The push of D1 and the exchange of D2
 *      are in S, and so are the loads of a *scan* [D3 scan, D3 used]. If a scan does not find a thread, or finds it out
 *      of use, then the thread joins, or is used again, later in S: its next owner sees every store that the scanning
 *      thread made before the scan, in S, and reads a clock later than the scanning thread did.
 */
#ifndef ORDO_CC_DOMAIN_H
#define ORDO_CC_DOMAIN_H

#include <ordo/cc/domain/boundary.h>
#include <ordo/cc/domain/counters.h>
#include <ordo/cc/domain/invariant.h>
#include <ordo/cc/domain/memory.h>
#include <ordo/cc/domain/slow.h>
#include <ordo/cc/domain/threads.h>
#include <ordo/cc/domain/turn.h>

#endif
