/* The auxiliary clocks of Linux 6.17: CLOCK_AUX and the seven numbers above it. Each is off until a privileged user
 * switches it on, and is then set and steered by a daemon such as phc2sys, independently of CLOCK_REALTIME. */
#include <errno.h>
#include <time.h>

#include "machine/clock/source.h"

enum { FIRST_ID = 16, CLOCKS = 8, NOT_CHOSEN = -2, NONE = -1 };

static _Atomic int chosen = NOT_CHOSEN;

static int error_of(int number)
{
    struct timespec now;
    return clock_gettime(FIRST_ID + number, &now) ? errno : 0;
}

int ordo_clock_aux_choose(int number, struct ordo_error *error)
{
    int reason = number >= 0 && number < CLOCKS ? error_of(number) : EINVAL;
    chosen = reason ? NONE : number;
    if (!reason)
        return ORDO_OK;
    if (reason == ENODEV)
        return ordo_error_set(error, ORDO_E_MISSING, 0,
                              "%d: this auxiliary clock is off: write 1 to "
                              "/sys/kernel/time/aux_clocks/%d/aux_clock_enable",
                              number, number);
    return ordo_error_set(error, ORDO_E_MISSING, 0,
                          "%d: the kernel has no auxiliary clocks: they need Linux 6.17 and CONFIG_POSIX_AUX_CLOCKS",
                          number);
}

/* Chooses the first clock that is on, if none was chosen. Returns the identifier; -1: all are off. */
static int id_of_aux(void)
{
    for (int i = 0; chosen == NOT_CHOSEN && i < CLOCKS; i++)
        if (error_of(i) == 0)
            chosen = i;
    if (chosen == NOT_CHOSEN)
        chosen = NONE;
    return chosen == NONE ? -1 : FIRST_ID + chosen;
}

static uint64_t read_aux_ns(void)
{
    int id = id_of_aux();
    return id < 0 ? 0 : ordo_clock_system_ns(id);
}

static uint64_t call_aux_ns(void)
{
    int id = id_of_aux();
    return id < 0 ? 0 : ordo_clock_library_ns(id);
}

const struct ordo_clock_source ordo_clock_source_aux = {
    .name = "aux",
    .title = "an auxiliary clock of the kernel, CLOCK_AUX",
    .unit_hz = 1000000000,
    .steered = true,
    .settable = true,
    .on_request = true,
    .read = read_aux_ns,
    .call = call_aux_ns,
};
