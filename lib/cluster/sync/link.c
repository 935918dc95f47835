#include "cluster/sync/link.h"

#include <errno.h>
#include <stdlib.h>

#include "base/plural.h"

/* Plays the reference's part in one measurement. */
static int answer_exchanges(struct ordo_transport *t, int client, int exchanges)
{
    int code = t->send(t, client, ORDO_TAG_GO, &t->granule_ns, sizeof t->granule_ns);
    while (!code && exchanges-- > 0) {
        char ping;
        code = t->receive(t, client, ORDO_TAG_PING, &ping, sizeof ping);
        int64_t now_ns = t->now_ns(t);
        if (!code)
            code = t->send(t, client, ORDO_TAG_PONG, &now_ns, sizeof now_ns);
    }
    return code;
}

/* Plays the client's part: waits until the reference begins the measurement, and receives the reference's granule. */
static int await_turn(struct ordo_transport *t, int reference, int64_t *granule_ns)
{
    return t->receive(t, reference, ORDO_TAG_GO, granule_ns, sizeof *granule_ns);
}

static int exchange_once(struct ordo_transport *t, int reference, struct ordo_exchange *exchange)
{
    char ping = 0;
    exchange->sent_ns = t->now_ns(t);
    int code = t->send(t, reference, ORDO_TAG_PING, &ping, sizeof ping);
    if (!code)
        code = t->receive(t, reference, ORDO_TAG_PONG, &exchange->answered_ns, sizeof exchange->answered_ns);
    exchange->received_ns = t->now_ns(t);
    return code;
}

/* Makes `count` exchanges. If `exchanges` is NULL, still makes them, because the reference waits for their messages,
 * but drops the results. */
static int ask_reference(struct ordo_transport *t, int reference, struct ordo_exchange *exchanges, int count,
                         int64_t *granule_ns)
{
    struct ordo_exchange lost;
    int code = await_turn(t, reference, granule_ns);
    for (int i = 0; i < count && !code; i++)
        code = exchange_once(t, reference, exchanges ? &exchanges[i] : &lost);
    return code;
}

static int points_of(const struct ordo_sync_spec *spec)
{
    return spec->fit + spec->recompute_intercept;
}

int ordo_link_serve(struct ordo_transport *t, int first, int count, const struct ordo_sync_spec *spec)
{
    int code = ORDO_OK, points = points_of(spec);
    for (int i = 0; i < count && !code && spec->offset->rtt_exchanges; i++)
        code = answer_exchanges(t, first + i, spec->offset->rtt_exchanges);
    int64_t start_ns = t->now_ns(t);
    for (int k = 0; k < points && !code; k++) {
        if (points > 1)
            t->wait_until_ns(t, start_ns + (int64_t)((double)spec->window_ns * k / (points - 1)));
        for (int i = 0; i < count && !code; i++)
            code = answer_exchanges(t, first + i, spec->pingpong);
    }
    return code;
}

struct learner {
    struct ordo_exchange *exchanges; /* `exchanges` and `points` are NULL if out of memory */
    struct ordo_fit_point *points;
    int64_t rtt_ns, granule_ns;
};

static int collect_points(struct ordo_transport *t, int reference, const struct ordo_sync_spec *spec,
                          struct learner *learner)
{
    const struct ordo_offset_estimator *offset = spec->offset;
    int code = ORDO_OK;
    if (offset->rtt_exchanges) {
        code = ask_reference(t, reference, learner->exchanges, offset->rtt_exchanges, &learner->granule_ns);
        if (!code && learner->points)
            learner->rtt_ns = offset->rtt_ns(learner->exchanges, offset->rtt_exchanges);
    }
    for (int k = 0; k < points_of(spec) && !code; k++) {
        code = ask_reference(t, reference, learner->exchanges, spec->pingpong, &learner->granule_ns);
        if (code || !learner->points)
            continue;
        learner->points[k].visit = ordo_exchange_visit(learner->exchanges, spec->pingpong);
        learner->points[k].offset = offset->estimate(learner->exchanges, spec->pingpong, learner->rtt_ns);
    }
    return code;
}

static int64_t coarser(int64_t one_ns, int64_t other_ns)
{
    return one_ns > other_ns ? one_ns : other_ns;
}

int ordo_link_learn(struct ordo_transport *t, int reference, const struct ordo_sync_options *options,
                    const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    int most = spec->pingpong > spec->offset->rtt_exchanges ? spec->pingpong : spec->offset->rtt_exchanges;
    struct learner learner = {.exchanges = calloc((size_t)most, sizeof *learner.exchanges),
                              .points = calloc((size_t)points_of(spec), sizeof *learner.points)};
    *model = (struct ordo_model){.granule_ns = t->granule_ns};
    if (!learner.exchanges || !learner.points) {
        (void)ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%d fit point%s: out of memory", points_of(spec),
                             ordo_plural(points_of(spec)));
        free(learner.exchanges);
        free(learner.points);
        learner = (struct learner){0};
    }
    int code = collect_points(t, reference, spec, &learner);
    struct ordo_fit_options fit = {.granule_ns = coarser(t->granule_ns, learner.granule_ns),
                                   .client_granule_ns = t->granule_ns,
                                   .max_wander_ppb = options->max_wander_ppb,
                                   .late_wander_ppb = options->late_wander_ppb,
                                   .max_skew_ppb = options->max_skew_ppb + (double)t->rate_error_ppb,
                                   .recompute_intercept = spec->recompute_intercept};
    if (!code && learner.points)
        (void)ordo_model_fit(model, learner.points, points_of(spec), &fit, error);
    free(learner.exchanges);
    free(learner.points);
    return code;
}

int ordo_link_serve_once(struct ordo_transport *t, int client, int pingpong)
{
    return answer_exchanges(t, client, pingpong);
}

int ordo_link_measure_once(struct ordo_transport *t, int reference, int pingpong, struct ordo_fit_point *point,
                           int64_t *granule_ns)
{
    /* The estimator used here, skampi, needs only the best exchange of each direction: two exchanges are kept. */
    struct ordo_exchange best[2] = {{0}}, one;
    int code = await_turn(t, reference, granule_ns);
    for (int i = 0; i < pingpong && !code; i++) {
        code = exchange_once(t, reference, &one);
        if (i == 0 || one.received_ns - one.answered_ns < best[0].received_ns - best[0].answered_ns)
            best[0] = one;
        if (i == 0 || one.answered_ns - one.sent_ns < best[1].answered_ns - best[1].sent_ns)
            best[1] = one;
    }
    point->visit = ordo_exchange_visit(best, 2);
    point->offset = ordo_offset_estimator_find("skampi")->estimate(best, 2, 0);
    *granule_ns = coarser(*granule_ns, t->granule_ns);
    return code;
}
