/* Violates every check of ORDO_DEBUG (ordo/cc/domain/invariant.h) once: a child process violates the check, and must
 * end by abort() with a line that names the check. Most children make a forbidden call; the others corrupt a word of
 * the engine.
 *
 * tests/header/invariants.sh checks that this file names each check of the sources. */
#undef ORDO_DEBUG
#define ORDO_DEBUG 1
#include <ordo/cc/mvrlu.h>
#include <ordo/cc/oplog.h>
#include <ordo/cc/rlu.h>
#include <ordo/cc/stm.h>

#include "cc/txn/hekaton/engine.h"
#include "cc/txn/single/occ.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BOUNDARY = 1000 };

struct broken {
    const char *line;
    void (*by)(void);
};

/* Returns the output of a child process that calls `by`, which must end by abort(). */
static const char *output_of(void (*by)(void))
{
    static char text[4096];
    size_t length = 0;
    ssize_t got;
    int ends[2], status;
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &none);
        (void)signal(SIGABRT, SIG_DFL);
        (void)dup2(ends[1], STDERR_FILENO);
        by();
        _exit(3);
    }
    (void)close(ends[1]);
    while (length < sizeof text - 1 && (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = 0;
    (void)close(ends[0]);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "status %#x: %s", (unsigned)status, text);
    return text;
}

static void all_are_found(const struct broken *broken, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = output_of(broken[i].by);
        char expected[256];
        const char *claim = strstr(broken[i].line, "] ") + 2;
        (void)snprintf(expected, sizeof expected, "ordo: %.*sbroken: %s: ", (int)(claim - broken[i].line),
                       broken[i].line, claim);
        cr_expect(strncmp(text, expected, strlen(expected)) == 0, "not \"%s\", but: %s", expected, text);
        cr_expect(strchr(text, '\n') && strchr(text, '\n')[1] == 0, "the output is not one line: %s", text);
    }
}

#define BREAKS(name) static void name(void)
#define ALL_ARE_FOUND(broken) all_are_found(broken, sizeof(broken) / sizeof *(broken))

/* ---- the domain ---- */

static struct ordo_rlu rlu;
static struct ordo_rlu_thread *t, *other;
static struct object {
    uint64_t value;
} * object;
static struct ordo_rlu_link *node;

static void rlu_begin(void)
{
    const struct ordo_rlu_options options = {.boundary_ticks = BOUNDARY};
    if (ordo_rlu_create(&rlu, &options) || ordo_rlu_thread_init(&rlu, &t) || ordo_rlu_thread_init(&rlu, &other))
        _exit(4);
    object = ordo_rlu_alloc(t, sizeof *object);
    node = ordo_rlu_alloc_node(t, sizeof *node);
}

static void rlu_section(void)
{
    rlu_begin();
    (void)ordo_rlu_reader_lock(t);
}

/* Calls `by` in a section that has locked the object. */
static void rlu_writer(void)
{
    rlu_section();
    if (!ordo_rlu_try_lock(t, object, sizeof *object))
        _exit(4);
}

BREAKS(join_unused)
{
    rlu_begin();
    t->common.used = 0;
    ordo_cc_thread_join(&rlu.threads, &t->common);
}

BREAKS(leave_twice)
{
    rlu_begin();
    ordo_cc_thread_leave(&t->common);
    ordo_cc_thread_leave(&t->common);
}

BREAKS(destroy_with_threads)
{
    rlu_begin();
    ordo_rlu_destroy(&rlu);
}

Test(invariant, every_violation_of_a_domain_invariant_aborts)
{
    static const struct broken broken[] = {
        {"domain [D1] a thread that joins is complete and in use", join_unused},
        {"domain [D2] a thread leaves once", leave_twice},
        {"domain [use] a domain ends when all its threads have finished", destroy_with_threads},
    };
    ALL_ARE_FOUND(broken);
}

/* ---- RLU ---- */

