/* Options of ordo-bench whose value is a list of words. */
#include <criterion/criterion.h>
#include <sys/wait.h>
#include <unistd.h>

#include "choice.h"
#include "common/result.h"

static const char *const words[BENCH_WORDS + 1] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                                   "i", "j", "k", "l", "m", "n", "o", "p"};

static char name[] = "test";
static const struct argp_state state = {.name = name};

Test(choice, a_list_may_contain_every_word)
{
    struct bench_choice choice;
    bench_choice_parse(&state, "--word", "p,o,n,m,l,k,j,i,h,g,f,e,d,c,b,a", words, &choice);
    for (int i = 0; i < BENCH_WORDS; i++)
        cr_assert(bench_choice_has(&choice, words, words[i]));
}

Test(choice, a_list_that_is_too_long_is_refused)
{
    int status = 0;
    pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        struct bench_choice choice;
        bench_choice_parse(&state, "--word", "p,o,n,m,l,k,j,i,h,g,f,e,d,c,b,a,p", words, &choice);
        _exit(EXIT_OK);
    }
    cr_assert(waitpid(child, &status, 0) == child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_USAGE);
}
