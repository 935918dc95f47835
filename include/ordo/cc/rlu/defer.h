/* Deferral: how many commits a thread flushes together, if it chooses for itself. A room of rlu.h. */
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

/* Updates 8 times a decaying average. One value cannot upset it: a value counts for at most 4 times the average. */
static inline void ordo_rlu_group_average(uint64_t *average, uint64_t value)
{
    uint64_t most = *average / 2 + 64;
    *average += (value < most ? value : most) - *average / 8;
}

/* Chooses how many commits to gather next, after a flush of `gathered` commits that lasted from `since` to `now`. If
 * another thread wants a pending object, the number is halved. Otherwise it changes by one, towards the number at which
 * flushes take their share of the thread's time. That time includes waiting, except that of RLU at the start of
 * sections. (If the thread moves to a CPU whose clock is behind, a difference of times may be negative, hence huge as
 * unsigned, and counts as long.)
 *
 * With m commits together, each pays 1/m of a flush. But a pending object has a copy, which every thread that
 * dereferences the object must check, and this cost grows with m. The sum of the two costs is least if they are equal,
 * so in RLU the number shrinks if the checks cost more than a flush. Only this thread's own checks are counted, of its
 * own copies and of other threads' copies: they stand for other threads' checks of this thread's copies, as long as the
 * threads behave alike. (If a counter wraps or is cut, one step is wrong.) */
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
