/* An appending process is stopped (SIGSTOP) at any moment, even between its clock read and the publication. While it is
 * stopped, a reader in another process does not wait, and all its reads return the same state. After the process
 * continues, no operation is lost or out of order. Exit 0: holds, 1: violated. */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ordo/cc/oplog.h>

enum { ROUNDS = 500, LOG = 1 << 16, REGION_BYTES = 1 << 24 };

/* The memory that both processes share, at one address. */
struct shared {
    struct ordo_oplog oplog;
    struct ordo_oplog_kind kinds[2];
    struct ordo_oplog_object counter, sequence;
    struct ordo_oplog_thread *appender;
    uint64_t count, next, wrong; /* states */
    uint64_t room, over, appended;
    size_t used;
};

static struct shared *shared;

static void *allocate(void *context, size_t bytes)
{
    struct shared *s = context;
    char *memory = (char *)s + s->used;
    s->used += (bytes + 127) / 128 * 128;
    return s->used > REGION_BYTES ? NULL : memory;
}

static void release(void *context, void *memory)
{
    (void)context;
    (void)memory;
}

static void add(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry)
{
    *(uint64_t *)object->state += entry->argument;
}

static void follow(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry)
{
    struct shared *s = object->state;
    s->wrong += entry->argument != s->next++;
}

/* Appends until the test is over, but never fills the log, because a thread that makes room in a full log holds the
 * lock, for which a reader would wait. */
static int append_for_ever(void)
{
    uint64_t i;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (i = 0; !__atomic_load_n(&shared->over, __ATOMIC_RELAXED);) {
        if (i >= __atomic_load_n(&shared->room, __ATOMIC_RELAXED))
            continue;
        if (ordo_oplog_append(shared->appender, &shared->counter, 0, 1) ||
            ordo_oplog_append(shared->appender, &shared->sequence, 0, i))
            return 1;
        i++;
    }
    __atomic_store_n(&shared->appended, i, __ATOMIC_RELEASE);
    return 0;
}

static int start(struct ordo_oplog_thread **reader)
{
    struct ordo_oplog_options options = {.boundary_ticks = 2000, .log_entries = LOG, .settle_later = 1};
    shared = mmap(NULL, REGION_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return -1;
    shared->used = (sizeof *shared + 127) / 128 * 128;
    options.memory = (struct ordo_cc_memory){allocate, release, shared};
    shared->kinds[0] = (struct ordo_oplog_kind){ORDO_OPLOG_COMMUTE, add, NULL};
    shared->kinds[1] = (struct ordo_oplog_kind){ORDO_OPLOG_TIMED, follow, NULL};
    shared->room = LOG / 4;
    return ordo_oplog_create(&shared->oplog, &options) || ordo_oplog_thread_init(&shared->oplog, &shared->appender) ||
           ordo_oplog_thread_init(&shared->oplog, reader) ||
           ordo_oplog_object_init(&shared->counter, &shared->kinds[0], &shared->count) ||
           ordo_oplog_object_init(&shared->sequence, &shared->kinds[1], shared);
}

/* Reads twice while the appender is stopped. Returns NULL, or the violated property. */
static const char *read_twice(struct ordo_oplog_thread *reader)
{
    uint64_t before = shared->count, count, next;
    ordo_oplog_read_lock(reader);
    count = shared->count;
    next = shared->next;
    ordo_oplog_read_unlock(reader);
    if (count < before || count - next > 1)
        return "a reader sees what never was";
    if (ordo_oplog_append(reader, &shared->counter, 0, 0))
        return "nobody else may append";
    ordo_oplog_synchronise(reader);
    if (shared->count != count || shared->next != next)
        return "a thread that is stopped goes on";
    __atomic_store_n(&shared->room, next + LOG / 4, __ATOMIC_RELAXED);
    return NULL;
}

static const char *stop_and_go(pid_t child, struct ordo_oplog_thread *reader)
{
    const char *wrong = NULL;
    int status;
    for (int i = 0; i < ROUNDS && !wrong; i++) {
        struct timespec pause = {0, 20000 + i * 7919L % 60000};
        (void)nanosleep(&pause, NULL);
        if (kill(child, SIGSTOP) || waitpid(child, &status, WUNTRACED) != child || !WIFSTOPPED(status))
            return "the appender has ended";
        wrong = read_twice(reader);
        (void)kill(child, SIGCONT);
    }
    return wrong;
}

int main(void)
{
    struct ordo_oplog_thread *reader;
    int status = 0;
    if (start(&reader))
        return 77;
    pid_t child = fork();
    if (child == 0)
        _exit(append_for_ever());
    if (child < 0)
        return 77;
    const char *wrong = stop_and_go(child, reader);
    __atomic_store_n(&shared->over, 1, __ATOMIC_RELAXED);
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status))
        wrong = wrong ? wrong : "an append fails";
    ordo_oplog_synchronise(reader);
    if (!wrong && (shared->count != shared->appended || shared->next != shared->appended || shared->wrong))
        wrong = "an operation is lost, or out of order";
    printf("%llu operations of a process that was stopped %d times: %s\n", (unsigned long long)shared->appended, ROUNDS,
           wrong ? wrong : "all seen");
    return wrong != NULL || shared->appended == 0;
}