BREAKS(rlu_finished)
{
    rlu_begin();
    ordo_rlu_thread_finish(t);
    (void)ordo_rlu_reader_lock(t);
}

BREAKS(rlu_nested)
{
    rlu_section();
    (void)ordo_rlu_reader_lock(t);
}

BREAKS(rlu_unlock)
{
    rlu_begin();
    (void)ordo_rlu_reader_unlock(t);
}

BREAKS(rlu_abort)
{
    rlu_begin();
    (void)ordo_rlu_abort(t);
}

BREAKS(rlu_dereference)
{
    rlu_begin();
    (void)ordo_rlu_dereference(t, object);
}

BREAKS(rlu_follow)
{
    rlu_begin();
    (void)ordo_rlu_follow(t, node);
}

BREAKS(rlu_lock)
{
    rlu_begin();
    (void)ordo_rlu_try_lock(t, object, sizeof *object);
}

BREAKS(rlu_lock_link)
{
    rlu_begin();
    (void)ordo_rlu_try_lock_link(t, node);
}

BREAKS(rlu_free)
{
    rlu_begin();
    (void)ordo_rlu_free(t, object);
}

BREAKS(rlu_flush)
{
    rlu_writer();
    t->pending = 1;
    ordo_rlu_flush(t);
}

BREAKS(rlu_finish)
{
    rlu_section();
    ordo_rlu_thread_finish(t);
}

BREAKS(rlu_undo)
{
    rlu_writer();
    ordo_rlu_header_of(object)->copy = NULL;
    (void)ordo_rlu_abort(t);
}

BREAKS(rlu_write_back)
{
    rlu_writer();
    ordo_rlu_header_of(object)->copy = NULL;
    (void)ordo_rlu_reader_unlock(t);
}

BREAKS(rlu_freed)
{
    rlu_writer();
    (void)ordo_rlu_free(t, object);
    ordo_rlu_header_of(object)->copy = NULL;
    (void)ordo_rlu_reader_unlock(t);
}

BREAKS(rlu_announced)
{
    rlu_writer();
    t->log->word = 5;
    (void)ordo_rlu_reader_unlock(t);
}

BREAKS(rlu_next_log)
{
    rlu_writer();
    t->logs[1].word = ORDO_RLU_ANNOUNCED;
    (void)ordo_rlu_reader_unlock(t);
}

BREAKS(rlu_chunk)
{
    rlu_section();
    t->log->current->used = t->log->current->bytes + ORDO_RLU_LINE;
    (void)ordo_rlu_try_lock(t, object, sizeof *object);
}

Test(invariant, every_violation_of_an_rlu_invariant_aborts)
{
    static const struct broken broken[] = {
        {"rlu [use] a thread that has finished begins no section", rlu_finished},
        {"rlu [use] sections do not nest", rlu_nested},
        {"rlu [use] a section that ends has begun", rlu_unlock},
        {"rlu [use] an abort is in a section", rlu_abort},
        {"rlu [use] an object is dereferenced in a section", rlu_dereference},
        {"rlu [use] a link is followed in a section", rlu_follow},
        {"rlu [use] an object is locked in a section", rlu_lock},
        {"rlu [use] a link is locked in a section", rlu_lock_link},
        {"rlu [use] an object is freed in a section", rlu_free},
        {"rlu [use] a flush is in no section", rlu_flush},
        {"rlu [use] a thread finishes in no section", rlu_finish},
        {"rlu [C10] an object shows the copy that is undone", rlu_undo},
        {"rlu [C5] a master is written by the thread that has locked it", rlu_write_back},
        {"rlu [C10] an object that is freed is locked by its last section", rlu_freed},
        {"rlu [C4] a commit is announced once", rlu_announced},
        {"rlu [C10] a log is used again when its last commit has a time", rlu_next_log},
        {"rlu [C10] a record lies within the current chunk of its log", rlu_chunk},
    };
    ALL_ARE_FOUND(broken);
}

/* ---- MV-RLU ---- */

static struct ordo_mvrlu domain;
static struct ordo_mvrlu_thread *m;

