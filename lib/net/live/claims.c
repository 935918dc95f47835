#include "net/live/claims.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "net/live/port.h"

static const int64_t fresh_ns = 250000000, rest_ns = 10000000000;

/* A source, its place in the answers, and how long its last reading took. */
struct ordo_net_slot_of_claims {
    struct ordo_net_claimed_source source;
    int number;
    int copy; /* 1: its source comes for the first time; 2: for the second, with another path; ... */
    int64_t took_ns;
};

struct ordo_net_claims {
    struct ordo_net_slot_of_claims slot[ORDO_NET_MOST_HOST_CLAIMS]; /* only the thread uses it */
    int slots;
    enum ordo_net_clock clock;
    pthread_t thread;
    pthread_mutex_t lock; /* protects all members below */
    pthread_cond_t asked;
    bool wanted, ends;
    int64_t read_ns; /* CLOCK_MONOTONIC when the claims were complete; 0: never */
    struct ordo_net_claim claim[ORDO_NET_MOST_HOST_CLAIMS];
};

static int by_duration(const void *left, const void *right)
{
    const struct ordo_net_slot_of_claims *a = left, *b = right;
    return a->took_ns == b->took_ns ? 0 : a->took_ns > b->took_ns ? -1 : 1;
}

/* Makes the names of the claims of a host unique: "clockbound", "clockbound-2". */
static void name_copy(struct ordo_net_claim *claim, int copy)
{
    char name[2 * ORDO_NET_CLAIM_NAME];
    (void)snprintf(name, sizeof name, "%.*s-%d", ORDO_NET_CLAIM_NAME - 4, claim->source, copy);
    memset(claim->source, 0, sizeof claim->source);
    memcpy(claim->source, name, strnlen(name, sizeof claim->source - 1));
}

static bool ends(struct ordo_net_claims *claims)
{
    (void)pthread_mutex_lock(&claims->lock);
    bool ends = claims->ends;
    (void)pthread_mutex_unlock(&claims->lock);
    return ends;
}

/* Reads all sources, unless the thread shall end. Those that took longest the last time come first, because the claims of the others then are
 * younger. */
static void read_all(struct ordo_net_claims *claims, struct ordo_net_claim *claim)
{
    qsort(claims->slot, (size_t)claims->slots, sizeof *claims->slot, by_duration);
    for (int i = 0; i < claims->slots && !ends(claims); i++) {
        struct ordo_net_slot_of_claims *slot = &claims->slot[i];
        int64_t begin_ns = ordo_net_port_now_ns();
        ordo_net_take_claim(&slot->source, claims->clock, &claim[slot->number]);
        if (slot->copy > 1)
            name_copy(&claim[slot->number], slot->copy);
        slot->took_ns = ordo_net_port_now_ns() - begin_ns;
    }
}

static void *run_claims(void *context)
{
    struct ordo_net_claims *claims = context;
    struct ordo_net_claim claim[ORDO_NET_MOST_HOST_CLAIMS];
    (void)pthread_mutex_lock(&claims->lock);
    for (;;) {
        while (!claims->wanted && !claims->ends)
            (void)pthread_cond_wait(&claims->asked, &claims->lock);
        if (claims->ends)
            break;
        (void)pthread_mutex_unlock(&claims->lock);
        read_all(claims, claim);
        (void)pthread_mutex_lock(&claims->lock);
        if (claims->ends)
            break;
        memcpy(claims->claim, claim, (size_t)claims->slots * sizeof *claim);
        claims->wanted = false;
        claims->read_ns = ordo_net_port_now_ns();
    }
    (void)pthread_mutex_unlock(&claims->lock);
    return NULL;
}

/* Signals belong to the agent's thread, whose wait they end. */
static int begin_thread(struct ordo_net_claims *claims)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&claims->thread, NULL, run_claims, claims);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

struct ordo_net_claims *ordo_net_claims_new(const struct ordo_net_claimed_source *sources, int count,
                                            enum ordo_net_clock clock)
{
    struct ordo_net_claims *claims = calloc(1, sizeof *claims);
    if (!claims)
        return NULL;
    claims->clock = clock;
    claims->slots = (int)ordo_min(count, ORDO_NET_MOST_HOST_CLAIMS);
    int waiting = 1; /* together they wait for at most 2 s, because the asker gives up after 2.6 s */
    for (int i = 0; i < claims->slots; i++)
        waiting += sources[i].source->waits;
    for (int i = 0; i < claims->slots; i++) {
        claims->slot[i] = (struct ordo_net_slot_of_claims){sources[i], i, 1, 0};
        claims->slot[i].source.patience_ns = 2000000000 / waiting;
        for (int j = 0; j < i; j++)
            claims->slot[i].copy += sources[j].source == sources[i].source;
    }
    (void)pthread_mutex_init(&claims->lock, NULL);
    (void)pthread_cond_init(&claims->asked, NULL);
    if (begin_thread(claims)) {
        free(claims);
        return NULL;
    }
    return claims;
}

void ordo_net_claims_free(struct ordo_net_claims *claims)
{
    if (!claims)
        return;
    (void)pthread_mutex_lock(&claims->lock);
    claims->ends = true;
    (void)pthread_cond_signal(&claims->asked);
    (void)pthread_mutex_unlock(&claims->lock);
    (void)pthread_join(claims->thread, NULL);
    (void)pthread_mutex_destroy(&claims->lock);
    (void)pthread_cond_destroy(&claims->asked);
    free(claims);
}

/* The first part of the claims must be fresh; the other parts are of the same reading, or of a later one. */
bool ordo_net_claims_give(struct ordo_net_claims *claims, uint16_t first, struct ordo_net_message *answer)
{
    (void)pthread_mutex_lock(&claims->lock);
    int64_t age_ns = ordo_net_port_now_ns() - claims->read_ns;
    bool fresh = claims->read_ns && age_ns < (first == 0 ? fresh_ns : rest_ns);
    if (fresh) {
        int left = claims->slots > first ? claims->slots - first : 0;
        answer->claims.first = first;
        answer->claims.total = (uint16_t)claims->slots;
        answer->claims.count = (uint16_t)ordo_min(left, ORDO_NET_MOST_CLAIMS);
        if (left > 0)
            memcpy(answer->claims.claim, &claims->claim[first], answer->claims.count * sizeof *answer->claims.claim);
    } else {
        claims->wanted = true;
        (void)pthread_cond_signal(&claims->asked);
    }
    (void)pthread_mutex_unlock(&claims->lock);
    return fresh;
}
