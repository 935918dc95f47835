/* A program that uses only the header; valid C and C++. */
#include <ordo/ordo.h>

int main(void)
{
    struct ordo o = ORDO_INIT(1000, 0), none;
    ordo_time before = ordo_get_time(&o), after = ordo_new_time(&o, before);
    if (ordo_cmp_time(&o, after, before) != 1 || after.ticks <= before.ticks + 1000)
        return 1;
    if (ordo_open(&none, "/nonexistent/boundary") != ORDO_E_MISSING || ordo_cmp_time(&none, after, before) != 0)
        return 1;
    return 0;
}
