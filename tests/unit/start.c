/* ordo_start on clocks with known skews, and in a process whose system calls fail. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each turn of a crew calls the script of the test. */
#include <ordo/start/crew.h>
static int scripted_turn(struct ordo_start_crew *crew, uint64_t limit_ns, uint64_t until_ns, struct ordo_error *error);
#define ordo_start_crew_turn scripted_turn
#include <ordo/start.h>
#undef ordo_start_crew_turn
#include <ordo/scope.h>

enum { NONE = -1 };

/* The behaviour of the wrapped functions. 0 or NONE in a member means the usual behaviour. */
static struct {
    int pin_errno;       /* the error of sched_setaffinity */
    int pins_refused;    /* the number of refusals; NONE: all */
    int lost_cpu;        /* this CPU leaves the affinity after the refusals */
    int stuck_cpu;       /* a thread that pins itself to this CPU gets no CPU time until it is unpinned */
    int unpinned;        /* true if unpinning was called */
    int moved_cpu;       /* a thread that was pinned to this CPU may also run on others */
    int threads_allowed; /* number of threads that can be created; NONE: all */
    int map_errno;
    int gained_cpu;        /* this CPU appears in the affinity of an unpinned thread at the next query */
    const char *log;       /* file that is read instead of /dev/kmsg */
    const char *sources;   /* file that is read instead of the kernel's list of clock sources */
    bool stacks_are_small; /* a thread can only be created with a stack of the default size */
    bool wanders;          /* an unpinned thread wakes up on a CPU other than the one on which it fell asleep */
    bool open_signals;     /* true if a thread was created with an unblocked signal */
} world;

/* The script of the turns in which pairs meet. All zero: nothing special happens. */
static struct {
    void (*before)(struct ordo_start_field *field);
    void (*after)(struct ordo_start_field *field);
    const struct ordo_visit *visits; /* the visits of a field of one pair, turn by turn; the last one repeats */
    unsigned visit_count, turns;
    bool has_no_crew; /* the turn measures nothing */
} script;

static void tell_visits(struct ordo_start_field *field)
{
    unsigned turn = script.turns < script.visit_count ? script.turns : script.visit_count - 1;
    struct ordo_visit *visit = &field->pairs[0].visit;
    field->seats[0].code = field->seats[1].code = ORDO_OK;
    *visit = script.visits[turn];
    visit->at_ab = visit->at_ba = ordo_clock_relaxed();
}

static int scripted_turn(struct ordo_start_crew *crew, uint64_t limit_ns, uint64_t until_ns, struct ordo_error *error)
{
    struct ordo_start_field *field = crew->context;
    int code = ORDO_OK;
    if (field->alone)
        return ordo_start_crew_turn(crew, limit_ns, until_ns, error);
    if (script.before)
        script.before(field);
    if (!script.has_no_crew)
        code = ordo_start_crew_turn(crew, limit_ns, until_ns, error);
    if (script.visits)
        tell_visits(field);
    if (script.after)
        script.after(field);
    script.turns++;
    return code;
}

static void reset_world(void)
{
    memset(&script, 0, sizeof script);
    memset(&start_clock_step, 0, sizeof start_clock_step);
    memset(&world, 0, sizeof world);
    world.lost_cpu = world.stuck_cpu = world.moved_cpu = world.threads_allowed = world.gained_cpu = NONE;
    memset(start_clocks, 0, sizeof start_clocks);
    setenv("ORDO_RECORD", "/nonexistent/ordo", 1);
}

int __real_sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *set);
int __real_sched_getaffinity(pid_t thread, size_t bytes, cpu_set_t *set);
int __real_pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
int __real_open(const char *path, int flags, ...);
int __real_poll(struct pollfd *files, nfds_t count, int timeout_ms);

static int first_of(size_t bytes, const cpu_set_t *set)
{
    int cpu = 0;
    while (cpu < (int)bytes * 8 && !CPU_ISSET_S(cpu, bytes, set))
        cpu++;
    return cpu;
}

int __wrap_sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *set)
{
    int cpu = first_of(bytes, set);
    if (world.pins_refused == NONE || (world.pins_refused > 0 && world.pins_refused-- > 0)) {
        errno = world.pin_errno;
        return -1;
    }
    if (cpu == world.stuck_cpu)
        while (!__atomic_load_n(&world.unpinned, __ATOMIC_RELAXED))
            usleep(1000);
    start_clock_cpu = cpu < START_CLOCK_CPUS ? (unsigned)cpu : START_CLOCK_UNPINNED;
    return __real_sched_setaffinity(thread, bytes, set);
}

int __wrap_sched_getaffinity(pid_t thread, size_t bytes, cpu_set_t *set)
{
    int code = __real_sched_getaffinity(thread, bytes, set);
    bool pinned = start_clock_cpu != START_CLOCK_UNPINNED;
    if (world.moved_cpu != NONE && pinned && (int)start_clock_cpu == world.moved_cpu)
        CPU_SET_S(world.moved_cpu + 1, bytes, set);
    if (world.lost_cpu != NONE && !pinned && world.pins_refused == 0)
        CPU_CLR_S(world.lost_cpu, bytes, set);
    if (world.gained_cpu != NONE && !pinned) {
        CPU_SET_S(world.gained_cpu, bytes, set);
        world.gained_cpu = NONE;
    }
    return code;
}

int __wrap_pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set)
{
    __atomic_store_n(&world.unpinned, 1, __ATOMIC_RELAXED);
    return __real_pthread_setaffinity_np(thread, bytes, set);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    world.open_signals |= !sigismember(&blocked, SIGTERM) || !sigismember(&blocked, SIGPROF);
    if (world.threads_allowed != NONE && world.threads_allowed-- == 0)
        return EAGAIN;
    if (world.stacks_are_small && attributes)
        return EINVAL;
    return __real_pthread_create(thread, attributes, run, argument);
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    if (world.map_errno && fd < 0) {
        errno = world.map_errno;
        return MAP_FAILED;
    }
    return __real_mmap(at, bytes, protection, flags, fd, offset);
}

