/* Deferral: chooses how many commits a thread flushes together, if options.defer_commits is ORDO_RLU_DEFER_AUTO. Part
 * of rlu.h. */
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

/* Updates a decaying average, which is stored times 8. A value above 4 times the average + 64 counts as that much, so
 * that one value cannot upset the average. */
static inline void ordo_rlu_group_average(uint64_t *average, uint64_t value)
{
    uint64_t most = *average / 2 + 64;
    *average += (value < most ? value : most) - *average / 8;
}

/* Chooses how many commits to gather next, after a flush of `gathered` commits that lasted from `since` to `now`. If
 * another thread wants a pending object, the number is halved. Otherwise the number changes by at most one, towards the
 * number at which flushes take 1/share of the thread's time. The thread's time includes waits, except RLU's waits at
 * the start of sections. (If the thread moves to a CPU whose clock is behind, a difference of times may be negative; as
 * an unsigned number it is huge, and counts as a long time.)
 *
 * If m commits are flushed together, each pays 1/m of a flush. But every thread that dereferences a pending object must
 * check its copy, and the cost of these checks grows with m. The sum of the two costs is least if they are equal, so in
 * RLU the number shrinks if the checks between two flushes cost more than a flush. Only this thread's own checks are
 * counted, of its own copies and of other threads' copies. They are an estimate of other threads' checks of this
 * thread's copies, which is right if the threads behave alike. (If a counter wraps or is cut, one step is wrong.) */
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
