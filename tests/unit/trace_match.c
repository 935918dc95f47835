/* Messages and collectives, compared with a plain search: each receive finds its send, and an effect before its cause
 * is reported. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "trace/causal/match.h"

enum { EVENTS_MOST = 20000, RANKS = 5 };

/** The events that were passed to the matcher, and the pairs that it has found. */
static struct {
    struct ordo_event events[EVENTS_MOST];
    struct ordo_event_stamp stamps[EVENTS_MOST];
    int count;
    uint64_t partner[EVENTS_MOST]; /* id of the partner of each event; an id is an index + 1; 0: none */
    uint64_t pairs;
} seen;

static int note_pair(void *context, const struct ordo_event *event, const struct ordo_end *send,
                     const struct ordo_end *recv)
{
    (void)context;
    (void)event;
    cr_assert_eq(send->time_ns, seen.events[send->id - 1].time_ns);
    cr_assert_eq(recv->stamp.latest_ns, seen.stamps[recv->id - 1].latest_ns);
    seen.partner[send->id - 1] = recv->id;
    seen.partner[recv->id - 1] = send->id;
    seen.pairs++;
    return 0;
}

static void take(struct ordo_match *match, const struct ordo_event *event, const struct ordo_event_stamp *stamp)
{
    struct ordo_error error = {0};
    int at = seen.count++;
    seen.events[at] = *event;
    seen.stamps[at] = *stamp;
    cr_assert_eq(ordo_match_take(match, event, stamp, (uint64_t)at + 1, &error), ORDO_OK, "%s", error.text);
}

static struct ordo_event of_kind(enum ordo_event_kind kind, int32_t rank, int32_t peer, int64_t time_ns)
{
    return (struct ordo_event){.kind = (uint8_t)kind,
                               .rank = rank,
                               .peer = peer,
                               .time_ns = time_ns,
                               .tag = -1,
                               .root = -1,
                               .place = -1,
                               .number = ORDO_EVENT_UNCOUNTED};
}

static struct ordo_event_stamp around(int64_t ns, int64_t by_ns)
{
    return (struct ordo_event_stamp){ns, ns - by_ns, ns + by_ns};
}

/* True if the two ends are a send and a receive with the same sender, receiver, tag, communicator and number. */
static bool is_of_one_channel(const struct ordo_event *a, const struct ordo_event *b)
{
    bool sent = a->kind == ORDO_EVENT_SEND;
    return a->kind != b->kind && a->rank == b->peer && a->peer == b->rank && a->tag == b->tag &&
           a->communicator == b->communicator && a->number == b->number && sent != (b->kind == ORDO_EVENT_SEND);
}

/* Pairs each end with the first unpaired end of the other kind in its channel, in the order of the events. */
static void pair_slowly(uint64_t *partner, struct ordo_causality *expected)
{
    memset(partner, 0, (size_t)seen.count * sizeof *partner);
    for (int i = 0; i < seen.count; i++)
        for (int k = 0; k < i && !partner[i]; k++)
            if (!partner[k] && is_of_one_channel(&seen.events[k], &seen.events[i])) {
                partner[i] = (uint64_t)k + 1;
                partner[k] = (uint64_t)i + 1;
                int send = seen.events[i].kind == ORDO_EVENT_SEND ? i : k, recv = i + k - send;
                expected->messages++;
                expected->before += seen.events[recv].time_ns < seen.events[send].time_ns;
                expected->after += seen.stamps[recv].global_ns < seen.stamps[send].global_ns;
                expected->certain += seen.stamps[recv].latest_ns < seen.stamps[send].earliest_ns;
            }
    for (int i = 0; i < seen.count; i++)
        expected->unmatched += !partner[i];
}

