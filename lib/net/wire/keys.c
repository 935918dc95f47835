#include "net/wire/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 2 * ORDO_NET_KEY_BYTES, MOST_BYTES = 16384 };

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

/* Decodes 64 hexadecimal digits as a key. False if a letter is no digit. */
static bool decode(struct ordo_net_key *key, const char *text)
{
    bool right = true;
    for (int i = 0; right && i < ORDO_NET_KEY_BYTES; i++) {
        int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        right = high >= 0 && low >= 0;
        key->bytes[i] = (unsigned char)(16 * (unsigned)high + (unsigned)low);
    }
    return right;
}

/* Skips characters from `at` on: blanks if `blanks`, else all characters but blanks. Returns the first character that
 * is not skipped, or `end`. */
static const char *skip(const char *at, const char *end, bool blanks)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r') == blanks)
        at++;
    return at;
}

/* Returns the number from 1 to 65535 in the text. 0: the text is no such number. */
static uint16_t number_from(const char *at, const char *end)
{
    unsigned long number = 0;
    bool right = end > at && end - at <= 5;
    for (; right && at < end; at++) {
        right = *at >= '0' && *at <= '9';
        number = 10 * number + (unsigned long)(*at - '0');
    }
    return right && number <= UINT16_MAX ? (uint16_t)number : 0;
}

/* The state while a file is read. */
struct reading {
    struct ordo_net_keys *keys;
    const char *path;
    struct ordo_error *error;
    int line, alone; /* line: the present line; alone: the line of a key without a number, 0: none so far */
};

static int wrong_line(const struct reading *reading, int line, const char *what)
{
    return ordo_error_set(reading->error, ORDO_E_MALFORMED, 0, "%.90s, line %d: %s", reading->path, line, what);
}

static int wrong_key(const struct reading *reading, const char *where)
{
    return ordo_error_set(
        reading->error, ORDO_E_MALFORMED, 0,
        "%.90s, line %d: not a key of %d hexadecimal digits%s: see the chapter on keys in ordo-net(1)", reading->path,
        reading->line, DIGITS, where);
}

static int add_key(const struct reading *reading, uint16_t number, const char *digits)
{
    struct ordo_net_keys *keys = reading->keys;
    if (ordo_net_keys_find(keys, number) >= 0)
        return ordo_error_set(reading->error, ORDO_E_MALFORMED, 0,
                              "%.110s, line %d: key %u stands there twice: leave one out", reading->path, reading->line,
                              (unsigned)number);
    if (keys->count == ORDO_NET_KEYS)
        return wrong_line(reading, reading->line, "more keys than 64: leave some out");
    if (!decode(&keys->key[keys->count], digits))
        return wrong_key(reading, reading->alone ? "" : " behind the number");
    keys->number[keys->count++] = number;
    return ORDO_OK;
}

/* Checks that a key without a number is the only key. */
static int check_alone(const struct reading *reading)
{
    if (!reading->alone || reading->keys->count <= 1)
        return ORDO_OK;
    return wrong_line(reading, reading->alone,
                      "a key without a number, and others beside it: write a number from 1 to 65535 before it");
}

static int add_alone(struct reading *reading, const char *digits)
{
    reading->alone = reading->line;
    if (reading->keys->count > 0)
        return wrong_line(reading, reading->line,
                          "a key without a number beside others: write a number from 1 to 65535 before it");
    return add_key(reading, 1, digits);
}

/* Reads a line, which is "NUMBER KEY", "KEY", a comment, or empty. */
static int take_line(struct reading *reading, const char *at, const char *end)
{
    at = skip(at, end, true);
    if (at == end || *at == '#')
        return ORDO_OK;
    const char *number_end = skip(at, end, false), *key = skip(number_end, end, true), *key_end = skip(key, end, false);
    uint16_t number = number_from(at, number_end);
    if (key == end && number_end - at == DIGITS)
        return add_alone(reading, at);
    if (!number)
        return wrong_key(reading, key == end ? "" : " behind a number from 1 to 65535");
    if (key_end - key != DIGITS || skip(key_end, end, true) != end)
        return wrong_key(reading, " behind the number");
    return add_key(reading, number, key);
}

static int take_lines(struct reading *reading, const char *text, size_t count)
{
    const char *end = text + count;
    int code = ORDO_OK;
    for (reading->line = 1; !code && text < end; reading->line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text)), *line_end = newline ? newline : end;
        code = take_line(reading, text, line_end);
        text = newline ? newline + 1 : end;
    }
    return code ? code : check_alone(reading);
}

int ordo_net_keys_parse(struct ordo_net_keys *keys, const char *text, size_t count, const char *path,
                        struct ordo_error *error)
{
    struct reading reading = {keys, path, error, 0, 0};
    *keys = (struct ordo_net_keys){.count = 0};
    int code = take_lines(&reading, text, count);
    if (!code && keys->count == 0)
        code = ordo_error_set(
            error, ORDO_E_MALFORMED, 0,
            "%.120s: no key of %d hexadecimal digits: make one, see the chapter on keys in ordo-net(1)", path, DIGITS);
    if (code)
        ordo_net_keys_forget(keys);
    return code;
}

int ordo_net_keys_find(const struct ordo_net_keys *keys, uint16_t number)
{
    for (int i = 0; i < keys->count; i++)
        if (keys->number[i] == number || number == 0)
            return i;
    return -1;
}

void ordo_net_keys_forget(struct ordo_net_keys *keys)
{
    for (int i = 0; i < ORDO_NET_KEYS; i++)
        ordo_net_key_forget(&keys->key[i]);
    keys->count = 0;
}

int ordo_net_keys_read(struct ordo_net_keys *keys, const char *path, struct ordo_error *error)
{
    char text[MOST_BYTES + 1];
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
    if (!code && count < 0)
        code = ordo_error_errno(error, "%.150s", path);
    if (!code && count > MOST_BYTES)
        code = ordo_error_set(error, ORDO_E_MALFORMED, 0,
                              "%.120s: longer than %d bytes, so not a file of keys: name another", path, MOST_BYTES);
    if (!code)
        code = ordo_net_keys_parse(keys, text, (size_t)count, path, error);
    (void)close(fd);
    explicit_bzero(text, sizeof text);
    return code;
}
