#include <criterion/criterion.h>
#include <string.h>

#include "base/schedule.h"

enum { MOST = 300 };

/* Every pair meets once, the pairs of a round are disjoint, and the number of rounds is the least possible one. */
Test(schedule, every_pair_of_members_meets_exactly_once)
{
    static const int sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 255, 256};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        static char met[MOST][MOST];
        int n = sizes[s], pairs = 0;
        memset(met, 0, sizeof met);
        for (int round = 0; round < ordo_schedule_rounds(n); round++) {
            struct ordo_schedule_match matches[MOST / 2];
            char busy[MOST] = {0};
            int count = ordo_schedule_round(n, round, matches);
            for (int i = 0; i < count; i++) {
                int a = matches[i].a, b = matches[i].b;
                cr_assert(a >= 0 && a < b && b < n);
                cr_assert(!busy[a] && !busy[b], "%d players, round %d", n, round);
                cr_assert(!met[a][b], "%d and %d meet twice", a, b);
                busy[a] = busy[b] = met[a][b] = 1;
                pairs++;
            }
        }
        cr_assert_eq(pairs, n * (n - 1) / 2);
        cr_assert_eq(ordo_schedule_rounds(n), n < 2 ? 0 : n - 1 + n % 2);
    }
}
