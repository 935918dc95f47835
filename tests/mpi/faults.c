/* Faults on one rank: exhausted memory, a failed broadcast, a clock that is set back, a rank that is stopped or
 * missing. Every rank gets an error, no rank waits for ever, and no number is wrong. Run under mpirun; exit 0, or 1 on
 * every rank that saw a violation. malloc, calloc, nanosleep, sched_getaffinity and ordo_clock_system_ns are wrapped
 * (CMakeLists.txt). */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cluster/mpi/verify.h"
#include "cluster/transport/mpi.h"
#include <ordo/mpi.h>

enum { SPAN_NS = 1000000 };

static int rank, size, failures;
static int countdown; /* number of the allocation that fails; 0: none */
static int broadcast_fails;
static int affinity_fails;
static int many_cpus;   /* the kernel supports 2,048 CPUs, and refuses a smaller set */
static int64_t step_ns; /* step of CLOCK_MONOTONIC on this rank */
static int stopped;     /* the next sleep of 20 ms takes 4.4 s, as if the process were stopped */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
int __real_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *cpus);
int __real_nanosleep(const struct timespec *time, struct timespec *left);
uint64_t __real_ordo_clock_system_ns(int clock_id);

static int fails(void)
{
    return countdown > 0 && --countdown == 0;
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __real_calloc(count, bytes);
}

uint64_t __wrap_ordo_clock_system_ns(int clock_id)
{
    return __real_ordo_clock_system_ns(clock_id) + (clock_id == CLOCK_MONOTONIC ? (uint64_t)step_ns : 0);
}

/* Fails as if the kernel supported more CPUs than the set can hold (`many_cpus`), or than any set can hold
 * (`affinity_fails`). */
int __wrap_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *cpus)
{
    errno = EINVAL;
    return affinity_fails || (many_cpus && bytes < 2048 / 8) ? -1 : __real_sched_getaffinity(pid, bytes, cpus);
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    static const struct timespec long_time = {.tv_sec = 4, .tv_nsec = 400000000};
    int long_one = stopped && time->tv_sec == 0 && time->tv_nsec == 20000000;
    stopped = stopped && !long_one;
    return __real_nanosleep(long_one ? &long_time : time, left);
}

/* Replaces the library's broadcasts: the value arrives, and the call fails. */
int MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request)
{
    int code = PMPI_Ibcast(buffer, count, type, root, comm, request);
    if (broadcast_fails <= 0 || --broadcast_fails > 0)
        return code;
    PMPI_Wait(request, MPI_STATUS_IGNORE);
    return MPI_ERR_OTHER;
}

static void expect(int holds, const char *what, int number)
{
    if (holds)
        return;
    failures++;
    fprintf(stderr, "rank %d: not so: %s (%d)\n", rank, what, number);
}

/* Checks that all ranks have an error, or none has. Returns 1 if all have. */
static int all_refused(int code, const char *what, int number)
{
    int mine[2] = {code != 0, code == 0}, most[2];
    PMPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect(most[0] != most[1], what, number);
    return most[0];
}

/* Runs the whole life of a context. */
static int live(void)
{
    struct ordo_mpi *context;
    struct ordo_error error = {0};
    const struct ordo_mpi_options options = {.algorithm = "h2hca:fit=4,pingpong=3,window=1ms", .fallback = 1};
    int code = ordo_mpi_create(MPI_COMM_WORLD, NULL, &context, &error);
    code = code ? code : ordo_mpi_sync(context, &options, &error);
    code = code ? code : ordo_mpi_check(context, NULL, NULL, NULL, &error);
    ordo_mpi_free(context);
    return code;
}

/* Verifies a clock briefly. This rank reads the clock `ahead_ns` too high. */
static int look_for(enum ordo_verify_detail detail, int64_t ahead_ns, struct ordo_verify **verify)
{
    struct ordo_error error = {0};
    const struct ordo_node_clock clock = {.source = ordo_clock_source_find("monotonic"), .ahead_units = ahead_ns};
    const struct ordo_verify_options options = {.clocks = &clock,
                                                .clock_count = 1,
                                                .rounds = 2,
                                                .exchanges = 3,
                                                .span_ns = SPAN_NS,
                                                .visit_ns = 1000000,
                                                .detail = detail,
                                                .tolerance_ns = 1000000000};
    return ordo_verify_run(MPI_COMM_WORLD, &options, verify, &error);
}

