#include "net/live/guests.h"

#include <stddef.h>

static const int64_t silence_ns = 60000000000;

struct ordo_net_guest *ordo_net_guests_find(struct ordo_net_guests *guests, uint64_t session)
{
    for (int i = 0; session && i < ORDO_NET_GUESTS; i++)
        if (guests->guest[i].session == session)
            return &guests->guest[i];
    return NULL;
}

/* True if slot a should be reused before slot b. The order is: empty slots; guests that never asked a question [S3];
 * then guests by the time of their last question, the earliest first. */
static bool rather(const struct ordo_net_guest *a, const struct ordo_net_guest *b)
{
    int rank_a = a->session ? 1 + a->confirmed : 0, rank_b = b->session ? 1 + b->confirmed : 0;
    return rank_a != rank_b ? rank_a < rank_b : a->heard_ns < b->heard_ns;
}

static struct ordo_net_guest *place_for_another(struct ordo_net_guests *guests, int64_t now_ns)
{
    struct ordo_net_guest *place = &guests->guest[0];
    for (int i = 1; i < ORDO_NET_GUESTS; i++)
        if (rather(&guests->guest[i], place))
            place = &guests->guest[i];
    return place->confirmed && now_ns - place->heard_ns < silence_ns ? NULL : place;
}

static struct ordo_net_guest *receive(struct ordo_net_guests *guests, const struct ordo_net_message *hello,
                                      int64_t now_ns)
{
    struct ordo_net_guest *guest = place_for_another(guests, now_ns);
    if (!guest)
        return NULL;
    *guest = (struct ordo_net_guest){.client = hello->session, .key = hello->key, .heard_ns = now_ns};
    return ordo_net_secret(&guest->session) ? guest : NULL; /* [S1] */
}

struct ordo_net_guest *ordo_net_guests_welcome(struct ordo_net_guests *guests, const struct ordo_net_message *hello,
                                               int64_t now_ns, enum ordo_net_refusal *refusal)
{
    struct ordo_net_guest *guest = NULL;
    *refusal = ORDO_NET_RATE;
    if (!ordo_net_limit_take(&guests->hellos, ORDO_NET_HELLOS_PER_SECOND, now_ns))
        return NULL;
    for (int i = 0; i < ORDO_NET_GUESTS && !guest; i++)
        if (guests->guest[i].session && guests->guest[i].client == hello->session &&
            guests->guest[i].key == hello->key) /* [S4] */
            guest = &guests->guest[i];
    *refusal = ORDO_NET_CROWDED;
    if (!guest && !(guest = receive(guests, hello, now_ns)))
        return NULL;
    *refusal = ORDO_NET_REPLAYED;
    return ordo_net_replay_first(&guest->hellos, hello->number) ? guest : NULL;
}

struct ordo_net_guest *ordo_net_guests_admit(struct ordo_net_guests *guests, const struct ordo_net_message *question,
                                             int64_t now_ns, enum ordo_net_refusal *refusal)
{
    struct ordo_net_guest *guest = ordo_net_guests_find(guests, question->session);
    *refusal = ORDO_NET_SESSION;
    if (!guest || guest->key != question->key) /* [S4] */
        return NULL;
    *refusal = ORDO_NET_REPLAYED;
    if (!ordo_net_replay_first(&guest->questions, question->number)) /* [S2] */
        return NULL;
    *refusal = ORDO_NET_RATE;
    if (!ordo_net_limit_take(&guest->limit, guests->per_second, now_ns))
        return NULL;
    guest->confirmed = true;
    guest->heard_ns = now_ns;
    return guest;
}
