/* Optimistic multi-version concurrency control, after Hekaton, on a stamp.
 *
 * A record is an anchor in the index and a chain of versions, the newest first. Each version has the time of its
 * writer, and is valid from its own time to the time of the version above. While the writer has not finished, the
 * version has the writer's identity instead of a time. `anchor->writer` is the claim of the only transaction that may
 * change the chain; a second writer conflicts.
 *
 * Commit: announce PREPARING; take the end time e; [wait until every clock has passed e, if snapshots may begin];
 * validate the reads and the range scans; [settle e]; announce COMMITTED; write the times; drop the claims.
 *
 * Why it is right. Of times, "before" means certainly before. B is the boundary, e and e' are the ends of T and T', and
 * b is the begin of the reader R.
 *
 * 1. Snapshots (hk_visible). A snapshot R shows exactly the transactions with e before b. R reads b before its loads
 *    (C2, cc_enter). Suppose that some load of R found T neither PREPARING nor finished. T announces PREPARING before
 *    it reads its clock (C4, hk_end_time), so it reads its clock after that load: e >= b - B by the lemma, and no load
 *    of R shows T. If e < b - B, every load of R therefore found T PREPARING or finished, and R waits while T is
 *    PREPARING (hk_pick).
 *
 * 2. Serialisable writers read the newest version (hk_newest) and validate at the end (hk_validate): each version that
 *    they read is still the newest, and no other transaction that wrote the record is PREPARING. Order the transactions
 *    by their announcements of PREPARING. If T' overwrote a version that T read, T validated before T' announced. If T'
 *    read or overwrote a version that T wrote, T had finished before T' announced. So every dependency points forward
 *    in this order. The argument uses no times.
 *
 * 3. Both together (C5, C6). Suppose that a snapshot R misses T and sees T', which depends on T directly or indirectly.
 *    This leads to a contradiction. First, e' > e. Either T has waited until every clock had passed e, because R misses
 *    T and sees T' (snapshots.h); T' announced after T validated, and so after that wait (hk_end_time). Or T is of
 *    level SNAPSHOT; then T' depends on T only through versions that T wrote, and begins certainly after T
 *    (hk_current). Second, R misses T for one of two reasons. Either T announced after R's load: then T' did too, and
 *    e' >= b - B, as e is. Or e >= b - B: then e' > b - B. In both cases R does not see T'. So a reader may treat an
 *    uncertain version as absent only because its writer has waited. With ORDO_UNCERTAIN_ABORT no writer waits, and a
 *    reader aborts on an uncertain version. So if R misses T, e > b + B, and e' >= e - B > b.
 *    A serialisable R reads the newest versions and misses T only for the first reason, so e' >= b - B whether T waited
 *    or not. So no writer waits because of such an R. R may have read b before it announced itself (cc_enter_newest).
 *    Then R may fail to find a record in the index that a transaction D has deleted, although D is not before b. But D
 *    ended before R announced itself, because the anchor would otherwise have waited for R (core.h). And no snapshot
 *    misses D, because the anchor would have waited for that snapshot. So R may see D without a contradiction: in the
 *    order of transactions, R is at the moment when it announced itself. All versions that R found were the newest at
 *    that moment, because every transaction that overwrote one of them announced after R's load.
 *
 * 4. Equal times (C7). The times in a chain ascend, although a writer takes its end without a wait. A transaction that
 *    overwrites a version of time e began certainly after e (hk_current), so b' > e + B; it takes its own end later, so
 *    e' >= b' - B > e. Equal times never satisfy a reader's comparison. Versions are distinguished by identities, not
 *    by times.
 *
 * 5. Times of one thread (C8, hk_begin, hk_join). A begin is >= the thread's previous begin. The begin of a snapshot is
 *    certainly after the thread's last end, even if the thread was then joined in another place. Sentinels (C3,
 *    HK_TAG): an identity in place of a time has bit 63 set, a time has bit 63 clear.
 *
 * 6. Progress (C9). A transaction for which others wait without bound, that is, a PREPARING one, never waits for a
 *    transaction itself. It waits for clocks, and for the locks of an index, whose holders do not wait. If two
 *    PREPARING transactions meet in validation, they abort. A transaction that holds claims waits for another
 *    transaction only for a bounded time (hk_claim, hk_pick), for two reasons: the other transaction may be waiting for
 *    one of these claims, or it may be descheduled. After that time the waiting transaction drops all its claims, and
 *    only then yields its CPU to the other one, until the other has ended or CC_YIELDS times (hk_stand_aside). A retry
 *    takes a fresh time.
 *
 * 7. External consistency (C5, hk_commit). e is settled before any version of T shows COMMITTED. So a transaction that
 *    begins after some transaction saw such a version begins certainly after e.
 *
 * 8. Range scans (hk_same_range). A range scan claims that exactly the records that it found exist.
 *    Deletions are not noted as reads. A deletion that the scan met is certainly before the begin (hk_pick,
 *    hk_visible), so its anchor may leave the index at any time (core.h): it makes no difference whether the scan finds
 *    the deletion or nothing. If the deletion is not certainly before the begin, an extension moves the begin. If the
 *    old begin was read before the announcement (cc_enter_newest), the anchor may leave the index meanwhile, and the
 *    key may be inserted again; neither this anchor nor validation would show the insert. So the scan checks the anchor
 *    after it has read the new begin (hk_has_left): if the anchor has not left the index by then, a transaction that
 *    inserts the key again announces later.
 *    Validation skips exactly the deletions that are certainly before the begin. Such a deletion existed when the scan
 *    passed its key: its writer had announced before the begin was read (argument 1), so the scan found the writer
 *    PREPARING and waited, or found it finished. Any other deletion came later and is a change: either of a record that
 *    the scan saw, or of a record that was inserted meanwhile, and a transaction that saw this record belongs between
 *    the two absences. It is not enough to check whether a record exists now. Suppose that T's scan missed k, and that
 *    U deletes k, updates z, and ends after T has validated z and before T validates k: T would be ordered both before
 *    and after U.
 *    An extension validates by the old begin, because a deletion between the old and the new begin came after the scan,
 *    and the notes in the history say what the scan met. Validation may be on an anchor that has left the index, and
 *    miss an anchor that was added. That anchor was added after T announced, or after T took its new begin, and the
 *    transaction that added it announces later still.
 *
 * A transaction that reads a version that is not certainly before its begin need not abort. It extends (hk_extend): it
 * takes a begin certainly after the version, and goes on if all versions read so far are still the newest. The views of
 * transactions that will abort are consistent too, by arguments 1 and 3 and the extension.
 *
 * Dense tables (places.h): an anchor never leaves its place. Argument 8 then needs no hk_has_left, because validation
 * meets the same anchor. Where this argument and core.h say that a deleted record's anchor leaves the index, the
 * deletion leaves the chain, at the same time and under the same claim (hk_empty).
 *
 * Reclamation: core.h. C10 keeps the memory of a superseded version from being reused too early. Afterwards the chain's
 * link to the version dangles, and is never followed. Reclamation during an old snapshot: prune.h; while a thread is
 * preempted: hazards.h. Reads that do not access the version: inline.h. Location of anchors: anchor.h.
 */
