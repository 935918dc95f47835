/* Hekaton during an old snapshot. By time (core.h), every version that was superseded after the begin of a snapshot
 * waits for its end, although the snapshot needs no more than one version of each record. Pruning cuts the others out
 * of their chains, and frees them while the snapshot lasts.
 *
 * Each worker prunes only items that it retired itself, in rounds, outside of transactions (hk_prune). Rounds of
 * different workers run concurrently and do not wait for each other: a preempted round delays the items of its own
 * worker alone. In a round the worker scans the announcements, cuts versions that it retired, and frees versions that
 * were cut in an earlier round of its own. The conditions; a model of pruning has to keep these:
 *
 *  P1  A version of times [begin, end) is cut only if none of the announced snapshots needs it (hk_needs: the
 *      snapshot's r is certainly after `begin`, and not after `end`), and end < W = min(now, oldest other transaction)
 *      - 2B, where a transaction without a time counts as minus infinity. By the argument of core.h, neither other
 *      transactions nor any that begins after the scan of the announcements reach the version. Transactions that name
 *      versions (hazards.h) do not count here: P8. With ORDO_UNCERTAIN_ABORT a snapshot must meet the versions
 *      that are uncertain to it, which count as needed.
 *  P2  A chain is changed only with its claim, like a writer's. The round walks from the head as its oldest snapshot r
 *      would, down to the first version certainly before r, and cuts all versions on the way that it may cut, also
 *      versions retired by other workers: one walk for each item would take quadratic time in the chain of a hot
 *      record.
 *  P3  The worker announces CC_PRUNES before it searches for r. This announcement counts as minus infinity when a
 *      worker frees by time, so the versions that r would walk over stay, and the anchor stays, even if r ends
 *      meanwhile: below.
 *  P4  A round ignores the announcement CC_PRUNES of other workers. Another round touches three things: the items of
 *      its own worker's queue, which that worker alone frees; anchors, which no round frees; and, with the claim, the
 *      versions in a chain, of which no round frees one: it frees versions that were cut, or whose writer aborted.
 *  P5  The round that cuts a version takes it out of the chain first. Then it stores NULL as the version's anchor, its
 *      last access to it. This tells the worker that retired the version of the cut, and that worker frees the version
 *      no earlier.
 *  P6  A worker gives the items that it found cut in a round one number, the next of `cuts`, which it takes after the
 *      last of them (hk_number). So a walk that knows this number, or a later one, does not find these versions.
 *  P7  A snapshot announces each walk with the last number that it knows (hk_walk), by an exchange, and the round reads
 *      the walks with an empty exchange (hk_oldest_walk): of the two, the later one sees everything before the earlier.
 *      An item is freed when every walk knows its number, or there is no walk. Such a walk cannot reach the version:
 *      not in the chain (P6), and not from a version above it that was cut before, whose link stays as it was. By the
 *      order of claims the walk knows of that cut too.
 *  P8  An item is freed only if no transaction names it (hazards.h), and by P1's W; if names are not known, W counts
 *      the transactions that name versions too. The names are scanned before the announcements. This order does not
 *      matter here, because the item was cut before the fence of the scan of names: a transaction that begins after
 *      that scan does not find it.
 *
 * Why cutting changes nothing for a reader. A reader passes the versions above the right one, and never gets below it.
 * The versions that a transaction of level READ_ONLY sees depend on nothing but the announced time (hk_begin,
 * CC_SNAPSHOT; hk_visible and hk_newest_inline). A walk of P2 uses the times of the versions that are still in the
 * chain: a version then seems to last until the next one that was left, which no snapshot can tell from the truth. The
 * rounds of two workers may use different snapshots, since each makes its own scan. Each cut is right by its own scan:
 * P1 speaks of all snapshots that are announced at the scan or begin later, and a snapshot that only the other round
 * has seen has ended by then.
 *
 * Why r may end during a round (P3). A horizon that is computed after the announcement frees nothing. A horizon whose
 * second scan of the announcements missed this worker had its first scan before this worker saw r: that scan saw r too,
 * or r began after it. In either case the horizon is at most r - B, and the versions that r would walk over are there.
 * The anchor is there for the same reason: a version whose anchor has left ended before every snapshot that is
 * announced, or begins, since then; so `end > oldest` keeps hk_cut away from a home that may be another key's. One scan
 * would not be enough: it could miss this worker first, and then r, which has ended by then.
 *
 * What it costs. A worker visits HK_LOOKS items for each one that came, and for every few transactions. Each item has
 * to be visited twice, to be cut and to be freed. So the items that wait stay in proportion to the versions that the
 * snapshots need, whatever other workers do. Items that must wait in any case cost little and count little, because
 * preempted threads may hold back many. An item waits longer while a writer holds the claim of its record, to which
 * nothing is added then; while a walk lasts, or a transaction that neither names its versions nor is a snapshot; and if
 * there are more than HK_SNAPSHOTS snapshots. Deleted records, and anchors of aborted inserts, wait for the snapshot by
 * time.
 */
#ifndef ORDO_CC_TXN_HEKATON_PRUNE_H
#define ORDO_CC_TXN_HEKATON_PRUNE_H

#include "cc/txn/hekaton/hazards.h"

