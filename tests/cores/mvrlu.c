/* MV-RLU: see pairs.h. */
#define TESTS_MVRLU
#include "pairs.h"

int oracle_mvrlu(void)
{
    return run_pairs();
}
