/* A program that includes no header of Ordo; it is compiled with -include ordo-amalgamated.h. With SECOND defined, this
 * file is the second translation unit of the program. Exit 0: correct; 1: wrong; 77: this machine's counter may not be
 * used. */
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
ordo_time second_time(const struct ordo *o, ordo_time first);
#ifdef __cplusplus
}
#endif

#ifdef SECOND

ordo_time second_time(const struct ordo *o, ordo_time first)
{
    return ordo_new_time(o, first);
}

#else

int main(void)
{
    struct ordo o;
    struct ordo_error error;
    ordo_time first, second;
    int code = ORDO_E_MEASURE, i;
    for (i = 0; i < 20 && code == ORDO_E_MEASURE; i++) /* the CPUs may be busy */
        code = ordo_start(&o, &error);
    if (code) {
        puts(error.text);
        return code == ORDO_E_REFUTED ? 77 : 1;
    }
    first = ordo_get_time(&o);
    second = second_time(&o, first);
    if (ordo_cmp_time(&o, second, first) != 1 || ordo_cmp_time(&o, first, second) != -1)
        return 1;
    if (!(ordo_flags(&o) & ORDO_FLAG_PRIVATE) || ordo_status(&o) != ORDO_STATUS_VALID)
        return 1;
    for (i = 0, code = ORDO_E_MEASURE; i < 20 && code == ORDO_E_MEASURE; i++)
        code = ordo_start_look(&o, &error);
    if (code)
        puts(error.text);
    ordo_close(&o);
    return code != 0;
}

#endif
