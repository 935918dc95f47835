#include "net/wire/replay.h"

static uint64_t *word_of(struct ordo_net_replay *replay, uint64_t number)
{
    return &replay->came[number / 64 % ORDO_NET_REPLAY_WORDS];
}

/* Moves the window up to `number`. Clears the words that are new in the window. */
static void slide(struct ordo_net_replay *replay, uint64_t number)
{
    uint64_t last = replay->end ? (replay->end - 1) / 64 : 0, steps = number / 64 - last;
    for (uint64_t i = 1; i <= steps && i <= ORDO_NET_REPLAY_WORDS; i++)
        *word_of(replay, (last + i) * 64) = 0;
    replay->end = number + 1;
}

bool ordo_net_replay_first(struct ordo_net_replay *replay, uint64_t number)
{
    if (number == UINT64_MAX || (number < replay->end && replay->end - number > ORDO_NET_REPLAY_WINDOW))
        return false;
    if (number >= replay->end)
        slide(replay, number);
    uint64_t *word = word_of(replay, number), bit = UINT64_C(1) << number % 64;
    bool first = !(*word & bit);
    *word |= bit;
    return first;
}
