/* Uses only the header; valid C and C++. */
#include <ordo/ordo.h>

int main(void)
{
    struct ordo o = ORDO_INIT(100, 1000000000);
    ordo_time first = ordo_get_time(&o);
    return ordo_cmp_time(&o, ordo_new_time(&o, first), first) != 1;
}
