/* The engines of one method of running transactions, one for each structure. Include this file once for each method. It
 * uses:
 *
 *   STM_ENGINE(structure)   the name of an engine
 *   STM_ALGORITHM           its algorithm; "stm" by default
 *   STM_STAMP               its stamp; by default the stamp's own name; NULL for a baseline
 *
 * The including file either chooses a stamp of <ordo/cc/stm.h>, or is a baseline. A baseline defines STM_PLAIN, struct
 * stm_shared (the lock of all threads, on cache lines of its own), stm_shared_open and stm_shared_close, and
 * STM_ATOMICALLY for plain_stm.h, in which `(t)->shared` is the struct stm_shared. */
#ifndef STM_ENGINE
#define STM_ENGINE(structure) stm_engine_##structure
#endif
#ifndef STM_ALGORITHM
#define STM_ALGORITHM "stm"
#endif
#ifndef STM_STAMP
#define STM_STAMP ORDO_STAMP_NAME
#endif

#include "stm/engine.h"

#include "base/random.h"

#ifdef STM_PLAIN
#include "stm/plain_stm.h"
#else
#include <ordo/cc/stm.h>
struct stm_shared {
    char nothing; /* no member is needed: the domain has all data */
};
#endif

#include <ordo/cc/stm/hash.h>
#include <ordo/cc/stm/skip.h>
#include <ordo/cc/stm/tree.h>

#include "stm/bank.h"
#include "stm/packets.h"
#include "stm/reservations.h"

#define STM_OPS_PER_POLL 64 /* operations between two reads of the stop flag */

struct stm_set {
    _Alignas(BENCH_LINE) struct stm_shared shared;
    struct ordo_stm stm;
    /* One of the structures is used. Each starts on a line of its own. */
    _Alignas(BENCH_LINE) struct ordo_stm_list list;
    _Alignas(BENCH_LINE) struct ordo_stm_hash hash;
    _Alignas(BENCH_LINE) struct ordo_stm_tree tree;
    _Alignas(BENCH_LINE) struct ordo_stm_skip skip;
    _Alignas(BENCH_LINE) struct bank bank;
    _Alignas(BENCH_LINE) struct agency reservations;
    _Alignas(BENCH_LINE) struct stream packets;
};

struct stm_user {
    struct ordo_stm_thread *thread;
    struct stm_set *set;
    uint64_t range;
    bool elastic;
#ifdef STM_PLAIN
    struct ordo_stm_thread own;
#else
    struct ordo_stm_statistics before; /* values at the beginning: an earlier thread may have used the same memory */
#endif
};

/* Returns a key below `range` (at most 2^32), from the upper half of a random number. The lower half remains for other
 * uses. */
static inline uint64_t stm_key(uint64_t random, uint64_t range)
{
    return (random >> 32) * range >> 32;
}

/* Returns the key of an element before long reads: the keys go down in equal steps, so that a long list is filled in a short
 * time. */
static inline uint64_t stm_even_key(const struct stm_bench *bench, uint64_t element)
{
    return (bench->elements - 1 - element) * bench->range / bench->elements;
}

/* Returns the seed of a thread's keys. It differs for each trial and thread. */
static inline uint64_t stm_seed(const struct stm_bench *bench, int index)
{
    uint64_t state = bench->trial << 16 | (uint64_t)index;
    return ordo_random_next(&state);
}

#ifdef STM_PLAIN

static int join(struct stm_user *user)
{
    user->own.shared = &user->set->shared;
    user->thread = &user->own;
    return 0;
}

static void part(struct stm_user *user, uint64_t counters[BENCH_COUNTERS])
{
    (void)user, (void)counters;
}

static int open_shared(struct stm_bench *bench, struct stm_set *set)
{
    (void)bench;
    return stm_shared_open(&set->shared);
}

static void close_shared(struct stm_set *set)
{
    stm_shared_close(&set->shared);
}

#else

