/* Optimistic multi-version concurrency control, after Hekaton, on a stamp.
 *
 * A record is an anchor in the index and a chain of versions, the newest first, each with the time of its writer. A
 * version is valid from its time to that of the one above. `anchor->writer` is the claim of the one transaction that
 * may change the chain; a second writer conflicts. A version whose writer has not finished carries the writer's
 * identity instead of a time.
 *
 * Commit: announce PREPARING; take the end time e; [wait until every clock has passed e, if anybody reads a snapshot];
 * validate what was read and scanned; [settle e]; announce COMMITTED; write the times; drop the claims.
 *
 * Why it is right, with "before" for certain order and B for the boundary:
 *
 * 1. Snapshots (hk_visible). A snapshot at begin b shows exactly the transactions with e before b. It misses none: b is
 * read before its loads (C2, cc_enter). A writer that some load did not find
 * PREPARING reads its clock after that load, since it announces first (C4, hk_end_time): e >= b - B by the lemma, so it
 * is shown nowhere. Whoever has e < b - B was found PREPARING or done at every load, and is waited for (hk_pick).
 *
 * 2. Serialisable writers read the newest version (hk_newest) and validate at the end (hk_validate): each version read
 * is still the newest, and no other transaction that wrote it is PREPARING. Order them by their announcements. If T
 * read what T' overwrote, T validated before T' announced; if T' overwrote or read what T wrote, T had finished. So
 * every dependency goes forward, without a look at any time.
 *
 * 3. Both together (C5, C6). Suppose a snapshot R misses T, T' depends on T directly or not, and R sees T'. Then T has
 * waited (snapshots.h), unless it is of level SNAPSHOT, on which T' depends only by what it wrote, and so begins certainly
 * after it (hk_current). T' announced after T validated, hence after T had waited for every clock to pass e: e' > e
 * (hk_end_time). R misses T
 * because T announced after R's load, and then e' >= b - B like e; or because e >= b - B, and then e' > b - B. Either
 * way R does not see T'. So a reader may treat an uncertain version as absent, only because the writer waited. With
 * ORDO_UNCERTAIN_ABORT nobody waits, and a reader aborts on an uncertain version: then e > b + B, and e' >= e - B > b.
 * A serialisable R, which reads the newest versions, misses T for the first reason alone, so that e' >= b - B whether T
 * waited or not: for such, nobody waits. Its b may have been read before it announced itself (cc_enter_newest). Then D,
 * which is not before b, may have deleted what R does not find in the index. But D ended before R announced itself, or it
 * would wait for R (core.h); and no snapshot misses it, or it would wait for that. So to see it contradicts nothing: R belongs
 * where it announced itself. All that it found was the newest there, since whoever changed it announced after R's load.
 *
 * 4. Equal times (C7). The times in a chain ascend, though the end is taken without a wait: whoever overwrites a version
 * of time e began certainly after it (hk_current), b' > e + B, and takes its own end later, e' >= b' - B > e. A
 * comparison of a reader needs more than equality. Identities, not times, tell versions apart.
 *
 * 5. Times of one thread (C8, hk_begin, hk_join). A begin is not before the previous begin, and for snapshots it is
 * certainly after the thread's own last end, in whatever place it was joined then. Sentinels (C3, HK_TAG): an identity
 * has bit 63, a time has not.
 *
 * 6. Progress (C9). Nobody who is waited for without bound waits for another transaction: PREPARING ones wait for
 * clocks, and for the locks of an index, whose holders wait for nobody; where they meet each other in validation they
 * abort. Patience of who holds claims is bounded (hk_claim, hk_pick), whatever it meets: it may be what the other waits
 * for, and must not keep its claims while the other has no CPU. It lets go of everything, and only then gives its own
 * CPU to whoever was in the way, until that has ended or for some turns (hk_stand_aside). A retry takes a fresh time.
 *
 * 7. External consistency (C5, hk_commit). e is settled before any version shows COMMITTED, so whoever begins after
 * somebody saw it has a begin certainly after.
 *
 * 8. Scans (hk_same_range). What a scan found is that there are these records and no others. A deletion that it met is
 * certainly before the begin (hk_pick, hk_visible), so it may leave the index at any time (core.h), and it is not
 * a read: to find it or to find nothing is the same. To be that it may have to be waited for, by an extension; and if the
 * begin was early, its anchor may leave meanwhile and the key be inserted again, where neither this anchor nor validation
 * shows it. So the anchor is looked at after the new begin was read (hk_has_left): if it has not left by then, whoever
 * inserts the key announces later. Validation passes by just those deletions. One that is certainly
 * before the begin was there when the scan came by: its writer had announced before the begin was read (argument 1), so
 * the scan found it PREPARING and waited, or found it done. Any other came since, and is a change: either of a record
 * that the scan saw, or of one that was inserted meanwhile, and whoever saw that one belongs between the two absences.
 * It would not do to ask whether there is a record *now*: a transaction that deletes k and changes z may end while T,
 * which missed k, has validated z and not yet k, and T would be before it and after it. An extension validates by the
 * old begin: what was deleted between the two begins came after the scan, whose history says what it met. What
 * validation does not meet because it stands on an anchor that has left the index was added after T announced, or took
 * its new begin, and by one that announces later still.
 *
 * A read of a version that is not certainly before the begin need not abort: the transaction extends (hk_extend), that
 * is, it takes a begin certainly after the version and goes on if everything read so far is still the newest. Views of
 * transactions that will abort are consistent too, by 1, 3 and the extension.
 *
 * Reclamation: core.h. The boundary between a superseded version and its reuse is C10; the chain's link to it dangles
 * and is never followed. Beside an old snapshot: prune.h. Beside a thread that does not run: hazards.h. What is read
 * without a look at the version: inline.h. Where anchors lie: anchor.h.
 */
