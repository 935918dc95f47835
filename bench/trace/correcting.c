#include "trace/correcting.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/spool.h"

enum { BUFFER = 1 << 18 };

/* A thread's own output file, overwritten in each pass. */
struct own {
    int fd;
    char buffer[BUFFER];
};

static int enter_correcting(struct bench_worker *worker, struct ordo_error *error)
{
    struct own *own = malloc(sizeof *own);
    if (!own)
        return ordo_error_errno(error, "an output");
    worker->own = own;
    own->fd = ordo_spool_open();
    return own->fd >= 0 ? ORDO_OK : ordo_error_errno(error, "an output, in $TMPDIR or /tmp");
}

static void leave_correcting(struct bench_worker *worker)
{
    struct own *own = worker->own;
    if (own->fd >= 0)
        (void)close(own->fd);
    free(own);
}

/* True if all messages were matched, and no message contradicts the bounds of the clocks, which are known to hold. */
static bool is_right(const struct correcting *correcting, const struct ordo_correct_report *report)
{
    const struct ordo_causality *c = &report->causality;
    return report->events == correcting->made->events && c->messages == report->events / 2 && c->unmatched == 0 &&
           c->certain == 0 && (!correcting->options.causal || c->after == 0);
}

/* Corrects the trace once; returns false if the correction failed or the report is wrong. The file is in memory, so
 * that a pass does not wait for a disk. */
static bool correct(const struct correcting *correcting, struct own *own)
{
    struct ordo_correct_report report;
    int fd = ftruncate(own->fd, 0) || lseek(own->fd, 0, SEEK_SET) ? -1 : dup(own->fd);
    FILE *stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!stream)
        return false;
    (void)setvbuf(stream, own->buffer, _IOFBF, sizeof own->buffer);
    int code = ordo_correct(&correcting->options, stream, &report, NULL);
    bool right = !code && is_right(correcting, &report);
    if (!code)
        ordo_correct_report_free(&report);
    return fclose(stream) == 0 && right;
}

static uint64_t us(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

static uint64_t work_correcting(struct bench_worker *worker)
{
    struct correcting *correcting = worker->context;
    struct rusage before, after;
    uint64_t events = 0;
    (void)getrusage(RUSAGE_THREAD, &before);
    do {
        atomic_fetch_add(&correcting->wrong, !correct(correcting, worker->own));
        events += correcting->made->events;
    } while (bench_running(worker));
    (void)getrusage(RUSAGE_THREAD, &after);
    worker->counters[CORRECTING_USER_US] += us(after.ru_utime) - us(before.ru_utime);
    worker->counters[CORRECTING_SYSTEM_US] += us(after.ru_stime) - us(before.ru_stime);
    return events;
}

static int audit_correcting(void *context, struct ordo_error *error)
{
    struct correcting *correcting = context;
    int wrong = atomic_exchange(&correcting->wrong, 0);
    if (wrong > 0)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%d passes did not correct the trace as it is", wrong);
    return ORDO_OK;
}

void correcting_variant(struct correcting *correcting, const struct made_trace *made, const char *algorithm,
                        const char *method, bool causal, struct bench_variant *variant)
{
    *correcting = (struct correcting){.made = made, .path = made->trace};
    correcting->options = (struct ordo_correct_options){
        .traces = {.paths = &correcting->path, .count = 1, .columns = ordo_columns_defaults()},
        .sync = made->sync,
        .method = ordo_method_find(method),
        .declared = ordo_declared_defaults(),
        .causal = causal,
        .stretch = 1e-4};
    (void)snprintf(correcting->workload, sizeof correcting->workload, "%" PRIu64 " events of CSV", made->events);
    *variant = (struct bench_variant){.algorithm = algorithm,
                                      .workload = correcting->workload,
                                      .context = correcting,
                                      .enter = enter_correcting,
                                      .work = work_correcting,
                                      .leave = leave_correcting,
                                      .audit = audit_correcting};
}
