/* Implements libordo-mpi: joins a transport, a verification and a model. */
#include "cluster/mpi/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ordo/clock.h>

#include "base/plural.h"
#include "base/time.h"
#include "cluster/sync/check.h"
#include "cluster/transport/mpi.h"

int ordo_mpi_create_by(MPI_Comm comm, const char *source, int64_t deadline_ns, struct ordo_mpi **made,
                       struct ordo_error *error)
{
    *made = NULL;
    const struct ordo_clock_source *found = ordo_clock_source_find(source ? source : ORDO_CLOCK_NAME);
    if (!found)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: not a clock: see 'ordo-mpi clocks'", source);
    struct ordo_transport *transport;
    int code = ordo_transport_mpi_create(comm, found, deadline_ns, &transport, error);
    if (code)
        return code;
    struct ordo_mpi_watch *watch = ordo_transport_mpi_watch(transport);
    struct ordo_mpi *context = malloc(sizeof *context);
    code = ordo_mpi_agree(watch, watch->comm, context ? ORDO_OK : ordo_error_errno(error, "context"), error);
    if (code) {
        transport->free(transport);
        free(context);
        return code;
    }
    *context = (struct ordo_mpi){.source = found, .transport = transport, .declared = ordo_sync_defaults()};
    ordo_common_forget(&context->node);
    ordo_common_forget(&context->socket);
    *made = context;
    return ORDO_OK;
}

int ordo_mpi_create(MPI_Comm comm, const char *source, struct ordo_mpi **made, struct ordo_error *error)
{
    return ordo_mpi_create_by(comm, source, ORDO_MPI_DEADLINE_NS, made, error);
}

static struct ordo_mpi_watch *watch_of(const struct ordo_mpi *context)
{
    return ordo_transport_mpi_watch(context->transport);
}

int ordo_mpi_set_deadline(struct ordo_mpi *context, double seconds, struct ordo_error *error)
{
    if (!context)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "no context");
    if (!(seconds == 0 || (seconds >= 1e-3 && seconds <= 1e9)))
        return ordo_error_set(error, ORDO_E_INVALID, 0, "a deadline of %g s: not 0 (none), or 0.001 to 1e9", seconds);
    watch_of(context)->deadline_ns = (int64_t)(seconds * 1e9);
    return ORDO_OK;
}

/* Converts the offsets of a pair to ns by the rate of `at`. The rate may be wrong, but both offsets of a pair must be
 * converted by the same rate: if the offset is large, a difference between two rates would look like a step. */
static struct ordo_found found_by(const struct ordo_mpi *context, const struct ordo_verify_node *at,
                                  struct ordo_verified_when when, const struct ordo_verdict_pair *pair)
{
    return (struct ordo_found){when, ordo_verify_ns(at, context->source, pair->offset.low),
                               ordo_verify_ns(at, context->source, pair->offset.high), pair->drift};
}

/* Ignores the earlier verification if a rank's set of CPUs has changed since. Each CPU has its own clock, so the
 * earlier verification was about other clocks: it does not bound the drift of the present ones, and a changed offset
 * need not be a step. */
int ordo_mpi_adopt(struct ordo_mpi *context, const struct ordo_verify *verify, int clock, struct ordo_error *error)
{
    const struct ordo_mpi_verified *before = &context->verified;
    struct ordo_verified_when when = {verify->at_ns, verify->end_ns};
    int code = ORDO_OK;
    if (verify->same_cpus) {
        struct ordo_found then = found_by(context, &verify->own, before->when, &before->lowest);
        struct ordo_found now = found_by(context, &verify->own, when, &verify->lowest[clock]);
        code = ordo_common_agree(&then, &now, &context->declared, error);
    }
    if (code || !verify->same_cpus) {
        ordo_common_forget(&context->node);
        ordo_common_forget(&context->socket);
    }
    ordo_common_take(&context->node, when, verify->node_residual_ns[clock], verify->node_drift_ppb[clock]);
    ordo_common_take(&context->socket, when, verify->socket_residual_ns[clock], verify->socket_drift_ppb[clock]);
    context->verified = (struct ordo_mpi_verified){when, verify->cpus, verify->lowest[clock]};
    return code;
}

static int64_t deadline_of(const struct ordo_mpi *context)
{
    return watch_of(context)->deadline_ns > 0 ? watch_of(context)->deadline_ns : -1;
}

