#include "cluster/sync/tree.h"

#include "cluster/sync/link.h"

static int rounds_of(int size)
{
    int rounds = 0;
    while (2 << rounds <= size)
        rounds++;
    return rounds;
}

/* Does one round, with n = `rounds`. Rounds n, ..., 1 pair the ranks below 2^n with each other (tree.h); round 0 pairs
 * each rank r >= 2^n with rank r - 2^n. */
static int pair_up(struct ordo_transport *t, int round, int rounds, ordo_tree_step *step, void *context)
{
    int top = 1 << rounds;
    if (round == 0) {
        if (t->rank >= top)
            return step(t, t->rank - top, true, context);
        return t->rank + top < t->size ? step(t, t->rank + top, false, context) : ORDO_OK;
    }
    int half = 1 << (round - 1);
    if (t->rank >= top || t->rank % half != 0)
        return ORDO_OK;
    bool child = t->rank % (2 * half) != 0;
    return step(t, child ? t->rank - half : t->rank + half, child, context);
}

int ordo_tree_down(struct ordo_transport *t, ordo_tree_step *step, void *context)
{
    int code = ORDO_OK, rounds = rounds_of(t->size);
    for (int round = rounds; round >= 0 && !code; round--)
        code = pair_up(t, round, rounds, step, context);
    return code;
}

int ordo_tree_up(struct ordo_transport *t, ordo_tree_step *step, void *context)
{
    int code = ORDO_OK, rounds = rounds_of(t->size);
    for (int round = 0; round <= rounds && !code; round++)
        code = pair_up(t, round, rounds, step, context);
    return code;
}

static int least_step(struct ordo_transport *t, int neighbour, bool child, void *context)
{
    int64_t *least = context, other;
    if (child)
        return t->send(t, neighbour, ORDO_TAG_AGREE, least, sizeof *least);
    int code = t->receive(t, neighbour, ORDO_TAG_AGREE, &other, sizeof other);
    if (!code && other < *least)
        *least = other;
    return code;
}

static int tell_tree_step(struct ordo_transport *t, int neighbour, bool child, void *context)
{
    return child ? t->receive(t, neighbour, ORDO_TAG_AGREE, context, sizeof(int64_t))
                 : t->send(t, neighbour, ORDO_TAG_AGREE, context, sizeof(int64_t));
}

int ordo_tree_least(struct ordo_transport *t, int64_t *value)
{
    int code = ordo_tree_up(t, least_step, value);
    return code ? code : ordo_tree_down(t, tell_tree_step, value);
}

static int model_step(struct ordo_transport *t, int neighbour, bool child, void *context)
{
    return child ? t->receive(t, neighbour, ORDO_TAG_MODEL, context, sizeof(struct ordo_model))
                 : t->send(t, neighbour, ORDO_TAG_MODEL, context, sizeof(struct ordo_model));
}

struct narrowing {
    int pingpong;
    struct ordo_model *model;
    struct ordo_error *error;
};

static int narrow_step(struct ordo_transport *t, int neighbour, bool child, void *context)
{
    const struct narrowing *work = context;
    struct ordo_model parent;
    struct ordo_fit_point point;
    int64_t granule_ns;
    if (!child) {
        int code = ordo_link_serve_once(t, neighbour, work->pingpong);
        return code ? code : t->send(t, neighbour, ORDO_TAG_MODEL, work->model, sizeof *work->model);
    }
    int code = ordo_link_measure_once(t, neighbour, work->pingpong, &point, &granule_ns);
    if (!code)
        code = t->receive(t, neighbour, ORDO_TAG_MODEL, &parent, sizeof parent);
    if (code || !work->model->known || !parent.known)
        return code;
    point = ordo_model_relay(&parent, &point, granule_ns);
    (void)ordo_model_adjust(work->model, &point, granule_ns, work->error);
    return ORDO_OK;
}

int ordo_tree_narrow(struct ordo_transport *t, int pingpong, struct ordo_model *model, struct ordo_error *error)
{
    struct narrowing work = {pingpong, model, error};
    return ordo_tree_down(t, narrow_step, &work);
}

int ordo_tree_put_on(struct ordo_transport *t, const struct ordo_model *root, struct ordo_model *model)
{
    struct ordo_model below = *root;
    int code = ordo_tree_down(t, model_step, &below);
    if (!code)
        *model = t->rank == 0 ? *root : ordo_model_merge(model, &below);
    return code;
}
