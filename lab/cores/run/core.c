/* The time of each instruction: see cpu.h. */
#include <string.h>

#include "lab/cores/run/buffer.h"
#include "lab/cores/run/cpu.h"
#include "lab/cores/run/place.h"
#include "lab/cores/run/schedule.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The front cannot be further ahead of the latest value than the reorder buffer holds instructions. */
static void hold_front(struct cores_cpu *cpu)
{
    if (cpu->loads_ps > cpu->front_ps + cores.reorder_ps)
        cpu->front_ps = cpu->loads_ps - cores.reorder_ps;
}

/* Executes steps with the times at which values are known. An operand that is no result of a load or of a long
 * computation is known when the block begins. */
static void values_follow(struct cores_cpu *cpu, struct cores_steps steps)
{
    uint64_t *known_ps = cpu->known_ps, cycle_ps = cores.machine->cycle_ps, last_ps = cpu->loads_ps;
    for (const struct cores_step *step = steps.first; steps.count--; step++) {
        uint64_t ps = later(later(known_ps[step->from], known_ps[step->also]), cpu->block_ps);
        ps += step->cycles * cycle_ps;
        known_ps[step->to] = ps;
        last_ps = later(last_ps, ps);
    }
    cpu->loads_ps = last_ps;
}

void cores_block(uintptr_t pc)
{
    struct cores_cpu *cpu = cores.cpu;
    struct cores_block block = cores_code_enter(cores.code, cpu->predictor, pc);
    uint64_t ps = block.instructions * cores.instruction_ps + block.latency * cores.machine->cycle_ps;
    if (cores.machine->smt_percent < 100 && cores_busy(cpu) > 1)
        ps = ps * 100 / cores.machine->smt_percent;
    if (block.mispredicted) /* its condition may have passed through memory, so it waits for all values */
        cpu->front_ps = later(cpu->front_ps, cpu->loads_ps) + cores.machine->mispredict_ps;
    cpu->block_ps = cpu->front_ps;
    cpu->front_ps += ps;
    values_follow(cpu, block.steps);
    hold_front(cpu);
    cores_turn_roughly(cpu->front_ps);
}

/* The hook's argument is the address, and is known when its register is. */
void cores_hook_begin(uintptr_t pc)
{
    cores.cpu->pc = pc;
    cores.cpu->address_ps = cores.cpu->known_ps[CORES_VALUE_ARGUMENT];
}

void cores_hook_end(uintptr_t pc)
{
    struct cores_cpu *cpu = cores.cpu;
    cpu->address_ps = 0;
    values_follow(cpu, cores_code_steps(cores.code, pc));
}

/* Returns the time at which the address of an access and its translation are known: the address may have been computed
 * from a loaded value. */
static uint64_t known_ps(const struct cores_cpu *cpu, uintptr_t address)
{
    uint64_t ps = later(later(cpu->front_ps, cpu->barrier_ps), cpu->address_ps);
    for (int i = 0; i < CORES_RECENT; i++)
        if (address - cpu->recent[i].value < CORES_NEAR)
            ps = later(ps, cpu->recent[i].ready_ps);
    return ps + cores_tlb_translate(&cores.tlb, cores.machine->core[cpu->place], address);
}

/* Remembers a loaded value that may be an address. */
static void remember(struct cores_cpu *cpu, uintptr_t value, uint64_t ready_ps)
{
    if (value < 1 << 16)
        return;
    unsigned at = cpu->loaded++ % CORES_RECENT;
    cpu->recent[at].value = value;
    cpu->recent[at].ready_ps = ready_ps;
}

/* Fetches a line that the CPU's own caches do not have, not before `ps`. If `slack_ps` is 0, time does not go back
 * afterwards: later accesses of this CPU come after all that other CPUs did while it waited. Otherwise the core executes
 * them while it waits; a read of the clock waits for the line. */