static void forget_verified(struct ordo_mpi *context)
{
    ordo_common_forget(&context->node);
    ordo_common_forget(&context->socket);
    context->verified.when = (struct ordo_verified_when){0};
    ordo_mpi_forget(context);
}

/* Begins a collective call, and checks that all ranks make the same call with the same options. All calls except
 * harmonize and skew begin with this function: if two ranks make different calls, both still call the same MPI
 * functions here, so neither takes the other's messages for its own. A rank that cannot make the call passes the reason
 * as `code`.
 * 0: all ranks make this call with these options
 * `code`: this rank cannot make the call
 * ORDO_E_INVALID: two ranks make different calls, or pass different options */
static int agree_call(struct ordo_mpi_watch *watch, enum ordo_mpi_where where, int code, const char *options,
                      struct ordo_error *error)
{
    struct ordo_error other;
    char words[800], what[64];
    ordo_mpi_watch_enter(watch, where);
    (void)snprintf(words, sizeof words, "%s %s", ordo_mpi_where_name((int)where), code ? "not possible" : options);
    (void)snprintf(what, sizeof what, "%s: the call or its options", ordo_mpi_where_name((int)where));
    int differ = ordo_mpi_same(watch, watch->comm, words, what, code ? &other : error);
    return ordo_mpi_watch_explain(watch, code ? code : differ, error);
}

int ordo_mpi_verify(struct ordo_mpi *context, struct ordo_error *error)
{
    if (!context)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "no context");
    const struct ordo_node_clock clock = {.source = context->source};
    const struct ordo_verify_options options = {.clocks = &clock,
                                                .clock_count = 1,
                                                .rounds = 3,
                                                .exchanges = 200,
                                                .span_ns = 500000000,
                                                .visit_ns = 20000000,
                                                .cpus_before =
                                                    context->verified.when.begin_ns ? &context->verified.cpus : NULL,
                                                .deadline_ns = deadline_of(context)};
    struct ordo_verify *verify;
    struct ordo_mpi_watch *watch = watch_of(context);
    int code = agree_call(watch, ORDO_MPI_IN_VERIFY, ORDO_OK, "", error); /* if a rank is missing, the error names it */
    code = code ? code : ordo_verify_run(watch->comm, &options, &verify, error);
    if (code) {
        forget_verified(context);
        return code;
    }
    int stepped = ordo_mpi_adopt(context, verify, 0, error);
    enum ordo_verdict_kind own = verify->own.verdicts[0].kind;
    int valid = own == ORDO_VALID;
    int all[2] = {valid, verify->same_cpus && own != ORDO_INVALID};
    ordo_verify_free(verify);
    code = ordo_sync_agree(context->transport, stepped, error);
    if (code) {
        forget_verified(context);
        return ordo_mpi_watch_explain(watch, code, error);
    }
    code = ordo_mpi_reduce(watch, watch->comm, all, 2, MPI_INT, MPI_MIN, error);
    if (code || !all[1]) /* earlier models are about other clocks, or were copied between different clocks */
        ordo_mpi_forget(context);
    if (code || all[0])
        return code;
    if (valid)
        return ordo_error_set(error, ORDO_E_UNVERIFIED, 0, "%s: not valid on another node", context->source->name);
    return ordo_error_set(error, ORDO_E_UNVERIFIED, 0, "%s: %s on this rank's node", context->source->name,
                          ordo_verdict_name(own));
}

/* Sets `options` to the defaults, and overwrites those that the caller gave. */
static int read_options(const struct ordo_mpi_options *asked, struct ordo_sync_options *options,
                        struct ordo_error *error)
{
    *options = ordo_sync_defaults();
    if (!asked)
        return ORDO_OK;
    int code = ordo_sync_read(asked->algorithm, asked->inter, asked->socket, asked->intra, options, error);
    if (code)
        return code;
    if (asked->max_wander_ppb != 0)
        options->max_wander_ppb = asked->max_wander_ppb < 0 ? 0 : asked->max_wander_ppb;
    if (asked->late_wander_ppb != 0)
        options->late_wander_ppb = asked->late_wander_ppb < 0 ? 0 : asked->late_wander_ppb;
    if (asked->max_skew_ppb != 0)
        options->max_skew_ppb = asked->max_skew_ppb;
    options->fallback = asked->fallback;
    return ORDO_OK;
}