static void mvrlu_begin_with(unsigned defer_commits, size_t log_bytes)
{
    const struct ordo_mvrlu_options options = {
        .boundary_ticks = BOUNDARY, .defer_commits = defer_commits, .log_bytes = log_bytes};
    if (ordo_mvrlu_create(&domain, &options) || ordo_mvrlu_thread_init(&domain, &m))
        _exit(4);
    object = ordo_mvrlu_alloc(m, sizeof *object);
    node = ordo_mvrlu_alloc_node(m, sizeof *node);
}

static void mvrlu_begin(void)
{
    mvrlu_begin_with(1, 0);
}

static void mvrlu_section(void)
{
    mvrlu_begin();
    (void)ordo_mvrlu_reader_lock(m);
}

/* Calls `by` in a section that has locked the object. */
static void mvrlu_writer(void)
{
    mvrlu_section();
    if (!ordo_mvrlu_try_lock(m, object, sizeof *object))
        _exit(4);
}

BREAKS(mvrlu_finished)
{
    mvrlu_begin();
    ordo_mvrlu_thread_finish(m);
    (void)ordo_mvrlu_reader_lock(m);
}

BREAKS(mvrlu_nested)
{
    mvrlu_section();
    (void)ordo_mvrlu_reader_lock(m);
}

BREAKS(mvrlu_unlock)
{
    mvrlu_begin();
    (void)ordo_mvrlu_reader_unlock(m);
}

BREAKS(mvrlu_dereference)
{
    mvrlu_begin();
    (void)ordo_mvrlu_dereference(m, object);
}

BREAKS(mvrlu_follow)
{
    mvrlu_begin();
    (void)ordo_mvrlu_follow(m, node);
}

BREAKS(mvrlu_lock)
{
    mvrlu_begin();
    (void)ordo_mvrlu_try_lock(m, object, sizeof *object);
}

BREAKS(mvrlu_lock_link)
{
    mvrlu_begin();
    (void)ordo_mvrlu_try_lock_link(m, node);
}

BREAKS(mvrlu_free)
{
    mvrlu_begin();
    (void)ordo_mvrlu_free(m, object);
}

BREAKS(mvrlu_finish)
{
    mvrlu_section();
    ordo_mvrlu_thread_finish(m);
}

BREAKS(mvrlu_pending)
{
    mvrlu_begin();
    m->pending = 1;
    (void)ordo_mvrlu_reader_lock(m);
}

BREAKS(mvrlu_undo)
{
    mvrlu_writer();
    ordo_mvrlu_header_of(object)->copy = NULL;
    (void)ordo_mvrlu_abort(m);
}

BREAKS(mvrlu_chunk)
{
    mvrlu_section();
    m->current->used = m->current->bytes + ORDO_RLU_LINE;
    (void)ordo_mvrlu_try_lock(m, object, sizeof *object);
}

BREAKS(mvrlu_chain)
{
    mvrlu_writer();
    (void)ordo_mvrlu_reader_unlock(m);
    (void)ordo_mvrlu_reader_lock(m);
    (void)ordo_mvrlu_try_lock(m, object, sizeof *object);
    ordo_mvrlu_version_in(0, ordo_mvrlu_version_of(ordo_mvrlu_header_of(object)->copy)->older)->word =
        ORDO_STAMP_LIMIT - 1;
    (void)ordo_mvrlu_reader_unlock(m);
}

BREAKS(mvrlu_announced)
{
    mvrlu_writer();
    m->commit->word = 5;
    (void)ordo_mvrlu_reader_unlock(m);
}

BREAKS(mvrlu_announces)
{
    mvrlu_writer();
    m->run++;
    (void)ordo_mvrlu_announce(m);
}

BREAKS(mvrlu_empty)
{
    mvrlu_writer();
    m->settled.chunk = m->current;
    m->settled.used = m->current->used;
    ordo_mvrlu_reclaim(m);
}

