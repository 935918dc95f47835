/* Reclamation during an old snapshot. By time (core.h), every version that was superseded after the begin of a snapshot
 * waits for the end of the snapshot, although the snapshot needs at most one version of each record. Pruning cuts the
 * other versions out of their chains, and frees them while the snapshot lasts.
 *
 * Each worker prunes only items that it retired itself, in rounds, outside of transactions (hk_prune). Rounds of
 * different workers run concurrently and do not wait for each other: a preempted round delays only the items of its own
 * worker. In a round the worker scans the announcements, cuts versions that it retired, and frees versions that an
 * earlier round of its own found cut. A model of pruning must keep these conditions:
 *
 *  P1  A version that is valid from `begin` to `end` is cut only if two conditions hold. No announced snapshot needs it
 *      (hk_needs: the time r of the snapshot is certainly after `begin`, and not certainly after `end`). And end < W =
 *      min(now, oldest other transaction) - 2B, where a transaction without a time counts as minus infinity, and
 *      transactions that name versions (hazards.h) do not count (P8). By the argument of core.h, neither the other
 *      transactions nor a transaction that begins after the scan of the announcements reaches the version. With
 *      ORDO_UNCERTAIN_ABORT a snapshot must meet the versions whose order to it is uncertain, so it needs these too.
 *  P2  A round changes a chain only while it has the claim, as a writer does. It walks from the head as its oldest
 *      snapshot r would, down to the first version certainly before r, and cuts all versions on the way that P1
 *      permits, even if other workers retired them. One walk for each item would take quadratic time in the chain of a
 *      hot record.
 *  P3  The worker announces CC_PRUNES before it searches for r. When a worker frees by time, this announcement counts
 *      as minus infinity. So the versions that r would walk over stay, and the anchor stays, even if r ends meanwhile;
 *      the reason is below.
 *  P4  A round ignores the announcement CC_PRUNES of other workers. Another worker's round accesses three things: the
 *      items of that worker's queue, which only that worker frees; anchors, which no round frees; and, with the claim,
 *      the versions in a chain. No round frees a version in a chain: it frees only versions that were cut, or whose
 *      writer aborted.
 *  P5  The round that cuts a version first takes it out of the chain. Then it stores NULL as the version's anchor,
 *      which is the round's last access to the version. The worker that retired the version learns of the cut from this
 *      NULL, and does not free the version before.
 *  P6  All items that a worker finds cut in a round get one number, the next of `cuts`. The worker takes this number
 *      after it has found the last of these items (hk_number). So a walk that knows this number, or a later one, does
 *      not find these versions.
 *  P7  A snapshot announces each walk by an exchange, with the last number that it knows (hk_walk). The round reads the
 *      walks by atomic additions of 0 (hk_oldest_walk). Of these two operations on a walk, the later one sees
 *      everything that came before the earlier one. An item is freed when every walk knows its number, or there is no
 *      walk. A walk that knows the number cannot reach the version: it does not find the version in the chain (P6); and
 *      it does not find any version above that was cut earlier and still has a link to this one, because, by the order
 *      of claims, the walk knows of that cut too.
 *  P8  An item is freed only if no transaction names it (hazards.h), and if it ended before the W of P1. If the names
 *      are not known, transactions that name versions count in W too. The names are scanned before the announcements.
 *      This order does no harm, because the item was cut before the fence of the scan of names: a transaction that
 *      begins after that scan does not find the item.
 *
 * Why a cut changes nothing for a reader. A reader passes the versions above the version that it is to read, and never
 * goes below that version. The versions that a transaction of level READ_ONLY sees depend only on its announced time
 * (hk_begin, CC_SNAPSHOT; hk_visible and hk_newest_inline). The walk of P2 uses the times of the versions that are
 * still in the chain: a version seems to be valid until the begin of the next newer version that was not cut, and no
 * snapshot can tell this from the truth. The rounds of two workers may use different snapshots, because each round
 * makes its own scan. Each cut is right by its own scan: P1 covers all snapshots that are announced at the scan or
 * begin later, and a snapshot that only the other round has seen has ended by then.
 *
 * Why r may end during a round (P3). A horizon that another worker computes after the announcement of CC_PRUNES frees
 * nothing. If the second of the two scans for a horizon missed this announcement, the first scan was over before this
 * worker saw r: so the first scan saw r too, or r began after it. In either case the horizon is at most r - B, and the
 * versions that r would walk over are still there. The anchor is still there for the same reason: if the anchor of a
 * version has left the index, the version ended before every snapshot that was announced then, or began later. So the
 * condition `end > oldest` keeps hk_cut away from a home that may be another key's by now, and from an anchor of a dense
 * table that has lost the deletion above the version (hk_empty). One scan would not be
 * enough: it could visit this worker before the announcement, and the worker of r after r has ended.
 *
 * Cost. A worker visits HK_LOOKS items for each item that was queued since its last round, and as many for every four
 * of its transactions. Each item must be visited twice: to be cut, and to be freed. So the number of waiting items
 * stays in proportion to the number of versions that the snapshots need, whatever other workers do. Items for which the
 * round can do nothing cost little and count little, because preempted threads may hold back many. An item waits longer
 * while a writer holds the claim of its record (no version is added to the record then), while a walk lasts, while
 * there is a transaction that neither names its versions nor is a snapshot, and while there are more than HK_SNAPSHOTS
 * snapshots. Deleted records, and anchors of aborted inserts, wait for the snapshot by time.
 */
