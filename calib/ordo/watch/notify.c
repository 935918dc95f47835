#include "ordo/watch/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Connects to a socket: a path, or an abstract name if `name` begins with '@'. Returns -1 for any other name. */
static int connect_to(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    if ((name[0] != '/' && name[0] != '@') || length < 2 || length >= sizeof address.sun_path)
        return -1;
    memcpy(address.sun_path, name, length);
    if (name[0] == '@')
        address.sun_path[0] = '\0';
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (name[0] == '/'));
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, size) == 0)
        return fd;
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

struct notify notify_open(void)
{
    struct notify notify = {.fd = -1};
    const char *name = getenv("NOTIFY_SOCKET"), *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    if (name)
        notify.fd = connect_to(name);
    if (notify.fd >= 0 && usec && (!pid || strtol(pid, NULL, 10) == (long)getpid())) {
        long long period = strtoll(usec, NULL, 10);
        notify.ping_ns = period > 0 && period < INT64_MAX / 1000 ? period * 1000 / 2 : 0;
    }
    (void)unsetenv("NOTIFY_SOCKET");
    (void)unsetenv("WATCHDOG_USEC");
    (void)unsetenv("WATCHDOG_PID");
    return notify;
}

void notify_send(const struct notify *notify, const char *message)
{
    if (notify->fd >= 0)
        (void)send(notify->fd, message, strlen(message), MSG_NOSIGNAL);
}

void notify_close(struct notify *notify)
{
    if (notify->fd >= 0)
        (void)close(notify->fd);
    notify->fd = -1;
}
