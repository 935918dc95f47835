/* The threads of an oracle; compiled with the hooks. */
#include <pthread.h>
#include <stdlib.h>

#include "oracle.h"

static void (*thread_body)(int number);

static void *thread_main(void *argument)
{
    int number = (int)(intptr_t)argument;
    oracle_pin(number);
    thread_body(number);
    return NULL;
}

void oracle_run_threads(void (*body)(int number))
{
    pthread_t *threads = calloc((size_t)oracle_plan.threads, sizeof *threads);
    if (!threads)
        abort();
    thread_body = body;
    for (int i = 0; i < oracle_plan.threads; i++)
        if (pthread_create(&threads[i], NULL, thread_main, (void *)(intptr_t)i))
            abort();
    for (int i = 0; i < oracle_plan.threads; i++)
        (void)pthread_join(threads[i], NULL);
    free(threads);
}