#ifndef ORDO_CC_TXN_HEKATON_PRUNE_H
#define ORDO_CC_TXN_HEKATON_PRUNE_H

#include "cc/txn/hekaton/hazards.h"

#if !defined HK_PRUNE_FROM
#define HK_PRUNE_EVERY 32 /* transactions of a worker between two rounds */
#define HK_PRUNE_FROM 256 /* least number of a worker's waiting items for a round */
#endif
enum {
    HK_SNAPSHOTS = 16, /* snapshots that a round tells apart; any others count as other transactions */
    HK_LOOKS = 4,      /* visits of items for each step of hk_progress */
    HK_LOOK = 8        /* the price of a visit; to skip an item costs 1 */
};

#define HK_UNNUMBERED UINT64_MAX /* the number of an item that has none yet; no walk knows it */

struct hk_round {
    uint64_t others;                        /* the W of P1 */
    uint64_t all;                           /* W, if transactions that name versions count too */
    uint64_t walk;                          /* the last number that the oldest walk knows */
    uint64_t cut;                           /* number of items that were found cut and have no number yet */
    const struct hk_candidates *candidates; /* NULL: names are unknown, so their transactions count by time */
    ordo_time oldest;                       /* the smallest of `snapshots` */
    ordo_time snapshots[HK_SNAPSHOTS];
    unsigned count;
};

/* Returns the smallest number that a walk knows, UINT64_MAX if there is no walk. */
static uint64_t hk_oldest_walk(struct ordo_db *db, unsigned used)
{
    uint64_t oldest = UINT64_MAX;
    for (unsigned i = 0; i < used; i++) {
        struct cc_worker *worker = __atomic_load_n(&db->places[i], __ATOMIC_ACQUIRE); /* pairs with cc_join */
        /* Pairs with hk_walk, hk_rest: a walk that this operation does not see begins later, and sees all earlier
         * cuts. */
        uint64_t walk = worker ? __atomic_fetch_add(&worker->walk, 0, __ATOMIC_ACQ_REL) : 0;
        if (walk && walk - 1 < oldest)
            oldest = walk - 1;
    }
    return oldest;
}

/* True if a snapshot (a READ_ONLY transaction) is open. */
static bool hk_is_snapshot_open(struct ordo_db *db)
{
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_RELAXED); /* a hint: a later scan finds new places */
    for (unsigned i = 0; i < used; i++)
        if (cc_is_snapshot(cc_announced(db, i)))
            return true;
    return false;
}

/* Returns the budget of a round: the total price of the items that it may visit or skip. */
static uint64_t hk_budget(const struct cc_worker *worker)
{
    return HK_LOOK * HK_LOOKS * (hk_progress(worker) - worker->queue.pruned);
}

/* Makes candidates of the cut versions that the round can reach, and marks those that other workers name. NULL: the
 * names are not known. */
static const struct hk_candidates *hk_candidates_to_prune(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    uint64_t budget = hk_budget(worker), waiting = worker->queue.tail - worker->queue.head;
    mine->looked_to_cut = hk_progress(worker);
    return hk_gather(worker, worker->queue.head + (budget < waiting ? budget : waiting), true) && hk_mark_names(worker)
               ? &mine->candidates
               : NULL;
}

