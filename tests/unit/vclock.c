/* The pages of hypervisors and the auxiliary clocks (lib/machine/clock). */
#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

#include "machine/clock/source.h"
#include "machine/clock/vclock.h"

Test(vclock, pvclock_converts_the_counter)
{
    struct ordo_vclock_pv page = {.version = 2,
                                  .ticks = 1000,
                                  .time_ns = 5000,
                                  .multiplier = 0x80000000,
                                  .shift = 1,
                                  .flags = ORDO_VCLOCK_PV_STABLE};
    cr_assert_eq(ordo_vclock_pv_ns(&page, 1000 + 700), 5000 + 700);
    page.shift = -2; /* (4000 >> 2) / 2 */
    cr_assert_eq(ordo_vclock_pv_ns(&page, 1000 + 4000), 5000 + 500);
    cr_assert_eq(ordo_vclock_pv_ns(&page, 999), 5000, "a counter that lags behind the page");
    page.shift = 0;
    cr_assert_eq(ordo_vclock_pv_ns(&page, 1000 + (UINT64_C(1) << 62)), 5000 + (UINT64_C(1) << 61));
}

Test(vclock, a_page_that_is_being_changed_tells_no_time)
{
    struct ordo_vclock_pv page = {.version = 3, .time_ns = 5000, .multiplier = 1, .flags = ORDO_VCLOCK_PV_STABLE};
    struct ordo_vclock_hyperv invalid = {.sequence = 0, .scale = UINT64_MAX};
    cr_assert_eq(ordo_vclock_pv_ns(&page, 1), 0);
    page.version = 4;
    page.flags = 0;
    cr_assert_eq(ordo_vclock_pv_ns(&page, 1), 0, "it holds for CPU 0 only");
    page.flags = ORDO_VCLOCK_PV_STABLE;
    page.shift = 64;
    cr_assert_eq(ordo_vclock_pv_ns(&page, 1), 0, "an impossible shift");
    cr_assert_eq(ordo_vclock_hyperv_units(&invalid, 1000), 0);
}

Test(vclock, hyperv_converts_the_counter)
{
    struct ordo_vclock_hyperv page = {.sequence = 1, .scale = UINT64_C(1) << 56, .offset = -3};
    cr_assert_eq(ordo_vclock_hyperv_units(&page, 256 * 1000), 1000 - 3);
    cr_assert_eq(ordo_vclock_hyperv_units(&page, UINT64_C(1) << 63), (UINT64_C(1) << 55) - 3);
}

/* Reads a clock of this machine twice, 20 ms apart. A clock that does not exist returns 0. */
static void check_rate(const char *name)
{
    const struct ordo_clock_source *source = ordo_clock_source_find(name);
    const struct timespec pause = {0, 20000000};
    cr_assert(source, "%s", name);
    uint64_t begin_raw = ordo_clock_system_ns(CLOCK_MONOTONIC_RAW), begin = source->read();
    nanosleep(&pause, NULL);
    uint64_t end = source->read(), end_raw = ordo_clock_system_ns(CLOCK_MONOTONIC_RAW);
    if (begin == 0 && end == 0)
        return;
    double passed_ns = (double)(end - begin) * 1e9 / (double)source->unit_hz, raw_ns = (double)(end_raw - begin_raw);
    cr_assert(passed_ns > 0.5 * 20e6 && passed_ns < 1.001 * raw_ns + 1000, "%s: %g of %g ns", name, passed_ns, raw_ns);
}

Test(vclock, clocks_that_exist_run_at_their_rate)
{
    check_rate("pvclock");
    check_rate("hyperv");
    check_rate("aux");
}

Test(vclock, a_missing_page_stays_missing)
{
    for (int number = 0; number < 2; number++)
        cr_assert_eq(ordo_vclock_page(number), ordo_vclock_page(number));
}

Test(vclock, an_auxiliary_clock_that_is_not_there_is_an_error)
{
    struct ordo_error error;
    struct timespec now;
    cr_assert_eq(ordo_clock_aux_choose(8, &error), ORDO_E_MISSING);
    cr_assert_eq(ordo_clock_aux_choose(-1, &error), ORDO_E_MISSING);
    int code = ordo_clock_aux_choose(7, &error);
    cr_assert_eq(code == ORDO_OK, clock_gettime(16 + 7, &now) == 0);
    cr_assert(code == ORDO_OK || strstr(error.text, "aux"), "%s", error.text);
    cr_assert_eq(code == ORDO_OK, ordo_clock_source_find("aux")->read() != 0);
}

Test(vclock, an_interface_without_a_clock_is_an_error)
{
    struct ordo_error error;
    char path[ORDO_CLOCK_PHC_PATH];
    cr_assert_eq(ordo_clock_phc_find("lo", path, &error), ORDO_E_MISSING);
    cr_assert_eq(ordo_clock_phc_find("no-such", path, &error), ORDO_E_MISSING);
    cr_assert_eq(ordo_clock_phc_find("a-name-that-is-too-long", path, &error), ORDO_E_MISSING);
    cr_assert_eq(ordo_clock_phc_find("/dev/ptp7", path, &error), ORDO_OK);
    cr_assert_str_eq(path, "/dev/ptp7");
}