static int add_spec(char *words, size_t size, const struct ordo_sync_spec *spec)
{
    return snprintf(words, size, " %s %s %d %d %lld %d", spec->algorithm->name, spec->offset->name, spec->fit,
                    spec->pingpong, (long long)spec->window_ns, spec->recompute_intercept);
}

/* Checks that all ranks pass the same options. Options that describe a rank's own node may differ. `code` is this
 * rank's code so far. */
static int agree_on_options(struct ordo_mpi_watch *watch, int code, const struct ordo_sync_options *options,
                            struct ordo_error *error)
{
    const struct ordo_sync_spec *const specs[] = {&options->main, &options->inter, &options->socket, &options->intra};
    char words[700];
    int length = snprintf(words, sizeof words, "%a %a %a %d", options->max_wander_ppb, options->late_wander_ppb,
                          options->max_skew_ppb, options->fallback);
    for (size_t i = 0; i < sizeof specs / sizeof *specs && !code; i++)
        length += add_spec(words + length, sizeof words - (size_t)length, specs[i]);
    return agree_call(watch, ORDO_MPI_IN_SYNC, code, words, error);
}

static int sync_by(struct ordo_mpi *context, int code, const struct ordo_sync_options *asked, struct ordo_error *error)
{
    struct ordo_sync_options options = *asked;
    struct ordo_mpi_watch *watch = watch_of(context);
    code = agree_on_options(watch, code, asked, error);
    if (code)
        return code;
    bool sockets = ordo_sync_copies(&options) == ORDO_SYNC_COPIES_IN_SOCKETS;
    /* The clock is read before the age of the verification: a delay between the two reads can only make the age
     * larger. */
    int64_t now_ns = context->transport->now_ns(context->transport);
    ordo_common_tell(sockets ? &context->socket : &context->node, now_ns, ordo_raw_ns(), &options);
    code = ordo_sync_run(context->transport, &options, &context->track, &context->model, error);
    if (code != ORDO_E_INVALID)
        context->declared = options;
    return ordo_mpi_watch_explain(watch, code, error);
}

int ordo_mpi_sync_by(struct ordo_mpi *context, const struct ordo_sync_options *asked, struct ordo_error *error)
{
    return sync_by(context, ORDO_OK, asked, error);
}

int ordo_mpi_sync(struct ordo_mpi *context, const struct ordo_mpi_options *asked, struct ordo_error *error)
{
    struct ordo_sync_options options;
    if (!context)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "no context");
    context->model.known = 0;
    return sync_by(context, read_options(asked, &options, error), &options, error);
}

/* Judges the checks on rank 0, and returns the same code on all ranks. ORDO_E_MEASURE: a measurement refutes the bound
 * of a rank; the text names the rank. */
static int judge_checks(const struct ordo_mpi *context, const struct ordo_global_check *checks, int count,
                        struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 0; i < count && !code; i++)
        if (checks[i].refuted)
            code = ordo_error_set(
                error, ORDO_E_MEASURE, 0,
                "rank %d's global clock is off by %lld to %lld ns, and its bound allows %lld to %lld ns",
                checks[i].rank, (long long)checks[i].measured_low_ns, (long long)checks[i].measured_high_ns,
                (long long)checks[i].claimed_low_ns, (long long)checks[i].claimed_high_ns);
    return ordo_mpi_agree(watch_of(context), watch_of(context)->comm, code, error);
}

