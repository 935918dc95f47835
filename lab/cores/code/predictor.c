/* A predictor of the kind that processors have had since about 2010: TAGE (Seznec and Michaud, "A case for (partially)
 * TAgged GEometric history length branch prediction", JILP 8, 2006), with an indirect target in each entry as in ITTAGE,
 * behind a table of last targets, with a stack of returns.
 *
 * A place is a part of a block between two calls. A place with one successor so far is predicted by this successor, and
 * is not in the history, as an unconditional jump is not. Other places are branches: the longest of three histories (of
 * 4, 16 and 64 branches) under which the place is known predicts. The tables have 4096 entries, as has the table of last
 * targets; that is the order of Zen 2 (7168 targets) and Neoverse N1 (6144). */
#include "lab/cores/code/predictor.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LASTS = 4096, TAGGED = 4096, TAGGED_BITS = 12, HISTORIES = 3, RETURNS = 32, SURE = 3 };

/* Number of bits by which one branch moves a history of 64 bits. */
static const unsigned shift[HISTORIES] = {16, 4, 1};

struct prediction {
    uint32_t tag; /* of the place; 0: empty */
    uint32_t target : 30, confidence : 2;
};

struct last {
    uint32_t place, target : 29, confidence : 2, branch : 1;
};

struct cores_predictor {
    uint32_t place, left; /* of the CPU; calls that its block has not yet made */
    uint64_t history[HISTORIES];
    uint32_t top;
    struct {
        uint32_t place, left;
    } returns[RETURNS];
    struct last lasts[LASTS];
    struct prediction tagged[HISTORIES][TAGGED];
};

/* The CPUs of a large machine take turns, so their predictors, tens of megabytes, leave the caches of this machine between
 * two turns. Blocks of predictors are on large pages, as far as the system has some, so that few translations of
 * addresses are missed. A closed predictor waits for its next use. */
enum { LARGE_PAGE = 1 << 21 };

union place {
    union place *next; /* of the unused places */
    struct cores_predictor predictor;
};
static union place *unused;

static bool block_make(void)
{
    union place *places = aligned_alloc(LARGE_PAGE, LARGE_PAGE);
    if (!places)
        return false;
    (void)madvise(places, LARGE_PAGE, MADV_HUGEPAGE);
    for (size_t i = 0; i < LARGE_PAGE / sizeof *places; i++) {
        places[i].next = unused;
        unused = &places[i];
    }
    return true;
}

int cores_predictor_open(struct cores_predictor **predictor, struct ordo_error *error)
{
    *predictor = NULL;
    if (!unused && !block_make())
        return ordo_error_errno(error, "the branch predictor of a simulated CPU");
    *predictor = &unused->predictor;
    unused = unused->next;
    memset(*predictor, 0, sizeof **predictor);
    return ORDO_OK;
}

void cores_predictor_close(struct cores_predictor *predictor)
{
    union place *place = (union place *)predictor;
    if (!predictor)
        return;
    place->next = unused;
    unused = place;
}

/* Fetches the entry that the next block looks up: other CPUs may have their turns first. */
static void next_fetch(const struct cores_predictor *predictor)
{
    __builtin_prefetch(&predictor->lasts[predictor->place % LASTS]);
}

void cores_predictor_call(struct cores_predictor *predictor)
{
    uint32_t top = predictor->top++ % RETURNS;
    predictor->returns[top].place = predictor->place;
    predictor->returns[top].left = predictor->left;
}

/* The caller goes on behind its call: its next place, unless it has made more calls than its code shows. */
void cores_predictor_return(struct cores_predictor *predictor)
{
    uint32_t top = --predictor->top % RETURNS, left = predictor->returns[top].left;
    predictor->place = predictor->returns[top].place + (left > 0);
    predictor->left = left - (left > 0);
    next_fetch(predictor);
}

static uint64_t mixed(uint64_t value)
{
    value *= UINT64_C(0x9e3779b97f4a7c15);
    return value ^ value >> 32;
}

static void history_push(struct cores_predictor *predictor, uint32_t target)
{
    uint64_t word = mixed(target);
    for (int i = 0; i < HISTORIES; i++)
        predictor->history[i] = predictor->history[i] << shift[i] ^ (i == 0 ? word & 0xffff : word);
}

/* The entry of each history, and their tags. */
struct guess {
    struct prediction *at[HISTORIES];
    uint32_t tag[HISTORIES];
    int longest; /* of those that know the place; -1: none */
};

static struct guess guess_find(struct cores_predictor *predictor)
{
    struct guess guess = {.longest = -1};
    for (int i = 0; i < HISTORIES; i++) {
        uint64_t key = mixed(predictor->history[i] + predictor->place * UINT64_C(0xd6e8feb86659fd93));
        key *= UINT64_C(0xd6e8feb86659fd93);
        guess.at[i] = &predictor->tagged[i][key >> (64 - TAGGED_BITS)];
        guess.tag[i] = (uint32_t)(key >> 8) | 1;
        if (guess.at[i]->tag == guess.tag[i])
            guess.longest = i;
    }
    return guess;
}

static void entry_update(struct prediction *entry, uint32_t target)
{
    if (entry->target == target)
        entry->confidence += entry->confidence < SURE;
    else if (entry->confidence)
        entry->confidence--;
    else
        entry->target = target;
}

static void last_update(struct last *last, uint32_t target)
{
    if (last->target == target)
        last->confidence += last->confidence < SURE;
    else if (last->confidence)
        last->confidence--;
    else
        last->target = target;
}

/* After a wrong guess a longer history learns the target, if its entry is not sure of another one. */
static void longer_learn(const struct guess *guess, uint32_t target)
{
    for (int i = guess->longest + 1; i < HISTORIES; i++) {
        struct prediction *entry = guess->at[i];
        if (!entry->tag || !entry->confidence) {
            entry->tag = guess->tag[i];
            entry->target = target;
            entry->confidence = 0;
            return;
        }
        entry->confidence--;
    }
}

/* An entry that is new is not yet trusted: the next shorter history that knows the place predicts. */
static uint32_t guess_target(const struct guess *guess, const struct last *last)
{
    for (int i = guess->longest; i >= 0; i--)
        if (guess->at[i]->tag == guess->tag[i] && guess->at[i]->confidence)
            return guess->at[i]->target;
    return last->target;
}

static bool branch_step(struct cores_predictor *predictor, struct last *last, uint32_t target)
{
    struct guess guess = guess_find(predictor);
    bool wrong = guess_target(&guess, last) != target;
    if (guess.longest >= 0)
        entry_update(guess.at[guess.longest], target);
    last_update(last, target);
    if (wrong)
        longer_learn(&guess, target);
    history_push(predictor, target);
    return wrong;
}

static bool place_step(struct cores_predictor *predictor, uint32_t target)
{
    uint32_t place = predictor->place;
    struct last *last = &predictor->lasts[place % LASTS];
    if (__builtin_expect(last->place == place && !last->branch && last->target == target, 1))
        return false;
    if (last->place != place) {
        *last = (struct last){.place = place, .target = target};
        return place != 0;
    }
    last->branch = 1;
    return branch_step(predictor, last, target);
}

bool cores_predictor_enter(struct cores_predictor *predictor, uint32_t place, uint32_t calls)
{
    bool wrong = place_step(predictor, place);
    predictor->place = place;
    predictor->left = calls;
    next_fetch(predictor);
    return wrong;
}