/* True if there is a snapshot, and the worker's progress pays for a scan of the names. A small batch is enough, because
 * readers by time walk over all versions that were not cut. */
static bool hk_may_prune(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    const struct hk_worker *mine = (const struct hk_worker *)worker;
    if (cc_is_disrupted(db))
        return false;
    return hk_look_pays(worker, HK_UNNAMED_FROM, mine->looked_to_cut, 0) && hk_is_snapshot_open(db);
}

/* Scans the announcements of the other workers. True if there are snapshots. */
static bool hk_look(struct cc_worker *worker, struct hk_round *round)
{
    struct ordo_db *db = worker->base.db;
    uint64_t twice = 2 * ordo_stamp_boundary(&db->stamp), all = ordo_stamp_now(&db->stamp).ticks, others = all;
    /* Pairs with cc_join, as in cc_look_around. */
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_SEQ_CST);
    round->count = 0;
    round->oldest.ticks = UINT64_MAX;
    for (unsigned i = 0; i < used; i++) {
        uint64_t active = i == worker->base.index ? CC_IDLE : cc_announced(db, i), time = cc_time_of(active);
        if (active == CC_IDLE || active == CC_PRUNES) /* P4 */
            continue;
        if (!cc_is_snapshot(active) || round->count == HK_SNAPSHOTS) {
            all = time < all ? time : all;
            others = time < others && !cc_names(db, active) ? time : others;
            continue;
        }
        round->snapshots[round->count++].ticks = time;
        round->oldest.ticks = time < round->oldest.ticks ? time : round->oldest.ticks;
    }
    round->others = others > twice ? others - twice : 0;
    round->all = all > twice ? all - twice : 0;
    round->walk = hk_oldest_walk(db, used);
    round->cut = 0;
    if (!round->candidates)
        round->others = round->all;
    return round->count > 0;
}

static bool hk_needs(struct ordo_db *db, ordo_time snapshot, ordo_time begin, ordo_time end)
{
    if (ordo_stamp_after(&db->stamp, snapshot, begin))
        return !ordo_stamp_after(&db->stamp, snapshot, end);
    return db->options.uncertain == ORDO_UNCERTAIN_ABORT && !ordo_stamp_after(&db->stamp, begin, snapshot);
}

static bool hk_needed(struct ordo_db *db, const struct hk_round *round, uint64_t begin, uint64_t end)
{
    for (unsigned i = 0; i < round->count; i++)
        if (hk_needs(db, round->snapshots[i], hk_time(begin), hk_time(end)))
            return true;
    return false;
}

/* P2: cuts the versions that P1 permits out of a chain, unless another transaction has its claim. The version below a
 * cut version X is still there: the oldest snapshot is not certainly after the begin of X, because it would need X, so
 * it would walk on to the version below X. */
static void hk_cut(struct cc_worker *worker, struct hk_anchor *anchor, const struct hk_round *round)
{
    struct ordo_db *db = worker->base.db;
    if (!hk_try_claim(worker, anchor))
        return;
    struct hk_version *above = hk_head(anchor), *version;
    uint64_t end = hk_begin_of(above);
    while ((version = above->older) && !ordo_stamp_after(&db->stamp, round->oldest, hk_time(end))) {
        uint64_t begin = hk_begin_of(version);
        if (end >= round->others || hk_needed(db, round, begin, end)) { /* P1 */
            above = version;
            end = begin;
            continue;
        }
        /* Pairs with hk_older: the version below is complete. */
        __atomic_store_n(&above->older, version->older, __ATOMIC_RELEASE);
        /* P5: the last access to the version. Pairs with hk_anchor_of: the version is out of its chain. */
        __atomic_store_n(&version->anchor, NULL, __ATOMIC_RELEASE);
    }
    hk_unclaim(anchor);
}

/* Forgets a waiting deletion if its record was written again later. True if the deletion was forgotten. A deletion that
 * is the newest version stays, because it decides when the anchor may leave the index. So does the last waiting deletion
 * of a record that is deleted again: the newer deletion may have ended its wait before, and left the anchor to this one. */