static int look(int64_t ahead_ns, struct ordo_verify **verify)
{
    return look_for(ORDO_VERIFY_PAIRS, ahead_ns, verify);
}

static int verify(void)
{
    struct ordo_verify *verify = NULL;
    int code = look(0, &verify);
    ordo_verify_free(verify);
    return code;
}

/* Runs the task again and again, and lets another allocation fail in each run, on one rank at a time, until no
 * allocation is left. */
static void starve(int (*task)(void), const char *what)
{
    int refused = 0, left = 0;
    for (int victim = 0; victim < size; victim++)
        for (int n = 1; n == 1 || !left; n++) {
            countdown = rank == victim ? n : 0;
            int code = task();
            left = countdown > 0;
            countdown = 0;
            PMPI_Bcast(&left, 1, MPI_INT, victim, MPI_COMM_WORLD);
            refused += all_refused(code, what, n);
        }
    expect(refused > 2 * size, "some allocations fail", refused);
}

static void lose_broadcasts(void)
{
    enum { BROADCASTS = 3 }; /* a transport makes two broadcasts, a synchronisation one */
    int refused = 0;
    for (int n = 1; n <= BROADCASTS; n++)
        for (int victim = 0; victim < size; victim++) {
            broadcast_fails = rank == victim ? n : 0;
            refused += all_refused(live(), "a broadcast that fails is an error for all", n);
            broadcast_fails = 0;
        }
    expect(refused == BROADCASTS * size, "the broadcasts of all ranks fail", refused);
}

/* Reads a clock that is set back by an hour 10 ms after its first reading. */
static uint64_t set_back(void)
{
    static uint64_t first;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    uint64_t ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec + UINT64_C(7200000000000);
    first = first ? first : ns;
    return ns - first < 10000000 ? ns : ns - UINT64_C(3600000000000);
}

/* The clock is set back by an hour during a wait. The library must not wait for an hour. */
static void wait_over_a_step(void)
{
    static const struct ordo_clock_source source = {
        .name = "set-back", .title = "", .unit_hz = 1000000000, .granule_units = 1, .read = set_back};
    struct ordo_transport *transport;
    struct ordo_error error = {0};
    int code = ordo_transport_mpi_create(MPI_COMM_WORLD, &source, ORDO_MPI_DEADLINE_NS, &transport, &error);
    expect(code == 0, error.text, code);
    if (code)
        return;
    transport->wait_until_ns(transport, transport->now_ns(transport) + 100000000);
    transport->free(transport);
}

static int64_t raw_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Stops the process during the sleep over which the rate of the ticks is measured, for 4.4 s, which is more than 2^32
 * ns. */
static void stop_while_the_rate_is_measured(void)
{
    struct ordo_mpi *context;
    struct ordo_error error = {0};
    stopped = 1;
    int code = ordo_mpi_create(MPI_COMM_WORLD, NULL, &context, &error);
    expect(code == 0 && !stopped, error.text, code);
    stopped = 0;
    int64_t before_ns = raw_ns(), from_ns = ordo_mpi_local_ns(context);
    (void)__real_nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    int64_t inside_ns = ordo_mpi_local_ns(context), after_ns = raw_ns();
    int64_t until_ns = ordo_mpi_local_ns(context);
    expect(inside_ns - from_ns <= (after_ns - before_ns) / 100 * 101, "no clock is 1% fast", code);
    expect(until_ns - from_ns >= 99000000, "no clock is 1% slow", code);
    ordo_mpi_free(context);
}

/* The age of a verification counts from before its first round, not from after its last round. */
static void date_the_verification(void)
{
    struct ordo_verify *verify = NULL;
    int64_t before_ns = raw_ns();
    int code = look(0, &verify);
    expect(code == 0 && verify->at_ns >= before_ns && verify->at_ns <= raw_ns() - SPAN_NS,
           "a verification is dated from before its first round", code);
    ordo_verify_free(verify);
}

