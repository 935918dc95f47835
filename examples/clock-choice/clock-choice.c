/* A server's choice of clock: hardware time if it has a record that was not forced, else a counter that all threads share, and
 * it goes on serving when the record changes under it.
 *
 * Each line of standard input is a request, and is answered with its moment: an era, and a time in it. Moments of one
 * era are compared by its clock; an era begins when nothing is being served, so of two eras the later one is later. */
#include <stdatomic.h>
#include <stdio.h>

#include <ordo/ordo.h>

struct moment {
    unsigned era;
    ordo_time time;
};

static struct {
    unsigned era;
    struct ordo o; /* closed: the counter is the clock */
    _Atomic uint64_t counter;
} server;

/* Begins an era, while no request is being served. */
static void choose(int trust_records)
{
    struct ordo_error error;
    ordo_close(&server.o);
    server.era++;
    if (!trust_records)
        printf("era %u: counter (the clocks disagree)\n", server.era);
    else if (ordo_open_error(&server.o, NULL, &error))
        printf("era %u: counter (%s)\n", server.era, error.text);
    else if (ordo_flags(&server.o) & ORDO_FLAG_FORCED)
        printf("era %u: counter (the record was forced)\n", server.era), ordo_close(&server.o);
    else
        printf("era %u: hardware clock, %s, boundary %llu ns\n", server.era, ordo_trust_word(ordo_trust(&server.o)),
               (unsigned long long)ordo_ticks_to_ns(&server.o, ordo_boundary(&server.o)));
}

/* What a busy server does now and then, and before it lets others see the result of a request. */
static void look(void)
{
    int status = ordo_status(&server.o);
    if (status == ORDO_STATUS_SUPERSEDED) /* its times are still right; the new record may be tighter, or cover more */
        choose(1);
    if (status == ORDO_STATUS_DISRUPTED) /* times taken under it may have been in the wrong order */
        choose(0);
}

static struct moment now(void)
{
    if (ordo_status(&server.o) == ORDO_STATUS_CLOSED)
        return (struct moment){server.era, {atomic_fetch_add(&server.counter, 1) + 1}};
    return (struct moment){server.era, ordo_get_time(&server.o)};
}

/* 1: a is later than b; -1: earlier; 0: cannot be known. */
static int compare(struct moment a, struct moment b)
{
    if (a.era != b.era)
        return a.era > b.era ? 1 : -1;
    if (ordo_status(&server.o) == ORDO_STATUS_CLOSED)
        return (a.time.ticks > b.time.ticks) - (a.time.ticks < b.time.ticks);
    return ordo_cmp_time(&server.o, a.time, b.time);
}

int main(void)
{
    static const char *const words[] = {"earlier", "cannot be known", "later"};
    char line[256];
    struct moment last = {0}, moment;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (choose(1); fgets(line, sizeof line, stdin); last = moment) {
        look();
        moment = now();
        printf("%s in era %u\n", words[compare(moment, last) + 1], moment.era);
    }
    return 0;
}