#ifndef ORDO_CC_TXN_HEKATON_TYPES_H
#define ORDO_CC_TXN_HEKATON_TYPES_H

#include "cc/txn/core.h"

#define HK_TAG (UINT64_C(1) << 63) /* marks a `begin` that is the identity of an unfinished writer */
#define HK_DEAD UINT64_MAX         /* a claim that is never dropped: the anchor has left the index */
#define HK_STATUS_BITS 2           /* bits of the status in a worker's state: identity << 2 | status */
#define HK_INLINE_BYTES 24         /* size of the records that unordered tables also keep in their anchors */
#define HK_READS 64                /* first capacity of `reads` */
#define HK_GROWTHS 40              /* number of times that the capacity may double */
/* A worker whose identity has reached this limit begins no transaction, because a state needs two bits for the status.
 * A place reaches the limit after 2^46 transactions. */
#define HK_ID_LIMIT ((UINT64_C(1) << (64 - HK_STATUS_BITS)) - (UINT64_C(1) << 16))

enum hk_status { HK_ACTIVE, HK_PREPARING, HK_COMMITTED, HK_ABORTED };
enum hk_kind { HK_VERSION, HK_CUT, HK_TOMB, HK_ANCHOR };
enum hk_answer { HK_BUSY = 100 }; /* an internal answer, in addition to the public ones */

struct hk_version {
    uint64_t begin; /* time of the writer, or HK_TAG | its identity */
    struct hk_version *older;
    struct hk_anchor *anchor; /* NULL once the version was cut: prune.h, P5 */
    uint64_t id : 63;         /* identity of the writer, for histories */
    uint64_t tomb : 1;        /* 1: the record was deleted; 0: its bytes follow (cc_record) */
};

