/* The public face of libordo-mpi: a transport, a verification and a model under one roof. */
#include <ordo/mpi.h>

#include <stdlib.h>
#include <time.h>

#include <ordo/clock.h>

#include "mpi/verify.h"
#include "sync/sync.h"
#include "transport/mpi.h"

struct ordo_mpi {
    const struct ordo_clock_source *source;
    struct ordo_transport *transport;
    struct ordo_model model;
    int64_t node_residual_ns, socket_residual_ns; /* as verified; -1: not */
    int64_t node_drift_ppb, socket_drift_ppb, verified_at_ns;
};

int ordo_mpi_create(MPI_Comm comm, const char *source, struct ordo_mpi **made, struct ordo_error *error)
{
    *made = NULL;
    const struct ordo_clock_source *found = ordo_clock_source_find(source ? source : ORDO_CLOCK_NAME);
    if (!found)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: not a clock: see 'ordo-mpi clocks'", source);
    struct ordo_transport *transport;
    int code = ordo_transport_mpi_create(comm, found, &transport, error);
    if (code)
        return code;
    struct ordo_mpi *context = malloc(sizeof *context);
    int have = context != NULL, all = 0;
    code = ordo_mpi_result(MPI_Allreduce(&have, &all, 1, MPI_INT, MPI_MIN, ordo_transport_mpi_comm(transport)),
                           "MPI_Allreduce", error);
    if (!code && !all)
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "context: out of memory, on one rank at least");
    if (code) {
        transport->free(transport);
        free(context);
        return code;
    }
    *context =
        (struct ordo_mpi){.source = found, .transport = transport, .node_residual_ns = -1, .socket_residual_ns = -1};
    *made = context;
    return ORDO_OK;
}

int ordo_mpi_verify(struct ordo_mpi *context, struct ordo_error *error)
{
    if (!context)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "no context");
    const struct ordo_node_clock clock = {.source = context->source};
    const struct ordo_verify_options options = {
        .clocks = &clock, .clock_count = 1, .rounds = 3, .exchanges = 200, .span_ns = 500000000, .visit_ns = 20000000};
    struct ordo_verify *verify;
    MPI_Comm comm = ordo_transport_mpi_comm(context->transport);
    context->node_residual_ns = context->socket_residual_ns = -1;
    int code = ordo_verify_run(comm, &options, &verify, error);
    if (code)
        return code;
    context->node_residual_ns = verify->node_residual_ns[0];
    context->socket_residual_ns = verify->socket_residual_ns[0];
    context->node_drift_ppb = verify->node_drift_ppb[0];
    context->socket_drift_ppb = verify->socket_drift_ppb[0];
    context->verified_at_ns = verify->at_ns;
    enum ordo_verdict_kind own = verify->own.verdicts[0].kind;
    int valid = own == ORDO_VALID, all;
    ordo_verify_free(verify);
    code = ordo_mpi_result(MPI_Allreduce(&valid, &all, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce", error);
    if (code || all)
        return code;
    if (valid)
        return ordo_error_set(error, ORDO_E_UNVERIFIED, 0, "%s: not valid on another node", context->source->name);
    return ordo_error_set(error, ORDO_E_UNVERIFIED, 0, "%s: %s on this rank's node", context->source->name,
                          ordo_verdict_name(own));
}

/* What was asked for, over the defaults. */
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
    if (asked->max_skew_ppb != 0)
        options->max_skew_ppb = asked->max_skew_ppb;
    options->fallback = asked->fallback;
    return ORDO_OK;
}

int ordo_mpi_sync(struct ordo_mpi *context, const struct ordo_mpi_options *asked, struct ordo_error *error)
{
    struct ordo_sync_options options;
    if (!context)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "no context");
    context->model.known = 0;
    int code = read_options(asked, &options, error);
    if (code)
        return code;
    bool sockets = ordo_sync_copies(&options) == ORDO_SYNC_COPIES_IN_SOCKETS;
    options.common_residual_ns = sockets ? context->socket_residual_ns : context->node_residual_ns;
    options.common_drift_ppb = (double)(sockets ? context->socket_drift_ppb : context->node_drift_ppb);
    options.common_age_ns = (int64_t)ordo_clock_system_ns(CLOCK_MONOTONIC_RAW) - context->verified_at_ns;
    return ordo_sync_run(context->transport, &options, &context->model, error);
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

void ordo_mpi_free(struct ordo_mpi *context)
{
    if (!context)
        return;
    context->transport->free(context->transport);
    free(context);
}