/* If it is unknown on which CPUs the ranks may run, no clock is valid, neither on the node nor on a socket (which
 * counts if the node's clock is refuted). Here every rank is bound to a socket of its own. */
static void lose_affinity(int ahead)
{
    static const int64_t ahead_ns = 2000000000; /* above any interval, even on a busy machine */
    for (affinity_fails = 0; affinity_fails < 2; affinity_fails++) {
        struct ordo_verify *verify = NULL;
        int code = look(ahead ? rank * ahead_ns : 0, &verify);
        expect(code == 0, "a verification", code);
        if (code)
            continue;
        expect(verify->kinds[0] == (ahead            ? ORDO_INVALID
                                    : affinity_fails ? ORDO_INCONCLUSIVE
                                                     : ORDO_VALID),
               "a verdict", verify->kinds[0]);
        expect((verify->socket_residual_ns[0] < 0) == affinity_fails,
               "a socket has a residual exactly if the affinity is known", affinity_fails);
        ordo_verify_free(verify);
    }
    affinity_fails = 0;
}

/* Rank 0 keeps the results of the pairs of every node only if the caller requests the detail "pairs". */
static void keep_no_pairs(void)
{
    for (int detail = ORDO_VERIFY_KINDS; detail <= ORDO_VERIFY_PAIRS; detail++) {
        struct ordo_verify *verify = NULL;
        int code = look_for((enum ordo_verify_detail)detail, 0, &verify), pairs = 0;
        expect(code == 0, "a verification", code);
        if (code)
            continue;
        for (int node = 0; node < verify->node_count; node++)
            pairs += verify->nodes[node].pair_count;
        expect((verify->node_count > 0) == (rank == 0 && detail >= ORDO_VERIFY_NODES), "nodes", detail);
        expect((verify->rank_count == size) == (rank == 0 && detail >= ORDO_VERIFY_NODES), "ranks", detail);
        expect((pairs > 0) == (rank == 0 && detail >= ORDO_VERIFY_PAIRS), "pairs", pairs);
        ordo_verify_free(verify);
    }
}

static void run_on_many_cpus(void)
{
    struct ordo_verify *verify = NULL;
    many_cpus = 1;
    int code = look(0, &verify);
    expect(code == 0 && verify->kinds[0] == ORDO_VALID && verify->own.cpus > 0, "2,048 CPUs are supported", code);
    ordo_verify_free(verify);
    many_cpus = 0;
}

/* A rank also counts as lost if it gets no CPU for a third of its deadline. If that happens, the test is repeated with
 * twice the deadline, up to MOST_MS. */
enum { DEADLINE_MS = 300, MOST_MS = 16 * DEADLINE_MS };

static struct ordo_mpi *impatient(int deadline_ms)
{
    struct ordo_mpi *context = NULL;
    struct ordo_error error = {0};
    int code = ordo_mpi_create(MPI_COMM_WORLD, NULL, &context, &error);
    expect(code == 0, error.text, code);
    if (!code)
        expect(ordo_mpi_set_deadline(context, deadline_ms / 1e3, &error) == 0, error.text, 0);
    return context;
}

