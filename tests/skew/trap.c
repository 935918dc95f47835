/* trap: finds if a program can have its reads of the TSC trapped here, as skew.c does. Exit 0: it can; 1: it cannot, as
 * in a guest whose hypervisor does not pass the trap on. */
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
