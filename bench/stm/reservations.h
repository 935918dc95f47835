/* A travel agency, an application modelled on STAMP's "vacation" (C. Cao Minh et al., IISWC 2008). Three trees hold the
 * offers of cars, flights and rooms; a fourth tree holds the customers, each with a list of reservations.
 *
 * In most updates a customer compares several offers and reserves the cheapest free offer. In the other updates a
 * customer cancels all reservations, or an agency changes a price. A query only reads offers. Invariant: the number of
 * taken places of an offer equals the number of its reservations. */
#ifndef BENCH_STM_RESERVATIONS_H
#define BENCH_STM_RESERVATIONS_H

#include <ordo/cc/stm/tree.h>

enum { RESERVATION_KINDS = 3, RESERVATION_LOOKS = 4, RESERVATION_CAPACITY = 100 };

/* An offer. Transactions access all members. */
struct offer {
    uint64_t taken, price;
};

struct reservation {
    uint64_t kind, id, price; /* constant after creation */
    uint64_t next;            /* the next reservation of the customer; the value in the tree points to the first */
};

struct agency {
    struct ordo_stm_tree offers[RESERVATION_KINDS], customers;
};

/* Finds the cheapest free offer among the offers that `random` chooses; `*best` is NULL if there is none. */
static inline int agency_look_in(struct ordo_stm_thread *t, struct ordo_stm_tree *offers, uint64_t random,
                                 uint64_t range, struct offer **best, uint64_t *id, uint64_t *price)
{
    *best = NULL;
    *price = UINT64_MAX;
    for (int look = 0; look < RESERVATION_LOOKS; look++, random = random * 6364136223846793005u + 1) {
        struct ordo_stm_tree_node *node = NULL;
        uint64_t taken, asked, value, key = (random >> 32) * range >> 32;
        int code = ordo_stm_tree_find_in(t, offers, key, &node);
        if (code)
            return code;
        if (!node)
            continue;
        if ((code = ordo_stm_read(t, &node->value, &value)) ||
            (code = ordo_stm_read(t, &((struct offer *)(uintptr_t)value)->taken, &taken)) ||
            (code = ordo_stm_read(t, &((struct offer *)(uintptr_t)value)->price, &asked)))
            return code;
        if (taken < RESERVATION_CAPACITY && asked < *price) {
            *best = (struct offer *)(uintptr_t)value;
            *id = key;
            *price = asked;
        }
    }
    return 0;
}

/* A query: finds the cheapest free offer, and ignores its price. */
static inline int agency_query_in(struct ordo_stm_thread *t, struct agency *agency, uint64_t random, uint64_t range)
{
    struct offer *best;
    uint64_t id, price;
    return agency_look_in(t, &agency->offers[random % RESERVATION_KINDS], random, range, &best, &id, &price);
}

/* Finds the customer, or adds it. */
static inline int agency_customer_in(struct ordo_stm_thread *t, struct agency *agency, uint64_t customer,
                                     struct ordo_stm_tree_node **node)
{
    int code = ordo_stm_tree_find_in(t, &agency->customers, customer, node);
    if (code || *node)
        return code;
    code = ordo_stm_tree_put_in(t, &agency->customers, customer, 0);
    return code < 0 ? code : ordo_stm_tree_find_in(t, &agency->customers, customer, node);
}

static inline int agency_reserve_in(struct ordo_stm_thread *t, struct agency *agency, uint64_t random, uint64_t range,
                                    uint64_t customer)
{
    struct ordo_stm_tree_node *node = NULL;
    struct reservation *made;
    struct offer *best;
    uint64_t kind = random % RESERVATION_KINDS, id = 0, price, taken, first;
    int code = agency_look_in(t, &agency->offers[kind], random, range, &best, &id, &price);
    if (code || !best)
        return code;
    if ((code = agency_customer_in(t, agency, customer, &node)) || (code = ordo_stm_read(t, &node->value, &first)) ||
        (code = ordo_stm_read(t, &best->taken, &taken)))
        return code;
    made = (struct reservation *)ordo_stm_alloc(t, sizeof *made);
    if (!made)
        return ORDO_E_SYSTEM;
    made->kind = kind;
    made->id = id;
    made->price = price;
    made->next = first;
    code = ordo_stm_write(t, &node->value, (uintptr_t)made);
    return code ? code : ordo_stm_write(t, &best->taken, taken + 1);
}

