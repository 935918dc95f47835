/* Whether a program can have its reads of the TSC trapped here, as skew.c does: 0, or 1 as in a guest whose hypervisor does
 * not pass that on. Run when the tests are configured. */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

static void trapped(int number)
{
    (void)number;
    _exit(0);
}

int main(void)
{
    (void)signal(SIGSEGV, trapped);
    if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0)
        (void)__builtin_ia32_rdtsc();
    return 1;
}