static bool hk_drop_tomb(struct cc_worker *worker, const struct cc_retired *retired)
{
    struct hk_anchor *anchor = retired->item;
    if (!hk_try_claim(worker, anchor))
        return false;
    struct hk_version *head = hk_head(anchor);
    bool dropped = hk_begin_of(head) != retired->end && !(head->tomb && hk_tombs(anchor) == 1);
    if (dropped)
        (void)hk_forget_tomb(retired->table, anchor);
    hk_unclaim(anchor);
    return dropped;
}

/* True if this round can do nothing for an item. */
static bool hk_must_wait(const struct hk_round *round, const struct cc_retired *retired)
{
    switch ((enum hk_kind)retired->kind) {
    case HK_VERSION:
        return retired->end >= round->others;
    case HK_CUT:
        return retired->end >= round->others || round->walk < retired->begin || /* P7, P8 */
               (round->candidates && !hk_is_unnamed(round->candidates, retired->item));
    case HK_TOMB:
        return retired->end >= round->all;
    case HK_ANCHOR:
        break;
    }
    return true;
}

/* Returns the anchor of a version, NULL if the version was cut. */
static struct hk_anchor *hk_anchor_of(const struct hk_version *version)
{
    return __atomic_load_n(&version->anchor, __ATOMIC_ACQUIRE); /* P5: pairs with hk_cut */
}

/* Visits one item. True if the item was freed or forgotten. False: it waits on, perhaps as another kind. */
static bool hk_prune_one(struct cc_worker *worker, struct hk_round *round, struct cc_retired *retired)
{
    if (retired->kind == HK_TOMB)
        return hk_drop_tomb(worker, retired);
    if (retired->kind == HK_CUT)
        return hk_free_item(worker, retired);
    bool aborted = retired->begin & HK_TAG; /* a version of an aborted transaction, in no chain */
    struct hk_anchor *anchor = aborted ? NULL : hk_anchor_of(retired->item);
    if (anchor && retired->end > round->oldest.ticks &&
        !hk_needed(worker->base.db, round, retired->begin, retired->end))
        hk_cut(worker, anchor, round);
    if (!anchor || !hk_anchor_of(retired->item)) {
        retired->kind = HK_CUT;
        retired->begin = HK_UNNUMBERED;
        round->cut++;
    }
    return false;
}

/* P6: gives the items that the round found cut their number. These items were queued again, at `from` or later. */
static void hk_number(struct cc_worker *worker, const struct hk_round *round, uint64_t from)
{
    struct cc_queue *queue = &worker->queue;
    if (round->cut == 0)
        return;
    /* Pairs with hk_walk: a walk that knows this number, or a later one, does not find these versions. */
    uint64_t number = __atomic_fetch_add(&worker->base.db->cuts, 1, __ATOMIC_RELEASE) + 1;
    for (uint64_t at = from; at != queue->tail; at++)
        if (queue->ring[at & queue->mask].kind == HK_CUT && queue->ring[at & queue->mask].begin == HK_UNNUMBERED)
            queue->ring[at & queue->mask].begin = number;
}

/* Visits or skips waiting items until their total price reaches `budget`. */
static void hk_prune_queue(struct cc_worker *worker, struct hk_round *round, uint64_t budget)
{
    struct cc_queue *queue = &worker->queue;
    uint64_t tail = queue->tail;
    while (queue->head != tail && budget >= HK_LOOK) {
        struct cc_retired retired = queue->ring[queue->head++ & queue->mask];
        bool waits = hk_must_wait(round, &retired);
        budget -= waits ? 1 : HK_LOOK;
        if (waits || !hk_prune_one(worker, round, &retired))
            cc_queue_add(queue, retired);
    }
    hk_number(worker, round, tail);
    hk_queued_again(worker, queue->tail - tail);
}

/* Makes one round of pruning. */
static void hk_prune(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    struct hk_round round;
    uint64_t budget = hk_budget(worker);
    if (!hk_may_prune(worker))
        return;
    round.candidates = hk_candidates_to_prune(worker);
    /* P3. Pairs with cc_look_around: the versions that this round walks over stay. */
    __atomic_store_n(&worker->active, CC_PRUNES, __ATOMIC_SEQ_CST);
    if (hk_look(worker, &round))
        hk_prune_queue(worker, &round, budget);
    worker->queue.pruned = hk_progress(worker);
    cc_exit(worker);
    hk_candidates_end(db, &((struct hk_worker *)worker)->candidates);
}

#endif