int __wrap_open(const char *path, int flags, ...)
{
    if (world.log && strcmp(path, "/dev/kmsg") == 0)
        path = world.log;
    if (world.sources && strstr(path, "/available_clocksource"))
        path = world.sources;
    return __real_open(path, flags, 0600);
}

/* Moves the calling thread to the next CPU that it may run on, without restricting it to this CPU. */
static void wander(void)
{
    cpu_set_t all, next;
    int cpu = sched_getcpu();
    __real_sched_getaffinity(0, sizeof all, &all);
    do
        cpu = (cpu + 1) % CPU_SETSIZE;
    while (!CPU_ISSET(cpu, &all));
    CPU_ZERO(&next);
    CPU_SET(cpu, &next);
    __real_sched_setaffinity(0, sizeof next, &next);
    __real_sched_setaffinity(0, sizeof all, &all);
}

int __wrap_poll(struct pollfd *files, nfds_t count, int timeout_ms)
{
    int ready = __real_poll(files, count, timeout_ms);
    if (world.wanders && start_clock_cpu == START_CLOCK_UNPINNED)
        wander();
    return ready;
}

static int threads_now(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* Calls ordo_start until the machine is not too busy, at most 50 times. */
static int start(struct ordo *o, struct ordo_error *error)
{
    int code = ORDO_E_MEASURE;
    for (int i = 0; i < 50 && code == ORDO_E_MEASURE; i++)
        code = ordo_start(o, error);
    return code;
}

static int look(struct ordo *o, struct ordo_error *error)
{
    int code = ORDO_E_MEASURE;
    for (int i = 0; i < 50 && code == ORDO_E_MEASURE; i++)
        code = ordo_start_look(o, error);
    return code;
}

static void must_start(struct ordo *o)
{
    struct ordo_error error;
    int code = start(o, &error);
    cr_assert_eq(code, ORDO_OK, "%s", error.text);
}

/* Writes two CPUs of this machine that the tests may use. Returns false if there is only one. */
static bool two_cpus(int cpus[2])
{
    cpu_set_t set;
    int found = 0;
    __real_sched_getaffinity(0, sizeof set, &set);
    for (int cpu = 0; cpu < START_CLOCK_CPUS && found < 2; cpu++)
        if (CPU_ISSET(cpu, &set))
            cpus[found++] = cpu;
    return found == 2;
}

/* True if the clock of this machine can be used. If the kernel has found it faulty, ordo_start must refuse it. */
static bool usable(void)
{
    uint64_t flags;
    return ordo_start_judge(&flags, NULL) == ORDO_OK;
}

#define NEEDS_CLOCK()                                                                                                  \
    do {                                                                                                               \
        reset_world();                                                                                                 \
        if (!usable())                                                                                                 \
            cr_skip_test("the kernel has found this machine's counter faulty");                                        \
    } while (0)

/* Leaves two CPUs to the process, so that there is one pair. */
static void keep_two(const int cpus[2])
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpus[0], &set);
    CPU_SET(cpus[1], &set);
    __real_sched_setaffinity(0, sizeof set, &set);
}

#define NEEDS_TWO_CPUS(cpus)                                                                                           \
    do {                                                                                                               \
        NEEDS_CLOCK();                                                                                                 \
        if (!two_cpus(cpus))                                                                                           \
            cr_skip_test("one CPU");                                                                                   \
    } while (0)

Test(start, the_boundary_covers_an_injected_skew)
{
    /* Skews of at most about one latency, of a few latencies, and far larger ones. */
    static const int64_t skews[] = {0, 1, 26, 50, 100, 150, 200, 300, 500, 1000, 5000, 100000, 10000000, 4000000000};
    const int kinds = sizeof skews / sizeof *skews, starts = ORDO_TESTS_BRIEF ? 2 * kinds : 200;
    int cpus[2], contained = 0;
    NEEDS_TWO_CPUS(cpus);
    for (int i = 0; i < starts; i++) {
        struct ordo o;
        int64_t skew = skews[i % kinds] + (i / (2 * kinds)) * 13;
        start_clocks[cpus[0]].ticks =
            i / kinds % 2 ? -skew : 0; /* either CPU is ahead; the skew is a lead of one CPU or a lag of the other */
        start_clocks[cpus[1]].ticks = i / kinds % 2 ? 0 : i % 2 ? skew : -skew;
        must_start(&o);
        cr_expect(ordo_boundary(&o) >= (uint64_t)skew, "skew %lld, boundary %llu", (long long)skew,
                  (unsigned long long)ordo_boundary(&o));
        contained += ordo_boundary(&o) >= (uint64_t)skew;
        cr_expect(ordo_boundary(&o) - (uint64_t)skew <=
                      ordo_ns_to_ticks(&o, 2 * ORDO_START_MOST_LATENCY_NS) + o.record->granule_ticks,
                  "skew %lld, boundary %llu", (long long)skew, (unsigned long long)ordo_boundary(&o));
        ordo_close(&o);
    }
    cr_expect_eq(contained, starts);
}

Test(start, a_caller_that_changes_its_cpu_measures_the_right_rate)
{
    int cpus[2];
    uint64_t hz;
    struct ordo o;
    NEEDS_TWO_CPUS(cpus);
    must_start(&o);
    hz = ordo_tick_hz(&o);
    ordo_close(&o);
    world.wanders = true;
    for (int i = 0; i < 8; i++) { /* skews of 1 ms to 2 s, in both directions; the sweeps are 50 ms apart */
        static const int64_t parts[] = {1000, 10, 3, 2};
        int64_t skew = i == 7 ? 2 * (int64_t)hz : (int64_t)hz / parts[i / 2];
        start_clocks[cpus[1]].ticks = i % 2 ? skew : -skew;
        must_start(&o);
        cr_expect_geq(ordo_boundary(&o), (uint64_t)skew);
        cr_expect(ordo_tick_hz(&o) > hz - hz / 1000 && ordo_tick_hz(&o) < hz + hz / 1000, "%llu Hz, and not %llu",
                  (unsigned long long)ordo_tick_hz(&o), (unsigned long long)hz);
        ordo_close(&o);
    }
}

/* Simulates a sweep: visits of all pairs of CPUs, whose clocks show `clocks`. Each CPU adds `part_ticks` to the
 * latency; the ceilings of the direction ba exceed the deltas by `excess`. */