int ordo_mpi_check(struct ordo_mpi *context, const struct ordo_mpi_check_options *asked,
                   struct ordo_global_check *checks, int *count, struct ordo_error *error)
{
    enum { PERCENT = 100, PINGPONG = 100, MOST_PINGPONG = 1000000 };
    const struct ordo_mpi_check_options none = {0}, *options = asked ? asked : &none;
    int percent = options->percent ? options->percent : PERCENT, found = 0;
    int pingpong = options->pingpong ? options->pingpong : PINGPONG;
    if (count)
        *count = 0;
    if (!context || !context->model.known)
        return ordo_error_set(error, ORDO_E_INVALID, 0, context ? "not synchronised" : "no context");
    struct ordo_mpi_watch *watch = watch_of(context);
    struct ordo_transport *transport = context->transport;
    int code = ORDO_OK;
    if (percent < 0 || percent > PERCENT || pingpong < 0 || pingpong > MOST_PINGPONG)
        code = ordo_error_set(error, ORDO_E_INVALID, 0, "%d percent, %d exchanges: not 1 to %d, 1 to %d", percent,
                              pingpong, PERCENT, MOST_PINGPONG);
    char words[80];
    (void)snprintf(words, sizeof words, "%d %d %llu", percent, pingpong, (unsigned long long)options->seed);
    code = agree_call(watch, ORDO_MPI_IN_CHECK, code, words, error);
    if (code)
        return code;
    struct ordo_global_check *own = transport->rank == 0 ? calloc((size_t)transport->size, sizeof *own) : NULL;
    code = transport->rank == 0 && !own
               ? ordo_error_errno(error, "%d check%s", transport->size, ordo_plural(transport->size))
               : ORDO_OK;
    code = ordo_mpi_agree(watch, watch->comm, code, error);
    if (!code && ordo_sync_check(transport, &context->model, &context->track, pingpong, percent, options->seed, own,
                                 &found) != ORDO_OK)
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "a message was lost");
    code = code ? code : judge_checks(context, own, found, error);
    if (code == ORDO_E_MEASURE) /* the track was made from a model that is proved wrong */
        ordo_mpi_forget(context);
    code = ordo_mpi_watch_explain(watch, code, error);
    if (checks && found)
        memcpy(checks, own, (size_t)found * sizeof *checks);
    if (count)
        *count = found;
    free(own);
    return code;
}

int ordo_mpi_harmonize_in(struct ordo_mpi *context, int64_t notice_ns, struct ordo_mpi_harmony *harmony,
                          struct ordo_error *error)
{
    struct ordo_harmony own;
    *harmony = (struct ordo_mpi_harmony){0};
    if (!context || !context->model.known)
        return ordo_error_set(error, ORDO_E_INVALID, 0, context ? "not synchronised" : "no context");
    ordo_mpi_watch_enter(watch_of(context), ORDO_MPI_IN_HARMONIZE);
    int code = ordo_sync_harmonize(context->transport, &context->model, notice_ns, &context->harmonizer, &own);
    if (code)
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "a message was lost");
    else
        *harmony = (struct ordo_mpi_harmony){own.at_ns, own.local_ns, own.left, own.late};
    return ordo_mpi_watch_explain(watch_of(context), code, error);
}

int ordo_mpi_harmonize(struct ordo_mpi *context, struct ordo_mpi_harmony *harmony, struct ordo_error *error)
{
    return ordo_mpi_harmonize_in(context, 0, harmony, error);
}

int ordo_mpi_skew(struct ordo_mpi *context, const struct ordo_mpi_harmony *harmony, struct ordo_global_skew *skew,
                  struct ordo_error *error)
{
    *skew = (struct ordo_global_skew){.most_ns = INT64_MAX};
    if (!context)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "no context");
    const struct ordo_harmony own = {harmony->at_ns, harmony->local_ns, harmony->left, harmony->late != 0};
    ordo_mpi_watch_enter(watch_of(context), ORDO_MPI_IN_SKEW);
    int code = ordo_sync_skew(context->transport, &own, skew);
    if (code)
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "a message was lost");
    return ordo_mpi_watch_explain(watch_of(context), code, error);
}

int64_t ordo_mpi_local_ns(const struct ordo_mpi *context)
{
    return context ? context->transport->now_ns(context->transport) : 0;
}

struct ordo_global_time ordo_mpi_at(const struct ordo_mpi *context, int64_t local_ns)
{
    static const struct ordo_model unknown;
    return ordo_model_time(context ? &context->model : &unknown, local_ns);
}

struct ordo_global_time ordo_mpi_now(const struct ordo_mpi *context)
{
    return ordo_mpi_at(context, ordo_mpi_local_ns(context));
}

void ordo_mpi_forget(struct ordo_mpi *context)
{
    context->track = (struct ordo_offset_track){0};
}

struct ordo_global_wander ordo_mpi_wander(const struct ordo_mpi *context)
{
    return context ? context->track.wander : (struct ordo_global_wander){0};
}

void ordo_mpi_free(struct ordo_mpi *context)
{
    if (!context)
        return;
    context->transport->free(context->transport);
    free(context);
}
