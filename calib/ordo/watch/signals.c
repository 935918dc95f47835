/* The signals of the watcher, which are blocked, and taken by sigtimedwait(). */
#include "ordo/watch/signals.h"

#include <signal.h>
#include <time.h>

#define SECOND_NS 1000000000

static void signals(sigset_t *set)
{
    (void)sigemptyset(set);
    (void)sigaddset(set, SIGTERM);
    (void)sigaddset(set, SIGINT);
    (void)sigaddset(set, SIGHUP);
}

void watch_block_signals(void)
{
    sigset_t set;
    signals(&set);
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void watch_heed_signals(struct watch *watch, int64_t ns)
{
    struct timespec wait = {(time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS)};
    sigset_t set;
    signals(&set);
    for (int caught; (caught = sigtimedwait(&set, NULL, &wait)) > 0; wait = (struct timespec){0}) {
        if (caught == SIGHUP)
            watch->asked = true;
        else
            watch->stop = true;
    }
}
