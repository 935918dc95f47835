#include "cluster/sync/sync.h"

#include <string.h>

#include "cluster/sync/tree.h"
#include "cluster/transport/tags.h"

static struct ordo_sync_spec spec_of(const char *algorithm)
{
    return (struct ordo_sync_spec){.algorithm = ordo_sync_algorithm_find(algorithm),
                                   .offset = ordo_offset_estimator_find("skampi"),
                                   .fit = 50,
                                   .pingpong = 20,
                                   .window_ns = 500000000,
                                   .recompute_intercept = true};
}

struct ordo_sync_options ordo_sync_defaults(void)
{
    return (struct ordo_sync_options){.main = spec_of("h2hca"),
                                      .inter = spec_of("hca3"),
                                      .socket = spec_of("hca3"),
                                      .intra = spec_of("clockprop"),
                                      .max_wander_ppb = 100,
                                      .late_wander_ppb = 2000,
                                      .max_skew_ppb = 500000,
                                      .common_residual_ns = -1};
}

enum ordo_sync_copying ordo_sync_copies(const struct ordo_sync_options *options)
{
    if (!options->main.algorithm->composed)
        return options->main.algorithm->copies ? ORDO_SYNC_COPIES_IN_NODES : ORDO_SYNC_COPIES_NOT;
    bool sockets = options->main.algorithm == ordo_sync_algorithm_find("h3hca");
    if (options->inter.algorithm->copies || (sockets && options->socket.algorithm->copies))
        return ORDO_SYNC_COPIES_IN_NODES;
    if (!options->intra.algorithm->copies)
        return ORDO_SYNC_COPIES_NOT;
    return sockets ? ORDO_SYNC_COPIES_IN_SOCKETS : ORDO_SYNC_COPIES_IN_NODES;
}

static int check_spec(const struct ordo_sync_spec *spec, bool level, struct ordo_error *error)
{
    const char *wrong = !spec->algorithm || !spec->offset                ? "no algorithm or no offset estimator"
                        : level && spec->algorithm->composed             ? "it has levels of its own, it cannot be one"
                        : spec->fit < 1 || spec->fit > 1000000           ? "fit must be 1 to 1000000"
                        : spec->pingpong < 1 || spec->pingpong > 1000000 ? "pingpong must be 1 to 1000000"
                        : spec->window_ns < 0                            ? "the window cannot be negative"
                                                                         : NULL;
    if (!wrong)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: %s", spec->algorithm ? spec->algorithm->name : "sync", wrong);
}

static int check_sync_options(const struct ordo_sync_options *options, struct ordo_error *error)
{
    if (!(options->max_wander_ppb >= 0 && options->max_wander_ppb <= 1e6 && options->late_wander_ppb >= 0 &&
          options->late_wander_ppb <= 1e6 && options->max_skew_ppb > 0 && options->max_skew_ppb <= 1e6))
        return ordo_error_set(error, ORDO_E_INVALID, 0, "wander %g ppb, late %g ppb, skew %g ppb: not 0 to 1e6",
                              options->max_wander_ppb, options->late_wander_ppb, options->max_skew_ppb);
    int code = check_spec(&options->main, false, error);
    if (code || !options->main.algorithm->composed)
        return code;
    const struct ordo_sync_spec *levels[] = {&options->inter, &options->socket, &options->intra};
    for (int i = 0; i < 3 && !code; i++)
        code = check_spec(levels[i], true, error);
    return code;
}

/* The code of a rank that has no failure of its own, but whose model depends on an unknown model. It is the highest
 * code, so that ordo_sync_agree prefers the code of the cause. */
enum { RESTS_ON_ANOTHER = -1 };

int ordo_sync_agree(struct ordo_transport *transport, int own_code, struct ordo_error *own)
{
    int64_t verdict = own_code ? own_code * (INT64_C(1) << 32) + transport->rank : 0;
    int code = ordo_tree_least(transport, &verdict);
    if (code || verdict == 0)
        return code;
    int worst = (int)(verdict >> 32), rank = (int)(verdict & UINT32_MAX);
    worst = worst == RESTS_ON_ANOTHER ? ORDO_E_MEASURE : worst;
    bool mine = rank == transport->rank;
    char why[sizeof own->text];
    memcpy(why, own->text, sizeof why);
    if (mine && rank > 0 && transport->send(transport, 0, ORDO_TAG_AGREE, why, sizeof why))
        return ORDO_E_SYSTEM;
    if (!mine && transport->rank == 0 && transport->receive(transport, rank, ORDO_TAG_AGREE, why, sizeof why))
        return ORDO_E_SYSTEM;
    return ordo_error_set(own, worst, mine ? own->sys_errno : 0, "rank %d: %s", rank,
                          mine || transport->rank == 0 ? why : ordo_strerror(worst));
}

int ordo_sync_narrow(struct ordo_transport *transport, const struct ordo_sync_spec *spec, struct ordo_model *model,
                     struct ordo_error *error)
{
    return spec->algorithm->tree ? ordo_tree_narrow(transport, spec->pingpong, model, error) : ORDO_OK;
}

/* Narrows the model by earlier synchronisations. */
static void remember_sync(const struct ordo_transport *transport, const struct ordo_sync_options *options,
                          struct ordo_offset_track *track, struct ordo_model *model, struct ordo_error *own)
{
    ordo_offset_track_declare(track, options->max_wander_ppb, options->late_wander_ppb,
                              options->max_skew_ppb + (double)transport->rate_error_ppb);
    ordo_offset_track_observe(track, model);
    (void)ordo_offset_track_take(track, model, own);
}

static int run_algorithm(struct ordo_transport *transport, const struct ordo_sync_options *options,
                         struct ordo_offset_track *track, struct ordo_model *model, struct ordo_error *own)
{
    int code = options->main.algorithm->run(transport, options, &options->main, model, own);
    if (!code)
        code = ordo_sync_narrow(transport, &options->main, model, own);
    if (code)
        return ordo_error_set(own, code, 0, "rank %d of %d: %s", transport->rank, transport->size, ordo_strerror(code));
    if (model->known && track)
        remember_sync(transport, options, track, model, own);
    return ordo_sync_agree(transport, model->known ? ORDO_OK : own->code, own);
}

int ordo_sync_run(struct ordo_transport *transport, const struct ordo_sync_options *options,
                  struct ordo_offset_track *track, struct ordo_model *model, struct ordo_error *error)
{
    struct ordo_error own = {.code = RESTS_ON_ANOTHER, .text = "the reference of this rank could not be synchronised"};
    *model = (struct ordo_model){.granule_ns = transport->granule_ns};
    int code = check_sync_options(options, error);
    if (code)
        return code;
    code = run_algorithm(transport, options, track, model, &own);
    if (code)
        model->known = 0;
    if (code && track)
        *track = (struct ordo_offset_track){0};
    if (code && error)
        *error = own;
    return code;
}