BREAKS(mvrlu_settled)
{
    mvrlu_writer();
    (void)ordo_mvrlu_settle(m, ordo_mvrlu_version_of(ordo_mvrlu_header_of(object)->copy), (ordo_time){0});
}

Test(invariant, every_violation_of_an_mvrlu_invariant_aborts)
{
    static const struct broken broken[] = {
        {"mvrlu [use] a thread that has finished begins no section", mvrlu_finished},
        {"mvrlu [use] sections do not nest", mvrlu_nested},
        {"mvrlu [use] a section that ends has begun", mvrlu_unlock},
        {"mvrlu [use] an object is dereferenced in a section", mvrlu_dereference},
        {"mvrlu [use] a link is followed in a section", mvrlu_follow},
        {"mvrlu [use] an object is locked in a section", mvrlu_lock},
        {"mvrlu [use] a link is locked in a section", mvrlu_lock_link},
        {"mvrlu [use] an object is freed in a section", mvrlu_free},
        {"mvrlu [use] a thread finishes in no section", mvrlu_finish},
        {"mvrlu [C11] a commit is open between sections only if it is pending", mvrlu_pending},
        {"mvrlu [C11] an object shows the version that is undone", mvrlu_undo},
        {"mvrlu [C10] a version lies within the current chunk of its log", mvrlu_chunk},
        {"mvrlu [C2] a chain is in the order of its times", mvrlu_chain},
        {"mvrlu [C4] a commit is announced once", mvrlu_announced},
        {"mvrlu [C8] a commit is announced in a section", mvrlu_announces},
        {"mvrlu [C9] a log that is empty has no commit open", mvrlu_empty},
        {"mvrlu [C8] a version that is settled is not pending", mvrlu_settled},
    };
    ALL_ARE_FOUND(broken);
}

/* ---- Oplog ---- */

static struct ordo_oplog oplog;
static struct ordo_oplog_thread *o;
static struct ordo_oplog_object commuting, timed;

static void nothing(struct ordo_oplog_object *of, const struct ordo_oplog_entry *entry)
{
    (void)of, (void)entry;
}

static void oplog_begin(void)
{
    static const struct ordo_oplog_kind kinds[] = {{.order = ORDO_OPLOG_COMMUTE, .apply = nothing},
                                                   {.order = ORDO_OPLOG_TIMED, .apply = nothing}};
    const struct ordo_oplog_options options = {.boundary_ticks = BOUNDARY, .log_entries = 8};
    if (ordo_oplog_create(&oplog, &options) || ordo_oplog_thread_init(&oplog, &o) ||
        ordo_oplog_object_init(&commuting, &kinds[0], NULL) || ordo_oplog_object_init(&timed, &kinds[1], NULL))
        _exit(4);
}

BREAKS(oplog_finished)
{
    oplog_begin();
    (void)ordo_oplog_thread_finish(o);
    ordo_oplog_read_lock(o);
}

BREAKS(oplog_append_finished)
{
    oplog_begin();
    (void)ordo_oplog_thread_finish(o);
    (void)ordo_oplog_append(o, &commuting, 0, 0);
}

BREAKS(oplog_nested)
{
    oplog_begin();
    ordo_oplog_read_lock(o);
    ordo_oplog_read_lock(o);
}

BREAKS(oplog_unlock)
{
    oplog_begin();
    ordo_oplog_read_unlock(o);
}

BREAKS(oplog_forget)
{
    oplog_begin();
    ordo_oplog_read_lock(o);
    ordo_oplog_forget(o, &commuting);
}

BREAKS(oplog_finish)
{
    oplog_begin();
    ordo_oplog_read_lock(o);
    (void)ordo_oplog_thread_finish(o);
}

BREAKS(oplog_unlocked)
{
    oplog_begin();
    ordo_oplog_read_lock(o);
    oplog.locked = 0;
    ordo_oplog_read_unlock(o);
}

