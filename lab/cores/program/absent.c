/* Baselines that cannot be simulated: liburcu keeps its threads in thread-local variables and in assembly, which the hooks
 * do not see. A command line that names one is refused. */
#include "lab/cores/program/absent.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "rlu/engine.h"

static int refuse(struct rlu_bench *bench)
{
    (void)bench;
    errno = ENOSYS;
    return -1;
}

#define ABSENT(name, word, kind)                                                                                       \
    const struct rlu_engine rlu_engine_##name = {.algorithm = word, .structure = kind, .create = refuse};

ABSENT(rcu_memb_list, "rcu-memb", RLU_LIST)
ABSENT(rcu_memb_hash, "rcu-memb", RLU_HASH)
ABSENT(rcu_wide_list, "rcu-wide", RLU_LIST)
ABSENT(rcu_wide_hash, "rcu-wide", RLU_HASH)
ABSENT(rcu_lazy_list, "rcu-lazy", RLU_LIST)
ABSENT(rcu_lazy_hash, "rcu-lazy", RLU_HASH)
ABSENT(rcu_qsbr_list, "rcu-qsbr", RLU_LIST)
ABSENT(rcu_qsbr_hash, "rcu-qsbr", RLU_HASH)
ABSENT(lfht_hash, "lfht", RLU_HASH)

static const char *const absent_words[] = {"rcu-memb", "rcu-wide", "rcu-lazy", "rcu-qsbr", "lfht", NULL};

/* Returns the first absent word of a list such as "mutex,lfht". */
static const char *find_absent(const char *list)
{
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        for (const char *const *word = absent_words; *word; word++)
            if (strlen(*word) == strcspn(list, ",") && strncmp(list, *word, strlen(*word)) == 0)
                return *word;
    return NULL;
}

const char *absent_baseline(int argc, char **argv)
{
    static const char option[] = "--baseline";
    const char *found = NULL;
    for (int i = 1; i < argc && !found; i++) {
        if (strcmp(argv[i], option) == 0 && i + 1 < argc)
            found = find_absent(argv[i + 1]);
        else if (strncmp(argv[i], option, strlen(option)) == 0 && argv[i][strlen(option)] == '=')
            found = find_absent(argv[i] + sizeof option);
    }
    return found;
}