static uint64_t fetch(uintptr_t address, enum cores_access access, uint64_t ps)
{
    struct cores_cpu *cpu = cores.cpu;
    uint64_t *slot = &cpu->miss_ps[cpu->missed++ % (unsigned)cores.overlap];
    uintptr_t pc = cpu->pc;
    ps = later(ps, *slot);
    cores_turn(ps);
    struct cores_ask ask = cores_caches_ask(cores.caches, cpu->place, address, access, ps);
    if (ask.take_ps > ps)
        cores_turn(ask.take_ps);
    struct cores_miss miss = cores_caches_take(cores.caches, cpu->place, address, access, &ask);
    *slot = miss.done_ps;
    if (!cores.slack_ps)
        cpu->front_ps = later(cpu->front_ps, ask.take_ps);
    if (cores.counts_lines)
        cores_place_note(pc, address, access, &ask, &miss, ps);
    return miss.done_ps;
}

/* The tags of the cache have a line as soon as a CPU asks for it, and the data come later: an access that hits waits for
 * them. */
static struct cores_fill *fill_of(uintptr_t address)
{
    return &cores.cpu->fills[(address & -(uintptr_t)cores.machine->line_bytes) >> 6 & (CORES_FILLS - 1)];
}

static uint64_t filled_ps(uintptr_t address)
{
    const struct cores_fill *fill = fill_of(address);
    return fill->line == (address & -(uintptr_t)cores.machine->line_bytes) ? fill->ready_ps : 0;
}

static void fill_note(uintptr_t address, uint64_t ready_ps)
{
    *fill_of(address) = (struct cores_fill){address & -(uintptr_t)cores.machine->line_bytes, ready_ps};
}

/* Returns the time that an access of the CPU's own caches takes. That of a load is the time until its value can be used.
 * A store has its value already, and is performed in one cycle if the line is in L1. */
static uint64_t hit_time(enum cores_access access, uint64_t hit_ps)
{
    uint64_t l1_ps = cores.machine->l1.hit_ps;
    return access == CORES_WRITE && hit_ps >= l1_ps ? hit_ps - l1_ps + cores.machine->cycle_ps : hit_ps;
}

/* Returns the time at which the CPU has the line; `ps` is the time at which it asks. */
static uint64_t have(uintptr_t address, enum cores_access access, uint64_t ps)
{
    uint32_t hit_ps, moved_ps;
    if (cores_caches_hit(cores.caches, cores.cpu->place, address, access, &hit_ps)) {
        uint64_t ready_ps = later(ps + hit_time(access, hit_ps), filled_ps(address));
        cores_turn_roughly(ps);
        /* Not taken meanwhile. The first hit has moved the line to L1, so the time of the second one does not count. */
        if (cores_caches_hit(cores.caches, cores.cpu->place, address, access, &moved_ps)) {
            if (access != CORES_WRITE && hit_ps > cores.machine->l1.hit_ps)
                fill_note(address, ready_ps);
            return ready_ps;
        }
    }
    ps = fetch(address, access, ps);
    if (access != CORES_WRITE)
        fill_note(address, ps);
    return ps;
}

void cores_load(uintptr_t address, unsigned size)
{
    struct cores_cpu *cpu = cores.cpu;
    uint64_t ready_ps = have(address, CORES_READ, known_ps(cpu, address));
    cpu->loads_ps = later(cpu->loads_ps, ready_ps);
    cpu->known_ps[CORES_VALUE_LOADED] = ready_ps;
    if (size == sizeof(uintptr_t)) {
        uintptr_t value;
        cores_buffer_load(address, size, &value);
        remember(cpu, value, ready_ps);
    }
}

/* Returns the time at which a store to a line is performed. Lines of several stores are fetched at the same time; with
 * total store order, and for a release, the stores are performed one after the other. */
static uint64_t perform(struct cores_cpu *cpu, uintptr_t address, bool in_order)
{
    uint64_t done_ps = have(address, CORES_WRITE, known_ps(cpu, address));
    if (in_order)
        done_ps = later(done_ps, cpu->stores_ps);
    done_ps = later(done_ps, cpu->release_ps);
    cpu->stores_ps = later(cpu->stores_ps, done_ps);
    uint64_t *slot = &cpu->store_ps[cpu->stored++ % (unsigned)cores.machine->store_entries];
    cpu->front_ps = later(cpu->front_ps, *slot);
    *slot = done_ps;
    return done_ps;
}

void cores_load_plain(uintptr_t address, unsigned size)
{
    cores_load(address, size);
    if (cores.cpu->pending) /* the program reads memory itself, so its own store must be there: early, but not wrong */
        cores_buffer_flush(address, size);
}

