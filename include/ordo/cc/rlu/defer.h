/* Deferral: how many commits a thread flushes together, if it chooses. A room of rlu.h. */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif

static inline void ordo_rlu_group_begin(struct ordo_rlu_group *group, unsigned defer_commits, unsigned share)
{
    group->share = defer_commits == ORDO_RLU_DEFER_AUTO ? share : 0;
    group->most = group->share ? 1 : defer_commits;
    group->looks = group->looked = 0;
    group->took = group->passed = 0;
    group->flushed = ordo_clock_relaxed();
}

/* 8 times an average of late, which a single value cannot upset: it counts for 4 of them at most. */
static inline void ordo_rlu_group_average(uint64_t *average, uint64_t value)
{
    uint64_t most = *average / 2 + 64;
    *average += (value < most ? value : most) - *average / 8;
}

/* Chooses how many commits to gather next, after a flush of `gathered` from `since` to `now`. Fewer at once if another
 * thread wants what this one gathers; otherwise one more or less, towards what has flushes take their share of its time,
 * waiting included, but in RLU not that at the start of sections. (From a CPU whose clock is behind a time may look
 * negative, hence huge, and counts as long.)
 *
 * With m commits each of them pays 1/m of a flush. But what is pending has a copy, which whoever comes there looks at:
 * that grows with m. Both together are least where they are equal, so in RLU there are fewer where looks cost more than a
 * flush. This thread's are counted, at its copies and at others': they stand for those of others at its own, as long as
 * threads do alike. (Where they wrap or are cut, that is one wrong step.) */
static inline void ordo_rlu_group_adapt(struct ordo_rlu_group *group, unsigned gathered, int wanted, uint64_t since,
                                        uint64_t now)
{
    uint64_t looked = group->looked;
    ordo_rlu_group_average(&looked, group->looks);
    group->looked = (unsigned)looked;
    group->looks = 0;
    ordo_rlu_group_average(&group->took, now - since);
    ordo_rlu_group_average(&group->passed, (now - group->flushed) / gathered);
    group->flushed = now;
    if (wanted)
        group->most -= group->most / 2;
    else if (looked / 8 > ORDO_RLU_DEFER_LOOKS)
        group->most -= group->most > 1;
    else if (group->took * group->share > group->passed * (group->most + 1))
        group->most += gathered >= group->most && group->most < ORDO_RLU_DEFER_MOST;
    else if (group->took * group->share < group->passed * (group->most - 1))
        group->most--;
}
