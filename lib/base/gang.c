#include "base/gang.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int missing; /* number of members that have not arrived */
    bool called_off;
};

struct member {
    pthread_t thread;
    struct gang *gang;
    int index;
    int code;
    struct ordo_error error;
};

struct gang {
    struct gate gate;
    ordo_gang_step *enter, *work;
    void *context;
};

static void gate_arrive(struct gate *gate, int arrivals, bool call_off)
{
    pthread_mutex_lock(&gate->lock);
    gate->missing -= arrivals;
    gate->called_off |= call_off;
    if (gate->missing == 0)
        pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
}

/* Waits until all members have arrived. True if the members shall do their work. */
static bool gate_pass(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    while (gate->missing > 0)
        pthread_cond_wait(&gate->changed, &gate->lock);
    bool open = !gate->called_off;
    pthread_mutex_unlock(&gate->lock);
    return open;
}

static void *member_main(void *argument)
{
    struct member *member = argument;
    struct gang *gang = member->gang;
    member->code = gang->enter(gang->context, member->index, &member->error);
    gate_arrive(&gang->gate, 1, member->code != ORDO_OK);
    if (gate_pass(&gang->gate))
        member->code = gang->work(gang->context, member->index, &member->error);
    return NULL;
}

int ordo_gang_run(int size, ordo_gang_step *enter, ordo_gang_step *work, void *context, struct ordo_error *error)
{
    struct gang gang = {
        .gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .missing = size},
        .enter = enter,
        .work = work,
        .context = context,
    };
    struct member *members = calloc((size_t)size, sizeof *members);
    if (!members)
        return ordo_error_errno(error, "gang of %d", size);
    int started = 0, code = ORDO_OK;
    for (; started < size; started++) {
        struct member *member = &members[started];
        member->gang = &gang;
        member->index = started;
        int failed = pthread_create(&member->thread, NULL, member_main, member);
        if (failed) {
            code = ordo_error_set(error, ORDO_E_SYSTEM, failed, "thread %d of %d: cannot be started", started, size);
            gate_arrive(&gang.gate, size - started, true);
            break;
        }
    }
    for (int i = 0; i < started; i++)
        pthread_join(members[i].thread, NULL);
    for (int i = 0; i < started && !code; i++)
        if (members[i].code) {
            code = members[i].code;
            if (error)
                *error = members[i].error;
        }
    free(members);
    return code;
}