static int sweep_of(struct ordo_start_field *field, const int64_t *clocks, bool is_first, int64_t at,
                    int64_t part_ticks, int64_t excess)
{
    int code = ORDO_OK;
    for (unsigned round = 0; round < ordo_start_rounds(field->count); round++) {
        ordo_start_draw(field, round);
        for (unsigned i = 0; i < field->match_count && !code; i++) {
            int64_t b = clocks[field->matches[i].b] + part_ticks * field->matches[i].b;
            int64_t offset = b - clocks[field->matches[i].a] - part_ticks * field->matches[i].a, latency = 150 + (int)i;
            field->pairs[i].visit =
                (struct ordo_visit){offset + latency,     -offset + latency,    (uint64_t)at,
                                    (uint64_t)at + 10000, offset + latency + 7, -offset + latency + excess};
            code = ordo_start_take_visit(field, i, is_first, NULL);
        }
    }
    return code;
}

Test(start, the_boundary_is_the_largest_ceiling)
{
    const int64_t clocks[][5] = {{0, 0, 0, 0, 0}, {0, 5000, 0, 0, 0}, {0, 0, 0, -7000, 9}, {90000, 1, 2, 3, 4}};
    const int64_t largest[] = {158, 5158, 7167, 90150}, later[] = {201, 5201, 7201, 90200};
    static struct ordo_start_member members[5];
    for (unsigned i = 0; i < 4; i++) {
        static struct ordo_start_match matches[3];
        static struct ordo_pair pairs[3];
        static struct ordo_visit first[25];
        struct ordo_start_field field = {
            .count = 5, .members = members, .matches = matches, .pairs = pairs, .first = first, .granule_ticks = 1};
        field.found.largest = INT64_MIN;
        cr_expect_eq(sweep_of(&field, clocks[i], true, 1000000, 0, 0), ORDO_OK);
        cr_expect_eq(field.found.largest, largest[i], "%lld", (long long)field.found.largest);
        cr_expect_eq(sweep_of(&field, clocks[i], false, 101000000, 0, 50), ORDO_OK);
        cr_expect_eq(field.found.largest, later[i], "%lld", (long long)field.found.largest);
        cr_expect(field.found.drift_min < 0 && field.found.drift_max > 0);
        /* The step is more than two latencies. */
        cr_expect_eq(sweep_of(&field, clocks[i], false, 101000000, 400, 0), ORDO_E_REFUTED);
        cr_expect_eq(sweep_of(&field, clocks[i], false, 101000000, -400, 0), ORDO_E_REFUTED);
    }
}

Test(start, two_cpus_use_the_largest_ceiling_of_any_visit)
{
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    keep_two(cpus);
    for (int i = 0; i < 12; i++) { /* for each sweep, each direction, and offsets of both signs */
        int64_t offset = (i / 4 - 1) * 5000, high = i % 2 ? 100 - offset + 20 : 100 + offset + 20;
        int64_t other = i % 2 ? 100 + offset : 100 - offset;
        struct ordo_visit visits[2];
        struct ordo o;
        for (int k = 0; k < 2; k++)
            visits[k] = (struct ordo_visit){100 + offset, 100 - offset, 0, 0, 100 + offset, 100 - offset};
        *(i % 2 ? &visits[i / 2 % 2].ceiling_ba : &visits[i / 2 % 2].ceiling_ab) = high;
        script.visits = visits;
        script.visit_count = 2;
        script.turns = 0;
        must_start(&o);
        cr_expect_eq(script.turns, 2u);
        cr_expect_geq(o.record->granule_ticks, 1u);
        cr_expect_eq(ordo_boundary(&o), (uint64_t)(high > other ? high : other) + o.record->granule_ticks,
                     "case %d: %llu", i, (unsigned long long)ordo_boundary(&o));
        ordo_close(&o);
    }
}

Test(start, a_slow_visit_is_repeated_up_to_three_times)
{
    static const struct ordo_visit visits[] = {{100, 100, 0, 0, 1000, 100},
                                               {100, 100, 0, 0, 100, 1000},
                                               {100, 100, 0, 0, 1000, 1000},
                                               {100, 100, 0, 0, 110, 100}};
    struct ordo o;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    keep_two(cpus);
    script.visits = visits;
    script.visit_count = 4;
    must_start(&o);
    cr_expect_eq(script.turns, 5u);
    cr_expect_eq(ordo_boundary(&o), 110 + o.record->granule_ticks);
    ordo_close(&o);
    script.visit_count = 1;
    script.turns = 0;
    must_start(&o);
    cr_expect_eq(script.turns, 8u);
    cr_expect_eq(ordo_boundary(&o), 1000 + o.record->granule_ticks);
    ordo_close(&o);
}

/* A step of one CPU's clock in the last sweep of two CPUs. */
static struct {
    unsigned cpu;
    int64_t ticks, readings; /* size of the step; number of readings before it, 0: before the sweep */
    bool done;
} step;

static void step_in_the_last_sweep(struct ordo_start_field *field)
{
    if (field->found.largest == INT64_MIN || step.done) /* the first sweep */
        return;
    step.done = true;
    start_clock_step.cpu = step.cpu;
    start_clock_step.ticks = step.ticks;
    start_clock_step.readings = step.readings;
    if (!step.readings)
        start_clocks[step.cpu].ticks += step.ticks;
}

/* Removes the step after an incomplete visit, which may have ended before the step. In a shorter repeated visit the
 * step might come at the very end. */
static void end_the_step(struct ordo_start_field *field)
{
    (void)field;
    start_clock_step.readings = 0;
}

Test(start, a_step_between_the_sweeps_is_refused)
{
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    keep_two(cpus);
    script.before = step_in_the_last_sweep;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct ordo o;
        struct ordo_error error;
        step = (typeof(step)){(unsigned)cpus[1], sign * 1000000, 0, false};
        cr_expect_eq(start(&o, &error), ORDO_E_REFUTED);
        cr_expect(strstr(error.text, "moved between two visits"), "%s", error.text);
    }
}

