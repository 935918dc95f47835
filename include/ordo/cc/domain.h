/* What all concurrency controls (engines) in this folder share: memory, threads, waiting, counters, the boundary.
 *
 * Only engines include this header; a program includes the header of its engine. A *domain* is one instance of an
 * engine: the objects that are changed together, and the threads that change them. The parts:
 *
 *   domain/slow.h      the attributes of functions that run rarely, and in the loops of searches
 *   domain/memory.h    the caller's functions for memory, and memory aligned to cache lines
 *   domain/threads.h   the registry of a domain's threads
 *   domain/turn.h      waiting for another thread by turns: spin, yield, sleep
 *   domain/counters.h  statistics that the owner writes and any thread reads
 *   domain/boundary.h  starts the stamp of a domain, and raises its boundary
 *   domain/invariant.h a check that is compiled only if ORDO_DEBUG is 1
 *
 * An engine embeds struct ordo_cc_thread in its own thread structure, on a rarely written line. A scan then finds each
 * `next` in its cache, and the loads of the lines that threads write overlap. If `next` were on such a line, the load
 * of one thread's line could not begin before that of the previous thread's line had ended.
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
 *  D1  A walk finds complete threads only: a thread is filled in before it becomes the head of the list [D1 join], and
 *      a walk acquires the head [D1 walk]. No thread leaves the list before the domain ends, and no `next` changes once
 *      its thread is in the list. Hence a walk visits every thread that joined before the walk began.
 *
 *  D2  A struct ordo_cc_thread has at most one owner at a time. If several threads of the program try to exchange
 *      `used` from 0 to 1, one of them succeeds and is the owner [D2 reuse]; only the owner sets `used` to 0 [D2
 *      leave]. The exchange acquires the stores that the last owner released: the next owner finds the structure as
 *      the last owner left it.
 *
 *  D3  A *scan* is a walk whose loads are in S [D3 scan, D3 used]; the exchanges of D1 and D2 are in S too. If a scan
 *      does not find a thread, or finds it out of use, then the exchange by which the thread joins, or is used again,
 *      is later in S than the load of the scan. Its next owner therefore sees every store in S that the scanning thread
 *      made before the scan, and reads the clock later than the scanning thread did before the scan.
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
