/* Makes a trace whose true times are known, with the simulated clocks and links of lib/cluster. Usage: make_trace
 * FOLDER [KEY=NUMBER...]
 *
 * Writes FOLDER/trace.csv (with the additional column true_ns), FOLDER/sync.csv and FOLDER/rank.N.csv. Keys: ranks,
 * seconds, messages, every (seconds from one session to the next), wander_ppb, period_s, offset_ns, step_ns, step_at_s,
 * step_rank, collectives, split (1: also writes the files of single ranks, rank.N.csv and rank.N.otrace), chain (1:
 * messages between neighbours only), exchanges (per session), granule_ticks (the granule in the head of the binary
 * files), seed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cluster/transport/sim_physics.h"
#include "trace/file/layout.h"

struct made {
    struct ordo_sim_options sim;
    int64_t seconds, messages, every, collectives, split, exchanges, chain, granule_ticks;
    uint64_t random;
};

/* An event. Events are written in the order of true time. */
struct pending {
    int64_t true_ns;
    int32_t rank, peer, tag, kind; /* kind: 0 send, 1 recv, 2 begin, 3 end */
};

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "make_trace: %s\n", what);
        exit(70);
    }
}

static int64_t *key_of(struct made *made, const char *key)
{
    static const char *const names[] = {"seconds", "messages",  "every", "collectives",
                                        "split",   "exchanges", "chain", "granule_ticks"};
    int64_t *const members[] = {&made->seconds, &made->messages,  &made->every, &made->collectives,
                                &made->split,   &made->exchanges, &made->chain, &made->granule_ticks};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], key) == 0)
            return members[i];
    return NULL;
}

static int set_physics(struct ordo_sim_options *sim, const char *key, int64_t value)
{
    if (strcmp(key, "ranks") == 0)
        sim->ranks = (int)value;
    else if (strcmp(key, "wander_ppb") == 0)
        sim->wander_ppb = (double)value;
    else if (strcmp(key, "period_s") == 0)
        sim->wander_period_s = (double)value;
    else if (strcmp(key, "offset_ns") == 0)
        sim->offset_ns = value;
    else if (strcmp(key, "step_ns") == 0)
        sim->step_ns = value;
    else if (strcmp(key, "step_at_s") == 0)
        sim->step_at_true_ns = value * 1000000000;
    else if (strcmp(key, "step_rank") == 0)
        sim->step_rank = (int)value;
    else if (strcmp(key, "seed") == 0)
        sim->seed = (uint64_t)value;
    else
        return -1;
    return 0;
}

static void set(struct made *made, char *argument)
{
    char *value = strchr(argument, '=');
    must(value != NULL, "KEY=NUMBER expected");
    *value++ = '\0';
    int64_t *member = key_of(made, argument);
    if (member)
        *member = atoll(value);
    else
        must(set_physics(&made->sim, argument, atoll(value)) == 0, "unknown key");
}

static int64_t clock_at(const struct made *made, int rank, int64_t true_ns)
{
    return ordo_sim_clock_at(&made->sim, rank, true_ns);
}

static int64_t latency(struct made *made, int from, int to)
{
    return ordo_sim_latency(&made->sim, from, to, &made->random);
}

/* Writes a session: one exchange with each rank in turn, repeated `exchanges` times. */
static void write_session(struct made *made, FILE *sync, int session, int64_t true_ns)
{
    for (int64_t k = 0; k < made->exchanges; k++)
        for (int rank = 1; rank < made->sim.ranks; rank++) {
            int64_t sent = true_ns, answered = sent + latency(made, rank, 0),
                    received = answered + 50 + latency(made, 0, rank);
            fprintf(sync, "%d,%d,%lld,%lld,%lld\n", session, rank, (long long)clock_at(made, rank, sent),
                    (long long)clock_at(made, 0, answered), (long long)clock_at(made, rank, received));
            true_ns = received + 200;
        }
}

static void write_row(struct made *made, FILE *file, const struct pending *e)
{
    static const char *const kinds[] = {"send", "recv", "begin", "end"};
    int64_t local = clock_at(made, e->rank, e->true_ns), truth = clock_at(made, 0, e->true_ns);
    if (e->kind < 2)
        fprintf(file, "%d,%lld,%s,,%d,%d,%d,%lld\n", e->rank, (long long)local, kinds[e->kind], e->peer, e->tag,
                64 * e->tag, (long long)truth);
    else
        fprintf(file, "%d,%lld,%s,%s,,,8,%lld\n", e->rank, (long long)local, kinds[e->kind], "MPI_Allreduce",
                (long long)truth);
}