Test(start, a_step_within_the_last_visit_is_refused_or_covered)
{
    static const int64_t steps[] = {20, 60, 100, 150, 200, 300, 1000, 1000000};
    static const int64_t readings[] = {1, 300, 800, 1500, 2300, 2900};
    int cpus[2], made = 0;
    NEEDS_TWO_CPUS(cpus);
    keep_two(cpus);
    script.before = step_in_the_last_sweep;
    script.after = end_the_step;
    for (int i = 0; i < 2 * 8 * 6; i++) {
        struct ordo o;
        struct ordo_error error;
        int64_t ticks = i % 2 ? steps[i / 2 % 8] : -steps[i / 2 % 8];
        start_clocks[cpus[1]].ticks = 0;
        step = (typeof(step)){(unsigned)cpus[1], ticks, readings[i / 16], false};
        int code = start(&o, &error);
        made += start_clocks[cpus[1]].ticks == ticks;
        if (code == ORDO_E_REFUTED)
            continue;
        cr_assert_eq(code, ORDO_OK, "%s", error.text);
        cr_expect_geq(ordo_boundary(&o), (uint64_t)llabs(start_clocks[cpus[1]].ticks));
        ordo_close(&o);
    }
    cr_expect_geq(made, 2 * 8 * 6 / 2);
}

static void gain_cpu(struct ordo_start_field *field)
{
    (void)field;
    world.gained_cpu = START_CLOCK_CPUS - 1;
}

Test(refusal, a_cpu_that_comes_online_is_named)
{
    struct ordo o;
    struct ordo_error error;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    script.before = gain_cpu;
    cr_expect_eq(start(&o, &error), ORDO_E_CPUS);
    cr_expect(strstr(error.text, "cpu 1023: came online"), "%s", error.text);
}

Test(refusal, clocks_whose_difference_may_have_wrapped_are_refused)
{
    static const int64_t far[] = {INT64_MAX - 100,  INT64_MAX,           INT64_MIN, INT64_MIN + 100,
                                  INT64_C(3) << 61, -(INT64_C(3) << 61), 0};
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        struct ordo o;
        struct ordo_error error;
        /* in the last round, the clock wraps in some seconds */
        start_clocks[cpus[1]].ticks = far[i] ? far[i] : -(int64_t)start_clock_native_read() - INT64_C(20000000000);
        cr_expect_eq(start(&o, &error), ORDO_E_REFUTED, "%lld", (long long)far[i]);
        cr_expect(strstr(error.text, "2^61"), "%s", error.text);
    }
}

Test(refusal, a_boundary_of_zero_is_refused)
{
    static const struct ordo_visit visit = {-1000000, 1000000, 0, 0, -1000000, -1000000};
    struct ordo_start_result result = {.boundary_ticks = 0};
    cr_expect_eq(ordo_start_conclude(&result, visit.ceiling_ab, 7, NULL), ORDO_E_REFUTED);
    cr_expect_eq(ordo_start_conclude(&result, -7, 7, NULL), ORDO_E_REFUTED);
    cr_expect_eq(ordo_start_conclude(&result, -6, 7, NULL), ORDO_OK);
    cr_expect_eq(result.boundary_ticks, 1u);
}

/* Four CPUs with equal clocks. Turn 5 is the last round, and the visit of the pair without the third CPU is slow. Turn
 * 6 repeats this visit; then the clock of the third CPU steps. */
static int64_t step_of_the_third;

static void play_four(struct ordo_start_field *field)
{
    for (unsigned i = 0; i < field->match_count; i++) {
        const struct ordo_start_match *match = &field->matches[i];
        int64_t offset = 0;
        if (match->is_over)
            continue;
        if (script.turns >= 7)
            offset = match->b == 2 ? step_of_the_third : match->a == 2 ? -step_of_the_third : 0;
        field->pairs[i].visit = (struct ordo_visit){100 + offset, 100 - offset, 0, 0, 100 + offset, 100 - offset};
        field->pairs[i].visit.at_ab = field->pairs[i].visit.at_ba = 1000000 * (script.turns + 1);
        if (script.turns == 5 && match->a != 2 && match->b != 2)
            field->pairs[i].visit.ceiling_ab = 1000;
    }
}

Test(start, the_last_round_is_repeated_after_a_repeated_visit)
{
    static struct ordo_start_member members[4];
    static struct ordo_start_seat seats[4];
    static struct ordo_start_match matches[2];
    static struct ordo_pair pairs[2];
    static struct ordo_visit first[16];
    for (int i = 0; i < 4; i++) {
        static const int64_t steps[] = {0, 80, 5000, -5000};
        uint64_t until_ns = ordo_pair_now_ns() + 10000000000u;
        struct ordo_start_field field = {.count = 4,
                                         .members = members,
                                         .seats = seats,
                                         .matches = matches,
                                         .pairs = pairs,
                                         .first = first,
                                         .granule_ticks = 1,
                                         .tick_hz = 1000000000};
        reset_world();
        field.crew.context = &field;
        field.found.largest = INT64_MIN;
        script.has_no_crew = true;
        script.after = play_four;
        step_of_the_third = steps[i];
        cr_expect_eq(ordo_start_sweep(&field, 1, until_ns, NULL), ORDO_OK);
        cr_expect_eq(script.turns, 3u);
        cr_expect_eq(ordo_start_sweep(&field, 0, until_ns, NULL), i < 2 ? ORDO_OK : ORDO_E_REFUTED);
        cr_expect_eq(script.turns, 8u);
        if (i < 2)
            cr_expect_eq(field.found.largest, 100 + steps[i]);
    }
}

Test(start, each_pair_meets_once_for_any_number_of_cpus)
{
    static unsigned char met[130][130];
    static struct ordo_start_match matches[66];
    for (unsigned n = 2; n <= 130; n++) {
        struct ordo_start_field field = {.count = n, .matches = matches};
        memset(met, 0, sizeof met);
        for (unsigned round = 0; round < ordo_start_rounds(n); round++) {
            unsigned char sits[130] = {0};
            ordo_start_draw(&field, round);
            for (unsigned i = 0; i < field.match_count; i++) {
                cr_assert(matches[i].a < matches[i].b && matches[i].b < n);
                cr_assert_eq(sits[matches[i].a]++ + sits[matches[i].b]++, 0);
                met[matches[i].a][matches[i].b]++;
            }
        }
        for (unsigned a = 0; a < n; a++)
            for (unsigned b = a + 1; b < n; b++)
                cr_assert_eq(met[a][b], 1, "%u and %u of %u meet %u times", a, b, n, met[a][b]);
    }
}

