/* Synchronisation without enough memory: if any allocation fails, on any rank, no rank waits for ever, and all ranks
 * return the same error. This program's malloc and calloc are wrapped (CMakeLists.txt). */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "cluster/sync/check.h"
#include "cluster/transport/sim.h"

/* Only allocations of at least LARGE bytes fail. Those of the simulated network are smaller, so its messages do not
 * fail. */
enum { RANKS = 6, LARGE = 1000 };

static int countdown; /* number of the large allocation that fails; 0: none */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);

static bool fails(size_t size)
{
    return size > LARGE && countdown > 0 && --countdown == 0;
}

void *__wrap_malloc(size_t size)
{
    return fails(size) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails(count * size) ? NULL : __real_calloc(count, size);
}

struct trial {
    struct ordo_sim_options sim;
    struct ordo_sync_options sync;
    int failing; /* number of the large allocation that fails, counted while ranks run; 0: none */
    int codes[RANKS];
};

static struct trial trial(const char *algorithm)
{
    struct trial t = {.sim = ordo_sim_defaults(), .sync = ordo_sync_defaults()};
    struct ordo_error error = {0};
    t.sim.ranks = RANKS;
    t.sim.ranks_per_socket = 2;
    t.sync.common_residual_ns = 0;
    cr_assert_eq(ordo_sync_read(algorithm, NULL, NULL, NULL, &t.sync, &error), 0, "%s", error.text);
    return t;
}

static int body(struct ordo_transport *world, void *context)
{
    struct trial *t = context;
    struct ordo_model model;
    struct ordo_global_check checks[RANKS];
    int count;
    if (t->failing) {
        countdown = t->failing;
        t->failing = 0;
    }
    int code = t->codes[world->rank] = ordo_sync_run(world, &t->sync, NULL, &model, NULL);
    return code ? ORDO_OK : ordo_sync_check(world, &model, NULL, 10, 100, 1, checks, &count);
}

/* True if all ranks succeeded. */
static bool run(struct trial *t, const char *what)
{
    struct ordo_sim_result result;
    struct ordo_error error = {0};
    cr_assert_eq(ordo_sim_run(&t->sim, body, t, &result, &error), 0, "%s: %s", what, error.text);
    for (int rank = 0; rank < RANKS; rank++)
        cr_assert(t->codes[rank] == t->codes[0] && (t->codes[rank] == 0 || t->codes[rank] == ORDO_E_SYSTEM),
                  "%s: rank %d returns code %d, rank 0 returns %d", what, rank, t->codes[rank], t->codes[0]);
    return t->codes[0] == 0;
}

static const char *const algorithms[] = {"jk:fit=45,pingpong=45",    "hca:fit=60,pingpong=50",
                                         "hca2:fit=45,pingpong=45",  "hca3:fit=60,pingpong=50,offset=mean-rtt",
                                         "h2hca:fit=45,pingpong=45", "h3hca:fit=60,pingpong=50"};

/* A failed allocation for the drift is no error: only the declared skew then bounds the drift. */
Test(memory, a_failed_allocation_is_reported_or_harmless)
{
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
        int tried = 0, refused = 0;
        for (bool all = false; !all;) {
            struct trial t = trial(algorithms[a]);
            t.failing = ++tried;
            refused += !run(&t, algorithms[a]);
            all = countdown > 0;
            countdown = 0;
        }
        cr_assert(refused > 2 && refused < tried, "%s: %d of %d", algorithms[a], refused, tried);
    }
}

Test(memory, a_failed_split_of_a_communicator_is_reported)
{
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
        bool composed = false, whole = false;
        int split = 0;
        while (!whole) {
            struct trial t = trial(algorithms[a]);
            composed = t.sync.main.algorithm->composed;
            t.sim.failing_split = ++split;
            whole = run(&t, algorithms[a]);
        }
        cr_assert_eq(split > 3, composed, "%s: %d splits", algorithms[a], split - 1);
    }
}
