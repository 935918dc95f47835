#include "rlu/multiget.h"

#include <inttypes.h>

#define STEP UINT64_C(2654435761) /* a prime above any number of pairs: its multiples visit every pair once */

int rlu_multiget_fill(const struct rlu_bench *bench, void *user)
{
    uint64_t pairs = bench->elements, state = rlu_seed(bench, BENCH_LINE);
    for (uint64_t i = 0; i < pairs; i++) {
        uint64_t key = i * STEP % pairs;
        if (bench->engine->add(user, ordo_random_next(&state) & 1 ? key : key + pairs) != 1)
            return -1;
    }
    return 0;
}

/* Checks that the set has exactly one key of each pair. */
static int check_pairs(const struct rlu_bench *bench, void *user, struct ordo_error *error)
{
    for (uint64_t key = 0; key < bench->elements; key++) {
        uint64_t both[] = {key, key + bench->elements};
        int found = bench->engine->multiget->get(user, both, 2);
        if (found != 1)
            return ordo_error_set(error, ORDO_E_INVALID, 0, "keys %" PRIu64 " and %" PRIu64 ": %d found, 1 expected",
                                  both[0], both[1], found);
    }
    return ORDO_OK;
}

int rlu_multiget_check(struct rlu_bench *bench, struct ordo_error *error)
{
    uint64_t counters[BENCH_COUNTERS] = {0}, torn = atomic_load(&bench->torn);
    if (bench->engine->multiget->atomic && torn > 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%" PRIu64 " multi-gets of %u keys were torn", torn,
                              bench->multiget_keys);
    void *user = bench->engine->enter(bench);
    if (!user)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory in the audit", bench->engine->algorithm);
    int code = check_pairs(bench, user, error);
    bench->engine->leave(user, counters);
    return code;
}