Test(start, a_private_record_is_well_formed_and_covers_this_thread)
{
    struct ordo o;
    struct ordo_record_view view;
    NEEDS_CLOCK();
    must_start(&o);
    cr_expect_eq(ordo_record_parse(o.record, (size_t)o.record->total_bytes, &view), ORDO_OK);
    cr_expect_eq(ordo_record_applies(&view, NULL), ORDO_OK);
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_VALID);
    cr_expect(ordo_flags(&o) & ORDO_FLAG_PRIVATE);
    cr_expect(!(o.record->flags & ORDO_FLAG_PRIVATE));
    cr_expect(ordo_trust(&o) == ORDO_TRUST_VOUCHED || ordo_trust(&o) == ORDO_TRUST_MEASURED);
    cr_expect_eq(o.record->boundary_ticks, ordo_boundary(&o));
    cr_expect(o.record->drift_min_ppb <= 0 && o.record->drift_max_ppb >= 0);
    ordo_close(&o);
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_CLOSED);
    cr_expect_eq(ordo_start_look(&o, NULL), ORDO_E_INVALID);
}

Test(start, the_boundary_of_one_cpu_is_the_granule)
{
    struct ordo o;
    cpu_set_t set;
    NEEDS_CLOCK();
    __real_sched_getaffinity(0, sizeof set, &set);
    for (int cpu = first_of(sizeof set, &set) + 1; cpu < CPU_SETSIZE; cpu++)
        CPU_CLR(cpu, &set);
    __real_sched_setaffinity(0, sizeof set, &set);
    must_start(&o);
    cr_expect_geq(ordo_boundary(&o), 1u);
    cr_expect_eq(ordo_boundary(&o), o.record->granule_ticks);
    cr_expect_eq(ordo_start_look(&o, NULL), ORDO_OK);
    ordo_close(&o);
}

Test(start, a_start_restores_affinity_and_signals)
{
    struct ordo o;
    cpu_set_t before, after;
    sigset_t signals_before, signals_after;
    NEEDS_CLOCK();
    int threads = threads_now();
    __real_sched_getaffinity(0, sizeof before, &before);
    pthread_sigmask(SIG_SETMASK, NULL, &signals_before);
    must_start(&o);
    cr_expect_eq(look(&o, NULL), ORDO_OK);
    __real_sched_getaffinity(0, sizeof after, &after);
    pthread_sigmask(SIG_SETMASK, NULL, &signals_after);
    cr_expect(CPU_EQUAL(&before, &after));
    for (int signal = 1; signal < 32; signal++)
        cr_expect_eq(sigismember(&signals_before, signal), sigismember(&signals_after, signal));
    cr_expect_eq(threads_now(), threads);
    cr_expect(!world.open_signals);
    ordo_close(&o);
}

Test(start, the_rate_is_within_its_stated_error)
{
    struct ordo o;
    struct ordo_start_moment first, last;
    struct ordo_start_rate rate = {0, 0};
    NEEDS_CLOCK();
    must_start(&o);
    cr_assert_eq(ordo_start_moment_take(&first), 0);
    usleep(500000);
    cr_assert_eq(ordo_start_moment_take(&last), 0);
    cr_assert(ordo_start_rate_between(&first, &last, ordo_boundary(&o), &rate));
    uint64_t error_ppb = ordo_start_private_of(&o)->rate_error_ppb, high = rate.tick_hz, low = ordo_tick_hz(&o);
    double apart_ppb = (high > low ? (double)(high - low) : (double)(low - high)) * 1e9 / (double)low;
    cr_expect_leq(apart_ppb, (double)(error_ppb + rate.error_ppb), "%g ppb, and not %llu", apart_ppb,
                  (unsigned long long)error_ppb);
    ordo_close(&o);
}

Test(look, a_step_marks_every_copy_of_a_handle_disrupted)
{
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    for (int sign = -1; sign <= 1; sign += 2) {
        struct ordo o, copy;
        struct ordo_error error;
        ordo_time out;
        start_clocks[cpus[1]].ticks = 0;
        must_start(&o);
        copy = o;
        cr_expect_eq(look(&o, &error), ORDO_OK);
        __atomic_store_n(&start_clocks[cpus[1]].ticks, sign * INT64_C(1000000), __ATOMIC_RELAXED);
        /* With more than two CPUs the first look finds the step too, because no partner of this CPU has made the
         * step. */
        cr_expect_eq(look(&o, &error), ORDO_E_DISRUPTED, "%s", error.text);
        cr_expect(strstr(error.text, "minus clock of cpu"), "%s", error.text);
        cr_expect_eq(ordo_status(&copy), ORDO_STATUS_DISRUPTED);
        cr_expect_eq(ordo_try_new_time(&copy, ordo_get_time(&copy), &out), ORDO_E_DISRUPTED);
        start_clocks[cpus[1]].ticks = 0;
        cr_expect_eq(ordo_start_look(&copy, &error), ORDO_E_DISRUPTED, "a mark stays");
        ordo_close(&o);
    }
}

/* Runs `act` in a child process. Returns its exit code. */
static int in_child(int (*act)(struct ordo *), struct ordo *o)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        _exit(act(o));
    cr_assert_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int has_mark(struct ordo *o)
{
    return ordo_status(o) == ORDO_STATUS_DISRUPTED ? 7 : 1;
}

static int looks_well(struct ordo *o)
{
    return look(o, NULL) == ORDO_OK ? 7 : 1;
}

static int finds_a_step(struct ordo *o)
{
    start_clocks[START_CLOCK_UNPINNED].ticks += (int64_t)ordo_tick_hz(o) / 20;
    return look(o, NULL) == ORDO_E_DISRUPTED && ordo_status(o) == ORDO_STATUS_DISRUPTED ? 7 : 1;
}

