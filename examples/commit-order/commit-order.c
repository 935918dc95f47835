/* External consistency of a key-value store over several hosts: a transaction that begins after another one was
 * acknowledged has a larger timestamp, even if the two commit on different hosts whose clocks disagree.
 *
 * Each server has a part of the keys. A transaction takes the latest possible time as its timestamp, and is acknowledged
 * only when that time is certainly past (ordo_commit_wait). Let t be its timestamp, and let another transaction begin
 * after the acknowledgement, on any host. The reference time is then after t. The latest time on that host is not before
 * the reference time, so the second timestamp is larger than t.
 *
 *     commit-order serve PORT [--no-wait]            on each host, which runs ordo-timed
 *     commit-order drive COUNT THREADS HOST:PORT...  executes COUNT transactions, and counts the inversions
 *
 * `drive` exits with 1 if a transaction got a timestamp that is not larger than that of a transaction acknowledged before
 * it began. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ordo/now.h>

enum { KEYS = 1024, MOST_HOSTS = 8, MOST_THREADS = 256 };

/* --- the server --- */

struct record {
    int64_t written_ns; /* timestamp of the last transaction */
    uint64_t value;
};

static struct record table[KEYS];
static pthread_mutex_t locks[KEYS];
static pthread_rwlock_t page_lock = PTHREAD_RWLOCK_INITIALIZER; /* held for writing only while the page is reopened */
static struct ordo_now_handle page;
static bool waits = true;

struct request {
    uint64_t key, value;
};

struct reply {
    int64_t timestamp_ns; /* 0: not committed */
};

/* Reopens the page if that may help. False if the time is unknown. */
static bool renew_page(void)
{
    (void)pthread_rwlock_wrlock(&page_lock);
    int code = ordo_now_refresh(&page, NULL, NULL);
    (void)pthread_rwlock_unlock(&page_lock);
    return code == 0;
}

/* Executes a transaction under the lock of its record. Returns its timestamp; 0 if the time was unknown, so that the
 * transaction is neither acknowledged nor visible. */
static int64_t commit_under_lock(const struct request *request)
{
    struct record *record = &table[request->key % KEYS];
    struct ordo_now_interval now = ordo_now(&page);
    int64_t t_ns = now.latest_ns;
    if (now.status != ORDO_NOW_VALID && now.status != ORDO_NOW_SUPERSEDED)
        return 0;
    if (t_ns <= record->written_ns) /* two transactions of one record are ordered in any case */
        t_ns = record->written_ns + 1;
    if (waits && ordo_commit_wait(&page, t_ns) != 0)
        return 0;
    record->written_ns = t_ns;
    record->value = request->value;
    return t_ns;
}

static int64_t commit(const struct request *request)
{
    pthread_mutex_t *lock = &locks[request->key % KEYS];
    int64_t t_ns = 0;
    for (int attempt = 0; t_ns == 0 && attempt < 1000; attempt++) {
        (void)pthread_rwlock_rdlock(&page_lock);
        bool fresh = page.head && ordo_now(&page).status == ORDO_NOW_VALID;
        (void)pthread_rwlock_unlock(&page_lock);
        if (!fresh && !renew_page()) {
            (void)poll(NULL, 0, 1);
            continue;
        }
        (void)pthread_rwlock_rdlock(&page_lock);
        (void)pthread_mutex_lock(lock);
        t_ns = commit_under_lock(request);
        (void)pthread_mutex_unlock(lock);
        (void)pthread_rwlock_unlock(&page_lock);
    }
    return t_ns;
}

static void *serve_client(void *context)
{
    int fd = (int)(intptr_t)context;
    struct request request;
    while (recv(fd, &request, sizeof request, MSG_WAITALL) == (ssize_t)sizeof request) {
        struct reply reply = {commit(&request)};
        if (send(fd, &reply, sizeof reply, MSG_NOSIGNAL) != (ssize_t)sizeof reply)
            break;
    }
    (void)close(fd);
    return NULL;
}

static int serve(uint16_t port)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(port)};
    int yes = 1, listener = socket(AF_INET, SOCK_STREAM, 0), client;
    pthread_attr_t detached;
    pthread_t thread;
    struct ordo_error error;
    if (ordo_now_open(&page, NULL, &error))
        return fprintf(stderr, "commit-order: %s\n", error.text), 2;
    for (int i = 0; i < KEYS; i++)
        (void)pthread_mutex_init(&locks[i], NULL);
    (void)pthread_attr_init(&detached);
    (void)pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    (void)setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&any, sizeof any) || listen(listener, MOST_THREADS))
        return perror("commit-order: port"), 70;
    printf("serves\n");
    (void)fflush(stdout);
    while ((client = accept(listener, NULL, NULL)) >= 0) {
        (void)setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        if (pthread_create(&thread, &detached, serve_client, (void *)(intptr_t)client))
            (void)close(client);
    }
    return 70;
}