/* Cancels one reservation. */
static inline int agency_return_in(struct ordo_stm_thread *t, struct agency *agency, struct reservation *made)
{
    struct ordo_stm_tree_node *node = NULL;
    struct offer *offer;
    uint64_t value, taken;
    int code = ordo_stm_tree_find_in(t, &agency->offers[made->kind], made->id, &node);
    if (code || !node)
        return code ? code : ORDO_E_INVALID;
    if ((code = ordo_stm_read(t, &node->value, &value)) != 0)
        return code;
    offer = (struct offer *)(uintptr_t)value;
    if ((code = ordo_stm_read(t, &offer->taken, &taken)) || (code = ordo_stm_write(t, &offer->taken, taken - 1)))
        return code;
    return ordo_stm_free(t, made);
}

/* Cancels all reservations of a customer, and removes the customer. */
static inline int agency_cancel_in(struct ordo_stm_thread *t, struct agency *agency, uint64_t customer)
{
    struct ordo_stm_tree_node *node = NULL;
    uint64_t word, next;
    int code = ordo_stm_tree_find_in(t, &agency->customers, customer, &node);
    if (code || !node || (code = ordo_stm_read(t, &node->value, &word)) != 0)
        return code;
    for (; word; word = next) {
        struct reservation *made = (struct reservation *)(uintptr_t)word;
        if ((code = ordo_stm_read(t, &made->next, &next)) || (code = agency_return_in(t, agency, made)))
            return code;
    }
    code = ordo_stm_tree_remove_in(t, &agency->customers, customer);
    return code < 0 ? code : 0;
}

static inline int agency_reprice_in(struct ordo_stm_thread *t, struct agency *agency, uint64_t random, uint64_t range)
{
    struct ordo_stm_tree_node *node = NULL;
    uint64_t value;
    int code =
        ordo_stm_tree_find_in(t, &agency->offers[random % RESERVATION_KINDS], (random >> 32) * range >> 32, &node);
    if (code || !node || (code = ordo_stm_read(t, &node->value, &value)) != 0)
        return code;
    return ordo_stm_write(t, &((struct offer *)(uintptr_t)value)->price, 50 + (random >> 16) % 500);
}

/* Runs an update: of 16 updates, 13 reserve, 2 cancel, and 1 changes a price. With these shares, offers are rarely sold
 * out. */
static inline int agency_update_in(struct ordo_stm_thread *t, struct agency *agency, uint64_t random, uint64_t range)
{
    uint64_t customer = (random * UINT64_C(0x9e3779b97f4a7c15) >> 32) * range >> 32;
    switch (random >> 8 & 15) {
    case 0:
    case 1:
        return agency_cancel_in(t, agency, customer);
    case 2:
        return agency_reprice_in(t, agency, random, range);
    default:
        return agency_reserve_in(t, agency, random, range, customer);
    }
}

/* Adds the taken places of a tree of offers to `*taken`, or the reservations of the tree of customers to `*held`. There
 * must be no users. Clears `*sound` if an offer has too many taken places. */
static inline void agency_walk(const struct ordo_stm_tree_node *node, int64_t *taken, int64_t *held, int customers,
                               int *sound)
{
    if (!node)
        return;
    agency_walk(ordo_stm_tree_at(node->child[0]), taken, held, customers, sound);
    agency_walk(ordo_stm_tree_at(node->child[1]), taken, held, customers, sound);
    if (!customers) {
        const struct offer *offer = (const struct offer *)(uintptr_t)node->value;
        *taken += (int64_t)offer->taken;
        *sound &= offer->taken <= RESERVATION_CAPACITY;
        return;
    }
    for (const struct reservation *made = (const struct reservation *)(uintptr_t)node->value; made;
         made = (const struct reservation *)(uintptr_t)made->next)
        ++*held;
}

/* Frees the objects that the values of a tree point to: offers, or the customers' lists of reservations. */
static inline void agency_free(struct ordo_stm *stm, struct ordo_stm_tree_node *node, int customers)
{
    uint64_t word, next;
    if (!node)
        return;
    agency_free(stm, ordo_stm_tree_at(node->child[0]), customers);
    agency_free(stm, ordo_stm_tree_at(node->child[1]), customers);
    for (word = node->value; word; word = next) {
        next = customers ? ((struct reservation *)(uintptr_t)word)->next : 0;
        ordo_stm_discard(stm, (void *)(uintptr_t)word);
    }
}

#endif