static int spoils_the_record(struct ordo *o)
{
    struct ordo_start_private *own = ordo_start_private_of(o);
    own->head.status = ORDO_RECORD_VALID;
    own->head.total_bytes = UINT64_C(1) << 40;
    own->head.sealed_bytes = UINT32_C(1) << 30;
    own->section.bytes = UINT32_C(1) << 29; /* the next section would be far beyond the end of the memory */
    own->rate_error_ppb = UINT64_MAX;
    return look(o, NULL) == ORDO_E_MALFORMED ? 7 : 1; /* the look must not crash */
}

Test(look, a_forked_child_has_its_own_handle)
{
    struct ordo o;
    NEEDS_CLOCK();
    must_start(&o);
    cr_expect_eq(in_child(looks_well, &o), 7);
    cr_expect_eq(in_child(finds_a_step, &o), 7);
    cr_expect_eq(in_child(spoils_the_record, &o), 7);
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_VALID);
    cr_expect_eq(look(&o, NULL), ORDO_OK);
    (void)ordo_start_disrupt(&o, NULL, "%s", "by the test");
    cr_expect_eq(in_child(has_mark, &o), 7);
    (void)in_child(spoils_the_record, &o);
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_DISRUPTED);
    cr_expect_eq(ordo_start_look(&o, NULL), ORDO_E_DISRUPTED);
    ordo_close(&o);
}

static void *field_map;

static int holds_no_field(struct ordo *o)
{
    (void)o;
    return mincore(field_map, 4096, (unsigned char[16]){0}) == -1 && errno == ENOMEM ? 7 : 1;
}

static int child_code;

static void fork_meanwhile(struct ordo_start_field *field)
{
    field_map = field->map;
    child_code = in_child(holds_no_field, NULL);
}

Test(start, a_forked_child_does_not_inherit_the_memory_of_a_start)
{
    struct ordo o;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    script.before = fork_meanwhile;
    must_start(&o);
    cr_expect_eq(child_code, 7);
    ordo_close(&o);
}

Test(start, a_start_allows_for_large_thread_local_variables)
{
    struct ordo o;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    world.stacks_are_small = true;
    must_start(&o);
    ordo_close(&o);
}

static void give_up_once(struct ordo_start_field *field)
{
    if (script.turns == 0)
        for (unsigned i = 0; i < field->match_count; i++)
            field->seats[field->matches[i].a].code = ORDO_E_MEASURE;
}

Test(look, a_successful_start_leaves_no_error)
{
    struct ordo o;
    struct ordo_error error;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    must_start(&o);
    script.turns = 0;
    script.after = give_up_once;
    memset(&error, 1, sizeof error);
    cr_assert_eq(look(&o, &error), ORDO_OK);
    cr_expect_geq(script.turns, 2u);
    cr_expect(error.code == ORDO_OK && error.sys_errno == 0 && !*error.text, "%s", error.text);
    ordo_close(&o);
}

Test(look, an_offset_within_the_boundary_is_no_step)
{
    struct ordo o;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    start_clocks[cpus[1]].ticks = 5000;
    must_start(&o);
    start_clocks[cpus[1]].ticks = -5000;
    cr_expect_eq(look(&o, NULL), ORDO_OK);
    start_clocks[cpus[1]].ticks = 0;
    for (int i = 0; i < 20; i++)
        cr_expect_eq(look(&o, NULL), ORDO_OK);
    ordo_close(&o);
}

Test(look, the_kernels_clock_reveals_a_jump_of_all_counters)
{
    struct ordo o;
    struct ordo_error error;
    NEEDS_CLOCK();
    must_start(&o);
    int64_t jump = (int64_t)ordo_tick_hz(&o) / 20; /* 50 ms */
    cr_expect_eq(look(&o, &error), ORDO_OK, "%s", error.text);
    start_clocks[START_CLOCK_UNPINNED].ticks = -jump;
    cr_expect_eq(look(&o, &error), ORDO_E_DISRUPTED, "%s", error.text);
    cr_expect(strstr(error.text, "gained -"), "%s", error.text);
    ordo_close(&o);
}

Test(look, a_rate_error_of_1000_ppm_is_seen_within_2_s)
{
    struct ordo o;
    struct ordo_error error;
    int code = ORDO_OK;
    NEEDS_CLOCK();
    must_start(&o);
    start_clock_epoch = ordo_clock_relaxed();
    start_clocks[START_CLOCK_UNPINNED].ppb = 1000000;
    for (int i = 0; i < 20 && code == ORDO_OK; i++) {
        usleep(200000);
        code = look(&o, &error);
    }
    cr_expect_eq(code, ORDO_E_DISRUPTED);
    cr_expect(strstr(error.text, "gained"), "%s", error.text);
    ordo_close(&o);
}

Test(look, a_check_records_that_the_rate_was_right)
{
    struct ordo o;
    NEEDS_CLOCK();
    must_start(&o);
    struct ordo_start_private *own = ordo_start_private_of(&o);
    usleep(1200000);
    cr_expect_eq(own->head.seen, 0u);
    cr_expect_eq(look(&o, NULL), ORDO_OK);
    cr_expect_geq(own->head.seen >> 32, 1u);
    ordo_close(&o);
}

Test(look, a_suspended_machine_is_not_trusted)
{
    struct ordo o;
    struct ordo_error error;
    NEEDS_CLOCK();
    must_start(&o);
    ordo_start_private_of(&o)->head.suspended_ns -= 5000000;
    cr_expect_eq(look(&o, &error), ORDO_E_DISRUPTED);
    cr_expect(strstr(error.text, "suspended"), "%s", error.text);
    ordo_close(&o);
}

Test(look, an_unmeasured_cpu_is_named)
{
    struct ordo o;
    struct ordo_error error;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    must_start(&o);
    ordo_start_private_of(&o)->cpus[cpus[1] / 8] =
        (unsigned char)(ordo_start_private_of(&o)->cpus[cpus[1] / 8] & ~(1 << cpus[1] % 8));
    char name[32];
    (void)snprintf(name, sizeof name, "cpu %d:", cpus[1]);
    cr_expect_eq(look(&o, &error), ORDO_E_CPUS);
    cr_expect(strstr(error.text, name), "%s", error.text);
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_VALID);
    ordo_close(&o);
}