BREAKS(oplog_taken_over)
{
    oplog_begin();
    (void)ordo_oplog_thread_finish(o);
    o->count++;
    (void)ordo_oplog_thread_init(&oplog, &o);
}

BREAKS(oplog_cut)
{
    oplog_begin();
    o->cut = 9;
    (void)ordo_oplog_append(o, &commuting, 0, 0);
}

BREAKS(oplog_publish)
{
    oplog_begin();
    o->published = 2;
    (void)ordo_oplog_append(o, &commuting, 0, 0);
}

BREAKS(oplog_room)
{
    oplog_begin();
    o->room = 100;
    for (int i = 0; i < 9; i++)
        (void)ordo_oplog_append(o, &commuting, 0, 0);
}

BREAKS(oplog_limit)
{
    oplog_begin();
    ordo_oplog_apply(&oplog, o, 9, 0);
}

BREAKS(oplog_between)
{
    oplog_begin();
    (void)ordo_oplog_append(o, &commuting, 0, 0);
    o->head = 2;
    ordo_oplog_read_lock(o);
}

BREAKS(oplog_heap)
{
    struct ordo_oplog_thread *second;
    oplog_begin();
    (void)ordo_oplog_thread_init(&oplog, &second);
    *second = (struct ordo_oplog_thread){.key = 1};
    o->key = 2;
    o->left = second;
    ordo_oplog_merge(&oplog, o);
}

Test(invariant, every_violation_of_an_oplog_invariant_aborts)
{
    static const struct broken broken[] = {
        {"oplog [use] a thread that has finished does not read", oplog_finished},
        {"oplog [use] a thread that has finished does not append", oplog_append_finished},
        {"oplog [use] reading does not nest", oplog_nested},
        {"oplog [use] a read that ends has begun", oplog_unlock},
        {"oplog [use] an object is not forgotten by a thread that reads", oplog_forget},
        {"oplog [use] a thread does not finish while it reads", oplog_finish},
        {"oplog [C4] the lock is held until its holder ends", oplog_unlocked},
        {"oplog [C8] a log is taken over as its last thread left it", oplog_taken_over},
        {"oplog [C2] the number of the cut only grows", oplog_cut},
        {"oplog [C2] operations are published in the order of their numbers", oplog_publish},
        {"oplog [C7] an entry is written over one that is applied", oplog_room},
        {"oplog [C7] a log holds every operation that is applied", oplog_limit},
        {"oplog [C3] a cut ends between the applied and the published operations", oplog_between},
        {"oplog [C5] the logs are applied in the order of their times", oplog_heap},
    };
    ALL_ARE_FOUND(broken);
}

/* ---- transactional memory ---- */

static struct ordo_stm stm;
static struct ordo_stm_thread *s;
static _Alignas(64) uint64_t word;

static void stm_begin(void)
{
    const struct ordo_stm_options options = {.boundary_ticks = BOUNDARY};
    if (ordo_stm_create(&stm, &options) || ordo_stm_thread_init(&stm, &s))
        _exit(4);
}

static void stm_transaction(void)
{
    stm_begin();
    (void)ordo_stm_begin(s, 0);
}

BREAKS(stm_finished)
{
    stm_begin();
    ordo_stm_thread_finish(s);
    (void)ordo_stm_begin(s, 0);
}

BREAKS(stm_read)
{
    uint64_t value;
    stm_begin();
    (void)ordo_stm_read(s, &word, &value);
}

BREAKS(stm_search)
{
    struct ordo_stm_view view;
    stm_begin();
    ordo_stm_view_begin(s, &view);
}

BREAKS(stm_search_aligned)
{
    char *volatile middle = (char *)&word + 4; /* volatile: the compiler would warn of this read */
    struct ordo_stm_view view;
    uint64_t value;
    stm_transaction();
    ordo_stm_view_begin(s, &view);
    (void)ordo_stm_read_by(s, &view, ordo_stm_keeps(s), (uint64_t *)(void *)middle, &value);
}

BREAKS(stm_write)
{
    stm_begin();
    (void)ordo_stm_write(s, &word, 1);
}