static int join(struct stm_user *user)
{
    if (ordo_stm_thread_init(&user->set->stm, &user->thread))
        return -1;
    user->before = user->thread->statistics;
    return 0;
}

static void part(struct stm_user *user, uint64_t counters[BENCH_COUNTERS])
{
    const struct ordo_stm_statistics *now = &user->thread->statistics, *before = &user->before;
    counters[STM_COMMITS] += now->commits - before->commits;
    counters[STM_UPDATES] += now->updates - before->updates;
    counters[STM_ABORTS_LOCKED] += now->aborts_locked - before->aborts_locked;
    counters[STM_ABORTS_CHANGED] += now->aborts_changed - before->aborts_changed;
    counters[STM_ABORTS_NEWER] += now->aborts_newer - before->aborts_newer;
    counters[STM_ABORTS_UNCERTAIN] += now->aborts_uncertain - before->aborts_uncertain;
    counters[STM_CLOCK_READS] += now->clock_reads - before->clock_reads;
    counters[STM_EXTENSIONS] += now->extensions - before->extensions;
    counters[STM_EXTENSIONS_UNCERTAIN] += now->extensions_uncertain - before->extensions_uncertain;
    counters[STM_BOUNDARY_WAIT_TICKS] += now->boundary_wait_ticks - before->boundary_wait_ticks;
    counters[STM_IRREVOCABLE] += now->irrevocable - before->irrevocable;
    counters[STM_YIELDS] += now->yields - before->yields;
    counters[STM_SLEEPS] += now->sleeps - before->sleeps;
    counters[STM_SNAPSHOTS] += now->snapshots - before->snapshots;
    counters[STM_SAVED] += now->saved - before->saved;
    ordo_stm_thread_finish(user->thread);
}

static int open_shared(struct stm_bench *bench, struct stm_set *set)
{
    const struct ordo_stm_options options = {.boundary_ticks = bench->boundary_ticks,
                                             .stripes = bench->stripes,
                                             .watch = bench->watch,
                                             .unsafe_boundary = 1 /* for --boundary 0 only */};
    return ordo_stm_create(&set->stm, &options) ? -1 : 0;
}

static void close_shared(struct stm_set *set)
{
    ordo_stm_destroy(&set->stm);
}

#endif

static void *enter_stm(struct stm_bench *bench)
{
    struct stm_user *user = stm_allocate_lines(sizeof *user);
    if (!user)
        return NULL;
    user->set = bench->set;
    user->range = bench->range;
    user->elastic = bench->elastic;
    if (join(user)) {
        free(user);
        return NULL;
    }
    return user;
}

static void leave_stm(void *argument, uint64_t counters[BENCH_COUNTERS])
{
    part(argument, counters);
    free(argument);
}

/* The operations of each structure. An update adds if `adds`, else removes. It returns the number of elements that it
 * added or removed, 0 or 1; negative: it failed. A set is filled by updates. */

#define STM_SET_OPERATIONS(structure)                                                                                  \
    static inline int structure##_read(struct stm_user *user, uint64_t random)                                         \
    {                                                                                                                  \
        return ordo_stm_##structure##_contains(user->thread, &user->set->structure, stm_key(random, user->range));     \
    }                                                                                                                  \
    static inline int structure##_update(struct stm_user *user, uint64_t random, int adds)                             \
    {                                                                                                                  \
        uint64_t key = stm_key(random, user->range);                                                                   \
        return adds ? ordo_stm_##structure##_add(user->thread, &user->set->structure, key)                             \
                    : ordo_stm_##structure##_remove(user->thread, &user->set->structure, key);                         \
    }

