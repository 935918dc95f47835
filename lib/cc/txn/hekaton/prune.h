/* Hekaton beside an old snapshot: what is superseded after a snapshot that is still read would all have to wait for its
 * end (core.h), though it needs no more than one version of each record. This takes the others out of their chains.
 *
 * What may go. A transaction of level READ_ONLY announces the very time that it reads as of (hk_begin, CC_SNAPSHOT),
 * and hk_visible and hk_newest_inline depend on nothing else. A version of times [begin, end) is the one for a snapshot r if r is certainly
 * after `begin` and not after `end` (hk_needs). It is nobody's if
 *  - it is of none of the announced snapshots, and
 *  - end < W = min(now, oldest other transaction) - 2B, one without a time counting as minus infinity, by the argument
 *    of core.h: neither those nor any that begins later than the look at the announcements ever get so far down. Those
 *    that name what they hold (hazards.h) do not count, but what was cut is freed only if they do not name it. Their names are
 *    looked at before the announcements here, which does not matter to them: what is freed was cut before that look's fence,
 *    so whoever begins after that look does not find it.
 * To take away versions above the right one changes nothing for a reader, which passes them by, and it never gets below
 * it. With ORDO_UNCERTAIN_ABORT it must meet those that are uncertain, which therefore count as needed.
 *
 * How. Each worker looks at what it retired itself, and changes a chain with the claim that writers take. It walks
 * from the head as the oldest announced snapshot r would, down to the first version certainly before r, and only for
 * versions that ended after r. One walk takes out all that may go, whoever retired it: a walk for each would be
 * quadratic in a hot record's chain, with its writers waiting for the claim. What is out has no anchor any more, by
 * which its worker knows it. The walk goes by the times of what is still in the chain; a version then seems to last
 * until the next one that was left, which no snapshot can tell from the truth. That r may leave meanwhile is harmless:
 * the worker is announced without a time before it looks for r, so no horizon found after that lets anything go; and a
 * horizon whose second look at the announcements missed this worker had its first before this worker saw r. It saw r
 * too, or r began after it: in either case it is at most r - B, and what r would walk over is there. For the same
 * reason the anchor is: a version whose anchor has left ended before every snapshot that is announced, or begins, since then;
 * so `end > oldest` keeps hk_cut away from a home that may be another key's. (One look would not do: it could miss this
 * worker first and r, gone by then, later.)
 *
 * When the memory is free. Other transactions never come to such a version, and only read-only ones may stand on it. So
 * they announce each walk with the number of the last round of pruning that they know of (hk_walk). Memory that was cut
 * in round n is free when every walk is of round n or later, or none: the exchange that begins a walk and the empty
 * exchange in hk_oldest_walk are ordered, and the later one sees what was before the earlier. Links of a version that
 * was cut stay as they were, and lead to what was cut in the same round or later, if at all.
 *
 * A worker looks at some items for each that came, and for every few transactions, so that what waits stays in proportion to
 * what snapshots need: each has to be looked at twice, to be cut and to be freed. Those of which nothing can come yet cost
 * little and count so, because others, who do not get a CPU, may hold back many.
 * Deleted records, and anchors of inserts that were aborted, wait for the snapshot as ever.
 */
#ifndef ORDO_CC_TXN_HEKATON_PRUNE_H
#define ORDO_CC_TXN_HEKATON_PRUNE_H

#include "cc/txn/hekaton/hazards.h"

#if !defined HK_PRUNE_FROM
#define HK_PRUNE_EVERY 32 /* transactions of a worker */
#define HK_PRUNE_FROM 256 /* waiting items of it */
#endif
enum {
    HK_SNAPSHOTS = 16, /* told apart; more than these count as other transactions */
    HK_LOOKS = 4,      /* for each step of hk_progress */
    HK_LOOK = 8        /* the price of one, where passing one by is 1 */
};

struct hk_round {
    uint64_t others; /* W, */
    uint64_t all;    /* and with those that name what they hold */
    uint64_t walk;   /* the oldest on its way */
    uint64_t number;
    const struct hk_candidates *candidates; /* NULL: names are not known, so that those that name count by their time */
    ordo_time oldest;                       /* of the snapshots */
    ordo_time snapshots[HK_SNAPSHOTS];
    unsigned count;
};

/* The round that the oldest walk knows of. */
static uint64_t hk_oldest_walk(struct ordo_db *db, unsigned used)
{
    uint64_t oldest = UINT64_MAX;
    for (unsigned i = 0; i < used; i++) {
        struct cc_worker *worker = __atomic_load_n(&db->places[i], __ATOMIC_ACQUIRE); /* pairs with cc_join */
        /* Pairs with hk_walk, hk_rest: a walk that is not seen begins later, and sees what was cut. */
        uint64_t walk = worker ? __atomic_fetch_add(&worker->walk, 0, __ATOMIC_ACQ_REL) : 0;
        if (walk && walk - 1 < oldest)
            oldest = walk - 1;
    }
    return oldest;
}