Test(trace_match, sends_and_receives_of_a_channel_are_paired_in_order)
{
    static uint64_t partner[EVENTS_MOST];
    uint64_t random = 21;
    for (int trial = 0; trial < 40; trial++) {
        struct ordo_match *match = ordo_match_create(note_pair, NULL, NULL);
        struct ordo_causality expected = {0};
        memset(&seen, 0, sizeof seen);
        for (int i = 0; i < 600; i++) {
            bool sent = ordo_random_next(&random) % 2;
            struct ordo_event event =
                of_kind(sent ? ORDO_EVENT_SEND : ORDO_EVENT_RECV, (int32_t)(ordo_random_next(&random) % RANKS),
                        (int32_t)(ordo_random_next(&random) % RANKS), (int64_t)(ordo_random_next(&random) % 5000));
            event.tag = (int32_t)(ordo_random_next(&random) % 3) - 1;
            event.communicator = ordo_random_next(&random) % 2 * 7;
            event.number = trial % 4 == 0 ? (uint32_t)(ordo_random_next(&random) % 30) : ORDO_EVENT_UNCOUNTED;
            struct ordo_event_stamp stamp = around((int64_t)(ordo_random_next(&random) % 5000), 1000);
            take(match, &event, &stamp);
        }
        pair_slowly(partner, &expected);
        struct ordo_causality found = ordo_match_result(match);
        cr_assert_eq(memcmp(partner, seen.partner, sizeof *partner * (size_t)seen.count), 0, "trial %d", trial);
        cr_assert(found.messages == expected.messages && seen.pairs == expected.messages, "trial %d", trial);
        cr_assert(found.unmatched == expected.unmatched && found.before == expected.before &&
                      found.after == expected.after && found.certain == expected.certain,
                  "trial %d: %llu, %llu, %llu, %llu", trial, (unsigned long long)found.unmatched,
                  (unsigned long long)found.before, (unsigned long long)found.after, (unsigned long long)found.certain);
        ordo_match_free(match);
    }
}

/* There are many channels with one waiting message each, so that the table grows. Then all messages are received, in
 * another order. */
Test(trace_match, many_channels_at_once_lose_no_message)
{
    enum { CHANNELS = 9000 };
    struct ordo_match *match = ordo_match_create(NULL, NULL, NULL);
    memset(&seen, 0, sizeof seen);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < CHANNELS; i++) {
            int at = round ? (int)((int64_t)i * 7919 % CHANNELS) : i;
            struct ordo_event event = of_kind(round ? ORDO_EVENT_RECV : ORDO_EVENT_SEND, round ? at % 97 : at % 89,
                                              round ? at % 89 : at % 97, at);
            event.tag = at;
            struct ordo_event_stamp stamp = around(at, 0);
            take(match, &event, &stamp);
            cr_assert_eq(ordo_match_result(match).unmatched, round ? CHANNELS - i - 1u : i + 1u);
        }
    cr_assert_eq(ordo_match_result(match).messages, CHANNELS);
    ordo_match_free(match);
}

/* Takes an end of a message; returns the message's number. */
static uint64_t number_of(struct ordo_match *match, const struct ordo_event *event)
{
    struct ordo_event_stamp stamp = {0, 0, 0};
    take(match, event, &stamp);
    return ordo_match_number(match, event);
}

Test(trace_match, both_ends_of_a_message_have_a_number_that_no_other_message_has)
{
    enum { MESSAGES = 6 };
    struct ordo_match *match = ordo_match_create(NULL, NULL, NULL);
    uint64_t numbers[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) { /* two of each tag */
        struct ordo_event send = of_kind(ORDO_EVENT_SEND, 1, 2, 0);
        send.tag = i % 3;
        numbers[i] = number_of(match, &send);
        for (int k = 0; k < i; k++)
            cr_assert_neq(numbers[i], numbers[k]);
    }
    for (int tag = 2; tag >= 0; tag--)
        for (int i = tag; i < MESSAGES; i += 3) {
            struct ordo_event recv = of_kind(ORDO_EVENT_RECV, 2, 1, 0);
            recv.tag = tag;
            cr_assert_eq(number_of(match, &recv), numbers[i]);
        }
    struct ordo_event counted = of_kind(ORDO_EVENT_SEND, 1, 2, 0);
    counted.number = 41;
    cr_assert_eq(number_of(match, &counted), 41);
    ordo_match_free(match);
}

/* A collective with random times, whose impossible pairs the test finds by the definition of the kind. */
struct call {
    int64_t begin_ns[RANKS], end_ns[RANKS];
};

static bool waits(enum ordo_event_collective kind, int who, int for_whom, int root)
{
    switch (kind) {
    case ORDO_COLLECTIVE_ALL_TO_ALL:
        return true;
    case ORDO_COLLECTIVE_ONE_TO_ALL:
        return for_whom == root;
    case ORDO_COLLECTIVE_ALL_TO_ONE:
        return who == root;
    default:
        return for_whom < who;
    }
}