static int by_time(const void *a, const void *b)
{
    const struct pending *x = a, *y = b;
    return x->true_ns < y->true_ns ? -1 : x->true_ns > y->true_ns;
}

static size_t add_messages(struct made *made, struct pending *events)
{
    size_t count = 0;
    int64_t gap = made->messages ? made->seconds * 1000000000 / made->messages : 0;
    for (int64_t i = 0; i < made->messages; i++) {
        int from = (int)(ordo_random_next(&made->random) % (uint64_t)made->sim.ranks);
        int to = (int)(ordo_random_next(&made->random) % (uint64_t)made->sim.ranks);
        to = to == from ? (from + 1) % made->sim.ranks : to;
        if (made->chain) /* only between neighbours */
            to = from + (to > from ? 1 : -1);
        int64_t sent = i * gap + (int64_t)(ordo_random_unit(&made->random) * (double)gap);
        int tag = (int)(i % 1000000);
        events[count++] = (struct pending){sent, from, to, tag, 0};
        events[count++] = (struct pending){sent + latency(made, from, to), to, from, tag, 1};
    }
    return count;
}

static size_t add_collectives(struct made *made, struct pending *events)
{
    size_t count = 0;
    for (int64_t i = 0; i < made->collectives; i++) {
        int64_t begin = made->seconds * 1000000000 / (made->collectives + 1) * (i + 1), last = begin;
        for (int rank = 0; rank < made->sim.ranks; rank++) {
            int64_t enters = begin + (int64_t)(ordo_random_unit(&made->random) * 20000);
            last = enters > last ? enters : last;
            events[count++] = (struct pending){enters, rank, -1, 0, 2};
        }
        for (int rank = 0; rank < made->sim.ranks; rank++)
            events[count++] = (struct pending){last + latency(made, 0, rank), rank, -1, 0, 3};
    }
    return count;
}

static FILE *create(const char *folder, const char *name, const char *head)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    must(file != NULL, "a file cannot be made");
    fputs(head, file);
    return file;
}

/* Returns the reading of the recorded clock, in ticks of 1 ns; never negative. */
static uint64_t ticks_at(const struct made *made, int rank, int64_t true_ns)
{
    return (uint64_t)(clock_at(made, rank, true_ns) + 2 * made->sim.offset_ns);
}

static void write_chunk(FILE *file, uint32_t kind, uint32_t count, const void *payload, size_t bytes, uint64_t *number)
{
    volatile uint32_t opaque = (uint32_t)bytes; /* so that no compiler warns about a loop over an impossible range */
    struct ordo_trace_chunk chunk = {.kind = kind, .bytes = opaque, .count = count, .number = (*number)++};
    ordo_trace_chunk_seal(&chunk, payload);
    must(fwrite(&chunk, sizeof chunk, 1, file) == 1 && fwrite(payload, 1, bytes, file) == bytes,
         "a trace cannot be written");
}

/* Writes a session at the beginning and one at the end, as the recorder would. */
static void write_sessions(struct made *made, FILE *file, int rank, uint64_t *number)
{
    struct ordo_trace_exchange all[2][16];
    for (int session = 0; rank > 0 && session < 2; session++) {
        int64_t true_ns = session * made->seconds * 1000000000 + 1000;
        for (int k = 0; k < 16; k++) {
            int64_t answered = true_ns + latency(made, rank, 0), received = answered + latency(made, 0, rank);
            all[session][k] =
                (struct ordo_trace_exchange){(uint32_t)session, 0, ticks_at(made, rank, true_ns),
                                             (int64_t)ticks_at(made, 0, answered), ticks_at(made, rank, received)};
            true_ns = received + 100;
        }
    }
    if (rank > 0)
        write_chunk(file, ORDO_TRACE_EXCHANGES, 32, all, sizeof all, number);
}

