#include "recording.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "memory.h"

/* A window becomes due when one worker has recorded this many words. The checker accepts a window of 100 workers of
 * this size. */
#define WINDOW_WORDS (UINT64_C(1) << 19)

struct txn_recording {
    FILE *file; /* the stream of `output` */
    struct ordo_file_stream output;
    const char *path;
    pthread_mutex_t lock;
    pthread_cond_t cut;
    struct ordo_history **histories; /* one for each joined worker */
    unsigned joined, resting;
    uint64_t windows;
    atomic_bool due; /* true: a window is due; read after every transaction, without the lock */
    int code;        /* code of the first failure */
};

static int write_out(void *context, const void *data, size_t bytes)
{
    struct txn_recording *recording = context;
    return fwrite(data, 1, bytes, recording->file) == bytes ? ORDO_OK : ORDO_E_SYSTEM;
}

int txn_recording_open(struct txn_recording **recording, const char *path, enum ordo_txn_level level, bool strict,
                       struct ordo_error *error)
{
    struct txn_recording *new = calloc(1, sizeof *new);
    *recording = new;
    if (!new)
        return ordo_error_errno(error, "the recording of a history");
    new->path = path;
    pthread_mutex_init(&new->lock, NULL);
    pthread_cond_init(&new->cut, NULL);
    if (ordo_file_stream_open(&new->output, path, 0644, error))
        return error->code;
    new->file = new->output.stream;
    new->code = ordo_history_head(level, strict, write_out, new);
    return ORDO_OK;
}

int txn_recording_close(struct txn_recording *recording, struct ordo_error *error)
{
    if (!recording)
        return ORDO_OK;
    int code = recording->code;
    if (recording->file && ordo_file_stream_close(&recording->output, !code, NULL) && !code)
        code = ORDO_E_SYSTEM;
    if (code)
        ordo_error_set(error, code, 0, "--history %s: the history cannot be written whole", recording->path);
    free(recording->histories);
    pthread_mutex_destroy(&recording->lock);
    pthread_cond_destroy(&recording->cut);
    free(recording);
    return code;
}

int txn_recording_join(struct txn_recording *recording, struct ordo_worker *worker, struct ordo_error *error)
{
    const struct ordo_memory memory = {txn_memory_allocate, txn_memory_release, NULL};
    pthread_mutex_lock(&recording->lock);
    struct ordo_history **histories =
        realloc(recording->histories, (recording->joined + 1) * sizeof *recording->histories);
    if (histories)
        recording->histories = histories;
    int code =
        histories ? ordo_history_create(&recording->histories[recording->joined], worker, &memory) : ORDO_E_SYSTEM;
    if (!code)
        recording->joined++;
    pthread_mutex_unlock(&recording->lock);
    return code ? ordo_error_set(error, code, 0, "the history of a worker: %s", ordo_strerror(code)) : ORDO_OK;
}

/* Writes a window. The caller holds the lock, and all joined workers rest. */
static void cut_recording(struct txn_recording *recording)
{
    if (!recording->code)
        recording->code = ordo_history_cut(recording->histories, recording->joined, write_out, recording);
    recording->windows++;
    recording->resting = 0;
    /* Relaxed: a worker that still reads true rests once more, which is harmless. */
    atomic_store_explicit(&recording->due, false, memory_order_relaxed);
    pthread_cond_broadcast(&recording->cut);
}

static void rest(struct txn_recording *recording)
{
    uint64_t window = recording->windows;
    atomic_store_explicit(&recording->due, true, memory_order_relaxed); /* relaxed: the lock orders all data */
    if (++recording->resting == recording->joined)
        cut_recording(recording);
    while (recording->windows == window)
        pthread_cond_wait(&recording->cut, &recording->lock);
}

void txn_recording_rest(struct txn_recording *recording, struct ordo_worker *worker)
{
    if (!atomic_load_explicit(&recording->due, memory_order_relaxed) &&
        ordo_history_words(worker->history) < WINDOW_WORDS)
        return;
    pthread_mutex_lock(&recording->lock);
    rest(recording);
    pthread_mutex_unlock(&recording->lock);
}

void txn_recording_leave(struct txn_recording *recording, struct ordo_worker *worker)
{
    pthread_mutex_lock(&recording->lock);
    rest(recording);
    for (unsigned i = 0; i < recording->joined; i++)
        if (recording->histories[i] == worker->history)
            recording->histories[i] = recording->histories[recording->joined - 1];
    recording->joined--;
    /* The other workers may rest already and wait for this one. */
    if (recording->joined > 0 && recording->resting == recording->joined)
        cut_recording(recording);
    pthread_mutex_unlock(&recording->lock);
    ordo_history_destroy(worker->history);
    worker->history = NULL;
}