static bool is_impossible(const struct call *call, enum ordo_event_collective kind, int root)
{
    bool bad = false;
    for (int who = 0; who < RANKS; who++)
        for (int other = 0; other < RANKS; other++)
            bad |= waits(kind, who, other, root) && call->end_ns[who] < call->begin_ns[other];
    return bad;
}

static struct ordo_event part(enum ordo_event_collective kind, bool begins, int rank, int root, int64_t time_ns)
{
    struct ordo_event event = of_kind(begins ? ORDO_EVENT_BEGIN : ORDO_EVENT_END, rank, -1, time_ns);
    event.collective = (uint8_t)kind;
    event.root = root;
    event.place = kind == ORDO_COLLECTIVE_PREFIX ? rank : -1;
    return event;
}

static void draw_call(uint64_t *random, struct call *call, int64_t spread_ns)
{
    for (int rank = 0; rank < RANKS; rank++) {
        call->begin_ns[rank] = (int64_t)(ordo_random_next(random) % (uint64_t)spread_ns);
        call->end_ns[rank] = call->begin_ns[rank] + (int64_t)(ordo_random_next(random) % (uint64_t)spread_ns);
    }
}

/* Passes two successive calls to the matcher. The ranks are in random order, each with its begin before its end. `own`
 * has the times of the uncorrected clocks, `global` the corrected times. */
static void take_calls(uint64_t *random, struct ordo_match *match, enum ordo_event_collective kind, int root,
                       const struct call *own, const struct call *global)
{
    int done[RANKS] = {0};
    for (int left = 4 * RANKS; left > 0;) {
        int rank = (int)(ordo_random_next(random) % RANKS), call = done[rank] / 2;
        if (done[rank] == 4)
            continue;
        bool begins = done[rank]++ % 2 == 0;
        const int64_t *local = begins ? own[call].begin_ns : own[call].end_ns;
        const int64_t *placed = begins ? global[call].begin_ns : global[call].end_ns;
        struct ordo_event event = part(kind, begins, rank, root, local[rank]);
        struct ordo_event_stamp stamp = around(placed[rank], 0);
        take(match, &event, &stamp);
        left--;
    }
}

Test(trace_match, too_early_exits_from_a_collective_count_as_impossible)
{
    uint64_t random = 22;
    uint64_t all[2] = {0, 0};
    for (int trial = 0; trial < 4000; trial++) {
        enum ordo_event_collective kind = (enum ordo_event_collective)(1 + trial % 4);
        struct ordo_match *match = ordo_match_create(NULL, NULL, NULL);
        struct call own[2], global[2];
        int root = (int)(ordo_random_next(&random) % RANKS);
        uint64_t before = 0, after = 0;
        seen.count = 0;
        for (int i = 0; i < 2; i++) {
            draw_call(&random, &own[i], 100);
            draw_call(&random, &global[i], 100);
            before += is_impossible(&own[i], kind, root);
            after += is_impossible(&global[i], kind, root);
        }
        take_calls(&random, match, kind, root, own, global);
        struct ordo_causality found = ordo_match_result(match);
        cr_assert_eq(found.collectives, 2, "kind %d: %llu", (int)kind, (unsigned long long)found.collectives);
        cr_assert(found.collectives_before == before && found.collectives_after == after,
                  "kind %d, trial %d: %llu and %llu, not %llu and %llu", (int)kind, trial,
                  (unsigned long long)found.collectives_before, (unsigned long long)found.collectives_after,
                  (unsigned long long)before, (unsigned long long)after);
        all[0] += before;
        all[1] += 2 - before;
        ordo_match_free(match);
    }
    cr_assert(all[0] > 500 && all[1] > 500);
}

/* With the number of ranks, a collective is forgotten when all have left it. The counts do not change, and events of a
 * rank that returns to a forgotten collective are ignored. */