#if defined __x86_64__
static void write_file(char *path, const char *text)
{
    int fd = mkstemp(path);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

/* Paths of files with the kernel's reports: a log with a fault of the counter, a log without a fault, and a list of
 * clock sources without the counter. */
struct papers {
    char fault[40], quiet[40], unlisted[40];
};

static struct papers write_papers(void)
{
    struct papers papers = {"/tmp/ordo-start-fault-XXXXXX", "/tmp/ordo-start-quiet-XXXXXX",
                            "/tmp/ordo-start-list-XXXXXX"};
    write_file(papers.fault, "[    0.000000] Linux version 6.1.0\n"
                             "[   12.345678] tsc: Marking TSC unstable due to clocksource watchdog\n");
    write_file(papers.quiet, "[    0.000000] Linux version 6.1.0\n");
    write_file(papers.unlisted, "kvm-clock\n");
    return papers;
}

static void remove_papers(const struct papers *papers)
{
    unlink(papers->fault);
    unlink(papers->quiet);
    unlink(papers->unlisted);
}

Test(start, a_fault_in_the_kernels_log_refuses_the_counter)
{
    struct ordo o;
    struct ordo_error error;
    NEEDS_CLOCK();
    struct papers papers = write_papers();
    world.log = papers.fault;
    cr_expect_eq(start(&o, &error), ORDO_E_REFUTED);
    cr_expect(strstr(error.text, "clocksource watchdog"), "%s", error.text);
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_CLOSED);
    remove_papers(&papers);
}

Test(look, a_later_fault_withdraws_a_measured_handle)
{
    struct ordo o;
    struct ordo_error error;
    NEEDS_CLOCK();
    struct papers papers = write_papers();
    world.log = papers.quiet;
    world.sources = papers.unlisted;
    must_start(&o);
    cr_expect_eq(ordo_trust(&o), ORDO_TRUST_MEASURED);
    cr_expect_eq(look(&o, &error), ORDO_OK, "%s", error.text);
    world.log = papers.fault;
    cr_expect_eq(look(&o, &error), ORDO_E_DISRUPTED);
    cr_expect(strstr(error.text, "clocksource watchdog"), "%s", error.text);
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_DISRUPTED);
    ordo_close(&o);
    remove_papers(&papers);
}

Test(look, a_delisted_counter_is_withdrawn)
{
    struct ordo o;
    struct ordo_error error;
    NEEDS_CLOCK();
    struct papers papers = write_papers();
    char listed[] = "/tmp/ordo-start-listed-XXXXXX";
    write_file(listed, "tsc kvm-clock\n");
    world.log = papers.quiet;
    world.sources = listed;
    must_start(&o);
    cr_expect_eq(ordo_trust(&o), ORDO_TRUST_VOUCHED);
    cr_expect_eq(look(&o, &error), ORDO_OK, "%s", error.text);
    world.sources = papers.unlisted;
    cr_expect_eq(look(&o, &error), ORDO_E_DISRUPTED);
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_DISRUPTED);
    ordo_close(&o);
    remove_papers(&papers);
    unlink(listed);
}
#endif

Test(start, a_clock_that_drifts_by_500_ppm_is_refused)
{
    struct ordo o;
    struct ordo_error error;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    start_clock_epoch = ordo_clock_relaxed();
    start_clocks[cpus[1]].ppb = 500000;
    cr_expect_eq(start(&o, &error), ORDO_E_REFUTED);
    cr_expect(strstr(error.text, "the clocks step"), "%s", error.text);
}

/* Writes the private record of a handle to a file. `path` gets the path of the file, which the caller unlinks. */
static void publish(const struct ordo *o, char *path)
{
    int fd = mkstemp(path);
    cr_assert_eq(write(fd, o->record, (size_t)o->record->total_bytes), (ssize_t)o->record->total_bytes);
    close(fd);
    setenv("ORDO_RECORD", path, 1);
}

/* Writes the private record of a handle for two CPUs, with the matrix of the deltas, to a file. */
static void publish_with_matrix(const struct ordo *o, char *path)
{
    enum { MATRIX = 16384, BYTES = 4 * 8 };
    static unsigned char file[MATRIX + BYTES];
    struct ordo_record *head = (struct ordo_record *)file;
    int64_t largest = (int64_t)(ordo_boundary(o) - o->record->granule_ticks);
    int64_t matrix[4] = {ORDO_DELTA_UNMEASURED, largest, 200 - largest, ORDO_DELTA_UNMEASURED};
    size_t at = (size_t)o->record->total_bytes;
    struct ordo_section section = {.type = ORDO_SECTION_PARTS, .bytes = sizeof(struct ordo_part)};
    struct ordo_part part = {.type = ORDO_PART_MATRIX, .offset = MATRIX, .bytes = BYTES};
    memcpy(file, o->record, at);
    memcpy(file + MATRIX, matrix, BYTES);
    part.checksum = ordo_record_fold(file + MATRIX, BYTES);
    memcpy(file + at, &section, sizeof section);
    memcpy(file + at + sizeof section, &part, sizeof part);
    head->sealed_bytes = at + sizeof section + sizeof part;
    head->total_bytes = sizeof file;
    head->checksum = ordo_record_checksum(file + ORDO_RECORD_SEALED, (size_t)head->sealed_bytes - ORDO_RECORD_SEALED);
    int fd = mkstemp(path);
    cr_assert_eq(write(fd, file, sizeof file), (ssize_t)sizeof file);
    close(fd);
    setenv("ORDO_RECORD", path, 1);
}

static void put_word(const char *path, off_t at, uint64_t word)
{
    int fd = __real_open(path, O_RDWR);
    cr_assert_eq(pwrite(fd, &word, sizeof word, at), (ssize_t)sizeof word);
    close(fd);
}

