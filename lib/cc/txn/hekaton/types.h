/* Optimistic multi-version concurrency control, after Hekaton, on a stamp.
 *
 * A record is an anchor in the index and a chain of versions, the newest first, each with the time of its writer. A
 * version is valid from its own time to the time of the version above. `anchor->writer` is the claim of the one
 * transaction that may change the chain; a second writer conflicts. A version whose writer has not finished carries the
 * writer's identity instead of a time.
 *
 * Commit: announce PREPARING; take the end time e; [wait until every clock has passed e, if snapshots may begin];
 * validate the reads and the range scans; [settle e]; announce COMMITTED; write the times; drop the claims.
 *
 * Why it is right. "Before" means certainly before; B is the boundary; e and e' are the ends of T and T'; b is the
 * begin of the reader R.
 *
 * 1. Snapshots (hk_visible). A snapshot R shows exactly the transactions with e before b. R reads b before its loads
 * (C2, cc_enter). If some load of R did not find T PREPARING, T reads its clock after that load, because T announces
 * first (C4, hk_end_time): e >= b - B by the lemma, so no load of R shows T. If e < b - B, every load of R found T
 * PREPARING or finished, and R waits for T while it is PREPARING (hk_pick).
 *
 * 2. Serialisable writers read the newest version (hk_newest) and validate at the end (hk_validate): each version that
 * they read is still the newest, and no other transaction that wrote the record is PREPARING. Order the transactions by
 * their announcements. If T' overwrote a version that T read, T validated before T' announced. If T' read or overwrote
 * a version that T wrote, T had finished before T' announced. So every dependency points forward, and the argument uses
 * no time.
 *
 * 3. Both together (C5, C6). Suppose that a snapshot R misses T and sees T', which depends on T directly or not. Either
 * T has waited until every clock had passed e (snapshots.h), or T is of level SNAPSHOT; then T' depends on T only
 * through versions that T wrote, and begins certainly after T (hk_current). If T has waited, T' announced after T
 * validated, and so after that wait (hk_end_time). Either way e' > e. R misses T for one of two reasons. Either T
 * announced after R's load: then T' did too, and e' >= b - B, like e. Or e >= b - B: then e' > b - B. In both cases R
 * does not see T'. So a reader may treat an uncertain version as absent only because the writer waited. With
 * ORDO_UNCERTAIN_ABORT no writer waits, and a reader aborts on an uncertain version: then e > b + B, and
 * e' >= e - B > b.
 * A serialisable R reads the newest versions and misses T for the first reason alone, so e' >= b - B whether T waited
 * or not: no writer waits for the sake of such an R. R may have read b before it announced itself (cc_enter_newest).
 * Then a transaction D that is not before b may have deleted a record that R does not find in the index. But D ended
 * before R announced itself, or its anchor would have waited for R (core.h); and no snapshot misses D, or the anchor
 * would have waited for that snapshot. So it contradicts nothing that R sees D: the place of R in the order is where it
 * announced itself. All versions that R found were the newest there, because every transaction that changed one
 * announced after R's load.
 *
 * 4. Equal times (C7). The times in a chain ascend, although the end is taken without a wait: a transaction that
 * overwrites a version of time e began certainly after it (hk_current), b' > e + B, and takes its own end later,
 * e' >= b' - B > e. A reader's comparison is never satisfied by equal times. Identities, not times, tell versions
 * apart.
 *
 * 5. Times of one thread (C8, hk_begin, hk_join). A begin is not before the previous begin. The begin of a snapshot is
 * certainly after the last end of the same thread, even if the thread had joined in another place then. Sentinels (C3,
 * HK_TAG): an identity has bit 63 set, a time has not.
 *
 * 6. Progress (C9). A transaction for which others wait without bound does not wait for a transaction itself: a
 * PREPARING one waits for clocks, and for the locks of an index, whose holders do not wait; two PREPARING ones that
 * meet in validation abort. A transaction that holds claims waits for a bounded time only (hk_claim, hk_pick), because
 * the other one may be waiting for one of these claims, and because a transaction must not keep its claims while the
 * other has no CPU. After that time it drops all its claims, and only then yields its CPU to the transaction that was
 * in its way, until that one has ended or for some turns (hk_stand_aside). A retry takes a fresh time.
 *
 * 7. External consistency (C5, hk_commit). e is settled before any version shows COMMITTED. So a transaction that
 * begins after another one saw such a version begins certainly after e.
 *
 * 8. Range scans (hk_same_range). A range scan finds that exactly these records exist.
 * Deletions are no reads. A deletion that the scan met is certainly before the begin (hk_pick, hk_visible), so its
 * anchor may leave the index at any time (core.h): to find the deletion or to find nothing is the same. If the deletion
 * is not certainly before the begin, an extension moves the begin. If the begin is early, because it was read before
 * the announcement (cc_enter_newest), the anchor may leave the index meanwhile and the key may be inserted again, which
 * neither this anchor nor validation shows. So the scan checks the anchor after the new begin was read (hk_has_left):
 * if it has not left by then, a transaction that inserts the key announces later.
 * Validation skips just these deletions. A deletion that is certainly before the begin was there when the scan came by:
 * its writer had announced before the begin was read (argument 1), so the scan found the writer PREPARING and waited,
 * or found it finished. Any other deletion came later and is a change: of a record that the scan saw, or of one that
 * was inserted meanwhile, and a transaction that saw that record belongs between the two absences. It is not enough to
 * check whether a record exists now. Suppose that T's scan missed k, and that U deletes k, updates z, and ends after T
 * has validated z and before T validates k: T would be ordered both before and after U.
 * An extension validates by the old begin: a deletion between the two begins came after the scan, whose records in the
 * history say what it met. Validation may stand on an anchor that has left the index and miss an anchor that was added.
 * This anchor was added after T announced, or took its new begin, and by a transaction that announces later still.
 *
 * A read of a version that is not certainly before the begin need not abort. The transaction extends (hk_extend): it
 * takes a begin certainly after the version, and goes on if everything read so far is still the newest. Views of
 * transactions that will abort are consistent too, by arguments 1 and 3 and the extension.
 *
 * Reclamation: core.h. C10 keeps a superseded version from being reused too early; afterwards the chain's link to it
 * dangles and is never followed. Reclamation during an old snapshot: prune.h; while a thread is preempted: hazards.h.
 * Reads that do not access the version: inline.h. Location of anchors: anchor.h.
 */
