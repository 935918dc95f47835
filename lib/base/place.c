#include "base/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The state of a walk: the folder that it has reached, and the rest of the path. */
struct walk {
    struct ordo_file_place *place; /* `path` is the path of the folder; empty: the working directory */
    char rest[PATH_MAX];
    unsigned how;
    int links;
};

enum { MOST_LINKS = 40 };

static int too_long(const char *path, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, ENAMETOOLONG, "%.60s...: the path is too long: name a shorter one",
                          path);
}

/* Returns the remedy for a folder that cannot be used; "" if the system's message suffices. */
static const char *remedy(int sys_errno)
{
    return sys_errno == EACCES || sys_errno == EPERM ? ": name a folder that you may write to"
           : sys_errno == EROFS                      ? ": name a folder of another file system"
           : sys_errno == ENOENT                     ? ": create it, or name another folder"
           : sys_errno == ENOTDIR                    ? ": name a folder"
                                                     : "";
}

int ordo_place_refuse(const char *folder, int sys_errno, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, sys_errno, "%.150s: %.40s%s", *folder ? folder : ".",
                          strerror(sys_errno), remedy(sys_errno));
}

/* Adds a name to the path of the folder. */
static int append_name(char path[PATH_MAX], const char *name, struct ordo_error *error)
{
    size_t length = strlen(path);
    const char *slash = length > 0 && path[length - 1] != '/' ? "/" : "";
    int added = snprintf(path + length, PATH_MAX - length, "%s%s", slash, name);
    if ((size_t)added < PATH_MAX - length)
        return ORDO_OK;
    path[length] = '\0';
    return too_long(path, error);
}

/* Moves the walk to the root if the rest is absolute. A relative rest continues in the walk's folder, which is the
 * working directory at first. */
static int begin_at(struct walk *walk, struct ordo_error *error)
{
    bool absolute = walk->rest[0] == '/';
    if (!absolute && walk->place->folder >= 0)
        return ORDO_OK;
    int folder = open(absolute ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return ordo_place_refuse(absolute ? "/" : ".", errno, error);
    ordo_place_leave(walk->place);
    walk->place->folder = folder;
    (void)snprintf(walk->place->path, PATH_MAX, "%s", absolute ? "/" : "");
    return ORDO_OK;
}

/* Removes the next name from the rest. Sets `*is_last` if it is the last name, which is the file's. If the path ends
 * with a slash, it is the path of a folder, and its last name is ".". */
static int next_name(struct walk *walk, char name[NAME_MAX + 1], bool *is_last, struct ordo_error *error)
{
    const char *from = walk->rest + strspn(walk->rest, "/");
    size_t length = strcspn(from, "/");
    if (length > NAME_MAX)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENAMETOOLONG, "%.60s...: the name is too long: name a shorter one",
                              from);
    memcpy(name, from, length);
    name[length] = '\0';
    *is_last = from[length] == '\0';
    memmove(walk->rest, from + length, strlen(from + length) + 1);
    if (length == 0)
        strcpy(name, ".");
    return ORDO_OK;
}

/* Returns the overflow user if this process is in a user namespace into which not all users are mapped; else -1. */
static long hidden_user(void)
{
    unsigned long first = 1, outside = 1, count = 0;
    long user = 65534;
    FILE *map = fopen("/proc/self/uid_map", "re"), *text = fopen("/proc/sys/kernel/overflowuid", "re");
    bool hides = map && fscanf(map, "%lu %lu %lu", &first, &outside, &count) == 3 &&
                 !(first == 0 && outside == 0 && count == 4294967295u);
    if (text && fscanf(text, "%ld", &user) != 1)
        user = 65534;
    if (map)
        (void)fclose(map);
    if (text)
        (void)fclose(text);
    return hides ? user : -1;
}

/* True if the link may be followed: only root or this user can have made it. In a user namespace the folders of a
 * system (/var/run, a home) may be root's links that appear to belong to the overflow user, as do the links of all
 * unmapped users. A link of the overflow user may be followed if it stands for a folder, and if its own folder also
 * belongs to the overflow user and only the owner may write that folder. This is safe, because an unmapped user that
 * owns a folder of the path can redirect the path even without a link. */
static bool may_follow(int folder, const struct stat *link, bool is_last)
{
    struct stat info;
    if (link->st_uid == geteuid() || link->st_uid == 0)
        return true;
    return !is_last && (long)link->st_uid == hidden_user() && fstat(folder, &info) == 0 && !(info.st_mode & 022) &&
           info.st_uid == link->st_uid;
}

/* Follows a link: prepends its target to the rest of the path. */
static int follow_link(struct walk *walk, int link, const char *name, bool is_last, struct ordo_error *error)
{
    char target[PATH_MAX], shown[PATH_MAX];
    struct stat info;
    (void)snprintf(shown, sizeof shown, "%s", walk->place->path);
    (void)append_name(shown, name, NULL);
    if (fstat(link, &info) != 0)
        return ordo_error_errno(error, "%s", shown);
    if (!may_follow(walk->place->folder, &info, is_last))
        return ordo_error_set(error, ORDO_E_SYSTEM, EPERM,
                              "%.120s: is a link of another user (%lu), and is not followed: name what it leads to",
                              shown, (unsigned long)info.st_uid);
    if (++walk->links > MOST_LINKS)
        return ordo_error_set(error, ORDO_E_SYSTEM, ELOOP, "%.120s: its links lead round in a circle: name a file",
                              shown);
    ssize_t length = readlinkat(link, "", target, sizeof target - 1);
    if (length <= 0)
        return ordo_error_errno(error, "%s", shown);
    target[length] = '\0';
    size_t rest = strlen(walk->rest);
    if ((size_t)length + rest + 1 > sizeof walk->rest)
        return too_long(target, error);
    memmove(walk->rest + length, walk->rest, rest + 1);
    memcpy(walk->rest, target, (size_t)length);
    return begin_at(walk, error);
}

