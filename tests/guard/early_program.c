/* early_program WAY: ends early in this way, for guard.sh. The guard must notice every way except `none` and
 * `child`. */
#include <stdio.h>
#include <string.h>

#include "early.h"

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*leave)(void);
    } ways[] = {{"none", return_at_once},          {"exit", leave_by_exit},    {"underscore", leave_by_underscore},
                {"kernel", leave_by_kernel},       {"exec", leave_by_exec},    {"thread", leave_by_thread},
                {"coroutine", leave_by_coroutine}, {"signal", leave_by_signal}};
    if (argc == 2 && strcmp(argv[1], "child") == 0 && fork() == 0)
        leave_by_exit();
    for (size_t i = 0; argc == 2 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0)
            ways[i].leave();
    return 0;
}
