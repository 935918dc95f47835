/* machine FILE [SPEC...]: makes or changes the machine in FILE (skewed.h), immediately and for all programs that run on
 * it.
 *
 *     CPU:TICKS[:PPM][@SECONDS]   from now on, or beginning SECONDS from now, the clock of the CPU is ahead by TICKS
 *                                 (may be negative) and runs fast by PPM (may be fractional or negative)
 *     all:TICKS[:PPM][@SECONDS]   does this for all CPUs
 *     true                        all clocks are right again
 *     show:CPU                    prints by how many ticks the CPU's clock is ahead now
 *
 * Each SPEC replaces the earlier SPECs of its CPU; with '+' in front it is added to them. Commas separate SPECs like
 * blanks. Exit 64: a SPEC is malformed. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <ordo/clock.h>

static struct skewed_machine *machine;

static int wrong(const char *text)
{
    fprintf(stderr, "%s: not [+]CPU:TICKS[:PPM][@SECONDS], true or show:CPU\n", text);
    return 64;
}

/* Returns the ticks of the real counter in a second, to within about one percent. */
static double tick_hz(void)
{
    struct timespec begin, now;
    uint64_t before = skewed_native_ordered();
    double seconds;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
        seconds = (double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) * 1e-9;
    } while (seconds < 0.02);
    return (double)(skewed_native_ordered() - before) / seconds;
}

static int change(unsigned cpu, const struct skewed_change *added, int keep)
{
    struct skewed_change changes[SKEWED_CHANGES] = {{0, 0, 0}};
    int at = 0;
    if (keep)
        memcpy(changes, machine->cpus[cpu].changes, sizeof changes);
    while (at < SKEWED_CHANGES && changes[at].from)
        at++;
    if (at == SKEWED_CHANGES)
        return 64;
    changes[at] = *added;
    skewed_set(machine, cpu, changes);
    return 0;
}

static int apply(char *text)
{
    enum { SOON_US = 50 }; /* delay of a change "from now on", so that the file contains the change before it happens */
    struct skewed_change none[SKEWED_CHANGES] = {{0, 0, 0}}, added = {0, 0, 0};
    double ppm = 0, seconds = 0, hz;
    int keep = *text == '+', all, at = 0;
    unsigned cpu = 0;
    long long ticks = 0;
    if (strcmp(text, "true") == 0) {
        for (cpu = 0; cpu < SKEWED_CPUS; cpu++)
            skewed_set(machine, cpu, none);
        return 0;
    }
    if (sscanf(text, "show:%u", &cpu) == 1 && cpu < SKEWED_CPUS) {
        printf("%lld\n", (long long)skewed_ahead(machine, cpu, skewed_native_ordered()));
        return 0;
    }
    char *begin = text + keep;
    all = strncmp(begin, "all:", 4) == 0;
    if (all ? sscanf(begin, "all:%lld%n", &ticks, &at) != 1 : sscanf(begin, "%u:%lld%n", &cpu, &ticks, &at) != 2)
        return wrong(text);
    begin += at;
    if (sscanf(begin, ":%lf%n", &ppm, &at) == 1)
        begin += at;
    if (sscanf(begin, "@%lf%n", &seconds, &at) == 1)
        begin += at;
    if (*begin || cpu >= SKEWED_CPUS || seconds < 0)
        return wrong(text);
    hz = tick_hz();
    added.ticks = ticks;
    added.ppb = (int64_t)(ppm * 1000);
    added.from = skewed_native_ordered() + (uint64_t)((seconds > 0 ? seconds : SOON_US * 1e-6) * hz);
    for (unsigned one = all ? 0 : cpu; one < (all ? SKEWED_CPUS : cpu + 1); one++)
        if (change(one, &added, keep))
            return wrong(text);
    while (seconds == 0 && skewed_native_ordered() < added.from)
        ;
    return 0;
}

int main(int argc, char **argv)
{
    int fd, code = 0;
    if (argc < 2)
        return wrong("");
    fd = open(argv[1], O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0 || ftruncate(fd, sizeof *machine) != 0) {
        perror(argv[1]);
        return 70;
    }
    machine = mmap(NULL, sizeof *machine, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (machine == MAP_FAILED) {
        perror(argv[1]);
        return 70;
    }
    for (int i = 2; i < argc && !code; i++)
        for (char *text = strtok(argv[i], ","); text && !code; text = strtok(NULL, ","))
            code = apply(text);
    return code;
}
