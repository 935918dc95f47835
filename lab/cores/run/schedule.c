#include "lab/cores/run/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/random.h"
#include "lab/cores/run/buffer.h"

enum { STACK_BYTES = 1 << 20, EXIT_STUCK = 70, FETCHED_LINES = 6, FETCHED_BYTES = 64 };

/* A CPU that waits for its turn, with a copy of its key: most comparisons then need no line of a CPU. */
struct turn {
    uint64_t key_ps;
    struct cores_cpu *cpu;
};

static struct {
    const struct cores_machine *machine;
    struct cores_cpu **cpus; /* [count]: the machine's, then the floating ones */
    int count;
    struct turn *heap; /* CPUs that wait for their turn; the least key first, then the least index */
    int waiting;
    int *busy;                     /* [cores]: CPUs of the core that have a thread */
    struct cores_thread *sleepers; /* by wake_ps */
    struct cores_thread *waiters, **waiters_end;
    struct cores_thread *free;
    struct cores_thread host; /* the original flow of control, which runs no program */
    struct cores_thread *self;
    uint64_t quantum_ps, seed;
    int threads;
} all;

static bool is_before(struct turn a, struct turn b)
{
    return a.key_ps != b.key_ps ? a.key_ps < b.key_ps : a.cpu->index < b.cpu->index;
}

static void push_waiting(struct cores_cpu *cpu)
{
    struct turn turn = {cpu->key_ps, cpu};
    int at = all.waiting++;
    for (int above; at > 0 && is_before(turn, all.heap[above = (at - 1) / 2]); at = above)
        all.heap[at] = all.heap[above];
    all.heap[at] = turn;
}

static void sink(int at, struct turn turn)
{
    for (int below; (below = 2 * at + 1) < all.waiting; at = below) {
        below += below + 1 < all.waiting && is_before(all.heap[below + 1], all.heap[below]);
        if (!is_before(all.heap[below], turn))
            break;
        all.heap[at] = all.heap[below];
    }
    all.heap[at] = turn;
}

static struct cores_cpu *pop_first(void)
{
    struct cores_cpu *first = all.heap[0].cpu;
    struct turn last = all.heap[--all.waiting];
    if (all.waiting > 0)
        sink(0, last);
    return first;
}

/* The CPU that is first now runs next, most likely: its lines come while the present one runs. */
static void fetch_next(void)
{
    const struct cores_cpu *next = all.waiting ? all.heap[0].cpu : NULL;
    if (!next || !next->current)
        return;
    const char *stack = next->current->stopped_at;
    __builtin_prefetch(&next->current->coroutine.place);
    for (int i = 0; i < FETCHED_LINES; i++)
        __builtin_prefetch(stack + i * FETCHED_BYTES);
}

