#include "cluster/sync/harmonize.h"

#include "cluster/sync/tree.h"
#include "cluster/transport/tags.h"

/* The joined values of all ranks: the largest of each. A skew has a tag of its own, so that it cannot be taken for a
 * time to leave at. */
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

static int tell_step(struct ordo_transport *t, int neighbour, bool child, void *context)
{
    struct most *word = context;
    return child ? t->receive(t, neighbour, word->tag, word, sizeof *word)
                 : t->send(t, neighbour, word->tag, word, sizeof *word);
}

/* Returns the local time at which the model's estimate is `global_ns`, or 1 ns later if no local time has exactly this
 * estimate. The offset changes by a small share of the distance, so each step leaves less than this share of the
 * error. */
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

/* Rank 0: the notice is twice the longest recent delivery of its message; older deliveries decay. */
static void learn(struct ordo_harmonizer *harmonizer, int64_t took_ns)
{
    enum { FORGET = 16 };
    int64_t faded_ns = harmonizer->notice_ns - harmonizer->notice_ns / FORGET;
    harmonizer->notice_ns = 2 * took_ns > faded_ns ? 2 * took_ns : faded_ns;
}

/* Waits for all ranks; then rank 0 sends the time at which it spoke, and the time to leave at. */
static int announce(struct ordo_transport *t, const struct ordo_model *model, int64_t notice_ns,
                    struct ordo_harmonizer *harmonizer, struct ordo_harmony *harmony)
{
    struct most word = {.values = {harmonizer->took_ns}, .tag = ORDO_TAG_HARMONY};
    int code = ordo_tree_up(t, join_step, &word);
    if (t->rank == 0 && !code) {
        learn(harmonizer, word.values[0]);
        word.values[0] = ordo_model_time(model, t->now_ns(t)).estimate_ns;
        word.values[1] = word.values[0] + (notice_ns > 0 ? notice_ns : harmonizer->notice_ns);
    }
    code = code ? code : ordo_tree_down(t, tell_step, &word);
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
    if (notice_ns <= 0 && !harmonizer->took_ns) /* on all ranks: the first message only measures its delivery */
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
 * The interval cannot be narrower than the shortest round trip between two nodes, however well the clocks agree. Let
 * the messages of one node take d more to the others and d less back, and let its clock be d ahead: every rank reads
 * the same times as before, in every message, but the true skew differs. This shift can go as far as the shortest
 * message each way, so an interval that is right in all these clusters is as wide as both together (J. Lundelius, N.
 * Lynch, An upper and lower bound for clock synchronization, Information and Control 62, 1984, by the same shift). Our
 * interval is as wide as the sum of the round trips on the way from rank 0: up to log2 n of them with H2HCA on n nodes.
 * It would be narrower if a delay were known beforehand, or if rank 0 measured all nodes, one after the other.
 *
 * Rank i left at a true time x_i in [e_i, l_i].
 *
 * [K1] max x <= max l and min x >= min e: the skew is at most max l - min e.
 * [K2] max x >= max e and min x <= min l: the skew is at least max e - min l, and never below 0.
 * [K3] One rank alone has no skew, even if nothing is known of its time. */
int ordo_sync_skew(struct ordo_transport *t, const struct ordo_harmony *harmony, struct ordo_global_skew *skew)
{
    const struct ordo_global_time *left = &harmony->left;
    struct most all = {
        .values = {left->latest_ns, -left->earliest_ns, left->earliest_ns, -left->latest_ns, harmony->late},
        .tag = ORDO_TAG_SKEW};
    int code = ordo_tree_up(t, join_step, &all);
    code = code ? code : ordo_tree_down(t, tell_step, &all);
    int64_t most_ns = all.values[0] + all.values[1], least_ns = all.values[2] + all.values[3]; /* [K1] [K2] */
    *skew = (struct ordo_global_skew){.least_ns = least_ns > 0 ? least_ns : 0, .most_ns = most_ns};
    if (t->size == 1)
        *skew = (struct ordo_global_skew){0}; /* [K3] */
    skew->late = all.values[4] != 0;
    return code;
}