/* True if `mine` is true on all ranks. */
static bool all_say(bool mine)
{
    int say = mine, all;
    PMPI_Allreduce(&say, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

/* All ranks take part in a synchronisation that lasts far longer than the deadline: no rank counts as lost. */
static void take_long(void)
{
    struct ordo_error error = {0};
    for (int deadline_ms = DEADLINE_MS; deadline_ms <= MOST_MS; deadline_ms *= 2) {
        struct ordo_mpi *context = impatient(deadline_ms);
        char slow[64];
        (void)snprintf(slow, sizeof slow, "hca3:fit=2,pingpong=3,window=%dms", 3 * deadline_ms);
        int code = ordo_mpi_sync(context, &(struct ordo_mpi_options){.algorithm = slow}, &error);
        bool kept = all_say(code == 0);
        expect(kept || deadline_ms < MOST_MS, error.text, code);
        ordo_mpi_free(context);
        if (kept)
            return;
    }
}

/* The last rank makes the call too late. By the deadline, the other ranks report the last rank by its number; the late
 * rank gets an error too. */
static bool stay_away_for(int deadline_ms, int (*task)(struct ordo_mpi *, struct ordo_error *), const char *what)
{
    struct ordo_mpi *context = impatient(deadline_ms);
    struct ordo_error error = {0};
    char name[24];
    int missing = size - 1, away_ms = deadline_ms * 5 / 2;
    (void)snprintf(name, sizeof name, "rank %d ", missing);
    PMPI_Barrier(MPI_COMM_WORLD);
    if (rank == missing)
        (void)__real_nanosleep(&(struct timespec){.tv_sec = away_ms / 1000, .tv_nsec = away_ms % 1000 * 1000000L},
                               NULL);
    int64_t begin_ns = raw_ns();
    int code = task(context, &error);
    int64_t known_ns = raw_ns(), most_ns = (int64_t)deadline_ms * 1500000;
    bool waited = code == ORDO_OK && deadline_ms < MOST_MS; /* the other ranks had no CPU until the last one came */
    expect(waited || (code == ORDO_E_SYSTEM && error.sys_errno == ETIMEDOUT), what, code);
    bool named = strncmp(error.text, name, strlen(name)) == 0;
    expect(named || deadline_ms < MOST_MS, error.text, missing);
    expect(waited || task(context, &error) == ORDO_E_SYSTEM, "a second call of the context fails too", 0);
    bool in_time = known_ns - begin_ns < most_ns && raw_ns() - known_ns < most_ns / 5;
    ordo_mpi_free(context);
    return in_time && named && !waited;
}

static void stay_away(int (*task)(struct ordo_mpi *, struct ordo_error *), const char *what)
{
    for (int deadline_ms = DEADLINE_MS; !all_say(stay_away_for(deadline_ms, task, what)); deadline_ms *= 2) {
        expect(deadline_ms < MOST_MS, "a missing rank is known by the deadline, and later calls do not wait (ms)",
               deadline_ms);
        if (deadline_ms >= MOST_MS)
            return;
    }
}

static int measure_all(struct ordo_mpi *context, struct ordo_error *error)
{
    return ordo_mpi_sync(context, &(struct ordo_mpi_options){.algorithm = "hca3:fit=2,pingpong=3,window=1ms"}, error);
}

static int64_t stalls_at_ns; /* the time of the next slow reading, on the rank to be lost; 0: never */
static int stall_ms;

static uint64_t read_or_stall(void)
{
    if (stalls_at_ns && raw_ns() > stalls_at_ns) {
        stalls_at_ns = 0;
        (void)__real_nanosleep(&(struct timespec){.tv_sec = stall_ms / 1000, .tv_nsec = stall_ms % 1000 * 1000000L},
                               NULL);
    }
    return (uint64_t)raw_ns();
}

/* A rank is stopped in the second round of a verification. The other ranks, which wait for it in shared memory, report
 * it by the deadline. */
static bool stand_still(int deadline_ms, int victim)
{
    enum { BEFORE_NS = 500000000 };
    static const struct ordo_clock_source source = {
        .name = "stalls", .title = "", .unit_hz = 1000000000, .granule_units = 1, .read = read_or_stall};
    const struct ordo_node_clock clock = {.source = &source};
    const struct ordo_verify_options options = {.clocks = &clock,
                                                .clock_count = 1,
                                                .rounds = 2,
                                                .exchanges = 20,
                                                .span_ns = BEFORE_NS + BEFORE_NS / 5,
                                                .visit_ns = 1000000,
                                                .deadline_ns = deadline_ms * INT64_C(1000000),
                                                .tolerance_ns = 1000000000};
    struct ordo_verify *verify = NULL;
    struct ordo_error error = {0};
    PMPI_Barrier(MPI_COMM_WORLD);
    int64_t begin_ns = raw_ns() + BEFORE_NS;
    stalls_at_ns = rank == victim ? begin_ns : 0;
    stall_ms = deadline_ms * 5 / 2;
    int code = ordo_verify_run(MPI_COMM_WORLD, &options, &verify, &error);
    int64_t took_ns = raw_ns() - begin_ns;
    bool told = code == ORDO_E_SYSTEM && error.sys_errno == ETIMEDOUT; /* not if the verification was over before */
    expect(told || deadline_ms < MOST_MS, "a stopped rank is an error for all", code);
    ordo_verify_free(verify);
    return told && (rank == victim || took_ns < options.deadline_ns / 5 * 6);
}

static void stand_still_for(int victim)
{
    for (int deadline_ms = 2 * DEADLINE_MS; !all_say(stand_still(deadline_ms, victim)); deadline_ms *= 2) {
        expect(deadline_ms < MOST_MS, "a rank that stops within a verification is known by the deadline (ms)",
               deadline_ms);
        if (deadline_ms >= MOST_MS)
            return;
    }
}

/* The five collective calls, by number. */
enum { CALLS = 5 };
static const char *const call_names[CALLS] = {"verify", "sync", "check", "harmonize", "skew"};

static int make_call(struct ordo_mpi *context, int call, struct ordo_error *error)
{
    struct ordo_mpi_harmony harmony = {0};
    struct ordo_global_skew skew;
    switch (call) {
    case 0:
        return ordo_mpi_verify(context, error);
    case 1:
        return measure_all(context, error);
    case 2:
        return ordo_mpi_check(context, NULL, NULL, NULL, error);
    case 3:
        return ordo_mpi_harmonize(context, &harmony, error);
    default:
        return ordo_mpi_skew(context, &harmony, &skew, error);
    }
}

/* Ranks make different collective calls. Without a check they would wait for ever, or receive messages of another call.
 * All ranks get an error. */
static bool make_other_calls_for(int deadline_ms, int first, int second)
{
    struct ordo_mpi *context = impatient(deadline_ms);
    struct ordo_error error = {0};
    char names[96];
    int code = measure_all(context, &error), other = rank == 1 ? second : first;
    expect(code == 0 || deadline_ms < MOST_MS, error.text, code);
    code = make_call(context, other, &error);
    (void)snprintf(names, sizeof names, "rank 1 is in ordo_mpi_%s, and rank 0 in ordo_mpi_%s", call_names[second],
                   call_names[first]);
    bool by_roll_call = strstr(error.text, names) != NULL;
    bool at_once = strstr(error.text, call_names[other]) && strstr(error.text, "rank 1 differs from rank 0");
    bool refused = code == ORDO_E_INVALID && (by_roll_call || at_once);
    expect(refused || deadline_ms < MOST_MS, error.text, 10 * first + second);
    ordo_mpi_free(context);
    return refused;
}

static void make_other_calls(int first, int second)
{
    int deadline_ms = 4 * DEADLINE_MS;
    while (!all_say(make_other_calls_for(deadline_ms, first, second)) && deadline_ms < MOST_MS)
        deadline_ms *= 2;
}

/* One rank is late for a call, and another rank for the next call, each by less than two thirds of the deadline: no
 * rank counts as lost. */
static bool be_late(int deadline_ms)
{
    struct ordo_mpi *context = impatient(deadline_ms);
    struct ordo_error error = {0};
    int late_ms = deadline_ms * 11 / 20;
    const struct timespec late = {.tv_sec = late_ms / 1000, .tv_nsec = late_ms % 1000 * 1000000L};
    int code = measure_all(context, &error);
    for (int turn = 0; turn < 4 && !code; turn++) {
        if (rank == turn % 2)
            (void)__real_nanosleep(&late, NULL);
        code = make_call(context, 3, &error);
    }
    ordo_mpi_free(context);
    return code == 0;
}

static void be_late_in_turns(void)
{
    int deadline_ms = 2 * DEADLINE_MS;
    while (!all_say(be_late(deadline_ms)) && deadline_ms < MOST_MS)
        deadline_ms *= 2;
    expect(deadline_ms < MOST_MS, "a late rank is not lost (ms)", deadline_ms);
}

static void expect_a_difference(int code, const struct ordo_error *error, const char *what)
{
    expect(code == ORDO_E_INVALID && strstr(error->text, what) && strstr(error->text, "rank 1 "), error->text, code);
}

/* Ranks make the same calls with different options: all ranks refuse them, and the context still works. */
static void pass_other_options(void)
{
    const struct ordo_mpi_options options = {.algorithm = rank == 1 ? "jk:fit=5" : "hca3:fit=50"},
                                  unknown = {.algorithm = rank == 1 ? "jk:fit=none" : "jk:fit=5"};
    const struct ordo_mpi_check_options check = {.pingpong = rank == 1 ? 3 : 5},
                                        bad = {.percent = rank == 1 ? 101 : 50};
    struct ordo_mpi *context = impatient(MOST_MS), *none = NULL;
    struct ordo_error error = {0};
    expect_a_difference(ordo_mpi_sync(context, &options, &error), &error, "ordo_mpi_sync: the call or its options");
    expect(ordo_mpi_sync(context, &unknown, &error) == ORDO_E_INVALID,
           "an algorithm that is unknown on one rank is refused on all", 0);
    int code = measure_all(context, &error);
    expect(code == 0, error.text, code);
    expect_a_difference(ordo_mpi_check(context, &check, NULL, NULL, &error), &error,
                        "ordo_mpi_check: the call or its options");
    expect(ordo_mpi_check(context, &bad, NULL, NULL, &error) == ORDO_E_INVALID,
           "an option that is out of range on one rank is refused on all", 0);
    code = ordo_mpi_check(context, NULL, NULL, NULL, &error);
    expect(code == 0, error.text, code);
    ordo_mpi_free(context);
    code = ordo_mpi_create(MPI_COMM_WORLD, rank == 1 ? "realtime" : "monotonic", &none, &error);
    expect_a_difference(code, &error, "clock");
    expect(none == NULL, "a refused creation makes no context", 0);
}

static bool runs_on(unsigned first, unsigned last)
{
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    for (unsigned cpu = first; cpu <= last; cpu++)
        CPU_SET(cpu, &cpus);
    return sched_setaffinity(0, sizeof cpus, &cpus) == 0;
}

/* Returns a new context whose clock was found to be common by a first verification. */
static struct ordo_mpi *verified(void)
{
    struct ordo_mpi *context = NULL;
    struct ordo_error error = {0};
    int code = ordo_mpi_create(MPI_COMM_WORLD, "monotonic", &context, &error);
    for (int tries = 0; !code && tries < 20 && (code = ordo_mpi_verify(context, &error)) == ORDO_E_UNVERIFIED; tries++)
        ; /* on a busy machine a verification may be inconclusive, and a later one could then contradict nothing */
    expect(code == 0, error.text, code);
    return context;
}

/* Synchronises: the remembered bounds contradict nothing. */
static struct ordo_mpi *synchronised(struct ordo_mpi *context)
{
    struct ordo_error error = {0};
    int code = measure_all(context, &error);
    expect(code == 0, error.text, code);
    return context;
}

/* A check finds that a clock has stepped. The refuted bounds do not affect the next synchronisation. */
static void step_before_a_check(void)
{
    struct ordo_mpi *context;
    struct ordo_error error = {0};
    int code = ordo_mpi_create(MPI_COMM_WORLD, "monotonic", &context, &error);
    expect(code == 0, error.text, code);
    (void)synchronised(context);
    step_ns = rank == 1 ? 2000000000 : 0;
    code = ordo_mpi_check(context, NULL, NULL, NULL, &error);
    expect(code == ORDO_E_MEASURE, "a check refutes the clock that stepped", code);
    code = ordo_mpi_check(synchronised(context), NULL, NULL, NULL, &error);
    expect(code == 0, error.text, code);
    step_ns = 0;
    ordo_mpi_free(context);
}

/* Between two verifications a clock steps by far more than it can have drifted. The second verification reports the
 * step once, with the rank. The third verification no longer uses the first. */
static void step_between_verifications(void)
{
    enum { STEP_NS = 2000000000 };
    struct ordo_mpi *context = synchronised(verified());
    struct ordo_error error = {0};
    step_ns = rank == 1 ? STEP_NS : 0;
    int code = ordo_mpi_verify(context, &error);
    expect(code == ORDO_E_MEASURE && strncmp(error.text, "rank 1: ", 8) == 0, error.text, code);
    expect(rank > 0 || strstr(error.text, "stepped since the last verification"), error.text, code);
    (void)synchronised(context);
    expect(ordo_mpi_sync(context, NULL, &error) == ORDO_E_UNVERIFIED, "no clock is verified after a contradiction",
           code);
    code = ordo_mpi_verify(context, &error);
    expect(code == ORDO_E_UNVERIFIED, "the third verification refutes the clock, and contradicts nothing", code);
    step_ns = 0;
    ordo_mpi_free(context);
}

/* Steps a clock between two verifications, and changes the CPUs that ranks may run on, so that they may read other
 * clocks than before: the second verification refutes the clock, but reports no step. */
static void read_another_clock(unsigned first, unsigned last)
{
    struct ordo_mpi *context = synchronised(verified());
    struct ordo_error error = {0};
    step_ns = rank == 1 ? 2000000000 : 0;
    expect(runs_on(first, last), "the rank moves to the other CPUs", rank);
    int code = ordo_mpi_verify(context, &error);
    expect(code == ORDO_E_UNVERIFIED, error.text, code);
    (void)synchronised(context);
    step_ns = 0;
    ordo_mpi_free(context);
}

/* First each rank moves to the other CPU between two verifications; then each rank may run on both CPUs. */
static void move_between_verifications(void)
{
    read_another_clock(1 - (unsigned)rank, 1 - (unsigned)rank);
    (void)runs_on(0, 1);
    read_another_clock(0, 1);
    (void)runs_on((unsigned)rank, (unsigned)rank);
}

static int64_t width_in_a_minute(const struct ordo_mpi *context)
{
    struct ordo_global_time then = ordo_mpi_at(context, ordo_mpi_local_ns(context) + 60000000000);
    return then.latest_ns - then.earliest_ns;
}

/* The bounds of a copied model grow by the drift that one verification leaves possible. Two verifications some seconds
 * apart leave a smaller drift. */
static void verify_twice(void)
{
    const struct timespec pause = {.tv_sec = 5};
    struct ordo_mpi *context = verified(), *fresh;
    struct ordo_error error = {0};
    (void)__real_nanosleep(&pause, NULL);
    int code = ordo_mpi_verify(context, &error);
    code = code ? code : ordo_mpi_sync(context, NULL, &error);
    int64_t twice_ns = width_in_a_minute(context);
    fresh = verified();
    int once = ordo_mpi_sync(fresh, NULL, &error);
    int64_t once_ns = width_in_a_minute(fresh);
    expect(once == 0, error.text, once);
    expect(code == 0 || code == ORDO_E_UNVERIFIED, "a second verification passes, or is inconclusive on a busy machine",
           code);
    if (rank > 0 && !code)
        expect(twice_ns < once_ns / 2, "two verifications leave less than half of the width of one (us)",
               (int)(twice_ns / 1000));
    if (rank > 0)
        printf("half width a minute after one verification %lld us, after two 5 s apart %lld us\n",
               (long long)once_ns / 2000, (long long)twice_ns / 2000);
    ordo_mpi_free(fresh);
    ordo_mpi_free(context);
}

/* Makes two sockets of one CPU each, with a rank on each. True if this is possible here, for all ranks. */
static int take_sockets(void)
{
    int mine = size == 2 && runs_on((unsigned)rank, (unsigned)rank), all;
    setenv("HWLOC_SYNTHETIC", "pack:2 core:1 pu:1", 1);
    setenv("HWLOC_THISSYSTEM", "1", 1);
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    starve(live, "memory that runs out is an error for all");
    starve(verify, "memory that runs out while verifying is an error for all, or was not needed");
    lose_broadcasts();
    wait_over_a_step();
    stop_while_the_rate_is_measured();
    date_the_verification();
    keep_no_pairs();
    run_on_many_cpus();
    take_long();
    stay_away(measure_all, "a missing rank is an error for all");
    stay_away(ordo_mpi_verify, "a rank missing from a verification is an error for all");
    stand_still_for(size - 1);
    stand_still_for(0);
    for (int first = 0; first < CALLS; first++)
        for (int second = 0; second < CALLS; second++)
            if (first != second)
                make_other_calls(first, second);
    be_late_in_turns();
    pass_other_options();
    lose_affinity(0);
    expect(live() == 0 && verify() == 0, "a later run works after the faults", 0);
    step_before_a_check();
    if (take_sockets()) {
        lose_affinity(1);
        step_between_verifications();
        move_between_verifications();
        verify_twice();
    }
    MPI_Finalize();
    return failures > 0;
}
