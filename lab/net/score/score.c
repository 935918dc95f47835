#include "lab/net/score/score.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/spread.h"

static const double slack = 1.5;

static bool room_for_one(struct ordo_net_claims *claims)
{
    if (claims->count < claims->room)
        return true;
    size_t room = claims->room ? 2 * claims->room : 1024;
    struct ordo_net_claim *larger = realloc(claims->claim, room * sizeof *larger);
    if (!larger)
        return false;
    claims->claim = larger;
    claims->room = room;
    return true;
}

static bool add_claim(struct ordo_net_claims *claims, int64_t true_ps, double error_ps)
{
    if (room_for_one(claims))
        claims->claim[claims->count++] = (struct ordo_net_claim){(double)true_ps * 1e-12, error_ps * 1e-3};
    else
        claims->full = true;
    return !claims->full;
}

void ordo_net_claim_error(struct ordo_net_claims *claims, int64_t true_ps, double error_ps, int64_t bound_ps)
{
    if (!add_claim(claims, true_ps, error_ps) || bound_ps < 0)
        return;
    claims->bounded++;
    claims->broken += fabs(error_ps) > (double)bound_ps;
    claims->widest_ps = ordo_max(claims->widest_ps, bound_ps);
}

void ordo_net_claim(struct ordo_net_claims *claims, const struct ordo_net *net, int host, int64_t true_ps,
                    double offset_ps, const struct ordo_interval *bound)
{
    int64_t truth_ps = ordo_net_clock_true(net, host, true_ps) - ordo_net_clock_true(net, 0, true_ps);
    if (!add_claim(claims, true_ps, offset_ps - (double)truth_ps) || !bound)
        return;
    claims->bounded++;
    claims->broken += truth_ps < bound->low || truth_ps > bound->high;
    int64_t said_ps = llround(offset_ps), width_ps = ordo_max(said_ps - bound->low, bound->high - said_ps);
    claims->widest_ps = ordo_max(claims->widest_ps, width_ps);
}

void ordo_net_claims_free(struct ordo_net_claims *claims)
{
    free(claims->claim);
    *claims = (struct ordo_net_claims){0};
}

/* Returns the first time from which on no error is larger than 1.5 times the largest error in the last half of the run.
 * The claims are in order of time. */
static double converged_at(const struct ordo_net_claims *claims, double seconds)
{
    double usual_ns = 0;
    size_t first = claims->count;
    for (; first > 0 && claims->claim[first - 1].at_s >= seconds / 2; first--)
        usual_ns = fmax(usual_ns, fabs(claims->claim[first - 1].error_ns));
    if (first == claims->count)
        return NAN;
    while (first > 0 && fabs(claims->claim[first - 1].error_ns) <= slack * usual_ns)
        first--;
    double at_s = claims->claim[first].at_s;
    return first > 0 && claims->claim[first - 1].at_s == at_s ? nextafter(at_s, INFINITY) : at_s;
}

static int part_of(const struct ordo_net_claim *claim, double seconds)
{
    return (int)fmin(fmax(claim->at_s / seconds, 0) * ORDO_NET_PARTS, ORDO_NET_PARTS - 1);
}

/* Fills in the quantiles of all parts. The claims are in order of time. `errors` has room for one more than all of
 * them. */
static void describe_parts(struct ordo_net_score *score, const struct ordo_net_claims *claims, double *errors)
{
    const struct ordo_net_claim *claim = claims->claim;
    for (int i = 0; i < ORDO_NET_PARTS; i++) {
        struct ordo_net_part *part = &score->course[i];
        for (size_t k = 0; k < part->claims; k++)
            errors[k] = claim++->error_ns;
        ordo_stats_sort(errors, part->claims);
        for (int k = 0; k < ORDO_NET_PART_CURVE && part->claims > 0; k++)
            part->curve_ns[k] = ordo_stats_percentile(errors, part->claims, 100.0 * k / (ORDO_NET_PART_CURVE - 1));
    }
}

