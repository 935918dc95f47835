/* A server's gate to the time-stamp counter: at its start and at each reload (SIGHUP) it decides whether
 * the counter may be its clock, and takes CLOCK_MONOTONIC if the counter has no record, or one that was forced. Each line
 * of standard input is a request, answered with the time in ns since the start, which never goes back: not from clock to
 * clock either. The argument is by how many ns the clocks of two cores may differ (default 1000). */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <ordo/ordo.h>

static struct ordo gate;       /* closed: the kernel's clock is used */
static uint64_t base_ns, base; /* the time of the choice of the clock, and the clock's reading then */
static volatile sig_atomic_t reload;

static uint64_t shown(void)
{
    struct timespec now;
    if (ordo_status(&gate) != ORDO_STATUS_CLOSED)
        return ordo_get_time(&gate).ticks;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t now_ns(void)
{
    uint64_t now = shown(), since = now > base ? now - base : 0; /* another core may be behind by the boundary */
    return base_ns + (ordo_status(&gate) == ORDO_STATUS_CLOSED ? since : ordo_ticks_to_ns(&gate, since));
}

/* NULL, or why the counter is not to be used. */
static const char *refusal(uint64_t most_ns, struct ordo_error *error)
{
    if (ordo_open_error(&gate, NULL, error))
        return error->text;
    if (ordo_flags(&gate) & ORDO_FLAG_FORCED)
        return "the record was forced";
    if (!ordo_tick_hz(&gate) || ordo_ticks_to_ns(&gate, ordo_boundary(&gate)) > most_ns)
        return "cores may be too far apart";
    return NULL;
}

static void choose(uint64_t most_ns)
{
    struct ordo_error error;
    base_ns = base ? now_ns() : 0; /* by the clock of before */
    ordo_close(&gate);
    const char *why = refusal(most_ns, &error);
    printf("clock: %s (%s)\n", why ? "monotonic" : ORDO_CLOCK_NAME, why ? why : ordo_trust_word(ordo_trust(&gate)));
    if (why)
        ordo_close(&gate);
    base = shown();
}

static void on_hangup(int signal)
{
    reload = signal;
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = on_hangup}; /* without SA_RESTART: it interrupts the wait for a request */
    uint64_t most_ns = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    char line[256];
    sigaction(SIGHUP, &action, NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (choose(most_ns);; clearerr(stdin)) {
        int request = fgets(line, sizeof line, stdin) != NULL;
        if (!request && !reload)
            return fflush(stdout) != 0 || ferror(stdout);
        if (reload || ordo_status(&gate) == ORDO_STATUS_DISRUPTED) { /* proved wrong: not for one request more */
            reload = 0;
            choose(most_ns);
        }
        if (request)
            printf("%" PRIu64 " ns\n", now_ns());
    }
}
