#include <criterion/criterion.h>
#include <stdatomic.h>
#include <string.h>

#include "base/gang.h"

static _Atomic int entered, worked;
static int failing = -1;

static int enter(void *context, int index, struct ordo_error *error)
{
    (void)context;
    atomic_fetch_add(&entered, 1);
    return index == failing ? ordo_error_set(error, ORDO_E_MEASURE, 0, "member %d", index) : ORDO_OK;
}

static int work(void *context, int index, struct ordo_error *error)
{
    (void)error;
    cr_assert_eq(atomic_load(&entered), *(int *)context, "no thread works before all have entered");
    atomic_fetch_add(&worked, 1 << index);
    return ORDO_OK;
}

Test(gang, every_member_works_after_all_have_entered)
{
    int size = 16;
    struct ordo_error error;
    cr_assert_eq(ordo_gang_run(size, enter, work, &size, &error), ORDO_OK);
    cr_assert_eq(atomic_load(&worked), (1 << size) - 1);
}

Test(gang, one_failed_entry_prevents_all_work)
{
    int size = 8;
    struct ordo_error error;
    failing = 5;
    cr_assert_eq(ordo_gang_run(size, enter, work, &size, &error), ORDO_E_MEASURE);
    cr_assert_str_eq(error.text, "member 5");
    cr_assert_eq(atomic_load(&worked), 0);
}
