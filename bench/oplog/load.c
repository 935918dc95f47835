#include "oplog/load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void *allocate_lines(size_t bytes)
{
    size_t whole = (bytes + 127) / 128 * 128;
    void *memory = aligned_alloc(128, whole);
    return memory ? memset(memory, 0, whole) : NULL;
}

static int make_load(struct oplog_load *load, enum oplog_structure structure, const struct oplog_sizes *sizes)
{
    uint64_t count = OPLOG_SLOTS * sizes->burst;
    if (structure == OPLOG_SET)
        load->keys = calloc(sizes->range, sizeof *load->keys);
    if (structure == OPLOG_MAP) {
        load->mappings = allocate_lines(count * sizeof *load->mappings);
        load->live = calloc(count, sizeof *load->live);
    }
    for (uint64_t i = 0; load->mappings && i < count; i++)
        load->mappings[i].file = oplog_below(load, sizes->files);
    load->at = sizes->burst;
    return structure == OPLOG_SET ? -!load->keys : structure == OPLOG_MAP ? -(!load->mappings || !load->live) : 0;
}

struct oplog_state *oplog_state_make(enum oplog_structure structure, const struct oplog_sizes *sizes, int threads,
                                     uint64_t seed)
{
    struct oplog_state *state = allocate_lines(sizeof *state + (size_t)threads * sizeof state->loads[0]);
    if (!state)
        return NULL;
    state->sizes = *sizes;
    state->files = allocate_lines(sizes->files * sizeof *state->files);
    bool failed = !state->files;
    state->threads = threads;
    for (int i = 0; i < threads; i++) {
        struct oplog_load *load = &state->loads[i];
        *load = (struct oplog_load){
            .random = seed << 16 | (uint64_t)i, .state = state, .index = (uint64_t)i, .threads = (uint64_t)threads};
        failed |= make_load(load, structure, sizes) != 0;
    }
    if (failed) {
        oplog_state_free(state);
        return NULL;
    }
    return state;
}

void oplog_state_free(struct oplog_state *state)
{
    if (!state)
        return;
    for (int i = 0; i < state->threads; i++) {
        free(state->loads[i].keys);
        free(state->loads[i].mappings);
        free(state->loads[i].live);
    }
    plain_tree_free(&state->tree);
    free(state->files);
    free(state);
}

uint64_t oplog_state_objects(enum oplog_structure structure, const struct oplog_sizes *sizes)
{
    return structure == OPLOG_MAP ? sizes->files : 1;
}

/* Checks that the lists of the files contain exactly the mappings that their owners have added and not removed. */
static int audit_map(const struct oplog_state *state, struct ordo_error *error)
{
    uint64_t expected = 0, found = 0;
    for (int t = 0; t < state->threads; t++)
        for (uint64_t i = 0; i < OPLOG_SLOTS * state->sizes.burst; i++) {
            const struct oplog_load *load = &state->loads[t];
            if (load->mappings[i].count != load->live[i])
                return ordo_error_set(error, ORDO_E_INVALID, 0,
                                      "a mapping of thread %d is there %" PRId64 " times, %d expected", t,
                                      load->mappings[i].count, load->live[i]);
            expected += load->live[i];
        }
    for (uint64_t f = 0; f < state->sizes.files; f++)
        for (const struct oplog_mapping *m = state->files[f].first; m && found <= expected; m = m->next) {
            if (m->file != f)
                return ordo_error_set(error, ORDO_E_INVALID, 0, "a mapping of file %" PRIu64 " is listed at %" PRIu64,
                                      m->file, f);
            found++;
        }
    if (found != expected)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%" PRIu64 " mappings found, %" PRIu64 " expected", found,
                              expected);
    return ORDO_OK;
}

static int audit_set(const struct oplog_state *state, struct ordo_error *error)
{
    uint64_t found = 0, expected = 0;
    struct plain_tree tree = state->tree;
    int code = plain_tree_audit(&tree, state->sizes.range, &found, error);
    for (uint64_t key = 0; key < state->sizes.range && !code; key++) {
        bool there = state->loads[key % (uint64_t)state->threads].keys[key];
        expected += there;
        if (plain_tree_contains(&tree, key) != there)
            code = ordo_error_set(error, ORDO_E_INVALID, 0, "key %" PRIu64 " is %sthere, though it was %s last", key,
                                  there ? "not " : "", there ? "added" : "removed");
    }
    if (!code && found != expected)
        code =
            ordo_error_set(error, ORDO_E_INVALID, 0, "%" PRIu64 " keys found, %" PRIu64 " expected", found, expected);
    return code;
}

int oplog_state_audit(const struct oplog_state *state, enum oplog_structure structure, uint64_t updates,
                      struct ordo_error *error)
{
    if (state->refused)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%" PRIu64 " operations: out of memory", state->refused);
    if (structure == OPLOG_MAP)
        return audit_map(state, error);
    if (structure == OPLOG_SET)
        return audit_set(state, error);
    if (state->counter != updates)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "the counter is %" PRIu64 ", %" PRIu64 " expected",
                              state->counter, updates);
    return ORDO_OK;
}
