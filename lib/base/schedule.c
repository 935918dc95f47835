#include "base/schedule.h"

#include "base/minmax.h"

static int even(int players)
{
    return players + players % 2;
}

int ordo_schedule_rounds(int players)
{
    return players < 2 ? 0 : even(players) - 1;
}

/* Returns the player on `seat` in this round; the last player never changes its seat. */
static int seated(int seat, int round, int places)
{
    return seat == places - 1 ? seat : (seat + round) % (places - 1);
}

int ordo_schedule_round(int players, int round, struct ordo_schedule_match *matches)
{
    int places = even(players), count = 0;
    for (int seat = 0; seat < places / 2; seat++) {
        int x = seated(seat, round, places);
        int y = seated(places - 1 - seat, round, places);
        if (x < players && y < players)
            matches[count++] = (struct ordo_schedule_match){(int)ordo_min(x, y), (int)ordo_max(x, y)};
    }
    return count;
}
