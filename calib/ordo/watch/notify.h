/* Messages to the service manager, as in sd_notify(3): a datagram to the socket in $NOTIFY_SOCKET. */
#ifndef ORDO_WATCH_NOTIFY_H
#define ORDO_WATCH_NOTIFY_H

#include <stdint.h>

struct notify {
    int fd;          /* -1: no service manager */
    int64_t ping_ns; /* interval in which the watchdog expects a message; 0: no watchdog */
};

/** Opens the socket of $NOTIFY_SOCKET, reads $WATCHDOG_USEC and $WATCHDOG_PID, and removes all three from the
 * environment. */
struct notify notify_open(void);

/** Sends one message, such as "READY=1". Failure is ignored. */
void notify_send(const struct notify *notify, const char *message);

void notify_close(struct notify *notify);

#endif