#define STM_SET(structure)                                                                                             \
    static int structure##_fill(struct stm_bench *bench, struct stm_user *user)                                        \
    {                                                                                                                  \
        uint64_t state = stm_seed(bench, BENCH_LINE), count = 0;                                                       \
        while (count < bench->elements) {                                                                              \
            uint64_t random = ordo_random_next(&state);                                                                \
            int added = ordo_stm_##structure##_add(user->thread, &user->set->structure,                                \
                                                   bench->long_reads ? stm_even_key(bench, count)                      \
                                                                     : stm_key(random, user->range));                  \
            if (added < 0)                                                                                             \
                return -1;                                                                                             \
            count += (uint64_t)added;                                                                                  \
        }                                                                                                              \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static int structure##_audit(struct stm_set *set, int64_t *count)                                                  \
    {                                                                                                                  \
        *count = ordo_stm_##structure##_audit(&set->structure);                                                        \
        return *count < 0 ? -1 : 0;                                                                                    \
    }

static inline int list_read(struct stm_user *user, uint64_t random)
{
    struct ordo_stm_list *list = &user->set->list;
    uint64_t key = stm_key(random, user->range);
    return user->elastic ? ordo_stm_list_contains_elastic(user->thread, list, key)
                         : ordo_stm_list_contains(user->thread, list, key);
}

static inline int list_update(struct stm_user *user, uint64_t random, int adds)
{
    struct ordo_stm_list *list = &user->set->list;
    uint64_t key = stm_key(random, user->range);
    if (user->elastic)
        return adds ? ordo_stm_list_add_elastic(user->thread, list, key)
                    : ordo_stm_list_remove_elastic(user->thread, list, key);
    return adds ? ordo_stm_list_add(user->thread, list, key) : ordo_stm_list_remove(user->thread, list, key);
}

STM_SET(list)
STM_SET_OPERATIONS(hash)
STM_SET(hash)
STM_SET_OPERATIONS(tree)
STM_SET(tree)
STM_SET_OPERATIONS(skip)
STM_SET(skip)

/* Visits every element of the list in one transaction. */
static int list_visit_in(struct ordo_stm_thread *t, const struct ordo_stm_list *list)
{
    const uint64_t *link = &list->first;
    for (uint64_t word, least = 0;; least++) {
        int code = ordo_stm_read(t, link, &word);
        const struct ordo_stm_list_node *node = ordo_stm_list_at(word);
        if (code || !node)
            return code;
        if (node->key < least)
            return ORDO_E_INVALID;
        least = node->key;
        link = &node->next;
    }
}

static void list_free(struct stm_set *set)
{
    ordo_stm_list_clear(&set->stm, &set->list);
}

static void hash_free(struct stm_set *set)
{
    ordo_stm_hash_destroy(&set->stm, &set->hash);
}

static void tree_free(struct stm_set *set)
{
    ordo_stm_tree_clear(&set->stm, &set->tree);
}

static void skip_free(struct stm_set *set)
{
    ordo_stm_skip_clear(&set->stm, &set->skip);
}

static int bank_fill(struct stm_bench *bench, struct stm_user *user)
{
    struct bank *bank = &user->set->bank;
    bank->accounts = bench->elements;
    bank->balance = stm_allocate_lines(bank->accounts * sizeof *bank->balance);
    for (uint64_t i = 0; bank->balance && i < bank->accounts; i++)
        bank->balance[i] = BANK_OPENING;
    return bank->balance ? 0 : -1;
}

static int bank_total(struct stm_user *user, unsigned flags)
{
    struct bank *bank = &user->set->bank;
    uint64_t sum = 0;
    int result;
    (void)flags; /* a baseline may ignore them */
    ORDO_STM_ATOMICALLY(user->thread, flags, result, bank_sum_in(user->thread, bank, &sum));
    return result < 0 || sum == bank->accounts * BANK_OPENING ? result : ORDO_E_INVALID;
}

static inline int bank_read(struct stm_user *user, uint64_t random)
{
    (void)random;
    return bank_total(user, ORDO_STM_READ_ONLY);
}

static inline int bank_update(struct stm_user *user, uint64_t random, int adds)
{
    struct bank *bank = &user->set->bank;
    uint64_t state = random << 32 | random >> 32; /* the lower half chose between update and read */
    uint64_t other = ordo_random_next(&state);
    uint64_t from = stm_key(random, bank->accounts), to = stm_key(other, bank->accounts - 1);
    int result;
    (void)adds;
    to += to >= from;
    ORDO_STM_ATOMICALLY(user->thread, 0, result, bank_transfer_in(user->thread, bank, from, to, other % 100));
    return result;
}