static void write_binary_events(const struct made *made, FILE *file, int rank, const struct pending *events,
                                size_t count, uint64_t *number)
{
    struct ordo_trace_event chunk[100];
    uint32_t filled = 0;
    for (size_t i = 0; i < count; i++) {
        if (events[i].rank == rank)
            chunk[filled++] = (struct ordo_trace_event){.ticks = ticks_at(made, rank, events[i].true_ns),
                                                        .peer = events[i].peer,
                                                        .tag = events[i].tag,
                                                        .root = -1,
                                                        .bytes = 64,
                                                        .name = events[i].kind < 2 ? 0 : 1,
                                                        .number = ORDO_TRACE_UNCOUNTED,
                                                        .collective = events[i].kind < 2 ? ORDO_TRACE_NO_COLLECTIVE
                                                                                         : ORDO_TRACE_ALL_TO_ALL,
                                                        .kind = events[i].kind == 0   ? ORDO_TRACE_SEND
                                                                : events[i].kind == 1 ? ORDO_TRACE_RECV
                                                                : events[i].kind == 2 ? ORDO_TRACE_BEGIN
                                                                                      : ORDO_TRACE_END};
        if (filled == 100 || (i + 1 == count && filled > 0)) {
            write_chunk(file, ORDO_TRACE_EVENTS, filled, chunk, filled * sizeof *chunk, number);
            filled = 0;
        }
    }
}

static void write_binary(struct made *made, FILE *file, int rank, const struct pending *events, size_t count)
{
    struct ordo_trace_head head = {.rank = rank,
                                   .size = made->sim.ranks,
                                   .clock_of = rank,
                                   .run = made->sim.seed,
                                   .granule_ticks = (uint64_t)made->granule_ticks,
                                   .clock = "made",
                                   .host = "made"};
    unsigned char name[24] = {1, 0, 0, 0, 13, 0, 0, 0, 'M', 'P', 'I', '_', 'A', 'l', 'l', 'r', 'e', 'd', 'u', 'c', 'e'};
    uint64_t number = 0;
    ordo_trace_rate(&head, 1000000000);
    ordo_trace_head_seal(&head);
    must(fwrite(&head, sizeof head, 1, file) == 1, "a trace cannot be written");
    write_chunk(file, ORDO_TRACE_STRINGS, 1, name, sizeof name, &number);
    write_sessions(made, file, rank, &number);
    write_binary_events(made, file, rank, events, count, &number);
    write_chunk(file, ORDO_TRACE_CLOSED, 0, name, 0, &number);
}

static void write_events(struct made *made, const char *folder)
{
    static const char head[] = "rank,time_ns,kind,name,peer,tag,bytes,true_ns\n";
    size_t room = (size_t)(2 * made->messages + 2 * made->collectives * made->sim.ranks);
    struct pending *events = calloc(room + 1, sizeof *events);
    must(events != NULL, "out of memory");
    size_t count = add_messages(made, events);
    count += add_collectives(made, events + count);
    qsort(events, count, sizeof *events, by_time);
    FILE *trace = create(folder, "trace.csv", head), **files = calloc((size_t)made->sim.ranks, sizeof *files);
    for (int i = 0; made->split && i < made->sim.ranks; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "rank.%d.csv", i);
        files[i] = create(folder, name, head);
    }
    for (size_t i = 0; i < count; i++) {
        write_row(made, trace, &events[i]);
        if (made->split)
            write_row(made, files[events[i].rank], &events[i]);
    }
    for (int i = 0; made->split && i < made->sim.ranks; i++)
        must(fclose(files[i]) == 0, "a file cannot be written");
    for (int i = 0; made->split && i < made->sim.ranks; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "rank.%d" ORDO_TRACE_SUFFIX, i);
        FILE *file = create(folder, name, "");
        write_binary(made, file, i, events, count);
        must(fclose(file) == 0, "a file cannot be written");
    }
    must(fclose(trace) == 0, "trace.csv cannot be written");
    free(files);
    free(events);
}

int main(int argc, char **argv)
{
    struct made made = {.sim = ordo_sim_defaults(), .seconds = 600, .messages = 10000, .every = 60, .exchanges = 20};
    made.sim.ranks = 64;
    made.sim.clocks = ORDO_SIM_PER_RANK;
    made.sim.ranks_per_socket = made.sim.sockets_per_node = 1;
    made.sim.wander_ppb = 100;
    made.sim.wander_period_s = 300;
    made.sim.asymmetry = 0.2;
    must(argc > 1, "FOLDER expected");
    for (int i = 2; i < argc; i++)
        set(&made, argv[i]);
    made.random = made.sim.seed * 77 + 1;
    FILE *sync = create(argv[1], "sync.csv", "session,rank,send_ns,master_ns,receive_ns\n");
    for (int session = 0; session * made.every <= made.seconds; session++)
        write_session(&made, sync, session, session * made.every * 1000000000 + (session ? 0 : 1000));
    must(fclose(sync) == 0, "sync.csv cannot be written");
    write_events(&made, argv[1]);
    return 0;
}
