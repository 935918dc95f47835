#include "lab/figures/hca3/benchmark.h"

#include <math.h>

#include "base/quantile.h"
#include "cluster/barrier/scheme.h"
#include "cluster/sync/sync.h"
#include "cluster/transport/tags.h"

static int cross_barrier(struct ordo_transport *world, void *context)
{
    return ((const struct hca3_benchmark *)context)->barrier->run(world);
}

int hca3_allreduce(struct ordo_transport *world)
{
    enum { PAYLOAD = 16 };
    char sent[PAYLOAD] = {0}, received[PAYLOAD];
    int power = 1, code = ORDO_OK;
    while (power <= world->size / 2)
        power *= 2;
    bool helps = world->rank + power < world->size;
    if (world->rank >= power) {
        code = world->send(world, world->rank - power, ORDO_TAG_SCHEME, sent, PAYLOAD);
        return code ? code : world->receive(world, world->rank - power, ORDO_TAG_SCHEME, received, PAYLOAD);
    }
    if (helps)
        code = world->receive(world, world->rank + power, ORDO_TAG_SCHEME, received, PAYLOAD);
    for (int bit = 1; bit < power && !code; bit *= 2)
        code = world->exchange(world, world->rank ^ bit, world->rank ^ bit, ORDO_TAG_SCHEME, sent, received, PAYLOAD);
    return code || !helps ? code : world->send(world, world->rank + power, ORDO_TAG_SCHEME, sent, PAYLOAD);
}

static int call_allreduce(struct ordo_transport *world, void *context)
{
    (void)context;
    return hca3_allreduce(world);
}

static int measure_by_barrier(struct ordo_transport *world, struct hca3_benchmark *own)
{
    int64_t longest_ns[HCA3_MOST_ROUNDS];
    double all[HCA3_MOST_ROUNDS];
    struct ordo_scheme_times times = {.longest_ns = longest_ns};
    int code = ordo_scheme_by_barrier(world, cross_barrier, call_allreduce, own, own->by_barrier, &times);
    for (int i = 0; i < own->by_barrier; i++)
        all[i] = (double)longest_ns[i];
    own->osu = times.mean_ns / 1e3;
    own->intel = times.slowest_ns / 1e3;
    own->repro = ordo_stats_median(all, (size_t)own->by_barrier).median / 1e3;
    return code;
}

static int measure_by_time(struct ordo_transport *world, const struct ordo_model *model, struct hca3_benchmark *own)
{
    struct ordo_harmonizer harmonizer = {0};
    struct ordo_scheme_round round;
    double all[HCA3_MOST_ROUNDS];
    size_t valid = 0;
    int code = ORDO_OK;
    for (int i = 0; i < own->by_time && !code; i++) {
        code = ordo_scheme_by_time(world, model, 0, &harmonizer, call_allreduce, own, &round);
        if (!round.late)
            all[valid++] = (double)round.run_ns / 1e3;
    }
    own->round_time = valid ? ordo_stats_median(all, valid).median : NAN;
    return code;
}

static int measure_crossings(struct ordo_transport *world, const struct ordo_model *model, struct hca3_benchmark *own)
{
    struct ordo_harmonizer harmonizer = {0};
    struct ordo_scheme_round round;
    int code = ORDO_OK;
    for (int i = 0; i < own->crossings && !code; i++) {
        code = ordo_scheme_by_time(world, model, 0, &harmonizer, cross_barrier, own, &round);
        if (!round.late)
            own->imbalance[own->valid++] = (double)round.imbalance_ns / 1e3;
    }
    return code;
}

static int benchmark_body(struct ordo_transport *world, void *context)
{
    struct hca3_benchmark copy = *(struct hca3_benchmark *)context, *own = world->rank ? &copy : context;
    struct ordo_sync_options sync = ordo_sync_defaults();
    struct ordo_model model;
    sync.common_residual_ns = world->granule_ns;
    sync.common_at_ns = sync.common_since_ns = world->now_ns(world);
    int code = ordo_sync_run(world, &sync, NULL, &model, NULL);
    if (!code && own->by_barrier)
        code = measure_by_barrier(world, own);
    if (!code && own->by_time)
        code = measure_by_time(world, &model, own);
    return code ? code : measure_crossings(world, &model, own);
}

int hca3_benchmark_run(const struct ordo_sim_options *cluster, struct hca3_benchmark *benchmark,
                       struct ordo_error *error)
{
    struct ordo_sim_result result;
    return ordo_sim_run(cluster, benchmark_body, benchmark, &result, error);
}
