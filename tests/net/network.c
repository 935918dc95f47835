/* network [OPTION...] PID...: a bad network between network namespaces, for tests.
 *
 * The namespace of each PID is a host, whose agent listens at 127.0.0.1, port 21075. The other hosts reach host number
 * i, counted from 0, at 127.0.0.1, port 21080 + i of their own namespace. This program forwards each datagram, and the
 * receiver sees it come from port 21080 plus the number of the sender. The namespaces need no other link. Options, all
 * in percent of the datagrams:
 *
 *   --loss        the datagram is lost
 *   --duplicate   it arrives twice
 *   --delay       it is delayed by up to 3 ms, so that later datagrams overtake it
 *   --replay      it arrives again a quarter of a second later
 *   --cut         a copy that is too short arrives
 *   --stretch     a copy that is too long arrives
 *
 * The program prints "ready" when it forwards, and runs until it is killed. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HOSTS = 8, FIRST_PORT = 21080, AGENT_PORT = 21075, BYTES = 2048, WAITING = 4096 };

struct late {
    int from, to;
    int64_t due_ns;
    size_t count;
    unsigned char bytes[BYTES];
};

static int hosts, door[HOSTS][HOSTS];   /* door[i][j]: socket in the namespace of host i, at the port of host j */
static struct sockaddr_in where[HOSTS]; /* the latest sender of each host */
static double loss, duplicate, delay, replay, cut, stretch;
static struct late late[WAITING];
static uint64_t state = 88172645463325252u;

static double draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

static bool happens(double percent)
{
    return draw() * 100 < percent;
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void enter(const char *pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/ns/net", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || setns(fd, CLONE_NEWNET))
        fail(path);
    close(fd);
}

static void raise_loopback(void)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request))
        fail("lo");
    close(fd);
}

static struct sockaddr_in local(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void open_doors(int host)
{
    for (int other = 0; other < hosts; other++) {
        struct sockaddr_in address = local(FIRST_PORT + other);
        door[host][other] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (door[host][other] < 0 || bind(door[host][other], (struct sockaddr *)&address, sizeof address))
            fail("a door");
    }
    where[host] = local(AGENT_PORT);
}

static void deliver(int from, int to, const unsigned char *bytes, size_t count)
{
    (void)sendto(door[to][from], bytes, count, 0, (struct sockaddr *)&where[to], sizeof where[to]);
}

static void deliver_later(int from, int to, const unsigned char *bytes, size_t count, int64_t after_ns)
{
    for (int i = 0; i < WAITING; i++)
        if (!late[i].due_ns) {
            late[i] = (struct late){from, to, now_ns() + after_ns, count, {0}};
            memcpy(late[i].bytes, bytes, count);
            return;
        }
}

static void deliver_due(void)
{
    for (int i = 0; i < WAITING; i++)
        if (late[i].due_ns && late[i].due_ns <= now_ns()) {
            deliver(late[i].from, late[i].to, late[i].bytes, late[i].count);
            late[i].due_ns = 0;
        }
}

static void forward(int from, int to, unsigned char *bytes, size_t count)
{
    if (happens(cut))
        deliver(from, to, bytes, (size_t)(draw() * (double)count));
    if (happens(stretch))
        deliver(from, to, bytes, count + 1 + (size_t)(draw() * 100));
    if (happens(replay))
        deliver_later(from, to, bytes, count, 250000000);
    if (happens(loss))
        return;
    for (int copies = 1 + happens(duplicate); copies > 0; copies--)
        if (happens(delay))
            deliver_later(from, to, bytes, count, (int64_t)(draw() * 3e6));
        else
            deliver(from, to, bytes, count);
}

static void take_all(int host, int other)
{
    static unsigned char bytes[BYTES];
    struct sockaddr_in sender;
    socklen_t size = sizeof sender;
    for (ssize_t count;
         (count = recvfrom(door[host][other], bytes, BYTES - 128, 0, (struct sockaddr *)&sender, &size)) >= 0;) {
        where[host] = sender;
        forward(host, other, bytes, (size_t)count);
        size = sizeof sender;
    }
}

static void run(void)
{
    struct pollfd all[HOSTS * HOSTS];
    for (int i = 0; i < hosts * hosts; i++)
        all[i] = (struct pollfd){.fd = door[i / hosts][i % hosts], .events = POLLIN};
    for (;;) {
        (void)poll(all, (nfds_t)(hosts * hosts), 1);
        for (int i = 0; i < hosts * hosts; i++)
            if (all[i].revents)
                take_all(i / hosts, i % hosts);
        deliver_due();
    }
}

static double *option(const char *name)
{
    const struct {
        const char *name;
        double *value;
    } known[] = {{"--loss", &loss}, {"--duplicate", &duplicate}, {"--delay", &delay}, {"--replay", &replay},
                 {"--cut", &cut},   {"--stretch", &stretch}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0)
            return known[i].value;
    return NULL;
}

int main(int argc, char **argv)
{
    char *pids[HOSTS];
    for (int i = 1; i < argc; i++) {
        double *value = option(argv[i]);
        if (value && i + 1 < argc)
            *value = atof(argv[++i]);
        else if (hosts < HOSTS)
            pids[hosts++] = argv[i];
    }
    for (int i = 0; i < hosts; i++) {
        enter(pids[i]);
        raise_loopback();
        open_doors(i);
    }
    printf("ready\n");
    fflush(stdout);
    run();
}