/* Audits the sum of all balances: it must equal the sum of the opening balances. */
static int bank_audit(struct stm_set *set, int64_t *count)
{
    *count = (int64_t)set->bank.accounts;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < set->bank.accounts; i++)
        sum += set->bank.balance[i];
    return sum == set->bank.accounts * BANK_OPENING ? 0 : -1;
}

static void bank_free(struct stm_set *set)
{
    free(set->bank.balance);
}

/* Adds one offer of each kind. */
static int fill_offer(struct stm_user *user, uint64_t id)
{
    for (int kind = 0, result; kind < RESERVATION_KINDS; kind++) {
        struct offer *offer = ordo_stm_alloc(user->thread, sizeof *offer);
        if (!offer)
            return -1;
        offer->taken = 0;
        offer->price = 50 + id * 7 % 500;
        ORDO_STM_ATOMICALLY(
            user->thread, 0, result,
            ordo_stm_tree_put_in(user->thread, &user->set->reservations.offers[kind], id, (uintptr_t)offer));
        if (result < 0)
            return -1;
    }
    return 0;
}

static int reservations_fill(struct stm_bench *bench, struct stm_user *user)
{
    user->range = bench->elements;
    for (uint64_t id = 0; id < bench->elements; id++)
        if (fill_offer(user, id))
            return -1;
    return 0;
}

static inline int reservations_read(struct stm_user *user, uint64_t random)
{
    int result;
    ORDO_STM_ATOMICALLY(user->thread, ORDO_STM_READ_ONLY, result,
                        agency_query_in(user->thread, &user->set->reservations, random, user->range));
    return result;
}

static inline int reservations_update(struct stm_user *user, uint64_t random, int adds)
{
    int result;
    (void)adds;
    random = random << 32 | random >> 32; /* the lower half chose between update and read */
    random = ordo_random_next(&random);
    ORDO_STM_ATOMICALLY(user->thread, 0, result,
                        agency_update_in(user->thread, &user->set->reservations, random, user->range));
    return result < 0 ? result : 0;
}

static int reservations_audit(struct stm_set *set, int64_t *count)
{
    int64_t taken = 0, held = 0;
    int sound = 1;
    *count = ordo_stm_tree_audit(&set->reservations.offers[0]);
    for (int kind = 0; kind < RESERVATION_KINDS; kind++) {
        sound &= ordo_stm_tree_audit(&set->reservations.offers[kind]) == *count;
        agency_walk(ordo_stm_tree_at(set->reservations.offers[kind].root), &taken, &held, 0, &sound);
    }
    sound &= ordo_stm_tree_audit(&set->reservations.customers) >= 0;
    agency_walk(ordo_stm_tree_at(set->reservations.customers.root), &taken, &held, 1, &sound);
    return sound && taken == held ? 0 : -1;
}

static void reservations_free(struct stm_set *set)
{
    for (int kind = 0; kind <= RESERVATION_KINDS; kind++) {
        struct ordo_stm_tree *tree =
            kind < RESERVATION_KINDS ? &set->reservations.offers[kind] : &set->reservations.customers;
        agency_free(&set->stm, ordo_stm_tree_at(tree->root), kind == RESERVATION_KINDS);
        ordo_stm_tree_clear(&set->stm, tree);
    }
}

static int packets_fill(struct stm_bench *bench, struct stm_user *user)
{
    (void)bench, (void)user; /* the stream begins empty */
    return 0;
}

