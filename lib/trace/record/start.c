#include "trace/record/start.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time.h"
#include "cluster/sync/tree.h"
#include "cluster/transport/mpi.h"
#include "trace/record/calls.h"
#include "trace/record/communicator.h"
#include "trace/record/complain.h"
#include "trace/record/fortran.h"
#include "trace/record/message.h"
#include "trace/record/recorder.h"
#include "trace/record/session.h"

/* True if MPI_Comm_spawn started this process. Its MPI_COMM_WORLD is not that of its parents, but has the same rank
 * numbers, so its files are a trace of their own. */
static bool is_spawned(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

/* Names the files of a spawned MPI_COMM_WORLD: PREFIX-spawned-NUMBER, which PREFIX.*.otrace does not match. No clock is
 * verified unless the user asks for it, because a program may spawn often. */
static int settle_spawned(struct ordo_trace_settings *settings, struct ordo_error *error)
{
    char suffix[32];
    int length = snprintf(suffix, sizeof suffix, "-spawned-%08x", (unsigned)(settings->run >> 32));
    size_t used = strlen(settings->prefix);
    if (settings->synced_host == ORDO_TRACE_HOST_ALONE)
        settings->synced_host = ORDO_TRACE_HOST_OFF;
    if (used + (size_t)length >= sizeof settings->prefix)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "it was started by MPI_Comm_spawn: %.100s...: is too long",
                              settings->prefix);
    memcpy(settings->prefix + used, suffix, (size_t)length + 1);
    return ORDO_OK;
}

/* Rank 0 reads the settings for all ranks, so that no rank waits for a session that another rank does not hold. */
static int settle_settings(struct ordo_trace_recorder *recorder)
{
    struct ordo_trace_settings *settings = &recorder->settings;
    PMPI_Comm_rank(MPI_COMM_WORLD, &recorder->rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &recorder->size);
    if (recorder->rank == 0) {
        struct ordo_error error = {0};
        int code = ordo_trace_settings_read(settings, &error);
        const char *clock = *settings->clock ? settings->clock : ORDO_CLOCK_NAME;
        if (!code && !ordo_clock_source_find(clock))
            code = ordo_error_set(&error, ORDO_E_INVALID, 0,
                                  "ORDO_TRACE_CLOCK '%s': not a clock: see 'ordo-mpi clocks'", clock);
        if (!*settings->prefix)
            (void)snprintf(settings->prefix, sizeof settings->prefix, "%s", program_invocation_short_name);
        if (!code && is_spawned())
            code = settle_spawned(settings, &error);
        if (code)
            ordo_trace_complain(0, "%s; nothing is recorded", error.text);
        settings->has_error = code;
    }
    PMPI_Bcast(settings, sizeof *settings, MPI_BYTE, 0, MPI_COMM_WORLD);
    uint64_t capacity = 64;
    while (capacity < (uint64_t)settings->buffer_events)
        capacity *= 2;
    settings->buffer_events = (double)capacity;
    const struct ordo_clock_source *source =
        ordo_clock_source_find(*settings->clock ? settings->clock : ORDO_CLOCK_NAME);
    recorder->source = source && strcmp(source->name, ORDO_CLOCK_NAME) == 0 ? NULL : source;
    return settings->has_error;
}