#ifndef ORDO_CC_TXN_HEKATON_TYPES_H
#define ORDO_CC_TXN_HEKATON_TYPES_H

#include "cc/txn/core.h"

#define HK_TAG (UINT64_C(1) << 63) /* of a begin: the identity of a writer that has not finished */
#define HK_DEAD UINT64_MAX         /* a claim that is never dropped: the anchor has left the index */
#define HK_STATUS_BITS 2           /* of a state: identity << 2 | status */
#define HK_INLINE_BYTES 24         /* of a record that is kept in its anchor too, in a table without an order */
#define HK_READS 64                /* there is room for, at first; */
#define HK_GROWTHS 40              /* as often it may double */
/* The last identity that another may follow, since they must fit there: a place reaches it after 2^46 transactions. */
#define HK_ID_LIMIT ((UINT64_C(1) << (64 - HK_STATUS_BITS)) - (UINT64_C(1) << 16))

enum hk_status { HK_ACTIVE, HK_PREPARING, HK_COMMITTED, HK_ABORTED };
enum hk_kind { HK_VERSION, HK_CUT, HK_TOMB, HK_ANCHOR };
enum hk_answer { HK_BUSY = 100 }; /* beside the public answers */

struct hk_version {
    uint64_t begin; /* time of the writer, or HK_TAG | its identity */
    struct hk_version *older;
    struct hk_anchor *anchor; /* NULL once it was cut: prune.h, P5 */
    uint64_t id : 63;         /* of the writer, for histories */
    uint64_t tomb : 1;        /* the record was deleted; its bytes follow otherwise: cc_record */
};

_Static_assert(sizeof(struct hk_version) % 32 == 0, "records of up to 32 bytes lie at multiples of 32");

struct hk_read {
    struct hk_anchor *anchor;
    struct hk_version *version;
};

/* Nothing was there: a deletion of that time, or 0. */
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

/* The reads from `from` to `to` are what was there, without deletions. */
struct hk_scan {
    struct ordo_table *table;
    uint64_t first, end; /* the end is not in it */
    size_t from, to;
};

/* What a worker would free, unless somebody names it: addresses, open addressed. */
struct hk_candidates {
    uintptr_t *slots;       /* 0, or an address, with HK_NAMED if it is named */
    size_t capacity, count; /* a power of two, or 0 */
};

struct hk_txn {
    uint64_t begin, last_begin, last_end;
    uint64_t blocker;         /* the transaction that it gave way to, or 0 */
    struct hk_read *reads;    /* read by others, like these: hazards.h */
    size_t read_count;        /* also theirs */
    struct hk_version *at[2]; /* what it is looking at, and is below it */
    size_t read_capacity;
    uint64_t era, era_begin; /* the last that a snapshot of the worker began in, and certainly after what in that era */
    struct hk_miss *misses;
    struct hk_write *writes;
    struct hk_scan *scans;
    size_t miss_count, write_count, scan_count;
    size_t miss_capacity, write_capacity, scan_capacity;
    struct hk_read *outgrown[HK_GROWTHS]; /* earlier `reads`, each half of the next */
};

struct hk_worker {
    struct cc_worker core;
    struct hk_candidates candidates;
    uint64_t names;         /* of others, when it last looked at them */
    uint64_t looked;        /* how far it was (hk_progress) when it last looked in order to free, */
    uint64_t looked_bytes;  /* what had been retired by then, */
    uint64_t kept;          /* how much had to wait on then, */
    uint64_t looked_to_cut; /* and when it looked in order to prune */
    uint64_t looked_after;  /* the transaction after which it last looked at names, 0 for none (fence.h), */
    uint64_t unfenced;      /* and what took a fence for all threads then: the oldest announcement, or CC_IDLE */
    uint64_t period;        /* the last of those of CC_FENCED that it met, */
    uint64_t fenced;        /* and its transactions in it */
    _Alignas(CC_LINE) struct hk_txn txn;
};

static inline struct hk_txn *hk_txn(struct cc_worker *worker)
{
    return &((struct hk_worker *)worker)->txn;
}

struct hk_anchor {
    _Alignas(64) struct cc_node node;
    uint64_t writer; /* identity of the claim, 0, or HK_DEAD */
    struct hk_version *head;
    /* The time of the newest version, which is no deletion, and whose record, if small, is in `bytes` too (inline.h); or
     * HK_TAG | the deletions of the record that wait in queues, before which the anchor is not freed. Changed with a claim. */
    uint64_t inlined;
    union {
        unsigned char bytes[HK_INLINE_BYTES];
        struct cc_tower tower; /* of ordered tables; its links follow */
    };
};

_Static_assert(offsetof(struct hk_anchor, bytes) + HK_INLINE_BYTES == 64, "a small record is on its anchor's line");
_Static_assert(sizeof(struct hk_anchor) == sizeof(uintptr_t) << CC_HOME_WIDTH, "an anchor fills a home");

/* Whether the transaction holds claims. */
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
