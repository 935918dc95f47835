#include "cluster/barrier/scheme.h"

#include "cluster/sync/tree.h"
#include "cluster/transport/tags.h"

enum { PART = 512 }; /* numbers in one message */

/* Numbers of all ranks, combined at rank 0: their maxima, and in `sum` a sum. */
struct combined {
    int64_t *most, sum;
    int count;
};

struct combined_message {
    int64_t most[PART], sum;
};

static int combine_step(struct ordo_transport *t, int neighbour, bool child, void *context)
{
    struct combined *own = context;
    struct combined_message other = {.sum = own->sum};
    if (child) {
        for (int i = 0; i < own->count; i++)
            other.most[i] = own->most[i];
        return t->send(t, neighbour, ORDO_TAG_SCHEME, &other, sizeof other);
    }
    int code = t->receive(t, neighbour, ORDO_TAG_SCHEME, &other, sizeof other);
    for (int i = 0; i < own->count && !code; i++)
        own->most[i] = other.most[i] > own->most[i] ? other.most[i] : own->most[i];
    own->sum += code ? 0 : other.sum;
    return code;
}

/* Collective: replaces `most` by the maxima of all ranks, and `*sum` by the sum of all ranks; on rank 0. */
static int combine(struct ordo_transport *t, int64_t *most, int count, int64_t *sum)
{
    struct combined first = {.most = most, .sum = *sum, .count = count < PART ? count : PART};
    int code = ordo_tree_up(t, combine_step, &first);
    *sum = first.sum;
    for (int done = PART; done < count && !code; done += PART) {
        struct combined part = {.most = most + done, .count = count - done < PART ? count - done : PART};
        code = ordo_tree_up(t, combine_step, &part);
    }
    return code;
}

int ordo_scheme_by_barrier(struct ordo_transport *t, ordo_scheme_call *barrier, ordo_scheme_call *call, void *context,
                           int rounds, struct ordo_scheme_times *times)
{
    int64_t sum_ns = 0, no_sum = 0;
    int code = ORDO_OK;
    for (int i = 0; i < rounds && !code; i++) {
        code = barrier(t, context);
        int64_t begin_ns = t->now_ns(t);
        code = code ? code : call(t, context);
        times->longest_ns[i] = t->now_ns(t) - begin_ns;
        sum_ns += times->longest_ns[i];
    }
    int64_t slowest_ns = sum_ns;
    code = code ? code : combine(t, times->longest_ns, rounds, &sum_ns);
    code = code ? code : combine(t, &slowest_ns, 1, &no_sum);
    times->mean_ns = (double)sum_ns / rounds / t->size;
    times->slowest_ns = (double)slowest_ns / rounds;
    return code;
}

int ordo_scheme_by_time(struct ordo_transport *t, const struct ordo_model *model, int64_t notice_ns,
                        struct ordo_harmonizer *harmonizer, ordo_scheme_call *call, void *context,
                        struct ordo_scheme_round *round)
{
    struct ordo_harmony begin;
    int code = ordo_sync_harmonize(t, model, notice_ns, harmonizer, &begin);
    code = code ? code : call(t, context);
    int64_t end_ns = ordo_model_time(model, t->now_ns(t)).estimate_ns - begin.at_ns, no_sum = 0;
    int64_t own[3] = {end_ns, -end_ns, begin.late};
    code = code ? code : combine(t, own, 3, &no_sum);
    *round = (struct ordo_scheme_round){.run_ns = own[0], .imbalance_ns = own[0] + own[1], .late = own[2] != 0};
    return code;
}
