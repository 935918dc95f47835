/* A crew: one thread, called a member, on each CPU of a set. The conductor, which is the calling thread, starts turns:
 * in a turn every member executes its part once, concurrently with the others.
 *
 * A member may get no CPU at all, because a realtime thread holds the CPU to which it is pinned. The conductor then
 * moves the member to the other CPUs, so that it runs, sees the end of the turn, and can be joined. Thus no thread and
 * no memory outlives the crew. Therefore the conductor waits without limit in two cases: if a debugger or a freezer has
 * stopped a member, and if a realtime thread has preempted a member that holds the crew's lock, because the conductor
 * needs the lock to move the member. A member holds the lock only to begin and to end a turn.
 *
 * The members block all signals. The conductor keeps its affinity and its signal mask. */
#ifndef ORDO_START_CREW_H
#define ORDO_START_CREW_H

#include <ordo/start/libc.h>
#include <ordo/start/pair.h>

enum { ORDO_START_GRACE_NS = 50000000 }; /* time in which a member must end its part after the conductor gives up */

struct ordo_start_crew;

struct ordo_start_member {
    pthread_t thread;
    struct ordo_start_crew *crew;
    unsigned index;
    unsigned long cpu;
    uint64_t turns;          /* number of finished turns, the pinning included; under the crew's lock */
    int has_left;            /* the member's thread is about to end; under the crew's lock */
    int code;                /* result of the last turn */
    struct ordo_error error; /* set if the code is not 0 */
};

/* A function: the part of a member in a turn. */
typedef int ordo_start_part(void *context, unsigned member, struct ordo_error *error);

/* A function of the conductor that makes all parts of a turn end early. */
typedef void ordo_start_give_up(void *context);

struct ordo_start_crew {
    pthread_mutex_t lock;
    pthread_cond_t given, finished;
    struct ordo_start_member *members;
    const struct ordo_record_set *set;
    unsigned count, started, missing; /* missing: number of members that have not finished the turn */
    unsigned left;                    /* number of members that have left */
    uint64_t turn;
    int dismissed;
    ordo_start_part *part;
    ordo_start_give_up *give_up;
    void *context;
};

static inline int ordo_start_pin(unsigned long cpu, struct ordo_error *error)
{
    struct ordo_record_set one;
    memset(&one, 0, sizeof one);
    ordo_record_set_add(&one, cpu);
    if (ordo_start_setaffinity(0, sizeof one.words, one.words) == 0)
        return ORDO_OK;
    if (errno == EINVAL)
        return ordo_start_refuse(error, ORDO_E_CPUS, errno, "cpu %lu: offline, or taken from this process", cpu);
    return ordo_start_refuse(error, ORDO_E_SYSTEM, errno, "cpu %lu: sched_setaffinity: %s", cpu, strerror(errno));
}

/* Refuses if the thread may run on another CPU than `cpu`. The kernel moves the threads of a CPU that goes offline, and
 * of a cpuset that changes. */
static inline int ordo_start_check_pinned(unsigned long cpu, struct ordo_error *error)
{
    struct ordo_record_set one, now;
    int code = ordo_record_allowed(&now, error);
    memset(&one, 0, sizeof one);
    ordo_record_set_add(&one, cpu);
    if (code || memcmp(one.words, now.words, sizeof one.words) == 0)
        return code;
    return ordo_start_refuse(error, ORDO_E_CPUS, 0, "cpu %lu: went offline, or was taken away, while it was measured",
                             cpu);
}

/* Reports the end of a member's turn and waits for the next turn. False if there is no further turn. */
static inline int ordo_start_member_next(struct ordo_start_member *member)
{
    struct ordo_start_crew *crew = member->crew;
    int more;
    (void)pthread_mutex_lock(&crew->lock);
    member->turns++;
    if (--crew->missing == 0)
        (void)pthread_cond_signal(&crew->finished);
    while (crew->turn < member->turns && !crew->dismissed)
        (void)pthread_cond_wait(&crew->given, &crew->lock);
    more = !crew->dismissed;
    (void)pthread_mutex_unlock(&crew->lock);
    return more;
}

