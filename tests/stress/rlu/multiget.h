/* multiget: sections that read many keys of the hash, beside sections that change many. The twins of structures.h belong
 * to groups of GROUP pairs, and a move replaces all present twins of a group by the other ones in one section, which
 * changes 2 GROUP keys. A section that reads the pairs of several groups must find exactly one key of each pair, and all
 * pairs of a group on the same side. It reads one side of all its pairs first and then the other side, so that it lasts
 * as long as possible between the two keys of a pair. */
#ifndef TESTS_STRESS_RLU_MULTIGET_H
#define TESTS_STRESS_RLU_MULTIGET_H

#include "structures.h"

enum { GROUP = 4, GROUPS = RANGE / GROUP };

/* Moves a group to its other side: 1, or -1: abort. */
static int move_group(struct ordo_rlu_thread *t, uint64_t group)
{
    for (uint64_t k = 0; k < GROUP; k++)
        if (swap_twins(t, &set_hash, group * GROUP + k) != 1)
            return -1;
    return 1;
}

/* Reads one side of the groups from `first` on, in a section: sets there[k] for each key k of the side. */
static void read_side(struct worker *w, uint64_t side, uint64_t first, uint64_t groups, int there[RANGE])
{
    for (uint64_t i = 0; i < groups * GROUP; i++) {
        uint64_t k = (first * GROUP + i) % RANGE;
        there[k] = set_hash.contains(w->t, side * RANGE + k);
    }
}

static void check_groups(uint64_t first, uint64_t groups, const int low[RANGE], const int high[RANGE])
{
    for (uint64_t i = 0; i < groups * GROUP; i++) {
        uint64_t k = (first * GROUP + i) % RANGE;
        expect(low[k] + high[k] == 1, "a section that reads many keys finds one key of each pair");
        expect(low[k] == low[k / GROUP * GROUP], "a section that reads many keys finds a group on one side");
    }
}

static void step_multiget(struct worker *w)
{
    uint64_t first = below(w, GROUPS), groups = 1 + below(w, GROUPS);
    int low[RANGE], high[RANGE], result;
    if (below(w, 3) == 0) {
        ORDO_RLU_SECTION(w->t, result, move_group(w->t, first));
        expect(result == 1 || result == ORDO_E_FULL, "a group was there to be moved");
        return;
    }
    ordo_rlu_reader_lock(w->t);
    read_side(w, 1, first, groups, low);
    linger(w);
    read_side(w, 2, first, groups, high);
    ordo_rlu_reader_unlock(w->t);
    check_groups(first, groups, low, high);
    count_checked();
}

#endif