/* Opens the link `name` itself, without following it. Returns -1 if it is not a link. */
static int open_link(const struct walk *walk, const char *name)
{
    struct stat info;
    int fd = openat(walk->place->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || (fstat(fd, &info) == 0 && S_ISLNK(info.st_mode)))
        return fd;
    (void)close(fd);
    return -1;
}

/* Makes the folder with mode 0755, independently of the umask, because other users read the files that are published
 * there. */
static int make_folder(const struct walk *walk, const char *name)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int at = walk->place->folder;
    if (mkdirat(at, name, 0755) != 0)
        return errno == EEXIST ? openat(at, name, flags) : -1;
    int fd = openat(at, name, flags);
    if (fd >= 0)
        (void)fchmod(fd, 0755);
    return fd;
}

static bool only_the_file_is_left(const struct walk *walk)
{
    const char *from = walk->rest + strspn(walk->rest, "/");
    return strchr(from, '/') == NULL;
}

/* Enters a folder. O_DIRECTORY also makes an automounter mount it. */
static int enter_folder(struct walk *walk, const char *name, struct ordo_error *error)
{
    int folder = openat(walk->place->folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int link = folder < 0 && (errno == ENOTDIR || errno == ELOOP) ? open_link(walk, name) : -1;
    if (link >= 0) {
        int code = follow_link(walk, link, name, false, error);
        (void)close(link);
        return code;
    }
    if (folder < 0 && errno == ENOENT && (walk->how & ORDO_PLACE_MAKE_FOLDER) && only_the_file_is_left(walk))
        folder = make_folder(walk, name);
    int sys_errno = errno, code = append_name(walk->place->path, name, error);
    if (folder < 0)
        return ordo_place_refuse(walk->place->path, sys_errno, error);
    (void)close(walk->place->folder);
    walk->place->folder = folder;
    return code;
}

/* Returns N if `name` in the folder is /proc/<this process>/fd/N, which is the target of links such as /dev/stdout;
 * else -1. This name may be a link to a file, but a caller that passes it means the descriptor, at its position. */
static int descriptor_of(int folder, const char *name)
{
    struct stat here, own;
    if (name[0] < '0' || name[0] > '9' || fstat(folder, &here) != 0 || stat("/proc/self/fd", &own) != 0 ||
        here.st_dev != own.st_dev || here.st_ino != own.st_ino)
        return -1;
    return atoi(name);
}

/* Handles the last name of the path. Sets `*is_over` to true, unless the name is a link that is followed. */
static int arrive_at_last(struct walk *walk, const char *name, bool *is_over, struct ordo_error *error)
{
    struct ordo_file_place *place = walk->place;
    place->descriptor = descriptor_of(place->folder, name);
    int link = place->descriptor >= 0 || (walk->how & ORDO_PLACE_NO_LINK) ? -1 : open_link(walk, name);
    *is_over = link < 0;
    if (link >= 0) {
        int code = follow_link(walk, link, name, true, error);
        (void)close(link);
        return code;
    }
    strcpy(place->name, name);
    return append_name(place->path, name, error);
}

int ordo_place_find(const char *path, unsigned how, struct ordo_file_place *place, struct ordo_error *error)
{
    struct walk walk = {.place = place, .how = how};
    char name[NAME_MAX + 1];
    bool is_last = false, is_over = false;
    place->folder = place->descriptor = -1;
    if (strlen(path) >= sizeof walk.rest)
        return too_long(path, error);
    strcpy(walk.rest, path);
    int code = *path ? begin_at(&walk, error) : ordo_place_refuse("the empty path", ENOENT, error);
    while (!code && !is_over) {
        code = next_name(&walk, name, &is_last, error);
        if (!code)
            code = is_last ? arrive_at_last(&walk, name, &is_over, error) : enter_folder(&walk, name, error);
    }
    if (code)
        ordo_place_leave(place);
    return code;
}

void ordo_place_leave(struct ordo_file_place *place)
{
    if (place->folder >= 0)
        (void)close(place->folder);
    place->folder = -1;
}

/* Appends a suffix to the name. Returns -1 if the result is too long. */
static int suffixed(const struct ordo_file_place *place, const char *suffix, char name[NAME_MAX + 1])
{
    if (snprintf(name, NAME_MAX + 1, "%s%s", place->name, suffix) <= NAME_MAX)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

int ordo_place_stat(const struct ordo_file_place *place, const char *suffix, struct stat *info)
{
    char name[NAME_MAX + 1];
    return suffixed(place, suffix, name) ? -1 : fstatat(place->folder, name, info, AT_SYMLINK_NOFOLLOW);
}

int ordo_place_open(const struct ordo_file_place *place, const char *suffix, int flags, mode_t mode)
{
    char name[NAME_MAX + 1];
    return suffixed(place, suffix, name) ? -1 : openat(place->folder, name, flags | O_NOFOLLOW | O_CLOEXEC, mode);
}

int ordo_place_open_folder(const struct ordo_file_place *place)
{
    return openat(place->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}