/* Adds a fragment. If the fragment completes its flow, removes the flow and checks it. */
static inline int packets_update(struct stm_user *user, uint64_t random, int adds)
{
    struct stream *stream = &user->set->packets;
    struct ordo_stm_thread *t = user->thread;
    uint64_t number = 0;
    int result, last;
    (void)random, (void)adds;
    ORDO_STM_ATOMICALLY(t, 0, result, stream_take_in(t, stream, &number));
    if (result < 0)
        return result;
    struct packet packet = packet_number(number);
    ORDO_STM_ATOMICALLY(t, 0, last, stream_put_in(t, stream, &packet));
    if (last != 1)
        return last;
    ORDO_STM_ATOMICALLY(t, ORDO_STM_QUIESCE, result, ordo_stm_tree_remove_in(t, &stream->flows, packet.flow));
    if (result != 1)
        return ORDO_E_INVALID;
    uint64_t attacks = stream_detect(&user->set->stm, packet.whole);
    if (attacks != (packet.flow % PACKETS_ATTACK == 0))
        return ORDO_E_INVALID;
    ORDO_STM_ATOMICALLY(t, 0, result, stream_count_in(t, stream, attacks));
    return result;
}

static inline int packets_read(struct stm_user *user, uint64_t random)
{
    return packets_update(user, random, 1);
}

/* Checks that every fragment is in the tree or was in a complete flow, and that every attack was found. */
static int packets_audit(struct stm_set *set, int64_t *count)
{
    const struct stream *stream = &set->packets;
    uint64_t windows = stream->next / PACKETS_WINDOW * (PACKETS_WINDOW / PACKETS_PIECES); /* complete flows */
    uint64_t attacks = (windows + PACKETS_ATTACK - 1) / PACKETS_ATTACK;
    *count = 0;
    return ordo_stm_tree_audit(&stream->flows) < 0 || stream->found < attacks || stream->completed < windows ||
                   stream->completed * PACKETS_PIECES + stream_waiting(ordo_stm_tree_at(stream->flows.root)) !=
                       stream->next
               ? -1
               : 0;
}

static void packets_free(struct stm_set *set)
{
    stream_free(&set->stm, ordo_stm_tree_at(set->packets.flows.root));
    ordo_stm_tree_clear(&set->stm, &set->packets.flows);
}

static struct stm_set *make_set(struct stm_bench *bench)
{
    struct stm_set *set = stm_allocate_lines(sizeof *set);
    if (!set)
        return NULL;
    memset(set, 0, sizeof *set);
    if (open_shared(bench, set)) {
        free(set);
        return NULL;
    }
    if (ordo_stm_hash_init(&set->stm, &set->hash,
                           bench->engine->structure == STM_HASH ? (uint32_t)bench->buckets : 1)) {
        close_shared(set);
        free(set);
        return NULL;
    }
    return set;
}

static void drop_set(struct stm_bench *bench, void (*release)(struct stm_set *))
{
    struct stm_set *set = bench->set;
    release(set);
    if (release != hash_free)
        hash_free(set);
    close_shared(set);
    free(set);
    bench->set = NULL;
}

/* Makes the set and fills it. */
static int create_set(struct stm_bench *bench, int (*fill)(struct stm_bench *, struct stm_user *),
                      void (*release)(struct stm_set *))
{
    uint64_t counters[BENCH_COUNTERS] = {0};
    struct stm_user *user = NULL;
    int code = -1;
    bench->set = make_set(bench);
    if (!bench->set)
        return -1;
    user = enter_stm(bench);
    if (user) {
        code = fill(bench, user);
        leave_stm(user, counters);
    }
    if (code)
        drop_set(bench, release);
    return code;
}

static int audit_set(struct stm_bench *bench, int (*audit)(struct stm_set *, int64_t *), int64_t *count,
                     struct ordo_error *error)
{
    if (audit(bench->set, count))
        return ordo_error_set(error, ORDO_E_INVALID, 0, "the %s is out of order",
                              stm_structure_words[bench->engine->structure]);
    return ORDO_OK;
}