/* --- the driver --- */

static struct sockaddr_in hosts[MOST_HOSTS];
static int host_count;
static long transactions;
static int64_t newest_ns; /* the largest timestamp that was acknowledged */
static long begun, committed, inversions, failures;
static int64_t worst_ns;

static int reach(const struct sockaddr_in *host)
{
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)host, sizeof *host))
        return -1;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

/* Raises `*most` to at least `value`. */
static void raise_to(int64_t *most, int64_t value)
{
    int64_t seen = __atomic_load_n(most, __ATOMIC_SEQ_CST);
    while (seen < value && !__atomic_compare_exchange_n(most, &seen, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
}

/* Executes transactions on all hosts in turn. Before a transaction begins, it notes the largest acknowledged timestamp:
 * every transaction with this timestamp or a smaller one that was acknowledged before must be ordered before it. */
static void *drive_one(void *context)
{
    int fds[MOST_HOSTS];
    unsigned seed = (unsigned)(intptr_t)context;
    for (int i = 0; i < host_count; i++)
        if ((fds[i] = reach(&hosts[i])) < 0)
            return perror("commit-order: connect"), NULL;
    for (long n; (n = __atomic_fetch_add(&begun, 1, __ATOMIC_SEQ_CST)) < transactions;) {
        struct request request = {(uint64_t)rand_r(&seed), (uint64_t)n};
        struct reply reply = {0};
        int fd = fds[n % host_count];
        int64_t before_ns = __atomic_load_n(&newest_ns, __ATOMIC_SEQ_CST);
        if (send(fd, &request, sizeof request, MSG_NOSIGNAL) != (ssize_t)sizeof request ||
            recv(fd, &reply, sizeof reply, MSG_WAITALL) != (ssize_t)sizeof reply || reply.timestamp_ns == 0) {
            __atomic_fetch_add(&failures, 1, __ATOMIC_SEQ_CST);
            continue;
        }
        if (reply.timestamp_ns <= before_ns) {
            __atomic_fetch_add(&inversions, 1, __ATOMIC_SEQ_CST);
            raise_to(&worst_ns, before_ns - reply.timestamp_ns);
        }
        raise_to(&newest_ns, reply.timestamp_ns);
        __atomic_fetch_add(&committed, 1, __ATOMIC_SEQ_CST);
    }
    for (int i = 0; i < host_count; i++)
        (void)close(fds[i]);
    return NULL;
}

static bool parse_host(const char *text)
{
    char address[64];
    const char *colon = strchr(text, ':');
    struct sockaddr_in *host = &hosts[host_count];
    if (!colon || colon - text >= (long)sizeof address || host_count == MOST_HOSTS)
        return false;
    (void)snprintf(address, sizeof address, "%.*s", (int)(colon - text), text);
    *host = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(colon + 1))};
    host_count++;
    return inet_pton(AF_INET, address, &host->sin_addr) == 1;
}

static int drive(int threads)
{
    pthread_t thread[MOST_THREADS];
    int running = 0;
    while (running < threads && running < MOST_THREADS &&
           pthread_create(&thread[running], NULL, drive_one, (void *)(intptr_t)(running + 1)) == 0)
        running++;
    for (int i = 0; i < running; i++)
        (void)pthread_join(thread[i], NULL);
    printf("%ld transactions, %ld inversions, the largest %.3f ms, %ld not committed\n", committed, inversions,
           1e-6 * (double)worst_ns, failures);
    return inversions > 0 ? 1 : committed < transactions ? 2 : 0;
}

int main(int argc, char **argv)
{
    (void)signal(SIGPIPE, SIG_IGN);
    if ((argc == 3 || argc == 4) && strcmp(argv[1], "serve") == 0) {
        waits = argc == 3;
        if (waits || strcmp(argv[3], "--no-wait") == 0)
            return serve((uint16_t)atoi(argv[2]));
    }
    if (argc >= 5 && strcmp(argv[1], "drive") == 0) {
        bool known = true;
        for (int i = 4; i < argc; i++)
            known = known && parse_host(argv[i]);
        transactions = atol(argv[2]);
        if (known && transactions > 0)
            return drive(atoi(argv[3]));
    }
    fprintf(stderr, "usage: commit-order serve PORT [--no-wait] | drive COUNT THREADS ADDRESS:PORT...\n");
    return 64;
}
