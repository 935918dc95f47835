#include "trace/made.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/random.h"
#include "base/spool.h"

enum { SECONDS = 600, EVERY = 60, EXCHANGES = 20, LATENCY_NS = 5000 };

struct clocks {
    double skew[MADE_RANKS];
    int64_t offset_ns[MADE_RANKS];
    uint64_t random;
};

/* Sets the clocks of all ranks. The clock of rank 0 is the global clock. */
static void set_clocks(struct clocks *clocks)
{
    *clocks = (struct clocks){.random = 1};
    for (int i = 1; i < MADE_RANKS; i++) {
        clocks->skew[i] = (2 * ordo_random_unit(&clocks->random) - 1) * 20e-6;
        clocks->offset_ns[i] = (int64_t)((2 * ordo_random_unit(&clocks->random) - 1) * 1e9);
    }
}

static int64_t clock_at(const struct clocks *clocks, int rank, int64_t global_ns)
{
    return global_ns + clocks->offset_ns[rank] + (int64_t)(clocks->skew[rank] * (double)global_ns);
}

static int64_t latency(struct clocks *clocks)
{
    return LATENCY_NS + (int64_t)(ordo_random_unit(&clocks->random) * LATENCY_NS);
}

static void write_sessions(struct clocks *clocks, FILE *file)
{
    fputs("session,rank,send_ns,master_ns,receive_ns\n", file);
    for (int session = 0; session * EVERY <= SECONDS; session++)
        for (int rank = 1; rank < MADE_RANKS; rank++) {
            int64_t now = session * (int64_t)EVERY * 1000000000 + 1000;
            for (int i = 0; i < EXCHANGES; i++) {
                int64_t answered = now + latency(clocks), received = answered + latency(clocks);
                fprintf(file, "%d,%d,%" PRId64 ",%" PRId64 ",%" PRId64 "\n", session, rank, clock_at(clocks, rank, now),
                        answered, clock_at(clocks, rank, received));
                now = received + 100;
            }
        }
}

static void write_events(struct clocks *clocks, FILE *file, uint64_t messages)
{
    int64_t gap = SECONDS * INT64_C(1000000000) / (int64_t)messages;
    fputs("rank,time_ns,kind,name,peer,tag,bytes\n", file);
    for (uint64_t i = 0; i < messages; i++) {
        int from = (int)(ordo_random_next(&clocks->random) % MADE_RANKS);
        int to = (from + 1 + (int)(ordo_random_next(&clocks->random) % (MADE_RANKS - 1))) % MADE_RANKS;
        int64_t sent = (int64_t)i * gap, received = sent + latency(clocks);
        fprintf(file, "%d,%" PRId64 ",send,,%d,%d,64\n", from, clock_at(clocks, from, sent), to, (int)(i % 1000000));
        fprintf(file, "%d,%" PRId64 ",recv,,%d,%d,64\n", to, clock_at(clocks, to, received), from, (int)(i % 1000000));
    }
}

/* Creates a file without a name. The caller keeps the descriptor; `path` becomes the file's path in /proc/self. */
static FILE *create_made(char path[MADE_PATH], int *fd)
{
    *fd = ordo_spool_open();
    (void)snprintf(path, MADE_PATH, "/proc/self/fd/%d", *fd);
    return *fd < 0 ? NULL : fopen(path, "w");
}

int made_trace_open(struct made_trace *made, uint64_t events, struct ordo_error *error)
{
    struct clocks clocks;
    uint64_t messages = events / 2;
    *made = (struct made_trace){.trace_fd = -1, .sync_fd = -1, .events = 2 * messages};
    set_clocks(&clocks);
    FILE *sync = create_made(made->sync, &made->sync_fd),
         *trace = sync ? create_made(made->trace, &made->trace_fd) : NULL;
    if (sync)
        write_sessions(&clocks, sync);
    if (trace)
        write_events(&clocks, trace, messages);
    made->bytes_per_event = trace ? (double)ftell(trace) / (double)made->events : 0;
    int failed = (sync ? fclose(sync) : -1) | (trace ? fclose(trace) : -1);
    return failed ? ordo_error_errno(error, "a trace of %" PRIu64 " events, in $TMPDIR or /tmp", events) : ORDO_OK;
}

void made_trace_close(struct made_trace *made)
{
    if (made->trace_fd >= 0)
        (void)close(made->trace_fd);
    if (made->sync_fd >= 0)
        (void)close(made->sync_fd);
}