Test(trace_match, forgetting_collectives_that_all_ranks_have_left_changes_no_count)
{
    enum { CALLS = 40 };
    uint64_t random = 23;
    for (int trial = 0; trial < 1000; trial++) {
        struct ordo_match *all = ordo_match_create(NULL, NULL, NULL), *some = ordo_match_create(NULL, NULL, NULL);
        struct ordo_error error = {0};
        struct call calls[CALLS];
        int done[RANKS] = {0};
        ordo_match_set_ranks(some, trial % 5 ? RANKS : RANKS + 1); /* a rank whose clock is known may have no events */
        for (int i = 0; i < CALLS; i++)
            draw_call(&random, &calls[i], 100);
        for (int left = 2 * CALLS * RANKS; left > 0;) {
            int rank = (int)(ordo_random_next(&random) % RANKS), at = done[rank] / 2;
            if (at == CALLS)
                continue;
            bool begins = done[rank]++ % 2 == 0;
            enum ordo_event_collective kind = (enum ordo_event_collective)(1 + (at + trial) % 4);
            int64_t time_ns = begins ? calls[at].begin_ns[rank] : calls[at].end_ns[rank];
            struct ordo_event event = part(kind, begins, rank, at % 3 ? at % RANKS : -1, time_ns);
            struct ordo_event_stamp stamp = around(time_ns, 0);
            cr_assert_eq(ordo_match_take(all, &event, &stamp, 1, &error), ORDO_OK);
            cr_assert_eq(ordo_match_take(some, &event, &stamp, 1, &error), ORDO_OK);
            left--;
        }
        struct ordo_causality a = ordo_match_result(all), b = ordo_match_result(some);
        cr_assert(memcmp(&a, &b, sizeof a) == 0 && a.collectives > CALLS / 2 && a.collectives_before > 0);
        struct ordo_event late = part(ORDO_COLLECTIVE_ALL_TO_ALL, true, 0, -1, 1);
        struct ordo_event_stamp stamp = around(1, 0);
        late.number = 0;
        cr_assert_eq(ordo_match_take(some, &late, &stamp, 1, &error), ORDO_OK);
        cr_assert_eq(ordo_match_result(some).collectives, b.collectives);
        ordo_match_free(all);
        ordo_match_free(some);
    }
}

Test(trace_match, calls_with_unknown_root_or_place_make_no_collective)
{
    struct ordo_match *match = ordo_match_create(NULL, NULL, NULL);
    struct ordo_event_stamp stamp = around(0, 0);
    memset(&seen, 0, sizeof seen);
    for (int rank = 0; rank < 3; rank++)
        for (int begins = 1; begins >= 0; begins--) {
            struct ordo_event rootless = part(ORDO_COLLECTIVE_ONE_TO_ALL, begins, rank, -1, 0);
            struct ordo_event placeless = part(ORDO_COLLECTIVE_PREFIX, begins, rank, -1, 0);
            struct ordo_event region = part(ORDO_COLLECTIVE_NONE, begins, rank, -1, 0);
            struct ordo_event point = of_kind(ORDO_EVENT_POINT, rank, -1, 0);
            placeless.place = -1;
            placeless.communicator = 9;
            take(match, &rootless, &stamp);
            take(match, &placeless, &stamp);
            take(match, &region, &stamp);
            take(match, &point, &stamp);
        }
    struct ordo_causality found = ordo_match_result(match);
    cr_assert(found.collectives == 0 && found.messages == 0 && found.unmatched == 0);
    ordo_match_free(match);
}

static int refuse_pair(void *context, const struct ordo_event *event, const struct ordo_end *send,
                       const struct ordo_end *recv)
{
    (void)event;
    (void)send;
    (void)recv;
    return *(int *)context;
}

Test(trace_match, a_failing_listener_ends_the_reading)
{
    int answer = -1;
    struct ordo_error error = {0};
    struct ordo_match *match = ordo_match_create(refuse_pair, NULL, &answer);
    struct ordo_event send = of_kind(ORDO_EVENT_SEND, 0, 1, 5), recv = of_kind(ORDO_EVENT_RECV, 1, 0, 6);
    struct ordo_event_stamp stamp = around(5, 0);
    cr_assert_eq(ordo_match_take(match, &send, &stamp, 1, &error), ORDO_OK);
    cr_assert_eq(ordo_match_take(match, &recv, &stamp, 2, &error), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "messages under way"), "%s", error.text);
    ordo_match_free(match);
    ordo_match_free(NULL);
}