/* Returns true if all ranks succeeded. Otherwise the lowest rank that failed says why, and no rank records. */
static bool all_could(const struct ordo_trace_recorder *recorder, int code, const struct ordo_error *error)
{
    int failing = code ? recorder->rank : INT32_MAX, lowest;
    PMPI_Allreduce(&failing, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (lowest == recorder->rank)
        ordo_trace_complain(recorder->rank, "%s; nothing is recorded", error->text);
    return lowest == INT32_MAX;
}

static bool is_one_node(const struct ordo_trace_recorder *recorder)
{
    MPI_Comm node;
    int size;
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    PMPI_Comm_size(node, &size);
    PMPI_Comm_free(&node);
    return size == recorder->size; /* the same on all ranks */
}

/* True if the ranks of the only node have CPUs enough: ranks that wait for CPUs make a verification long, and let it
 * fail. The CPUs are those on which some rank may run, which in a container are fewer than those of the machine. */
static bool has_cpus(const struct ordo_trace_recorder *recorder)
{
    enum { RANKS_OF_CPU = 4 };
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    (void)sched_getaffinity(0, sizeof cpus, &cpus); /* fails above 1024 CPUs, and then leaves the set empty */
    PMPI_Allreduce(MPI_IN_PLACE, &cpus, sizeof cpus, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    return recorder->size <= RANKS_OF_CPU * CPU_COUNT(&cpus); /* the same on all ranks */
}

/* True if the recorder is to find out whether the ranks of a node share a clock. */
static bool verifies(const struct ordo_trace_recorder *recorder)
{
    int host = (int)recorder->settings.synced_host;
    return host == ORDO_TRACE_HOST_ON ||
           (host == ORDO_TRACE_HOST_ALONE && recorder->size > 1 && is_one_node(recorder) && has_cpus(recorder));
}

/* Returns the rank whose clock this rank shares, or its own number. */
static int find_clock_rank(struct ordo_trace_recorder *recorder)
{
    struct ordo_error error = {0};
    struct ordo_transport *node;
    int lowest = recorder->rank;
    if (recorder->settings.synced_cluster != 0)
        return 0;
    if (!verifies(recorder))
        return lowest;
    int code = ordo_mpi_verify(recorder->context, &error);
    if (!code)
        code = recorder->context->transport->split_level(recorder->context->transport, ORDO_LEVEL_NODE, &node, NULL,
                                                         &error);
    int64_t least = lowest;
    if (!code)
        code = ordo_tree_least(node, &least);
    if (code && recorder->rank == 0 && recorder->settings.synced_host == ORDO_TRACE_HOST_ON)
        ordo_trace_complain(0, "SYNCED_HOST is not proved (%s): every rank is measured", error.text);
    return code ? lowest : (int)least;
}

/* Returns the step of the clock, in ticks. */
static uint64_t granule_of(const struct ordo_trace_recorder *recorder)
{
    uint64_t granule_ns = (uint64_t)recorder->context->transport->granule_ns;
    return (uint64_t)(((unsigned __int128)granule_ns << recorder->head.ns_shift) / recorder->head.ns_mult) + 1;
}

/* Notes the proof behind a shared clock. Reads the rank's clock first and the age of the verification afterwards: a
 * delay between the two makes the age larger, and never smaller. */
static void fill_proof(const struct ordo_trace_recorder *recorder, struct ordo_trace_head *head)
{
    const struct ordo_common *node = &recorder->context->node;
    if (recorder->settings.synced_cluster != 0 || head->clock_of == recorder->rank)
        return;
    int64_t now_ns = ordo_trace_local_ns(head, ordo_trace_entry_ticks(recorder->source));
    head->shared_at_ns = now_ns - (ordo_raw_ns() - node->when.begin_ns);
    head->shared_for_ns = node->when.end_ns - node->when.begin_ns;
    head->shared_residual_ns = node->residual_ns;
    head->shared_drift_ppb = node->drift_ppb;
}

static void fill_head(struct ordo_trace_recorder *recorder)
{
    struct ordo_trace_head *head = &recorder->head;
    uint64_t ns_per_tick_32 = ordo_transport_mpi_rate(recorder->context->transport);
    struct timespec now = {0};
    *head = (struct ordo_trace_head){.rank = recorder->rank, .size = recorder->size, .run = recorder->settings.run};
    head->ns_shift = 32;
    head->ns_mult = ns_per_tick_32 ? ns_per_tick_32 : UINT64_C(1) << 32;
    head->nominal_hz = (uint64_t)(((unsigned __int128)1000000000 << 32) / head->ns_mult);
    head->clock_of = find_clock_rank(recorder);
    recorder->asks = recorder->rank != 0 &&
                     (head->clock_of == recorder->rank || recorder->settings.synced_host == ORDO_TRACE_HOST_ALONE);
    /* Clocks that are only declared to agree make no node, because `node` stands for a proof. */
    head->node = (uint32_t)(recorder->settings.synced_cluster != 0 ? recorder->rank : head->clock_of);
    head->policy = (uint32_t)recorder->settings.policy;
    head->granule_ticks = granule_of(recorder);
    fill_proof(recorder, head);
    (void)ordo_record_boot_id(head->boot_id);
    (void)clock_gettime(CLOCK_REALTIME, &now);
    head->began_realtime_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    (void)snprintf(head->clock, sizeof head->clock, "%s", recorder->source ? recorder->source->name : ORDO_CLOCK_NAME);
    if (gethostname(head->host, sizeof head->host - 1))
        (void)snprintf(head->host, sizeof head->host, "unknown");
}

/* Rank 0 learns which ranks ask it in a session. */
static int gather_children(struct ordo_trace_recorder *recorder, struct ordo_error *error)
{
    int32_t *asking = recorder->rank == 0 ? calloc((size_t)recorder->size, sizeof *asking) : NULL,
            asks = recorder->asks;
    if (!all_could(recorder, recorder->rank == 0 && !asking ? ordo_error_errno(error, "children") : ORDO_OK, error)) {
        free(asking);
        return ORDO_E_SYSTEM;
    }
    PMPI_Gather(&asks, 1, MPI_INT32_T, asking, 1, MPI_INT32_T, 0, MPI_COMM_WORLD);
    recorder->child_count = 0;
    for (int i = 1; i < recorder->size && asking; i++)
        if (asking[i])
            asking[recorder->child_count++] = i;
    recorder->children = asking;
    return ORDO_OK;
}

/* Makes the file, and writes the names and communicators that must come before the first event. */
static int open_file(struct ordo_trace_recorder *recorder, struct ordo_error *error)
{
    int code = ordo_trace_file_create(&recorder->file, recorder->settings.prefix, &recorder->head, error);
    if (code)
        return code;
    /* The names of the calls are 1, 2, 3 ... in the order of calls.h. */
    if (ordo_trace_names_add(&recorder->names, &recorder->file, ordo_trace_call_names, ORDO_TRACE_CALLS) != 1 ||
        ordo_trace_communicators_start(recorder) || ordo_trace_messages_start())
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "a trace: out of memory");
    return ORDO_OK;
}

static void close_all(struct ordo_trace_recorder *recorder)
{
    ordo_trace_communicators_stop();
    ordo_trace_messages_stop();
    ordo_trace_threads_free(&recorder->threads);
    ordo_trace_names_free(&recorder->names);
    ordo_mpi_free(recorder->context);
    free(recorder->children);
    recorder->context = NULL;
    recorder->children = NULL;
    ordo_trace_own.thread = NULL;
}

static bool begin_files(struct ordo_trace_recorder *recorder)
{
    struct ordo_error error = {0};
    int code = ordo_mpi_create_by(MPI_COMM_WORLD, *recorder->settings.clock ? recorder->settings.clock : NULL, 0,
                                  &recorder->context, &error);
    if (!all_could(recorder, code, &error))
        return false;
    fill_head(recorder);
    if (gather_children(recorder, &error))
        return false;
    code = open_file(recorder, &error);
    code = code ? code : ordo_trace_writer_start();
    if (code && !*error.text)
        (void)ordo_error_errno(&error, "the writer of a trace");
    if (all_could(recorder, code, &error))
        return true;
    ordo_trace_writer_stop();
    ordo_trace_file_abandon(&recorder->file);
    return false;
}

/* Stops recording in a forked process: it has no writer, and its events do not belong to this rank. */
static void forked(void)
{
    atomic_store_explicit(&ordo_trace_recorder.open, false, memory_order_relaxed); /* relaxed: one thread */
}

static void thread_ends(void *thread)
{
    pthread_mutex_lock(&ordo_trace_recorder.lock);
    ((struct ordo_trace_thread *)thread)->idle = true;
    pthread_mutex_unlock(&ordo_trace_recorder.lock);
}

static void tell_spawned(const struct ordo_trace_recorder *recorder)
{
    if (recorder->rank == 0 && is_spawned())
        ordo_trace_complain(0,
                            "it was started by MPI_Comm_spawn: its MPI_COMM_WORLD of %d is a trace of its own, "
                            "%.300s.0" ORDO_TRACE_SUFFIX "; messages to other worlds are not recorded",
                            recorder->size, recorder->settings.prefix);
}

void ordo_trace_start(int provided)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    recorder->multiple = provided == MPI_THREAD_MULTIPLE;
    recorder->file.fd = -1;
    ordo_trace_fortran_redirect();
    ordo_trace_own.inside++;
    if (settle_settings(recorder) == 0) {
        if (begin_files(recorder)) {
            tell_spawned(recorder);
            (void)pthread_key_create(&recorder->thread_ends, thread_ends);
            (void)pthread_atfork(NULL, NULL, forked);
            /* relaxed: other threads of the program start later, or synchronise with this one before they call MPI */
            atomic_store_explicit(&recorder->open, true, memory_order_relaxed);
            (void)ordo_trace_session();
        } else {
            close_all(recorder);
        }
    }
    ordo_trace_own.inside--;
}

void ordo_trace_stop(void)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    if (!atomic_load_explicit(&recorder->open, memory_order_relaxed)) /* relaxed: this thread stored it */
        return;
    ordo_trace_own.inside++;
    (void)ordo_trace_session();
    atomic_store_explicit(&recorder->open, false, memory_order_relaxed); /* relaxed: no other thread records now */
    ordo_trace_writer_stop();
    pthread_mutex_lock(&recorder->lock);
    ordo_trace_drain_all();
    recorder->file.lost += recorder->unbuffered;
    for (struct ordo_trace_thread *thread = recorder->threads; thread; thread = thread->after)
        recorder->file.lost += atomic_load_explicit(&thread->lost, memory_order_relaxed); /* [B3] */
    uint64_t lost = recorder->file.lost;
    int failed = ordo_trace_file_close(&recorder->file);
    pthread_mutex_unlock(&recorder->lock);
    if (failed || lost)
        ordo_trace_complain(recorder->rank, "%llu events are lost%s", (unsigned long long)lost,
                            failed ? ", and its trace is not whole" : "");
    (void)pthread_key_delete(recorder->thread_ends);
    close_all(recorder);
    ordo_trace_own.inside--;
}