/* Whether a transaction reads as of its begin. */
static bool hk_is_snapshot_open(struct ordo_db *db)
{
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_RELAXED); /* whoever is missed is found the next time */
    for (unsigned i = 0; i < used; i++)
        if (cc_is_snapshot(cc_announced(db, i)))
            return true;
    return false;
}

/* What a round may cost, as a price of items in the queue. */
static uint64_t hk_budget(const struct cc_worker *worker)
{
    return HK_LOOK * HK_LOOKS * (hk_progress(worker) - worker->queue.pruned);
}

/* What was cut before this look, of that to which the round can come, with the names of others; NULL where they are not
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

/* Whether to prune: there is a snapshot, and a look at the names pays. That is soon, since who reads by time walks by all that
 * was not cut. */
static bool hk_may_prune(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    const struct hk_worker *mine = (const struct hk_worker *)worker;
    if (cc_is_disrupted(db) || __atomic_load_n(&db->pruning, __ATOMIC_RELAXED)) /* a hint: the exchange decides */
        return false;
    return hk_look_pays(worker, HK_UNNAMED_FROM, mine->looked_to_cut, 0) && hk_is_snapshot_open(db);
}

/* Looks at the announcements; the worker has its own. Whether there are snapshots. */
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
        if (active == CC_IDLE)
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
    round->number = db->cuts + 1;
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

/* Takes out of a chain what may go, unless somebody has claimed it. What is below a version that goes is there: the
 * oldest snapshot is not certainly after that version's begin, or would need it. */
static void hk_cut(struct cc_worker *worker, struct hk_anchor *anchor, const struct hk_round *round)
{
    struct ordo_db *db = worker->base.db;
    if (!hk_try_claim(worker, anchor))
        return;
    struct hk_version *above = hk_head(anchor), *version;
    uint64_t end = hk_begin_of(above);
    while ((version = above->older) && !ordo_stamp_after(&db->stamp, round->oldest, hk_time(end))) {
        uint64_t begin = hk_begin_of(version);
        if (end >= round->others || hk_needed(db, round, begin, end)) {
            above = version;
            end = begin;
            continue;
        }
        version->anchor = NULL;
        /* Pairs with hk_older: what is below is complete. */
        __atomic_store_n(&above->older, version->older, __ATOMIC_RELEASE);
    }
    hk_unclaim(anchor);
}

/* Forgets a deletion above which the record was written again: whether it was one. The last one, which decides when the
 * anchor may go, stays. */
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

/* Whether nothing can come of an item in this round. */
static bool hk_must_wait(const struct hk_round *round, const struct cc_retired *retired)
{
    switch ((enum hk_kind)retired->kind) {
    case HK_VERSION:
        return retired->end >= round->others;
    case HK_CUT:
        return retired->end >= round->others || round->walk < retired->begin ||
               (round->candidates && !hk_is_unnamed(round->candidates, retired->item));
    case HK_TOMB:
        return retired->end >= round->all;
    case HK_ANCHOR:
        break;
    }
    return true;
}

/* One item. Whether it is done with; otherwise it waits, perhaps as something else. */
static bool hk_prune_one(struct cc_worker *worker, const struct hk_round *round, struct cc_retired *retired)
{
    if (retired->kind == HK_TOMB)
        return hk_drop_tomb(worker, retired);
    if (retired->kind == HK_CUT)
        return hk_free_item(worker, retired);
    struct hk_version *version = retired->item;
    bool aborted = retired->begin & HK_TAG; /* and in no chain */
    if (!aborted && version->anchor && retired->end > round->oldest.ticks &&
        !hk_needed(worker->base.db, round, retired->begin, retired->end))
        hk_cut(worker, version->anchor, round);
    if (aborted || !version->anchor) {
        retired->kind = HK_CUT;
        retired->begin = round->number;
    }
    return false;
}

/* Goes through what waits, at most so much. */
static void hk_prune_queue(struct cc_worker *worker, const struct hk_round *round, uint64_t budget)
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
    hk_queued_again(worker, queue->tail - tail);
}

/* One worker at a time prunes what it retired: some more than came since the last time. */
static void hk_prune(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    struct hk_round round;
    uint64_t budget = hk_budget(worker);
    if (!hk_may_prune(worker))
        return;
    round.candidates = hk_candidates_to_prune(worker);
    /* Pairs with the store below: the rounds before. */
    if (!__atomic_exchange_n(&db->pruning, 1, __ATOMIC_ACQUIRE)) {
        /* Pairs with cc_look_around: nothing goes that is walked over here. */
        __atomic_store_n(&worker->active, CC_ANNOUNCED, __ATOMIC_SEQ_CST);
        if (hk_look(worker, &round)) {
            hk_prune_queue(worker, &round, budget);
            /* Pairs with hk_walk: what was cut is not found. */
            __atomic_store_n(&db->cuts, round.number, __ATOMIC_RELEASE);
        }
        worker->queue.pruned = hk_progress(worker);
        cc_exit(worker);
        /* Pairs with the exchange above. */
        __atomic_store_n(&db->pruning, 0, __ATOMIC_RELEASE);
    }
    hk_candidates_end(db, &((struct hk_worker *)worker)->candidates);
}

#endif