Test(start, only_a_usable_record_prevents_a_measurement)
{
    char path[] = "/tmp/ordo-start-record-XXXXXX";
    struct ordo made, o;
    struct ordo_error error;
    NEEDS_CLOCK();
    must_start(&made);
    publish(&made, path);
    must_start(&o);
    cr_expect(!(ordo_flags(&o) & ORDO_FLAG_PRIVATE));
    cr_expect_eq(ordo_boundary(&o), ordo_boundary(&made));
    cr_expect_eq(look(&o, &error), ORDO_OK, "%s", error.text);
    ordo_close(&o);

    put_word(path, offsetof(struct ordo_record, checksum), 0);
    cr_expect_eq(start(&o, &error), ORDO_OK);
    cr_expect(ordo_flags(&o) & ORDO_FLAG_PRIVATE);
    cr_expect(strstr(error.text, "checksum") && error.code == ORDO_OK, "%s", error.text);
    ordo_close(&o);

    unlink(path);
    cr_expect_eq(start(&o, &error), ORDO_OK);
    cr_expect(strstr(error.text, "there is no boundary record"), "%s", error.text);
    ordo_close(&o);
    ordo_close(&made);
}

/* A look is refused if the handle is for a part of the record's CPUs: the boundary of the part may be far below that of
 * the record, so an offset above it need not be a fault. */
Test(look, a_handle_for_a_part_of_the_cpus_cannot_be_checked)
{
    char path[] = "/tmp/ordo-start-record-XXXXXX";
    struct ordo made, o;
    struct ordo_error error;
    int cpus[2];
    char first[16];
    NEEDS_TWO_CPUS(cpus);
    keep_two(cpus);
    start_clocks[cpus[1]].ticks = 5000;
    must_start(&made);
    publish_with_matrix(&made, path);
    (void)snprintf(first, sizeof first, "%d", cpus[0]);
    cr_assert_eq(ordo_open_error(&o, NULL, &error), ORDO_OK, "%s", error.text);
    cr_expect_eq(look(&o, &error), ORDO_OK, "%s", error.text);
    ordo_close(&o);
    cr_assert_eq(ordo_open_cpus(&o, NULL, first, &error), ORDO_OK, "%s", error.text);
    cr_assert_lt(ordo_boundary(&o), 5000u);
    cr_expect_eq(look(&o, &error), ORDO_E_INVALID);
    cr_expect(strstr(error.text, "ordo_open_cpus"), "%s", error.text);
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_VALID);
    ordo_close(&o);
    ordo_close(&made);
    unlink(path);
}

Test(start, sweeps_are_a_second_apart_if_the_record_is_withdrawn)
{
    char path[] = "/tmp/ordo-start-record-XXXXXX";
    struct ordo o;
    struct ordo_error error;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    must_start(&o);
    publish(&o, path);
    put_word(path, offsetof(struct ordo_record, status), ORDO_RECORD_DISRUPTED);
    ordo_close(&o);
    uint64_t began_ns = ordo_pair_now_ns();
    cr_expect_eq(start(&o, &error), ORDO_OK, "%s", error.text);
    cr_expect_geq(ordo_pair_now_ns() - began_ns, 1000000000u);
    cr_expect(ordo_flags(&o) & ORDO_FLAG_PRIVATE);
    ordo_close(&o);
    /* The sweeps are a second apart, so a drift of 20 ppm is found. With 50 ms between them, it could be hidden in the
     * latency of a slow machine. */
    start_clock_epoch = ordo_clock_relaxed();
    start_clocks[cpus[0]].ppb = -20000;
    cr_expect_eq(start(&o, &error), ORDO_E_REFUTED, "%s", error.text);
    unlink(path);
}

Test(refusal, an_affinity_that_is_not_permitted_is_named)
{
    struct ordo o;
    struct ordo_error error;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    int threads = threads_now();
    world.pins_refused = NONE;
    world.pin_errno = EPERM;
    cr_expect_eq(ordo_start(&o, &error), ORDO_E_SYSTEM);
    cr_expect_eq(error.sys_errno, EPERM);
    cr_expect(strstr(error.text, "cpu ") && strstr(error.text, "not permitted"), "%s", error.text);
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_CLOSED);
    cr_expect_eq(threads_now(), threads);
}

Test(refusal, a_cpu_that_goes_offline_is_left_out)
{
    struct ordo o;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    world.lost_cpu = cpus[1];
    world.pins_refused = 1;
    world.pin_errno = EINVAL;
    must_start(&o);
    cr_expect(!(ordo_start_private_of(&o)->cpus[cpus[1] / 8] >> cpus[1] % 8 & 1));
    cr_expect(ordo_start_private_of(&o)->cpus[cpus[0] / 8] >> cpus[0] % 8 & 1);
    ordo_close(&o);
}

Test(refusal, a_start_fails_if_the_set_of_cpus_changes)
{
    struct ordo o;
    struct ordo_error error;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    world.moved_cpu = cpus[1];
    cr_expect_eq(ordo_start(&o, &error), ORDO_E_CPUS);
    cr_expect(strstr(error.text, "went offline"), "%s", error.text);
}

Test(refusal, a_failed_thread_ends_the_other_threads)
{
    struct ordo o;
    struct ordo_error error;
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    int threads = threads_now();
    world.threads_allowed = 1;
    cr_expect_eq(ordo_start(&o, &error), ORDO_E_SYSTEM);
    cr_expect_eq(error.sys_errno, EAGAIN);
    cr_expect(strstr(error.text, "thread 2 of "), "%s", error.text);
    cr_expect_eq(threads_now(), threads);
}

Test(refusal, exhausted_memory_is_an_error)
{
    struct ordo o;
    struct ordo_error error;
    NEEDS_CLOCK();
    world.map_errno = ENOMEM;
    cr_expect_eq(ordo_start(&o, &error), ORDO_E_SYSTEM);
    cr_expect_eq(error.sys_errno, ENOMEM);
}

Test(refusal, a_start_names_the_cpu_that_never_answers)
{
    struct ordo o;
    struct ordo_error error;
    char name[32];
    int cpus[2];
    NEEDS_TWO_CPUS(cpus);
    int threads = threads_now();
    world.stuck_cpu = cpus[1];
    uint64_t began_ns = ordo_pair_now_ns();
    cr_expect_eq(ordo_start(&o, &error), ORDO_E_MEASURE);
    cr_expect_lt(ordo_pair_now_ns() - began_ns, 20000000000u);
    (void)snprintf(name, sizeof name, "cpu %d,", cpus[1]);
    cr_expect(strstr(error.text, name) && strstr(error.text, "no CPU time"), "%s", error.text);
    cr_expect_eq(threads_now(), threads);
}
