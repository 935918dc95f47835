/* The cost of a stamp by itself. An operation is one timestamp. As in transactions, half of the timestamps begin a
 * transaction and half commit one. A transaction lasts longer than the boundary, so no commit waits for the clock. */
#include <ordo/cc/stamp.h>

#include "txn/stamps.h"

#define ROW 8
#define ROWS 16 /* rows between two reads of the stop flag; a transaction commits this many rows after its begin */

_Static_assert(sizeof(struct ordo_stamp) <= TXN_STAMP_BYTES, "room for the stamp");

int ORDO_STAMPED(txn_stamp, _prepare)(void *context, int threads, struct ordo_error *error)
{
    struct txn_stamp_bench *bench = context;
    (void)threads;
#if defined ORDO_STAMP_CORRECTED
    const struct ordo *watch = bench->corrected;
    uint64_t boundary_ticks = ordo_boundary(watch);
#elif defined ORDO_STAMP_ANY
    const struct ordo *watch = bench->any;
    uint64_t boundary_ticks = ordo_boundary(watch);
#else
    const struct ordo *watch = NULL;
    uint64_t boundary_ticks = bench->boundary_ticks;
#endif
    int code = ordo_stamp_init((struct ordo_stamp *)bench->room, boundary_ticks, watch);
    return code ? ordo_error_set(error, code, 0, "a stamp with a boundary of %ju ticks: %s", (uintmax_t)boundary_ticks,
                                 ordo_strerror(code))
                : ORDO_OK;
}

uint64_t ORDO_STAMPED(txn_stamp, _work)(struct bench_worker *worker)
{
    struct ordo_stamp *stamp = (struct ordo_stamp *)((struct txn_stamp_bench *)worker->context)->room;
    ordo_time begins[ROWS];
    uint64_t ops = 0;
    struct ordo_stamp_local local = {0};
    for (int row = 0; row < ROWS; row++)
        begins[row] = ordo_stamp_now(stamp);
    do {
        for (int row = 0; row < ROWS; row++) {
            ordo_time begin = begins[row];
            for (int i = 0; i < ROW; i++) {
                begins[row] = ordo_stamp_now(stamp);
                ordo_time commit;
                (void)ordo_stamp_issue(stamp, &local, begin, &commit);
                __asm__ volatile("" : : "r"(commit.ticks)); /* the compiler must compute it */
            }
        }
        ops += 2 * ROW * ROWS;
    } while (bench_running(worker));
    return ops;
}