/* B. P. Welford, Technometrics 4 (1962): until the end, the deviations are sums of squares. */
static void describe_course(struct ordo_net_score *score, const struct ordo_net_claims *claims, double seconds)
{
    for (size_t i = 0; i < claims->count; i++) {
        const struct ordo_net_claim *claim = &claims->claim[i];
        struct ordo_net_part *in = &score->course[part_of(claim, seconds)];
        double before_ns = in->mean_ns;
        in->claims++;
        in->at_s += (claim->at_s - in->at_s) / (double)in->claims;
        in->mean_ns += (claim->error_ns - before_ns) / (double)in->claims;
        in->stddev_ns += (claim->error_ns - before_ns) * (claim->error_ns - in->mean_ns);
    }
    for (int i = 0; i < ORDO_NET_PARTS; i++)
        if (score->course[i].claims > 0)
            score->course[i].stddev_ns = sqrt(score->course[i].stddev_ns / (double)score->course[i].claims);
}

void ordo_net_score_describe(struct ordo_net_score *score, double *errors, size_t count)
{
    struct ordo_spread spread = ordo_stats_spread(errors, count);
    score->claims = count;
    score->mean_signed_ns = spread.mean;
    score->stddev_ns = spread.deviation;
    ordo_stats_sort(errors, count);
    for (int i = 0; i < ORDO_NET_CURVE; i++)
        score->signed_ns[i] = ordo_stats_percentile(errors, count, i / 10.0);
    for (size_t i = 0; i < count; i++)
        errors[i] = fabs(errors[i]);
    score->mean_absolute_ns = ordo_stats_spread(errors, count).mean;
    ordo_stats_sort(errors, count);
    for (int i = 0; i < ORDO_NET_CURVE; i++)
        score->curve_ns[i] = ordo_stats_percentile(errors, count, i / 10.0);
    score->p50_ns = score->curve_ns[500];
    score->p75_ns = score->curve_ns[750];
    score->p95_ns = score->curve_ns[950];
    score->p99_ns = score->curve_ns[990];
    score->max_ns = errors[count - 1];
}

int ordo_net_score_make(struct ordo_net_score *score, struct ordo_net_claims *claims, const struct ordo_net *net,
                        struct ordo_error *error)
{
    const struct ordo_net_options *options = ordo_net_options_of(net);
    int code =
        ordo_net_score_claims(score, claims, options->hosts, options->seconds, ordo_net_counted(net).bytes, error);
    score->served = ordo_net_metered(net, 0);
    return code;
}

int ordo_net_score_claims(struct ordo_net_score *score, struct ordo_net_claims *claims, int hosts, double seconds,
                          uint64_t bytes, struct ordo_error *error)
{
    double *errors = calloc(claims->count + 1, sizeof *errors);
    *score = (struct ordo_net_score){.hosts = hosts, .bound_ns = NAN};
    score->converged_after_s = converged_at(claims, seconds);
    describe_course(score, claims, seconds);
    if (errors)
        describe_parts(score, claims, errors);
    size_t count = 0;
    for (size_t i = 0; errors && i < claims->count; i++)
        if (claims->claim[i].at_s >= score->converged_after_s)
            errors[count++] = claims->claim[i].error_ns;
    if (count > 0)
        ordo_net_score_describe(score, errors, count);
    if (claims->count > 0 && claims->bounded == claims->count)
        score->bound_ns = (double)claims->widest_ps * 1e-3;
    score->bound_held = claims->broken == 0;
    score->bytes_per_second_per_host = (double)bytes / seconds / (double)hosts;
    bool full = claims->full || !errors;
    free(errors);
    ordo_net_claims_free(claims);
    if (full)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "a score: out of memory");
    return count > 0 ? ORDO_OK
                     : ordo_error_set(error, ORDO_E_MEASURE, 0, "no claim in %g s: simulate for longer", seconds);
}
