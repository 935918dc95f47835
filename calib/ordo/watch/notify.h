/* Messages to the service manager, as sd_notify(3) describes them: a datagram to the socket in $NOTIFY_SOCKET. */
#ifndef ORDO_WATCH_NOTIFY_H
#define ORDO_WATCH_NOTIFY_H

#include <stdint.h>

struct notify {
    int fd;          /* -1: no service manager */
    int64_t ping_ns; /* how often the watchdog expects a message; 0: never */
};

/** Reads $NOTIFY_SOCKET, $WATCHDOG_USEC and $WATCHDOG_PID, and removes them from the environment. */
struct notify notify_open(void);

/** Sends one message, such as "READY=1". An undelivered message is no failure. */
void notify_send(const struct notify *notify, const char *message);

void notify_close(struct notify *notify);

#endif