/* Makes long reads until the trial ends. Returns their number. */
static uint64_t read_long(struct bench_worker *worker)
{
    struct stm_bench *bench = worker->context;
    struct stm_user *user = worker->own;
    unsigned flags = bench->long_reads == STM_LONG_SNAPSHOT ? ORDO_STM_SNAPSHOT : ORDO_STM_READ_ONLY;
    uint64_t reads = 0, refused = 0;
    int result;
    (void)flags; /* as above */
    do {
        if (bench->engine->structure == STM_BANK)
            result = bank_total(user, flags);
        else
            ORDO_STM_ATOMICALLY(user->thread, flags, result, list_visit_in(user->thread, &user->set->list));
        refused += result < 0;
        reads++;
    } while (bench_running(worker));
    atomic_fetch_add_explicit(&bench->refused, refused, memory_order_relaxed); /* relaxed: read after all joins */
    return reads;
}

#define STM_DEFINE(name, kind)                                                                                         \
    static uint64_t name##_work(struct bench_worker *worker)                                                           \
    {                                                                                                                  \
        struct stm_bench *bench = worker->context;                                                                     \
        struct stm_user *user = worker->own;                                                                           \
        uint64_t state = stm_seed(bench, worker->index), ops = 0, refused = 0;                                         \
        uint64_t updates = ((uint64_t)bench->update_percent << 32) / 100;                                              \
        int64_t net = 0;                                                                                               \
        if (stm_has_long(kind) && bench->long_reads && worker->index == 0)                                             \
            return read_long(worker);                                                                                  \
        user->range = stm_is_set(kind) ? bench->range : bench->elements;                                               \
        do {                                                                                                           \
            for (int i = 0; i < STM_OPS_PER_POLL; i++) {                                                               \
                uint64_t random = ordo_random_next(&state), dice = (uint32_t)random;                                   \
                if (dice >= updates) {                                                                                 \
                    refused += name##_read(user, random) < 0;                                                          \
                } else {                                                                                               \
                    int adds = dice < updates / 2, changed = name##_update(user, random, adds);                        \
                    refused += changed < 0;                                                                            \
                    net += !stm_is_set(kind) || changed <= 0 ? 0 : adds ? 1 : -1;                                      \
                }                                                                                                      \
            }                                                                                                          \
            ops += STM_OPS_PER_POLL;                                                                                   \
        } while (bench_running(worker));                                                                               \
        atomic_fetch_add_explicit(&bench->size, net, memory_order_relaxed); /* relaxed: read after all joins */        \
        atomic_fetch_add_explicit(&bench->refused, refused, memory_order_relaxed);                                     \
        return bench->long_reads ? 0 : ops;                                                                            \
    }                                                                                                                  \
    static int name##_create(struct stm_bench *bench)                                                                  \
    {                                                                                                                  \
        return create_set(bench, name##_fill, name##_free);                                                            \
    }                                                                                                                  \
    static void name##_destroy(struct stm_bench *bench)                                                                \
    {                                                                                                                  \
        drop_set(bench, name##_free);                                                                                  \
    }                                                                                                                  \
    static int name##_check(struct stm_bench *bench, int64_t *count, struct ordo_error *error)                         \
    {                                                                                                                  \
        return audit_set(bench, name##_audit, count, error);                                                           \
    }                                                                                                                  \
    const struct stm_engine STM_ENGINE(name) = {.algorithm = STM_ALGORITHM,                                            \
                                                .stamp = STM_STAMP,                                                    \
                                                .structure = kind,                                                     \
                                                .create = name##_create,                                               \
                                                .destroy = name##_destroy,                                             \
                                                .enter = enter_stm,                                                    \
                                                .leave = leave_stm,                                                    \
                                                .work = name##_work,                                                   \
                                                .audit = name##_check};

STM_DEFINE(list, STM_LIST)
STM_DEFINE(hash, STM_HASH)
STM_DEFINE(tree, STM_TREE)
STM_DEFINE(skip, STM_SKIP)
STM_DEFINE(bank, STM_BANK)
STM_DEFINE(reservations, STM_RESERVATIONS)
STM_DEFINE(packets, STM_PACKETS)
