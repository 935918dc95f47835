/* Reads of the simulated CPU's clock; called by the clock header cores_clock.h. */
#include <ordo/clock.h>

#include "lab/cores/clock/clock.h"
#include "lab/cores/run/schedule.h"

__extension__ typedef __int128 wide;

/* All clocks begin here, so that a skew never takes one below 0. */
static const uint64_t first_tick = UINT64_C(1) << 40;

uint64_t cores_clock_ticks(const struct cores_cpu *cpu, uint64_t ps)
{
    wide elapsed_ps = (wide)ps + (wide)ps * cpu->rate_ppb / 1000000000;
    return first_tick + (uint64_t)(elapsed_ps * (wide)cores.machine->clock_hz / 1000000000000) +
           (uint64_t)cpu->skew_ticks;
}

/* Exactness, if slack_ps is 0. The CPU waits for its turn at the shown time, so every action of another CPU that has been
 * simulated has at most this time, except those before a load of this CPU whose address came late (cpu.h). A read that
 * is ordered after loads first moves the front behind all of them; hence it shows at least the time of every value that
 * the CPU has read. A full read moves it behind the CPU's stores and makes them visible; hence a CPU that misses a store
 * has read the line before the shown time. Later accesses are simulated after the read, so never before the shown
 * time. An unordered read may show less than the time of a value that the CPU has read, as on a real machine. */
uint64_t cores_clock_read(int ordered)
{
    struct cores_cpu *cpu = cores.cpu;
    if (!cpu)
        return first_tick;
    if (ordered & CORES_AFTER_STORES)
        cores_spend(cores.machine->update_ps);
    if (ordered & (CORES_AFTER_LOADS | CORES_AFTER_STORES)) {
        cores_drain(ordered & CORES_AFTER_STORES);
        cores_spend(cores.machine->clock_load_ps);
    }
    cores_spend(cores.machine->clock_ps);
    cores_turn(cpu->front_ps);
    uint64_t ticks = cores_clock_ticks(cpu, cpu->front_ps);
    if (ordered & CORES_BEFORE_ALL)
        cores_spend(cores.machine->clock_load_ps);
    return ticks;
}

unsigned cores_clock_cpu(void)
{
    return cores.cpu ? (unsigned)cores.cpu->place : 0;
}

void cores_clock_pause(void)
{
    if (cores.cpu)
        cores_spend(cores.machine->pause_ps);
}
