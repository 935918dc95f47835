#include "net/wire/key.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 2 * ORDO_NET_KEY_BYTES };

static int check_file(int fd, const char *path, struct ordo_error *error)
{
    struct stat status;
    if (fstat(fd, &status))
        return ordo_error_errno(error, "%.150s", path);
    if (!S_ISREG(status.st_mode))
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%.150s: not a regular file, so not a key: name another",
                              path);
    if (status.st_uid != 0 && status.st_uid != geteuid())
        return ordo_error_set(error, ORDO_E_OWNER, 0,
                              "%.120s: belongs to user %u, neither to root nor to this user: chown it", path,
                              (unsigned)status.st_uid);
    if (status.st_mode & 077)
        return ordo_error_set(error, ORDO_E_WRITABLE, 0,
                              "%.120s: has mode %04o, so that others than its owner get at the key: chmod 600 it, "
                              "and make a new one",
                              path, (unsigned)status.st_mode & 07777);
    return ORDO_OK;
}

static int digit(char letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    letter |= 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

static int decode(struct ordo_net_key *key, const char *text, size_t count, const char *path, struct ordo_error *error)
{
    bool right = count == DIGITS || (count == DIGITS + 1 && text[DIGITS] == '\n');
    for (int i = 0; right && i < ORDO_NET_KEY_BYTES; i++) {
        int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        right = high >= 0 && low >= 0;
        key->bytes[i] = (unsigned char)(16 * (unsigned)high + (unsigned)low);
    }
    if (right)
        return ORDO_OK;
    ordo_net_key_forget(key);
    return ordo_error_set(
        error, ORDO_E_MALFORMED, 0,
        "%.120s: not a key of %d hexadecimal digits: make one, see the chapter on keys in ordo-net(1)", path, DIGITS);
}

int ordo_net_key_read(struct ordo_net_key *key, const char *path, struct ordo_error *error)
{
    char text[DIGITS + 2];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 && errno == ENOENT)
        return ordo_error_set(error, ORDO_E_MISSING, ENOENT,
                              "%.120s: there is no key: make one, see the chapter on keys in ordo-net(1)", path);
    if (fd < 0 && errno == EACCES)
        return ordo_error_set(error, ORDO_E_OWNER, EACCES,
                              "%.120s: this user may not read it: chown it to the user that this program runs as",
                              path);
    if (fd < 0)
        return ordo_error_errno(error, "%.150s", path);
    int code = check_file(fd, path, error);
    ssize_t count = code ? 0 : read(fd, text, sizeof text);
    if (!code)
        code = count < 0 ? ordo_error_errno(error, "%.150s", path) : decode(key, text, (size_t)count, path, error);
    (void)close(fd);
    explicit_bzero(text, sizeof text);
    return code;
}