BREAKS(stm_aligned)
{
    stm_transaction();
    (void)ordo_stm_write(s, (uint64_t *)(void *)((char *)&word + 4), 1);
}

BREAKS(stm_commit)
{
    stm_begin();
    (void)ordo_stm_commit(s);
}

BREAKS(stm_abort)
{
    stm_begin();
    (void)ordo_stm_abort(s);
}

BREAKS(stm_irrevocable)
{
    stm_begin();
    (void)ordo_stm_irrevocable(s);
}

BREAKS(stm_quiesce)
{
    stm_transaction();
    ordo_stm_quiesce(s);
}

BREAKS(stm_finish)
{
    stm_transaction();
    ordo_stm_thread_finish(s);
}

BREAKS(stm_announced)
{
    stm_begin();
    s->announced = 3;
    (void)ordo_stm_begin(s, 0);
}

BREAKS(stm_unannounced)
{
    stm_transaction();
    s->announced = 0;
    (void)ordo_stm_commit(s);
}

BREAKS(stm_retire)
{
    stm_begin();
    for (int i = 0; i < 2; i++) {
        (void)ordo_stm_begin(s, 0);
        (void)ordo_stm_free(s, ordo_stm_alloc(s, 8));
        if (i == 1)
            ((struct ordo_stm_retired *)s->retired.items)->epoch = 99;
        (void)ordo_stm_commit(s);
    }
}

BREAKS(stm_left_locked)
{
    stm_transaction();
    s->locks.count = 1;
    (void)ordo_stm_commit(s);
}

BREAKS(stm_waits)
{
    stm_transaction();
    s->locks.count = 1;
    ordo_stm_wait_turn(s, 0);
}

BREAKS(stm_token)
{
    stm_transaction();
    s->committing = 1;
    (void)ordo_stm_irrevocable(s);
}

BREAKS(stm_no_token)
{
    stm_transaction();
    (void)ordo_stm_irrevocable(s);
    stm.token = 5;
    (void)ordo_stm_write(s, &word, 1);
    (void)ordo_stm_commit(s);
}

BREAKS(stm_numbers)
{
    static struct ordo_stm_saved newest = {.number = 99};
    struct ordo_stm_thread *snapshot;
    stm_begin();
    if (ordo_stm_thread_init(&stm, &snapshot) || ordo_stm_begin(snapshot, ORDO_STM_SNAPSHOT))
        _exit(4);
    (void)ordo_stm_begin(s, 0);
    *ordo_stm_saved_list(s, &word) = &newest;
    (void)ordo_stm_write(s, &word, 1);
    (void)ordo_stm_commit(s);
}

Test(invariant, every_violation_of_an_stm_invariant_aborts)
{
    static const struct broken broken[] = {
        {"stm [use] a thread that has finished begins no transaction", stm_finished},
        {"stm [use] a word is read in a transaction", stm_read},
        {"stm [use] a word is read in a transaction", stm_search},
        {"stm [use] a word is written in a transaction", stm_write},
        {"stm [use] a word is aligned", stm_aligned},
        {"stm [use] a word is aligned", stm_search_aligned},
        {"stm [use] a transaction that commits has begun", stm_commit},
        {"stm [use] a transaction that is aborted has begun", stm_abort},
        {"stm [use] a transaction that becomes irrevocable has begun", stm_irrevocable},
        {"stm [use] a thread in a transaction does not wait for all others", stm_quiesce},
        {"stm [use] objects are given back outside of transactions", stm_finish},
        {"stm [C10] a transaction that begins is not announced yet", stm_announced},
        {"stm [C10] a transaction is announced until it ends", stm_unannounced},
        {"stm [C10] objects are retired in the order of their epochs", stm_retire},
        {"stm [C9] a transaction that ends has no stripe locked", stm_left_locked},
        {"stm [C9] no thread waits while it has stripes locked", stm_waits},
        {"stm [C11] the token is taken with the flag down", stm_token},
        {"stm [C11] a commit has its flag up, and the token if it is irrevocable", stm_no_token},
        {"stm [C12] the numbers of a list go up", stm_numbers},
    };
    ALL_ARE_FOUND(broken);
}