static uint64_t earlier_ps(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The running CPU also stops at the end of its thread's quantum, and at its next stall, even if no other CPU
 * waits: otherwise a thread that spins would never let the thread run for which it waits. */
static void look_ahead(void)
{
    const struct cores_cpu *cpu = cores.cpu;
    uint64_t next = all.waiting ? all.heap[0].key_ps : UINT64_MAX / 2;
    if (all.sleepers)
        next = earlier_ps(next, all.sleepers->wake_ps);
    if (cpu && cpu->ready)
        next = earlier_ps(next, cpu->slice_ps + all.quantum_ps);
    if (cpu && cores.stall_each_ps)
        next = earlier_ps(next, cpu->stall_at_ps);
    cores.horizon_ps = next;
}

/* Gives the CPU to a thread, or to none. */
static void set_current(struct cores_cpu *cpu, struct cores_thread *thread)
{
    if (cpu->index < all.machine->cpus)
        all.busy[all.machine->core[cpu->index]] += !!thread - !!cpu->current;
    cpu->current = thread;
    cpu->slice_ps = cpu->front_ps;
}

/* A thread that slept or waited can run again, from `ps` on. */
static void make_ready(struct cores_thread *thread, uint64_t ps)
{
    struct cores_cpu *cpu = thread->cpu;
    thread->next = NULL;
    thread->ready_ps = ps;
    if (!cpu->current) {
        if (cpu->front_ps < ps)
            cpu->front_ps = ps;
        set_current(cpu, thread);
        cpu->key_ps = cpu->front_ps;
        push_waiting(cpu);
        return;
    }
    *cpu->ready_end = thread;
    cpu->ready_end = &thread->next;
}

static struct cores_thread *take_ready(struct cores_cpu *cpu)
{
    struct cores_thread *thread = cpu->ready;
    if (thread && !(cpu->ready = thread->next))
        cpu->ready_end = &cpu->ready;
    return thread;
}

/* Gives the CPU to the next thread that is ready, if there is one. A thread that was woken while the CPU was busy does not
 * begin before its wake-up has reached the CPU. */
static void start_ready(struct cores_cpu *cpu)
{
    set_current(cpu, take_ready(cpu));
    if (!cpu->current)
        return;
    cpu->front_ps += all.machine->switch_ps;
    if (cpu->front_ps < cpu->current->ready_ps)
        cpu->front_ps = cpu->current->ready_ps;
    cpu->slice_ps = cpu->key_ps = cpu->front_ps;
    push_waiting(cpu);
}

/* Removes a thread from the waiters. */
static void stop_waiting(struct cores_thread *thread)
{
    struct cores_thread **at = &all.waiters;
    while (*at && *at != thread)
        at = &(*at)->next;
    if (*at && !(*at = thread->next))
        all.waiters_end = at;
    thread->waits_for = NULL;
}

static void wake_first_sleeper(void)
{
    struct cores_thread *thread = all.sleepers;
    all.sleepers = thread->next;
    thread->timed_out = true;
    make_ready(thread, thread->wake_ps);
}

/* Continues the CPU that is furthest behind. Returns when the caller's thread runs again. */
static void dispatch(void)
{
    struct cores_thread *self = all.self;
    while (all.sleepers && (!all.waiting || all.sleepers->wake_ps <= all.heap[0].key_ps))
        wake_first_sleeper();
    if (!all.waiting) {
        fprintf(stderr, "ordo-lab cores: all threads wait for each other\n");
        _exit(EXIT_STUCK);
    }
    struct cores_cpu *cpu = pop_first();
    cores.cpu = cpu;
    look_ahead();
    if (cores.visible_ps <= cpu->key_ps)
        cores_buffer_reach(cpu->key_ps);
    all.self = cpu->current;
    fetch_next();
    self->stopped_at = __builtin_frame_address(0);
    if (all.self != self)
        ordo_coroutine_switch(&self->coroutine, &all.self->coroutine);
}

/* The running thread leaves its CPU to the next one that is ready. */
static void leave(void)
{
    start_ready(cores.cpu);
    dispatch();
}

/* The running thread goes behind the ready ones of its CPU. */
static void rotate(struct cores_cpu *cpu)
{
    struct cores_thread *thread = cpu->current;
    thread->next = NULL;
    thread->ready_ps = cpu->front_ps;
    *cpu->ready_end = thread;
    cpu->ready_end = &thread->next;
    leave();
}

/* At random moments a CPU loses a random time of up to twice stall_ps. */
static uint64_t stall(struct cores_cpu *cpu, uint64_t ps)
{
    if (ps < cpu->stall_at_ps)
        return ps;
    uint64_t lost = ordo_random_next(&cpu->random) % (2 * cores.stall_ps);
    cpu->front_ps = ps + lost;
    cpu->stall_at_ps = cpu->front_ps + 1 + ordo_random_next(&cpu->random) % (2 * cores.stall_each_ps);
    return cpu->front_ps;
}

void cores_wait_for_turn(uint64_t until_ps)
{
    struct cores_cpu *cpu = cores.cpu;
    if (cores.stall_each_ps)
        until_ps = stall(cpu, until_ps);
    if (cpu->ready && until_ps - cpu->slice_ps > all.quantum_ps && until_ps > cpu->slice_ps)
        rotate(cpu); /* the thread still waits for its own time */
    if (until_ps <= cores.horizon_ps) {
        cores_buffer_reach(until_ps);
        return;
    }
    cpu->key_ps = until_ps;
    push_waiting(cpu);
    dispatch();
}

int cores_busy(const struct cores_cpu *cpu)
{
    return cpu->index < all.machine->cpus ? all.busy[all.machine->core[cpu->index]] : 1;
}

struct cores_cpu *cores_cpu_at(int index)
{
    return index < all.count ? all.cpus[index] : NULL;
}

/* Returns a floating CPU without threads: an old one, or a new one. */
static struct cores_cpu *find_floating(void)
{
    for (int i = all.machine->cpus; i < all.count; i++)
        if (!all.cpus[i]->current && !all.cpus[i]->ready && all.cpus[i]->key_ps == UINT64_MAX)
            return all.cpus[i];
    return NULL;
}

static struct cores_cpu *make_cpu(int index, int place)
{
    struct ordo_error error;
    struct cores_cpu *cpu = calloc(1, sizeof *cpu);
    if (!cpu || cores_predictor_open(&cpu->predictor, &error)) {
        free(cpu);
        return NULL;
    }
    cpu->index = index;
    cpu->place = place;
    cpu->ready_end = &cpu->ready;
    cpu->random = all.seed + (uint64_t)index * UINT64_C(0x9e3779b97f4a7c15);
    cpu->stall_at_ps = cores.stall_each_ps ? ordo_random_next(&cpu->random) % (2 * cores.stall_each_ps) : UINT64_MAX;
    return cpu;
}

/* Grows the arrays of CPUs by one. */
static struct cores_cpu *add_cpu(int place)
{
    struct cores_cpu **cpus = realloc(all.cpus, (size_t)(all.count + 1) * sizeof *cpus);
    all.cpus = cpus ? cpus : all.cpus;
    struct turn *heap = cpus ? realloc(all.heap, (size_t)(all.count + 1) * sizeof *heap) : NULL;
    all.heap = heap ? heap : all.heap;
    struct cores_cpu *cpu = heap ? make_cpu(all.count, place) : NULL;
    if (cpu)
        all.cpus[all.count++] = cpu;
    return cpu;
}

int cores_schedule_open(const struct cores_machine *machine, uint64_t quantum_ps, uint64_t seed,
                        struct ordo_error *error)
{
    all.machine = machine;
    all.quantum_ps = quantum_ps;
    all.seed = seed;
    all.waiters_end = &all.waiters;
    all.self = &all.host;
    all.busy = calloc((size_t)machine->cores, sizeof *all.busy);
    for (int i = 0; i < machine->cpus; i++)
        if (!all.busy || !add_cpu(i))
            return ordo_error_errno(error, "%d simulated CPUs", machine->cpus);
    return ORDO_OK;
}

static void thread_main(void *argument)
{
    struct cores_thread *thread = argument;
    cores_thread_end(thread->body(thread->argument));
}

static struct cores_thread *allocate_thread(void)
{
    struct cores_thread *thread = all.free;
    if (thread) {
        all.free = thread->next;
        return thread;
    }
    thread = calloc(1, sizeof *thread);
    void *stack =
        thread ? mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
               : MAP_FAILED;
    if (stack == MAP_FAILED) {
        free(thread);
        return NULL;
    }
    thread->stack = stack;
    return thread;
}

struct cores_thread *cores_thread_make(void *(*body)(void *), void *argument)
{
    struct cores_cpu *cpu = find_floating();
    cpu = cpu ? cpu : add_cpu(0);
    struct cores_thread *thread = cpu ? allocate_thread() : NULL;
    if (!thread)
        return NULL;
    *thread = (struct cores_thread){.stack = thread->stack, .body = body, .argument = argument, .cpu = cpu};
    ordo_coroutine_make(&thread->coroutine, thread->stack, STACK_BYTES, thread_main, thread);
    cpu->front_ps = 0; /* a floating CPU may go back in time while it has no thread */
    make_ready(thread, cores.cpu ? cores.cpu->front_ps : 0);
    look_ahead();
    return thread;
}

struct cores_thread *cores_thread_self(void)
{
    return all.self;
}

void cores_thread_end(void *result)
{
    struct cores_thread *thread = all.self;
    thread->result = result;
    thread->ended = true;
    cores_buffer_drain(cores.cpu);
    if (thread->joiner)
        make_ready(thread->joiner, cores.cpu->front_ps);
    struct cores_cpu *cpu = cores.cpu;
    if (cpu->index >= all.machine->cpus)
        cpu->key_ps = UINT64_MAX;        /* free for another thread */
    if (thread->argument == &all.host) { /* the program's main: the host continues */
        all.self = &all.host;
        cores.cpu = NULL;
        ordo_coroutine_switch(&thread->coroutine, &all.host.coroutine);
    }
    leave();
    __builtin_unreachable();
}

void *cores_thread_join(struct cores_thread *thread)
{
    if (!thread->ended) {
        thread->joiner = all.self;
        leave();
    }
    void *result = thread->result;
    thread->next = all.free;
    all.free = thread;
    return result;
}

void cores_thread_pin(int index)
{
    struct cores_cpu *from = cores.cpu, *to = all.cpus[index];
    struct cores_thread *thread = all.self;
    if (from == to)
        return;
    cores_buffer_drain(from);
    uint64_t now = from->front_ps;
    start_ready(from);
    if (!from->current && from->index >= all.machine->cpus)
        from->key_ps = UINT64_MAX;
    thread->cpu = to;
    make_ready(thread, now);
    dispatch();
}

void cores_yield(void)
{
    struct cores_cpu *cpu = cores.cpu;
    if (cpu->ready)
        rotate(cpu);
    else
        cores_turn(cpu->front_ps);
}

static void sleep_until(uint64_t ps)
{
    struct cores_thread *self = all.self, **at = &all.sleepers;
    self->wake_ps = ps;
    self->timed_out = false;
    while (*at && (*at)->wake_ps <= ps)
        at = &(*at)->next;
    self->next = *at;
    *at = self;
}

static void stop_sleeping(struct cores_thread *thread)
{
    struct cores_thread **at = &all.sleepers;
    while (*at && *at != thread)
        at = &(*at)->next;
    if (*at)
        *at = thread->next;
}

void cores_sleep_until(uint64_t ps)
{
    sleep_until(ps);
    leave();
}

/* A waiter is in the list of waiters; with a limit of time it is a sleeper with an address instead. */
bool cores_wait(const void *address, uint64_t until_ps)
{
    struct cores_thread *self = all.self;
    self->waits_for = address;
    self->timed_out = false;
    if (until_ps != UINT64_MAX) {
        sleep_until(until_ps);
    } else {
        self->next = NULL;
        *all.waiters_end = self;
        all.waiters_end = &self->next;
    }
    leave();
    self->waits_for = NULL;
    return !self->timed_out;
}

static int wake_some(struct cores_thread *first, const void *address, int most, void (*remove)(struct cores_thread *))
{
    int woken = 0;
    for (struct cores_thread *thread = first, *next; thread && woken < most; thread = next) {
        next = thread->next;
        if (thread->waits_for != address)
            continue;
        remove(thread);
        make_ready(thread, cores.cpu->front_ps + all.machine->wake_ps);
        woken++;
    }
    return woken;
}

int cores_wake(const void *address, int most)
{
    int woken = wake_some(all.waiters, address, most, stop_waiting);
    woken += wake_some(all.sleepers, address, most - woken, stop_sleeping);
    look_ahead();
    return woken;
}

void cores_schedule_run(struct cores_thread *thread)
{
    thread->argument = &all.host;
    dispatch();
}
