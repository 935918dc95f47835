#include "ordo-net/ending.h"

#include <signal.h>

static volatile sig_atomic_t came,
    before; /* came: number of signals, up to 2; before: those before ending_begin, up to 1 */

static void take_signal(int number)
{
    (void)number;
    came = came ? 2 : 1;
}

void ending_heed(void)
{
    struct sigaction action = {.sa_handler = take_signal};
    (void)sigfillset(&action.sa_mask); /* no signal interrupts the handler, so that each is counted */
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
}

bool ending_asked(void)
{
    return came;
}

void ending_begin(void)
{
    before = came ? 1 : 0;
}

bool ending_asked_anew(void)
{
    return came > before;
}