/* ---- the engines of transactions ---- */

static struct ordo_db *db;
static struct ordo_table *table;
static struct ordo_worker *base;
static struct cc_worker *worker;
static void *record;

static void db_begin(const struct ordo_db_engine *engine)
{
    const struct ordo_db_options options = {.boundary_ticks = BOUNDARY, .workers = 2};
    const struct ordo_table_spec spec = {.record_bytes = 8, .rows = 64};
    if (ordo_db_open(&db, engine, &options) || engine->table_add(db, &spec, &table) || engine->join(db, &base))
        _exit(4);
    worker = (struct cc_worker *)base;
}

static void insert(uint64_t key)
{
    if (ordo_txn_insert(base, table, key, &record))
        _exit(4);
    memset(record, 0, 8);
}

/* Inserts a record, and opens a transaction that has another value for it. */
static void db_update(const struct ordo_db_engine *engine)
{
    db_begin(engine);
    (void)ordo_txn_begin(base, ORDO_TXN_SERIALIZABLE);
    insert(1);
    (void)ordo_txn_commit(base);
    (void)ordo_txn_begin(base, ORDO_TXN_SERIALIZABLE);
    if (ordo_txn_update(base, table, 1, &record))
        _exit(4);
}

static const struct ordo_db_engine hekaton = HK_ENGINE, occ = OCC_ENGINE;

static struct hk_write *hk_write(void)
{
    return &hk_txn(worker)->writes[0];
}

BREAKS(txn_leaves_twice)
{
    db_begin(&occ);
    ordo_worker_leave(base);
    ordo_worker_leave(base);
}

BREAKS(txn_leaves_open)
{
    db_begin(&occ);
    (void)ordo_txn_begin(base, ORDO_TXN_SERIALIZABLE);
    ordo_worker_leave(base);
}

BREAKS(txn_close)
{
    db_begin(&occ);
    occ.close(db);
}

BREAKS(txn_announced)
{
    db_begin(&occ);
    worker->active = 5;
    (void)ordo_txn_begin(base, ORDO_TXN_SERIALIZABLE);
}

BREAKS(txn_unannounced)
{
    db_begin(&occ);
    (void)ordo_txn_begin(base, ORDO_TXN_SERIALIZABLE);
    worker->active = CC_IDLE;
    (void)ordo_txn_commit(base);
}

BREAKS(txn_room)
{
    db_begin(&occ);
    cc_queue_add(&worker->queue, (struct cc_retired){0});
}

BREAKS(txn_freed)
{
    db_update(&hekaton);
    cc_retire(worker, table, NULL, HK_VERSION, 1);
    worker->active = 1;
    worker->horizon = 9;
    worker->since = 0;
    cc_reclaim(worker, false, hk_free_item);
}

BREAKS(occ_left)
{
    db_begin(&occ);
    ordo_worker_leave(base);
    (void)ordo_txn_begin(base, ORDO_TXN_SERIALIZABLE);
}

BREAKS(occ_table)
{
    db_begin(&occ);
    struct ordo_table *first = table;
    db_begin(&occ);
    (void)ordo_txn_begin(base, ORDO_TXN_SERIALIZABLE);
    (void)ordo_txn_read(base, first, 1, &(uint64_t){0});
}

BREAKS(occ_install)
{
    db_update(&occ);
    sv_install(worker, UINT64_MAX >> 8);
}

BREAKS(occ_unlock)
{
    db_update(&occ);
    sv_unlock_all(worker, 1);
}

BREAKS(occ_value)
{
    db_update(&occ);
    sv_txn(worker)->writes[0].record->word |= SV_LOCK;
    sv_install(worker, 1);
}