void cores_store_plain(uintptr_t address, unsigned size)
{
    struct cores_cpu *cpu = cores.cpu;
    (void)perform(cpu, address, cores.machine->order == CORES_TSO);
    if (cpu->pending)
        cores_buffer_flush(address, size);
}

uint64_t cores_store_atomic(uintptr_t address, unsigned size, bool releases)
{
    (void)size;
    return perform(cores.cpu, address, releases || cores.machine->order == CORES_TSO);
}

void cores_range(uintptr_t address, size_t bytes, enum cores_access access)
{
    if (!bytes)
        return;
    uintptr_t line = (uintptr_t)cores.machine->line_bytes, end = address + bytes;
    if (cores.cpu->pending)
        cores_buffer_flush(address, bytes);
    for (uintptr_t at = address & ~(line - 1); at < end; at += line) {
        uintptr_t byte = at < address ? address : at;
        if (access == CORES_READ)
            cores_load(byte, 1);
        else
            cores_store_plain(byte, 1);
    }
}

void cores_prefetch(uintptr_t address, enum cores_access access)
{
    struct cores_cpu *cpu = cores.cpu;
    uint64_t ps = known_ps(cpu, address);
    uint32_t hit_ps;
    if (!cores_caches_hit(cores.caches, cpu->place, address, access, &hit_ps))
        fill_note(address, fetch(address, access, ps));
    else if (hit_ps > cores.machine->l1.hit_ps)
        fill_note(address, later(ps + hit_ps, filled_ps(address)));
}

void cores_update(uintptr_t address, unsigned size, bool releases)
{
    struct cores_cpu *cpu = cores.cpu;
    bool ordered = cores.machine->order == CORES_TSO;
    uint64_t ps = later(known_ps(cpu, address), cpu->release_ps); /* the turn makes the stores of before visible */
    if (ordered || releases)
        ps = later(ps, cpu->stores_ps);
    ps = have(address, CORES_UPDATE, ps) + cores.machine->update_ps;
    if (ordered || releases)
        cores_buffer_drain(cpu);
    cpu->loads_ps = later(cpu->loads_ps, ps);
    cpu->known_ps[CORES_VALUE_LOADED] = ps;
    cpu->stores_ps = later(cpu->stores_ps, ps);
    cpu->barrier_ps = ps;
    cores_buffer_flush(address, size);
    hold_front(cpu);
}

void cores_drain(bool stores)
{
    struct cores_cpu *cpu = cores.cpu;
    cpu->front_ps = later(cpu->front_ps, cpu->loads_ps);
    if (!stores)
        return;
    cpu->front_ps = later(cpu->front_ps, cpu->stores_ps);
    cores_turn(cpu->front_ps);
    cores_buffer_drain(cores.cpu);
}

void cores_fence(void)
{
    cores_drain(true);
    cores_spend(cores.machine->fence_ps);
}

/* A store that the program does later becomes visible at release_ps at the earliest (perform, cores_update). Each earlier
 * store has its place in the buffer with a time of at most stores_ps, and each earlier load has its value at loads_ps at
 * the latest. The buffer makes stores visible in the order of their times, and those of equal times in program order. So
 * another CPU that sees the later store sees all stores before the fence. Earlier plain stores are visible at once. */
void cores_fence_release(void)
{
    struct cores_cpu *cpu = cores.cpu;
    cpu->release_ps = later(cpu->release_ps, later(cpu->loads_ps, cpu->stores_ps));
}

void cores_fence_all(void)
{
    struct cores_cpu *cpu;
    cores_fence();
    cores_spend(cores.machine->wake_ps); /* interrupts go out to all CPUs, and the slowest answer counts */
    cores_turn(cores.cpu->front_ps);
    for (int i = 0; (cpu = cores_cpu_at(i)); i++) {
        cores_buffer_drain(cpu);
        if (cpu->current && cpu != cores.cpu && i < cores.machine->cpus)
            cpu->front_ps += cores.machine->call_ps;
    }
}

void cores_spend(uint64_t ps)
{
    cores.cpu->front_ps += ps;
    cores_turn_roughly(cores.cpu->front_ps);
}
