/* The calls of <ordo/trace.h> for regions that the program names itself. */
#include <ordo/trace.h>

#include <string.h>

#include "trace/record/recorder.h"

int ordo_trace_flush(void)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    if (!ordo_trace_thread_of_this() || recorder->settings.policy != ORDO_TRACE_FLUSH)
        return ORDO_E_INVALID;
    pthread_mutex_lock(&recorder->lock);
    ordo_trace_drain_all();
    int failed = recorder->file.failed;
    pthread_mutex_unlock(&recorder->lock);
    return failed ? ORDO_E_SYSTEM : ORDO_OK;
}

/* Returns the number of a name. A name that this thread has used before is found by its address, and then compared,
 * because the text at this address may have changed. */
static uint32_t number_of_name(const char *text)
{
    enum { CACHED = 64 };
    static _Thread_local struct {
        const char *text, *letters;
        uint64_t run;
        uint32_t id;
    } cache[CACHED];
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    unsigned at = (unsigned)(((uintptr_t)text >> 3) ^ ((uintptr_t)text >> 10)) % CACHED;
    if (cache[at].text == text && cache[at].run == recorder->settings.run && strcmp(cache[at].letters, text) == 0)
        return cache[at].id;
    pthread_mutex_lock(&recorder->lock);
    uint32_t id = ordo_trace_name(&recorder->names, &recorder->file, text);
    const char *letters = id ? recorder->names.texts[id - 1] : NULL;
    pthread_mutex_unlock(&recorder->lock);
    cache[at].text = id ? text : NULL;
    cache[at].letters = letters;
    cache[at].run = recorder->settings.run;
    cache[at].id = id;
    return id;
}

void ordo_trace_begin(const char *name)
{
    struct ordo_trace_thread *thread;
    if (!name || ordo_trace_own.inside || !(thread = ordo_trace_thread_of_this()))
        return;
    uint32_t id = number_of_name(name);
    ordo_trace_push_region(thread, id, ORDO_TRACE_BEGIN, ordo_trace_enters(thread));
}

void ordo_trace_end(const char *name)
{
    struct ordo_trace_thread *thread;
    if (!name || ordo_trace_own.inside || !(thread = ordo_trace_thread_of_this()))
        return;
    uint64_t ticks = ordo_trace_exits(thread);
    ordo_trace_push_region(thread, number_of_name(name), ORDO_TRACE_END, ticks);
}
