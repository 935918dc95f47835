/* A skewed machine in a preload library: unmodified programs see a counter that differs between CPUs.
 *
 *     ORDO_SKEW=CPU:TICKS[:PPM][@AFTER][,...] LD_PRELOAD=.../libordo-skew.so program
 *
 * CPU's counter is ahead of the real counter by TICKS (may be negative) and runs fast by PPM (may be fractional or
 * negative). With @AFTER this begins AFTER ticks after the program's start. PR_SET_TSC makes RDTSC and RDTSCP fault in
 * every thread (threads and children inherit the setting), and the signal handler returns the changed counter. A
 * trapped read takes about 10 us, so intervals are about 20 us wide.
 *
 * The kernel's clocks stay true: a fault inside the vDSO gets the real counter. The trap survives exec, but the new
 * program has no handler yet, so only the last program may be preloaded: `timeout 60 env LD_PRELOAD=... program`. */
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <unistd.h>

#if !defined __x86_64__
#error "the trap exists on x86-64 only"
#endif

enum { MOST_CPUS = 4096 };

static struct {
    int64_t ticks;
    double drift;   /* 1e-6 for 1 ppm */
    uint64_t after; /* ticks since `origin` */
} skews[MOST_CPUS];
static uint64_t origin; /* drift counts from here */
static uintptr_t vdso_begin, vdso_end;

/* Returns the real counter, and the CPU on which it was read. Async-signal-safe. */
static uint64_t read_counter(unsigned *cpu)
{
    uint32_t low, high, aux;
    prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0);
    __asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high), "=c"(aux) : : "memory");
    prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
    *cpu = aux & 0xfff; /* Linux keeps the CPU in the low 12 bits */
    return (uint64_t)high << 32 | low;
}

static uint64_t skewed(uint64_t counter, unsigned cpu)
{
    int64_t since = (int64_t)(counter - origin - skews[cpu].after);
    if (skews[cpu].after && since < 0)
        return counter;
    return counter + (uint64_t)skews[cpu].ticks + (uint64_t)(int64_t)((double)since * skews[cpu].drift);
}

/* Returns the length of the trapped instruction; 0: another instruction. */
static int trapped(const unsigned char *code)
{
    if (code[0] == 0x0f && code[1] == 0x31)
        return 2; /* rdtsc */
    if (code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9)
        return 3; /* rdtscp */
    return 0;
}

static void on_fault(int signal_number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t at = (uintptr_t)registers[REG_RIP];
    /* The signal of a faulting counter read has the code SI_KERNEL and no address. Any other fault belongs to the
     * program: the handler is removed, and the fault happens again. */
    int length = info->si_code == SI_KERNEL ? trapped((const unsigned char *)at) : 0;
    unsigned cpu;
    if (length == 0) {
        signal(signal_number, SIG_DFL);
        return;
    }
    uint64_t counter = read_counter(&cpu);
    if (at < vdso_begin || at >= vdso_end)
        counter = skewed(counter, cpu);
    registers[REG_RAX] = (greg_t)(counter & 0xffffffff);
    registers[REG_RDX] = (greg_t)(counter >> 32);
    if (length == 3)
        registers[REG_RCX] = (greg_t)cpu;
    registers[REG_RIP] += length;
}

static void refuse(const char *text)
{
    fprintf(stderr, "ORDO_SKEW=%s: not CPU:TICKS[:PPM][@AFTER][,...]\n", text);
    _exit(64);
}

static void parse(const char *text)
{
    const char *at = text;
    while (*at) {
        char *end;
        unsigned long cpu = strtoul(at, &end, 10);
        if (end == at || *end != ':' || cpu >= MOST_CPUS)
            refuse(text);
        at = end + 1;
        skews[cpu].ticks = strtoll(at, &end, 10);
        if (end == at)
            refuse(text);
        if (*end == ':') {
            at = end + 1;
            skews[cpu].drift = strtod(at, &end) * 1e-6;
            if (end == at)
                refuse(text);
        }
        if (*end == '@') {
            at = end + 1;
            skews[cpu].after = strtoull(at, &end, 10);
            if (end == at)
                refuse(text);
        }
        if (*end != ',' && *end != '\0')
            refuse(text);
        at = end + (*end == ',');
    }
}

static void find_vdso(void)
{
    const ElfW(Ehdr) *elf = (const ElfW(Ehdr) *)getauxval(AT_SYSINFO_EHDR);
    if (!elf)
        return;
    const ElfW(Phdr) *segment = (const ElfW(Phdr) *)((const char *)elf + elf->e_phoff);
    for (int i = 0; i < elf->e_phnum; i++)
        if (segment[i].p_type == PT_LOAD) {
            vdso_begin = (uintptr_t)elf;
            vdso_end = vdso_begin + segment[i].p_offset + segment[i].p_memsz;
        }
}

__attribute__((constructor)) static void begin(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
    const char *text = getenv("ORDO_SKEW");
    unsigned cpu;
    parse(text ? text : "");
    find_vdso();
    sigaction(SIGSEGV, &action, NULL);
    origin = read_counter(&cpu); /* the last read without a fault */
}