BREAKS(occ_bury)
{
    db_update(&occ);
    sv_txn(worker)->writes[0].record->word |= SV_DEAD;
    sv_bury(worker, table, sv_txn(worker)->writes[0].record, 0);
}

BREAKS(occ_hold)
{
    db_begin(&occ);
    (void)ordo_txn_begin(base, ORDO_TXN_SERIALIZABLE);
    (void)ordo_txn_read(base, table, 1, &(uint64_t){0});
    sv_txn(worker)->reads[0].record->id = SV_HELD;
    (void)ordo_txn_commit(base);
}

BREAKS(hk_left)
{
    db_begin(&hekaton);
    ordo_worker_leave(base);
    (void)ordo_txn_begin(base, ORDO_TXN_SERIALIZABLE);
}

BREAKS(hk_dropped)
{
    db_update(&hekaton);
    hk_unclaim(hk_write()->anchor);
    hk_unclaim(hk_write()->anchor);
}

BREAKS(hk_unclaimed)
{
    db_update(&hekaton);
    hk_push(worker, table, hk_write()->anchor, hk_write()->fresh, hk_write()->old);
}

BREAKS(hk_below)
{
    db_update(&hekaton);
    hk_write()->anchor->inlined = HK_TAG;
    hk_push(worker, table, hk_write()->anchor, hk_write()->old, hk_write()->fresh);
}

BREAKS(hk_lost)
{
    db_update(&hekaton);
    hk_write()->anchor->writer = 5;
    (void)ordo_txn_commit(base);
}

BREAKS(hk_lost_abort)
{
    db_update(&hekaton);
    hk_write()->anchor->writer = 5;
    ordo_txn_abort(base);
}

BREAKS(hk_twice)
{
    db_update(&hekaton);
    hk_write()->fresh->begin = 5;
    (void)ordo_txn_commit(base);
}

BREAKS(hk_ascend)
{
    db_update(&hekaton);
    hk_write()->old_begin = ORDO_STAMP_LIMIT;
    (void)ordo_txn_commit(base);
}

BREAKS(hk_early)
{
    db_update(&hekaton);
    hk_txn(worker)->begin = ORDO_STAMP_LIMIT;
    (void)ordo_txn_commit(base);
}

Test(invariant, every_violation_of_an_engine_invariant_aborts)
{
    static const struct broken broken[] = {
        {"txn [use] a worker leaves once", txn_leaves_twice},
        {"txn [use] a worker leaves without a transaction", txn_leaves_open},
        {"txn [use] a database is closed when no worker is joined", txn_close},
        {"txn [C2] a transaction that is announced was not", txn_announced},
        {"txn [C2] a transaction is announced until it ends", txn_unannounced},
        {"txn [C10] a queue has room for a retired item", txn_room},
        {"txn [C10] an item that is freed ended before this transaction began", txn_freed},
        {"occ [use] a worker that has left begins no transaction", occ_left},
        {"occ [use] a table is of the database of its worker", occ_table},
        {"occ [C4] a record is locked when it is written", occ_install},
        {"occ [C4] a record that is unlocked was locked", occ_unlock},
        {"occ [C7] the values of a record go up", occ_value},
        {"occ [H3] a record leaves the index once", occ_bury},
        {"single [H1] a holder is counted until it lets go", occ_hold},
        {"hekaton [use] a worker that has left begins no transaction", hk_left},
        {"hekaton [claim] a claim is dropped by its holder", hk_dropped},
        {"hekaton [claim] a version is put on the head of a chain that is claimed", hk_unclaimed},
        {"hekaton [C3] the version below has its time", hk_below},
        {"hekaton [claim] a version is committed by the holder of the claim", hk_lost},
        {"hekaton [claim] a version is taken away by the holder of the claim", hk_lost_abort},
        {"hekaton [C3] a version gets its time once", hk_twice},
        {"hekaton [C7] the times of a chain ascend", hk_ascend},
        {"hekaton [C1] an end is not certainly before its begin", hk_early},
    };
    ALL_ARE_FOUND(broken);
}
