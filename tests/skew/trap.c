/* trap: finds out if reads of the TSC can be trapped on this machine, as skew.c requires. Exit 0: yes; 1: no, for
 * example in a guest whose hypervisor does not pass on the trap. */
#include <setjmp.h>
#include <signal.h>
#include <sys/prctl.h>

static sigjmp_buf before;

static void trapped(int number)
{
    (void)number;
    siglongjmp(before, 1);
}

int main(void)
{
    if (sigsetjmp(before, 1))
        return 0;
    (void)signal(SIGSEGV, trapped);
    if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0)
        (void)__builtin_ia32_rdtsc();
    return 1;
}
