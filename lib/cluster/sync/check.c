#include "cluster/sync/check.h"

#include "base/random.h"
#include "cluster/sync/link.h"

/* One step of selection sampling: true if the next rank is among the `wanted` that are picked of the `left` remaining
 * ranks. All ranks have the same random numbers, so all pick the same ranks. */
static bool picked(uint64_t *random, int *wanted, int left)
{
    bool pick = ordo_random_unit(random) * left < *wanted;
    *wanted -= pick;
    return pick;
}

/* Compares a direct measurement of this rank against rank 0 with the bounds of this rank's model. The global clock is
 * the local clock minus the model's offset. */
static struct ordo_global_check judge_model(const struct ordo_transport *transport, const struct ordo_model *model,
                                            const struct ordo_fit_point *point, int64_t granule_ns)
{
    int64_t at_ns = point->offset.at_ns;
    struct ordo_global_time now = ordo_model_time(model, at_ns);
    struct ordo_global_check check = {.rank = transport->rank,
                                      .offset_ns = point->offset.offset_ns - (at_ns - now.estimate_ns)};
    /* The two bounds were measured at two instants near at_ns. From each bound, the model's offset at its instant is
     * subtracted. */
    int64_t high_at = (int64_t)point->visit.at_ab, low_at = (int64_t)point->visit.at_ba;
    check.measured_high_ns =
        point->visit.delta_ab + granule_ns - (high_at - ordo_model_time(model, high_at).estimate_ns);
    check.measured_low_ns = -point->visit.delta_ba - granule_ns - (low_at - ordo_model_time(model, low_at).estimate_ns);
    check.claimed_low_ns = model->known ? now.estimate_ns - now.latest_ns : INT64_MIN;
    check.claimed_high_ns = model->known ? now.estimate_ns - now.earliest_ns : INT64_MAX;
    check.refuted = model->known && (-point->visit.delta_ba - granule_ns > ordo_model_offset_at(model, low_at).high ||
                                     point->visit.delta_ab + granule_ns < ordo_model_offset_at(model, high_at).low);
    return check;
}

/* Narrows the model by a measurement, unless the measurement refutes the model. Does nothing if the track declares no
 * wander, as after it was emptied: without wander, the drift between two checks would be taken to hold for ever. */
static void confine(struct ordo_model *model, struct ordo_offset_track *track, const struct ordo_fit_point *point,
                    int64_t granule_ns, struct ordo_global_check *check)
{
    struct ordo_model confined = *model;
    if (!model->known || check->refuted || !ordo_offset_track_is_declared(track))
        return;
    check->refuted =
        ordo_model_confine(&confined, point, granule_ns, NULL) || ordo_offset_track_take(track, &confined, NULL);
    if (!check->refuted)
        *model = confined;
}

static int check_one(struct ordo_transport *transport, struct ordo_model *model, struct ordo_offset_track *track,
                     int pingpong)
{
    struct ordo_fit_point point;
    int64_t granule_ns;
    int code = ordo_link_measure_once(transport, 0, pingpong, &point, &granule_ns);
    if (code)
        return code;
    struct ordo_global_check check = judge_model(transport, model, &point, granule_ns);
    if (track)
        confine(model, track, &point, granule_ns, &check);
    return transport->send(transport, 0, ORDO_TAG_CHECK, &check, sizeof check);
}

int ordo_sync_check(struct ordo_transport *transport, struct ordo_model *model, struct ordo_offset_track *track,
                    int pingpong, int percent, uint64_t seed, struct ordo_global_check *checks, int *count)
{
    int code = ORDO_OK, others = transport->size - 1, found = 0;
    int wanted = (int)(((int64_t)others * percent + 99) / 100);
    for (int rank = 1; rank <= others && !code; rank++) {
        if (transport->rank != 0 && rank > transport->rank) /* only rank 0 needs to know the later picks */
            break;
        if (!picked(&seed, &wanted, others - rank + 1))
            continue;
        if (transport->rank == rank)
            code = check_one(transport, model, track, pingpong);
        if (transport->rank != 0)
            continue;
        code = ordo_link_serve_once(transport, rank, pingpong);
        if (!code)
            code = transport->receive(transport, rank, ORDO_TAG_CHECK, &checks[found++], sizeof *checks);
    }
    if (transport->rank == 0)
        *count = found;
    return code;
}