#if !defined HK_PRUNE_FROM
#define HK_PRUNE_EVERY 32 /* transactions of a worker between two rounds */
#define HK_PRUNE_FROM 256 /* items of a worker that wait: the least for a round */
#endif
enum {
    HK_SNAPSHOTS = 16, /* told apart; more than these count as other transactions */
    HK_LOOKS = 4,      /* visits for each step of hk_progress */
    HK_LOOK = 8        /* the price of a visit, where to skip an item costs 1 */
};

#define HK_UNNUMBERED UINT64_MAX /* a number that no walk reaches */

struct hk_round {
    uint64_t others;                        /* W, */
    uint64_t all;                           /* W with the transactions that name versions */
    uint64_t walk;                          /* the last number that the oldest walk knows */
    uint64_t cut;                           /* items that were found cut, and have no number yet */
    const struct hk_candidates *candidates; /* NULL: names are unknown; their transactions count by time */
    ordo_time oldest;                       /* the least of the snapshots */
    ordo_time snapshots[HK_SNAPSHOTS];
    unsigned count;
};

/* Returns the least number that a walk knows, UINT64_MAX if there is no walk. */
static uint64_t hk_oldest_walk(struct ordo_db *db, unsigned used)
{
    uint64_t oldest = UINT64_MAX;
    for (unsigned i = 0; i < used; i++) {
        struct cc_worker *worker = __atomic_load_n(&db->places[i], __ATOMIC_ACQUIRE); /* pairs with cc_join */
        /* Pairs with hk_walk, hk_rest: a walk that is not seen begins later, and sees all earlier cuts. */
        uint64_t walk = worker ? __atomic_fetch_add(&worker->walk, 0, __ATOMIC_ACQ_REL) : 0;
        if (walk && walk - 1 < oldest)
            oldest = walk - 1;
    }
    return oldest;
}

/* True if a transaction reads as of its begin. */
static bool hk_is_snapshot_open(struct ordo_db *db)
{
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_RELAXED); /* a later scan finds the rest */
    for (unsigned i = 0; i < used; i++)
        if (cc_is_snapshot(cc_announced(db, i)))
            return true;
    return false;
}

/* Returns the price of the items that a round may visit or skip. */
static uint64_t hk_budget(const struct cc_worker *worker)
{
    return HK_LOOK * HK_LOOKS * (hk_progress(worker) - worker->queue.pruned);
}

/* Makes candidates of the cut versions that the round can reach, and marks the names of others; NULL if those are not
 * known. */
static const struct hk_candidates *hk_candidates_to_prune(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    uint64_t budget = hk_budget(worker), waiting = worker->queue.tail - worker->queue.head;
    mine->looked_to_cut = hk_progress(worker);
    return hk_gather(worker, worker->queue.head + (budget < waiting ? budget : waiting), true) && hk_mark_names(worker)
               ? &mine->candidates
               : NULL;
}

/* True if there is a snapshot, and enough has come to pay for a scan of the names. A small batch is enough, since
 * readers by time walk over all versions that were not cut. */
static bool hk_may_prune(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    const struct hk_worker *mine = (const struct hk_worker *)worker;
    if (cc_is_disrupted(db))
        return false;
    return hk_look_pays(worker, HK_UNNAMED_FROM, mine->looked_to_cut, 0) && hk_is_snapshot_open(db);
}

/* Scans the announcements; the worker has its own. True if there are snapshots. */
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

/* P2: cuts the versions out of a chain that may go, unless its claim is taken. The version below a cut one is there:
 * the oldest snapshot is not certainly after that version's begin, or would need it. */
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
        /* P5: the last access. Pairs with hk_anchor_of: the version is out of its chain. */
        __atomic_store_n(&version->anchor, NULL, __ATOMIC_RELEASE);
    }
    hk_unclaim(anchor);
}

/* Forgets a deletion above which the record was written again. True if it was one. The last deletion, which decides
 * when the anchor may go, stays. */
static bool hk_drop_tomb(struct cc_worker *worker, const struct cc_retired *retired)
{
    struct hk_anchor *anchor = retired->item;
    if (!hk_try_claim(worker, anchor))
        return false;
    bool dropped = hk_begin_of(hk_head(anchor)) != retired->end;
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

/* Returns the anchor of a version that is still in its chain, NULL once it was cut. */
static struct hk_anchor *hk_anchor_of(const struct hk_version *version)
{
    return __atomic_load_n(&version->anchor, __ATOMIC_ACQUIRE); /* P5: pairs with hk_cut */
}

/* Visits one item. True if it is done with; otherwise it waits, perhaps as another kind. */
static bool hk_prune_one(struct cc_worker *worker, struct hk_round *round, struct cc_retired *retired)
{
    if (retired->kind == HK_TOMB)
        return hk_drop_tomb(worker, retired);
    if (retired->kind == HK_CUT)
        return hk_free_item(worker, retired);
    bool aborted = retired->begin & HK_TAG; /* such a version is in no chain */
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

/* P6: gives the items that were found cut their number. They were queued again, from `from` on. */
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

/* Goes over the waiting items, up to a price of `budget`. */
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

/* Makes a round of the worker: it visits a few more items than have come since its last round. */
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