#ifndef ORDO_CC_TXN_HEKATON_TYPES_H
#define ORDO_CC_TXN_HEKATON_TYPES_H

#include "cc/txn/core.h"

#define HK_TAG (UINT64_C(1) << 63) /* of a version's begin: the identity of a writer that has not finished */
#define HK_DEAD UINT64_MAX         /* a claim that is never dropped: the anchor has left the index */
#define HK_STATUS_BITS 2           /* of a state: identity << 2 | status */
#define HK_INLINE_BYTES 24         /* size of the records that unordered tables also keep in their anchors */
#define HK_READS 64                /* capacity of `reads` at first */
#define HK_GROWTHS 40              /* how often that capacity may double */
/* A worker whose identity has reached this begins no transaction: identities need two bits for the status. A place
 * reaches it after 2^46 transactions. */
#define HK_ID_LIMIT ((UINT64_C(1) << (64 - HK_STATUS_BITS)) - (UINT64_C(1) << 16))

enum hk_status { HK_ACTIVE, HK_PREPARING, HK_COMMITTED, HK_ABORTED };
enum hk_kind { HK_VERSION, HK_CUT, HK_TOMB, HK_ANCHOR };
enum hk_answer { HK_BUSY = 100 }; /* in addition to the public answers */

struct hk_version {
    uint64_t begin; /* time of the writer, or HK_TAG | its identity */
    struct hk_version *older;
    struct hk_anchor *anchor; /* NULL once the version was cut: prune.h, P5 */
    uint64_t id : 63;         /* of the writer, for histories */
    uint64_t tomb : 1;        /* the record was deleted; else its bytes follow: cc_record */
};

_Static_assert(sizeof(struct hk_version) % 32 == 0, "records of up to 32 bytes lie at multiples of 32");

struct hk_read {
    struct hk_anchor *anchor;
    struct hk_version *version;
};

/* A key that had no record: `begin` is the time of its deletion, or 0. */
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

/* A range scan; it found the reads from `from` to `to`, deletions left out. */
struct hk_scan {
    struct ordo_table *table;
    uint64_t first, end; /* `end` excluded */
    size_t from, to;
};

/* The versions that a worker would free unless they are named: a set of addresses with open addressing. */
struct hk_candidates {
    uintptr_t *slots;       /* 0, or an address, with HK_NAMED if it is named */
    size_t capacity, count; /* capacity: a power of two, or 0 */
};

struct hk_txn {
    uint64_t begin, last_begin, last_end;
    uint64_t blocker;         /* the transaction for which it gave way, or 0 */
    struct hk_read *reads;    /* other workers load this and the next two: hazards.h */
    size_t read_count;        /* loaded by other workers too */
    struct hk_version *at[2]; /* names: the head that it is accessing, and the version below */
    size_t read_capacity;
    uint64_t era, era_begin; /* the last era in which it began a snapshot, certainly after `era_begin` */
    struct hk_miss *misses;
    struct hk_write *writes;
    struct hk_scan *scans;
    size_t miss_count, write_count, scan_count;
    size_t miss_capacity, write_capacity, scan_capacity;
    struct hk_read *outgrown[HK_GROWTHS]; /* earlier `reads`, each half as large as the next */
};

struct hk_worker {
    struct cc_worker core;
    struct hk_candidates candidates;
    uint64_t names;         /* names that others had at the last scan of names */
    uint64_t looked;        /* its progress (hk_progress) at the last scan made in order to free, */
    uint64_t looked_bytes;  /* its retired bytes then, */
    uint64_t kept;          /* and the items that had to wait on then */
    uint64_t looked_to_cut; /* its progress at the last scan made in order to prune */
    uint64_t looked_after;  /* its transaction before the last scan of names, 0 for none (fence.h), */
    uint64_t unfenced;      /* and the oldest unfenced announcement at that scan, or CC_IDLE */
    uint64_t period;        /* the last symmetric period in which it had transactions, */
    uint64_t fenced;        /* and how many */
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
    /* If the newest version is no deletion and no deletion waits: its time; its record, if small, is in `bytes` too
     * (inline.h). Else HK_TAG | the number of the record's deletions that wait in queues; the anchor is not freed
     * before them. Changed by the holder of the claim. */
    uint64_t inlined;
    union {
        unsigned char bytes[HK_INLINE_BYTES];
        struct cc_tower tower; /* of ordered tables; its links follow */
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