_Static_assert(sizeof(struct hk_version) % 32 == 0, "records of up to 32 bytes lie at multiples of 32");

struct hk_read {
    struct hk_anchor *anchor;
    struct hk_version *version;
};

/* A key for which a read found no record. `begin`: the time of the deletion that was found, or 0. */
struct hk_miss {
    struct ordo_table *table;
    uint64_t key, begin;
};

struct hk_write {
    struct hk_anchor *anchor;
    struct hk_version *fresh, *old;
    uint64_t old_begin;
    struct ordo_table *table;
};

/* A range scan. Its reads are those from index `from` up to `to`, without deletions. */
struct hk_scan {
    struct ordo_table *table;
    uint64_t first, end; /* keys of the range: first <= key < end */
    size_t from, to;
};

/* The versions that a worker would free unless they are named: a set of addresses with open addressing. */
struct hk_candidates {
    uintptr_t *slots;       /* each 0 or the address of a version, with HK_NAMED if the version is named */
    size_t capacity, count; /* `capacity` is a power of two, or 0 */
};

struct hk_txn {
    uint64_t begin, last_begin, last_end;
    uint64_t blocker;         /* identity of the transaction for which this one gave way, or 0 */
    struct hk_read *reads;    /* other workers load this member and the next two (hazards.h) */
    size_t read_count;        /* number of `reads` */
    struct hk_version *at[2]; /* names: the head that the transaction is accessing, and the version below it */
    size_t read_capacity;
    uint64_t era, era_begin; /* the worker's last era of snapshots, which begin certainly after `era_begin` */
    struct hk_miss *misses;
    struct hk_write *writes;
    struct hk_scan *scans;
    size_t miss_count, write_count, scan_count;
    size_t miss_capacity, write_capacity, scan_capacity;
    struct hk_read *outgrown[HK_GROWTHS]; /* earlier arrays of `reads`, each half as large as the next */
};

struct hk_worker {
    struct cc_worker core;
    struct hk_candidates candidates;
    uint64_t names;         /* number of names that other workers had at the last scan of names */
    uint64_t looked;        /* progress of this worker (hk_progress) at the last scan for hk_reclaim_unnamed */
    uint64_t looked_bytes;  /* `retired_bytes` at that scan */
    uint64_t kept;          /* number of items that this scan left waiting */
    uint64_t looked_to_cut; /* progress of this worker at the last scan for hk_prune */
    uint64_t looked_after;  /* the worker's last transaction before its last scan of names, or 0 (fence.h) */
    uint64_t unfenced;      /* the oldest unfenced announcement at that scan, or CC_IDLE */
    uint64_t period;        /* the last symmetric period in which this worker had transactions */
    uint64_t fenced;        /* number of the worker's transactions in that period */
    _Alignas(CC_LINE) struct hk_txn txn;
};

static inline struct hk_txn *hk_txn(struct cc_worker *worker)
{
    return &((struct hk_worker *)worker)->txn;
}

struct hk_anchor {
    _Alignas(64) struct cc_node node;
    uint64_t writer; /* the claim: the identity of its holder, 0, or HK_DEAD */
    struct hk_version *head;
    /* If the newest version is no deletion, and no deletion waits: the time of the newest version; a copy of its
     * record, if small, is in `bytes` (inline.h). Otherwise HK_TAG | the number of the record's deletions that wait in
     * queues; the anchor is not freed before them. Only the holder of the claim changes this. */
    uint64_t inlined;
    union {
        unsigned char bytes[HK_INLINE_BYTES];
        struct cc_tower tower; /* for ordered tables; the links of the tower follow */
    };
};

_Static_assert(offsetof(struct hk_anchor, bytes) + HK_INLINE_BYTES == 64, "a small record is on its anchor's line");
_Static_assert(sizeof(struct hk_anchor) == sizeof(uintptr_t) << CC_HOME_WIDTH, "an anchor fills a home");

/* True if the transaction holds claims. */
static inline bool hk_holds(struct cc_worker *worker)
{
    return hk_txn(worker)->write_count > 0;
}

static inline struct hk_anchor *hk_of_tower(struct cc_tower *tower)
{
    return (struct hk_anchor *)((char *)tower - offsetof(struct hk_anchor, tower));
}

static inline ordo_time hk_time(uint64_t ticks)
{
    return (ordo_time){ticks};
}

#endif
