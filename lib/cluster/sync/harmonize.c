#include "cluster/sync/harmonize.h"

#include "cluster/sync/tree.h"
#include "cluster/transport/tags.h"

/* A message with the largest value of all ranks, for each of five quantities. harmonize and skew use different tags, so
 * that a rank in one call cannot receive a message of the other. */
struct most {
    int64_t values[5];
    int tag;
};

static int join_step(struct ordo_transport *t, int neighbour, bool child, void *context)
{
    struct most *own = context, other;
    if (child)
        return t->send(t, neighbour, own->tag, own, sizeof *own);
    int code = t->receive(t, neighbour, own->tag, &other, sizeof other);
    for (int i = 0; i < 5 && !code; i++)
        own->values[i] = other.values[i] > own->values[i] ? other.values[i] : own->values[i];
    return code;
}

static int tell_due_step(struct ordo_transport *t, int neighbour, bool child, void *context)
{
    struct most *word = context;
    return child ? t->receive(t, neighbour, word->tag, word, sizeof *word)
                 : t->send(t, neighbour, word->tag, word, sizeof *word);
}

/* Returns a local time at which the model's estimate of global time is `global_ns`, or `global_ns` + 1 because of
 * rounding. Each step adds the remaining error to the local time, and leaves an error of only |slope| times as much. */
static int64_t local_of(const struct ordo_model *model, int64_t global_ns, int64_t local_ns)
{
    enum { STEPS = 64 };
    for (int i = 0; i < STEPS; i++) {
        int64_t missing_ns = global_ns - ordo_model_time(model, local_ns).estimate_ns;
        if (missing_ns == 0 || missing_ns == -1)
            break;
        local_ns += missing_ns;
    }
    return local_ns;
}

/* Rank 0: sets the notice to twice the longest recent delivery of its message; older deliveries decay. */
static void learn_notice(struct ordo_harmonizer *harmonizer, int64_t took_ns)
{
    enum { FORGET = 16 };
    int64_t faded_ns = harmonizer->notice_ns - harmonizer->notice_ns / FORGET;
    harmonizer->notice_ns = 2 * took_ns > faded_ns ? 2 * took_ns : faded_ns;
}

/* Waits for all ranks. Then rank 0 sends two global times: the time of this message, and the time to leave at. */
static int announce(struct ordo_transport *t, const struct ordo_model *model, int64_t notice_ns,
                    struct ordo_harmonizer *harmonizer, struct ordo_harmony *harmony)
{
    struct most word = {.values = {harmonizer->took_ns}, .tag = ORDO_TAG_HARMONY};
    int code = ordo_tree_up(t, join_step, &word);
    if (t->rank == 0 && !code) {
        learn_notice(harmonizer, word.values[0]);
        word.values[0] = ordo_model_time(model, t->now_ns(t)).estimate_ns;
        word.values[1] = word.values[0] + (notice_ns > 0 ? notice_ns : harmonizer->notice_ns);
    }
    code = code ? code : ordo_tree_down(t, tell_due_step, &word);
    if (code)
        return code;
    harmony->local_ns = t->now_ns(t);
    int64_t heard_ns = ordo_model_time(model, harmony->local_ns).estimate_ns;
    harmonizer->took_ns = heard_ns > word.values[0] ? heard_ns - word.values[0] : 1;
    harmony->at_ns = word.values[1];
    harmony->late = t->size > 1 && heard_ns > harmony->at_ns;
    return ORDO_OK;
}

int ordo_sync_harmonize(struct ordo_transport *t, const struct ordo_model *model, int64_t notice_ns,
                        struct ordo_harmonizer *harmonizer, struct ordo_harmony *harmony)
{
    int code = ORDO_OK;
    if (notice_ns <= 0 &&
        !harmonizer->took_ns) /* unknown notice, on all ranks alike: a first message only measures its delivery */
        code = announce(t, model, 0, harmonizer, harmony);
    code = code ? code : announce(t, model, notice_ns, harmonizer, harmony);
    if (code)
        return code;
    harmony->local_ns = t->spin_until_ns(t, local_of(model, harmony->at_ns, harmony->local_ns));
    harmony->left = ordo_model_time(model, harmony->local_ns);
    return ORDO_OK;
}

/* Computes the interval of the skew.
 *
 * The interval cannot be narrower than the shortest round trip between two nodes, however well the clocks agree.
 * Suppose that all messages from one node take d longer, that all messages to this node take d less, and that its clock
 * is d ahead. Then every rank reads the same times in every message as without this shift, but the true skew differs.
 * d can range from minus the shortest time of a message from the node to the shortest time of a message to the node. An
 * interval that is right for all these d is at least as wide as the range of d, which is the shortest round trip
 * (J. Lundelius, N. Lynch, An upper and lower bound for clock synchronization, Information and Control 62, 1984, by the
 * same shift).
 *
 * The width of the computed interval is the sum of the round trips on the path from rank 0: up to log2 n round trips
 * with H2HCA on n nodes. The interval would be narrower if a delay were known beforehand, or if rank 0 measured all
 * nodes directly.
 *
 * Rank i left at a true time x_i in [e_i, l_i].
 *
 * [K1] max x <= max l and min x >= min e: the skew is at most max l - min e.
 * [K2] max x >= max e and min x <= min l: the skew is at least max e - min l, and never below 0.
 * [K3] The skew of a single rank is 0, even if nothing is known of its time. */
int ordo_sync_skew(struct ordo_transport *t, const struct ordo_harmony *harmony, struct ordo_global_skew *skew)
{
    const struct ordo_global_time *left = &harmony->left;
    struct most all = {
        .values = {left->latest_ns, -left->earliest_ns, left->earliest_ns, -left->latest_ns, harmony->late},
        .tag = ORDO_TAG_SKEW};
    int code = ordo_tree_up(t, join_step, &all);
    code = code ? code : ordo_tree_down(t, tell_due_step, &all);
    int64_t most_ns = all.values[0] + all.values[1], least_ns = all.values[2] + all.values[3]; /* [K1] [K2] */
    *skew = (struct ordo_global_skew){.least_ns = least_ns > 0 ? least_ns : 0, .most_ns = most_ns};
    if (t->size == 1)
        *skew = (struct ordo_global_skew){0}; /* [K3] */
    skew->late = all.values[4] != 0;
    return code;
}