static inline void *ordo_start_member_main(void *argument)
{
    struct ordo_start_member *member = (struct ordo_start_member *)argument;
    struct ordo_start_crew *crew = member->crew;
    member->code = ordo_start_pin(member->cpu, &member->error);
    while (ordo_start_member_next(member)) {
        member->code = crew->part(crew->context, member->index, &member->error);
        if (!member->code)
            member->code = ordo_start_check_pinned(member->cpu, &member->error);
    }
    (void)pthread_mutex_lock(&crew->lock);
    member->has_left = 1;
    crew->left++;
    (void)pthread_cond_signal(&crew->finished);
    (void)pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* Waits until `*have` equals `wanted`. False if `until_ns` of the monotonic clock passes first. */
static inline int ordo_start_crew_await(struct ordo_start_crew *crew, const unsigned *have, unsigned wanted,
                                        uint64_t until_ns)
{
    struct timespec until;
    int all, late = 0;
    memset(&until, 0, sizeof until);
    until.tv_sec = (time_t)(until_ns / 1000000000u);
    until.tv_nsec = (long)(until_ns % 1000000000u);
    (void)pthread_mutex_lock(&crew->lock);
    while (*have != wanted && !late)
        late = pthread_cond_timedwait(&crew->finished, &crew->lock, &until) != 0;
    all = *have == wanted;
    (void)pthread_mutex_unlock(&crew->lock);
    return all;
}

/* Returns the first failure of a member. */
static inline int ordo_start_crew_outcome(const struct ordo_start_crew *crew, struct ordo_error *error)
{
    unsigned i;
    for (i = 0; i < crew->count; i++) {
        if (crew->members[i].code) {
            if (error)
                *error = crew->members[i].error;
            return crew->members[i].code;
        }
    }
    return ORDO_OK;
}

/* Writes an error that names a member that has not finished the turn. */
static inline int ordo_start_crew_silent(struct ordo_start_crew *crew, struct ordo_error *error)
{
    unsigned long cpu = 0;
    unsigned i, silent = 0;
    (void)pthread_mutex_lock(&crew->lock);
    for (i = 0; i < crew->started; i++)
        if (crew->members[i].turns <= crew->turn && silent++ == 0)
            cpu = crew->members[i].cpu;
    (void)pthread_mutex_unlock(&crew->lock);
    return ordo_start_refuse(error, ORDO_E_MEASURE, 0,
                             "cpu %lu, the first of %u: its thread got no CPU time; free it, or restrict the affinity",
                             cpu, silent);
}

/* Makes one turn of all members. At `limit_ns` of the monotonic clock the conductor makes the parts give up; at
 * `until_ns` it stops waiting. Returns 0, or the code of the first failure. After a failure the crew can only be
 * dismissed. */
static inline int ordo_start_crew_turn(struct ordo_start_crew *crew, uint64_t limit_ns, uint64_t until_ns,
                                       struct ordo_error *error)
{
    (void)pthread_mutex_lock(&crew->lock);
    crew->missing = crew->count;
    crew->turn++;
    (void)pthread_cond_broadcast(&crew->given);
    (void)pthread_mutex_unlock(&crew->lock);
    if (!ordo_start_crew_await(crew, &crew->missing, 0, limit_ns < until_ns ? limit_ns : until_ns)) {
        crew->give_up(crew->context);
        if (!ordo_start_crew_await(crew, &crew->missing, 0, until_ns + ORDO_START_GRACE_NS))
            return ordo_start_crew_silent(crew, error);
    }
    return ordo_start_crew_outcome(crew, error);
}

/* Lets the members that have not left run on all CPUs of the set. The caller holds the lock: the handle of an ended
 * thread must not be used, and a member cannot leave without the lock. */
static inline void ordo_start_crew_unpin(struct ordo_start_crew *crew)
{
    unsigned i;
    (void)pthread_mutex_lock(&crew->lock);
    for (i = 0; i < crew->started; i++)
        if (!crew->members[i].has_left)
            (void)ordo_start_thread_setaffinity(crew->members[i].thread, sizeof crew->set->words, crew->set->words);
    (void)pthread_mutex_unlock(&crew->lock);
}

/* Ends all threads. If a member pins itself only after it was moved, it is moved again. */
static inline void ordo_start_crew_dismiss(struct ordo_start_crew *crew)
{
    unsigned i;
    (void)pthread_mutex_lock(&crew->lock);
    crew->dismissed = 1;
    (void)pthread_cond_broadcast(&crew->given);
    (void)pthread_mutex_unlock(&crew->lock);
    while (!ordo_start_crew_await(crew, &crew->left, crew->started, ordo_pair_now_ns() + ORDO_START_GRACE_NS))
        ordo_start_crew_unpin(crew);
    for (i = 0; i < crew->started; i++)
        (void)pthread_join(crew->members[i].thread, NULL);
    (void)pthread_cond_destroy(&crew->finished);
    (void)pthread_cond_destroy(&crew->given);
    (void)pthread_mutex_destroy(&crew->lock);
}

static inline int ordo_start_crew_create(struct ordo_start_crew *crew, struct ordo_error *error)
{
    enum { STACK_BYTES = 256 * 1024 }; /* 64 default stacks may exceed RLIMIT_AS */
    pthread_attr_t attributes;
    struct ordo_start_signals signals;
    int failed = pthread_attr_init(&attributes);
    if (!failed) {
        (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
        ordo_start_signals_block(&signals);
        for (; crew->started < crew->count && !failed; crew->started += !failed) {
            struct ordo_start_member *member = &crew->members[crew->started];
            failed = pthread_create(&member->thread, &attributes, ordo_start_member_main, member);
            if (failed == EINVAL) /* the program's thread-local variables do not fit into STACK_BYTES */
                failed = pthread_create(&member->thread, NULL, ordo_start_member_main, member);
        }
        ordo_start_signals_restore(&signals);
        (void)pthread_attr_destroy(&attributes);
    }
    if (!failed)
        return ORDO_OK;
    return ordo_start_refuse(error, ORDO_E_SYSTEM, failed, "thread %u of %u: %s (see ulimit -u -v, and pids.max)",
                             crew->started + 1, crew->count, strerror(failed));
}

/* Starts a thread on each CPU of `set`. `members` has `count` elements, one for each CPU, and is all zero. The caller
 * has set `part`, `give_up` and `context`. After a failure no thread is left. */
static inline int ordo_start_crew_begin(struct ordo_start_crew *crew, const struct ordo_record_set *set,
                                        struct ordo_start_member *members, unsigned count, uint64_t until_ns,
                                        struct ordo_error *error)
{
    pthread_condattr_t attributes;
    unsigned long cpu;
    unsigned i = 0;
    int code;
    crew->members = members;
    crew->set = set;
    crew->count = crew->missing = count;
    crew->started = crew->left = 0;
    crew->turn = 0;
    crew->dismissed = 0;
    for (cpu = 0; cpu < ORDO_RECORD_MOST_CPUS && i < count; cpu++) {
        if (!ordo_record_set_has(set, cpu))
            continue;
        members[i].crew = crew;
        members[i].index = i;
        members[i++].cpu = cpu;
    }
    (void)pthread_mutex_init(&crew->lock, NULL); /* these four calls cannot fail with these attributes */
    (void)pthread_condattr_init(&attributes);
    (void)ordo_start_condattr_setclock(&attributes, ORDO_START_MONOTONIC);
    (void)pthread_cond_init(&crew->finished, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    (void)pthread_cond_init(&crew->given, NULL);
    code = ordo_start_crew_create(crew, error);
    if (!code && !ordo_start_crew_await(crew, &crew->missing, 0, until_ns))
        code = ordo_start_crew_silent(crew, error);
    if (!code)
        code = ordo_start_crew_outcome(crew, error);
    if (code)
        ordo_start_crew_dismiss(crew);
    return code;
}

#endif
